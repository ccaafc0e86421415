//! Progress on stderr: a spinner on a terminal, a line every few seconds elsewhere, and the live
//! event log.

use crate::proofs::Proofs;
use indicatif::{ProgressBar, ProgressStyle};
use labrys_engine::{Config, Observer, Report, Search, Test, Work};
use labrys_ledger::{Criterion, Objective};
use labrys_suite::SCHEMA;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::time::{Duration, Instant};

const LINE_EVERY: Duration = Duration::from_secs(5);

/// Shows how far a search is and writes `events.jsonl`.
pub struct Progress<'a> {
    bar: Option<ProgressBar>,
    lines: bool,
    last: Instant,
    started: Instant,
    function: String,
    objectives: &'a [Objective],
    wanted: usize,
    events: Option<BufWriter<File>>,
    updates: u64,
}

impl<'a> Progress<'a> {
    pub fn new(quiet: bool, objectives: &'a [Objective], events: Option<File>) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = (!quiet && terminal).then(|| {
            let style = ProgressStyle::with_template("{spinner} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner());
            ProgressBar::new_spinner().with_style(style)
        });
        let now = Instant::now();
        Progress {
            bar,
            lines: !quiet && !terminal,
            last: now,
            started: now,
            function: String::new(),
            objectives,
            wanted: 0,
            events: events.map(BufWriter::new),
            updates: 0,
        }
    }

    /// What stays the same over all searches of the run.
    pub fn run(&mut self, config: &Config, criteria: &[Criterion]) {
        let search = Search::NAMES.iter().find(|(_, s)| *s == config.search);
        let total = self.objectives.len();
        self.event(&json!({
            "event": "run", "schema": SCHEMA, "search": search.map(|(name, _)| name),
            "seed": config.seed, "filter": config.filter, "jobs": config.jobs,
            "criteria": criteria, "objectives": total,
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
    }

    /// A search begins.
    pub fn begin(&mut self, function: &str, wanted: usize) {
        self.function = function.to_owned();
        self.wanted = wanted;
        self.event(&json!({ "event": "begin", "function": function, "objectives": wanted }));
    }

    /// Objectives were refuted before the search.
    pub fn proved(&mut self, proofs: &Proofs) {
        for (index, proof) in proofs {
            let id = &self.objectives[*index].id;
            self.event(&json!({ "event": "proof", "objective": id, "proof": proof }));
        }
    }

    /// Adds a line to the event log.
    pub fn event(&mut self, value: &serde_json::Value) {
        let Some(events) = &mut self.events else {
            return;
        };
        let mut value = value.clone();
        if let Some(object) = value.as_object_mut() {
            let seconds = self.started.elapsed().as_secs_f64();
            object.insert("s".into(), json!((seconds * 1e6).round() / 1e6));
        }
        // The log is an extra: a full disk shows when the results are written.
        let _ = writeln!(events, "{value}");
        let _ = events.flush();
    }

    pub fn finish(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Progress<'_> {
    fn test(&mut self, test: &Test, work: &Work) {
        let ids: Vec<&str> = test
            .fresh
            .iter()
            .map(|i| self.objectives[*i].id.as_str())
            .collect();
        let value = json!({
            "event": "test", "function": self.function, "covers": ids, "end": test.end.name(),
            "paths": work.paths, "instructions": work.instructions,
        });
        self.event(&value);
    }

    fn progress(&mut self, work: &Work, waiting: usize, covered: usize) {
        self.updates += 1;
        if !self.updates.is_multiple_of(64) {
            return;
        }
        let text = || {
            format!(
                "{}: {covered} of {} objectives, {} paths, {waiting} candidates, {:.1} s",
                self.function,
                self.wanted,
                work.paths,
                self.started.elapsed().as_secs_f64()
            )
        };
        if let Some(bar) = &self.bar {
            bar.set_message(text());
            bar.tick();
        } else if self.lines && self.last.elapsed() >= LINE_EVERY {
            #[allow(clippy::print_stderr)]
            {
                eprintln!("labrys: {}", text());
            }
            self.last = Instant::now();
        }
    }
}
