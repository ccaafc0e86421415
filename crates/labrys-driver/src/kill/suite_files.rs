//! New tests in files: behind those of the suite in an output directory of their own, or in the
//! directory of the suite itself.

use super::confirm::ProposedKill;
use crate::failure::{Failure, Outcome};
use crate::imported::{NativeBuild, SuiteRequest};
use crate::measure::measure;
use crate::mutate::MutationResults;
use crate::output::OutDir;
use crate::request::Request;
use labrys_budget::Deadline;
use labrys_suite::{Suite, SuiteTarget, SuiteTest, TestInput};
use std::path::{Path, PathBuf};

/// The tests of a suite, and those that join it with their names.
pub(super) struct GrownSuite<'a> {
    pub(super) request: Request,
    pub(super) tests: Vec<PathBuf>,
    pub(super) build: &'a NativeBuild,
    pub(super) target: SuiteTarget,
    pub(super) joined: Vec<(&'a ProposedKill, String)>,
}

impl GrownSuite<'_> {
    /// Writes everything to a directory: the suite with its new tests, what they cover, the mutants.
    pub(super) fn write_to(
        self,
        out: &OutDir,
        results: &MutationResults,
        deadline: &Deadline,
    ) -> Outcome<()> {
        out.clear()?;
        let measured = self.measured(out.path(), deadline);
        // The mutants are written even if there was no time for the tests.
        results.write(out)?;
        measured.map(|_| ())
    }

    /// Adds the new tests to the suite in a directory, and writes the mutants there.
    pub(super) fn join(
        self,
        dir: &Path,
        results: &MutationResults,
        deadline: &Deadline,
    ) -> Outcome<()> {
        let out = OutDir::open(dir)?;
        let file = out.file(SUITE);
        let mut suite = Suite::read(&file).map_err(Failure::usage)?;
        let work = tempfile::tempdir().map_err(Failure::usage)?;
        let new = self.joined.len();
        let measured = self.measured(&work.path().join("out"), deadline)?;
        let first = measured.tests.len().saturating_sub(new);
        let next = suite.tests.iter().map(|test| test.id).max().unwrap_or(0) + 1;
        for (id, test) in (next..).zip(&measured.tests[first..]) {
            suite.tests.push(SuiteTest { id, ..test.clone() });
        }
        suite.write(&file).map_err(Failure::usage)?;
        results.file.write(&out)?;
        let mut summary: serde_json::Value = out.read_json(SUMMARY)?;
        summary["tests"] = suite.tests.len().into();
        summary["mutants"] =
            serde_json::to_value(results.summary.mutants).map_err(Failure::internal)?;
        out.write_json(SUMMARY, &summary)
    }

    /// The whole suite after native runs, written to a directory; new tests come last.
    fn measured(self, out: &Path, deadline: &Deadline) -> Outcome<Suite> {
        let work = tempfile::tempdir().map_err(Failure::usage)?;
        let mut tests = self.tests.clone();
        if !self.joined.is_empty() {
            let file = work.path().join(SUITE);
            self.new_suite().write(&file).map_err(Failure::usage)?;
            tests.push(file);
        }
        let suite = SuiteRequest {
            request: self.request,
            tests,
            format: None,
        };
        measure(suite, Some(out), deadline)?;
        let file = out.join(SUITE);
        let mut suite = Suite::read(&file).map_err(Failure::usage)?;
        let first = suite.tests.len().saturating_sub(self.joined.len());
        for (test, (_, name)) in suite.tests[first..].iter_mut().zip(&self.joined) {
            test.name.clone_from(name);
        }
        suite.write(&file).map_err(Failure::usage)?;
        Ok(suite)
    }

    /// The new tests alone, before they were run.
    fn new_suite(&self) -> Suite {
        let entries = &self.build.program.entries;
        let mut suite = Suite::new(self.target.clone());
        suite.sizes = Some(self.build.sizes);
        for (id, (test, name)) in (1..).zip(&self.joined) {
            let entry = entries.iter().find(|entry| entry.harness == test.harness);
            let input = |(name, bytes): &(String, Vec<u8>)| {
                let ty = entry.and_then(|entry| entry.inputs.get(name));
                TestInput::new(name, ty, bytes.clone())
            };
            suite.tests.push(SuiteTest {
                id,
                name: name.clone(),
                entry: test.entry.clone(),
                inputs: test.inputs.iter().map(input).collect(),
                covers: Vec::new(),
                augments: Vec::new(),
                conditions: None,
                outcome: "ok".to_owned(),
                outputs: serde_json::Map::new(),
                output_bytes: Vec::new(),
                streams: Vec::new(),
                unstable: Default::default(),
            });
        }
        suite
    }
}

const SUITE: &str = "suite.json";
const SUMMARY: &str = "summary.json";
