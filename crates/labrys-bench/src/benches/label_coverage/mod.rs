//! `bench label-coverage`: the cost of labels, as in Table I of the paper on label coverage.
//!
//! Our own versions of its subjects, with conditions (CC), multiple conditions (MCC) and weak
//! mutants (WM) as labels, are explored exhaustively: without labels, DSE(P); with labels as
//! branches, DSE(P'); tightly, DSE(P*); and tightly with deletion, DSE*(P*).

mod ratios;
mod subjects;

use super::clock::cpu_time;
use super::lab::{Lab, Prepared};
use super::{Findings, announce};
use crate::arguments::BenchArgs;
use labrys_budget::Deadline;
use labrys_driver::{Failure, Outcome};
use labrys_engine::{Config, Instrumentation, Search, Silent, Stop, explore};
use labrys_front::MutationOperator;
use labrys_ledger::Criterion;
use ratios::Ratios;
use std::collections::BTreeSet;
use std::time::Duration;
use subjects::{LabelSubject, SUBJECTS};

/// The criteria with their names in the paper.
const CRITERIA: [(&str, Criterion); 3] = [
    ("CC", Criterion::Condition),
    ("MCC", Criterion::MultipleCondition),
    ("WM", Criterion::WeakMutation),
];

/// The operators of the paper: AOIU inserts unary operators.
const OPERATORS: [MutationOperator; 4] = [
    MutationOperator::Uoi,
    MutationOperator::Aor,
    MutationOperator::Cor,
    MutationOperator::Ror,
];

/// The variants with labels.
const VARIANTS: [(&str, Instrumentation); 3] = [
    ("DSE(P')", Instrumentation::Direct),
    ("DSE(P*)", Instrumentation::Tight),
    ("DSE*(P*)", Instrumentation::TightIdl2),
];

/// The time of a search if nothing else is asked for.
const TIME: Duration = Duration::from_secs(60);
/// A search is repeated until it has used this much, at least so often and at most so often; the
/// fastest counts.
const ENOUGH: Duration = Duration::from_millis(400);
const MOST_RUNS: usize = 15;
const LEAST_RUNS: usize = 3;

/// What one search did.
struct LabelTrial {
    paths: u64,
    time: Duration,
    /// Front end, compiler and lifter.
    before: Duration,
    covered: BTreeSet<usize>,
    complete: bool,
}

pub fn run(lab: &Lab, args: &BenchArgs) -> Outcome<Findings> {
    let limit = args.time.map_or(TIME, |t| t.0);
    let mut findings = Findings::new(&[
        "subject", "lines", "labels", "variant", "paths", "time", "cover", "× paths", "× time",
    ]);
    let mut ratios = Ratios::default();
    for subject in &SUBJECTS {
        if !args.wants(subject.name, &["triangle"]) {
            continue;
        }
        announce("label-coverage", subject.name);
        let plain = Built::of(lab, subject, &[])?;
        let witness = measure(&plain, Instrumentation::TightIdl2, limit)?;
        let lines = subject.lines().to_string();
        let row = |labels: &str, variant: &str| {
            vec![
                subject.name.to_owned(),
                lines.clone(),
                labels.to_owned(),
                variant.to_owned(),
            ]
        };
        let mut first = row("", "DSE(P)");
        first.extend(shown(&witness, None, None));
        findings.table.row(first);
        findings.demand(witness.complete, || {
            format!("{}: {} without labels", subject.name, late(limit))
        });
        for (name, criterion) in CRITERIA {
            let program = Built::of(lab, subject, &[criterion])?;
            let mut found: Option<(&str, BTreeSet<usize>)> = None;
            for (variant, instrumentation) in VARIANTS {
                let trial = measure(&program, instrumentation, limit)?;
                let mut cells = row(name, variant);
                cells.extend(shown(
                    &trial,
                    Some(program.prepared.objectives.len()),
                    Some(&witness),
                ));
                findings.table.row(cells);
                if instrumentation == Instrumentation::TightIdl2 {
                    findings.demand(trial.complete, || {
                        format!("{} {name}: {} with {variant}", subject.name, late(limit))
                    });
                    ratios.add(subject.name, name, &witness, &trial);
                }
                if !trial.complete {
                    continue;
                }
                match &found {
                    None => found = Some((variant, trial.covered)),
                    Some((other, covered)) => findings.require(*covered == trial.covered, || {
                        format!(
                            "{} {name}: {variant} covers {} labels, {other} {}",
                            subject.name,
                            trial.covered.len(),
                            covered.len()
                        )
                    }),
                }
            }
        }
    }
    ratios.judge(&mut findings);
    findings.notes.push(format!(
        "Processor time of the search alone, the least of up to {MOST_RUNS} runs; TO: not done after {} s.",
        limit.as_secs()
    ));
    Ok(findings)
}

fn late(limit: Duration) -> String {
    format!("not done after {} s", limit.as_secs())
}

/// A subject that is ready to be explored, with the time that this took.
struct Built {
    prepared: Prepared,
    time: Duration,
}

impl Built {
    fn of(lab: &Lab, subject: &LabelSubject, criteria: &[Criterion]) -> Outcome<Self> {
        let (prepared, time) = cpu_time(|| lab.prepare_subject(subject, criteria, &OPERATORS))?;
        let prepared = prepared?;
        Ok(Built { prepared, time })
    }
}

/// Explores all paths, several times if that is quick.
fn measure(built: &Built, form: Instrumentation, limit: Duration) -> Outcome<LabelTrial> {
    let program = &built.prepared;
    let mut best: Option<LabelTrial> = None;
    let mut used = Duration::ZERO;
    for run in 0..MOST_RUNS {
        if run >= LEAST_RUNS && used >= ENOUGH || used >= limit {
            break;
        }
        let config = Config {
            search: Search::Dfs,
            instrumentation: form,
            exhaust: true,
            deadline: Deadline::after(limit),
            ..Config::default()
        };
        let search = || {
            explore(
                &program.module,
                &program.entry,
                &program.objectives,
                &config,
                &mut Silent,
            )
        };
        let (report, time) = cpu_time(search)?;
        let report = report.map_err(Failure::internal)?;
        used += time;
        if best.as_ref().is_none_or(|b| time < b.time) {
            let tests = report.tests.iter();
            best = Some(LabelTrial {
                paths: report.work.paths,
                time,
                before: built.time,
                covered: tests.flat_map(|t| t.covers.iter().copied()).collect(),
                complete: report.stop == Stop::Exhausted && report.gaps.is_empty(),
            });
        }
        // Slow ones are measured well enough by one run.
        if time > Duration::from_secs(2) {
            break;
        }
    }
    best.ok_or_else(|| Failure::internal("a search was not run"))
}

/// Paths, time, coverage, and both in relation to those without labels.
fn shown(trial: &LabelTrial, labels: Option<usize>, witness: Option<&LabelTrial>) -> Vec<String> {
    if !trial.complete {
        return ["TO", "TO", "", "", ""].map(str::to_owned).to_vec();
    }
    let seconds = trial.time.as_secs_f64();
    let time = if seconds < 1.0 {
        format!("{:.2} ms", seconds * 1e3)
    } else {
        format!("{seconds:.2} s")
    };
    let cover = labels.map_or_else(String::new, |all| format!("{}/{all}", trial.covered.len()));
    let relation = |f: fn(&LabelTrial) -> f64| {
        witness.map_or_else(String::new, |w| format!("{:.2}", f(trial) / f(w)))
    };
    vec![
        trial.paths.to_string(),
        time,
        cover,
        relation(|t| t.paths as f64),
        relation(|t| t.time.as_secs_f64()),
    ]
}

impl Lab {
    fn prepare_subject(
        &self,
        subject: &LabelSubject,
        criteria: &[Criterion],
        operators: &[MutationOperator],
    ) -> Outcome<Prepared> {
        let path = self.write(&format!("{}.c", subject.file), subject.text()?)?;
        let source = labrys_front::SourceFile {
            path,
            flags: subject.flags.iter().map(|f| (*f).to_owned()).collect(),
            ..Default::default()
        };
        self.prepare_source(source, |options| {
            options.criteria = criteria.to_vec();
            options.operators = operators.to_vec();
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// All four forms cover the same labels, and those that delete have few paths more.
    #[test]
    fn the_variants_agree_on_small_subjects() {
        let lab = Lab::new(false).map_err(|e| e.message).unwrap();
        for name in ["triangle", "four-balls", "utf8-3", "collision"] {
            let subject = SUBJECTS.iter().find(|s| s.name == name).unwrap();
            for (short, criterion) in &CRITERIA[..2] {
                let built = Built::of(&lab, subject, &[*criterion]);
                let built = built.map_err(|e| e.message).unwrap();
                let trial = |form| {
                    let trial = measure(&built, form, TIME).map_err(|e| e.message).unwrap();
                    assert!(trial.complete, "{name} {short} {form:?}");
                    trial
                };
                let deleting = trial(Instrumentation::TightIdl2);
                assert!(!deleting.covered.is_empty(), "{name} {short}");
                for (_, form) in Instrumentation::NAMES {
                    let other = trial(form);
                    assert_eq!(other.covered, deleting.covered, "{name} {short} {form:?}");
                    assert!(deleting.paths <= other.paths, "{name} {short} {form:?}");
                }
            }
        }
    }

    #[test]
    fn weak_mutants_agree_with_and_without_deletion() {
        let lab = Lab::new(false).map_err(|e| e.message).unwrap();
        let subject = &SUBJECTS[1];
        let built = Built::of(&lab, subject, &[Criterion::WeakMutation]);
        let built = built.map_err(|e| e.message).unwrap();
        let forms = Instrumentation::NAMES.map(|(_, form)| {
            let trial = measure(&built, form, TIME).map_err(|e| e.message).unwrap();
            (trial.complete, trial.covered)
        });
        assert!(forms[0].0 && !forms[0].1.is_empty());
        assert!(forms.iter().all(|form| *form == forms[0]), "{forms:?}");
    }
}
