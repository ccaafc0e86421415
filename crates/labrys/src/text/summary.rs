//! The result of `gen` for people.

use super::checks;
use labrys_driver::generate::SearchResults;
use labrys_driver::output::Summary;
use labrys_driver::output::augmentation::{Augmentation, KindRecord};
use labrys_driver::request::Augment;
use labrys_ledger::{Criterion, Status};
use labrys_show::table::Table;
use std::fmt::Write;

/// The result for people.
pub fn text(found: &SearchResults, summary: &Summary) -> String {
    let mut out = format!("{}\n", by_function(summary));
    by_criterion(summary, &mut out);
    proofs(summary, &mut out);
    if let Some(augmentation) = &summary.augmentation {
        out.push_str(&augmented(augmentation));
    }
    not_covered(found, &mut out);
    errors(summary, &mut out);
    limits(summary, &mut out);
    for note in summary.notes.iter().take(MOST_NOTES) {
        let _ = writeln!(out, "note: {note}");
    }
    if summary.notes.len() > MOST_NOTES {
        let rest = summary.notes.len() - MOST_NOTES;
        let _ = writeln!(out, "note: {rest} more notes are in summary.json");
    }
    out.push_str(&checks::text(&summary.checks));
    let _ = writeln!(
        out,
        "{} tests, {} paths, {} queries, {:.2} s, stop: {}",
        summary.tests, summary.work.paths, summary.work.queries, summary.work.wall_s, summary.stop
    );
    out
}

fn by_function(summary: &Summary) -> Table {
    let mut table = Table::new(&[
        "function",
        "objectives",
        "covered",
        "infeasible",
        "unknown",
        "cov_f %",
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
            format!("{:.1}", f.totals.feasible_score() * 100.0),
            f.tests.to_string(),
            f.paths.to_string(),
            f.stop.clone(),
        ]);
    }
    table
}

fn by_criterion(summary: &Summary, out: &mut String) {
    for (criterion, totals) in &summary.by_criterion {
        let _ = if *criterion == Criterion::Path.name() {
            writeln!(out, "path: {} different paths", summary.work.distinct_paths)
        } else if totals.objectives == 0 {
            writeln!(
                out,
                "{criterion}: the program has no objectives of this kind"
            )
        } else {
            writeln!(
                out,
                "{criterion}: {} of {} covered ({:.1} %), {} infeasible, {} unknown",
                totals.covered,
                totals.objectives,
                totals.score() * 100.0,
                totals.infeasible,
                totals.unknown
            )
        };
    }
}

/// On what the proofs stand.
fn proofs(summary: &Summary, out: &mut String) {
    let proofs = &summary.proofs;
    if proofs.by_assumption.is_empty() {
        return;
    }
    let kinds = proofs.by_assumption.iter();
    let kinds: Vec<String> = kinds.map(|(kind, n)| format!("{kind} ({n})")).collect();
    let _ = writeln!(
        out,
        "infeasible: {}, of these {} without any assumption; the others stand on: {}",
        proofs.infeasible,
        proofs.unconditional,
        kinds.join(", ")
    );
}

/// The objectives that are infeasible or unknown.
fn not_covered(found: &SearchResults, out: &mut String) {
    let mut count = 0;
    for (objective, status) in found.ledger.iter() {
        let why = match status {
            Status::Infeasible { .. } => "infeasible".to_owned(),
            Status::Unknown { reason } => format!("unknown: {reason}"),
            Status::Open | Status::Covered { .. } => continue,
        };
        count += 1;
        if count <= MOST_OBJECTIVES {
            let _ = writeln!(
                out,
                "  {:<12} {}:{}:{}  {}  [{why}]",
                objective.id, objective.file, objective.line, objective.column, objective.text
            );
        }
    }
    if let Some(rest @ 1..) = count.checked_sub(MOST_OBJECTIVES) {
        let _ = writeln!(out, "  {rest} more are in objectives.json");
    }
}

fn errors(summary: &Summary, out: &mut String) {
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
}

/// What the result depends on, or what kept it from being complete.
fn limits(summary: &Summary, out: &mut String) {
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

/// What `--augment` has added.
fn augmented(augmentation: &Augmentation) -> String {
    let mut out = String::new();
    for (kind, counts) in &augmentation.kinds {
        let KindRecord {
            conditions,
            met_before,
            met,
            tests,
        } = counts;
        let what = match kind {
            Augment::Mutation => "mutants killed",
            _ => "conditions met",
        };
        let name = kind.name();
        out.push_str(&format!(
            "augmented by {name}: {met} of {conditions} {what}, {met_before} before; {tests} tests added\n"
        ));
    }
    out
}
