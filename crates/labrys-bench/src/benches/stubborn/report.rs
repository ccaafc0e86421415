//! The table of the strategies, the statistics between them, and whether the targets are met.

use super::methods::{DSE, INFECTION, KillMethod, PAIRS, SEMU, STRATEGIES};
use super::statistics::{a12, median, wilcoxon};
use super::trial::SubjectResult;
use crate::benches::Findings;

/// Which ones are compared.
const COMPARED: [[usize; 2]; 4] = [
    [PAIRS, SEMU],
    [SEMU, INFECTION],
    [INFECTION, DSE],
    [PAIRS, INFECTION],
];

/// The median of ours, and how far it must be above infection, in percent.
const OURS: f64 = 60.0;
const ABOVE_INFECTION: f64 = 20.0;

/// `judged` says that the methods are the strategies, of which something is wanted.
pub fn findings(results: &[SubjectResult], methods: &[KillMethod], judged: bool) -> Findings {
    let mut header = vec![
        "subject",
        "mutants",
        "killed before",
        "targets",
        "reference",
    ];
    let named = |what: &str| -> Vec<String> {
        let names = methods.iter().map(|method| method.name);
        names.map(|name| format!("{name}{what}")).collect()
    };
    let columns = [named(", %"), named(": killed"), named(": tests")];
    header.extend(columns.iter().flatten().map(String::as_str));
    let mut findings = Findings::new(&header);
    let counted: Vec<&SubjectResult> = results.iter().filter(|r| r.references > 0).collect();
    for result in &counted {
        findings.table.row(row(result));
    }
    let shares: Vec<Vec<f64>> = (0..methods.len())
        .map(|s| counted.iter().map(|r| r.percent(s)).collect())
        .collect();
    summary(&counted, &shares, &mut findings);
    if !counted.is_empty() && judged {
        comparisons(&shares, &mut findings);
    }
    left_out(results, &mut findings);
    for result in results {
        for proof in &result.false_proofs {
            findings.require(false, || {
                format!("{} proved by {proof}, and killed", result.name)
            });
        }
    }
    findings.notes.push(
        "Targets: the mutants that the initial suite leaves alive and that the compiler can tell apart. \
         Reference: the subsuming mutants of those that any strategy kills. Tests: those that are not \
         redundant, by a greedy choice."
            .to_owned(),
    );
    if !counted.is_empty() && judged {
        targets(&counted, &shares, &mut findings);
    }
    findings
}

fn row(result: &SubjectResult) -> Vec<String> {
    let mut row = vec![
        result.name.clone(),
        result.mutants.to_string(),
        result.killed_before.to_string(),
        result.targets.to_string(),
        result.references.to_string(),
    ];
    row.extend((0..result.strategies.len()).map(|s| format!("{:.1}", result.percent(s))));
    row.extend(result.strategies.iter().map(|s| s.killed.to_string()));
    row.extend(
        result
            .strategies
            .iter()
            .map(|s| s.killing_tests.to_string()),
    );
    row
}

/// The last rows: sums and medians, and the worst.
fn summary(counted: &[&SubjectResult], shares: &[Vec<f64>], findings: &mut Findings) {
    let sum = |of: &dyn Fn(&SubjectResult) -> usize| {
        counted.iter().map(|r| of(r)).sum::<usize>().to_string()
    };
    let numbers = [
        sum(&|r| r.mutants),
        sum(&|r| r.killed_before),
        sum(&|r| r.targets),
        sum(&|r| r.references),
    ];
    let mut all = vec!["median, sums".to_owned()];
    all.extend(numbers);
    let shown = |value: f64| match value.is_finite() {
        true => format!("{value:.1}"),
        false => "-".to_owned(),
    };
    all.extend(shares.iter().map(|values| shown(median(values))));
    let strategies = || 0..shares.len();
    all.extend(strategies().map(|s| sum(&|r| r.strategies[s].killed)));
    all.extend(strategies().map(|s| sum(&|r| r.strategies[s].killing_tests)));
    findings.table.row(all);
    let mut worst = vec!["worst".to_owned()];
    worst.extend(std::iter::repeat_n(String::new(), 4));
    let least = |values: &Vec<f64>| values.iter().copied().fold(f64::INFINITY, f64::min);
    worst.extend(shares.iter().map(|values| shown(least(values))));
    worst.extend(std::iter::repeat_n(String::new(), 2 * shares.len()));
    findings.table.row(worst);
}

fn comparisons(shares: &[Vec<f64>], findings: &mut Findings) {
    for [one, other] in COMPARED {
        findings.notes.push(format!(
            "{} against {}: Wilcoxon p = {:.4}, Vargha-Delaney A12 = {:.3}",
            STRATEGIES[one].name,
            STRATEGIES[other].name,
            wilcoxon(&shares[one], &shares[other]),
            a12(&shares[one], &shares[other])
        ));
    }
}

fn left_out(results: &[SubjectResult], findings: &mut Findings) {
    let nothing = |r: &&SubjectResult| r.references == 0 && r.problem.is_none();
    let names: Vec<&str> = results
        .iter()
        .filter(nothing)
        .map(|r| r.name.as_str())
        .collect();
    if !names.is_empty() {
        let text = format!(
            "Left out, since no strategy kills a mutant: {}",
            names.join(", ")
        );
        findings.notes.push(text);
    }
    for result in results {
        if let Some(problem) = &result.problem {
            let text = format!("Left out: {}: {problem}", result.name);
            findings.require(false, move || text);
        }
    }
}

fn targets(counted: &[&SubjectResult], shares: &[Vec<f64>], findings: &mut Findings) {
    let mut check = |met: bool, what: String| {
        let mark = if met { "met:   " } else { "MISSED:" };
        findings.notes.push(format!("{mark} {what}"));
        findings.demand(met, || what);
    };
    let medians: Vec<f64> = shares.iter().map(|values| median(values)).collect();
    let killed: Vec<usize> = (0..shares.len())
        .map(|s| counted.iter().map(|r| r.strategies[s].references).sum())
        .collect();
    let is_above = |one: usize, other: usize| {
        medians[one] > medians[other]
            || medians[one] == medians[other] && killed[one] > killed[other]
    };
    check(
        is_above(SEMU, INFECTION) && is_above(INFECTION, DSE),
        format!(
            "semu > infection > dse by medians, then by reference mutants: {:.1}, {:.1}, {:.1} %; {}, {}, {}",
            medians[SEMU],
            medians[INFECTION],
            medians[DSE],
            killed[SEMU],
            killed[INFECTION],
            killed[DSE]
        ),
    );
    check(
        medians[PAIRS] > OURS,
        format!(
            "pairs above {OURS:.0} % (the paper's semu: 37.3 %): {:.1} %",
            medians[PAIRS]
        ),
    );
    check(
        medians[PAIRS] >= medians[INFECTION] + ABOVE_INFECTION,
        format!(
            "pairs at least {ABOVE_INFECTION:.0} points above infection: {:.1} and {:.1} %",
            medians[PAIRS], medians[INFECTION]
        ),
    );
}
