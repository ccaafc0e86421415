//! `bench corpus --mutants`: branch suites and augmented suites of real functions, by the mutants
//! that they kill natively. The mutants are those of the function itself; the functions are the
//! first few of every package in the order of the sample's hash.

use super::MEMORY_KIB;
use super::sample::{Chosen, Objects, first_of_each};
use super::trial::{self, CorpusTrial, Ended, TrialLimits};
use crate::arguments::BenchArgs;
use crate::benches::kills::{self, KillCount, Kills};
use crate::benches::{Findings, announce, parallel};
use crate::product::labrys;
use labrys_driver::request::Request;
use labrys_driver::{Failure, Outcome};
use std::time::Duration;

/// Functions of each package.
const EACH: usize = 3;

/// Mutants of each function at most, evenly spread.
const MOST_MUTANTS: usize = 150;

/// The time of one search, unless --time says otherwise.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// What is compared.
const FLAGS: [&[&str]; 2] = [&[], &["--augment", "boundary,mutation,logic,error"]];

/// How many more mutants the second must kill, and how many more tests it may have.
const MORE_KILLED: f64 = 1.2;
const MORE_TESTS: f64 = 4.0;

/// Both suites of a function, or why there are none.
struct SuiteComparison {
    chosen: Chosen,
    outcome: Result<KilledBySuites, String>,
}

struct KilledBySuites {
    mutants: usize,
    tests: [usize; 2],
    killed: [usize; 2],
    wall_s: [f64; 2],
}

pub fn run(sample: Vec<Chosen>, objects: &Objects, args: &BenchArgs) -> Outcome<Findings> {
    let sample = match args.functions {
        Some(_) => sample,
        None => first_of_each(sample, EACH),
    };
    let limits = TrialLimits {
        time: args.time.map_or(DEFAULT_TIME, |time| time.0),
        memory_kib: MEMORY_KIB,
    };
    let compared = parallel::each(sample, parallel::threads(args.jobs), |chosen| {
        announce("corpus --mutants", &chosen.key());
        compare(chosen, objects, &limits)
    })?;
    Ok(findings(&compared, &limits))
}

fn compare(chosen: Chosen, objects: &Objects, limits: &TrialLimits) -> Outcome<SuiteComparison> {
    let dir = tempfile::tempdir().map_err(Failure::usage)?;
    let outs = [dir.path().join("branch"), dir.path().join("augmented")];
    let program = labrys()?;
    let mut trials = Vec::new();
    for (out, flags) in outs.iter().zip(FLAGS) {
        let trial = trial::run_with(&program, &chosen, objects, limits, flags, out)?;
        if trial.ended != Ended::Done {
            let first = trial.message.lines().next().unwrap_or("").to_owned();
            let why = format!("{:?} {}: {first}", trial.ended, flags.join(" "));
            return Ok(SuiteComparison {
                chosen,
                outcome: Err(why),
            });
        }
        trials.push(trial);
    }
    let object = objects.of(&chosen).map(std::path::Path::to_path_buf);
    let program = Request::new(object.into_iter().collect()).function(&chosen.function);
    let request = KillCount {
        program: &program,
        suites: &outs.map(|out| out.join("suite.json")),
        jobs: 1,
        only: Some((&chosen.function, MOST_MUTANTS)),
    };
    let outcome = match kills::count(&request, |_| Vec::new()) {
        Ok(kills) => Ok(scored(&trials, &kills)),
        Err(failure) => Err(failure.message),
    };
    Ok(SuiteComparison { chosen, outcome })
}

fn scored(trials: &[CorpusTrial], kills: &Kills) -> KilledBySuites {
    KilledBySuites {
        mutants: kills.mutants.len(),
        tests: [trials[0].tests, trials[1].tests],
        killed: [kills.by_suite[0].len(), kills.by_suite[1].len()],
        wall_s: [trials[0].wall_s, trials[1].wall_s],
    }
}

fn findings(results: &[SuiteComparison], limits: &TrialLimits) -> Findings {
    let mut findings = Findings::new(&[
        "package",
        "function",
        "mutants",
        "branch: tests",
        "killed",
        "s",
        "augmented: tests",
        "killed",
        "s",
    ]);
    findings.table = findings.table.left(2);
    let row = |package: &str, function: &str, scored: &KilledBySuites| {
        let mut row = vec![package.to_owned(), function.to_owned()];
        row.push(scored.mutants.to_string());
        for i in 0..2 {
            row.push(scored.tests[i].to_string());
            row.push(scored.killed[i].to_string());
            row.push(format!("{:.1}", scored.wall_s[i]));
        }
        row
    };
    let mut all = KilledBySuites {
        mutants: 0,
        tests: [0; 2],
        killed: [0; 2],
        wall_s: [0.0; 2],
    };
    let mut functions = 0;
    for SuiteComparison { chosen, outcome } in results {
        match outcome {
            Ok(scored) => {
                findings
                    .table
                    .row(row(&chosen.package, &chosen.function, scored));
                functions += 1;
                all.mutants += scored.mutants;
                for i in 0..2 {
                    all.tests[i] += scored.tests[i];
                    all.killed[i] += scored.killed[i];
                    all.wall_s[i] += scored.wall_s[i];
                }
            }
            Err(why) => {
                let note = format!("not compared: {}: {why}", chosen.key());
                findings.notes.push(note);
            }
        }
    }
    findings.table.row(row("all", &functions.to_string(), &all));
    findings.notes.push(format!(
        "Mutants of the function itself, at most {MOST_MUTANTS} of each, evenly spread; searches of {} s.",
        limits.time.as_secs()
    ));
    let more = |values: [usize; 2]| values[1] as f64 / values[0].max(1) as f64;
    let (killed, tests) = (more(all.killed), more(all.tests));
    let mut check = |met: bool, what: String| {
        let mark = if met { "met:   " } else { "MISSED:" };
        findings.notes.push(format!("{mark} {what}"));
        findings.demand(met, || what);
    };
    check(
        killed >= MORE_KILLED,
        format!(
            "augmented suites kill at least 20 % more mutants: {} instead of {}, {:+.1} %",
            all.killed[1],
            all.killed[0],
            (killed - 1.0) * 100.0
        ),
    );
    check(
        tests <= MORE_TESTS,
        format!(
            "augmented suites have at most {MORE_TESTS:.0} times the tests: {} instead of {}, {tests:.2} times",
            all.tests[1], all.tests[0]
        ),
    );
    findings
}
