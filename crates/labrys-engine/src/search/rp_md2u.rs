//! Random path and minimal distance to what is uncovered, by turns, as KLEE's default search has
//! it.

use super::guide::DistanceGuide;
use super::near::NearCandidates;
use super::random_path::RandomPath;
use crate::candidates::{Candidate, SearchView, Strategy, Ticket};

pub(super) struct RpMd2u<'m> {
    tree: RandomPath,
    guide: DistanceGuide<'m>,
    /// A random path is next.
    random: bool,
    near: NearCandidates,
}

impl<'m> RpMd2u<'m> {
    pub(super) fn new(seed: u64, guide: DistanceGuide<'m>) -> Self {
        RpMd2u {
            tree: RandomPath::new(seed),
            guide,
            random: false,
            near: NearCandidates::new(),
        }
    }

    /// A candidate of a low distance that still waits.
    fn next_near(&mut self, view: &mut SearchView<'_, '_>) -> Option<Ticket> {
        loop {
            let ticket = self.near.take(self.tree.random())?;
            if view.pool.contains(ticket) {
                return Some(ticket);
            }
        }
    }
}

/// Sorts a candidate by its distance.
fn classify(guide: &DistanceGuide<'_>, near: &mut NearCandidates, ticket: Ticket, c: &Candidate) {
    if let Some((place, distance)) = guide.place_and_distance(c) {
        near.add(distance, place, ticket);
    }
}

impl Strategy for RpMd2u<'_> {
    fn add(&mut self, tickets: &[Ticket], view: &mut SearchView<'_, '_>) {
        self.tree.add(tickets, view);
        for ticket in tickets {
            if let Some(candidate) = view.pool.get(*ticket) {
                classify(&self.guide, &mut self.near, *ticket, candidate);
            }
        }
    }

    fn next(&mut self, view: &mut SearchView<'_, '_>) -> Option<Ticket> {
        if self.guide.refresh(view.covered) {
            self.near.clear();
            for (ticket, candidate) in view.pool.iter() {
                classify(&self.guide, &mut self.near, ticket, candidate);
            }
        }
        self.random = !self.random;
        let chosen = match self.random {
            true => None,
            false => self.next_near(view),
        };
        chosen.or_else(|| self.tree.next(view))
    }

    fn taken(&mut self, ticket: Ticket) {
        self.tree.taken(ticket);
    }

    fn forget(&mut self, ticket: Ticket) {
        self.tree.forget(ticket);
    }
}
