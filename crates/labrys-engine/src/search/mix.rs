//! Several strategies on one pool. `mix`: candidates that cover something for certain first, then
//! fitness-guided and predictive search by turns with random paths and near candidates; who covers
//! nothing any more has fewer turns. Behind the first runs, near misses have two turns of eight, and
//! novelty and random paths share most of the others by what they have led to. `fitness`: fitness-guided
//! search, and random paths where there is no target that runs have come to.

use super::fitness::Fitness;
use super::guide::DistanceGuide;
use super::near_misses::NearMisses;
use super::novelty::Novelty;
use super::pps::Pps;
use super::random_path::RandomPath;
use super::rp_md2u::RpMd2u;
use crate::candidates::{InputValues, Pool, SearchView, Strategy, ThreadFindings, Ticket};
use labrys_budget::Deadline;
use labrys_expr::Model;
use labrys_ir::Module;
use std::rc::Rc;

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MixTurn {
    Fitness,
    Predictive,
    Walk,
    Novelty,
    NearMisses,
    /// Of the walk and novelty the one that has led to more lately.
    Best,
}

/// What the runs of a member have led to: what covers something for certain is the merit of the run that
/// left it.
#[derive(Clone, Copy, Default)]
struct TrackRecord {
    runs: u32,
    successes: u32,
}

impl TrackRecord {
    /// Has it led to more than another one, by the number of runs?
    fn is_better_than(self, other: TrackRecord) -> bool {
        let product =
            |a: TrackRecord, b: TrackRecord| u64::from(a.successes + 1) * u64::from(b.runs + 1);
        product(self, other) > product(other, self)
    }
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
    MixTurn::NearMisses,
    MixTurn::Best,
    MixTurn::Predictive,
    MixTurn::Walk,
    MixTurn::NearMisses,
    MixTurn::Best,
];

/// So many successes of novelty and random paths are remembered in full; older ones count half.
const REMEMBERED: u32 = 16;

/// So many runs of a search are shared evenly: in small programs every member finds something, and
/// most of these searches are over by then.
const EVEN_RUNS: u32 = 100;

/// After so many runs of a member that bring nothing, its pause doubles.
const FRUITLESS: u32 = 2;

/// The same of near misses, which are cheap.
const FRUITLESS_NEAR_MISSES: u32 = 128;

/// How often a member of the mix has its turn. Its runs cost several times as much as random paths
/// where paths are long, so it pauses when they cover nothing (docs/design/056-turns-of-the-mix.md).
struct Standing {
    /// It has one of so many of its turns; the others are random paths.
    pause: u32,
    skipped: u32,
    fruitless: u32,
    /// After so many runs that bring nothing, its pause doubles.
    patience: u32,
}

impl Default for Standing {
    fn default() -> Self {
        Standing {
            pause: 1,
            skipped: 0,
            fruitless: 0,
            patience: FRUITLESS,
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
            *self = Standing {
                patience: self.patience,
                ..Standing::default()
            };
        } else if !nearer {
            self.fruitless += 1;
        }
        if self.fruitless == self.patience {
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
    near_misses: NearMisses,
    module: Option<&'m Module>,
    walk_record: TrackRecord,
    novelty_record: TrackRecord,
    /// By slot of the pool: whose run has left a candidate.
    origins: Vec<MixTurn>,
    /// To whom the current run is due.
    origin: MixTurn,
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
    near_standing: Standing,
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
            near_misses: NearMisses::default(),
            module: None,
            walk_record: TrackRecord::default(),
            novelty_record: TrackRecord::default(),
            origins: Vec::new(),
            origin: MixTurn::Walk,
            turns: FITNESS,
            turn: 0,
            runs: 0,
            chosen_by: None,
            is_certain: false,
            certain_standing: Standing::default(),
            fitness_standing: Standing::default(),
            pps_standing: Standing::default(),
            near_standing: Standing {
                patience: FRUITLESS_NEAR_MISSES,
                ..Standing::default()
            },
        }
    }

    /// Whose turn it is. Where there is nothing but fitness-guided search, it never pauses.
    fn next_turn(&mut self) -> MixTurn {
        let turn = self.turns[self.turn % self.turns.len()];
        self.turn += 1;
        let takes = match turn {
            MixTurn::Fitness if self.pps.is_some() => self.fitness_standing.takes_turn(),
            MixTurn::Predictive => self.pps_standing.takes_turn(),
            MixTurn::NearMisses => self.near_standing.takes_turn(),
            MixTurn::Fitness | MixTurn::Walk | MixTurn::Novelty => true,
            MixTurn::Best => false,
        };
        match takes {
            true => turn,
            false => self.best(),
        }
    }

    /// The candidate to take next.
    fn choose(&mut self, view: &mut SearchView<'_, '_>) -> Option<Ticket> {
        self.chosen_by = None;
        self.is_certain = false;
        if let Some(pps) = &mut self.pps
            && self.certain_standing.takes_turn()
            && let Some(ticket) = pps.next_certain(view)
        {
            self.is_certain = true;
            return Some(ticket);
        }
        let mut turn = self.next_turn();
        if turn == MixTurn::Fitness
            && let Some(ticket) = self.fitness.next(view)
        {
            self.chosen_by = Some(MixTurn::Fitness);
            return Some(ticket);
        }
        if turn == MixTurn::NearMisses {
            if let Some(ticket) = self.near_misses.next(view) {
                self.chosen_by = Some(MixTurn::NearMisses);
                return Some(ticket);
            }
            turn = self.best();
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

    /// Random paths or novelty.
    fn best(&self) -> MixTurn {
        match self.novelty.is_some() && self.novelty_record.is_better_than(self.walk_record) {
            true => MixTurn::Novelty,
            false => MixTurn::Walk,
        }
    }

    /// The last run was due to somebody, and has left these candidates.
    fn learn_origins(&mut self, tickets: &[Ticket], is_success: bool) {
        let records = [&mut self.walk_record, &mut self.novelty_record];
        for (record, of) in records.into_iter().zip([MixTurn::Walk, MixTurn::Novelty]) {
            if self.origin == of {
                record.runs += 1;
                record.successes += u32::from(is_success);
            }
        }
        if self.walk_record.successes + self.novelty_record.successes > REMEMBERED {
            for record in [&mut self.walk_record, &mut self.novelty_record] {
                record.runs /= 2;
                record.successes /= 2;
            }
        }
        for ticket in tickets {
            if self.origins.len() <= ticket.slot() {
                self.origins.resize(ticket.slot() + 1, MixTurn::Walk);
            }
            self.origins[ticket.slot()] = self.origin;
        }
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
            Some(MixTurn::NearMisses) => self.near_standing.learn(view.fruitful, false),
            Some(_) | None => {}
        }
        self.learn_origins(tickets, view.fruitful);
        if let Some(pps) = &mut self.pps {
            self.near_misses.add(tickets, view);
            pps.add(tickets, view);
        }
        self.walk.add(tickets, view);
    }

    fn next(&mut self, view: &mut SearchView<'_, '_>) -> Option<Ticket> {
        let ticket = self.choose(view)?;
        let left_by = self.origins.get(ticket.slot()).copied();
        self.origin = self.chosen_by.or(left_by).unwrap_or(MixTurn::Walk);
        Some(ticket)
    }

    fn look(
        &mut self,
        tickets: &[Ticket],
        pool: &Pool,
        found: &ThreadFindings,
        values: &mut dyn InputValues,
    ) {
        match (&mut self.novelty, self.module) {
            (Some(novelty), _) => novelty.look(tickets, pool, found, values),
            (None, Some(module)) if self.runs == EVEN_RUNS => {
                let novelty = self.novelty.insert(Novelty::new(module));
                novelty.look_at_all(pool, values);
                self.turns = LATER;
                self.walk_record = TrackRecord::default();
            }
            _ => {}
        }
    }

    fn taken(&mut self, ticket: Ticket) {
        if let Some(novelty) = &mut self.novelty {
            novelty.taken(ticket);
        }
        self.near_misses.taken(ticket);
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

    fn input(&mut self) -> Option<Rc<Model>> {
        match self.chosen_by {
            Some(MixTurn::NearMisses) => self.near_misses.input(),
            _ => None,
        }
    }

    fn wishes(&self) -> &[Ticket] {
        match self.chosen_by {
            Some(MixTurn::Fitness) => self.fitness.wishes(),
            _ => &[],
        }
    }
}
