//! Search strategies: which candidate is taken next. A strategy orders the tickets of the pool and
//! owns nothing else; `docs/search.md` says what each is good for.

mod bfs;
mod cfg;
mod dfs;
mod fitness;
mod guide;
mod mix;
mod pps;
mod random;
mod random_path;
mod rp_md2u;

pub(crate) use pps::Pps;

use crate::config::{Config, Search};
use crate::coverage::ObjectiveMap;
use crate::exec::gauge::Measured;
use crate::pool::{Pool, Ticket};
use crate::program::Program;
use crate::state::BitSet;
use crate::structure::Structure;
use labrys_ledger::Trigger;

/// What a strategy can look at.
pub(crate) struct View<'a, 'm> {
    pub(crate) pool: &'a Pool,
    /// The objectives that need no test any more.
    pub(crate) covered: &'a BitSet,
    pub(crate) structure: Option<&'a mut Structure<'m>>,
    pub(crate) objectives: &'a ObjectiveMap,
    /// The last run has covered something.
    pub(crate) fruitful: bool,
    /// How near the last run came to open outcomes of conditions.
    pub(crate) measured: &'a Measured,
}

impl View<'_, '_> {
    /// Does a trigger cover anything that is open?
    fn is_open(&self, trigger: Trigger) -> bool {
        let mut objectives = self.objectives.covered_by(trigger).iter();
        objectives.any(|o| !self.covered.contains(*o as usize))
    }
}

/// An order of the candidates that wait.
pub(crate) trait Strategy {
    /// Takes in what the last run left behind, oldest first. The run came from the candidate that
    /// was taken last.
    fn add(&mut self, tickets: &[Ticket], view: &mut View<'_, '_>);

    /// The candidate to take next, one that waits in the pool.
    fn next(&mut self, view: &mut View<'_, '_>) -> Option<Ticket>;

    /// Candidates whose goals the chosen one should meet as well, if it can.
    fn wishes(&self) -> &[Ticket] {
        &[]
    }

    /// This one was taken, whoever chose it.
    fn taken(&mut self, _ticket: Ticket) {}

    /// This one waits no longer, and was not taken.
    fn forget(&mut self, _ticket: Ticket) {}

    /// Does the newest candidate wait longest?
    fn prefers_old(&self) -> bool {
        false
    }
}

pub(crate) fn strategy<'m>(
    config: &Config,
    program: &'m Program<'m>,
    objectives: &ObjectiveMap,
) -> Box<dyn Strategy + 'm> {
    match config.search {
        Search::Dfs => Box::new(dfs::Dfs::default()),
        Search::Bfs => Box::new(bfs::Bfs::default()),
        Search::RandomPath => Box::new(random_path::RandomPath::new(config.seed)),
        Search::Cfg => {
            let guide = guide::Guide::new(program, objectives);
            Box::new(cfg::Cfg::new(config.seed, guide))
        }
        Search::Fitness => Box::new(mix::Mix::fitness(config.seed)),
        Search::Mix => {
            let guide = guide::Guide::new(program, objectives);
            Box::new(mix::Mix::of_all(config.seed, guide))
        }
        Search::Pps => Box::new(Pps::new(config.seed)),
        Search::RpMd2u => {
            let guide = guide::Guide::new(program, objectives);
            Box::new(rp_md2u::RpMd2u::new(config.seed, guide))
        }
    }
}
