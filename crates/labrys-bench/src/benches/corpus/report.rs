//! The table of the corpus: a line for each package, and what ended paths early.

use super::PACKAGES;
use super::sample::Chosen;
use super::trial::{CorpusTrial, Ended};
use crate::benches::Findings;
use std::collections::BTreeMap;

/// The share of functions whose tests all replay as predicted that is asked for.
const GOOD_SHARE: f64 = 0.95;

/// The share of paths above which something unsupported must be fixed or explained.
const LOUD: f64 = 0.01;

/// Sums over some trials.
#[derive(Default)]
struct Sums {
    tried: usize,
    internal: usize,
    failed: usize,
    missing: usize,
    good: usize,
    diverging: usize,
    without_tests: usize,
    tests: usize,
    objectives: usize,
    covered: usize,
    infeasible: usize,
    paths: u64,
    unsupported: u64,
    wall_s: f64,
}

impl Sums {
    fn add(&mut self, trial: &CorpusTrial) {
        if trial.ended == Ended::Missing {
            self.missing += 1;
            return;
        }
        self.tried += 1;
        match trial.ended {
            Ended::Internal => self.internal += 1,
            Ended::Crashed | Ended::Timeout | Ended::Refused => self.failed += 1,
            _ if !trial.divergences.is_empty() => self.diverging += 1,
            _ if trial.tests == 0 => self.without_tests += 1,
            _ => self.good += 1,
        }
        self.tests += trial.tests;
        self.objectives += trial.objectives;
        self.covered += trial.covered;
        self.infeasible += trial.infeasible;
        self.paths += trial.paths;
        self.unsupported += trial.ends.get("unsupported").copied().unwrap_or(0);
        self.wall_s += trial.wall_s;
    }

    fn row(&self, name: &str) -> Vec<String> {
        let feasible = self.objectives - self.infeasible;
        vec![
            name.to_owned(),
            self.tried.to_string(),
            self.internal.to_string(),
            self.failed.to_string(),
            self.diverging.to_string(),
            self.without_tests.to_string(),
            format!("{} ({})", self.good, percent(self.good, self.tried)),
            self.tests.to_string(),
            percent(self.covered, self.objectives),
            percent(self.covered, feasible),
            self.paths.to_string(),
            percent(self.unsupported as usize, self.paths as usize),
            format!("{:.0}", self.wall_s),
        ]
    }
}

fn percent(part: usize, whole: usize) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{:.1} %", part as f64 * 100.0 / whole as f64),
    }
}

/// The table, with what to look at below it.
pub fn findings(sample: &[Chosen], trials: &BTreeMap<String, CorpusTrial>) -> Findings {
    let mut findings = Findings::new(&[
        "package",
        "functions",
        "internal errors",
        "crashed, timeout, refused",
        "diverging",
        "without tests",
        "all tests as predicted",
        "tests",
        "branch coverage",
        "feasible",
        "paths",
        "unsupported",
        "seconds",
    ]);
    let seen: Vec<&CorpusTrial> = sample.iter().filter_map(|c| trials.get(&c.key())).collect();
    for package in PACKAGES {
        let mut sums = Sums::default();
        let of_it = seen.iter().filter(|t| t.package == package);
        of_it.for_each(|trial| sums.add(trial));
        if sums.tried > 0 {
            findings.table.row(sums.row(package));
        }
    }
    let mut all = Sums::default();
    seen.iter().for_each(|trial| all.add(trial));
    findings.table.row(all.row("all"));
    if all.missing > 0 {
        let note = format!(
            "{} functions of the list are not in the sources",
            all.missing
        );
        findings.notes.push(note);
    }
    gaps(&seen, all.paths, &mut findings);
    for trial in &seen {
        if let Ended::Internal | Ended::Crashed | Ended::Timeout | Ended::Refused = trial.ended {
            let first = trial.message.lines().next().unwrap_or("");
            let note = format!("{:?}: {}: {first}", trial.ended, trial.key());
            findings.notes.push(note);
        } else if let Some(first) = trial.divergences.first() {
            let note = format!("Diverging: {}: {first}", trial.key());
            findings.notes.push(note);
        }
    }
    findings.require(all.internal == 0, || {
        format!("{} internal errors", all.internal)
    });
    let share = all.good as f64 / all.tried.max(1) as f64;
    findings.demand(share >= GOOD_SHARE, || {
        format!(
            "{:.1} % of the functions have tests that all replay as predicted, not 95 %",
            share * 100.0
        )
    });
    findings
}

/// What kept searches from being complete, most frequent first.
fn gaps(seen: &[&CorpusTrial], paths: u64, findings: &mut Findings) {
    let mut gaps: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
    for trial in seen {
        for (gap, count) in &trial.gaps {
            let (total, functions) = gaps.entry(gap).or_default();
            *total += count;
            *functions += 1;
        }
    }
    let mut gaps: Vec<_> = gaps.into_iter().collect();
    gaps.sort_by_key(|(gap, (count, _))| (std::cmp::Reverse(*count), *gap));
    for (gap, (count, functions)) in gaps {
        let share = count as f64 / paths.max(1) as f64;
        let mark = if share > LOUD { "!" } else { " " };
        findings.notes.push(format!(
            "{mark} {:5.2} % of paths, {functions} functions: {gap}",
            share * 100.0
        ));
    }
}
