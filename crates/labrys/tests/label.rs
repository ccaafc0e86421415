//! `labrys label`: what it prints is C for any compiler, and its labels mean what the criterion
//! means: a search for the printed labels covers as many as a search for the criterion.

#![allow(clippy::unwrap_used)]

mod common;

use common::{generate, labrys, run, top};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const FILE: &str = r#"
#include <string.h>
#include <ctype.h>
#define IN(x, lo, hi) ((x) >= (lo) && (x) <= (hi))
static int count;
static int next(int x) { return ++count + x; }
int f(signed char a, unsigned char b) {
    static const int table[4] = {1, 2, 3, 4};
    int r = 0;
    if (IN(a, 3, 9) || !(b & 1))
        r = a - b;
    do { r++; } while (r < 0 && next(r) > 250);
    switch (b & 3) {
    case 0: r += 2; /* falls through */
    case 1: r = r ? a : table[a & 3]; break;
    case 2: if (isdigit(b)) return a > 2 && r;
    }
    return r == 2 ? -r : next(a) ? : 3;
}
"#;

/// Labels and objectives of a criterion, from the printed list.
fn list(dir: &Path, criteria: &str, more: &[&str]) -> Vec<Vec<String>> {
    let mut command = labrys(dir);
    command.args([
        "label",
        "x.c",
        "--criterion",
        criteria,
        "--format",
        "labels",
    ]);
    let ended = run(command.args(more));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let mut lines = ended.stdout.lines();
    assert_eq!(lines.next(), Some("# id, status, tag, line"));
    let words = |line: &str| line.split(", ").map(str::to_owned).collect();
    lines.map(words).collect()
}

#[test]
fn the_printed_program_compiles_and_its_labels_are_the_criterion() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("x.c"), FILE).unwrap();
    let runtime = top().join("runtime");
    let groups = [
        "branch,decision,statement,function,call",
        "condition,multiple-condition,gacc,gicc",
        "boundary,input-domain,rte",
    ];
    for criteria in groups {
        let mut command = labrys(dir.path());
        let ended = run(command.args(["label", "x.c", "--function", "f", "--criterion", criteria]));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let printed = dir.path().join("printed.c");
        std::fs::write(&printed, &ended.stdout).unwrap();
        assert!(
            ended.stdout.contains("#include <string.h>\n"),
            "{}",
            ended.stdout
        );
        for (compiler, standard) in [
            ("gcc", "-std=c99"),
            ("gcc", "-std=gnu17"),
            ("clang-19", "-std=c11"),
        ] {
            let mut compile = Command::new(compiler);
            compile
                .args([standard, "-w", "-fsyntax-only", "-I"])
                .arg(&runtime);
            let compiled = run(compile.arg(&printed));
            assert_eq!(
                compiled.code,
                Some(0),
                "{criteria} {compiler}: {}",
                compiled.stderr
            );
        }
        let labels = list(dir.path(), criteria, &["--function", "f"]);
        assert!(labels.iter().all(|l| l[1] == "unknown"));
        let ids: BTreeSet<&String> = labels.iter().map(|l| &l[0]).collect();
        assert_eq!(ids.len(), labels.len());
        let written = ended.stdout.matches("pc_label(").count();
        assert_eq!(written, labels.len(), "{criteria}");

        let source = dir.path().join("x.c");
        let entry = ["--function", "f", "--exhaust", "--time", "30s"];
        let wanted = generate(
            &[&source],
            &[&entry[..], &["--criterion", criteria]].concat(),
        )
        .unwrap();
        let include = format!("-I{}", runtime.display());
        let again = ["--criterion", "labels", "--", &include];
        let found = generate(&[&printed], &[&entry[..], &again].concat()).unwrap();
        assert_eq!(wanted.summary["stop"], "exhausted", "{criteria}");
        // Objectives that share a label count once among the labels.
        let out = wanted.out();
        let known = ["--function", "f", "--results", out.to_str().unwrap()];
        let known = list(dir.path(), criteria, &known);
        let covered = known.iter().filter(|l| l[1] == "covered").count() as u64;
        assert!(covered > 0);
        assert_eq!(found.total("labels", "covered"), covered, "{criteria}");
    }
}

#[test]
fn wrong_operators_and_results_are_clear_errors() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("x.c"), "int f(int x) { return x + 1; }\n").unwrap();
    let mut command = labrys(dir.path());
    let ended = run(command.args([
        "label",
        "x.c",
        "--criterion",
        "weak-mutation",
        "--operators",
        "AOR,XYZ",
    ]));
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("XYZ") && ended.stderr.contains("AOR"),
        "{}",
        ended.stderr
    );
    let mut command = labrys(dir.path());
    let ended = run(command.args(["label", "x.c", "--format", "labels", "--results", "nowhere"]));
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("nowhere"), "{}", ended.stderr);
    let mut command = labrys(dir.path());
    let ended = run(command.args([
        "gen",
        "x.c",
        "--criterion",
        "input-domain",
        "--partition",
        "y <",
    ]));
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("y <") || ended.stderr.contains("--partition"),
        "{}",
        ended.stderr
    );
}
