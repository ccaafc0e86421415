//! Fault checks whose failing side no run has taken. They wait here, or among the candidates, until
//! everything is covered; then one after the other is asked, a few for each place and kind of fault.

use super::candidate::{Candidate, FaultPlace};
use std::collections::{BTreeMap, VecDeque};

/// At most so many checks are asked for one place and kind of fault. A check in a loop is met once a
/// turn and once a path: these are spread over all of them.
const MOST_PER_PLACE: usize = 16;

/// Of one place at most so many checks wait here at a time, since each holds a snapshot.
const MOST_WAITING: usize = 256;

#[derive(Default)]
pub(crate) struct FaultChecks {
    waiting: BTreeMap<FaultPlace, Vec<Candidate>>,
    /// Those that are asked now, the next one first.
    queue: VecDeque<Candidate>,
}

impl FaultChecks {
    /// Takes in a candidate if it ends in a fault for certain.
    pub(crate) fn add(&mut self, candidate: Candidate) {
        let Some(place) = candidate.fault else {
            return;
        };
        let here = self.waiting.entry(place).or_default();
        if here.len() < MOST_WAITING {
            here.push(candidate);
        }
    }

    /// All checks that wait.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.waiting.values().flatten().chain(&self.queue)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Candidate> {
        let waiting = self.waiting.values_mut().flatten();
        waiting.chain(&mut self.queue)
    }

    /// Lines the checks up in the order in which they are asked: one of every place, then a second
    /// one of every place, and so on.
    pub(crate) fn line_up(&mut self) {
        let mut rounds: Vec<Vec<Candidate>> = Vec::new();
        for (_, checks) in std::mem::take(&mut self.waiting) {
            for (round, check) in spread(checks).into_iter().enumerate() {
                if rounds.len() <= round {
                    rounds.push(Vec::new());
                }
                rounds[round].push(check);
            }
        }
        self.queue.extend(rounds.into_iter().flatten());
    }

    /// The check to ask next.
    pub(crate) fn next(&mut self) -> Option<Candidate> {
        self.queue.pop_front()
    }
}

/// At most [`MOST_PER_PLACE`] of the checks, evenly spread: the first and the last are among them.
fn spread<T>(checks: Vec<T>) -> Vec<T> {
    let count = checks.len();
    if count <= MOST_PER_PLACE {
        return checks;
    }
    let is_chosen = |at: usize| {
        let step = |i: usize| i * (count - 1) / (MOST_PER_PLACE - 1);
        (0..MOST_PER_PLACE).any(|i| step(i) == at)
    };
    let numbered = checks.into_iter().enumerate();
    numbered
        .filter(|(at, _)| is_chosen(*at))
        .map(|(_, check)| check)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::end::FaultKind;
    use labrys_ir::FuncId;

    fn check(place: u32, number: u32) -> Candidate {
        Candidate {
            fault: Some(FaultPlace {
                function: FuncId(0),
                pc: place,
                kind: FaultKind::DivisionByZero,
            }),
            number,
            ..Candidate::empty()
        }
    }

    #[test]
    fn every_place_is_asked_before_any_is_asked_again() {
        let mut checks = FaultChecks::default();
        for (place, number) in [(7, 1), (7, 2), (3, 3), (7, 4), (3, 5)] {
            checks.add(check(place, number));
        }
        checks.add(Candidate::empty());
        assert_eq!(checks.iter().count(), 5);
        checks.line_up();
        let order: Vec<u32> = checks.iter().map(|c| c.number).collect();
        assert_eq!(order, [3, 1, 5, 2, 4]);
        assert_eq!(checks.next().map(|c| c.number), Some(3));
        assert_eq!(checks.iter().count(), 4);
    }

    #[test]
    fn of_many_checks_those_from_the_first_to_the_last_are_chosen() {
        let chosen = spread((0..1000).collect());
        assert_eq!(chosen.len(), MOST_PER_PLACE);
        assert_eq!((chosen[0], chosen[MOST_PER_PLACE - 1]), (0, 999));
        assert_eq!(spread(vec![1, 2, 3]), [1, 2, 3]);
    }
}
