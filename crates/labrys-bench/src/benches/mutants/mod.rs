//! `bench mutants`: how fast mutants meet tests. The same mutants of the same programs meet the same
//! tests in three ways: (a) each mutant compiled and run by itself, (b) one program with all mutants,
//! started for every run, and our own, where the mutants of a test share a process.

mod measure;
mod subjects;

use super::lab::Lab;
use super::{Findings, announce};
use crate::arguments::BenchArgs;
use labrys_driver::Outcome;
use measure::{Measured, measure};
use std::time::Duration;
use subjects::{Kind, MutantSubject};

/// How many times as fast we want to be, in the median.
const OVER_COMPILING: f64 = 100.0;
const OVER_STARTING: f64 = 10.0;
const OVER_STARTING_PROGRAMS: f64 = 3.0;

/// The time of the search that makes a suite, unless --time says otherwise.
const DEFAULT_TIME: Duration = Duration::from_secs(20);

pub fn run(lab: &Lab, args: &BenchArgs) -> Outcome<Findings> {
    let time = args.time.map_or(DEFAULT_TIME, |time| time.0);
    let mut findings = Findings::new(&[
        "subject",
        "mutants",
        "tests",
        "pairs",
        "compiled /s",
        "started /s",
        "ours /s",
        "over compiling",
        "over starting",
        "over starting, sandboxed",
        "all kills: ours /s",
        "over one by one",
        "not split",
    ]);
    let mut all: Vec<(Kind, Measured)> = Vec::new();
    for subject in subjects::chosen(lab, args)? {
        announce("mutants", subject.name());
        let seen = measure(&subject.prepare(lab, time)?)?;
        findings.require(seen.contradictions.is_empty(), || {
            format!(
                "{}: verdicts depend on the way: {}",
                subject.name(),
                seen.contradictions.join("; ")
            )
        });
        findings.table.row(row(&subject, &seen));
        all.push((subject.kind, seen));
    }
    conclude(&all, &mut findings);
    findings.notes.push(format!(
        "Pairs: mutants times tests that come to them; up to the first kill, each kill by an output seen twice. \
         Rates are pairs a second of processor time, one run at a time. Compiled: the changed file compiled \
         once for each mutant (median of {} times its number; no linking), and one started process a run. \
         Started: what the runs take when they are forked one by one, and the start of the program for each \
         (mean of {}). Sandboxed: each run started by itself in a sandbox of its own (mean of {} runs of the \
         mutants, evenly chosen). All kills: every mutant with every test, against one fork for each pair.",
        measure::COMPILATIONS,
        measure::STARTS,
        measure::SANDBOXES
    ));
    Ok(findings)
}

fn row(subject: &MutantSubject, seen: &Measured) -> Vec<String> {
    let factor = |value: f64| format!("{value:.1}×");
    let rate = |time: Duration| format!("{:.0}", seen.pairs as f64 / time.as_secs_f64().max(1e-9));
    vec![
        subject.name().to_owned(),
        seen.mutants.to_string(),
        seen.tests.to_string(),
        seen.pairs.to_string(),
        rate(seen.compiled),
        rate(seen.started),
        rate(seen.ours),
        factor(seen.over_compiling()),
        factor(seen.over_starting()),
        factor(seen.over_sandboxes()),
        rate(seen.ours_all),
        factor(seen.over_one_by_one()),
        seen.unsplit.to_string(),
    ]
}

/// The middle one, of an even number the larger of the middle ones; and the worst.
fn middle_and_worst(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let middle = values.get(values.len() / 2).copied();
    (
        middle.unwrap_or_default(),
        values.first().copied().unwrap_or_default(),
    )
}

fn conclude(all: &[(Kind, Measured)], findings: &mut Findings) {
    for (kind, wanted) in [
        (Kind::Function, OVER_STARTING),
        (Kind::Program, OVER_STARTING_PROGRAMS),
    ] {
        let of_kind: Vec<&Measured> = all
            .iter()
            .filter(|(k, _)| *k == kind)
            .map(|(_, seen)| seen)
            .collect();
        if of_kind.is_empty() {
            continue;
        }
        let over = |factor: &dyn Fn(&Measured) -> f64| {
            middle_and_worst(of_kind.iter().map(|seen| factor(seen)).collect())
        };
        let compiling = over(&|seen| seen.over_compiling());
        let starting = over(&|seen| seen.over_starting());
        let sandboxes = over(&|seen| seen.over_sandboxes());
        let single = over(&|seen| seen.over_one_by_one());
        findings.notes.push(format!(
            "{} {}, medians (worst): {:.0}× ({:.0}×) over compiling, {:.1}× ({:.1}×) over starting, \
             {:.0}× ({:.0}×) over starting in sandboxes; all kills {:.1}× ({:.1}×) over one by one.",
            of_kind.len(),
            kind.plural(),
            compiling.0,
            compiling.1,
            starting.0,
            starting.1,
            sandboxes.0,
            sandboxes.1,
            single.0,
            single.1
        ));
        findings.demand(compiling.0 >= OVER_COMPILING, || {
            format!(
                "{}: {:.0}× over compiling, wanted {OVER_COMPILING:.0}×",
                kind.plural(),
                compiling.0
            )
        });
        findings.demand(starting.0 >= wanted, || {
            format!(
                "{}: {:.1}× over starting, wanted {wanted:.0}×",
                kind.plural(),
                starting.0
            )
        });
    }
}
