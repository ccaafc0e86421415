//! What is still to be done: the pool of candidates with the strategy that says which comes next.

use crate::candidate::Candidate;
use crate::config::Config;
use crate::coverage::ObjectiveMap;
use crate::pool::{Pool, Ticket};
use crate::program::Program;
use crate::search::{Strategy, View, strategy};
use crate::state::BitSet;

pub(crate) struct Agenda<'m> {
    pool: Pool,
    strategy: Box<dyn Strategy + 'm>,
    /// Tickets of the last run, kept for its memory.
    fresh: Vec<Ticket>,
}

impl<'m> Agenda<'m> {
    pub(crate) fn new(
        config: &Config,
        program: &'m Program<'m>,
        objectives: &ObjectiveMap,
    ) -> Self {
        Agenda {
            pool: Pool::default(),
            strategy: strategy(config, program, objectives),
            fresh: Vec::new(),
        }
    }

    /// Takes in the candidates that the last run left behind, oldest first. The run came from the
    /// candidate that was taken last; leaves of labels are no matter of the agenda.
    pub(crate) fn add(&mut self, candidates: &mut Vec<Candidate>, covered: &BitSet) {
        self.fresh.clear();
        for candidate in candidates.drain(..) {
            self.fresh.push(self.pool.insert(candidate));
        }
        let view = View {
            pool: &self.pool,
            covered,
        };
        self.strategy.add(&self.fresh, &view);
    }

    /// `covered` holds the objectives that need no test any more.
    pub(crate) fn next(&mut self, covered: &BitSet) -> Option<Candidate> {
        let view = View {
            pool: &self.pool,
            covered,
        };
        let ticket = self.strategy.next(&view)?;
        self.strategy.taken(ticket);
        self.pool.take(ticket)
    }

    pub(crate) fn len(&self) -> usize {
        self.pool.len()
    }

    /// A candidate for another thread, one that would have to wait long here.
    pub(crate) fn give(&mut self) -> Option<Candidate> {
        let ticket = self.pool.movable(self.strategy.prefers_old())?;
        self.strategy.forget(ticket);
        self.pool.take(ticket)
    }

    /// All candidates, in any order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Candidate> {
        self.pool.iter().map(|(_, candidate)| candidate)
    }

    /// All candidates, those first that have waited longest and will wait longest.
    pub(crate) fn waiting(&mut self) -> impl Iterator<Item = &mut Candidate> {
        self.pool.by_age(self.strategy.prefers_old())
    }
}
