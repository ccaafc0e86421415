//! Candidates by their distance to what is uncovered, and by the place where they wait. By turns each
//! candidate has the same chance, and each place: else places where thousands wait would keep the
//! search from one where a single candidate does.

use crate::candidates::Ticket;
use crate::random::Random;
use rustc_hash::FxHashMap;

/// A place of the program in its context: the hash of the calls that lead there.
pub(super) type PlaceHash = u64;

/// Classes of distances: by their logarithms.
const CLASSES: usize = 33;

/// Candidates of one class, by place.
#[derive(Default)]
struct DistanceClass {
    places: Vec<(PlaceHash, Vec<Ticket>)>,
    candidates: usize,
    /// From a place to its number.
    numbers: FxHashMap<PlaceHash, usize>,
}

impl DistanceClass {
    fn add(&mut self, place: PlaceHash, ticket: Ticket) {
        let number = *self.numbers.entry(place).or_insert_with(|| {
            self.places.push((place, Vec::new()));
            self.places.len() - 1
        });
        self.places[number].1.push(ticket);
        self.candidates += 1;
    }

    /// Chooses a place by its candidates, each of which has the same chance.
    fn place_of_any(&self, random: &mut Random) -> usize {
        let mut left = random.below(self.candidates);
        let is_here =
            |(_, tickets): &(PlaceHash, Vec<Ticket>)| match left.checked_sub(tickets.len()) {
                Some(rest) => {
                    left = rest;
                    false
                }
                None => true,
            };
        self.places.iter().position(is_here).unwrap_or(0)
    }

    /// Takes a candidate out, of any place or of all.
    fn take(&mut self, by_place: bool, random: &mut Random) -> Option<Ticket> {
        if self.places.is_empty() {
            return None;
        }
        let number = match by_place {
            true => random.below(self.places.len()),
            false => self.place_of_any(random),
        };
        let tickets = &mut self.places[number].1;
        let ticket = tickets.swap_remove(random.below(tickets.len()));
        self.candidates -= 1;
        if tickets.is_empty() {
            let (place, _) = self.places.swap_remove(number);
            self.numbers.remove(&place);
            if let Some((moved, _)) = self.places.get(number) {
                self.numbers.insert(*moved, number);
            }
        }
        Some(ticket)
    }
}

/// All candidates with a distance.
pub(super) struct NearCandidates {
    classes: [DistanceClass; CLASSES],
    /// The next one is chosen by its place.
    by_place: bool,
}

impl NearCandidates {
    pub(super) fn new() -> Self {
        NearCandidates {
            classes: std::array::from_fn(|_| DistanceClass::default()),
            by_place: false,
        }
    }

    pub(super) fn clear(&mut self) {
        self.classes = NearCandidates::new().classes;
    }

    pub(super) fn add(&mut self, distance: u32, place: PlaceHash, ticket: Ticket) {
        let class = u32::BITS - distance.leading_zeros();
        self.classes[class as usize].add(place, ticket);
    }

    /// Takes a candidate of a low distance out: one of the lowest class with probability one half, of
    /// the next with one quarter, and so on.
    pub(super) fn take(&mut self, random: &mut Random) -> Option<Ticket> {
        let skip = random.bits().trailing_zeros() as usize;
        let is_there = |class: &usize| !self.classes[*class].places.is_empty();
        let mut classes = (0..CLASSES).filter(is_there);
        let first = classes.next()?;
        let class = classes.take(skip).last().unwrap_or(first);
        self.by_place = !self.by_place;
        self.classes[class].take(self.by_place, random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::{ALWAYS, Candidate, Pool};
    use std::collections::BTreeSet;

    fn tickets(count: usize) -> Vec<Ticket> {
        let mut pool = Pool::default();
        (0..count)
            .map(|_| pool.insert(Candidate::empty(), ALWAYS))
            .collect()
    }

    #[test]
    fn a_place_with_one_candidate_is_not_left_behind_by_one_with_thousands() {
        let mut near = NearCandidates::new();
        let tickets = tickets(2001);
        for ticket in &tickets[1..] {
            near.add(4, 7, *ticket);
        }
        near.add(4, 8, tickets[0]);
        let mut random = Random::new(1);
        let first: Vec<Ticket> = (0..16).filter_map(|_| near.take(&mut random)).collect();
        assert!(first.contains(&tickets[0]));
    }

    #[test]
    fn each_candidate_is_taken_once() {
        let mut near = NearCandidates::new();
        let tickets = tickets(300);
        for (number, ticket) in (0..).zip(&tickets) {
            near.add(number % 5, u64::from(number % 7), *ticket);
        }
        let mut random = Random::new(3);
        let taken: Vec<Ticket> = std::iter::from_fn(|| near.take(&mut random)).collect();
        assert_eq!(taken.len(), tickets.len());
        let [taken, all] = [taken, tickets].map(BTreeSet::from_iter);
        assert_eq!(taken, all);
    }
}
