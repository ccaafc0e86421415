//! One subject with one budget: what each method finds, and whether the methods, the list of what is
//! infeasible and the native runs agree.

use super::contradictions::{MethodClaims, contradictions};
use super::methods::SearchMethod;
use super::subjects::BidirectionalSubject;
use super::truth::{BranchOutcome, OutcomeSet};
use crate::product::labrys;
use labrys_driver::output::Summary;
use labrys_driver::output::objectives::ObjectivesFile;
use labrys_driver::{Failure, Outcome};
use labrys_ledger::Status;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What came of a subject, one line in the file of results.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BidirectionalResult {
    pub name: String,
    pub budget_s: f64,
    pub lines: usize,
    pub branches: usize,
    /// On the list of what no test can cover.
    pub listed: usize,
    pub methods: Vec<MethodFindings>,
    /// What cannot be true together.
    pub contradictions: Vec<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MethodFindings {
    pub name: String,
    pub tests: usize,
    pub covered: usize,
    pub infeasible: usize,
    pub unknown: usize,
    /// Of these, what a test covers by the engine's word, but there was no time to run it natively.
    #[serde(default)]
    pub not_run: usize,
    pub paths: u64,
    pub wall_s: f64,
    pub stop: String,
    /// What is neither covered nor proved, and not on the list.
    pub open: Vec<String>,
    /// Why there is no result.
    pub problem: Option<String>,
}

impl BidirectionalResult {
    /// The paper's measures, and the share of what is feasible by the list, in percent.
    pub fn cov_b(&self, method: &MethodFindings) -> f64 {
        percent(method.covered, self.branches)
    }

    pub fn cov_f(&self, method: &MethodFindings) -> f64 {
        percent(method.covered, self.branches - method.infeasible)
    }

    pub fn of_feasible(&self, method: &MethodFindings) -> f64 {
        percent(method.covered, self.branches - self.listed)
    }
}

fn percent(part: usize, all: usize) -> f64 {
    part as f64 * 100.0 / all.max(1) as f64
}

/// Runs all methods.
pub fn run(
    subject: &BidirectionalSubject,
    dir: &Path,
    budget: Duration,
    methods: &[&SearchMethod],
    native: &OutcomeSet,
) -> Outcome<BidirectionalResult> {
    let source = dir.join(format!("{}.c", subject.name));
    std::fs::write(&source, subject.text).map_err(Failure::usage)?;
    let listed = subject.listed()?;
    let mut all = OutcomeSet::new();
    let mut results = Vec::new();
    let mut said = Vec::new();
    for method in methods {
        let (result, words) = match search(method, &source, dir, budget) {
            Ok((summary, objectives)) => {
                all.extend(objectives.keys().cloned());
                let words = MethodClaims::of(method.name, &objectives);
                (counted(method, &summary, &words, &all, &listed), words)
            }
            Err(failure) => {
                let result = MethodFindings {
                    name: method.name.to_owned(),
                    problem: Some(failure.message),
                    ..MethodFindings::default()
                };
                (result, MethodClaims::default())
            }
        };
        results.push(result);
        said.push(words);
    }
    Ok(BidirectionalResult {
        name: subject.name.to_owned(),
        budget_s: budget.as_secs_f64(),
        lines: subject.lines(),
        branches: all.len(),
        listed: listed.len(),
        methods: results,
        contradictions: contradictions(&said, &all, &listed, native),
    })
}

/// Each objective with its status.
pub type ObjectiveStatuses = std::collections::BTreeMap<BranchOutcome, Status>;

fn search(
    method: &SearchMethod,
    source: &Path,
    dir: &Path,
    budget: Duration,
) -> Outcome<(Summary, ObjectiveStatuses)> {
    let out = dir.join(method.name.replace(' ', "-"));
    let mut command = Command::new(labrys()?);
    command
        .arg("gen")
        .arg(source)
        .args(["--search", method.search])
        .args(method.options)
        .args(["--seed", "0", "-j", "1", "--format", "json", "--quiet"])
        .args(["--time", &format!("{}ms", budget.as_millis()), "--out"])
        .arg(&out)
        .stdin(Stdio::null());
    let said = command.output().map_err(Failure::usage)?;
    let summary: Summary = serde_json::from_slice(&said.stdout).map_err(|_| {
        let text = String::from_utf8_lossy(&said.stderr).trim().to_owned();
        Failure::usage(format_args!("{}: {text}", said.status))
    })?;
    let text = std::fs::read(out.join("objectives.json")).map_err(Failure::usage)?;
    let file: ObjectivesFile = serde_json::from_slice(&text).map_err(Failure::usage)?;
    let statuses = file.objectives.into_iter();
    let statuses = statuses.map(|o| (BranchOutcome::of(&o.objective), o.status));
    Ok((summary, statuses.collect()))
}

fn counted(
    method: &SearchMethod,
    summary: &Summary,
    said: &MethodClaims,
    all: &OutcomeSet,
    listed: &OutcomeSet,
) -> MethodFindings {
    let is_open = |o: &&BranchOutcome| {
        !said.covered.contains(o) && !said.infeasible.contains(o) && !listed.contains(o)
    };
    MethodFindings {
        name: method.name.to_owned(),
        tests: summary.tests,
        covered: said.covered.len(),
        infeasible: said.infeasible.len(),
        unknown: all.len() - said.covered.len() - said.infeasible.len(),
        not_run: said.not_run,
        paths: summary.work.paths,
        wall_s: summary.work.wall_s,
        stop: summary.stop.clone(),
        open: all
            .iter()
            .filter(is_open)
            .map(BranchOutcome::shown)
            .collect(),
        problem: None,
    }
}
