//! `suite.json` while the search runs: the tests that the engine has proposed so far, so that a run
//! that is killed leaves its inputs behind. What they cover is not known before their native runs,
//! so nothing is claimed of them here; the suite of the end takes the place of this one.

use super::directory::OutDir;
use labrys_engine::Test;
use labrys_suite::{Suite, SuiteTarget, SuiteTest, TestInput, UniqueNames, test_name};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The outcome of a test before its native run.
pub const NOT_REPLAYED: &str = "not replayed";

/// The file is written at most once in this time, and only if something is new.
const AT_LEAST: Duration = Duration::from_secs(1);

/// Writing takes at most one part in so many of the time: a large suite is written less often.
const SHARE: u32 = 50;

/// The suite that grows.
pub struct LiveSuite<'a> {
    out: &'a OutDir,
    suite: Suite,
    /// How many tests there are, for whoever plans their native runs.
    found: Arc<AtomicU64>,
    names: UniqueNames,
    /// When the next writing is due.
    due: Instant,
    fresh: bool,
}

impl<'a> LiveSuite<'a> {
    pub fn new(out: &'a OutDir, target: SuiteTarget, found: &Arc<AtomicU64>) -> Self {
        found.store(0, Ordering::Relaxed);
        LiveSuite {
            out,
            found: found.clone(),
            suite: Suite::new(target),
            names: UniqueNames::default(),
            due: Instant::now() + AT_LEAST,
            fresh: false,
        }
    }

    /// Adds a test that was proposed for something.
    pub fn add(&mut self, function: &str, purpose: &str, test: &Test) {
        self.found.fetch_add(1, Ordering::Relaxed);
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
        self.fresh = true;
    }

    /// Writes what is new, if that is due.
    pub fn write_if_due(&mut self) {
        let now = Instant::now();
        if self.fresh && now >= self.due {
            // An extra: a full disk shows when the results are written.
            let _ = self.suite.write(&self.out.file("suite.json"));
            self.fresh = false;
            self.due = Instant::now() + AT_LEAST.max(now.elapsed() * SHARE);
        }
    }
}
