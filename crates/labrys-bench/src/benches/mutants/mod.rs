//! `bench mutants`: how fast mutants meet tests. The same mutants of the same programs meet the same
//! tests in three ways: (a) each mutant compiled and run by itself, (b) one program with all mutants,
//! started for every run, and our own, where the mutants of a test share a process.

mod measure;
mod subjects;

use super::lab::Lab;
use super::{Findings, announce};
use crate::arguments::BenchArgs;
use labrys_driver::Outcome;
use measure::{SpeedComparison, measure};
use std::time::Duration;
use subjects::{MutantSubject, SubjectKind};

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
        "over compiled",
        "with our build",
        "over started",
        "without sandbox",
        "all kills: ours /s",
        "over forked",
        "not split",
        "differ",
    ]);
    let mut all: Vec<(SubjectKind, SpeedComparison)> = Vec::new();
    for subject in subjects::chosen(lab, args)? {
        announce("mutants", subject.name());
        let seen = measure(&subject.prepare(lab, time)?)?;
        for contradiction in &seen.contradictions {
            announce("mutants", contradiction);
        }
        findings.table.row(row(&subject, &seen));
        all.push((subject.kind, seen));
    }
    conclude(&all, &mut findings);
    let differ: usize = all.iter().map(|(_, seen)| seen.contradictions.len()).sum();
    findings.demand(differ == 0, || {
        format!("{differ} pairs have another verdict one by one")
    });
    findings.notes.push(format!(
        "Subjects with more than {} mutants: those of evenly chosen points. \
         Pairs: mutants times tests that come to them; up to the first kill, each kill by an output seen twice. \
         Rates are pairs a second of processor time, one run at a time. Started (b): a process and a sandbox for \
         each run of the program with all mutants (mean of {} runs, evenly chosen, times the runs that are \
         needed); without sandbox: a fork for each run, and the bare start of the program (mean of {}). Compiled \
         (a): one build for each mutant (the changed file compiled, the program linked; median of {}), and \
         runs as in (b); with our build: the one build of the program with all mutants counts for ours. All kills: every \
         mutant with every test, over one fork for each pair. Differ: pairs with another verdict one by one.",
        measure::MOST_MUTANTS,
        measure::SANDBOXES,
        measure::STARTS,
        measure::BUILDS
    ));
    Ok(findings)
}

fn row(subject: &MutantSubject, seen: &SpeedComparison) -> Vec<String> {
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
        factor(seen.over_compiled()),
        factor(seen.over_compiled_with_build()),
        factor(seen.over_started()),
        factor(seen.over_bare()),
        rate(seen.ours_all),
        factor(seen.over_forked()),
        seen.unsplit.to_string(),
        seen.contradictions.len().to_string(),
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

fn conclude(all: &[(SubjectKind, SpeedComparison)], findings: &mut Findings) {
    for (kind, wanted) in [
        (SubjectKind::Function, OVER_STARTING),
        (SubjectKind::Program, OVER_STARTING_PROGRAMS),
    ] {
        let of_kind: Vec<&SpeedComparison> = all
            .iter()
            .filter(|(k, _)| *k == kind)
            .map(|(_, seen)| seen)
            .collect();
        if of_kind.is_empty() {
            continue;
        }
        let over = |factor: &dyn Fn(&SpeedComparison) -> f64| {
            middle_and_worst(of_kind.iter().map(|seen| factor(seen)).collect())
        };
        let compiled = over(&|seen| seen.over_compiled());
        let with_build = over(&|seen| seen.over_compiled_with_build());
        let started = over(&|seen| seen.over_started());
        let bare = over(&|seen| seen.over_bare());
        let forked = over(&|seen| seen.over_forked());
        findings.notes.push(format!(
            "{} {}, medians (worst): {:.0}× ({:.0}×) over compiled, {:.0}× ({:.0}×) with our build; \
             {:.1}× ({:.1}×) over started, {:.1}× ({:.1}×) without sandbox; all kills {:.1}× ({:.1}×) over forked.",
            of_kind.len(),
            kind.plural(),
            compiled.0,
            compiled.1,
            with_build.0,
            with_build.1,
            started.0,
            started.1,
            bare.0,
            bare.1,
            forked.0,
            forked.1
        ));
        findings.demand(compiled.0 >= OVER_COMPILING, || {
            format!(
                "{}: {:.0}× over compiled, wanted {OVER_COMPILING:.0}×",
                kind.plural(),
                compiled.0
            )
        });
        findings.demand(started.0 >= wanted, || {
            format!(
                "{}: {:.1}× over started, wanted {wanted:.0}×",
                kind.plural(),
                started.0
            )
        });
    }
}
