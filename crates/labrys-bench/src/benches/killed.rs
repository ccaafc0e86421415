//! `bench killed`: runs that are killed (`kill -9`) at random moments. What they have reported by
//! then is on disk and can be read: no file is cut off, every test that was announced has its
//! inputs, and a suite stands there soon after the first test.

use super::lab::Lab;
use super::{Findings, announce};
use crate::arguments::BenchArgs;
use crate::draw::Draw;
use crate::product::labrys;
use labrys_driver::{Failure, Outcome};
use labrys_suite::Suite;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const PROGRAM: &str = include_str!("programs/endless.c");

/// How many runs are killed and the latest moment, in milliseconds after the start; the same in the
/// short form.
const KILLED: (usize, usize) = (50, 6000);
const SHORT: (usize, usize) = (3, 2000);

/// After so many seconds of finding tests there must be a suite: it is written once a second, or
/// more seldom if that takes long.
const SUITE_AFTER: f64 = 3.0;

#[derive(Default)]
struct Counts {
    /// Runs that had announced a test, and those that had written a suite.
    with_tests: usize,
    with_suite: usize,
    events: usize,
    tests: usize,
    in_suites: usize,
}

pub fn run(lab: &Lab, args: &BenchArgs) -> Outcome<Findings> {
    let (runs, latest) = if args.short { SHORT } else { KILLED };
    let source = lab.write("endless.c", PROGRAM)?;
    let mut draw = Draw::new(9);
    let mut counts = Counts::default();
    let mut findings = Findings::new(&[
        "runs",
        "with tests",
        "with a suite",
        "events",
        "tests",
        "tests in suites",
    ]);
    for number in 0..runs {
        // The same directory again and again: what is left of a run must not disturb the next.
        let out = lab.path().join("killed");
        let moment = Duration::from_millis(draw.below(latest) as u64);
        kill_after(&source, &out, moment)?;
        if number % 10 == 0 {
            announce("killed", &format!("{number} of {runs}"));
        }
        if let Err(wrong) = inspect(&out, &mut counts) {
            findings
                .wrong
                .push(format!("run {number}, killed after {moment:?}: {wrong}"));
        }
    }
    findings.table.row(vec![
        runs.to_string(),
        counts.with_tests.to_string(),
        counts.with_suite.to_string(),
        counts.events.to_string(),
        counts.tests.to_string(),
        counts.in_suites.to_string(),
    ]);
    Ok(findings)
}

fn kill_after(source: &Path, out: &Path, moment: Duration) -> Outcome<()> {
    let mut child = Command::new(labrys()?)
        .arg("gen")
        .arg(source)
        .args([
            "--criterion",
            "path",
            "--time",
            "60s",
            "--array-len",
            "8",
            "--out",
        ])
        .arg(out)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| Failure::usage(format_args!("cannot run labrys: {e}")))?;
    std::thread::sleep(moment);
    child.kill().map_err(Failure::usage)?;
    child.wait().map(|_| ()).map_err(Failure::usage)
}

/// What is wrong with what a killed run has left, in one line.
fn inspect(out: &Path, counts: &mut Counts) -> Result<(), String> {
    let Ok(entries) = std::fs::read_dir(out) else {
        return Ok(());
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".json") {
            let bytes = std::fs::read(entry.path()).map_err(|e| format!("{name}: {e}"))?;
            serde_json::from_slice::<Value>(&bytes).map_err(|e| format!("{name}: {e}"))?;
        }
    }
    let events = std::fs::read_to_string(out.join("events.jsonl")).unwrap_or_default();
    if !events.is_empty() && !events.ends_with('\n') {
        return Err("events.jsonl ends in the middle of a line".to_owned());
    }
    let mut times = Vec::new();
    for line in events.lines() {
        let event: Value = serde_json::from_str(line).map_err(|e| format!("{line}: {e}"))?;
        counts.events += 1;
        if event["event"] == "test" {
            times.push(event["s"].as_f64().unwrap_or_default());
            if event["inputs"].as_array().is_none_or(Vec::is_empty) {
                return Err(format!("a test without inputs: {line}"));
            }
        }
    }
    counts.tests += times.len();
    let (Some(first), Some(last)) = (times.first(), times.last()) else {
        return Ok(());
    };
    counts.with_tests += 1;
    let path = out.join("suite.json");
    if path.is_file() {
        let suite = Suite::read(&path).map_err(|e| e.to_string())?;
        counts.with_suite += 1;
        counts.in_suites += suite.tests.len();
        if suite.tests.is_empty() || suite.tests.len() > times.len() {
            return Err(format!(
                "{} tests in the suite, {} announced",
                suite.tests.len(),
                times.len()
            ));
        }
    } else if last - first > SUITE_AFTER {
        return Err(format!("no suite after {} seconds", last - first));
    }
    Ok(())
}
