//! One function of the corpus: `labrys gen` in a process of its own, with a limit of time and
//! memory, and what came of it.

use super::sample::{Chosen, Objects};
use crate::product::labrys;
use labrys_driver::output::Summary;
use labrys_driver::{Failure, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a process may use.
pub struct TrialLimits {
    /// Of the search. Reading and compiling the unit comes on top.
    pub time: Duration,
    pub memory_kib: u64,
}

/// Time for reading, compiling and replaying, beyond the time of the search.
const MORE_TIME: Duration = Duration::from_secs(120);

/// Text of a failed process that is kept.
const KEPT: usize = 2000;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    Done,
    /// An error of Labrys.
    Internal,
    /// Refused with a message.
    Refused,
    /// Killed by a signal, for want of memory perhaps.
    Crashed,
    Timeout,
    /// The package has no such function any more.
    Missing,
}

/// The outcome, one line in the file of results.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CorpusTrial {
    pub package: String,
    pub source: String,
    pub function: String,
    pub ended: Ended,
    pub wall_s: f64,
    /// What a failed process said.
    pub message: String,
    pub tests: usize,
    pub objectives: usize,
    pub covered: usize,
    pub infeasible: usize,
    pub paths: u64,
    pub divergences: Vec<String>,
    /// Paths by their ends.
    pub ends: BTreeMap<String, u64>,
    /// What kept the search from being complete.
    pub gaps: BTreeMap<String, u64>,
    pub peak_rss_mb: u64,
}

impl CorpusTrial {
    fn new(chosen: &Chosen, ended: Ended) -> CorpusTrial {
        CorpusTrial {
            package: chosen.package.clone(),
            source: chosen.source.clone(),
            function: chosen.function.clone(),
            ended,
            wall_s: 0.0,
            message: String::new(),
            tests: 0,
            objectives: 0,
            covered: 0,
            infeasible: 0,
            paths: 0,
            divergences: Vec::new(),
            ends: BTreeMap::new(),
            gaps: BTreeMap::new(),
            peak_rss_mb: 0,
        }
    }

    pub fn key(&self) -> String {
        format!("{} {} {}", self.package, self.source, self.function)
    }
}

/// The results of an earlier run; the last one of a function counts.
pub fn read(path: &Path) -> BTreeMap<String, CorpusTrial> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let trials = text
        .lines()
        .filter_map(|l| serde_json::from_str::<CorpusTrial>(l).ok());
    trials.map(|trial| (trial.key(), trial)).collect()
}

/// Runs one function.
pub fn run(chosen: &Chosen, objects: &Objects, limits: &TrialLimits) -> Outcome<CorpusTrial> {
    let dir = tempfile::tempdir().map_err(Failure::usage)?;
    let out = dir.path().join("out");
    run_with(&labrys()?, chosen, objects, limits, &[], &out)
}

/// The same by any Labrys with more flags, and the result in this directory.
pub fn run_with(
    program: &Path,
    chosen: &Chosen,
    objects: &Objects,
    limits: &TrialLimits,
    flags: &[&str],
    out: &Path,
) -> Outcome<CorpusTrial> {
    let Some(object) = objects.of(chosen) else {
        return Ok(CorpusTrial::new(chosen, Ended::Missing));
    };
    let seconds = format!("{}ms", limits.time.as_millis());
    let started = Instant::now();
    let child = Command::new("sh")
        .args(["-c", "ulimit -v \"$0\" && exec \"$@\""])
        .arg(limits.memory_kib.to_string())
        .arg(program)
        .arg("gen")
        .arg(object)
        .args(["--function", &chosen.function, "--criterion", "branch"])
        .args(flags)
        .args(["--time", &seconds, "--format", "json", "--quiet", "--out"])
        .arg(out)
        .current_dir(out.parent().unwrap_or(out))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| Failure::usage(format_args!("cannot run sh: {e}")))?;
    let (status, stdout, stderr) = wait(child, limits.time + MORE_TIME)?;
    let summary: Option<Summary> = serde_json::from_str(&stdout).ok();
    let mut trial = CorpusTrial::new(chosen, end(status, summary.is_some(), &stderr));
    trial.wall_s = (started.elapsed().as_secs_f64() * 100.0).round() / 100.0;
    if trial.ended != Ended::Done {
        let tail = stderr.trim().chars().take(KEPT);
        trial.message = tail.collect();
    }
    if let Some(summary) = summary {
        trial.tests = summary.tests;
        trial.objectives = summary.totals.objectives;
        trial.covered = summary.totals.covered;
        trial.infeasible = summary.totals.infeasible;
        trial.paths = summary.work.paths;
        trial.peak_rss_mb = summary.work.peak_rss_mb;
        trial.ends = summary.work.ends;
        trial.gaps = summary.gaps;
        trial.divergences = summary.divergences;
    }
    Ok(trial)
}

fn end(status: Option<ExitStatus>, summary: bool, stderr: &str) -> Ended {
    let Some(status) = status else {
        return Ended::Timeout;
    };
    match status.code() {
        Some(0) if summary => Ended::Done,
        Some(2) if stderr.contains("no function '") => Ended::Missing,
        Some(2) => Ended::Refused,
        Some(_) => Ended::Internal,
        None => Ended::Crashed,
    }
}

/// Waits until the process ends, with all it prints; `None` if it had to be killed.
pub fn wait(mut child: Child, limit: Duration) -> Outcome<(Option<ExitStatus>, String, String)> {
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let text = |pipe: Option<Box<dyn Read + Send>>| {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What could be read before a broken pipe is still worth showing.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    };
    std::thread::scope(|scope| {
        let out = scope.spawn(move || text(stdout.map(|p| Box::new(p) as _)));
        let err = scope.spawn(move || text(stderr.map(|p| Box::new(p) as _)));
        let deadline = Instant::now() + limit;
        let status = loop {
            if let Some(status) = child.try_wait().map_err(Failure::usage)? {
                break Some(status);
            }
            if Instant::now() > deadline {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let joined =
            |thread: std::thread::ScopedJoinHandle<'_, String>| thread.join().unwrap_or_default();
        Ok((status, joined(out), joined(err)))
    })
}
