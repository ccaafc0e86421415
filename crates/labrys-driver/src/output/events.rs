//! `events.jsonl`: one line for every noteworthy event of a run, with the time, written live. What
//! happens is also told to a [`Watcher`], which can show it.

use super::live::LiveSuite;
use crate::request::Request;
use labrys_engine::{Config, Observer, Report, Search, Test, Work};
use labrys_ledger::{Objective, Proof};
use labrys_suite::SCHEMA;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::time::Instant;

/// Somebody who wants to see how far a search is.
pub trait Watcher: Send {
    /// Called after every path.
    fn searching(&mut self, _progress: &SearchProgress<'_>) {}
    /// The searches are over.
    fn finished(&mut self) {}
}

/// Nobody watches.
pub struct Unwatched;

impl Watcher for Unwatched {}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct SearchProgress<'a> {
    pub function: &'a str,
    pub covered: usize,
    /// Objectives of the function.
    pub wanted: usize,
    pub paths: u64,
    /// Candidates that wait.
    pub waiting: usize,
    /// Since the first search began.
    pub seconds: f64,
}

/// Writes the events of a run and tells the watcher.
pub struct EventLog<'a> {
    started: Instant,
    function: String,
    objectives: &'a [Objective],
    wanted: usize,
    file: Option<File>,
    suite: LiveSuite<'a>,
    watcher: &'a mut dyn Watcher,
}

impl<'a> EventLog<'a> {
    pub fn new(
        objectives: &'a [Objective],
        file: Option<File>,
        suite: LiveSuite<'a>,
        watcher: &'a mut dyn Watcher,
    ) -> Self {
        EventLog {
            started: Instant::now(),
            function: String::new(),
            objectives,
            wanted: 0,
            file,
            suite,
            watcher,
        }
    }

    /// What stays the same over all searches of the run.
    pub fn run(&mut self, config: &Config, request: &Request) {
        let search = Search::NAMES.iter().find(|(_, s)| *s == config.search);
        let total = self.objectives.len();
        self.event(&json!({
            "event": "run", "schema": SCHEMA, "search": search.map(|(name, _)| name),
            "seed": config.seed, "filter": config.filter, "jobs": config.jobs,
            "criteria": request.objectives.criteria, "objectives": total,
        }));
    }

    /// A search has ended.
    pub fn end(&mut self, report: &Report) {
        let covered: BTreeSet<usize> = (report.tests.iter())
            .flat_map(|test| test.fresh.iter().copied())
            .collect();
        self.event(&json!({
            "event": "end", "function": self.function, "covered": covered.len(),
            "objectives": self.wanted, "paths": report.work.paths,
            "instructions": report.work.instructions, "queries": report.solver.queries,
            "stop": report.stop.name(),
        }));
        self.suite.write_if_due();
    }

    /// A search begins.
    pub fn begin(&mut self, function: &str, wanted: usize) {
        self.function = function.to_owned();
        self.wanted = wanted;
        self.event(&json!({ "event": "begin", "function": function, "objectives": wanted }));
    }

    /// Objectives were refuted before the search.
    pub fn proved(&mut self, proofs: &BTreeMap<usize, Proof>) {
        for (index, proof) in proofs {
            let id = &self.objectives[*index].id;
            self.event(&json!({ "event": "proof", "objective": id, "proof": proof }));
        }
    }

    fn event(&mut self, value: &serde_json::Value) {
        let Some(file) = &mut self.file else {
            return;
        };
        let mut value = value.clone();
        if let Some(object) = value.as_object_mut() {
            let seconds = self.started.elapsed().as_secs_f64();
            object.insert("s".into(), json!((seconds * 1e6).round() / 1e6));
        }
        // A whole line at once: whoever kills the run finds no half of one. The log is an extra:
        // a full disk shows when the results are written.
        let _ = file.write_all(format!("{value}\n").as_bytes());
    }

    /// The searches are over.
    pub fn finish(&mut self) {
        self.watcher.finished();
    }
}

/// Bytes as they stand in `suite.json`.
fn digits(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(half.into(), 16).unwrap_or('0');
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    halves.map(digit).collect()
}

impl Observer for EventLog<'_> {
    fn test(&mut self, test: &Test, work: &Work) {
        let ids: Vec<&str> = test
            .fresh
            .iter()
            .map(|i| self.objectives[*i].id.as_str())
            .collect();
        let inputs = test
            .inputs
            .iter()
            .map(|input| json!({ "name": input.name, "bytes": digits(&input.bytes) }));
        let value = json!({
            "event": "test", "function": self.function, "covers": ids, "end": test.end.name(),
            "paths": work.paths, "instructions": work.instructions,
            "inputs": inputs.collect::<Vec<_>>(),
        });
        self.event(&value);
        let purpose = test
            .fresh
            .first()
            .map(|i| self.objectives[*i].text.as_str());
        (self.suite).add(&self.function, purpose.unwrap_or(test.end.name()), test);
    }

    fn progress(&mut self, work: &Work, waiting: usize, covered: usize) {
        self.suite.write_if_due();
        self.watcher.searching(&SearchProgress {
            function: &self.function,
            covered,
            wanted: self.wanted,
            paths: work.paths,
            waiting,
            seconds: self.started.elapsed().as_secs_f64(),
        });
    }
}
