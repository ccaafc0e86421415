//! `bench explore`: all paths of five programs, by paths a second.

use super::clock::{cpu_time, median};
use super::lab::Lab;
use super::{Findings, announce};
use labrys_driver::{Failure, Outcome};
use labrys_engine::{Config, Search, Silent, Stop, explore};
use labrys_ledger::Criterion;
use std::time::Duration;

/// Each program with the paths a second that it must have at least.
pub const PROGRAMS: [(&str, f64); 5] = [
    ("tag_parser", 60_000.0),
    ("utf8_checker", 24_000.0),
    ("counting_loop", 85_000.0),
    ("bubble_sort", 830.0),
    ("collision_avoidance", 430.0),
];

/// Runs of a program; the median counts.
const RUNS: usize = 9;

pub fn run(lab: &Lab) -> Outcome<Findings> {
    let mut findings = Findings::new(&[
        "program", "paths", "distinct", "expected", "tests", "queries", "to SAT", "time",
        "paths/s", "target",
    ]);
    for (name, least) in PROGRAMS {
        announce("explore", name);
        let program = lab.prepare(name, &[Criterion::Branch])?;
        let mut times: Vec<Duration> = Vec::new();
        let mut last = None;
        for _ in 0..lab.runs(RUNS) {
            let config = all_paths();
            let (report, time) = cpu_time(|| {
                explore(
                    &program.module,
                    &program.entry,
                    &program.objectives,
                    &config,
                    &mut Silent,
                )
            })?;
            last = Some(report.map_err(Failure::internal)?);
            times.push(time);
        }
        let Some(report) = last else { continue };
        let time = median(&mut times);
        let paths = report.work.paths;
        let speed = paths as f64 / time.as_secs_f64();
        let expected = lab.expectation(name, "paths");
        findings.require(
            report.stop == Stop::Exhausted && report.gaps.is_empty(),
            || {
                format!(
                    "{name}: not all paths were explored ({})",
                    report.stop.name()
                )
            },
        );
        findings.require(
            expected.is_none_or(|e| e == report.distinct_paths.to_string()),
            || {
                format!(
                    "{name}: {} distinct paths, not {}",
                    report.distinct_paths,
                    expected.unwrap_or("?")
                )
            },
        );
        findings.demand(speed >= least, || {
            format!("{name}: {speed:.0} paths a second, wanted {least:.0}")
        });
        let heavy = report.solver.blast.asked + report.solver.bitwuzla.asked;
        findings.table.row(vec![
            name.into(),
            paths.to_string(),
            report.distinct_paths.to_string(),
            expected.unwrap_or("-").into(),
            report.tests.len().to_string(),
            report.solver.queries.to_string(),
            heavy.to_string(),
            format!("{:.2} ms", time.as_secs_f64() * 1e3),
            format!("{speed:.0}"),
            format!(">= {least:.0}"),
        ]);
    }
    findings
        .notes
        .push("Processor time, median of nine runs.".into());
    Ok(findings)
}

/// Every path, every test kept, one thread.
pub fn all_paths() -> Config {
    Config {
        search: Search::Dfs,
        exhaust: true,
        every_path: true,
        time: None,
        ..Config::default()
    }
}
