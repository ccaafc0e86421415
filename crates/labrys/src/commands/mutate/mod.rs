//! `labrys mutate`: the mutants of a program, and which of them a suite kills. All mutants are in
//! one program, which is compiled once; each test that comes to a mutant is run natively with it
//! until one shows a difference.

mod result;

use super::generate::{OPEN_SANDBOX, stop_on_signal};
use super::measure::builds::{Build, Session};
use super::measure::plan::{self, Plan};
use super::measure::{format, surroundings};
use super::print;
use crate::cli::{Format, MutateArgs, Options, ProgramArgs, ProgramForm};
use crate::failure::{Exit, Failure, Outcome};
use crate::given::Given;
use crate::libraries::Libraries;
use crate::pipeline::{self, Sizes};
use crate::runtime::Runtime;
use crate::settings;
use crate::setup::target;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use labrys_front::AnnotatedProgram;
use labrys_mutate::{ScoredMutants, TestCase, score};
use labrys_suite::import::{self, ImportedTest, ImportedTests};
use labrys_suite::{ReplayLimits, Replayer};
use result::{Listed, Mutated, TestRecord, Work};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

pub fn run(args: &MutateArgs) -> Outcome {
    let started = Instant::now();
    let mut options = settings::complete(&args.options, &args.program)?;
    options.form = ProgramForm::NativeMutants;
    let mut program = args.program.clone();
    if args.list {
        return list(args, &program, &options);
    }
    let collection =
        import::collect(&args.tests, format(args.tests_format)).map_err(Failure::usage)?;
    surroundings::imply_main(&mut program, &options, &collection.tests);
    let (given, runtime) = (
        Given::find(&program, &options)?,
        pipeline::install_runtime(&options)?,
    );
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
    let mut work = Work {
        build_s: started.elapsed().as_secs_f64(),
        ..Work::default()
    };
    let mut limits = ReplayLimits {
        jobs: session.options.jobs.unwrap_or(1),
        ..ReplayLimits::default()
    };
    if let Some(time) = session.options.replay_time {
        limits.time = time.0;
    }
    let plans = plans(&collection, |test| session.sizes_of(test), &builds)?;
    let (cases, numbers) = cases(&plans);
    let mutants = &builds[0].program.mutants;
    let replayers: Vec<&Replayer> = builds.iter().map(|build| &build.replayer).collect();
    let bar = bar(mutants.len(), args.show.quiet);
    let before = Instant::now();
    let scored = score(mutants, &replayers, &cases, &limits, &stop, &mut |done| {
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    if stop.load(Ordering::Relaxed) {
        return Ok(Exit::Interrupted);
    }
    let scored = scored.map_err(Failure::usage)?;
    work.native_runs = scored.native_runs;
    work.run_s = before.elapsed().as_secs_f64();
    work.wall_s = started.elapsed().as_secs_f64();
    let tests = test_records(&collection, &plans, &numbers, &scored)?;
    let mut result = Mutated::new(target(&given, &builds[0].program), mutants, &scored, work);
    result.tests = tests;
    result.name_killers(&numbers);
    result.notes = notes(&collection, &builds, &scored);
    show(args.show.format, &result, result::text)?;
    let too_low = |percent: f64| result.score * 100.0 < percent;
    Ok(match session.options.fail_under.is_some_and(too_low) {
        true => Exit::NotMet,
        false => Exit::Done,
    })
}

/// How each test is run, with the number of its build.
pub(in crate::commands) fn plans<'a>(
    collection: &'a ImportedTests,
    sizes_of: impl Fn(&ImportedTest) -> Sizes,
    builds: &'a [Build],
) -> Outcome<Vec<(usize, Plan<'a>)>> {
    let mut plans = Vec::new();
    for test in &collection.tests {
        let sizes = sizes_of(test);
        let build = builds.iter().position(|build| build.sizes == sizes);
        let build = build.unwrap_or(0);
        plans.push((build, plan::plan(test, &builds[build].program)?));
    }
    Ok(plans)
}

/// The tests that can be run, and their places among all.
pub(in crate::commands) fn cases<'a>(
    plans: &'a [(usize, Plan<'a>)],
) -> (Vec<TestCase<'a>>, Vec<usize>) {
    let runnable = plans
        .iter()
        .enumerate()
        .filter_map(|(place, (build, plan))| {
            let case = TestCase {
                build: *build,
                case: plan.case()?,
            };
            Some((case, place))
        });
    runnable.unzip()
}

fn test_records(
    collection: &ImportedTests,
    plans: &[(usize, Plan<'_>)],
    numbers: &[usize],
    scored: &ScoredMutants,
) -> Outcome<Vec<TestRecord>> {
    let mut records = Vec::new();
    for (place, (test, (_, plan))) in collection.tests.iter().zip(plans).enumerate() {
        let number = numbers.iter().position(|n| *n == place);
        let unusable = number.and_then(|n| scored.unusable.get(&n));
        let problem = match (&plan.inputs, unusable) {
            (Err(why), _) => Some(why.clone()),
            (_, Some(why)) => Some(why.to_string()),
            _ => None,
        };
        let unstable = number.and_then(|n| scored.unstable.get(&n));
        let killed_by = |v: &&labrys_mutate::MutantVerdict| {
            number.is_some() && v.killer.as_ref().map(|(test, _)| *test) == number
        };
        records.push(TestRecord {
            id: place as u32 + 1,
            name: test.name.clone(),
            kills: scored.verdicts.iter().filter(killed_by).count(),
            problem,
            unstable: unstable.cloned().unwrap_or_default(),
        });
    }
    match records.iter().find(|record| record.problem.is_some()) {
        Some(first) if records.iter().all(|record| record.problem.is_some()) => {
            Err(Failure::usage(format_args!(
                "none of the {} tests can be used: {}: {}",
                records.len(),
                first.name,
                first.problem.as_deref().unwrap_or_default()
            )))
        }
        _ => Ok(records),
    }
}

fn notes(collection: &ImportedTests, builds: &[Build], scored: &ScoredMutants) -> Vec<String> {
    let mut notes = collection.notes.clone();
    notes.extend(builds[0].program.notes.iter().cloned());
    notes.extend(builds.iter().flat_map(|build| build.replayer.notes.clone()));
    if !scored.confined {
        notes.push(OPEN_SANDBOX.to_owned());
    }
    notes
}

/// `--list`: the mutants, without any run.
fn list(args: &MutateArgs, program: &ProgramArgs, options: &Options) -> Outcome {
    let given = Given::find(program, options)?;
    let runtime = pipeline::install_runtime(options)?;
    let libraries = Libraries::prepare(&given, &program.flags, options, &runtime)?;
    let found = load(program, &given, &libraries, options, &runtime)?;
    let listed = Listed::new(target(&given, &found), found.mutants, found.notes);
    show(args.show.format, &listed, result::list_text)?;
    Ok(Exit::Done)
}

fn load(
    program: &ProgramArgs,
    given: &Given,
    libraries: &Libraries,
    options: &Options,
    runtime: &Runtime,
) -> Outcome<AnnotatedProgram> {
    let work = tempfile::tempdir().map_err(Failure::usage)?;
    let sizes = Sizes::new(options);
    pipeline::load(
        program,
        given,
        libraries,
        options,
        runtime,
        sizes,
        work.path(),
    )
}

fn show<T: serde::Serialize>(
    format: Format,
    result: &T,
    text: impl Fn(&T) -> String,
) -> Outcome<()> {
    match format {
        Format::Json => {
            let text = serde_json::to_string_pretty(result).map_err(Failure::internal)?;
            print(&format!("{text}\n"))
        }
        Format::Text => print(&text(result)),
    }
}

/// Shown only on a terminal.
fn bar(mutants: usize, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(mutants as u64), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} mutants, {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
