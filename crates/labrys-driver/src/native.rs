//! Native runs of tests: from the tests of a suite to the cases that are run, and from what a run
//! shows to objectives and evaluations of decisions.

use crate::failure::{Failure, Outcome};
use crate::program::runtime::Runtime;
use crate::request::ReplayRequest;
use labrys_ledger::{Decision, Ledger, Objective, OutcomeVector, Trigger};
use labrys_suite::{MissingProtections, Observation, ReplayCase, ReplayInputs, SuiteTest, sandbox};
use std::collections::BTreeMap;

/// The note where native runs could not be confined completely.
pub fn open_sandbox(missing: MissingProtections) -> Option<String> {
    (!missing.is_empty()).then(|| {
        format!(
            "native runs are not completely confined on this machine; missing: {missing}. `labrys \
             doctor` says why and what to do, --require-sandbox refuses such runs"
        )
    })
}

/// Refuses, before any work is done, a machine without a complete sandbox, if that is asked for.
pub fn require_sandbox(request: &ReplayRequest, runtime: &Runtime) -> Outcome<()> {
    if !request.require_sandbox {
        return Ok(());
    }
    sandbox::probe(&runtime.dir, Some(&runtime.cache), &request.cc)
        .and_then(|states| sandbox::require(&states))
        .map_err(Failure::usage)
}

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
