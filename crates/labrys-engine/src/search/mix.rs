//! Several strategies on one pool. `mix`: candidates that cover something for certain first, then
//! fitness-guided, predictive and random path search by turns. `fitness`: fitness-guided search,
//! and random paths where there is no target that runs have come to.

use super::fitness::Fitness;
use super::pps::Pps;
use super::random_path::RandomPath;
use super::{Strategy, View};
use crate::pool::Ticket;

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Fitness,
    Predictive,
    Random,
}

const MIX: &[Turn] = &[Turn::Fitness, Turn::Predictive, Turn::Fitness, Turn::Random];
const FITNESS: &[Turn] = &[Turn::Fitness];

pub(super) struct Mix {
    fitness: Fitness,
    /// Not for `fitness`.
    pps: Option<Pps>,
    tree: RandomPath,
    turns: &'static [Turn],
    turn: usize,
    /// The last candidate was chosen by its fitness.
    guided: bool,
}

impl Mix {
    pub(super) fn of_all(seed: u64) -> Self {
        Mix {
            pps: Some(Pps::new(seed)),
            turns: MIX,
            ..Mix::fitness(seed)
        }
    }

    pub(super) fn fitness(seed: u64) -> Self {
        Mix {
            fitness: Fitness::default(),
            pps: None,
            tree: RandomPath::new(seed),
            turns: FITNESS,
            turn: 0,
            guided: false,
        }
    }
}

impl Strategy for Mix {
    fn add(&mut self, tickets: &[Ticket], view: &mut View<'_, '_>) {
        self.fitness.add(tickets, view);
        if let Some(pps) = &mut self.pps {
            pps.add(tickets, view);
        }
        self.tree.add(tickets, view);
    }

    fn next(&mut self, view: &mut View<'_, '_>) -> Option<Ticket> {
        self.guided = false;
        if let Some(pps) = &mut self.pps
            && let Some(ticket) = pps.next_certain(view)
        {
            return Some(ticket);
        }
        let turn = self.turns[self.turn % self.turns.len()];
        self.turn += 1;
        if turn == Turn::Fitness
            && let Some(ticket) = self.fitness.next(view)
        {
            self.guided = true;
            return Some(ticket);
        }
        match &mut self.pps {
            Some(pps) if turn != Turn::Random => pps.next(view),
            _ => self.tree.next(view),
        }
    }

    fn taken(&mut self, ticket: Ticket) {
        self.fitness.taken(ticket);
        self.tree.taken(ticket);
    }

    fn forget(&mut self, ticket: Ticket) {
        self.tree.forget(ticket);
    }

    fn wishes(&self) -> &[Ticket] {
        match self.guided {
            true => self.fitness.wishes(),
            false => &[],
        }
    }
}
