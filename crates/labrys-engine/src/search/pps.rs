//! Predictive path search (paper on coverage structures, section IV.C): candidates whose first step
//! covers something come first, then those with more open objectives near them, then shorter paths,
//! then chance.
//!
//! Candidates of one spot have the same future, so the heap holds spots: a covered objective
//! changes the rank of a spot once, however many candidates wait there. Ranks go down, so an entry
//! of the heap that is out of date is put back with its new rank when it comes up; the few that go
//! up, where a decision waits for the other half of a pair, are put in again.

use super::random::Random;
use crate::candidates::{CoverageStructure, Rank, SearchView, SpotId, Strategy, Ticket};
use labrys_ledger::Relevance;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Length of the path, chance, and the candidate; smaller is better.
type SpotEntry = Reverse<(u32, u32, Ticket)>;

pub(crate) struct Pps {
    /// Those that wait, by spot, and some that no longer do.
    spots: Vec<BinaryHeap<SpotEntry>>,
    /// The best of each spot with the rank that it had once.
    heap: BinaryHeap<(Rank, SpotEntry, SpotId)>,
    random: Random,
}

impl Pps {
    pub(crate) fn new(seed: u64) -> Self {
        Pps {
            spots: Vec::new(),
            heap: BinaryHeap::new(),
            random: Random::new(seed),
        }
    }

    /// The best candidate of a spot; those that wait no longer are forgotten.
    fn best(&mut self, spot: SpotId, view: &mut SearchView<'_, '_>) -> Option<SpotEntry> {
        let waiting = self.spots.get_mut(spot as usize)?;
        loop {
            let place = *waiting.peek()?;
            let Reverse((_, _, ticket)) = place;
            if view.pool.contains(ticket) {
                return Some(place);
            }
            waiting.pop();
        }
    }

    /// The best candidate if its first steps cover something.
    pub(super) fn next_certain(&mut self, view: &mut SearchView<'_, '_>) -> Option<Ticket> {
        self.choose(view, Relevance::Must)
    }

    /// The best candidate, if it is at least so good.
    fn choose(&mut self, view: &mut SearchView<'_, '_>, least: Relevance) -> Option<Ticket> {
        self.rise(view);
        while let Some((rank, place, spot)) = self.heap.peek().copied() {
            if rank.relevance < least {
                return None;
            }
            self.heap.pop();
            let Some(best) = self.best(spot, view) else {
                continue;
            };
            let now = Self::rank(view, spot)?;
            if (now, best) == (rank, place) {
                let Reverse((_, _, ticket)) = best;
                // The next one of the spot takes its place.
                self.spots[spot as usize].pop();
                if let Some(next) = self.best(spot, view) {
                    self.heap.push((now, next, spot));
                }
                return Some(ticket);
            }
            // Others of this spot may have been put in since: each comes up by itself.
            if (now, best) < (rank, place) {
                self.heap.push((now, best, spot));
            }
        }
        None
    }

    /// Spots that have become better since come up again.
    fn rise(&mut self, view: &mut SearchView<'_, '_>) {
        let structure = view.structure.as_deref_mut();
        for spot in structure.map_or_else(Vec::new, CoverageStructure::take_risen) {
            if let Some(best) = self.best(spot, view)
                && let Some(rank) = Self::rank(view, spot)
            {
                self.heap.push((rank, best, spot));
            }
        }
    }

    fn rank(view: &mut SearchView<'_, '_>, spot: SpotId) -> Option<Rank> {
        view.structure
            .as_deref_mut()
            .map(|structure| structure.rank(spot))
    }
}

impl Strategy for Pps {
    fn add(&mut self, tickets: &[Ticket], view: &mut SearchView<'_, '_>) {
        for ticket in tickets {
            let spot = view.pool.spot(*ticket);
            let length = view.pool.get(*ticket).map_or(0, |c| c.number);
            let place = Reverse((length, self.random.bits(), *ticket));
            if self.spots.len() <= spot as usize {
                self.spots.resize_with(spot as usize + 1, BinaryHeap::new);
            }
            let waiting = &mut self.spots[spot as usize];
            let is_best = waiting.peek().is_none_or(|best| *best < place);
            waiting.push(place);
            if is_best && let Some(rank) = Self::rank(view, spot) {
                self.heap.push((rank, place, spot));
            }
        }
    }

    fn next(&mut self, view: &mut SearchView<'_, '_>) -> Option<Ticket> {
        self.choose(view, Relevance::Irrelevant)
    }
}
