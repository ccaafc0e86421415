//! The annotated samples behave as the originals, under GCC, under clang and as bitcode, and
//! their branches are those of llvm-cov, in number and in what a run covers.
#![allow(clippy::unwrap_used)]

mod common;

use common::{must, options, run, run_annotated, run_binary, runtime, sample, samples};
use labrys_front::{AnnotatedProgram, EntryChoice, load};
use labrys_ledger::Criterion;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output};

fn annotate(name: &str, criteria: &[Criterion], bitcode: bool, dir: &Path) -> AnnotatedProgram {
    let mut options = options(dir);
    options.criteria = criteria.to_vec();
    options.bitcode = bitcode;
    load(&[sample(name).into()], &EntryChoice::Main, &options)
        .unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn original(name: &str, dir: &Path) -> Output {
    let binary = dir.join("original");
    must(
        Command::new("gcc")
            .args(["-w", "-O0"])
            .arg(sample(name))
            .args(["-lm", "-o"])
            .arg(&binary),
    );
    run(&mut Command::new(&binary))
}

/// With all criteria, under GCC and as bitcode.
fn check_with_all_criteria(name: &str, expected: &Output) {
    let dir = tempfile::tempdir().unwrap();
    let program = annotate(name, Criterion::ALL, true, dir.path());
    let (output, _) = run_annotated(&program, "gcc", dir.path());
    assert_eq!(&output, expected, "{name}, gcc");
    let binary = dir.path().join("bitcode");
    let mut link = Command::new("clang-19");
    link.arg("-w")
        .args(program.units.iter().map(|u| &u.bitcode));
    must(link.arg(runtime()).args(["-lm", "-o"]).arg(&binary));
    let (output, _) = run_binary(&binary, dir.path());
    assert_eq!(&output, expected, "{name}, bitcode");
    check_lines(name, &program, dir.path());
}

/// With few criteria, under clang.
fn check_with_few_criteria(name: &str, expected: &Output) {
    let dir = tempfile::tempdir().unwrap();
    let few = [Criterion::Statement, Criterion::Decision];
    let program = annotate(name, &few, false, dir.path());
    let (output, _) = run_annotated(&program, "clang-19", dir.path());
    assert_eq!(&output, expected, "{name}, clang");
}

/// The lines of the annotated text are those of the source.
fn check_lines(name: &str, program: &AnnotatedProgram, dir: &Path) {
    let preprocessed = dir.join(name.replace(".c", ".i"));
    let before = std::fs::read_to_string(preprocessed).unwrap();
    let user = before.lines().count();
    let lines = || program.units[0].annotated.lines();
    let head = lines().position(|l| l == before.lines().next().unwrap());
    let marker = lines().position(|l| l.contains("labrys-harness.c"));
    assert_eq!(
        marker.unwrap() - head.unwrap(),
        user + usize::from(!before.ends_with('\n')) + 1,
        "{name}"
    );
}

/// One of two halves, so that two processors can share the work.
fn check_samples(half: usize) {
    for name in samples().into_iter().skip(half).step_by(2) {
        let dir = tempfile::tempdir().unwrap();
        let expected = original(&name, dir.path());
        check_with_all_criteria(&name, &expected);
        check_with_few_criteria(&name, &expected);
    }
}

#[test]
fn annotated_programs_behave_as_the_originals() {
    check_samples(0);
}

#[test]
fn more_annotated_programs_behave_as_the_originals() {
    check_samples(1);
}

/// How often each branch of each function came out true and false, as llvm-cov counts it.
fn llvm_cov(name: &str, dir: &Path) -> BTreeMap<String, Vec<[u64; 2]>> {
    let (binary, raw, data) = (dir.join("cov"), dir.join("raw"), dir.join("data"));
    let mut clang = Command::new("clang-19");
    clang.args([
        "-w",
        "-Wno-error=implicit-int",
        "-fprofile-instr-generate",
        "-fcoverage-mapping",
    ]);
    must(clang.arg(sample(name)).args(["-lm", "-o"]).arg(&binary));
    run(Command::new(&binary).env("LLVM_PROFILE_FILE", &raw));
    must(
        Command::new("llvm-profdata-19")
            .arg("merge")
            .arg(&raw)
            .arg("-o")
            .arg(&data),
    );
    let mut export = Command::new("llvm-cov-19");
    export
        .arg("export")
        .arg(&binary)
        .arg("-instr-profile")
        .arg(&data);
    let json: serde_json::Value = serde_json::from_slice(&must(&mut export).stdout).unwrap();
    let mut out = BTreeMap::new();
    for function in json["data"][0]["functions"].as_array().unwrap() {
        let name = function["name"]
            .as_str()
            .unwrap()
            .rsplit(':')
            .next()
            .unwrap()
            .to_owned();
        let branches = function["branches"].as_array().unwrap().iter();
        let counts = branches.map(|b| [b[4].as_u64().unwrap(), b[5].as_u64().unwrap()]);
        out.insert(name, counts.collect());
    }
    out
}

#[test]
fn branches_are_those_of_llvm_cov() {
    // Left out: switch has a rule of its own, and llvm-cov counts what `_Generic` did not choose
    // and initialisers of GNU ranges, which may be evaluated once or often.
    let different = ["switches.c", "generic.c", "odd_statements.c"];
    let mut compared = 0;
    for name in samples()
        .iter()
        .filter(|n| !different.contains(&n.as_str()))
    {
        let dir = tempfile::tempdir().unwrap();
        let program = annotate(name, &[Criterion::Branch], false, dir.path());
        let (_, fired) = run_annotated(&program, "gcc", dir.path());
        let mut ours: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for objective in &program.objectives {
            let (total, covered) = ours.entry(objective.function.clone()).or_default();
            *total += 1;
            *covered += usize::from(fired.contains(&objective.trigger));
        }
        for (function, branches) in llvm_cov(name, dir.path()) {
            let covered = branches
                .iter()
                .flatten()
                .filter(|count| **count > 0)
                .count();
            let expected = (2 * branches.len(), covered);
            let got = ours.get(&function).copied().unwrap_or_default();
            assert_eq!(got, expected, "{name}: {function} (total, covered)");
            compared += 1;
        }
    }
    assert!(compared > 60, "only {compared} functions compared");
}

#[test]
fn every_case_label_is_one_branch() {
    let dir = tempfile::tempdir().unwrap();
    let program = annotate("switches.c", &[Criterion::Branch], false, dir.path());
    let (_, fired) = run_annotated(&program, "gcc", dir.path());
    let of = |function: &str| -> Vec<(String, bool)> {
        let objectives = program.objectives.iter().filter(|o| o.function == function);
        objectives
            .map(|o| (o.text.clone(), fired.contains(&o.trigger)))
            .collect()
    };
    let expect = |text: &str, covered| (text.to_owned(), covered);
    assert_eq!(
        of("no_default"),
        [
            expect("case 1 of switch (x)", true),
            expect("case -2 of switch (x)", true),
            expect("case 3 of switch (x)", true),
            expect("case 7 ... 9 of switch (x)", true),
            expect("no case matches in switch (x)", true),
        ]
    );
    assert_eq!(
        of("plain").last().unwrap(),
        &expect("default of switch (x)", true)
    );
    // Where there is nothing but a switch, our labels are those of llvm-cov, taken or not.
    let theirs = llvm_cov("switches.c", dir.path());
    for function in [
        "plain",
        "no_default",
        "of_enum",
        "wide",
        "small",
        "declared",
        "vla",
        "side",
    ] {
        let taken = theirs[function].iter().filter(|b| b[0] > 0).count();
        let ours = of(function);
        let covered = ours.iter().filter(|(_, covered)| *covered).count();
        assert_eq!(
            (ours.len(), covered),
            (theirs[function].len(), taken),
            "{function}"
        );
    }
    // Falling into a label is not jumping to it.
    assert_eq!(
        of("last_label")[2],
        expect("no case matches in switch (x)", true)
    );
    let never: BTreeSet<_> = of("wide").into_iter().filter(|(_, c)| !c).collect();
    assert!(never.is_empty(), "{never:?}");
}
