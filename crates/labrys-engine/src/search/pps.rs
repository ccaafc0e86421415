//! Predictive path search (paper on coverage structures, section IV.C): candidates whose first step
//! covers something come first, then those with more open objectives near them, then shorter paths,
//! then chance.
//!
//! Candidates of one spot have the same future, so the heap holds spots: a covered objective
//! changes the rank of a spot once, however many candidates wait there. Ranks go down, so an entry
//! of the heap that is out of date is put back with its new rank when it comes up; the few that go
//! up, where a decision waits for the other half of a pair, are put in again.

use crate::candidates::{CoverageStructure, Rank, SearchView, SpotId, Strategy, Ticket};
use crate::random::Random;
use labrys_budget::Deadline;
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
    /// Ranks are not brought up to date beyond it.
    deadline: Deadline,
}

impl Pps {
    pub(crate) fn new(seed: u64, deadline: &Deadline) -> Self {
        Pps {
            spots: Vec::new(),
            heap: BinaryHeap::new(),
            random: Random::new(seed),
            deadline: deadline.clone(),
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
            // A search that has to end does not compute thousands of ranks before it does.
            let now = match self.deadline.is_over() {
                true => rank,
                false => Self::rank(view, spot)?,
            };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitset::BitSet;
    use crate::candidates::{BranchDistances, Candidate, Pool};
    use crate::mcdc::{Pairs, PassageId};
    use crate::objectives::ObjectiveMap;
    use std::rc::Rc;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Spots whose ranks go down together. Looks at them are counted.
    #[derive(Default)]
    struct Falling {
        fallen: u32,
        looks: u32,
    }

    impl CoverageStructure for Falling {
        fn begin(&mut self) {}
        fn spot_of(&mut self, _: &Candidate, _: &Pairs) -> SpotId {
            0
        }
        fn is_live(&self, _: SpotId) -> bool {
            true
        }
        fn wait(&mut self, _: SpotId, _: Ticket) {}
        fn leave(&mut self, _: SpotId, _: &dyn Fn(Ticket) -> bool) {}
        fn cover(&mut self, _: usize, _: &mut Vec<Ticket>) {}
        fn decide(&mut self, _: Option<&[u32]>, _: &Pairs, _: &mut Vec<Ticket>) {}
        fn exclude(&mut self, _: &[PassageId], _: &Pairs, _: &mut Vec<Ticket>) {}
        fn rank(&mut self, _: SpotId) -> Rank {
            self.looks += 1;
            Rank {
                relevance: Relevance::May,
                potential: 100 - self.fallen,
            }
        }
        fn take_risen(&mut self) -> Vec<SpotId> {
            Vec::new()
        }
        fn branch(&self, _: SpotId) -> u32 {
            0
        }
        fn sizes(&self) -> [(&'static str, usize); 3] {
            [("", 0); 3]
        }
    }

    const SPOTS: u32 = 1000;

    /// All have a worse rank than before, so that each would be looked at before one is chosen.
    #[test]
    fn a_search_that_has_to_end_computes_no_ranks() {
        let stop: Arc<AtomicBool> = Arc::default();
        let deadline = Deadline::never().stopped_by(&stop);
        let mut pps = Pps::new(1, &deadline);
        let (mut pool, mut structure) = (Pool::default(), Falling::default());
        let spots = 0..SPOTS;
        let tickets: Vec<Ticket> = spots.map(|s| pool.insert(Candidate::empty(), s)).collect();
        let (covered, distances) = (BitSet::default(), BranchDistances::default());
        let objectives = ObjectiveMap::new(&[], &[], |_, _| true);
        let mut looks_for = |pps: &mut Pps, new: &[Ticket]| {
            let before = structure.looks;
            structure.fallen += 1;
            let mut view = SearchView {
                pool: &pool,
                covered: &covered,
                structure: Some(&mut structure),
                objectives: &objectives,
                fruitful: true,
                distances: &distances,
                input: &Rc::default(),
            };
            pps.add(new, &mut view);
            assert!(new.len() > 1 || pps.next(&mut view).is_some());
            structure.looks - before
        };
        looks_for(&mut pps, &tickets);
        assert!(looks_for(&mut pps, &[]) >= SPOTS);
        stop.store(true, Ordering::Relaxed);
        assert_eq!(looks_for(&mut pps, &[]), 0);
    }
}
