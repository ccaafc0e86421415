//! The guard: no change makes Labrys slower unnoticed. A few fixed workloads run under valgrind's
//! callgrind, which counts instructions: the same on a busy machine as on a quiet one. More than
//! 5 % beyond the counts in `tests/guard/counts.toml` fails; `./test --bless-guard "reason"` records
//! new ones. Children (clang, cc, the program under test) are not counted.

#![allow(clippy::unwrap_used, clippy::print_stdout, unreachable_pub)]

mod counting;
mod record;
mod surroundings;

use counting::{WORKLOADS, Workload, count};
use libtest_mimic::{Arguments, Failed, Trial};
use record::{Record, Verdict};
use std::process::ExitCode;

/// Set to the reason for the new counts: they are recorded instead of compared.
const BLESS: &str = "LABRYS_BLESS_GUARD";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match std::env::var(BLESS) {
        Ok(reason) if !arguments.list => bless(&reason),
        _ => libtest_mimic::run(&arguments, trials()).exit_code(),
    }
}

fn trials() -> Vec<Trial> {
    let trial = |workload: &'static Workload| {
        Trial::test(format!("guard/{}", workload.name), || compare(workload))
    };
    WORKLOADS.iter().map(trial).collect()
}

/// Counts a workload and compares it with the record.
fn compare(workload: &Workload) -> Result<(), Failed> {
    let record = Record::read()?;
    let name = workload.name;
    if let Some(difference) = record.surroundings.difference(&surroundings::here()?) {
        println!("{name}: not compared, since the counts were recorded with {difference}");
        return Ok(());
    }
    let now = count(workload)?;
    let before = record.instructions(name)?;
    match Verdict::of(before, now) {
        Verdict::Slower(percent) => Err(format!(
            "{name}: {now} instructions, {before} recorded: {percent:+.1} %. If the change is worth \
             it, record it in the same commit: ./test --bless-guard \"reason\""
        )
        .into()),
        Verdict::Faster(percent) => {
            println!(
                "{name}: {now} instructions, {before} recorded: {percent:+.1} %. Record that with \
                 ./test --bless-guard \"reason\", or the guard will not notice when it is lost"
            );
            Ok(())
        }
        Verdict::Same(percent) => {
            println!("{name}: {now} instructions, {before} recorded: {percent:+.1} %");
            Ok(())
        }
    }
}

/// Records the counts of all workloads.
fn bless(reason: &str) -> ExitCode {
    match record_all(reason) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("guard: {error}");
            ExitCode::FAILURE
        }
    }
}

fn record_all(reason: &str) -> Result<(), String> {
    if reason.trim().is_empty() {
        return Err("a reason for the new counts is needed".into());
    }
    let mut record = Record::begin(surroundings::here()?)?;
    // Two at a time, as the tests run.
    for pair in WORKLOADS.chunks(2) {
        let counts: Vec<_> = std::thread::scope(|scope| {
            let runs: Vec<_> = pair.iter().map(|w| scope.spawn(|| count(w))).collect();
            runs.into_iter().map(|run| run.join().unwrap()).collect()
        });
        for (workload, now) in pair.iter().zip(counts) {
            println!("{}", record.enter(workload.name, now?, reason));
        }
    }
    record.write()
}
