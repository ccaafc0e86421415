//! `labrys minimise` and `gen --minimise`: what is dropped, and that nothing else is lost.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Generated, generate, labrys, read_json, run};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

fn covered(objectives: &Value) -> BTreeSet<String> {
    let all = objectives["objectives"].as_array().unwrap().iter();
    all.filter(|o| o["status"] == "covered")
        .map(|o| o["id"].as_str().unwrap().to_owned())
        .collect()
}

fn ids(suite: &Value) -> BTreeSet<u64> {
    let tests = suite["tests"].as_array().unwrap().iter();
    tests.map(|test| test["id"].as_u64().unwrap()).collect()
}

/// Everything in the directory speaks only of tests that are there.
fn check_consistent(out: &Path) {
    let suite = read_json(&out.join("suite.json"));
    let kept = ids(&suite);
    let objectives = read_json(&out.join("objectives.json"));
    let known = |value: &Value| kept.contains(&value.as_u64().unwrap());
    for objective in objectives["objectives"].as_array().unwrap() {
        if objective["status"] == "covered" {
            let tests = objective["tests"].as_array().unwrap();
            assert!(!tests.is_empty() && tests.iter().all(known), "{objective}");
        }
        if let Some(pair) = objective.get("pair") {
            assert!(
                known(&pair["true"]["test"]) && known(&pair["false"]["test"]),
                "{objective}"
            );
        }
    }
    let summary = read_json(&out.join("summary.json"));
    assert_eq!(summary["tests"], kept.len());
    for error in summary["errors"].as_array().unwrap() {
        assert!(known(&error["test"]), "{error}");
    }
}

fn minimise(generated: &Generated, arguments: &[&str]) -> Value {
    let mut command = labrys(generated.dir.path());
    command.args(["minimise", "out", "--format", "json"]);
    let ended = run(command.args(arguments));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    serde_json::from_str(&ended.stdout).unwrap()
}

const TWO_WAYS: &str = "int f(int a, int b, int c) {\n  int r = 0;\n  if (a > 3) r += 1;\n\
     if (b > 3) r += 2;\n  if (c > 3) r += 4;\n  return r;\n}\n";

fn file(dir: &Path, text: &str) -> std::path::PathBuf {
    let path = dir.join("x.c");
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn the_smallest_suite_is_found_and_nothing_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let source = file(dir.path(), TWO_WAYS);
    // All eight paths; two tests are enough for the branches.
    let made = generate(&[&source], &["--exhaust", "--criterion", "branch,path"]).unwrap();
    let out = made.out();
    let before = read_json(&out.join("objectives.json"));
    // Every path is wanted, so none is dropped.
    assert_eq!(minimise(&made, &[])["dropped"], json!([]));
    let mut summary = read_json(&out.join("summary.json"));
    summary["criteria"] = json!(["branch"]);
    std::fs::write(out.join("summary.json"), summary.to_string()).unwrap();
    let tests = read_json(&out.join("suite.json"))["tests"]
        .as_array()
        .unwrap()
        .len();
    assert!(tests >= 4, "{tests}");

    let smaller = minimise(&made, &["--out", "smaller"]);
    assert_eq!(smaller["after"], 2);
    assert_eq!(smaller["smallest"], true);
    assert_eq!(
        ids(&read_json(&out.join("suite.json"))).len(),
        tests,
        "unchanged"
    );
    let there = made.dir.path().join("smaller");
    check_consistent(&there);
    assert_eq!(
        covered(&before),
        covered(&read_json(&there.join("objectives.json")))
    );
    // The smaller suite can be replayed and shows what it says.
    let replayed = run(labrys(made.dir.path()).args(["replay", "smaller"]));
    assert_eq!(
        replayed.code,
        Some(0),
        "{}{}",
        replayed.stdout,
        replayed.stderr
    );

    let greedy = minimise(&made, &["--method", "greedy"]);
    assert!(greedy["after"].as_u64().unwrap() < tests as u64);
    check_consistent(&out);
    assert_eq!(
        covered(&before),
        covered(&read_json(&out.join("objectives.json")))
    );
}

/// A suite of three: the second has the longest path and covers all that the others cover, apart
/// from what they were augmented for.
#[test]
fn augmented_conditions_stay_met_and_the_longest_path_is_chosen_first() {
    let dir = tempfile::tempdir().unwrap();
    let text = "int f(int a) {\n  int r = 0;\n  for (int i = 0; i < a && i < 9; i++) r += i;\n  return r;\n}\n";
    let source = file(dir.path(), text);
    let made = generate(&[&source], &["--exhaust", "--criterion", "branch,path"]).unwrap();
    let out = made.out();
    let conditions = |test: &Value| test["conditions"].as_u64().unwrap();
    let longest = made.tests.iter().map(conditions).max().unwrap();
    assert!(longest > made.tests.iter().map(conditions).min().unwrap());
    let mut summary = read_json(&out.join("summary.json"));
    summary["criteria"] = json!(["branch"]);
    std::fs::write(out.join("summary.json"), summary.to_string()).unwrap();
    let mut suite = read_json(&out.join("suite.json"));
    let tests = suite["tests"].as_array_mut().unwrap();
    // Two tests meet the same condition, one of them another one, too.
    let (first, last) = (tests[0]["id"].clone(), tests[tests.len() - 1]["id"].clone());
    tests[0]["augments"] = json!(["boundary a"]);
    tests.last_mut().unwrap()["augments"] = json!(["boundary a", "boundary b"]);
    std::fs::write(out.join("suite.json"), suite.to_string()).unwrap();
    std::fs::create_dir(out.join("tests")).unwrap();
    let before = covered(&read_json(&out.join("objectives.json")));

    for method in ["paper", "greedy", "exact"] {
        let there = made.dir.path().join(method);
        let result = minimise(&made, &["--method", method, "--out", method]);
        assert!(result.get("notes").is_none(), "{result}");
        check_consistent(&there);
        assert_eq!(before, covered(&read_json(&there.join("objectives.json"))));
        let kept = read_json(&there.join("suite.json"));
        let met = kept["tests"].as_array().unwrap().iter();
        let met: BTreeSet<&str> = met
            .filter_map(|test| test["augments"].as_array())
            .flatten()
            .map(|condition| condition.as_str().unwrap())
            .collect();
        assert_eq!(
            met,
            BTreeSet::from(["boundary a", "boundary b"]),
            "{method}"
        );
        assert!(ids(&kept).contains(&last.as_u64().unwrap()), "{method}");
        if method == "paper" {
            let mut lengths = kept["tests"].as_array().unwrap().iter().map(conditions);
            assert!(lengths.any(|length| length == longest));
        }
    }
    // The exported tests are those of the whole suite.
    let result = minimise(&made, &["--method", "paper"]);
    assert!(
        result["notes"][0]
            .as_str()
            .unwrap()
            .contains("labrys export")
    );

    // A suite without lengths is ordered by what its tests cover.
    let mut suite = read_json(&out.join("suite.json"));
    for test in suite["tests"].as_array_mut().unwrap() {
        test.as_object_mut().unwrap().remove("conditions");
    }
    std::fs::write(out.join("suite.json"), suite.to_string()).unwrap();
    let result = minimise(&made, &["--method", "paper"]);
    assert!(
        result["notes"][0]
            .as_str()
            .unwrap()
            .contains("number of objectives")
    );
    assert_eq!(before, covered(&read_json(&out.join("objectives.json"))));
    assert_ne!(first, last);
}

#[test]
fn errors_keep_their_tests() {
    let dir = tempfile::tempdir().unwrap();
    let text = "int f(int a, int b) {\n  int r = 0;\n  if (a > 3) r = 1;\n  if (b > 7) r += 10 / (a - 9);\n  return r;\n}\n";
    let source = file(dir.path(), text);
    let made = generate(&[&source], &["--exhaust", "--minimise", "exact"]).unwrap();
    assert_eq!(made.summary["errors"][0]["kind"], "division-by-zero");
    check_consistent(&made.out());
    let note = made.summary["notes"].to_string();
    assert!(note.contains("minimised from"), "{note}");
    assert_eq!(made.summary["tests"], made.tests.len());
}

#[test]
fn pairs_of_mcdc_stay_shown() {
    let dir = tempfile::tempdir().unwrap();
    let text = "int f(int a, int b, int c) {\n  if ((a > 1 && b > 2) || c > 3)\n    return 1;\n  return a == 7 && c == 2;\n}\n";
    let source = file(dir.path(), text);
    for criterion in ["mcdc", "mcdc-unique"] {
        let criteria = format!("{criterion},branch");
        let made = generate(&[&source], &["--criterion", &criteria]).unwrap();
        let before = covered(&read_json(&made.out().join("objectives.json")));
        minimise(&made, &[]);
        check_consistent(&made.out());
        let measured = run(labrys(made.dir.path())
            .args(["measure"])
            .arg(&source)
            .args([
                "--tests",
                "out",
                "--format",
                "json",
                "--criterion",
                &criteria,
            ]));
        assert_eq!(measured.code, Some(0), "{}", measured.stderr);
        let measured: Value = serde_json::from_str(&measured.stdout).unwrap();
        assert_eq!(before, covered(&measured), "{criterion}");
    }
}

#[test]
fn a_directory_of_somebody_else_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let ended = run(labrys(dir.path()).args(["minimise", "."]));
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("not an output directory"),
        "{}",
        ended.stderr
    );
}
