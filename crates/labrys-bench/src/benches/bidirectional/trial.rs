//! One run of the experiment: a subject, searched by a method for a time. Each is a line in the file of
//! results, so the experiment can be done in pieces.

use super::methods::SearchMethod;
use super::subjects::BidirectionalSubject;
use super::truth::{BranchOutcome, OutcomeSet};
use crate::product::labrys;
use labrys_driver::output::Summary;
use labrys_driver::output::objectives::ObjectivesFile;
use labrys_driver::{Failure, Outcome};
use labrys_ledger::{Objective, Status};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// How the reason of an objective ends whose test was found, but not run.
const NOT_RUN: &str = "its test was not run natively";

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MethodRun {
    pub subject: String,
    pub method: String,
    pub budget_s: f64,
    pub tests: usize,
    pub covered: OutcomeSet,
    pub infeasible: OutcomeSet,
    pub unknown: OutcomeSet,
    /// Of the unknown ones, what a test covers by the engine's word, but there was no time to run it
    /// natively.
    pub not_run: usize,
    pub paths: u64,
    pub wall_s: f64,
    pub stop: String,
    /// Why there is no result.
    pub problem: Option<String>,
}

impl MethodRun {
    pub fn branches(&self) -> usize {
        self.covered.len() + self.infeasible.len() + self.unknown.len()
    }

    /// The paper's measures, and the share of what is feasible by the list, in percent.
    pub fn cov_b(&self) -> f64 {
        percent(self.covered.len(), self.branches())
    }

    pub fn cov_f(&self) -> f64 {
        percent(self.covered.len(), self.branches() - self.infeasible.len())
    }

    pub fn of_feasible(&self, listed: &OutcomeSet) -> f64 {
        let feasible = self.branches().saturating_sub(listed.len());
        percent(self.covered.len(), feasible)
    }
}

fn percent(part: usize, all: usize) -> f64 {
    part as f64 * 100.0 / all.max(1) as f64
}

/// Runs a method. What goes wrong is part of the result.
pub fn run(
    subject: &BidirectionalSubject,
    dir: &Path,
    budget: Duration,
    method: &SearchMethod,
) -> MethodRun {
    let mut result = MethodRun {
        subject: subject.name.to_owned(),
        method: method.name.to_owned(),
        budget_s: budget.as_secs_f64(),
        ..MethodRun::default()
    };
    match search(subject, dir, budget, method) {
        Ok((summary, objectives)) => {
            result.tests = summary.tests;
            result.paths = summary.work.paths;
            result.wall_s = summary.work.wall_s;
            result.stop = summary.stop;
            for (objective, status) in &objectives {
                result.add(objective, status);
            }
        }
        Err(failure) => result.problem = Some(failure.message),
    }
    result
}

impl MethodRun {
    fn add(&mut self, objective: &Objective, status: &Status) {
        let outcome = BranchOutcome::of(objective);
        match status {
            Status::Covered { .. } => self.covered.insert(outcome),
            Status::Infeasible { .. } => self.infeasible.insert(outcome),
            Status::Unknown { reason } => {
                self.not_run += usize::from(reason.ends_with(NOT_RUN));
                self.unknown.insert(outcome)
            }
            Status::Open => self.unknown.insert(outcome),
        };
    }
}

fn search(
    subject: &BidirectionalSubject,
    dir: &Path,
    budget: Duration,
    method: &SearchMethod,
) -> Outcome<(Summary, Vec<(Objective, Status)>)> {
    let source = dir.join(format!("{}.c", subject.name));
    std::fs::write(&source, subject.text).map_err(Failure::usage)?;
    let out = dir.join("out");
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
    Ok((summary, statuses.map(|o| (o.objective, o.status)).collect()))
}
