//! The compiled program decides, here too: once for each unit, `labrys gen` runs its default search
//! and replays the tests natively. The curves themselves are the engine's alone.

use super::units::Unit;
use crate::product::labrys;
use labrys_driver::output::Summary;
use labrys_driver::request::Request;
use labrys_driver::{Failure, Outcome};
use labrys_front::EntryChoice;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What the native runs have shown.
#[derive(Clone, Debug)]
pub struct Native {
    pub tests: usize,
    pub divergences: Vec<String>,
    /// Set if `gen` failed.
    pub failed: Option<String>,
}

pub fn check(unit: &Unit, request: &Request, iterations: u64, time: Duration) -> Outcome<Native> {
    let dir = tempfile::tempdir().map_err(Failure::usage)?;
    let mut command = Command::new(labrys()?);
    command.arg("gen").args(&request.program.sources);
    match &request.program.entry {
        EntryChoice::Function(function) => command.args(["--function", function]),
        _ => command.arg("--main"),
    };
    let output = command
        .args(["--criterion", "branch", "--format", "json", "--quiet"])
        .args(["--paths", &iterations.to_string()])
        .args(["--time", &format!("{}ms", time.as_millis())])
        .args(["--array-len", "4", "--depth", "3", "--out"])
        .arg(dir.path().join("out"))
        .arg("--")
        .args(&unit.flags)
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .output()
        .map_err(|e| Failure::usage(format_args!("cannot run labrys gen: {e}")))?;
    let summary: Option<Summary> = serde_json::from_slice(&output.stdout).ok();
    Ok(match summary {
        Some(summary) => Native {
            tests: summary.tests,
            divergences: summary.divergences,
            failed: None,
        },
        None => {
            let text = String::from_utf8_lossy(&output.stderr);
            let first = text.lines().next().unwrap_or("no output").to_owned();
            Native {
                tests: 0,
                divergences: Vec::new(),
                failed: Some(first),
            }
        }
    })
}
