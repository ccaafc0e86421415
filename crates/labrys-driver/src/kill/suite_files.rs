//! New tests in files: behind those of the suite in an output directory of their own, or in the
//! directory of the suite itself.

use super::confirm::ProposedKill;
use crate::failure::{Failure, Outcome};
use crate::imported::SuiteRequest;
use crate::measure::measure;
use crate::mutate::MutationResults;
use crate::output::OutDir;
use crate::request::Request;
use labrys_budget::Deadline;
use labrys_front::EntryPoint;
use labrys_suite::import::{self, ImportedContent, ImportedTest};
use labrys_suite::{HarnessSizes, Suite, SuiteTarget, SuiteTest, TestInput};
use std::path::{Path, PathBuf};

/// Said where the tests were written as they are.
const UNMEASURED: &str = "time: the suite was written without what its new tests cover; \
                          `labrys measure` with more time says it";

/// A suite as it was written, and what is to be said about it.
struct GrownTests {
    suite: Suite,
    note: Option<&'static str>,
}

/// The tests of a suite, and those that join it with their names.
pub(super) struct GrownSuite<'a> {
    pub(super) request: Request,
    pub(super) tests: Vec<PathBuf>,
    /// Those of the program.
    pub(super) entries: &'a [EntryPoint],
    pub(super) sizes: HarnessSizes,
    pub(super) target: SuiteTarget,
    pub(super) joined: Vec<(&'a ProposedKill, String)>,
}

impl GrownSuite<'_> {
    /// Writes everything to a directory: the suite with its new tests, what they cover, the mutants.
    pub(super) fn write_to(
        self,
        out: &OutDir,
        results: &mut MutationResults,
        deadline: &Deadline,
    ) -> Outcome<()> {
        out.clear()?;
        let written = self.measured(out.path(), deadline);
        // The mutants are written even if the suite cannot be.
        if let Ok(GrownTests { note, .. }) = &written {
            results.summary.notes.extend(note.map(str::to_owned));
        }
        results.write(out)?;
        written.map(|_| ())
    }

    /// Adds the new tests to the suite in a directory, and writes the mutants there.
    pub(super) fn join(
        self,
        dir: &Path,
        results: &mut MutationResults,
        deadline: &Deadline,
    ) -> Outcome<()> {
        let out = OutDir::open(dir)?;
        let file = out.file(SUITE);
        let mut suite = Suite::read(&file).map_err(Failure::usage)?;
        let work = tempfile::tempdir().map_err(Failure::usage)?;
        let new = self.joined.len();
        let grown = self.measured(&work.path().join("out"), deadline)?;
        results.summary.notes.extend(grown.note.map(str::to_owned));
        let first = grown.suite.tests.len().saturating_sub(new);
        let next = suite.tests.iter().map(|test| test.id).max().unwrap_or(0) + 1;
        for (id, test) in (next..).zip(&grown.suite.tests[first..]) {
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

    /// The whole suite after native runs, written to a directory; new tests come last. Without time for
    /// that, the tests are written as they are.
    fn measured(self, out: &Path, deadline: &Deadline) -> Outcome<GrownTests> {
        let work = tempfile::tempdir().map_err(Failure::usage)?;
        let mut tests = self.tests.clone();
        if !self.joined.is_empty() {
            let file = work.path().join(SUITE);
            self.new_suite().write(&file).map_err(Failure::usage)?;
            tests.push(file);
        }
        let suite = SuiteRequest {
            request: self.request.clone(),
            tests: tests.clone(),
            format: None,
        };
        let file = out.join(SUITE);
        let is_whole = match measure(suite, Some(out), deadline) {
            Err(failure) if failure.is_end() => false,
            measured => measured?.work.not_run == 0,
        };
        let (mut suite, note) = match is_whole {
            true => (Suite::read(&file).map_err(Failure::usage)?, None),
            false => (self.unmeasured(&tests)?, Some(UNMEASURED)),
        };
        let first = suite.tests.len().saturating_sub(self.joined.len());
        for (test, (_, name)) in suite.tests[first..].iter_mut().zip(&self.joined) {
            test.name.clone_from(name);
        }
        std::fs::create_dir_all(out).map_err(Failure::usage)?;
        suite.write(&file).map_err(Failure::usage)?;
        Ok(GrownTests { suite, note })
    }

    /// The tests of Labrys' own suites in these files, without any run.
    fn unmeasured(&self, files: &[PathBuf]) -> Outcome<Suite> {
        let mut suite = Suite::new(self.target.clone());
        suite.sizes = Some(self.sizes);
        let found = import::collect(files, None).map_err(Failure::usage)?.tests;
        for ImportedTest { content, .. } in found {
            if let ImportedContent::Labrys { test, .. } = content {
                let id = suite.tests.len() as u32 + 1;
                suite.tests.push(SuiteTest { id, ..*test });
            }
        }
        Ok(suite)
    }

    /// The new tests alone, before they were run.
    fn new_suite(&self) -> Suite {
        let mut suite = Suite::new(self.target.clone());
        suite.sizes = Some(self.sizes);
        for (id, (test, name)) in (1..).zip(&self.joined) {
            let entry = self
                .entries
                .iter()
                .find(|entry| entry.harness == test.harness);
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::mutate::SuiteMutation;
    use crate::output::mutants::MutantsFile;
    use std::time::Duration;

    /// A test of this input, as the search proposes it.
    fn proposed(value: u8) -> ProposedKill {
        ProposedKill {
            harness: "labrys_harness_f".to_owned(),
            entry: "f".to_owned(),
            inputs: vec![("x".to_owned(), vec![value, 0, 0, 0])],
            made_for: 0,
        }
    }

    #[test]
    fn no_test_is_lost_for_want_of_time() {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("f.c");
        std::fs::write(&source, "int f(int x) { return x > 3; }").unwrap();
        let request = Request::new(vec![source]).function("f");
        let target = SuiteTarget {
            files: Vec::new(),
            entry: None,
        };
        let (old, new) = (proposed(1), proposed(9));
        let grown = |joined, tests| GrownSuite {
            request: request.clone(),
            tests,
            entries: &[],
            sizes: request.harness.sizes,
            target: target.clone(),
            joined,
        };
        let before = dir.path().join("before.json");
        let suite = grown(vec![(&old, "old".to_owned())], Vec::new()).new_suite();
        suite.write(&before).unwrap();
        let out = OutDir::create(&dir.path().join("out")).unwrap();
        let mut results = MutationResults {
            summary: SuiteMutation::new(target.clone(), &[]),
            file: MutantsFile {
                schema: labrys_suite::SCHEMA.to_owned(),
                target: target.clone(),
                shard: None,
                settings: String::new(),
                sources: Vec::new(),
                tests: Vec::new(),
                mutants: Vec::new(),
            },
        };
        let over = Deadline::after(Duration::ZERO);
        grown(vec![(&new, "new".to_owned())], vec![before])
            .write_to(&out, &mut results, &over)
            .unwrap();
        let written = Suite::read(&out.file(SUITE)).unwrap();
        let names: Vec<&str> = written.tests.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(names, ["old", "new"]);
        assert_eq!(written.tests[1].inputs[0].bytes, [9, 0, 0, 0]);
        assert_eq!(results.summary.notes, [UNMEASURED]);
    }
}
