//! Native runs of tests: from the tests of a suite to the cases that are run, and from what a run
//! shows to objectives and evaluations of decisions.

use labrys_ledger::{Decision, Ledger, Objective, OutcomeVector, Trigger};
use labrys_suite::{Observation, ReplayCase, ReplayInputs, SuiteTest};
use std::collections::BTreeMap;

/// The note where native runs could not be confined.
pub const OPEN_SANDBOX: &str = "the system allows neither chroot nor user namespaces: a native run may find files that the prediction does not know";

/// The inputs of a test by name.
type NamedInputs = Vec<(String, Vec<u8>)>;

/// The inputs and harnesses of tests, which the cases of a native run borrow.
pub struct TestCases {
    /// The harness and the inputs of each test.
    tests: Vec<(String, NamedInputs)>,
}

impl TestCases {
    /// Each test is run by its own harness.
    pub fn of<'t>(tests: impl IntoIterator<Item = &'t SuiteTest>) -> Self {
        let tests = tests.into_iter();
        TestCases {
            tests: tests.map(|t| (t.harness(), t.replay_inputs())).collect(),
        }
    }

    /// All tests are run by this harness.
    pub fn with_harness<'t>(harness: &str, tests: impl IntoIterator<Item = &'t SuiteTest>) -> Self {
        let bytes = |input: &labrys_suite::TestInput| (input.name.clone(), input.bytes.clone());
        let tests = tests.into_iter();
        TestCases {
            tests: tests
                .map(|t| (harness.to_owned(), t.inputs.iter().map(bytes).collect()))
                .collect(),
        }
    }

    /// What is run, in the order of the tests.
    pub fn cases(&self) -> Vec<ReplayCase<'_>> {
        let tests = self.tests.iter();
        tests
            .map(|(harness, inputs)| ReplayCase {
                harness,
                inputs: ReplayInputs::Named(inputs),
            })
            .collect()
    }
}

/// The objectives by what triggers them.
pub fn by_trigger(objectives: &[Objective]) -> BTreeMap<Trigger, Vec<usize>> {
    let mut map: BTreeMap<Trigger, Vec<usize>> = BTreeMap::new();
    for (i, objective) in objectives.iter().enumerate() {
        map.entry(objective.trigger).or_default().push(i);
    }
    map
}

/// The evaluations of decisions in a native run. The outcome of a condition that is a decision on
/// its own is one.
pub fn vectors_of(seen: &Observation, ledger: &Ledger) -> Vec<(u32, OutcomeVector)> {
    let mut vectors = seen.vectors.clone();
    for trigger in &seen.triggers {
        if let Trigger::Condition {
            decision,
            index: 0,
            value,
        } = *trigger
            && ledger.decision(decision).is_some_and(Decision::is_single)
        {
            vectors.push((decision, OutcomeVector::default().with(0, value)));
        }
    }
    vectors
}
