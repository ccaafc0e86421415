//! The summary of a run: `summary.json`, and the same as text.

use crate::commands::generate::{Found, Searched};
use crate::crosscheck;
use crate::records::{ErrorRecord, FunctionTotals, StubRecord, Summary, WorkRecord};
use crate::table::Table;
use labrys_engine::{LabelWork, PathEnd, StackLine, Stop};
use labrys_ir::Module;
use labrys_ledger::protocol::HARNESS_PREFIX;
use labrys_ledger::{Criterion, Status};
use labrys_suite::{SCHEMA, SuiteTarget};
use std::fmt::Write;
use std::time::Duration;

pub fn summarise(
    found: &Found,
    target: SuiteTarget,
    criteria: Vec<Criterion>,
    wall: Duration,
) -> Summary {
    let totals = found.ledger.totals();
    let by_criterion = criteria
        .iter()
        .map(|c| (c.name().to_owned(), found.ledger.totals_of(*c)))
        .collect();
    let mut gaps = std::collections::BTreeMap::new();
    let mut pinned = std::collections::BTreeMap::new();
    let mut limits: Vec<String> = Vec::new();
    for searched in &found.searched {
        for (gap, count) in &searched.report.gaps {
            *gaps.entry(gap.clone()).or_default() += count;
        }
        for (function, count) in &searched.report.pinned {
            *pinned.entry(function.clone()).or_default() += count;
        }
        limits.extend(searched.report.limits.iter().cloned());
    }
    limits.sort();
    limits.dedup();
    Summary {
        schema: SCHEMA.to_owned(),
        target,
        criteria,
        totals,
        by_criterion,
        by_function: found
            .searched
            .iter()
            .map(|s| function_totals(found, s))
            .collect(),
        score: round(totals.score()),
        feasible_score: round(totals.feasible_score()),
        tests: found.searched.iter().map(|s| s.judged.tests.len()).sum(),
        errors: found
            .searched
            .iter()
            .flat_map(|s| errors(found, s))
            .collect(),
        work: work(found, wall),
        stop: stop(found).to_owned(),
        stubs: found
            .program
            .stubs
            .iter()
            .map(|s| StubRecord {
                name: s.name.clone(),
                declared: s.declared.clone(),
                calls: s.calls.clone(),
                hint: format!(
                    "to say what it does, define '{}' in a C file and give that as --model FILE.c",
                    s.prototype
                ),
            })
            .collect(),
        limits,
        gaps,
        pinned,
        divergences: found
            .searched
            .iter()
            .flat_map(|s| s.judged.divergences.clone())
            .collect(),
        notes: found.notes.clone(),
        augmentation: found.augmentation.clone(),
        checks: Vec::new(),
    }
}

fn round(score: f64) -> f64 {
    (score * 10_000.0).floor() / 10_000.0
}

fn function_totals(found: &Found, searched: &Searched) -> FunctionTotals {
    FunctionTotals {
        function: searched.entry.function.clone(),
        totals: found
            .ledger
            .totals_where(|o| searched.entry.scope.contains(&o.function)),
        tests: searched.judged.tests.len(),
        paths: searched.report.work.paths,
        stop: searched.report.stop.name().to_owned(),
    }
}

fn errors(found: &Found, searched: &Searched) -> Vec<ErrorRecord> {
    let module = &found.module;
    let mut records = Vec::new();
    for fault in &searched.report.faults {
        let Some(Some(test)) = searched.judged.numbers.get(fault.test).copied() else {
            continue;
        };
        let written = searched.judged.tests.iter().find(|t| t.id == test);
        let stack = fault
            .stack
            .iter()
            .filter(|line| !line.function.starts_with(HARNESS_PREFIX))
            .map(|line| stack_line(module, line))
            .collect();
        records.push(ErrorRecord {
            kind: fault.kind.name().to_owned(),
            file: module.file(fault.loc).to_owned(),
            line: fault.loc.line,
            test,
            function: searched.entry.function.clone(),
            stack,
            inputs: written.map_or_else(Vec::new, |t| {
                t.inputs
                    .iter()
                    .map(|i| format!("{} = {}", i.name, i.value))
                    .collect()
            }),
            native: searched
                .judged
                .native
                .get(&test)
                .cloned()
                .unwrap_or_default(),
        });
    }
    records
}

fn stack_line(module: &Module, line: &StackLine) -> String {
    // The program's own main has another name in the annotated text.
    let function = match line.function.as_str() {
        "labrys_main" => "main",
        other => other,
    };
    let file = module.file(line.loc);
    format!("{function} at {file}:{}", line.loc.line)
}

fn work(found: &Found, wall: Duration) -> WorkRecord {
    let mut record = WorkRecord {
        wall_s: (wall.as_secs_f64() * 1000.0).round() / 1000.0,
        peak_rss_mb: peak_rss_mb(),
        ..WorkRecord::default()
    };
    for searched in &found.searched {
        let (work, solver) = (&searched.report.work, &searched.report.solver);
        record.paths += work.paths;
        record.distinct_paths += searched.report.distinct_paths;
        record.instructions += work.instructions;
        record.most_candidates = record.most_candidates.max(work.most_candidates as u64);
        record.filtered += work.filtered;
        record.filtered_later += work.filtered_later;
        record.dropped += work.dropped;
        record.replayed += work.replayed;
        record.value_queries += work.value_queries;
        record.values_s += work.values_s;
        record.labels.tried += work.labels.tried;
        record.labels.infeasible += work.labels.infeasible;
        record.labels.covered += work.labels.covered;
        record.labels.dropped += work.labels.dropped;
        record.queries += solver.queries;
        record.sat += solver.sat;
        record.unsat += solver.unsat;
        record.solver_unknown += solver.unknown;
        record.solver_s += solver.blast.seconds + solver.bitwuzla.seconds + solver.external.seconds;
        for (name, count) in PathEnd::NAMES.iter().zip(work.ends) {
            if count > 0 {
                *record.ends.entry((*name).to_owned()).or_default() += count;
            }
        }
    }
    record
}

fn peak_rss_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kib = line.and_then(|l| l.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}

/// The weakest stop of all entries: exhausted only if all were.
fn stop(found: &Found) -> &'static str {
    let weight = |stop: Stop| match stop {
        Stop::AllCovered => 0,
        Stop::Exhausted => 1,
        Stop::Paths => 2,
        Stop::Memory => 3,
        Stop::Time => 4,
        Stop::Interrupted => 5,
    };
    let stops = found.searched.iter().map(|s| s.report.stop);
    stops
        .max_by_key(|stop| weight(*stop))
        .map_or("all-covered", Stop::name)
}

/// The result for people.
pub fn text(found: &Found, summary: &Summary) -> String {
    let mut out = String::new();
    let mut table = Table::new(&[
        "function",
        "objectives",
        "covered",
        "infeasible",
        "unknown",
        "tests",
        "paths",
        "stop",
    ]);
    for f in &summary.by_function {
        table.row(vec![
            f.function.clone(),
            f.totals.objectives.to_string(),
            f.totals.covered.to_string(),
            f.totals.infeasible.to_string(),
            f.totals.unknown.to_string(),
            f.tests.to_string(),
            f.paths.to_string(),
            f.stop.clone(),
        ]);
    }
    let _ = writeln!(out, "{table}");
    for (criterion, totals) in &summary.by_criterion {
        if *criterion == Criterion::Path.name() {
            let _ = writeln!(out, "path: {} different paths", summary.work.distinct_paths);
            continue;
        }
        if totals.objectives == 0 {
            let _ = writeln!(
                out,
                "{criterion}: the program has no objectives of this kind"
            );
            continue;
        }
        let _ = writeln!(
            out,
            "{criterion}: {} of {} covered ({:.1} %), {} infeasible, {} unknown",
            totals.covered,
            totals.objectives,
            totals.score() * 100.0,
            totals.infeasible,
            totals.unknown
        );
    }
    if let Some(augmentation) = &summary.augmentation {
        out.push_str(&augmentation.text());
    }
    let mut left_out = 0;
    let mut shown = 0;
    for (objective, status) in found.ledger.iter() {
        let why = match status {
            Status::Infeasible { .. } => "infeasible".to_owned(),
            Status::Unknown { reason } => format!("unknown: {reason}"),
            Status::Open | Status::Covered { .. } => continue,
        };
        shown += 1;
        if shown > MOST_OBJECTIVES {
            left_out += 1;
            continue;
        }
        let _ = writeln!(
            out,
            "  {:<12} {}:{}:{}  {}  [{why}]",
            objective.id, objective.file, objective.line, objective.column, objective.text
        );
    }
    if left_out > 0 {
        let _ = writeln!(out, "  {left_out} more are in objectives.json");
    }
    for error in &summary.errors {
        let _ = writeln!(
            out,
            "error: {} at {}:{} (test {}, natively: {})",
            error.kind, error.file, error.line, error.test, error.native
        );
        let _ = writeln!(out, "  inputs: {}", some(&error.inputs, MOST_INPUTS));
        for line in &error.stack {
            let _ = writeln!(out, "  in {line}");
        }
    }
    for stub in &summary.stubs {
        let _ = writeln!(
            out,
            "stub: '{}' has no body; it returns inputs (called at {})",
            stub.name,
            some(&stub.calls, MOST_CALLS)
        );
    }
    if let Some(first) = summary.stubs.first() {
        let _ = writeln!(out, "hint: {}", first.hint);
    }
    for (gap, count) in &summary.gaps {
        let _ = writeln!(out, "gap: {gap} ({count}×)");
    }
    for (function, count) in &summary.pinned {
        let _ = writeln!(out, "pinned for native call {function}: {count}");
    }
    for line in &summary.divergences {
        let _ = writeln!(out, "divergence: {line}");
    }
    for note in summary.notes.iter().take(MOST_NOTES) {
        let _ = writeln!(out, "note: {note}");
    }
    if summary.notes.len() > MOST_NOTES {
        let rest = summary.notes.len() - MOST_NOTES;
        let _ = writeln!(out, "note: {rest} more notes are in summary.json");
    }
    out.push_str(&crosscheck::text(&summary.checks));
    let _ = writeln!(
        out,
        "{} tests, {} paths, {} queries, {:.2} s, stop: {}",
        summary.tests, summary.work.paths, summary.work.queries, summary.work.wall_s, summary.stop
    );
    out
}

/// How much of a list is shown; the JSON files have all of it.
const MOST_INPUTS: usize = 12;
const MOST_CALLS: usize = 3;
const MOST_NOTES: usize = 12;
const MOST_OBJECTIVES: usize = 40;

/// The beginning of a list.
fn some(list: &[String], most: usize) -> String {
    let shown = list[..list.len().min(most)].join(", ");
    match list.len().saturating_sub(most) {
        0 => shown,
        rest => format!("{shown} and {rest} more"),
    }
}

/// Counters and table sizes on stderr.
#[allow(clippy::print_stderr)]
pub fn show_stats(found: &Found) {
    for searched in &found.searched {
        let (work, solver) = (&searched.report.work, &searched.report.solver);
        eprintln!("{}:", searched.entry.function);
        let line = |name: &str, value: u64| {
            if value > 0 {
                eprintln!("  {name}: {value}");
            }
        };
        line("paths", work.paths);
        line("instructions", work.instructions);
        for (name, count) in PathEnd::NAMES.iter().zip(work.ends) {
            line(&format!("paths that ended as {name}"), count);
        }
        let labels = work.labels;
        if labels != LabelWork::default() {
            line("leaves of labels tried", labels.tried);
            line("leaves of labels refuted", labels.infeasible);
            line("labels covered by leaves", labels.covered);
            line("leaves of covered labels dropped", labels.dropped);
        }
        line("candidates filtered when made", work.filtered);
        line("candidates filtered later", work.filtered_later);
        line("candidates refuted at once", work.cheap_unsat);
        line("candidates refuted by the solver", work.infeasible);
        line("candidates undecided", work.undecided);
        line("most candidates at a time", work.most_candidates as u64);
        line("values pinned", work.pinned);
        line("snapshots dropped", work.dropped);
        line("paths replayed", work.replayed);
        line("queries for readable values", work.value_queries);
        line("steps for readable values", work.value_steps);
        line("ms for readable values", (work.values_s * 1e3) as u64);
        line("collections of expressions", work.collections);
        for (name, size) in &searched.report.sizes {
            line(name, *size as u64);
        }
        match serde_json::to_value(solver) {
            Ok(serde_json::Value::Object(fields)) => {
                for (name, value) in fields {
                    eprintln!("  solver {}: {value}", name.replace('_', " "));
                }
            }
            _ => eprintln!("  solver: {solver:?}"),
        }
    }
}
