//! Several strategies on one pool. `mix`: candidates that cover something for certain first, then
//! fitness-guided and predictive search by turns with random paths and near candidates. `fitness`: fitness-guided search,
//! and random paths where there is no target that runs have come to.

use super::fitness::Fitness;
use super::guide::DistanceGuide;
use super::pps::Pps;
use super::random_path::RandomPath;
use super::rp_md2u::RpMd2u;
use crate::candidates::{SearchView, Strategy, Ticket};

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MixTurn {
    Fitness,
    Predictive,
    Walk,
}

const MIX: &[MixTurn] = &[
    MixTurn::Fitness,
    MixTurn::Walk,
    MixTurn::Predictive,
    MixTurn::Walk,
];
const FITNESS: &[MixTurn] = &[MixTurn::Fitness];

pub(super) struct Mix<'m> {
    fitness: Fitness,
    /// Not for `fitness`.
    pps: Option<Pps>,
    walk: Box<dyn Strategy + 'm>,
    turns: &'static [MixTurn],
    turn: usize,
    /// The last candidate was chosen by its fitness.
    guided: bool,
}

impl<'m> Mix<'m> {
    pub(super) fn of_all(seed: u64, guide: DistanceGuide<'m>) -> Self {
        Mix {
            pps: Some(Pps::new(seed)),
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
            turns: FITNESS,
            turn: 0,
            guided: false,
        }
    }
}

impl Strategy for Mix<'_> {
    fn add(&mut self, tickets: &[Ticket], view: &mut SearchView<'_, '_>) {
        self.fitness.add(tickets, view);
        if let Some(pps) = &mut self.pps {
            pps.add(tickets, view);
        }
        self.walk.add(tickets, view);
    }

    fn next(&mut self, view: &mut SearchView<'_, '_>) -> Option<Ticket> {
        self.guided = false;
        if let Some(pps) = &mut self.pps
            && let Some(ticket) = pps.next_certain(view)
        {
            return Some(ticket);
        }
        let turn = self.turns[self.turn % self.turns.len()];
        self.turn += 1;
        if turn == MixTurn::Fitness
            && let Some(ticket) = self.fitness.next(view)
        {
            self.guided = true;
            return Some(ticket);
        }
        match &mut self.pps {
            Some(pps) if turn != MixTurn::Walk => pps.next(view),
            _ => self.walk.next(view),
        }
    }

    fn taken(&mut self, ticket: Ticket) {
        self.fitness.taken(ticket);
        self.walk.taken(ticket);
    }

    fn forget(&mut self, ticket: Ticket) {
        self.walk.forget(ticket);
    }

    fn wishes(&self) -> &[Ticket] {
        match self.guided {
            true => self.fitness.wishes(),
            false => &[],
        }
    }
}
