//! The conditions and decisions of all examples and of the file tests are those of llvm-cov. What
//! differs, and why, stands in `docs/criteria.md`.
#![allow(clippy::unwrap_used)]

mod common;

use common::{must, options, root};
use labrys_front::{ACCEPT_OLD_C_FLAGS, AnnotatedProgram, EntryChoice, load};
use labrys_ledger::{Criterion, Objective, Trigger};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Functions that differ, as `docs/criteria.md` says: llvm-cov counts the constants of a decision
/// among its conditions.
const DIFFERENT: &[(&str, &str)] = &[("boundary", "edges")];

/// The kind of llvm-cov's branch regions that belong to a decision with several conditions.
const IN_DECISION: u64 = 6;

/// What a function has, of what both sides count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// Conditions and cases.
    branches: usize,
    /// Conditions of decisions with at least two.
    in_decisions: usize,
    /// The numbers of conditions of decisions with at least two, sorted.
    decisions: Vec<usize>,
}

#[test]
fn conditions_and_decisions_of_examples_and_criteria_are_those_of_llvm_cov() {
    let mut files = c_files("examples");
    // Labels in the source are predicates of their own, not decisions of the program.
    let labels = |file: &PathBuf| stem(file).starts_with("labels");
    files.extend(
        c_files("tests/files/criteria")
            .into_iter()
            .filter(|f| !labels(f)),
    );
    compare(&files, 200, 40);
}

/// What brute force has written into the others comes from llvm-cov, too.
#[test]
fn conditions_and_decisions_of_every_second_exact_program_are_those_of_llvm_cov() {
    let files = c_files("tests/files/exact").into_iter();
    compare(&files.step_by(2).collect::<Vec<_>>(), 150, 15);
}

/// Compares all functions of the files, which have at least so many branches and decisions.
fn compare(files: &[PathBuf], branches: usize, decisions: usize) {
    let mut wrong = Vec::new();
    let mut compared = Counts::default();
    let dir = tempfile::tempdir().unwrap();
    let profile = empty_profile(dir.path());
    for file in files {
        let name = stem(file);
        let theirs = llvm_cov(file, &profile, dir.path());
        for (function, ours) in labrys(file, dir.path()) {
            let Some((counts, limited)) = theirs.get(&function) else {
                wrong.push(format!("{name}: llvm-cov does not know {function}"));
                continue;
            };
            let mut expected = counts.clone();
            if *limited {
                expected.in_decisions = ours.in_decisions;
            }
            let constants = ours.decisions.iter().sum::<usize>() != ours.in_decisions;
            if *limited || constants {
                expected.decisions.clone_from(&ours.decisions);
            }
            let known = DIFFERENT.contains(&(name.as_str(), function.as_str()));
            if (ours == expected) == known {
                wrong.push(format!("{name}: {function}: {ours:?}, not {expected:?}"));
            }
            compared.branches += ours.branches;
            if !limited {
                compared.decisions.extend(ours.decisions);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let found = (compared.branches, compared.decisions.len());
    assert!(
        found.0 >= branches && found.1 >= decisions,
        "only {found:?} compared"
    );
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap().to_string_lossy().into_owned()
}

fn c_files(directory: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(directory)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "c"));
    files.sort();
    files
}

/// What Labrys counts in each function that it tests.
fn labrys(file: &Path, dir: &Path) -> BTreeMap<String, Counts> {
    let mut options = options(dir);
    options.criteria = vec![Criterion::Branch, Criterion::Condition, Criterion::Gacc];
    options.bitcode = false;
    let program = load(&[file.to_owned().into()], &EntryChoice::Auto, &options)
        .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let mut out = BTreeMap::new();
    for function in program.entries.iter().flat_map(|entry| &entry.scope) {
        out.insert(function.clone(), counts(&program, function));
    }
    out
}

fn counts(program: &AnnotatedProgram, function: &str) -> Counts {
    let of = |criterion: Criterion| {
        let objectives = program.objectives.iter();
        objectives.filter(move |o| o.function == function && o.criterion == criterion)
    };
    let (mut cases, mut decisions) = (0, BTreeMap::<u32, usize>::new());
    for objective in of(Criterion::Branch) {
        match objective.trigger {
            Trigger::Case { .. } => cases += 1,
            Trigger::Condition {
                decision,
                value: true,
                ..
            } => *decisions.entry(decision).or_default() += 1,
            _ => {}
        }
    }
    let conditions: usize = decisions.values().sum();
    assert_eq!(
        of(Criterion::Condition).count(),
        2 * conditions,
        "{function}"
    );
    let mut decisions: Vec<usize> = decisions.into_values().filter(|n| *n > 1).collect();
    decisions.sort_unstable();
    let decides = |o: &&Objective| o.text.contains(" and decides ");
    let in_decisions = of(Criterion::Gacc).filter(decides).count() / 2;
    Counts {
        branches: conditions + cases,
        in_decisions,
        decisions,
    }
}

/// A profile that knows none of the functions, which counts zero everywhere: no run is needed.
fn empty_profile(dir: &Path) -> PathBuf {
    let (text, data) = (dir.join("text"), dir.join("data"));
    std::fs::write(&text, "no function of ours\n0\n1\n0\n").unwrap();
    let mut merge = Command::new("llvm-profdata-19");
    must(merge.arg("merge").arg(&text).arg("-o").arg(&data));
    data
}

/// What llvm-cov counts in each function, and whether clang said that it leaves out a decision.
fn llvm_cov(file: &Path, profile: &Path, dir: &Path) -> BTreeMap<String, (Counts, bool)> {
    let object = dir.join("x.o");
    let mut clang = Command::new("clang-19");
    clang.args(ACCEPT_OLD_C_FLAGS.iter().filter(|flag| **flag != "-w"));
    clang.args([
        "-fprofile-instr-generate",
        "-fcoverage-mapping",
        "-fcoverage-mcdc",
    ]);
    clang.arg("-I").arg(root().join("runtime"));
    clang.arg("-idirafter").arg(root().join("runtime/include"));
    let said = must(clang.arg("-c").arg(file).arg("-o").arg(&object)).stderr;
    let said = String::from_utf8_lossy(&said);
    let left_out: Vec<u64> = said
        .lines()
        .filter(|line| line.contains("unsupported MC/DC boolean expression"))
        .map(|line| {
            line.rsplit(".c:")
                .next()
                .unwrap()
                .split(':')
                .next()
                .unwrap()
        })
        .map(|line| line.parse().unwrap())
        .collect();
    let mut export = Command::new("llvm-cov-19");
    export.arg("export").arg(&object);
    let json = must(export.arg("-instr-profile").arg(profile)).stdout;
    let json: Value = serde_json::from_slice(&json).unwrap();
    let list = |value: &Value| value.as_array().unwrap().clone();
    let mut out = BTreeMap::new();
    for function in list(&json["data"][0]["functions"]) {
        let records = list(&function["mcdc_records"]).into_iter();
        let size = |record: Value| record.as_array().unwrap().last().map(|c| list(c).len());
        let mut decisions: Vec<usize> = records.filter_map(size).collect();
        decisions.sort_unstable();
        let branches = list(&function["branches"]);
        let in_decision = |branch: &&Value| {
            let kind = branch.as_array().and_then(|b| b.last());
            kind.and_then(Value::as_u64) == Some(IN_DECISION)
        };
        let counts = Counts {
            branches: branches.len(),
            in_decisions: branches.iter().filter(in_decision).count(),
            decisions,
        };
        let body = &function["regions"][0];
        let lines = body[0].as_u64().unwrap()..=body[2].as_u64().unwrap();
        let limited = left_out.iter().any(|line| lines.contains(line));
        let name = function["name"].as_str().unwrap();
        out.insert(
            name.rsplit(':').next().unwrap().to_owned(),
            (counts, limited),
        );
    }
    out
}
