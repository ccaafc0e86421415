//! The table with the paper's columns, averages, medians and the worst, and whether the targets are met.

use super::methods::{JUDGED, SearchMethod};
use super::subject_runs::SubjectRuns;
use super::subjects::INTERPRETER;
use super::trial::MethodRun;
use crate::benches::Findings;
use crate::benches::stubborn::statistics::median;
use std::time::Duration;

/// The budget that is judged, and what is wanted in it, in percent.
pub const JUDGED_BUDGET_S: f64 = 300.0;
const COV_F_ON_AVERAGE: f64 = 98.0;
const INTERPRETER_OF_FEASIBLE: f64 = 90.0;

pub fn findings(
    subjects: &[SubjectRuns],
    budgets: &[Duration],
    methods: &[&SearchMethod],
) -> Findings {
    let mut findings = Findings::new(&[
        "subject",
        "budget",
        "lines",
        "branches",
        "listed",
        "method",
        "tests",
        "covered",
        "infeasible",
        "unknown",
        "not run",
        "cov_b, %",
        "cov_f, %",
        "of feasible, %",
        "paths",
        "time, s",
        "stop",
    ]);
    for subject in subjects {
        for budget in budgets {
            for method in methods {
                if let Some(run) = subject.run(method.name, budget.as_secs_f64()) {
                    findings.table.row(row(subject, run));
                }
            }
        }
    }
    for budget in budgets {
        for method in methods {
            summary(subjects, budget.as_secs_f64(), method.name, &mut findings);
        }
        targets(subjects, budget.as_secs_f64(), &mut findings);
    }
    for subject in subjects {
        for contradiction in &subject.contradictions {
            findings.require(false, || format!("{}: {contradiction}", subject.name));
        }
        for run in &subject.runs {
            if let Some(problem) = &run.problem {
                let text = format!("{} with {}: {problem}", subject.name, run.method);
                findings.notes.push(text);
            }
        }
    }
    findings.notes.push(
        "Listed: branches that no test can cover, by reasoning, beside each subject. Not run: unknown, since \
         there was no time to run the test that covers it natively; a busy machine. cov_b: covered of all \
         branches. cov_f: covered of those that are not proved infeasible. Of feasible: covered of those \
         that are not listed. Paths are the iterations of the paper."
            .to_owned(),
    );
    findings
}

fn row(subject: &SubjectRuns, run: &MethodRun) -> Vec<String> {
    let mut cells = vec![
        subject.name.to_owned(),
        format!("{:.0} s", run.budget_s),
        subject.lines.to_string(),
        run.branches().to_string(),
        subject.listed.len().to_string(),
        run.method.clone(),
    ];
    if run.problem.is_some() {
        cells.resize(16, String::new());
        cells.push("failed".to_owned());
        return cells;
    }
    cells.extend([
        run.tests.to_string(),
        run.covered.len().to_string(),
        run.infeasible.len().to_string(),
        run.unknown.len().to_string(),
        run.not_run.to_string(),
        format!("{:.1}", run.cov_b()),
        format!("{:.1}", run.cov_f()),
        format!("{:.1}", run.of_feasible(&subject.listed)),
        run.paths.to_string(),
        format!("{:.1}", run.wall_s),
        run.stop.clone(),
    ]);
    cells
}

/// The runs of a method with a budget, each with its subject.
fn of_method<'a>(
    subjects: &'a [SubjectRuns],
    budget: f64,
    name: &str,
) -> Vec<(&'a SubjectRuns, &'a MethodRun)> {
    let runs = subjects
        .iter()
        .filter_map(|s| Some((s, s.run(name, budget)?)));
    runs.collect()
}

/// One number for the shares of all subjects.
type Measure = fn(&[f64]) -> f64;

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The rows of a method over all subjects.
fn summary(subjects: &[SubjectRuns], budget: f64, name: &str, findings: &mut Findings) {
    let all = of_method(subjects, budget, name);
    if all.len() < 2 {
        return;
    }
    let values = |of: fn(&SubjectRuns, &MethodRun) -> f64| -> Vec<f64> {
        all.iter().map(|(s, r)| of(s, r)).collect()
    };
    let measures = [
        values(|_, r| r.cov_b()),
        values(|_, r| r.cov_f()),
        values(|s, r| r.of_feasible(&s.listed)),
    ];
    let kinds = [
        ("average", mean as Measure),
        ("median", median),
        ("worst", least),
    ];
    for (kind, of) in kinds {
        let mut cells = vec![kind.to_owned(), format!("{budget:.0} s")];
        cells.resize(5, String::new());
        cells.push(name.to_owned());
        cells.resize(11, String::new());
        cells.extend(measures.iter().map(|values| format!("{:.1}", of(values))));
        cells.resize(17, String::new());
        findings.table.row(cells);
    }
}

fn targets(subjects: &[SubjectRuns], budget: f64, findings: &mut Findings) {
    let all = of_method(subjects, budget, JUDGED);
    let mut check = |met: bool, what: String| {
        let mark = if met { "met:   " } else { "MISSED:" };
        findings.notes.push(format!("{mark} {what}"));
        if budget >= JUDGED_BUDGET_S {
            findings.demand(met, || what);
        }
    };
    let cov_f: Vec<f64> = all.iter().map(|(_, r)| r.cov_f()).collect();
    if cov_f.len() > 1 {
        let cov_f = mean(&cov_f);
        check(
            cov_f >= COV_F_ON_AVERAGE,
            format!(
                "{JUDGED}, {budget:.0} s: cov_f at least {COV_F_ON_AVERAGE:.0} % on average (the paper: 82 % in 60 min): {cov_f:.1} %"
            ),
        );
    }
    for (subject, run) in all.iter().filter(|(s, _)| s.name == INTERPRETER) {
        let share = run.of_feasible(&subject.listed);
        check(
            share >= INTERPRETER_OF_FEASIBLE,
            format!(
                "{JUDGED}, {budget:.0} s: at least {INTERPRETER_OF_FEASIBLE:.0} % of what is feasible in {INTERPRETER} (the paper: 34 % cov_b in 180 min): {share:.1} %"
            ),
        );
    }
}
