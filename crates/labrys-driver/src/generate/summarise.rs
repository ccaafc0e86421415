//! What a run has found, in the figures of `summary.json`.

use super::session::{SearchResults, SearchedEntry};
use crate::output::summary::{
    ErrorRecord, FunctionTotals, ProofTotals, StubRecord, Summary, WorkRecord,
};
use labrys_engine::{PathEnd, StackLine, Stop};
use labrys_ir::Module;
use labrys_ledger::protocol::{HARNESS_PREFIX, OWN_PREFIX};
use labrys_ledger::{Assumption, AssumptionClass, Criterion, Ledger, Status, StatusTotals};
use labrys_suite::{SCHEMA, SuiteTarget};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The summary of a run that took `wall`.
pub fn summarise(
    found: &SearchResults,
    target: SuiteTarget,
    criteria: Vec<Criterion>,
    wall: Duration,
) -> Summary {
    let totals = found.ledger.totals();
    let by_criterion = criteria
        .iter()
        .map(|c| (c.name().to_owned(), found.ledger.totals_of(*c)))
        .collect();
    let totals_of = totals_by_function(found);
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
        let assumptions = searched.report.assumptions.iter();
        limits.extend(assumptions.filter(|text| is_limit(text)).cloned());
    }
    limits.sort();
    limits.dedup();
    Summary {
        schema: SCHEMA.to_owned(),
        target,
        criteria,
        totals,
        by_criterion,
        proofs: proofs(&found.ledger),
        by_function: found
            .searched
            .iter()
            .map(|s| function_totals(&totals_of, s))
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
        contradictions: found.ledger.contradictions().to_vec(),
        notes: found.notes.clone(),
        augmentation: found.augmentation.clone(),
        checks: Vec::new(),
    }
}

/// Is this more than what C guarantees and the user has said?
fn is_limit(assumption: &str) -> bool {
    let class = Assumption::parse(assumption).class();
    class != AssumptionClass::Language && class != AssumptionClass::User
}

/// On what the proofs of a run stand.
fn proofs(ledger: &Ledger) -> ProofTotals {
    let mut totals = ProofTotals::default();
    for (_, status) in ledger.iter() {
        let Status::Infeasible { proof } = status else {
            continue;
        };
        let assumes = proof.assumes().iter();
        let kinds: BTreeSet<&str> = assumes.map(|a| Assumption::parse(a).kind()).collect();
        totals.infeasible += 1;
        totals.unconditional += u64::from(kinds.is_empty());
        for kind in kinds {
            *totals.by_assumption.entry(kind.to_owned()).or_default() += 1;
        }
    }
    totals
}

fn round(score: f64) -> f64 {
    (score * 10_000.0).floor() / 10_000.0
}

/// The totals of each function's own objectives.
fn totals_by_function(found: &SearchResults) -> BTreeMap<&str, StatusTotals> {
    let mut totals: BTreeMap<&str, StatusTotals> = BTreeMap::new();
    for (objective, status) in found.ledger.iter() {
        let of_function = totals.entry(&objective.function).or_default();
        of_function.count(status);
    }
    totals
}

fn function_totals(
    totals_of: &BTreeMap<&str, StatusTotals>,
    searched: &SearchedEntry,
) -> FunctionTotals {
    let mut totals = StatusTotals::default();
    let scope: BTreeSet<&String> = searched.entry.scope.iter().collect();
    for function in scope {
        if let Some(more) = totals_of.get(function.as_str()) {
            totals.add(more);
        }
    }
    FunctionTotals {
        function: searched.entry.function.clone(),
        totals,
        tests: searched.judged.tests.len(),
        paths: searched.report.work.paths,
        stop: searched.report.stop.name().to_owned(),
    }
}

fn errors(found: &SearchResults, searched: &SearchedEntry) -> Vec<ErrorRecord> {
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
    // The program's own main and its own library functions have other names in the annotated text.
    let function = match line.function.as_str() {
        "labrys_main" => "main",
        other => other.strip_prefix(OWN_PREFIX).unwrap_or(other),
    };
    let file = module.file(line.loc);
    format!("{function} at {file}:{}", line.loc.line)
}

fn work(found: &SearchResults, wall: Duration) -> WorkRecord {
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
        record.fault_checks.asked += work.fault_checks.asked;
        record.fault_checks.sat += work.fault_checks.sat;
        record.fault_checks.unsat += work.fault_checks.unsat;
        record.fault_checks.unknown += work.fault_checks.unknown;
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
fn stop(found: &SearchResults) -> &'static str {
    let weight = |stop: Stop| match stop {
        Stop::AllCovered => 0,
        Stop::Exhausted => 1,
        Stop::Paths | Stop::Sizes => 2,
        Stop::Steps => 3,
        Stop::Memory => 4,
        Stop::Time => 5,
        Stop::Interrupted => 6,
    };
    let stops = found.searched.iter().map(|s| s.report.stop);
    stops
        .max_by_key(|stop| weight(*stop))
        .map_or("all-covered", Stop::name)
}
