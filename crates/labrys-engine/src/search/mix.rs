//! Several strategies on one pool. `mix`: candidates that cover something for certain first, then
//! fitness-guided and predictive search by turns with random paths and near candidates; who covers
//! nothing any more has fewer turns. `fitness`: fitness-guided search, and random paths where there
//! is no target that runs have come to.

use super::fitness::Fitness;
use super::guide::DistanceGuide;
use super::novelty::Novelty;
use super::pps::Pps;
use super::random_path::RandomPath;
use super::rp_md2u::RpMd2u;
use crate::candidates::{InputValues, Pool, SearchView, Strategy, Ticket};
use labrys_budget::Deadline;
use labrys_ir::Module;

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MixTurn {
    Fitness,
    Predictive,
    Walk,
    Novelty,
}

const MIX: &[MixTurn] = &[
    MixTurn::Fitness,
    MixTurn::Walk,
    MixTurn::Predictive,
    MixTurn::Walk,
];
const FITNESS: &[MixTurn] = &[MixTurn::Fitness];

/// Behind the even runs.
const LATER: &[MixTurn] = &[
    MixTurn::Fitness,
    MixTurn::Novelty,
    MixTurn::Walk,
    MixTurn::Novelty,
    MixTurn::Predictive,
    MixTurn::Novelty,
    MixTurn::Walk,
    MixTurn::Novelty,
];

/// So many runs of a search are shared evenly: in small programs every member finds something, and
/// most of these searches are over by then.
const EVEN_RUNS: u32 = 100;

/// After so many runs of a member that bring nothing, its pause doubles.
const FRUITLESS: u32 = 2;

/// How often a member of the mix has its turn. Its runs cost several times as much as random paths
/// where paths are long, so it pauses when they cover nothing (docs/design/056-turns-of-the-mix.md).
struct Standing {
    /// It has one of so many of its turns; the others are random paths.
    pause: u32,
    skipped: u32,
    fruitless: u32,
}

impl Default for Standing {
    fn default() -> Self {
        Standing {
            pause: 1,
            skipped: 0,
            fruitless: 0,
        }
    }
}

impl Standing {
    /// Does it take the turn that comes up?
    fn takes_turn(&mut self) -> bool {
        self.skipped += 1;
        let takes = self.skipped >= self.pause;
        if takes {
            self.skipped = 0;
        }
        takes
    }

    /// Its run has covered something, or has at least come nearer to it.
    fn learn(&mut self, covered: bool, nearer: bool) {
        if covered {
            *self = Standing::default();
        } else if !nearer {
            self.fruitless += 1;
        }
        if self.fruitless == FRUITLESS {
            self.fruitless = 0;
            self.pause = self.pause.saturating_mul(2);
        }
    }
}

pub(super) struct Mix<'m> {
    fitness: Fitness,
    /// Not for `fitness`.
    pps: Option<Pps>,
    walk: Box<dyn Strategy + 'm>,
    /// Behind the even runs, not for `fitness`.
    novelty: Option<Novelty<'m>>,
    module: Option<&'m Module>,
    /// Random walk or novelty: what covered something last has the turns of those who pause.
    favourite: MixTurn,
    turns: &'static [MixTurn],
    turn: usize,
    /// Runs so far, up to [`EVEN_RUNS`].
    runs: u32,
    /// Who chose the last candidate; nobody if it covers something for certain.
    chosen_by: Option<MixTurn>,
    /// Is the last candidate one that covers something for certain?
    is_certain: bool,
    certain_standing: Standing,
    fitness_standing: Standing,
    pps_standing: Standing,
}

impl<'m> Mix<'m> {
    pub(super) fn of_all(seed: u64, guide: DistanceGuide<'m>, deadline: &Deadline) -> Self {
        Mix {
            pps: Some(Pps::new(seed, deadline)),
            module: Some(guide.module()),
            walk: Box::new(RpMd2u::new(seed, guide)),
            turns: MIX,
            ..Mix::fitness(seed)
        }
    }

    pub(super) fn fitness(seed: u64) -> Self {
        Mix {
            fitness: Fitness::default(),
            pps: None,
            walk: Box::new(RandomPath::new(seed)),
            novelty: None,
            module: None,
            favourite: MixTurn::Walk,
            turns: FITNESS,
            turn: 0,
            runs: 0,
            chosen_by: None,
            is_certain: false,
            certain_standing: Standing::default(),
            fitness_standing: Standing::default(),
            pps_standing: Standing::default(),
        }
    }

    /// Whose turn it is. Where there is nothing but fitness-guided search, it never pauses.
    fn next_turn(&mut self) -> MixTurn {
        let turn = self.turns[self.turn % self.turns.len()];
        self.turn += 1;
        let takes = match turn {
            MixTurn::Fitness if self.pps.is_some() => self.fitness_standing.takes_turn(),
            MixTurn::Predictive => self.pps_standing.takes_turn(),
            MixTurn::Fitness | MixTurn::Walk | MixTurn::Novelty => true,
        };
        if takes { turn } else { self.favourite }
    }
}

impl Strategy for Mix<'_> {
    fn add(&mut self, tickets: &[Ticket], view: &mut SearchView<'_, '_>) {
        let nearer = self.fitness.add_run(tickets, view);
        self.runs = (self.runs + 1).min(EVEN_RUNS);
        if std::mem::take(&mut self.is_certain) {
            // What covers something covers it only if its path ends.
            self.certain_standing.learn(view.fruitful, false);
        }
        match self.chosen_by.take() {
            _ if self.runs < EVEN_RUNS => {}
            Some(MixTurn::Fitness) => self.fitness_standing.learn(view.fruitful, nearer),
            Some(MixTurn::Predictive) => self.pps_standing.learn(view.fruitful, false),
            Some(turn @ (MixTurn::Walk | MixTurn::Novelty)) if view.fruitful => {
                self.favourite = turn
            }
            Some(MixTurn::Walk | MixTurn::Novelty) | None => {}
        }
        if let Some(pps) = &mut self.pps {
            pps.add(tickets, view);
        }
        self.walk.add(tickets, view);
    }

    fn next(&mut self, view: &mut SearchView<'_, '_>) -> Option<Ticket> {
        self.chosen_by = None;
        self.is_certain = false;
        if let Some(pps) = &mut self.pps
            && self.certain_standing.takes_turn()
            && let Some(ticket) = pps.next_certain(view)
        {
            self.is_certain = true;
            return Some(ticket);
        }
        let turn = self.next_turn();
        if turn == MixTurn::Fitness
            && let Some(ticket) = self.fitness.next(view)
        {
            self.chosen_by = Some(MixTurn::Fitness);
            return Some(ticket);
        }
        if turn == MixTurn::Novelty
            && let Some(novelty) = &mut self.novelty
            && let Some(ticket) = novelty.next(view)
        {
            self.chosen_by = Some(MixTurn::Novelty);
            return Some(ticket);
        }
        match &mut self.pps {
            Some(pps) if matches!(turn, MixTurn::Fitness | MixTurn::Predictive) => {
                self.chosen_by = Some(MixTurn::Predictive);
                pps.next(view)
            }
            _ => {
                self.chosen_by = Some(MixTurn::Walk);
                self.walk.next(view)
            }
        }
    }

    fn look(&mut self, tickets: &[Ticket], pool: &Pool, values: &mut dyn InputValues) {
        match (&mut self.novelty, self.module) {
            (Some(novelty), _) => novelty.look(tickets, pool, values),
            (None, Some(module)) if self.runs == EVEN_RUNS => {
                let novelty = self.novelty.insert(Novelty::new(module));
                novelty.look_at_all(pool, values);
                self.turns = LATER;
            }
            _ => {}
        }
    }

    fn taken(&mut self, ticket: Ticket) {
        if let Some(novelty) = &mut self.novelty {
            novelty.taken(ticket);
        }
        self.fitness.taken(ticket);
        self.walk.taken(ticket);
    }

    fn last(&mut self, number: usize, pool: &Pool) -> Vec<Ticket> {
        match &mut self.novelty {
            Some(novelty) => novelty.last(number, pool),
            None => self.walk.last(number, pool),
        }
    }

    fn forget(&mut self, ticket: Ticket) {
        if let Some(novelty) = &mut self.novelty {
            novelty.forget(ticket);
        }
        self.fitness.forget(ticket);
        self.walk.forget(ticket);
    }

    fn wishes(&self) -> &[Ticket] {
        match self.chosen_by {
            Some(MixTurn::Fitness) => self.fitness.wishes(),
            _ => &[],
        }
    }
}
