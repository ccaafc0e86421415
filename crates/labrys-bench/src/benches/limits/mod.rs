//! `bench limits`: does `--time` hold for whole runs of programs that are large or hard in one
//! way each? The wall time of every run is compared with its limit. The programs are generated.
//! And do SIGINT and SIGTERM end a run within a second, whatever it is doing?

mod signals;
mod texts;

use super::lab::Lab;
use super::{Findings, announce};
use crate::product::labrys;
use labrys_driver::output::Summary;
use labrys_driver::{Failure, Outcome};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use texts::{
    conjuncts, conjuncts_of_parameters, doubles, hangs, large_array, many_cases, many_functions,
    pointer_functions, products,
};

/// A run may last this much longer than its limit: a tenth, and two seconds.
const OVERTIME: f64 = 0.1;
const MORE_OVERTIME: Duration = Duration::from_secs(2);

/// The short form judges no speed; it only shows that a run ends at all.
const SHORT_OVERTIME: Duration = Duration::from_secs(120);

/// A program that takes long in one way.
struct LimitCase {
    name: &'static str,
    text: fn(size: usize) -> String,
    /// What the text is made for: so many functions, conditions or bytes.
    size: usize,
    /// The same in the short form.
    short_size: usize,
    seconds: u64,
    options: &'static [&'static str],
}

const CASES: [LimitCase; 14] = [
    LimitCase {
        name: "5,000 functions, 20,000 lines",
        text: many_functions,
        size: 5_000,
        short_size: 100,
        seconds: 20,
        options: &[],
    },
    LimitCase {
        name: "5,000 functions with pointers",
        text: pointer_functions,
        size: 5_000,
        short_size: 30,
        seconds: 20,
        options: &[],
    },
    LimitCase {
        name: "initialised array of 1 GB",
        text: large_array,
        size: 1 << 30,
        short_size: 1 << 24,
        seconds: 5,
        options: &[],
    },
    LimitCase {
        name: "1,000 conjuncts",
        text: conjuncts,
        size: 1_000,
        short_size: 100,
        seconds: 5,
        options: &[],
    },
    LimitCase {
        name: "1,000 conjuncts of parameters",
        text: conjuncts_of_parameters,
        size: 1_000,
        short_size: 100,
        seconds: 5,
        options: &[],
    },
    LimitCase {
        name: "1,000 conjuncts, mcdc",
        text: conjuncts,
        size: 1_000,
        short_size: 100,
        seconds: 5,
        options: &["--criterion", "mcdc"],
    },
    LimitCase {
        name: "1,000 conjuncts, multiple-condition",
        text: conjuncts,
        size: 1_000,
        short_size: 100,
        seconds: 5,
        options: &["--criterion", "multiple-condition"],
    },
    LimitCase {
        name: "64-bit products",
        text: products,
        size: 0,
        short_size: 0,
        seconds: 5,
        options: &[],
    },
    LimitCase {
        name: "cubes of doubles",
        text: doubles,
        size: 0,
        short_size: 0,
        seconds: 5,
        options: &[],
    },
    LimitCase {
        name: "64-bit products, --validate",
        text: products,
        size: 0,
        short_size: 0,
        seconds: 5,
        options: &["--validate"],
    },
    LimitCase {
        name: "4,000 tests",
        text: many_cases,
        size: 4_000,
        short_size: 200,
        seconds: 5,
        options: &[],
    },
    LimitCase {
        name: "4,000 tests, llvm-cov and gcov",
        text: many_cases,
        size: 4_000,
        short_size: 200,
        seconds: 5,
        options: &["--llvm-cov", "--gcov"],
    },
    LimitCase {
        name: "4,000 tests, augmented",
        text: many_cases,
        size: 4_000,
        short_size: 200,
        seconds: 5,
        options: &["--augment", "boundary,mutation"],
    },
    LimitCase {
        name: "native runs that hang",
        text: hangs,
        size: 20,
        short_size: 3,
        seconds: 5,
        options: &["--max-steps", "100000"],
    },
];

pub fn run(lab: &Lab) -> Outcome<Findings> {
    let mut findings = Findings::new(&[
        "program",
        "limit",
        "wall time",
        "of the allowed time",
        "stop",
        "covered",
        "most memory",
        "target",
    ]);
    for (number, case) in CASES.iter().enumerate() {
        announce("limits", case.name);
        let size = if lab.short {
            case.short_size
        } else {
            case.size
        };
        let source = lab.path().join(format!("limit-{number}.c"));
        std::fs::write(&source, (case.text)(size)).map_err(Failure::usage)?;
        measure(lab, case, &source, &mut findings)?;
    }
    signals::measure(lab, &mut findings)?;
    findings.notes.push(format!(
        "Wall time of whole runs of labrys gen; allowed is the limit, {:.0} % of it and {} s; after a signal one second.",
        OVERTIME * 100.0,
        MORE_OVERTIME.as_secs()
    ));
    Ok(findings)
}

fn measure(lab: &Lab, case: &LimitCase, source: &Path, findings: &mut Findings) -> Outcome<()> {
    let seconds = if lab.short { 1 } else { case.seconds };
    let mut command = Command::new(labrys()?);
    command.arg("gen").arg(source).args(case.options);
    command.args(["--quiet", "--format", "json"]);
    command.arg("--time").arg(format!("{seconds}s"));
    command.arg("--out").arg(lab.path().join("limits"));
    let started = Instant::now();
    let output = command.output().map_err(Failure::usage)?;
    let wall = started.elapsed();
    let limit = Duration::from_secs(seconds);
    let allowed = limit.mul_f64(1.0 + OVERTIME) + MORE_OVERTIME;
    // Too little time even to read the program is a clear message and no summary.
    let summary: Option<Summary> = serde_json::from_slice(&output.stdout).ok();
    findings.require(summary.is_some() || output.status.code() == Some(1), || {
        let message = String::from_utf8_lossy(&output.stderr);
        format!("{}: {}: {}", case.name, output.status, message.trim())
    });
    findings.require(!lab.short || wall < SHORT_OVERTIME, || {
        format!("{}: {:.1} s", case.name, wall.as_secs_f64())
    });
    findings.demand(wall <= allowed, || {
        format!(
            "{}: {:.1} s, allowed {:.1} s",
            case.name,
            wall.as_secs_f64(),
            allowed.as_secs_f64()
        )
    });
    row(
        findings,
        case.name,
        limit,
        [wall, allowed],
        summary.as_ref(),
    );
    Ok(())
}

/// Adds a row for a run that took the first of the times and was allowed the second.
fn row(
    findings: &mut Findings,
    name: &str,
    limit: Duration,
    [wall, allowed]: [Duration; 2],
    summary: Option<&Summary>,
) {
    let shown = |of: &dyn Fn(&Summary) -> String| summary.map_or("-".into(), of);
    findings.table.row(vec![
        name.to_owned(),
        format!("{} s", limit.as_secs()),
        format!("{:.1} s", wall.as_secs_f64()),
        format!("{:.2}", wall.as_secs_f64() / allowed.as_secs_f64()),
        summary.map_or("not read".into(), |s| s.stop.clone()),
        shown(&|s| format!("{} of {}", s.totals.covered, s.totals.objectives)),
        shown(&|s| format!("{} MiB", s.work.peak_rss_mb)),
        "<= 1".into(),
    ]);
}
