//! `bench corpus --mutants`: branch suites and augmented suites of real functions, by the mutants
//! that they kill natively. The mutants are those of the function itself; the functions are the
//! first few of every package in the order of the sample's hash.

use super::sample::{Chosen, Objects};
use super::trial::{self, CorpusTrial, Ended, TrialLimits};
use super::{MEMORY_KIB, poisoned};
use crate::arguments::BenchArgs;
use crate::benches::kills::{self, KillCount, Kills};
use crate::benches::{Findings, announce};
use labrys_driver::request::Request;
use labrys_driver::{Failure, Outcome};
use std::collections::BTreeMap;
use std::sync::Mutex;
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
        None => first_of_each(sample),
    };
    let limits = TrialLimits {
        time: args.time.map_or(DEFAULT_TIME, |time| time.0),
        memory_kib: MEMORY_KIB,
    };
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.jobs.unwrap_or_else(processors).max(1);
    let results: Mutex<BTreeMap<usize, SuiteComparison>> = Mutex::new(BTreeMap::new());
    let waiting = Mutex::new(sample.into_iter().enumerate());
    std::thread::scope(|scope| {
        let work = || -> Outcome<()> {
            loop {
                let next = waiting.lock().map_err(poisoned)?.next();
                let Some((place, chosen)) = next else {
                    return Ok(());
                };
                announce("corpus --mutants", &chosen.key());
                let compared = compare(chosen, objects, &limits)?;
                results.lock().map_err(poisoned)?.insert(place, compared);
            }
        };
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|_| Err(Failure::internal("a thread of the benchmark panicked")))
        })
    })?;
    let results = results.into_inner().map_err(poisoned)?;
    Ok(findings(
        &results.into_values().collect::<Vec<_>>(),
        &limits,
    ))
}

/// The first few functions of every package.
fn first_of_each(mut sample: Vec<Chosen>) -> Vec<Chosen> {
    sample.sort_by_key(|chosen| (chosen.order(), chosen.clone()));
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    sample.retain(|chosen| {
        let count = taken.entry(chosen.package.clone()).or_default();
        *count += 1;
        *count <= EACH
    });
    sample.sort();
    sample
}

fn compare(chosen: Chosen, objects: &Objects, limits: &TrialLimits) -> Outcome<SuiteComparison> {
    let dir = tempfile::tempdir().map_err(Failure::usage)?;
    let outs = [dir.path().join("branch"), dir.path().join("augmented")];
    let mut trials = Vec::new();
    for (out, flags) in outs.iter().zip(FLAGS) {
        let trial = trial::run_with(&chosen, objects, limits, flags, out)?;
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::benches::corpus::{PACKAGES, sample};

    #[test]
    fn every_package_has_its_functions_and_the_choice_does_not_depend_on_the_order() {
        let all = sample::fixed().map_err(|e| e.message).unwrap();
        let mut other = all.clone();
        other.reverse();
        let chosen = first_of_each(all);
        assert_eq!(chosen.len(), EACH * PACKAGES.len());
        for package in PACKAGES {
            let of_it = chosen.iter().filter(|c| c.package == package);
            assert_eq!(of_it.count(), EACH, "{package}");
        }
        assert_eq!(chosen, first_of_each(other));
    }
}
