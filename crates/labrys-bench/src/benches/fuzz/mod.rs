//! `bench fuzz`: every reader of files, option values and answers of other tools
//! (`crates/labrys-fuzz`), on a million damaged inputs each. None may panic. The inputs come from
//! valid ones by random changes with a fixed seed, in this process.

mod change;

use super::lab::Lab;
use super::{Findings, announce};
use crate::arguments::BenchArgs;
use change::Changer;
use labrys_driver::Outcome;
use labrys_fuzz::Reader;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Inputs for each reader, and in the short form.
const INPUTS: u64 = 1_000_000;
const SHORT: u64 = 3_000;

/// An input that takes longer is reported: a reader must not be slow on a small file.
const SLOW: Duration = Duration::from_secs(1);

pub fn run(_: &Lab, args: &BenchArgs) -> Outcome<Findings> {
    let inputs = match args.short {
        true => SHORT,
        false => args.iterations.unwrap_or(INPUTS),
    };
    let mut findings =
        Findings::new(&["reader", "inputs", "accepted", "panics", "slow", "seconds"]);
    let wanted = |r: &&Reader| args.program.is_empty() || args.program.iter().any(|n| n == r.name);
    // The message of a panic would be printed for each of them.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    for reader in labrys_fuzz::readers().filter(wanted) {
        announce("fuzz", reader.name);
        fuzz(reader, inputs, &mut findings);
    }
    std::panic::set_hook(hook);
    Ok(findings)
}

fn fuzz(reader: &Reader, inputs: u64, findings: &mut Findings) {
    let mut changer = Changer::new(reader.name, (reader.seeds)());
    let (mut accepted, mut panics, mut slow) = (0u64, 0u64, 0u64);
    let started = Instant::now();
    for _ in 0..inputs {
        let input = changer.next();
        let before = Instant::now();
        let read = catch_unwind(AssertUnwindSafe(|| (reader.read)(input)));
        let shown = || String::from_utf8_lossy(input).escape_debug().to_string();
        match read {
            Ok(valid) => accepted += u64::from(valid),
            Err(_) => {
                panics += 1;
                if panics <= 3 {
                    findings
                        .wrong
                        .push(format!("{} panics on \"{}\"", reader.name, shown()));
                }
            }
        }
        if before.elapsed() > SLOW {
            slow += 1;
            findings.require(slow > 1, || {
                format!("{} is slow on \"{}\"", reader.name, shown())
            });
        }
    }
    findings.table.row(vec![
        reader.name.to_owned(),
        inputs.to_string(),
        accepted.to_string(),
        panics.to_string(),
        slow.to_string(),
        format!("{:.1}", started.elapsed().as_secs_f64()),
    ]);
}
