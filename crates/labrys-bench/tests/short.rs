//! Every benchmark runs in its short form: it ends well, prints a table with rows, and finds nothing
//! wrong. Speed is not judged here.

#![allow(clippy::unwrap_used)]

use std::process::Command;

fn short(arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_labrys-bench"))
        .args(arguments)
        .arg("--short")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text}\n{said}");
    assert!(!text.contains("wrong:"), "{text}");
    // The title, an empty line, the header of the table, its first row.
    let mut lines = text.lines();
    assert!(lines.next().unwrap().starts_with(arguments[0]), "{text}");
    assert_eq!(lines.next(), Some(""), "{text}");
    let (header, row) = (lines.next().unwrap(), lines.next().unwrap());
    assert!(!header.is_empty() && !row.is_empty(), "{text}");
}

#[test]
fn engine() {
    short(&["engine"]);
}

#[test]
fn explore() {
    short(&["explore"]);
}

#[test]
fn solver() {
    short(&["solver"]);
}

#[test]
fn latency() {
    short(&["latency"]);
}

#[test]
fn memory() {
    short(&["memory"]);
}

#[test]
fn limits() {
    short(&["limits"]);
}

#[test]
fn search() {
    short(&["search"]);
}

#[test]
fn label_coverage() {
    short(&["label-coverage"]);
}

#[test]
fn coverage_structure() {
    short(&["coverage-structure"]);
}

#[test]
fn augmentation() {
    short(&["augmentation"]);
}

#[test]
fn corpus() {
    short(&["corpus"]);
}

#[test]
fn mutants_of_the_corpus() {
    short(&["corpus", "--mutants"]);
}

#[test]
fn programs() {
    short(&["programs"]);
}

/// A batch of each kind of functions and programs whose truth is found out natively.
#[test]
fn torture() {
    short(&["torture"]);
}

/// Sixty functions and programs all of whose inputs are tried, with each proof rule alone.
#[test]
fn torture_by_each_rule() {
    short(&["torture", "--each-rule"]);
}

/// Six functions all of whose inputs are tried with all mutants.
#[test]
fn equivalence() {
    short(&["equivalence"]);
}

/// Three of them with pairs of mutants.
#[test]
fn equivalence_of_pairs() {
    short(&["equivalence", "--order", "2", "--programs", "3"]);
}

#[test]
fn stubborn() {
    short(&["stubborn"]);
}

/// A driver, the truth of which is known.
#[test]
fn bidirectional() {
    short(&["bidirectional"]);
}

#[test]
fn fuzz() {
    short(&["fuzz"]);
}

#[test]
fn killed() {
    short(&["killed"]);
}

/// The list of names is that of the tests above.
#[test]
fn an_unknown_name_is_refused_with_those_that_are_known() {
    let output = Command::new(env!("CARGO_BIN_EXE_labrys-bench"))
        .arg("speed")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    let known = "engine, explore, solver, latency, memory, limits, search, label-coverage, \
                 coverage-structure, augmentation, corpus, programs, mutants, torture, equivalence, \
                 stubborn, bidirectional, fuzz, killed";
    assert!(said.contains(known), "{said}");
}
