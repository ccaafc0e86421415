//! One run of `labrys gen` on a subject, in a process of its own, with what it took.

use crate::product::labrys;
use labrys_driver::output::Summary;
use labrys_driver::{Failure, Outcome};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A way to make a suite.
#[derive(Clone, Copy, Debug)]
pub struct Configuration {
    pub name: &'static str,
    pub flags: &'static [&'static str],
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct SuiteTrial {
    pub suite: PathBuf,
    pub tests: usize,
    /// Questions to the solver, of the search and of the augmentation.
    pub conditions: u64,
    /// From the command line to the replayed suite.
    pub wall: Duration,
    /// Ended by the clock.
    pub late: bool,
}

/// Makes the suite of a source with one function.
pub fn run(source: &Path, by: &Configuration, out: &Path, limit: Duration) -> Outcome<SuiteTrial> {
    let this = labrys()?;
    let dir = out.parent().unwrap_or(out);
    let started = Instant::now();
    let output = Command::new(this)
        .arg("gen")
        .arg(source)
        .args(by.flags)
        .args(["--time", &format!("{}ms", limit.as_millis())])
        .args(["--format", "json", "--quiet", "--out"])
        .arg(out)
        .current_dir(dir)
        .stdin(Stdio::null())
        .output()
        .map_err(Failure::usage)?;
    let wall = started.elapsed();
    let summary: Summary = serde_json::from_slice(&output.stdout).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr);
        Failure::usage(format_args!(
            "labrys gen {} {} failed: {}",
            source.display(),
            by.flags.join(" "),
            said.trim()
        ))
    })?;
    let augmentation = summary.augmentation.as_ref();
    let augmented = augmentation.map_or(0, |a| a.labels.queries + a.mutants.queries);
    Ok(SuiteTrial {
        suite: out.join("suite.json"),
        tests: summary.tests,
        conditions: summary.work.queries + augmented,
        wall,
        late: summary.stop == "time",
    })
}
