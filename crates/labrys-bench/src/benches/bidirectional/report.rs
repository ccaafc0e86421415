//! The table with the paper's columns, averages, medians and the worst, and whether the targets are met.

use super::methods::{JUDGED, SearchMethod};
use super::subjects::INTERPRETER;
use super::trial::{BidirectionalResult, MethodFindings};
use crate::benches::Findings;
use crate::benches::stubborn::statistics::median;

/// The budget that is judged, and what is wanted in it, in percent.
pub const JUDGED_BUDGET_S: f64 = 300.0;
const COV_F_ON_AVERAGE: f64 = 98.0;
const INTERPRETER_OF_FEASIBLE: f64 = 90.0;

pub fn findings(results: &[BidirectionalResult], methods: &[&SearchMethod]) -> Findings {
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
    for result in results {
        for method in &result.methods {
            findings.table.row(row(result, method));
        }
    }
    let mut budgets: Vec<f64> = results.iter().map(|r| r.budget_s).collect();
    budgets.sort_by(f64::total_cmp);
    budgets.dedup();
    for budget in budgets {
        for method in methods {
            summary(results, budget, method.name, &mut findings);
        }
        targets(results, budget, &mut findings);
    }
    for result in results {
        for contradiction in &result.contradictions {
            findings.require(false, || format!("{}: {contradiction}", result.name));
        }
        for method in &result.methods {
            if let Some(problem) = &method.problem {
                let text = format!("{} with {}: {problem}", result.name, method.name);
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

fn row(result: &BidirectionalResult, method: &MethodFindings) -> Vec<String> {
    let mut cells = vec![
        result.name.clone(),
        format!("{:.0} s", result.budget_s),
        result.lines.to_string(),
        result.branches.to_string(),
        result.listed.to_string(),
        method.name.clone(),
    ];
    if method.problem.is_some() {
        cells.resize(16, String::new());
        cells.push("failed".to_owned());
        return cells;
    }
    cells.extend([
        method.tests.to_string(),
        method.covered.to_string(),
        method.infeasible.to_string(),
        method.unknown.to_string(),
        method.not_run.to_string(),
        format!("{:.1}", result.cov_b(method)),
        format!("{:.1}", result.cov_f(method)),
        format!("{:.1}", result.of_feasible(method)),
        method.paths.to_string(),
        format!("{:.1}", method.wall_s),
        method.stop.clone(),
    ]);
    cells
}

/// The results of a method with a budget, each with its subject.
fn of_method<'a>(
    results: &'a [BidirectionalResult],
    budget: f64,
    name: &str,
) -> Vec<(&'a BidirectionalResult, &'a MethodFindings)> {
    let with_budget = results.iter().filter(|r| r.budget_s == budget);
    let pairs = with_budget.flat_map(|r| r.methods.iter().map(move |m| (r, m)));
    pairs.filter(|(_, m)| m.name == name).collect()
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
fn summary(results: &[BidirectionalResult], budget: f64, name: &str, findings: &mut Findings) {
    let all = of_method(results, budget, name);
    if all.len() < 2 {
        return;
    }
    let values = |of: fn(&BidirectionalResult, &MethodFindings) -> f64| -> Vec<f64> {
        all.iter().map(|(r, m)| of(r, m)).collect()
    };
    let measures = [
        values(BidirectionalResult::cov_b),
        values(BidirectionalResult::cov_f),
        values(BidirectionalResult::of_feasible),
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

fn targets(results: &[BidirectionalResult], budget: f64, findings: &mut Findings) {
    let all = of_method(results, budget, JUDGED);
    let mut check = |met: bool, what: String| {
        let mark = if met { "met:   " } else { "MISSED:" };
        findings.notes.push(format!("{mark} {what}"));
        if budget >= JUDGED_BUDGET_S {
            findings.demand(met, || what);
        }
    };
    let cov_f: Vec<f64> = all.iter().map(|(r, m)| r.cov_f(m)).collect();
    if cov_f.len() > 1 {
        let cov_f = mean(&cov_f);
        check(
            cov_f >= COV_F_ON_AVERAGE,
            format!(
                "{JUDGED}, {budget:.0} s: cov_f at least {COV_F_ON_AVERAGE:.0} % on average (the paper: 82 % in 60 min): {cov_f:.1} %"
            ),
        );
    }
    for (result, method) in all.iter().filter(|(r, _)| r.name == INTERPRETER) {
        let share = result.of_feasible(method);
        check(
            share >= INTERPRETER_OF_FEASIBLE,
            format!(
                "{JUDGED}, {budget:.0} s: at least {INTERPRETER_OF_FEASIBLE:.0} % of what is feasible in {INTERPRETER} (the paper: 34 % cov_b in 180 min): {share:.1} %"
            ),
        );
    }
}
