//! Tests that may become half of a unique-cause pair. There can be as many as there are ways through
//! a decision, and most are never needed: beyond a few they wait here until their other half comes.

use super::pairs::PairDecisions;
use crate::report::Test;
use labrys_ledger::OutcomeVector;
use labrys_ledger::decision::{MAX_CONDITIONS, only_difference};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The first tests of a decision are kept at once, this many of them: the suite is chosen among them.
const AT_ONCE: u32 = 400;

/// At most this many tests wait.
const MOST_WAITING: usize = 20_000;

/// At most this many tests are given back for one evaluation and condition.
const PARTNERS: usize = 4;

#[derive(Default)]
pub(crate) struct DeferredTests {
    at_once: BTreeMap<u32, u32>,
    waiting: BTreeMap<(u32, OutcomeVector), Arc<Test>>,
}

impl DeferredTests {
    /// True if the test waits from now on. `vectors` are the evaluations that are new in it.
    pub(crate) fn put(&mut self, test: &Test, vectors: &[(u32, OutcomeVector)]) -> bool {
        let Some((goal, _)) = vectors.first() else {
            return false;
        };
        let count = self.at_once.entry(*goal).or_default();
        if *count < AT_ONCE || self.waiting.len() + vectors.len() > MOST_WAITING {
            *count = count.saturating_add(1);
            return false;
        }
        let test = Arc::new(test.clone());
        for vector in vectors {
            self.waiting.insert(*vector, test.clone());
        }
        true
    }

    /// Takes out tests that make unique-cause pairs with these evaluations, a few for each
    /// condition.
    pub(crate) fn take_partners(
        &mut self,
        pair_decisions: &PairDecisions,
        vectors: &[(u32, OutcomeVector)],
    ) -> Vec<Test> {
        let mut partners = Vec::new();
        for (goal, vector) in vectors {
            let formula = pair_decisions.formula(*goal);
            let result = formula.result(*vector);
            let mut taken = [0; MAX_CONDITIONS];
            let first = (*goal, OutcomeVector::default());
            let of_goal = self
                .waiting
                .range(first..)
                .take_while(|((g, _), _)| g == goal);
            let keys: Vec<(u32, OutcomeVector)> = of_goal
                .filter_map(|(key, _)| {
                    let condition = only_difference(*vector, key.1)?;
                    let is_pair = formula.result(key.1) != result;
                    taken[condition] += usize::from(is_pair);
                    (is_pair && taken[condition] <= PARTNERS).then_some(*key)
                })
                .collect();
            for key in keys {
                partners.extend(self.waiting.remove(&key).map(|test| (*test).clone()));
            }
        }
        partners
    }
}
