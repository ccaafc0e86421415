//! `suite.json` while the search runs: the tests that the engine has proposed so far, so that a run
//! that is killed leaves its inputs behind. What they cover is not known before their native runs,
//! so nothing is claimed of them here; the suite of the end takes the place of this one.

use super::directory::OutDir;
use super::pace::WritingPace;
use crate::time_plan::runs_of;
use labrys_engine::Test;
use labrys_suite::{Suite, SuiteTarget, SuiteTest, TestInput, UniqueNames, test_name};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The outcome of a test before its native run.
pub const NOT_REPLAYED: &str = "not replayed";

/// The suite that grows.
pub struct LiveSuite<'a> {
    out: &'a OutDir,
    suite: Suite,
    /// How many tests there are, with their runs at other addresses, for whoever plans native runs.
    found: Arc<AtomicU64>,
    names: UniqueNames,
    pace: WritingPace,
}

impl<'a> LiveSuite<'a> {
    pub fn new(out: &'a OutDir, target: SuiteTarget, found: &Arc<AtomicU64>) -> Self {
        found.store(0, Ordering::Relaxed);
        LiveSuite {
            out,
            found: found.clone(),
            suite: Suite::new(target),
            names: UniqueNames::default(),
            pace: WritingPace::default(),
        }
    }

    /// Adds a test that was proposed for something.
    pub fn add(&mut self, function: &str, purpose: &str, test: &Test) {
        let runs = runs_of(test.depends_on_layout);
        self.found.fetch_add(runs.into(), Ordering::Relaxed);
        let inputs = test.inputs.iter();
        self.suite.tests.push(SuiteTest {
            id: self.suite.tests.len() as u32 + 1,
            name: self.names.unique(&test_name(function, purpose)),
            entry: function.to_owned(),
            inputs: inputs
                .map(|input| TestInput::new(&input.name, None, input.bytes.clone()))
                .collect(),
            covers: Vec::new(),
            augments: Vec::new(),
            conditions: Some(test.conditions),
            outcome: NOT_REPLAYED.to_owned(),
            outputs: serde_json::Map::new(),
            output_bytes: Vec::new(),
            streams: Vec::new(),
            unstable: BTreeSet::new(),
        });
        self.pace.note_news();
    }

    /// Writes what is new, if that is due.
    pub fn write_if_due(&mut self) {
        let (suite, out) = (&self.suite, self.out);
        self.pace.write_if_due(|| {
            // An extra: a full disk shows when the results are written.
            let _ = suite.write(&out.file("suite.json"));
        });
    }
}
