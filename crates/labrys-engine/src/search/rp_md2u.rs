//! Random path and minimal distance to what is uncovered, by turns, as KLEE's default search has
//! it.

use super::guide::DistanceGuide;
use super::random_path::RandomPath;
use crate::candidates::{Candidate, SearchView, Strategy, Ticket};
use labrys_ir::CodePosition;
use rustc_hash::FxHashMap;

/// So many near candidates are looked at; the one whose place was taken least often is taken. Else
/// those before what cannot be covered, a loop above all, would crowd out the others.
const LOOKS: usize = 4;

/// A candidate and the place at which it waits.
type NearCandidate = (Ticket, CodePosition);

pub(super) struct RpMd2u<'m> {
    tree: RandomPath,
    guide: DistanceGuide<'m>,
    /// A random path is next.
    random: bool,
    /// Candidates by the logarithm of their distance.
    near: [Vec<NearCandidate>; 33],
    /// How often a near candidate of a place was taken.
    taken: FxHashMap<CodePosition, u32>,
}

impl<'m> RpMd2u<'m> {
    pub(super) fn new(seed: u64, guide: DistanceGuide<'m>) -> Self {
        RpMd2u {
            tree: RandomPath::new(seed),
            guide,
            random: false,
            near: [const { Vec::new() }; 33],
            taken: FxHashMap::default(),
        }
    }

    /// A candidate of a low distance: the lowest class with probability one half, the next with
    /// one quarter, and so on.
    fn next_near(&mut self, view: &mut SearchView<'_, '_>) -> Option<Ticket> {
        loop {
            let skip = self.tree.random().bits().trailing_zeros();
            let mut classes = (0..self.near.len()).filter(|c| !self.near[*c].is_empty());
            let first = classes.next()?;
            let class = classes.take(skip as usize).last().unwrap_or(first);
            let mut best: Option<(u32, usize)> = None;
            for _ in 0..LOOKS {
                let at = self.tree.random().below(self.near[class].len());
                let (ticket, place) = self.near[class][at];
                let often = match view.pool.contains(ticket) {
                    true => self.taken.get(&place).map_or(0, |often| often + 1),
                    // It is gone: it is removed before others are looked at.
                    false => 0,
                };
                if best.is_none_or(|(least, _)| often < least) {
                    best = Some((often, at));
                }
            }
            let (_, at) = best?;
            let (ticket, place) = self.near[class].swap_remove(at);
            if view.pool.contains(ticket) {
                *self.taken.entry(place).or_default() += 1;
                return Some(ticket);
            }
        }
    }
}

/// Sorts a candidate by its distance.
fn classify(
    guide: &DistanceGuide<'_>,
    near: &mut [Vec<NearCandidate>; 33],
    ticket: Ticket,
    c: &Candidate,
) {
    if let Some((distance, place)) = guide.distance(c) {
        near[(u32::BITS - distance.leading_zeros()) as usize].push((ticket, place));
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
            self.near.iter_mut().for_each(Vec::clear);
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
