//! `bench explore`: all paths of five programs with a test for each: the search, by paths a second,
//! and the choice of values that are easier to read.

use super::clock::{cpu_time, median};
use super::lab::{Lab, Prepared};
use super::{Findings, announce};
use labrys_budget::Deadline;
use labrys_driver::{Failure, Outcome};
use labrys_engine::{Config, Report, Search, Silent, Stop, explore};
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

/// The choice of values may take as long as the search. A search that is over sooner than this
/// leaves it this long: a few questions for each test of a small function.
const LEAST_VALUES: Duration = Duration::from_millis(5);

/// Runs of a program, with and without the choice of values by turns; the median counts.
const RUNS: usize = 9;

pub fn run(lab: &Lab) -> Outcome<Findings> {
    let mut findings = Findings::new(&[
        "program", "paths", "distinct", "expected", "tests", "queries", "to SAT", "search",
        "paths/s", "target", "values", "target",
    ]);
    for (name, least) in PROGRAMS {
        announce("explore", name);
        let program = lab.prepare(name, &[Criterion::Branch])?;
        let raw = Config {
            raw_values: true,
            ..all_paths()
        };
        let (mut searches, mut choices) = (Vec::new(), Vec::new());
        let report = loop {
            let (_, search) = timed(&program, &raw)?;
            let (report, whole) = timed(&program, &all_paths())?;
            searches.push(search);
            choices.push(whole.saturating_sub(search));
            if searches.len() >= lab.runs(RUNS) {
                break report;
            }
        };
        let (search, values) = (median(&mut searches), median(&mut choices));
        let speed = report.work.paths as f64 / search.as_secs_f64();
        let expected = lab.expectation(name, "paths");
        check_paths(name, &report, expected, &mut findings);
        findings.demand(speed >= least, || {
            format!("{name}: {speed:.0} paths a second, wanted {least:.0}")
        });
        let most = search.max(LEAST_VALUES);
        findings.demand(values <= most, || {
            format!("{name}: values take {}, wanted {}", ms(values), ms(most))
        });
        let heavy = report.solver.blast.asked + report.solver.bitwuzla.asked;
        findings.table.row(vec![
            name.into(),
            report.work.paths.to_string(),
            report.distinct_paths.to_string(),
            expected.unwrap_or("-").into(),
            report.tests.len().to_string(),
            report.solver.queries.to_string(),
            heavy.to_string(),
            ms(search),
            format!("{speed:.0}"),
            format!(">= {least:.0}"),
            ms(values),
            format!("<= {}", ms(most)),
        ]);
    }
    findings.notes.push(format!(
        "Processor time, medians of {} runs by turns. Search: with --raw-values. Values: what a run \
         that chooses them takes longer than the one before it.",
        lab.runs(RUNS)
    ));
    Ok(findings)
}

fn ms(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

/// Explores a program: what was found, and the processor time.
fn timed(program: &Prepared, config: &Config) -> Outcome<(Report, Duration)> {
    let (report, time) = cpu_time(|| {
        explore(
            &program.module,
            &program.entry,
            &program.objectives,
            config,
            &mut Silent,
        )
    })?;
    Ok((report.map_err(Failure::internal)?, time))
}

/// All paths must be there, and as many as the program's comment says.
fn check_paths(name: &str, report: &Report, expected: Option<&str>, findings: &mut Findings) {
    let complete = report.stop == Stop::Exhausted && report.gaps.is_empty();
    findings.require(complete, || {
        let why = report.stop.name();
        format!("{name}: not all paths were explored ({why})")
    });
    let found = report.distinct_paths.to_string();
    findings.require(expected.is_none_or(|e| e == found), || {
        let expected = expected.unwrap_or("?");
        format!("{name}: {found} distinct paths, not {expected}")
    });
}

/// Every path, every test kept, one thread.
pub fn all_paths() -> Config {
    Config {
        search: Search::Dfs,
        exhaust: true,
        every_path: true,
        deadline: Deadline::never(),
        ..Config::default()
    }
}
