//! `labrys mutate --test-command`: a small project with a Makefile, its score, and what is said where
//! its tests cannot be used.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Ended, labrys, read_json, run};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const LIBRARY: &str = "\
int larger(int a, int b) {
  if (a > b)
    return a;
  return b;
}

int twice(int a) {
  return a + a;
}

int unused(int a) {
  return a - 1;
}
";

const MAKEFILE: &str = "\
check: larger twice
\t./larger && ./twice
larger: larger.o lib.o
twice: twice.o lib.o
%.o: %.c
\tcc -Wall -Wextra -Werror -c $< -o $@
";

/// A project of a library and two test programs.
fn project() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("lib.c", LIBRARY);
    write("Makefile", MAKEFILE);
    write(
        "larger.c",
        "int larger(int, int);\nint main(void) { return !(larger(1, 2) == 2 && larger(4, 3) == 4); }\n",
    );
    write(
        "twice.c",
        "int twice(int);\nint main(void) { return twice(2) != 4; }\n",
    );
    dir
}

fn mutate(dir: &TempDir, arguments: &[&str]) -> Ended {
    let mut command = labrys(dir.path());
    command.args(["mutate", "lib.c", "--quiet", "--operators", "ROR,AOR"]);
    run(command.args(arguments))
}

fn result(dir: &TempDir, arguments: &[&str]) -> Value {
    let mut all = vec!["--format", "json"];
    all.extend(arguments);
    let ended = mutate(dir, &all);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    serde_json::from_str(&ended.stdout).unwrap()
}

fn status<'a>(result: &'a Value, original: &str, replacement: &str) -> &'a Value {
    let list = result["list"].as_array().unwrap();
    let is_it = |m: &&Value| m["original"] == original && m["replacement"] == replacement;
    list.iter().find(is_it).unwrap()
}

#[test]
fn a_project_is_scored_by_its_own_tests() {
    let dir = project();
    let before = std::fs::read_dir(dir.path()).unwrap().count();
    let found = result(
        &dir,
        &["--test-command", "make check", "-j", "2", "--out", "out"],
    );
    assert_eq!(status(&found, "a > b", "a < b")["status"], "killed");
    assert_eq!(status(&found, "a > b", "a >= b")["status"], "equivalent");
    assert_eq!(status(&found, "a + a", "a * a")["status"], "survived");
    assert_eq!(
        status(&found, "a + a", "a - a")["killed_by"][0],
        "make check"
    );
    assert_eq!(status(&found, "a - 1", "a + 1")["status"], "no-coverage");
    assert_eq!(
        std::fs::read_to_string(dir.path().join("lib.c")).unwrap(),
        LIBRARY
    );
    // Only the results are new: nothing was built here.
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), before + 1);
    let written = std::fs::read(dir.path().join("out/mutants.json")).unwrap();
    let written: Value = serde_json::from_slice(&written).unwrap();
    assert_eq!(written["mutants"], found["list"]);
}

#[test]
fn commands_are_tests_of_their_own() {
    let dir = project();
    let (larger, twice) = ("make larger && ./larger", "make twice && ./twice");
    let found = result(&dir, &["--test-command", larger, "--test-command", twice]);
    assert_eq!(status(&found, "a > b", "a < b")["killed_by"][0], larger);
    let other = status(&found, "a + a", "a - a");
    assert_eq!(other["killed_by"][0], twice);
    // The command that does not come to it is not run.
    assert_eq!(other["runs"], 1);
    assert_eq!(found["tests"].as_array().unwrap().len(), 2);
}

#[test]
fn two_changes_are_active_together() {
    let dir = project();
    let found = result(&dir, &["--test-command", "make check", "--order", "2"]);
    let list = found["list"].as_array().unwrap();
    // Half of the mutants of three points, each with one of another point.
    assert_eq!(list.len(), 8, "{list:#?}");
    let makes =
        |m: &Value, text: &str| m["replacement"] == text || m["also"]["replacement"] == text;
    for killed in ["a < b", "a == b", "false", "a - a", "a / a", "a % a"] {
        let pair = list.iter().find(|m| makes(m, killed)).unwrap();
        assert_eq!(pair["status"], "killed", "{pair}");
    }
    assert!(
        list.iter()
            .all(|m| m["reached"] == true || m["proof"] != Value::Null)
    );
}

#[test]
fn only_a_part_is_mutated() {
    let dir = project();
    let found = result(&dir, &["--test-command", "make check", "--only", "lib.c:8"]);
    let list = found["list"].as_array().unwrap();
    assert!(!list.is_empty());
    assert!(list.iter().all(|m| m["line"] == 8), "{list:?}");
}

#[test]
fn tests_that_fail_without_mutants_are_an_error_of_its_own() {
    let dir = project();
    let ended = mutate(&dir, &["--test-command", "echo something is wrong; false"]);
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("fails without any mutant"),
        "{}",
        ended.stderr
    );
    assert!(
        ended.stderr.contains("something is wrong"),
        "{}",
        ended.stderr
    );
}

#[test]
fn tests_that_flicker_are_an_error_of_its_own() {
    let dir = project();
    let ended = mutate(&dir, &["--test-command", "mkdir only-once"]);
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("fails the next time"),
        "{}",
        ended.stderr
    );
}

#[test]
fn what_there_was_no_time_for_says_so() {
    let dir = project();
    let slow = "make check && if [ -n \"$LABRYS_MUTANT\" ]; then sleep 60; fi";
    let found = result(
        &dir,
        &[
            "--test-command",
            slow,
            "--time",
            "15s",
            "--test-time",
            "60s",
            "--no-tce",
        ],
    );
    assert_eq!(found["stop"], "time");
    let survivor = status(&found, "a > b", "a >= b");
    assert_eq!(survivor["status"], "survived");
    assert_eq!(survivor["reason"], "time");
}

#[test]
fn a_run_that_does_not_end_kills() {
    let dir = project();
    let endless = "make check && if [ -n \"$LABRYS_MUTANT\" ]; then sleep 60; fi";
    let only = [
        "--test-command",
        endless,
        "--test-time",
        "2s",
        "--only",
        "lib.c:2",
        "--no-tce",
        "-j",
        "2",
    ];
    let found = result(&dir, &only);
    assert_eq!(status(&found, "a > b", "a >= b")["status"], "timeout");
}

/// All files of a directory with their bytes.
fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path());
    let mut files: Vec<_> = entries
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

/// A build that was made before and names its directory, as those of CMake do.
fn make_absolute(dir: &TempDir) {
    let top = dir.path().canonicalize().unwrap();
    let makefile = "\
check: TOP/test
\tTOP/test
TOP/test: TOP/larger.o TOP/lib.o
\tcc $^ -o $@
TOP/%.o: TOP/%.c
\tcc -c $< -o $@
";
    let makefile = makefile.replace("TOP", top.to_str().unwrap());
    std::fs::write(dir.path().join("Makefile"), makefile).unwrap();
    std::fs::write(dir.path().join("CMakeCache.txt"), "").unwrap();
    let made = run(std::process::Command::new("make").current_dir(&top));
    assert_eq!(made.code, Some(0), "{}", made.stderr);
}

#[test]
fn a_build_that_names_its_directory_builds_the_copy() {
    let dir = project();
    make_absolute(&dir);
    let before = files(dir.path());
    let command = ["--test-command", "make check", "-j", "2"];
    let mut all = vec!["--format", "json"];
    all.extend(command);
    let ended = mutate(&dir, &all);
    assert_eq!(files(dir.path()), before);
    if ended.stderr.contains("namespaces") {
        // Refused, since this machine has none: then the original would be built.
        assert_eq!(ended.code, Some(2));
        return;
    }
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let found: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(status(&found, "a > b", "a < b")["status"], "killed");
    assert_eq!(status(&found, "a + a", "a - a")["status"], "no-coverage");
}

/// A run that is killed with the test, however that ends.
struct KilledRun(Child);

impl Drop for KilledRun {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The mutants of a file with this status.
fn with_status(file: &Value, status: &str) -> usize {
    let list = file["mutants"].as_array().unwrap();
    list.iter().filter(|m| m["status"] == status).count()
}

/// Waits until the file says that a mutant is killed.
fn wait_for_kill(run: &mut Child, file: &Path) {
    let started = Instant::now();
    while !file.is_file() || with_status(&read_json(file), "killed") == 0 {
        assert!(started.elapsed() < Duration::from_secs(300), "no results");
        assert_eq!(run.try_wait().unwrap(), None, "it must not end");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_run_that_is_killed_leaves_its_results() {
    let dir = project();
    let signs = tempfile::tempdir().unwrap();
    // The first run with a mutant fails, the next does not end.
    let command = format!(
        "make larger; if [ -z \"$LABRYS_MUTANT\" ]; then exec ./larger; fi; if mkdir {}/once; then exit 1; fi; exec sleep 1000",
        signs.path().display()
    );
    let mut labrys = labrys(dir.path());
    labrys.args(["mutate", "lib.c", "--quiet", "--operators", "ROR"]);
    labrys.args(["--no-tce", "--out", "out", "--test-time", "1000s"]);
    labrys.args(["--test-command", &command]);
    labrys.stdout(Stdio::null()).stderr(Stdio::null());
    let mut run = KilledRun(labrys.spawn().unwrap());
    let out = dir.path().join("out");
    wait_for_kill(&mut run.0, &out.join("mutants.json"));
    drop(run);
    let file = read_json(&out.join("mutants.json"));
    assert_eq!(with_status(&file, "killed"), 1);
    let list = file["mutants"].as_array().unwrap();
    let waiting = list.iter().filter(|m| m["reason"] == "time").count();
    assert_eq!(waiting, list.len() - 1, "{list:#?}");
    let summary = read_json(&out.join("summary.json"));
    assert_eq!(summary["stop"], "running");
}

#[test]
fn sources_outside_of_the_project_are_refused() {
    let dir = project();
    let other = tempfile::tempdir().unwrap();
    let name = other.path().to_str().unwrap();
    let ended = mutate(&dir, &["--test-command", "true", "--test-dir", name]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("--test-dir"), "{}", ended.stderr);
}
