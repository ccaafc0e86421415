//! Which tests have shown which evaluations of which decisions. From these it finds the pairs that
//! show that a condition decides on its own.

use super::evaluations::only_difference;
use super::{Decision, OutcomeVector};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The evaluations of decisions that tests have shown.
#[derive(Clone, Debug, Default)]
pub struct ShownEvaluations {
    decisions: BTreeMap<u32, BTreeMap<OutcomeVector, BTreeSet<u32>>>,
}

/// Two evaluations that show that a condition decides on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WitnessPair {
    /// The condition is true here, and false there.
    pub yes: Witness,
    pub no: Witness,
}

/// An evaluation that a test has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    pub test: u32,
    pub vector: OutcomeVector,
}

impl ShownEvaluations {
    pub fn add(&mut self, test: u32, decision: u32, vector: OutcomeVector) {
        let vectors = self.decisions.entry(decision).or_default();
        vectors.entry(vector).or_default().insert(test);
    }

    /// The evaluations of a decision with the tests that have shown them.
    pub fn of(&self, decision: u32) -> impl Iterator<Item = (OutcomeVector, &BTreeSet<u32>)> {
        let vectors = self.decisions.get(&decision).into_iter().flatten();
        vectors.map(|(vector, tests)| (*vector, tests))
    }

    /// Those in which a condition has this value and decides, the earliest tests first.
    pub fn halves(&self, decision: &Decision, condition: usize, value: bool) -> Vec<Witness> {
        let decides =
            |vector: &OutcomeVector| decision.formula.halves(*vector).has(condition, value);
        let mut found: Vec<Witness> = self
            .of(decision.number)
            .filter(|(vector, _)| decides(vector))
            .filter_map(|(vector, tests)| {
                let test = *tests.first()?;
                Some(Witness { test, vector })
            })
            .collect();
        found.sort_by_key(|witness| (witness.test, witness.vector));
        found
    }

    /// A pair for a condition: a unique-cause one if there is one, else, unless that is asked for,
    /// a masking one.
    pub fn pair(&self, decision: &Decision, condition: usize, unique: bool) -> Option<WitnessPair> {
        let [yes, no] = [true, false].map(|value| self.halves(decision, condition, value));
        for a in &yes {
            for b in &no {
                if only_difference(a.vector, b.vector) == Some(condition) {
                    return Some(WitnessPair { yes: *a, no: *b });
                }
            }
        }
        match (yes.first(), no.first()) {
            (Some(a), Some(b)) if !unique => Some(WitnessPair { yes: *a, no: *b }),
            _ => None,
        }
    }
}

impl WitnessPair {
    /// Does it show by unique cause that the condition decides?
    pub fn is_unique(&self, condition: usize) -> bool {
        only_difference(self.yes.vector, self.no.vector) == Some(condition)
    }

    /// The tests of the pair; one test may show both.
    pub fn tests(&self) -> BTreeSet<u32> {
        [self.yes.test, self.no.test].into()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::Condition;
    use super::*;

    fn decision(formula: &str, count: usize) -> Decision {
        let condition = Condition {
            text: String::new(),
            line: 1,
            column: 1,
            constant: None,
            labels: None,
        };
        Decision {
            number: 7,
            function: "f".into(),
            file: "x.c".into(),
            line: 1,
            column: 1,
            text: String::new(),
            formula: formula.parse().unwrap(),
            conditions: vec![condition; count],
        }
    }

    fn vector(text: &str) -> OutcomeVector {
        let mut vector = OutcomeVector::default();
        for (i, sign) in text.chars().enumerate() {
            if sign != '-' {
                vector = vector.with(i, sign == 'T');
            }
        }
        vector
    }

    #[test]
    fn a_unique_cause_pair_is_preferred() {
        let decision = decision("(A || B) && C", 3);
        let mut shown = ShownEvaluations::default();
        for (test, text) in [(1, "FTT"), (2, "T-F"), (3, "FTF"), (4, "T-T")] {
            shown.add(test, 7, vector(text));
            assert_eq!(decision.shown(vector(text)), text);
        }
        let pair = shown.pair(&decision, 2, false).unwrap();
        assert_eq!((pair.yes.test, pair.no.test), (1, 3));
        assert_eq!(shown.pair(&decision, 0, false), None);
    }

    #[test]
    fn a_masking_pair_is_no_unique_cause_pair() {
        let decision = decision("(A || B) && C", 3);
        let mut shown = ShownEvaluations::default();
        shown.add(1, 7, vector("FTT"));
        shown.add(1, 7, vector("T-F"));
        assert_eq!(shown.pair(&decision, 2, true), None);
        let pair = shown.pair(&decision, 2, false).unwrap();
        assert_eq!(pair.tests(), [1].into());
    }
}
