//! `bench limits`: does `--time` hold for whole runs of programs that are large or hard in one
//! way each? The wall time of every run is compared with its limit. The programs are generated.

use super::lab::Lab;
use super::{Findings, announce};
use crate::product::labrys;
use labrys_driver::output::Summary;
use labrys_driver::{Failure, Outcome};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

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

const CASES: [LimitCase; 12] = [
    LimitCase {
        name: "5,000 functions, 20,000 lines",
        text: many_functions,
        size: 5_000,
        short_size: 300,
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
    findings.notes.push(format!(
        "Wall time of whole runs of labrys gen; allowed is the limit, {:.0} % of it and {} s.",
        OVERTIME * 100.0,
        MORE_OVERTIME.as_secs()
    ));
    Ok(findings)
}

fn measure(lab: &Lab, case: &LimitCase, source: &Path, findings: &mut Findings) -> Outcome<()> {
    let seconds = if lab.short { 2 } else { case.seconds };
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
    let shown = |of: &dyn Fn(&Summary) -> String| summary.as_ref().map_or("-".into(), of);
    findings.table.row(vec![
        case.name.into(),
        format!("{seconds} s"),
        format!("{:.1} s", wall.as_secs_f64()),
        format!("{:.2}", wall.as_secs_f64() / allowed.as_secs_f64()),
        summary
            .as_ref()
            .map_or("not read".into(), |s| s.stop.clone()),
        shown(&|s| format!("{} of {}", s.totals.covered, s.totals.objectives)),
        shown(&|s| format!("{} MiB", s.work.peak_rss_mb)),
        "<= 1".into(),
    ]);
    Ok(())
}

/// Four lines each; every function calls the one before it.
fn many_functions(number: usize) -> String {
    let mut text =
        String::from("int f0(int x, int y)\n{ if (x > 0 && y < x) return x;\n  return y;\n}\n");
    for i in 1..number {
        let _ = write!(
            text,
            "int f{i}(int x, int y)\n{{ if (x > {i} && y < x) return x - {i};\n  if (y == {}) return f{}(y, x); return 0;\n}}\n",
            i * 7 + 3,
            i - 1
        );
    }
    text
}

fn large_array(bytes: usize) -> String {
    format!(
        "char a[{bytes}] = {{1, 2, 3}};\nint f(unsigned i) {{ if (i < sizeof a && a[i] == 2) return 1; return 0; }}\n"
    )
}

fn conjuncts(number: usize) -> String {
    let conditions: Vec<String> = (0..number)
        .map(|i| format!("x[{}] != {i}", i % 4))
        .collect();
    format!(
        "int f(int *x)\n{{\n  if ({}) return 1;\n  return 0;\n}}\n",
        conditions.join(" && ")
    )
}

fn products(_: usize) -> String {
    "int f(unsigned long a, unsigned long b)\n{\n  if (a > 1 && b > 1 && a < 0xffffffffUL && b < 0xffffffffUL && a * b == 18446744030759878681UL) return 1;\n  if (a * a * a + b * b * b == 0x123456789abcdefUL && a > 10 && b > 10) return 2;\n  return 0;\n}\n".into()
}

fn doubles(_: usize) -> String {
    "int f(double a, double b, double c)\n{\n  if (a * a * a + b * b * b == c * c * c && a > 1 && b > 1 && c > 1) return 1;\n  if (a / b / c == 3.7 && a * b * c == 2.9e10) return 2;\n  return 0;\n}\n".into()
}

fn many_cases(number: usize) -> String {
    let cases: String = (0..number)
        .map(|i| format!("  case {}: g = {i}; break;\n", i * 13))
        .collect();
    format!("int g;\nint f(int x)\n{{\n  switch (x) {{\n{cases}  }}\n  return g;\n}}\n")
}

/// Each case never ends natively.
fn hangs(number: usize) -> String {
    let cases: String = (0..number)
        .map(|i| format!("  case {i}: for (;;) g++;\n"))
        .collect();
    format!("volatile int g;\nint f(int x)\n{{\n  switch (x) {{\n{cases}  }}\n  return g;\n}}\n")
}
