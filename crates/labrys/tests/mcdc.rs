//! MC/DC from end to end: how many tests long decisions need, that the filter takes nothing away,
//! what replay and measure say of a suite, and the tables of `labrys explain`.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Generated, generate, labrys, run, top};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;

fn program(text: &str) -> (TempDir, std::path::PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x.c");
    std::fs::write(&file, text).unwrap();
    (dir, file)
}

/// One function whose only decision has these conditions, joined in groups of `group`.
fn decision(conditions: &[String], group: usize, inner: &str, outer: &str) -> String {
    let groups: Vec<String> = conditions
        .chunks(group)
        .map(|part| format!("({})", part.join(inner)))
        .collect();
    let parameters: Vec<String> = (0..30).map(|i| format!("int x{i}")).collect();
    format!(
        "int f({}) {{ return {}; }}\n",
        parameters.join(", "),
        groups.join(outer)
    )
}

fn conditions() -> Vec<String> {
    (0..30).map(|i| format!("x{i} > {i}")).collect()
}

fn check_size(text: &str, criterion: &str) {
    let (_dir, file) = program(text);
    let arguments = ["--criterion", criterion, "--time", "60s"];
    let found = generate(&[&file], &arguments).unwrap();
    assert_eq!(found.total(criterion, "covered"), 30, "{text}");
    assert!(
        found.tests.len() <= 32,
        "{} tests: {text}",
        found.tests.len()
    );
    let ways = found.distinct_paths();
    assert!(ways < 20_000, "{ways} ways were walked: {text}");
}

#[test]
fn a_decision_with_thirty_conditions_needs_few_tests() {
    let plain = conditions();
    let mut coupled = conditions();
    coupled[15] = "x14 > 3".into();
    coupled[28] = "x0 > 5".into();
    for criterion in ["mcdc", "mcdc-unique"] {
        check_size(&decision(&plain, 30, " && ", ""), criterion);
        check_size(&decision(&plain, 30, " || ", ""), criterion);
        check_size(&decision(&plain, 2, " || ", " && "), criterion);
        check_size(&decision(&coupled, 2, " || ", " && "), criterion);
    }
}

/// Nothing is known of globals before the search. The last two conditions are never both false, so
/// neither decides as false. There are 3^15 ways through the decision.
#[test]
fn what_is_impossible_is_proved_without_walking_all_ways() {
    let mut conditions: Vec<String> = (0..28).map(|i| format!("g{i} > {i}")).collect();
    conditions.extend(["g0 > 9".into(), "g0 < 40".into()]);
    let globals: Vec<String> = (0..28).map(|i| format!("g{i}")).collect();
    let text = decision(&conditions, 2, " || ", " && ");
    let (_dir, file) = program(&format!("extern int {};\n{text}", globals.join(", ")));
    let by_paths = ["--proof-rules", "exhausted"];
    let arguments = [&["--criterion", "mcdc", "--time", "60s"], &by_paths[..]].concat();
    let found = generate(&[&file], &arguments).unwrap();
    assert_eq!(found.with_status("infeasible"), ["mcdc:29", "mcdc:30"]);
    assert_eq!(found.total("mcdc", "covered"), 28);
    assert_eq!(found.summary["stop"], "exhausted");
}

/// The same with a half that is feasible on one way to the decision only: no proof on the others
/// may take it away.
#[test]
fn a_half_that_one_path_alone_can_have_is_found() {
    let text = "
extern int a, b, c, d, e, s;
int f(int way) {
    int bound = 40;
    if (way == 77)
        bound = 8;
    return (a > 1 || b > 1) && (c > 1 || d > 1) && (e > 1 || s > 1) && (a > 9 || a < bound);
}
";
    let (_dir, file) = program(text);
    let found = generate(&[&file], &["--criterion", "mcdc,mcdc-unique"]).unwrap();
    let totals = &found.summary["totals"];
    assert_eq!(totals["covered"], totals["objectives"], "{totals}");
}

fn statuses(found: &Generated) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let objectives = found.objectives.iter();
    objectives
        .map(|o| (text(&o["id"]), text(&o["status"])))
        .collect()
}

#[test]
fn the_filter_takes_nothing_away() {
    let file = Path::new("tests/files/criteria/mcdc.c");
    for criterion in ["mcdc", "mcdc-unique"] {
        let flags = ["--criterion", criterion, "--no-static"];
        let filtered = generate(&[file], &flags).unwrap();
        let all = generate(&[file], &[&flags[..], &["--exhaust"]].concat()).unwrap();
        assert_eq!(statuses(&filtered), statuses(&all));
        let other = generate(
            &[file],
            &[&flags[..], &["--search", "dfs", "-j", "2"]].concat(),
        );
        assert_eq!(statuses(&other.unwrap()), statuses(&all));
    }
}

#[test]
fn replay_measure_and_explain_agree_with_gen() {
    let text = "int f(int a, int b) {\n    return a > 3 && (b > 2 || a == 7);\n}\n";
    let (dir, file) = program(text);
    let found = generate(&[&file], &["--criterion", "mcdc"]).unwrap();
    let pair = &found.objectives[1]["pair"];
    assert_eq!(pair["true"]["vector"], "TT-");
    assert_eq!(pair["false"]["vector"], "TFF");
    assert_eq!(found.objectives[1]["tests"].as_array().unwrap().len(), 2);

    let out = found.out();
    let replay = run(labrys(dir.path())
        .arg("replay")
        .arg(&out)
        .args(["--format", "json"]));
    assert_eq!(replay.code, Some(0), "{}", replay.stdout);
    let replayed: Value = serde_json::from_str(&replay.stdout).unwrap();
    assert_eq!(replayed["totals"]["covered"], 3);

    let mut measure = labrys(dir.path());
    measure.arg("measure").arg(&file).arg("--tests").arg(&out);
    let measure = run(measure.args(["--criterion", "mcdc,mcdc-unique", "--format", "json"]));
    let measured: Value = serde_json::from_str(&measure.stdout).unwrap();
    assert_eq!(measured["by_criterion"]["mcdc"]["covered"], 3);
    assert_eq!(measured["by_criterion"]["mcdc-unique"]["covered"], 3);

    let explain = run(labrys(dir.path()).arg("explain").arg(&out).arg("mcdc"));
    for line in [
        "A && (B || C)",
        "  A B C  result  tests",
        "  B  line 2  b > 2",
    ] {
        assert!(explain.stdout.contains(line), "{}", explain.stdout);
    }
    let one = run(labrys(dir.path()).arg("explain").arg(&out).arg("mcdc:2"));
    assert!(
        one.stdout.contains("> mcdc:2  B  T T -  test"),
        "{}",
        one.stdout
    );
    let none = run(labrys(&top()).arg("explain").arg(&out).arg("mcdc-unique"));
    assert_eq!(none.code, Some(2));
}

/// After `flag > 5` it is certain that `x` is 1: the way to the decision leads through a condition
/// of it that needs no input, and nothing but its pairs is wanted.
#[test]
fn a_decision_that_begins_for_certain_is_still_worth_a_run() {
    let (_dir, file) = program(
        "static int calls;\n\
         static int g(int y) { calls++; return y > 3; }\n\
         int f(int flag, int y) {\n\
         int x;\n\
         if (flag > 5) x = 1; else x = 0;\n\
         if (x && g(y)) return 1;\n\
         return 0; }\n",
    );
    for criterion in ["mcdc", "mcdc-unique"] {
        for search in ["dfs", "pps", "mix"] {
            let arguments = [
                "--function",
                "f",
                "--criterion",
                criterion,
                "--only",
                "x.c:6",
                "--no-static",
                "--search",
                search,
            ];
            let found = generate(&[&file], &arguments).unwrap();
            assert_eq!(found.total(criterion, "objectives"), 2, "{search}");
            assert_eq!(found.total(criterion, "covered"), 2, "{search}");
        }
    }
}
