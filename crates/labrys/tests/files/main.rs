//! One test for each file below `tests/files/` and `examples/`: the program is run on it, and what
//! it says is compared with the `// expect:` lines, which brute force has written
//! (`tests/oracle/`). `LABRYS_FILES=exact/switch` runs only the tests whose name contains that.

#![allow(clippy::unwrap_used, unreachable_pub)]

mod aliasing;
mod bench;
#[path = "../common/mod.rs"]
mod common;
mod criteria;
mod drivers;
mod exact;
mod examples;
mod expect;
mod fault_checks;
mod faults;
mod float_expressions;
mod harness;
mod labels;
mod lang;
mod mcdc;
mod programs;
mod sameness;
mod search;
mod together;
mod trust;

use common::top;
use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What a test of one file finds wrong, each in one line; nothing if all is well.
type Check = fn(&Path) -> Result<Vec<String>, String>;

fn main() -> ExitCode {
    let only = std::env::var("LABRYS_FILES").unwrap_or_default();
    let mut trials = Vec::new();
    each("exact", "tests/files/exact", exact::check, &mut trials);
    each("lang", "tests/files/lang", lang::check, &mut trials);
    each("faults", "tests/files/faults", faults::check, &mut trials);
    each(
        "fault-checks",
        "tests/files/fault-checks",
        fault_checks::check,
        &mut trials,
    );
    each("labels", "tests/files/labels", labels::check, &mut trials);
    each("bench", "tests/files/bench", bench::check, &mut trials);
    each(
        "drivers",
        "tests/files/drivers",
        drivers::check,
        &mut trials,
    );
    each(
        "harness",
        "tests/files/harness",
        harness::check,
        &mut trials,
    );
    each(
        "programs",
        "tests/files/programs",
        programs::check,
        &mut trials,
    );
    each("example", "examples", examples::check, &mut trials);
    trials.extend(examples::more());
    trials.extend(criteria::trials());
    trials.extend(mcdc::trials());
    trials.extend(together::trials());
    trials.extend(sameness::trials());
    trials.extend(search::trials());
    trials.extend(float_expressions::trials());
    trials.extend(trust::trials());
    trials.extend(aliasing::trials());
    trials.push(trial("files/every folder has a test".into(), || {
        Ok(folders_without_a_test())
    }));
    trials.retain(|trial| trial.name().contains(&only));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// The folders of `tests/files` whose programs are tests here, and those that other tests read.
const FOLDERS: [&str; 16] = [
    "bench",
    "criteria",
    "drivers",
    "exact",
    "fault-checks",
    "faults",
    "harness",
    "labels",
    "lang",
    "programs",
    "search",
    "trust",
    // By the benchmarks and `subjects.rs`, by `labrys-ir`, by `values.rs`.
    "augmentation",
    "label-coverage",
    "lir",
    "values",
];

/// A folder that nobody reads would be tests that never run.
fn folders_without_a_test() -> Vec<String> {
    let entries = std::fs::read_dir(top().join("tests/files")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names
        .filter(|name| !FOLDERS.contains(&name.as_str()))
        .map(|name| format!("no test reads tests/files/{name}"))
        .collect()
}

/// One trial for each C file of a directory.
fn each(group: &str, dir: &str, check: Check, trials: &mut Vec<Trial>) {
    for file in c_files(dir) {
        let name = format!("{group}/{}", file.file_stem().unwrap().to_string_lossy());
        trials.push(trial(name, move || check(&file)));
    }
}

fn c_files(dir: &str) -> Vec<PathBuf> {
    let dir = top().join(dir);
    let entries = std::fs::read_dir(&dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no C file", dir.display());
    files
}

fn trial(
    name: String,
    check: impl FnOnce() -> Result<Vec<String>, String> + Send + 'static,
) -> Trial {
    Trial::test(name, move || {
        let wrong = check()?;
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(wrong.join("\n").into())
        }
    })
}
