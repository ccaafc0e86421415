//! `--order 2`: pairs of mutants that are active together, from the list to proofs, tests and reports.

#![allow(clippy::unwrap_used)]

mod common;

use common::mutants::{Scene, json_of};
use common::{labrys, run};
use serde_json::Value;
use std::collections::BTreeSet;

/// `x + 1` and `a - 1` can undo each other.
const BACK: &str = "int back(int x) {\n  int a = x + 1;\n  int b = a - 1;\n  return b;\n}\n";

/// `kill` on the program of a scene, with pairs.
fn kill(scene: &Scene, seed: &str, arguments: &[&str]) -> Value {
    let mut command = labrys(scene.dir.path());
    command.args(["kill", "x.c", "--function", scene.function, "--quiet"]);
    command.args(["--tests", "suite.json", "--format", "json", "--order", "2"]);
    command.args(["--time", "60s", "--seed", seed]);
    json_of(&run(command.args(arguments)))
}

fn list(result: &Value) -> &[Value] {
    let list = result.get("list").unwrap_or(&result["mutants"]);
    list.as_array().unwrap()
}

/// What the two changes make of the program.
fn replacements(pair: &Value) -> [&str; 2] {
    [&pair["replacement"], &pair["also"]["replacement"]].map(|text| text.as_str().unwrap())
}

/// The pair with these changes, and a seed that makes it.
fn seed_of(scene: &Scene, operators: &str, wanted: [&str; 2]) -> String {
    for seed in 1..200 {
        let seed = seed.to_string();
        let listed = scene.run(&[
            "--list",
            "--operators",
            operators,
            "--order",
            "2",
            "--seed",
            &seed,
        ]);
        let new = |line: &str, text: &str| {
            let mut changes = line.split("  ");
            changes.any(|change| change.ends_with(&format!(" → {text}")))
        };
        if (listed.stdout.lines()).any(|line| wanted.iter().all(|text| new(line, text))) {
            return seed;
        }
    }
    panic!("no seed makes the pair {wanted:?}");
}

fn pair<'a>(result: &'a Value, wanted: [&str; 2]) -> &'a Value {
    let mut pairs = list(result).iter();
    let found = pairs.find(|pair| replacements(pair) == wanted);
    found.unwrap_or_else(|| panic!("no {wanted:?} in {result:#}"))
}

#[test]
fn changes_that_undo_each_other_are_equivalent_together() {
    let scene = Scene::new(BACK, "back", &["x"], &[&[5]]);
    let alone = scene.result(&["--operators", "AOR"]);
    for text in ["x - 1", "a + 1"] {
        let mut mutants = list(&alone).iter();
        let part = mutants.find(|m| m["replacement"] == text).unwrap();
        assert_eq!(part["status"], "killed", "{text}");
    }
    let wanted = ["x - 1", "a + 1"];
    let seed = seed_of(&scene, "AOR", wanted);
    let options = ["--operators", "AOR", "--order", "2", "--seed", &seed];
    let scored = scene.result(&options);
    assert_eq!(pair(&scored, wanted)["status"], "survived");
    let searched = kill(&scene, &seed, &["--operators", "AOR", "--no-tce"]);
    let proved = pair(&searched, wanted);
    assert_eq!(proved["status"], "equivalent");
    assert_ne!(proved["proof"]["kind"], "same-code");
    let compared = kill(&scene, &seed, &["--operators", "AOR"]);
    let proved = pair(&compared, wanted);
    assert_eq!(proved["status"], "equivalent");
    assert_eq!(proved["proof"]["kind"], "same-code");
}

/// For one x alone do `limit(x)` and the sum differ from what they were.
const FAR: &str = "static int limit(int x) {\n  if (x > 1000)\n    return 7;\n  return 0;\n}\n\
    int far(int x) {\n  return limit(x) + 3;\n}\n";

#[test]
fn a_new_test_kills_a_pair_in_two_functions() {
    let scene = Scene::new(FAR, "far", &["x"], &[&[0], &[5000]]);
    let result = kill(&scene, "1", &["--operators", "ROR,CRO", "--out", "out"]);
    let pairs = list(&result);
    let apart: Vec<&Value> = pairs
        .iter()
        .filter(|m| m["function"] != m["also"]["function"])
        .collect();
    assert!(!apart.is_empty(), "{result:#}");
    for mutant in pairs {
        let status = mutant["status"].as_str().unwrap();
        assert_ne!(status, "survived", "{mutant}");
    }
    let by_new = pairs.iter().filter(|m| m["newly_killed"] == true);
    for mutant in by_new {
        let killer = mutant["killed_by"][0].as_str().unwrap();
        let suite = scene.json("out/suite.json");
        let mut tests = suite["tests"].as_array().unwrap().iter();
        assert!(tests.any(|test| test["name"] == killer), "{mutant}");
    }
}

/// `v - 1` in one function is undone by `+ 1` in the other; the compiler looks at one function alone.
const APART: &str = "static int up(int v) {\n  return v + 1;\n}\n\
    int apart(int x) {\n  return up(x) - 1;\n}\n";

#[test]
fn changes_in_two_functions_can_undo_each_other() {
    let scene = Scene::new(APART, "apart", &["x"], &[&[5]]);
    let wanted = ["v - 1", "up(x) + 1"];
    let seed = seed_of(&scene, "AOR", wanted);
    let result = kill(&scene, &seed, &["--operators", "AOR"]);
    assert_eq!(pair(&result, wanted)["status"], "equivalent");
    let fates: BTreeSet<&str> = list(&result)
        .iter()
        .map(|m| m["status"].as_str().unwrap())
        .collect();
    assert!(fates.contains("killed"), "{fates:?}");
}

/// With `x * 1` beside it, a pair does what its other change does alone.
#[test]
fn a_pair_may_be_a_duplicate_of_one_of_its_changes() {
    let text = "int next(int x) {\n  int a = x / 1;\n  return a + 3;\n}\n";
    let mut scene = Scene::new(text, "next", &["x"], &[&[5]]);
    scene.options.clear();
    let wanted = ["x * 1", "a - 3"];
    let seed = seed_of(&scene, "AOR", wanted);
    let result = scene.result(&["--operators", "AOR", "--order", "2", "--seed", &seed]);
    let found = pair(&result, wanted);
    assert_eq!(found["status"], "duplicate");
    let alone = scene.result(&["--operators", "AOR"]);
    let mut first = list(&alone).iter();
    let part = first.find(|m| m["replacement"] == "a - 3").unwrap();
    assert_eq!(found["proof"]["same_as"], part["id"]);
}

/// Points inside of others, statements that are left out, loops.
const NESTED: &str = "int nested(int a, int b) {\n  int s = 0;\n\
    \x20 for (int i = 0; i < a && i < 6; i++) {\n    if (i == b || (a & 1))\n      s += a * (b + i);\n\
    \x20   else\n      s -= 1;\n  }\n  return s + 2;\n}\n";

#[test]
fn each_mutant_is_in_a_pair_and_results_are_files() {
    let tests: &[&[i32]] = &[&[3, 1], &[4, 2]];
    let scene = Scene::new(NESTED, "nested", &["a", "b"], tests);
    let alone = scene.result(&[]);
    let ids: BTreeSet<&str> = list(&alone)
        .iter()
        .map(|m| m["id"].as_str().unwrap().strip_prefix("mutation:").unwrap())
        .collect();
    let whole = scene.result(&["--order", "2", "--out", "out"]);
    let pairs = list(&whole);
    let used: BTreeSet<&str> = pairs
        .iter()
        .flat_map(|m| {
            m["id"]
                .as_str()
                .unwrap()
                .strip_prefix("mutation:")
                .unwrap()
                .split('+')
        })
        .collect();
    assert!(used.is_subset(&ids));
    assert!(
        used.len() * 10 > ids.len() * 9,
        "{} of {}",
        used.len(),
        ids.len()
    );
    assert!(pairs.len() < ids.len());
    assert_eq!(scene.json("out/mutants.json")["mutants"], whole["list"]);
    // The whole is what its parts are, and nothing is run again.
    for shard in ["1/2", "2/2"] {
        let out = format!("part{}", &shard[..1]);
        scene.result(&["--order", "2", "--shard", shard, "--out", &out]);
    }
    let mut merge = labrys(scene.dir.path());
    merge.args(["mutate", "--merge", "part1", "part2", "--format", "json"]);
    let merged = json_of(&run(&mut merge));
    let fates = |result: &Value| -> Vec<(String, String)> {
        let of = |m: &Value| (m["id"].to_string(), m["status"].to_string());
        list(result).iter().map(of).collect()
    };
    assert_eq!(fates(&merged), fates(&whole));
    let again = scene.result(&["--order", "2", "--iterate", "--out", "out"]);
    assert_eq!(fates(&again), fates(&whole));
    let alive = |m: &&(String, String)| m.1 == "\"survived\"" || m.1 == "\"no-coverage\"";
    let killed = pairs.len() - fates(&whole).iter().filter(alive).count();
    let note = format!(
        "--iterate: {killed} of {} mutants were decided",
        pairs.len()
    );
    assert!(
        again["notes"].to_string().contains(&note),
        "{}",
        again["notes"]
    );
    let subsuming = scene.result(&["--order", "2", "--subsuming"]);
    assert!(subsuming["subsumed"].as_u64().unwrap() > 0);
}

#[test]
fn both_changes_are_shown() {
    let scene = Scene::new(BACK, "back", &["x"], &[&[5]]);
    let wanted = ["x - 1", "a + 1"];
    let seed = seed_of(&scene, "AOR", wanted);
    let options = ["--operators", "AOR", "--order", "2", "--seed", &seed];
    let mut all = vec!["--tests", "suite.json", "--out", "out"];
    all.extend(options);
    let shown = scene.run(&all).stdout;
    let change = "- int a = x + 1;\n+ int a = x - 1;\n- int b = a - 1;\n+ int b = a + 1;\n";
    assert!(shown.contains(change), "{shown}");
    assert!(
        shown.contains("x.c:2:11  AOR  and  x.c:3:11  AOR  mutation:"),
        "{shown}"
    );
    let mut report = labrys(scene.dir.path());
    let ended = run(report.args(["report", "out", "--format", "mutation-json"]));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let text = ended.stdout;
    assert!(text.contains("x + 1 → x - 1; a - 1 → a + 1"), "{text}");
    assert!(text.contains("AOR+AOR"), "{text}");
}

/// Two changes of one line are one changed line.
#[test]
fn two_changes_of_a_line_are_shown_together() {
    let text = "int line(int x) {\n  return (x * 1) + (x / 1);\n}\n";
    let scene = Scene::new(text, "line", &["x"], &[&[3]]);
    let seed = seed_of(&scene, "AOR", ["x / 1", "x * 1"]);
    let options = ["--operators", "AOR", "--order", "2", "--seed", &seed];
    let mut all = vec!["--tests", "suite.json"];
    all.extend(options);
    let shown = scene.run(&all).stdout;
    let change = "- return (x * 1) + (x / 1);\n+ return (x / 1) + (x * 1);\n";
    assert!(shown.contains(change), "{shown}");
}

#[test]
fn only_what_counts_is_paired() {
    let scene = Scene::new(NESTED, "nested", &["a", "b"], &[&[3, 1]]);
    let found = scene.result(&["--order", "2", "--only", "x.c:3-5"]);
    for mutant in list(&found) {
        for line in [&mutant["line"], &mutant["also"]["line"]] {
            assert!((3..=5).contains(&line.as_u64().unwrap()), "{mutant}");
        }
    }
    assert!(!list(&found).is_empty());
    let commented = NESTED.replace("s -= 1;", "s -= 1; // labrys: no-mutant");
    let scene = Scene::new(&commented, "nested", &["a", "b"], &[&[3, 1]]);
    let found = scene.result(&["--order", "2"]);
    let on_line = |m: &&Value| m["line"] == 7 || m["also"]["line"] == 7;
    assert_eq!(list(&found).iter().filter(on_line).count(), 0);
    let wrong = scene.run(&["--order", "3", "--list"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("--order"), "{}", wrong.stderr);
}

/// A program that prints.
const PROGRAM: &str = "#include <stdio.h>\n#include <stdlib.h>\n\
    int main(int argc, char **argv) {\n  int n = argc > 1 ? argv[1][0] - '0' : 3;\n\
    \x20 int up = n + 1;\n  int down = up - 1;\n\
    \x20 printf(\"%d\\n\", down);\n  return down > 5;\n}\n";

#[test]
fn pairs_in_a_program_are_killed_by_what_it_prints() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("x.c"), PROGRAM).unwrap();
    let world = ["--main", "--sym-args", "0..1:1"];
    let mut made = labrys(dir.path());
    made.args(["gen", "x.c", "--quiet", "--paths", "8", "--out", "suite"]);
    let ended = run(made.args(world));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let mut command = labrys(dir.path());
    command.args([
        "kill", "x.c", "--quiet", "--tests", "suite", "--time", "60s",
    ]);
    command.args(["--order", "2", "--operators", "AOR,ROR", "--format", "json"]);
    let result = json_of(&run(command.args(world).args(["--out", "out"])));
    let killed = list(&result)
        .iter()
        .filter(|m| m["status"] == "killed" || m["status"] == "crashed");
    assert!(killed.count() * 2 > list(&result).len(), "{result:#}");
}
