//! What the tests of the command line share: running the built program and reading what it wrote.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

pub mod mutants;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The top of the tree.
pub fn top() -> PathBuf {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_dir.ancestors().nth(2).unwrap().to_path_buf()
}

/// The program under test, with this working directory.
pub fn labrys(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_labrys"));
    command.current_dir(dir).stdin(Stdio::null());
    command
}

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

pub fn run(command: &mut Command) -> Ended {
    command.output().unwrap().into()
}

/// The objects that `gen` has written.
pub struct Generated {
    pub dir: TempDir,
    pub summary: Value,
    pub objectives: Vec<Value>,
    pub tests: Vec<Value>,
}

impl Generated {
    pub fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    /// A total of a criterion, such as `covered`.
    pub fn total(&self, criterion: &str, name: &str) -> u64 {
        self.summary["by_criterion"][criterion][name]
            .as_u64()
            .unwrap_or_else(|| panic!("the summary has no {criterion} {name}"))
    }

    pub fn distinct_paths(&self) -> u64 {
        self.summary["work"]["distinct_paths"].as_u64().unwrap()
    }

    /// The ids of the objectives with this status.
    pub fn with_status(&self, status: &str) -> Vec<String> {
        let objectives = self.objectives.iter();
        objectives
            .filter(|o| o["status"] == status)
            .map(|o| o["id"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// Runs `labrys gen`, which must succeed and print one JSON object.
pub fn generate(sources: &[&Path], arguments: &[&str]) -> Result<Generated, String> {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let mut command = labrys(&top());
    command.arg("gen").args(sources).arg("--out").arg(&out);
    command
        .args(["--format", "json", "--quiet"])
        .args(arguments);
    let ended = run(&mut command);
    if ended.code != Some(0) {
        return Err(format!("exit {:?}: {}", ended.code, ended.stderr));
    }
    let summary = serde_json::from_str(&ended.stdout)
        .map_err(|error| format!("stdout is not one JSON object: {error}"))?;
    let objectives = read_json(&out.join("objectives.json"))["objectives"].take();
    let tests = read_json(&out.join("suite.json"))["tests"].take();
    Ok(Generated {
        dir,
        summary,
        objectives: list(objectives),
        tests: list(tests),
    })
}

fn list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(list) => list,
        other => panic!("not a list: {other}"),
    }
}

pub fn read_json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{} is not JSON: {error}", path.display()))
}

/// Replays a suite, exports it as C, and does what the export says to compile and run that.
pub fn replay_and_export(generated: &Generated) -> Result<(), String> {
    let (dir, out) = (generated.dir.path(), generated.out());
    let replay = run(labrys(dir).arg("replay").arg(&out).arg("--quiet"));
    if replay.code != Some(0) {
        return Err(format!("replay: {} {}", replay.stdout, replay.stderr));
    }
    let mut export = labrys(dir);
    export.args(["export", "--format", "c", "--out", "exported.c"]);
    let export = run(export.arg(&out));
    let Some((_, command)) = export.stdout.split_once("try: ") else {
        return Err(format!("export: {} {}", export.stdout, export.stderr));
    };
    let tests = run(Command::new("sh").args(["-c", command]).current_dir(dir));
    let passed = format!("{} passed, 0 failed", generated.tests.len());
    if tests.code != Some(0) || !tests.stdout.contains(&passed) {
        let Ended { stdout, stderr, .. } = tests;
        return Err(format!("the exported tests fail: {stdout}{stderr}"));
    }
    Ok(())
}
