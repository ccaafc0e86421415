//! Search strategies: which candidate is taken next.

mod bfs;
mod dfs;
mod guide;
mod random_path;
mod rp_md2u;

use crate::candidate::Candidate;
use crate::config::{Config, Search};
use crate::coverage::ObjectiveMap;
use crate::program::Program;
use crate::state::BitSet;

/// The pool of candidates with its order.
pub(crate) trait Strategy {
    /// Takes in the candidates that the last run left behind, oldest first. The run came from
    /// the candidate that was taken last; leaves of labels are no matter of a strategy.
    fn add(&mut self, candidates: &mut Vec<Candidate>);

    /// `covered` holds the objectives that need no test any more.
    fn take(&mut self, covered: &BitSet) -> Option<Candidate>;

    fn len(&self) -> usize;

    /// A candidate for another thread, one that would have to wait long here.
    fn give(&mut self) -> Option<Candidate>;

    /// All candidates, those first that have waited longest and will wait longest.
    fn waiting(&mut self) -> Box<dyn Iterator<Item = &mut Candidate> + '_>;
}

/// Can another thread find the candidate again?
fn can_move(candidate: &Candidate) -> bool {
    candidate.portable && candidate.snapshot.is_some()
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
        Search::RpMd2u => {
            let guide = guide::Guide::new(program, objectives);
            Box::new(rp_md2u::RpMd2u::new(config.seed, guide))
        }
    }
}
