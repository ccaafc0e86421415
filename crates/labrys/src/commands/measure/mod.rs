//! `labrys measure`: scores an existing suite. The program is built once with the objectives of
//! all criteria in it, each test is run once natively, and what the runs show is the score
//! (theorem 4 of label coverage). No test is made, and nothing is proved.

pub(super) mod builds;
pub(super) mod plan;
mod result;
pub(super) mod surroundings;

use super::generate::{OPEN_SANDBOX, stop_on_signal};
use super::print;
use crate::cli::{Format, MeasureArgs, Options, TestsFormat};
use crate::crosscheck::{Check, Subject, checks};
use crate::failure::{Exit, Failure, Outcome};
use crate::given::Given;
use crate::judge::{by_trigger, vectors_of};
use crate::libraries::Libraries;
use crate::outdir::OutDir;
use crate::pipeline;
use crate::records::Objectives;
use crate::settings;
use crate::setup::{Setup, target};
use builds::{Build, Session};
use labrys_ledger::{Ledger, Status, Trigger};
use labrys_suite::import::{self, ImportedContent, ImportedTest, ImportedTests};
use labrys_suite::{
    Observation, ReplayCase, ReplayLimits, Suite, SuiteTest, UniqueNames, test_name,
};
use plan::{Plan, Verdict};
use result::{Measured, TestRecord, Work};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// So many tests are run before what they did is looked at and forgotten.
const BATCH: usize = 256;

/// The reason of what is left.
const NOT_COVERED: &str = "no test of the suite covers it";

pub fn run(args: &MeasureArgs) -> Outcome {
    let started = Instant::now();
    let mut options = settings::complete(&args.options, &args.program)?;
    // The directory in labrys.toml is that of gen.
    options.out.clone_from(&args.options.out);
    let collection =
        import::collect(&args.tests, format(args.tests_format)).map_err(Failure::usage)?;
    let out = out_dir(&options, &collection)?;
    let mut program = args.program.clone();
    surroundings::imply_main(&mut program, &options, &collection.tests);
    let given = Given::find(&program, &options)?;
    let runtime = pipeline::install_runtime(&options)?;
    let libraries = Libraries::prepare(&given, &program.flags, &options, &runtime)?;
    let stop = stop_on_signal();
    let mut session = Session {
        args: &program,
        given: &given,
        libraries: &libraries,
        options: &mut options,
        runtime: &runtime,
        collection: &collection,
    };
    let builds = session.build()?;
    let built = started.elapsed();
    let measured = session.measure(&builds, &stop)?;
    if stop.load(Ordering::Relaxed) {
        return Ok(Exit::Interrupted);
    }
    let checks = session.write(&builds, &measured, out.as_ref())?;
    let work = Work {
        native_runs: measured.native_runs,
        build_s: built.as_secs_f64(),
        run_s: measured.time.as_secs_f64(),
        wall_s: started.elapsed().as_secs_f64(),
    };
    let result = session.result(&builds, measured, checks, work)?;
    match args.show.format {
        Format::Json => {
            let text = serde_json::to_string_pretty(&result).map_err(Failure::internal)?;
            print(&format!("{text}\n"))?;
        }
        Format::Text => print(&result::text(&result, args.uncovered))?,
    }
    Ok(verdict(&options, &result))
}

pub(super) fn format(format: TestsFormat) -> Option<import::ImportFormat> {
    match format {
        TestsFormat::Auto => None,
        TestsFormat::Labrys => Some(import::ImportFormat::Labrys),
        TestsFormat::Ktest => Some(import::ImportFormat::Ktest),
        TestsFormat::Testcomp => Some(import::ImportFormat::TestComp),
        TestsFormat::Raw => Some(import::ImportFormat::Raw),
    }
}

/// The directory for the result, which must not be the one that is measured.
fn out_dir(options: &Options, collection: &ImportedTests) -> Outcome<Option<OutDir>> {
    let Some(path) = &options.out else {
        return Ok(None);
    };
    let place = path.canonicalize().ok();
    let holds = |test: &ImportedTest| {
        let file = test.file.canonicalize().ok();
        place
            .as_ref()
            .zip(file)
            .is_some_and(|(p, f)| f.starts_with(p))
    };
    if collection.tests.iter().any(holds) {
        return Err(Failure::usage(format_args!(
            "--out {} holds the tests that are measured; choose another directory",
            path.display()
        )));
    }
    OutDir::create(path).map(Some)
}

fn verdict(options: &Options, result: &Measured) -> Exit {
    let too_low = |percent: f64| result.score * 100.0 < percent;
    let is_error = |test: &TestRecord| test.counted && !result::is_fine(&test.outcome);
    let different = |check: &Check| !check.differences.is_empty();
    let not_met = options.fail_under.is_some_and(too_low)
        || (options.fail_on_error && result.tests.iter().any(is_error))
        || result.checks.iter().any(different);
    if not_met { Exit::NotMet } else { Exit::Done }
}

/// What all tests together have shown.
struct Found {
    ledger: Ledger,
    tests: Vec<TestRecord>,
    /// The tests as those of a suite.
    suite: Vec<SuiteTest>,
    paths: BTreeSet<(String, u64)>,
    native_runs: usize,
    time: Duration,
    confined: bool,
}

impl Session<'_> {
    /// Runs every test once and enters what it covers.
    fn measure(&self, builds: &[Build], stop: &std::sync::atomic::AtomicBool) -> Outcome<Found> {
        let program = &builds[0].program;
        let ledger = Ledger::new(program.objectives.clone()).with_decisions(&program.decisions);
        let triggers = by_trigger(ledger.objectives());
        let mut found = Found {
            ledger,
            tests: Vec::new(),
            suite: Vec::new(),
            paths: BTreeSet::new(),
            native_runs: 0,
            time: Duration::ZERO,
            confined: true,
        };
        let mut limits = ReplayLimits {
            jobs: self.options.jobs.unwrap_or(1),
            ..ReplayLimits::default()
        };
        if let Some(time) = self.options.replay_time {
            limits.time = time.0;
        }
        let mut names = UniqueNames::default();
        for batch in self.collection.tests.chunks(BATCH) {
            let seen = self.run_batch(builds, batch, &limits, &mut found);
            if stop.load(Ordering::Relaxed) {
                return Ok(found);
            }
            for (test, (plan, seen)) in batch.iter().zip(seen?) {
                let entry = Entry { test, plan, seen };
                found.enter(entry, &triggers, &mut names)?;
            }
        }
        found.cover_pairs()?;
        for index in 0..found.ledger.objectives().len() {
            found.ledger.give_up(index, NOT_COVERED);
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
        builds: &'t [Build],
        batch: &'t [ImportedTest],
        limits: &ReplayLimits,
        found: &mut Found,
    ) -> Outcome<Vec<(Plan<'t>, Option<Observation>)>> {
        let mut all = Vec::new();
        let mut by_build: Vec<Vec<usize>> = vec![Vec::new(); builds.len()];
        for (i, test) in batch.iter().enumerate() {
            let sizes = self.sizes_of(test);
            let at = builds.iter().position(|build| build.sizes == sizes);
            let at = at.unwrap_or(0);
            let plan = plan::plan(test, &builds[at].program)?;
            if plan.inputs.is_ok() {
                by_build[at].push(i);
            }
            all.push((plan, None));
        }
        for (build, numbers) in builds.iter().zip(by_build) {
            let cases: Vec<ReplayCase<'_>> =
                numbers.iter().filter_map(|i| all[*i].0.case()).collect();
            let before = Instant::now();
            let seen = build.replayer.run(&cases, limits).map_err(Failure::usage)?;
            found.time += before.elapsed();
            found.native_runs += cases.len();
            for (i, seen) in numbers.into_iter().zip(seen) {
                all[i].1 = Some(seen);
            }
        }
        Ok(all)
    }

    /// Writes what was asked for, and asks other tools for their opinion.
    fn write(&self, builds: &[Build], found: &Found, out: Option<&OutDir>) -> Outcome<Vec<Check>> {
        if out.is_none() && !self.options.llvm_cov && !self.options.gcov {
            return Ok(Vec::new());
        }
        let temporary = tempfile::tempdir().map_err(Failure::usage)?;
        let temporary = OutDir::create(&temporary.path().join("out"))?;
        let out = out.unwrap_or(&temporary);
        out.clear()?;
        let program = &builds[0].program;
        let mut suite = Suite::new(target(self.given, program));
        suite.tests.clone_from(&found.suite);
        if let [only] = builds {
            suite.sizes = Some(only.sizes.into());
        }
        let setup = Setup {
            given: self.given,
            libraries: self.libraries,
            options: self.options,
        };
        let run = setup.write(program, out)?;
        suite
            .write(&out.file("suite.json"))
            .map_err(Failure::usage)?;
        out.write_json("objectives.json", &Objectives::of(&found.ledger))?;
        let subject = Subject {
            run: &run,
            suite: &suite,
            ledger: &found.ledger,
            runtime: self.runtime,
        };
        checks(&subject, self.options.llvm_cov, self.options.gcov)
    }

    fn result(
        &self,
        builds: &[Build],
        found: Found,
        checks: Vec<Check>,
        work: Work,
    ) -> Outcome<Measured> {
        let program = &builds[0].program;
        let mut notes = self.collection.notes.clone();
        notes.extend(program.notes.iter().cloned());
        notes.extend(builds.iter().flat_map(|build| build.replayer.notes.clone()));
        if !found.confined {
            notes.push(OPEN_SANDBOX.to_owned());
        }
        let criteria = pipeline::criteria(self.options);
        let paths = found.paths.len();
        let mut result = Measured::new(
            target(self.given, program),
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
struct Entry<'a> {
    test: &'a ImportedTest,
    plan: Plan<'a>,
    seen: Option<Observation>,
}

impl Found {
    /// Enters the pairs that the tests make together, also with the tests.
    fn cover_pairs(&mut self) -> Outcome<()> {
        self.ledger.cover_pairs().map_err(Failure::internal)?;
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
        Ok(())
    }

    fn enter(
        &mut self,
        Entry { test, plan, seen }: Entry<'_>,
        triggers: &BTreeMap<Trigger, Vec<usize>>,
        names: &mut UniqueNames,
    ) -> Outcome<()> {
        let id = self.tests.len() as u32 + 1;
        let Verdict {
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
            self.ledger
                .cover(*objective, id)
                .map_err(Failure::internal)?;
        }
        let objectives = self.ledger.objectives();
        let covers: Vec<String> = covers.iter().map(|i| objectives[*i].id.clone()).collect();
        let name = names.unique(&test_name(&plan.entry, stem(test)));
        if let Some(seen) = &seen {
            self.confined &= seen.confined;
            self.suite.push(plan.as_test(test, id, name, &covers, seen));
        }
        self.tests.push(TestRecord {
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
    match test.content {
        ImportedContent::Labrys { .. } => &test.name,
        _ => Path::new(&test.name)
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or("test"),
    }
}

/// How many objectives only one test covers, by test.
fn only(ledger: &Ledger) -> BTreeMap<u32, usize> {
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
