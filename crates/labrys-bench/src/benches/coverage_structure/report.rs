//! The tables and figures, and whether the targets are met.

use super::means::{Cost, Mean, saved};
use super::trial::UnitTrial;
use super::units::GROUPS;
use super::{ComparisonPlan, CurveFigures, Outcomes, TABLE_ITERATIONS};
use crate::benches::Findings;
use labrys_driver::{Failure, Outcome};
use labrys_ledger::Criterion;
use labrys_show::plot::{Chart, PlotLine};
use labrys_show::table::Table;
use std::path::Path;

/// What the filter must save of a search to full coverage, in percent. The paper has 25.5 and 36.3,
/// compared with a search that does not stop there.
const RUNS_SAVED: f64 = 30.0;
const QUERIES_SAVED: f64 = 40.0;

/// The strategy that must be as good as every other.
const BEST: &str = "mix";

/// The iterations at which the means are shown.
const SHOWN: [u64; 4] = [10, 25, 50, 100];

/// The units of a group with one criterion.
fn of_group<'a>(
    outcomes: &'a [Outcomes],
    group: &'a str,
    criterion: Criterion,
) -> impl Iterator<Item = &'a CurveFigures> {
    let units = outcomes.iter().filter(move |o| o.unit.group == group);
    let figures = units.flat_map(|o| &o.by_criterion);
    figures.filter(move |f| f.criterion == criterion)
}

/// The groups that have a unit.
fn groups(outcomes: &[Outcomes]) -> Vec<&'static str> {
    let there = |group: &&str| outcomes.iter().any(|o| o.unit.group == *group);
    GROUPS.into_iter().filter(there).collect()
}

pub fn findings(outcomes: &[Outcomes], request: &ComparisonPlan) -> Findings {
    let mut findings = Findings::new(&[
        "criterion",
        "group",
        "units",
        "objectives",
        "runs: dfs",
        "to full coverage",
        "filtered",
        "saved",
        "queries: dfs",
        "to full coverage",
        "filtered",
        "saved",
        "covered: dfs",
        "filtered",
    ]);
    findings.table = findings.table.left(2);
    for criterion in &request.criteria {
        costs(outcomes, *criterion, &mut findings);
    }
    for criterion in &request.criteria {
        means(outcomes, *criterion, request, &mut findings);
    }
    losses(outcomes, &mut findings);
    remarks(outcomes, request, &mut findings);
    findings
}

/// What the filter drops must be of no use: a filtered search that comes to its own end has
/// everything that the plain one has found.
fn losses(outcomes: &[Outcomes], findings: &mut Findings) {
    for outcome in outcomes {
        for figures in &outcome.by_criterion {
            let [plain, _, filtered] = &figures.table;
            let lost = filtered.exhausted && filtered.covered() < plain.covered();
            findings.demand(!lost, || {
                format!(
                    "{}, {}: the filtered search ends after {} runs with {} objectives, without the filter {} are covered",
                    outcome.unit.name(),
                    figures.criterion,
                    filtered.iterations,
                    filtered.covered(),
                    plain.covered()
                )
            });
        }
    }
}

/// A line on what came of a unit, while the others run.
pub fn line(outcomes: &Outcomes, seconds: f64) -> String {
    let mut line = format!("{} ({seconds:.1} s)", outcomes.unit.name());
    for figures in &outcomes.by_criterion {
        let [plain, stopping, filtered] = figures.table.each_ref().map(|t| t.iterations);
        let [all, _, covered] = figures.table.each_ref().map(UnitTrial::covered);
        line += &format!(
            ", {}: {all}/{covered} of {} in {plain}/{stopping}/{filtered} runs",
            figures.criterion, figures.objectives
        );
    }
    line
}

/// Table I or II.
fn costs(outcomes: &[Outcomes], criterion: Criterion, findings: &mut Findings) {
    let mut all = [Cost::default(); 3];
    let (mut all_units, mut all_objectives) = (0, 0);
    for group in groups(outcomes) {
        let mut sums = [Cost::default(); 3];
        let (mut units, mut objectives) = (0, 0);
        for figures in of_group(outcomes, group, criterion) {
            units += 1;
            objectives += figures.objectives;
            for (sum, trial) in sums.iter_mut().zip(&figures.table) {
                sum.add(trial);
            }
        }
        findings
            .table
            .row(row(criterion.name(), group, (units, objectives), &sums));
        (all_units, all_objectives) = (all_units + units, all_objectives + objectives);
        for (sum, more) in all.iter_mut().zip(&sums) {
            sum.sum(more);
        }
    }
    let counts = (all_units, all_objectives);
    findings
        .table
        .row(row(criterion.name(), "all", counts, &all));
    let [plain, stopping, filtered] = all;
    let targets = [
        (
            "runs",
            saved(stopping.iterations, filtered.iterations),
            RUNS_SAVED,
        ),
        (
            "queries",
            saved(stopping.queries, filtered.queries),
            QUERIES_SAVED,
        ),
    ];
    for (what, saved, wanted) in targets {
        findings.demand(saved >= wanted, || {
            format!("{criterion}: the filter saves {saved:.1} % of the {what}, wanted {wanted} %")
        });
    }
    findings.demand(filtered.covered >= plain.covered, || {
        format!(
            "{criterion}: {} objectives covered with the filter, {} without",
            filtered.covered, plain.covered
        )
    });
}

fn row(
    criterion: &str,
    group: &str,
    (units, objectives): (usize, usize),
    [plain, stopping, filtered]: &[Cost; 3],
) -> Vec<String> {
    let percent = |covered: usize| match objectives {
        0 => "-".to_owned(),
        all => format!("{:.1} %", covered as f64 * 100.0 / all as f64),
    };
    let saving = |more, less| format!("{:.1} %", saved(more, less));
    vec![
        criterion.to_owned(),
        group.to_owned(),
        units.to_string(),
        objectives.to_string(),
        plain.iterations.to_string(),
        stopping.iterations.to_string(),
        filtered.iterations.to_string(),
        saving(stopping.iterations, filtered.iterations),
        plain.queries.to_string(),
        stopping.queries.to_string(),
        filtered.queries.to_string(),
        saving(stopping.queries, filtered.queries),
        percent(plain.covered),
        percent(filtered.covered),
    ]
}

/// The curve of each strategy over the units of a group.
fn group_means(
    outcomes: &[Outcomes],
    group: &str,
    criterion: Criterion,
    request: &ComparisonPlan,
) -> Vec<(&'static str, Mean)> {
    let mut sums: Vec<(&'static str, Mean)> = request
        .strategies
        .iter()
        .map(|(name, _)| (*name, Mean::default()))
        .collect();
    for figures in of_group(outcomes, group, criterion) {
        for ((_, sum), mean) in sums.iter_mut().zip(&figures.means) {
            sum.add(mean);
        }
    }
    sums
}

/// The numbers of figure 4 or 5.
fn means(
    outcomes: &[Outcomes],
    criterion: Criterion,
    request: &ComparisonPlan,
    findings: &mut Findings,
) {
    let shown: Vec<u64> = SHOWN
        .into_iter()
        .filter(|k| *k < request.iterations)
        .collect();
    let mut header = vec!["group".to_owned(), "strategy".to_owned()];
    header.extend(shown.iter().map(|k| format!("after {k}")));
    header.extend([format!("after {}", request.iterations), "best".to_owned()]);
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut table = Table::new(&header).left(2);
    let mut margins = Vec::new();
    for group in groups(outcomes) {
        let all = group_means(outcomes, group, criterion, request);
        let most = all
            .iter()
            .map(|(_, mean)| mean.at_end())
            .fold(0.0, f64::max);
        for (name, mean) in &all {
            let mut cells = vec![group.to_owned(), (*name).to_owned()];
            cells.extend(shown.iter().map(|k| format!("{:.2}", mean.at(*k as usize))));
            cells.push(format!("{:.2}", mean.at_end()));
            let best = mean.at_end() >= most - 1e-9;
            cells.push(if best { "*" } else { "" }.to_owned());
            table.row(cells);
        }
        margins.extend(against_best(group, criterion, &all, findings));
    }
    findings.notes.push(format!(
        "{criterion}: objectives covered after k iterations of each unit, means over {} seeds\n\n{table}",
        request.seeds
    ));
    findings.notes.extend(margins);
}

/// By how much the best strategy is ahead of the others in a group.
fn against_best(
    group: &str,
    criterion: Criterion,
    all: &[(&'static str, Mean)],
    findings: &mut Findings,
) -> Option<String> {
    let (_, best) = all.iter().find(|(name, _)| *name == BEST)?;
    let mut parts = Vec::new();
    for (name, mean) in all.iter().filter(|(name, _)| *name != BEST) {
        let (ours, theirs) = (best.at_end(), mean.at_end());
        let percent = (ours - theirs) * 100.0 / theirs.max(1.0);
        parts.push(format!("{name} {percent:+.1} %"));
        findings.demand(ours >= theirs - 1e-9, || {
            format!("{criterion}, {group}: {BEST} covers {ours:.2} objectives, {name} {theirs:.2}")
        });
    }
    Some(format!(
        "{criterion}, {group}: {BEST} against {}",
        parts.join(", ")
    ))
}

/// What to know beside the numbers.
fn remarks(outcomes: &[Outcomes], request: &ComparisonPlan, findings: &mut Findings) {
    let notes = &mut findings.notes;
    let late: usize = (outcomes.iter().flat_map(|o| &o.by_criterion))
        .map(|f| f.late)
        .sum();
    notes.push(format!(
        "Budget of a search: {TABLE_ITERATIONS} iterations for dfs with and without the filter, {} for the strategies, {} s for each ({late} searches were ended by the clock).",
        request.iterations,
        request.time.as_secs_f64()
    ));
    let natives: Vec<_> = outcomes.iter().filter_map(|o| o.native.as_ref()).collect();
    let tests: usize = natives.iter().map(|n| n.tests).sum();
    let diverging = natives.iter().filter(|n| !n.divergences.is_empty()).count();
    notes.push(format!(
        "The curves are the engine's coverage. Replayed natively, once for each unit: {tests} tests of {} units, {diverging} units with a divergence.",
        natives.len()
    ));
    for outcome in outcomes {
        let name = outcome.unit.name();
        if let Some(why) = &outcome.failed {
            notes.push(format!("left out: {name}: {why}"));
        }
        let Some(native) = &outcome.native else {
            continue;
        };
        if let Some(why) = &native.failed {
            notes.push(format!("not replayed: {name}: {why}"));
        }
        if let Some(first) = native.divergences.first() {
            notes.push(format!("diverging: {name}: {first}"));
        }
    }
}

/// Writes a picture for each group and criterion.
pub fn write_plots(outcomes: &[Outcomes], request: &ComparisonPlan, dir: &Path) -> Outcome<()> {
    let cannot =
        |path: &Path, e| Failure::usage(format_args!("cannot write {}: {e}", path.display()));
    std::fs::create_dir_all(dir).map_err(|e| cannot(dir, e))?;
    for criterion in &request.criteria {
        for group in groups(outcomes) {
            let chart = chart(outcomes, group, *criterion, request);
            let path = dir.join(format!("coverage-structure-{criterion}-{group}.svg"));
            std::fs::write(&path, chart.svg()).map_err(|e| cannot(&path, e))?;
        }
    }
    Ok(())
}

fn chart(
    outcomes: &[Outcomes],
    group: &str,
    criterion: Criterion,
    request: &ComparisonPlan,
) -> Chart {
    let units = of_group(outcomes, group, criterion).count();
    let objectives: usize = of_group(outcomes, group, criterion)
        .map(|f| f.objectives)
        .sum();
    let mut lines: Vec<PlotLine> = group_means(outcomes, group, criterion, request)
        .into_iter()
        .map(|(name, mean)| PlotLine {
            name: name.to_owned(),
            points: mean.points(),
        })
        .collect();
    // The best stands first in the legend; equals keep their order.
    let last = |line: &PlotLine| line.points.last().map_or(0.0, |(_, y)| *y);
    lines.sort_by(|a, b| last(b).total_cmp(&last(a)));
    Chart {
        title: format!(
            "{group}: {criterion}, {units} units, mean of {} seeds",
            request.seeds
        ),
        x_label: "iterations of each unit".to_owned(),
        y_label: format!("covered objectives of {objectives}"),
        whole_x: true,
        lines,
    }
}
