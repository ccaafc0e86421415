//! `measure`: scores an existing suite. The program is built once with the objectives of
//! all criteria in it, each test is run once natively, and what the runs show is the score
//! (theorem 4 of label coverage). No test is made, and nothing is proved.

mod result;

pub use result::{FunctionScore, MeasureWork, Measured, MeasuredTest};

use crate::crosscheck::{CheckedSuite, checks};
use crate::failure::{Failure, Outcome};
use crate::imported::plan::{TestPlan, TestVerdict};
use crate::imported::{ImportedSuite, NativeBuild, SuiteRequest};
use crate::native::{by_trigger, open_sandbox, vectors_of};
use crate::output::{CoverageCheck, ObjectivesFile, OutDir, RunRecord};
use crate::program::ProgramForm;
use labrys_budget::Deadline;
use labrys_ledger::{Ledger, Status, Trigger};
use labrys_suite::import::{ImportedContent, ImportedTest};
use labrys_suite::{
    MissingProtections, Observation, ReplayCase, ReplayLimits, Suite, SuiteTest, UniqueNames,
    test_name,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// So many tests are run before what they did is looked at and forgotten.
const BATCH: usize = 256;

/// The reason of what is left.
const NOT_COVERED: &str = "no test of the suite covers it";
const NOT_ALL_RUN: &str = "time: no test that was run covers it, and not all were run";

/// Runs the suite until the deadline and says what it covers. With a directory, the suite and its
/// objectives are written there.
pub fn measure(suite: SuiteRequest, out: Option<&Path>, deadline: &Deadline) -> Outcome<Measured> {
    let started = Instant::now();
    let (suite, builds) = suite.build(ProgramForm::Annotated, deadline)?;
    let out = suite.out_dir(out)?;
    let built = started.elapsed();
    let runs = suite.run_all(&builds)?;
    let checks = suite.write(&builds, &runs, out.as_ref())?;
    let work = MeasureWork {
        native_runs: runs.native_runs,
        not_run: runs.not_run,
        build_s: built.as_secs_f64(),
        run_s: runs.time.as_secs_f64(),
        wall_s: started.elapsed().as_secs_f64(),
    };
    suite.result(&builds, runs, checks, work)
}

/// What all tests together have shown.
struct MeasuredRuns {
    ledger: Ledger,
    tests: Vec<MeasuredTest>,
    /// The tests as those of a suite.
    suite: Vec<SuiteTest>,
    paths: BTreeSet<(String, u64)>,
    native_runs: usize,
    time: Duration,
    missing: MissingProtections,
    /// Tests for which there was no time.
    not_run: usize,
}

impl ImportedSuite {
    /// Runs every test once and enters what it covers.
    fn run_all(&self, builds: &[NativeBuild]) -> Outcome<MeasuredRuns> {
        let program = &builds[0].program;
        let ledger = Ledger::new(program.objectives.clone()).with_decisions(&program.decisions);
        let triggers = by_trigger(ledger.objectives());
        let mut found = MeasuredRuns {
            ledger,
            tests: Vec::new(),
            suite: Vec::new(),
            paths: BTreeSet::new(),
            native_runs: 0,
            time: Duration::ZERO,
            missing: MissingProtections::default(),
            not_run: 0,
        };
        let limits = ReplayLimits {
            deadline: self.project.deadline.clone(),
            ..self.project.request.parallel_replay_limits()
        };
        let mut names = UniqueNames::default();
        for batch in self.collection.tests.chunks(BATCH) {
            let seen = self.run_batch(builds, batch, &limits, &mut found)?;
            for (test, (plan, seen)) in batch.iter().zip(seen) {
                if plan.inputs.is_ok() && seen.is_none() {
                    found.not_run += 1;
                    continue;
                }
                let entry = FinishedTest { test, plan, seen };
                found.enter(entry, &triggers, &mut names)?;
            }
        }
        found.cover_pairs();
        let reason = match found.not_run {
            0 => NOT_COVERED,
            _ => NOT_ALL_RUN,
        };
        for index in 0..found.ledger.objectives().len() {
            found.ledger.give_up(index, reason);
        }
        if let Some(first) = found.tests.iter().find(|test| !test.counted)
            && found.tests.iter().all(|test| !test.counted)
        {
            return Err(Failure::usage(format_args!(
                "none of the {} tests fits the program: {} ({}): {}",
                found.tests.len(),
                first.file,
                first.name,
                first.problems.join("; ")
            )));
        }
        Ok(found)
    }

    /// The tests in their order, each with what it did if it could be run.
    fn run_batch<'t>(
        &self,
        builds: &'t [NativeBuild],
        batch: &'t [ImportedTest],
        limits: &ReplayLimits,
        found: &mut MeasuredRuns,
    ) -> Outcome<Vec<(TestPlan<'t>, Option<Observation>)>> {
        let mut all = Vec::new();
        let mut by_build: Vec<Vec<usize>> = vec![Vec::new(); builds.len()];
        for (i, test) in batch.iter().enumerate() {
            let (at, plan) = self.plan(test, builds)?;
            if plan.inputs.is_ok() {
                by_build[at].push(i);
            }
            all.push((plan, None));
        }
        for (build, numbers) in builds.iter().zip(by_build) {
            let cases: Vec<ReplayCase<'_>> =
                numbers.iter().filter_map(|i| all[*i].0.case()).collect();
            let before = Instant::now();
            let seen = (build.replayer)
                .run_what_is_in_time(&cases, limits)
                .map_err(Failure::usage)?;
            found.time += before.elapsed();
            found.native_runs += seen.iter().flatten().count();
            for (i, seen) in numbers.into_iter().zip(seen) {
                all[i].1 = seen;
            }
        }
        Ok(all)
    }

    /// Writes what was asked for, and asks other tools for their opinion.
    fn write(
        &self,
        builds: &[NativeBuild],
        found: &MeasuredRuns,
        out: Option<&OutDir>,
    ) -> Outcome<Vec<CoverageCheck>> {
        let report = &self.project.request.report;
        if out.is_none() && !report.llvm_cov && !report.gcov {
            return Ok(Vec::new());
        }
        let temporary = tempfile::tempdir().map_err(Failure::usage)?;
        let temporary = OutDir::create(&temporary.path().join("out"))?;
        let out = out.unwrap_or(&temporary);
        out.clear()?;
        let program = &builds[0].program;
        let mut suite = Suite::new(self.project.target(program));
        suite.tests.clone_from(&found.suite);
        if let [only] = builds {
            suite.sizes = Some(only.sizes);
        }
        let run = RunRecord::write(&self.project, program, out)?;
        suite
            .write(&out.file("suite.json"))
            .map_err(Failure::usage)?;
        out.write_json("objectives.json", &ObjectivesFile::of(&found.ledger))?;
        let subject = CheckedSuite {
            run: &run,
            suite: &suite,
            ledger: &found.ledger,
            runtime: &self.project.runtime,
            limits: ReplayLimits {
                deadline: self.project.deadline.clone(),
                ..self.project.request.replay_limits()
            },
        };
        checks(&subject, report.llvm_cov, report.gcov)
    }

    fn result(
        &self,
        builds: &[NativeBuild],
        found: MeasuredRuns,
        checks: Vec<CoverageCheck>,
        work: MeasureWork,
    ) -> Outcome<Measured> {
        let program = &builds[0].program;
        let mut notes = self.collection.notes.clone();
        notes.extend(program.notes.iter().cloned());
        notes.extend(builds.iter().flat_map(|build| build.replayer.notes.clone()));
        notes.extend(open_sandbox(found.missing));
        if found.not_run > 0 {
            notes.push(format!(
                "time: {} of {} tests were not run",
                found.not_run,
                self.collection.tests.len()
            ));
        }
        let criteria = self.project.request.objectives.criteria.clone();
        let paths = found.paths.len();
        let mut result = Measured::new(
            self.project.target(program),
            criteria,
            &found.ledger,
            found.tests,
        );
        result.paths = paths;
        result.notes = notes;
        result.checks = checks;
        result.work = work;
        Ok(result)
    }
}

/// A test with what became of it.
struct FinishedTest<'a> {
    test: &'a ImportedTest,
    plan: TestPlan<'a>,
    seen: Option<Observation>,
}

impl MeasuredRuns {
    /// Enters the pairs that the tests make together, also with the tests.
    fn cover_pairs(&mut self) {
        self.ledger.cover_pairs();
        for (index, objective) in self.ledger.objectives().iter().enumerate() {
            let Some(pair) = self.ledger.pair(index) else {
                continue;
            };
            for id in pair.tests() {
                let records = self.tests.iter_mut().filter(|test| test.id == id);
                records.for_each(|test| test.covers.push(objective.id.clone()));
                let suite = self.suite.iter_mut().filter(|test| test.id == id);
                suite.for_each(|test| test.covers.push(objective.id.clone()));
            }
        }
    }

    fn enter(
        &mut self,
        FinishedTest { test, plan, seen }: FinishedTest<'_>,
        triggers: &BTreeMap<Trigger, Vec<usize>>,
        names: &mut UniqueNames,
    ) -> Outcome<()> {
        let id = self.tests.len() as u32 + 1;
        let TestVerdict {
            outcome,
            counted,
            problems,
        } = plan.verdict(test, seen.as_ref());
        let mut covers = Vec::new();
        if let (true, Some(seen)) = (counted, &seen) {
            let fired = seen.triggers.iter();
            covers.extend(fired.flat_map(|t| triggers.get(t).into_iter().flatten().copied()));
            covers.sort_unstable();
            self.paths.insert((plan.harness.clone(), seen.trace));
            for (decision, vector) in vectors_of(seen, &self.ledger) {
                self.ledger.show(id, decision, vector);
            }
        }
        for objective in &covers {
            self.ledger.cover(*objective, id);
        }
        let objectives = self.ledger.objectives();
        let covers: Vec<String> = covers.iter().map(|i| objectives[*i].id.clone()).collect();
        let name = match &test.content {
            // It is named after its entry already.
            ImportedContent::Labrys { .. } => names.unique(&test.name),
            _ => names.unique(&test_name(&plan.entry, stem(test))),
        };
        if let Some(seen) = &seen {
            self.missing = self.missing.and(seen.missing);
            self.suite.push(plan.as_test(test, id, name, &covers, seen));
        }
        self.tests.push(MeasuredTest {
            id,
            name: test.name.clone(),
            file: test.file.display().to_string(),
            format: test.format.name(),
            entry: plan.entry,
            outcome,
            counted,
            covers,
            only: 0,
            problems,
        });
        Ok(())
    }
}

/// What a test may be called after.
fn stem(test: &ImportedTest) -> &str {
    let stem = Path::new(&test.name).file_stem();
    stem.and_then(|stem| stem.to_str()).unwrap_or("test")
}

/// How many objectives only one test covers, by test.
fn covered_by_one_test(ledger: &Ledger) -> BTreeMap<u32, usize> {
    let mut counts = BTreeMap::new();
    for (_, status) in ledger.iter() {
        if let Status::Covered { tests } = status
            && let [single] = tests[..]
        {
            *counts.entry(single).or_default() += 1;
        }
    }
    counts
}
