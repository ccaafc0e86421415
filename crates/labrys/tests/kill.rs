//! `labrys kill`: mutants that must die and mutants that must not, among them those on which the
//! published code of SEMu goes wrong.

#![allow(clippy::unwrap_used)]

mod common;

use common::mutants::{Scene, json_of};
use common::{Ended, labrys, run};
use serde_json::{Value, json};

/// `kill` on the program of a scene.
fn run_kill(scene: &Scene, arguments: &[&str]) -> Ended {
    let mut command = labrys(scene.dir.path());
    command.args(["kill", "x.c", "--function", scene.function, "--quiet"]);
    if !arguments.contains(&"--tests") {
        command.args(["--tests", "suite.json"]);
    }
    run(command.args(["--time", "60s"]).args(arguments))
}

/// What it says of all mutants, also of those that the compiler cannot tell apart.
fn kill(scene: &Scene, arguments: &[&str]) -> Value {
    let mut all = vec!["--format", "json", "--no-tce"];
    all.extend(arguments);
    json_of(&run_kill(scene, &all))
}

/// The mutant that makes this of that.
fn mutant<'a>(result: &'a Value, original: &str, replacement: &str) -> &'a Value {
    let list = result["list"].as_array().unwrap();
    let mut same = list
        .iter()
        .filter(|m| m["original"] == original && m["replacement"] == replacement);
    same.next()
        .unwrap_or_else(|| panic!("no mutant {original} → {replacement} in {list:#?}"))
}

fn status<'a>(result: &'a Value, original: &str, replacement: &str) -> &'a str {
    mutant(result, original, replacement)["status"]
        .as_str()
        .unwrap()
}

/// Figure 1 of the paper; the mutants are those of the constants 1 and 0.
const FIGURE: &str = "int func(int x) {\n\
    \x20 int n = 0, arr[] = {0, 5, 0};\n\
    \x20 if (x >= 0) {\n    if (x > 3)\n      x = 3;\n\
    \x20   while (x > 0) {\n      if (arr[x - 1] == 0)\n        n++;\n      x -= 1;\n    }\n\
    \x20 } else {\n    n = x + 0;\n  }\n\
    \x20 if (n < 0)\n    return n + 1;\n  return n;\n}\n";

#[test]
fn the_mutants_of_the_paper_die() {
    let scene = Scene::new(FIGURE, "func", &["x"], &[&[0], &[-1]]);
    for strategy in ["pairs", "semu"] {
        let result = kill(
            &scene,
            &["--operators", "CRO", "--strategy", strategy, "--out", "out"],
        );
        let first = status(&result, "1", "2");
        assert!(first != "survived" && first != "equivalent", "{strategy}");
        let second = mutant(&result, "0", "1");
        let list = result["list"].as_array().unwrap();
        let of_line = |m: &&Value| m["line"] == 12 && m["replacement"] == "1";
        let second = list.iter().find(of_line).unwrap_or(second);
        assert_eq!(second["status"], "killed", "{strategy}");
        // -1 does not show it: the original and the mutant both return 0.
        let killer = second["killed_by"][0].as_str().unwrap();
        let suite = scene.json("out/suite.json");
        let tests = suite["tests"].as_array().unwrap();
        let test = tests.iter().find(|t| t["name"] == killer).unwrap();
        let x = test["inputs"][0]["value"].as_i64().unwrap();
        assert!(x < -1, "{strategy}: {x}");
    }
}

/// `abs(k)` is `k` in the first two turns.
const LATE: &str = "int late(int n, int x) {\n  int sum = 0;\n\
    \x20 for (int i = 0; i < n && i < 4; i++) {\n\
    \x20   int k = 5;\n    if (i == 2)\n      k = x;\n    sum = sum + k;\n  }\n  return sum;\n}\n";

#[test]
fn an_infection_in_a_later_turn_of_a_loop_is_found() {
    let scene = Scene::new(LATE, "late", &["n", "x"], &[&[0, 0], &[4, 7]]);
    for strategy in ["pairs", "semu", "infection"] {
        let result = kill(&scene, &["--operators", "ABS", "--strategy", strategy]);
        assert_eq!(status(&result, "k", "abs(k)"), "killed", "{strategy}");
    }
}

#[test]
fn a_difference_that_is_lost_may_come_again() {
    // What a turn computes is forgotten behind it, except in one late turn. There are fewer snapshots
    // than turns of the second loop.
    for (turns, turn, wanted) in [(6, 5, "killed"), (12, 11, "killed"), (6, 7, "equivalent")] {
        let text = format!(
            "int f(int n) {{\n  int s = 0;\n  for (int i = 0; i < {turns}; i++) {{\n    int t = n + i;\n\
             \x20   if (t == 40 && i == {turn})\n      s = 1;\n  }}\n  return s;\n}}\n"
        );
        let scene = Scene::new(&text, "f", &["n"], &[&[0]]);
        let result = kill(&scene, &["--operators", "AOR"]);
        assert_eq!(status(&result, "n + i", "n - i"), wanted, "{turns} {turn}");
        let work = &result["work"]["search"];
        assert_ne!(work["met_again"], 0, "{turns} {turn}: {work}");
    }
}

/// In the first turn nothing of the comparison is left, so mutants that make it false there are the
/// same; in the second turn they are not.
const AGAIN: &str = "int again(int a) {\n  int s = 0;\n\
    \x20 for (int i = 0; i < 2; i++) {\n    int x = 2;\n    if (a > 3)\n      x = 1;\n    if (i == 0)\n      x = 0;\n\
    \x20   s += x;\n    a = (a ^ 1) & 7;\n  }\n  return s;\n}\n";
const ONCE: &str = "int once(int a) {\n  int x = 2;\n  if (a > 3)\n    x = 1;\n  if (x == 7)\n    return 1;\n  return 0;\n}\n";

#[test]
fn mutants_with_the_same_state_have_the_same_outcome_unless_they_change_again() {
    let others = ["a < 3", "a <= 3", "a == 3", "a >= 3", "a != 3"];
    let scene = Scene::new(AGAIN, "again", &["a"], &[&[9]]);
    let result = kill(&scene, &["--operators", "ROR"]);
    for other in others {
        assert_eq!(status(&result, "a > 3", other), "killed", "{other}");
    }
    let scene = Scene::new(ONCE, "once", &["a"], &[&[9]]);
    let result = kill(&scene, &["--operators", "ROR"]);
    for other in others {
        assert_eq!(status(&result, "a > 3", other), "equivalent", "{other}");
    }
    let work = &result["work"]["search"];
    assert_ne!(work["subsumed"], 0, "{work}");
}

/// The mutant `t[n] - f(n - 1)` computes the same f(3), but another f(2) on the way to it.
const INSIDE: &str = "static const int t[4] = {0, 5, 0, 7};\n\
    static int f(int n) {\n  return n <= 0 ? 0 : t[n] + f(n - 1);\n}\n\
    int same(int y) {\n  return f(3) + f(y & 1);\n}\n\
    int other(int y) {\n  int r = f(3), s = y ? f(2) : 5;\n\
    \x20 return (r == 12 && s == 5) || (r == 2 && s == -5);\n}\n";

#[test]
fn a_choice_inside_of_another_is_part_of_it() {
    let change = ("t[n] + f(n - 1)", "t[n] - f(n - 1)");
    let scene = Scene::new(INSIDE, "same", &["y"], &[&[0]]);
    let result = kill(&scene, &["--operators", "AOR"]);
    assert_eq!(status(&result, change.0, change.1), "equivalent");
    // A run that is mutated only from f(2) on has r == 2 and s == -5, which no mutant has.
    let scene = Scene::new(INSIDE, "other", &["y"], &[&[0]]);
    let result = kill(&scene, &["--operators", "AOR"]);
    assert_eq!(status(&result, change.0, change.1), "killed");
}

/// One way makes an object more than the other, in front of another one.
const OBJECTS: &str = "#include <stdlib.h>\n\
    int objects(int a, int b) {\n  int *first = 0;\n\
    \x20 if (a > 3)\n    first = malloc(4);\n\
    \x20 int *second = malloc(4);\n  if (!second)\n    return -1;\n\
    \x20 *second = b;\n  if (first)\n    *first = 1;\n\
    \x20 int result = *second;\n  free(first);\n  free(second);\n  return result;\n}\n";

#[test]
fn objects_are_compared_by_their_names() {
    let scene = Scene::new(OBJECTS, "objects", &["a", "b"], &[&[0, 1], &[9, 2]]);
    let result = kill(&scene, &["--operators", "ROR", "--trust", "all"]);
    for other in ["a >= 3", "a < 3", "a == 3", "a != 3"] {
        assert_eq!(status(&result, "a > 3", other), "equivalent", "{other}");
    }
}

#[test]
fn a_test_without_a_difference_is_none() {
    // The original returns at once, the mutant goes round before it returns the same.
    let text = "int early(int n) {\n  int r = 7;\n  if (n > 100)\n    return r;\n\
                \x20 for (int i = 0; i < 5; i++)\n    n = n + i;\n  return r;\n}\n";
    let scene = Scene::new(text, "early", &["n"], &[&[0], &[200]]);
    for strategy in ["pairs", "semu", "infection"] {
        let arguments = ["--operators", "ROR", "--strategy", strategy, "--out", "out"];
        let result = kill(&scene, &arguments);
        for other in ["n >= 100", "n < 100", "true", "false"] {
            let fate = status(&result, "n > 100", other);
            assert_ne!(fate, "killed", "{strategy}: {other}");
        }
        for test in scene.json("out/suite.json")["tests"].as_array().unwrap() {
            let name = test["name"].as_str().unwrap();
            let list = result["list"].as_array().unwrap();
            let kills = |m: &Value| m["killed_by"].as_array().unwrap().contains(&json!(name));
            assert!(
                name.starts_with('t') || list.iter().any(kills),
                "{name} kills nothing"
            );
        }
    }
}

#[test]
fn what_is_exhausted_is_equivalent_and_what_is_not_is_alive() {
    let text = "int masked(int a, int b) {\n  int big = a > b ? a : b;\n\
                \x20 if (big < 0)\n    big = 0;\n  return big > 10 ? 10 : big;\n}\n";
    let scene = Scene::new(text, "masked", &["a", "b"], &[&[1, 2], &[20, 3], &[-1, -2]]);
    let result = kill(&scene, &["--operators", "ROR"]);
    assert_eq!(status(&result, "a > b", "a >= b"), "equivalent");
    assert_eq!(status(&result, "big < 0", "big <= 0"), "equivalent");
    assert_eq!(status(&result, "big > 10", "big >= 10"), "equivalent");
    assert_eq!(status(&result, "a > b", "a < b"), "killed");
    let proof = &mutant(&result, "a > b", "a >= b")["proof"];
    assert_eq!(proof["kind"], "exhausted");
    // A search that knows nothing of mutants proves nothing.
    let blind = kill(&scene, &["--operators", "ROR", "--strategy", "dse"]);
    assert_eq!(status(&blind, "a > b", "a >= b"), "survived");
}

#[test]
fn an_error_of_the_mutant_alone_is_no_equivalence() {
    // All three write behind the array; what one of them has shown says nothing about the others.
    let text = "int f(int c) {\n  int kept[4] = {0, 7};\n  kept[c & 3] = 5;\n  return c;\n}\n";
    let scene = Scene::new(text, "f", &["c"], &[&[0]]);
    let result = kill(&scene, &["--operators", "LOR,CRO"]);
    for other in ["c ^ 3", "c | 3"] {
        assert_ne!(status(&result, "c & 3", other), "equivalent", "{other}");
    }
    for other in ["4", "-3"] {
        assert_ne!(status(&result, "3", other), "equivalent", "{other}");
    }
    // These stay inside.
    assert_eq!(status(&result, "3", "2"), "equivalent");
}

#[test]
fn what_the_harness_does_not_see_is_no_equivalence() {
    // Another function gets something else, or is not called at all.
    let text = "void sink(int value);\nint f(int x) {\n  sink(x + 1);\n  return x;\n}\n";
    let scene = Scene::new(text, "f", &["x"], &[&[0]]);
    let result = kill(&scene, &["--operators", "AOR,SDL", "--trust", "all"]);
    assert_eq!(status(&result, "x + 1", "x - 1"), "survived");
    assert_eq!(status(&result, "sink(x + 1);", ";"), "survived");
    assert_eq!(status(&result, "x + 1", "x % 1"), "survived");
    // A global variable that is too large to be recorded.
    let text =
        "char table[8000];\nint f(int i) {\n  if (i == 3)\n    table[6000] = 1;\n  return i;\n}\n";
    let scene = Scene::new(text, "f", &["i"], &[&[0], &[3]]);
    let result = kill(&scene, &["--operators", "ROR,CRO", "--trust", "all"]);
    assert_eq!(status(&result, "i == 3", "i < 3"), "survived");
    assert_eq!(status(&result, "6000", "5999"), "survived");
}

#[test]
fn a_mutant_behind_a_jump_is_reached() {
    let text = "#include <setjmp.h>\nstatic jmp_buf buf;\n\
                static void leave(int x) {\n  if (x == 77)\n    longjmp(buf, 1);\n}\n\
                int f(int x) {\n  if (setjmp(buf))\n    return x + 3;\n  leave(x);\n  return 1;\n}\n";
    let scene = Scene::new(text, "f", &["x"], &[&[0]]);
    let result = kill(&scene, &["--operators", "AOR"]);
    assert_eq!(status(&result, "x + 3", "x - 3"), "killed");
}

#[test]
fn the_same_seed_gives_the_same_tests() {
    let scene = Scene::new(FIGURE, "func", &["x"], &[&[0]]);
    let suite = |dir: &str, strategy: &str| {
        let arguments = ["--operators", "CRO", "--strategy", strategy, "--out", dir];
        kill(&scene, &arguments);
        scene.json(&format!("{dir}/suite.json"))["tests"].clone()
    };
    for strategy in ["pairs", "semu", "infection", "dse"] {
        assert_eq!(suite("a", strategy), suite("b", strategy), "{strategy}");
    }
}

#[test]
fn new_tests_join_the_suite() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("x.c"), FIGURE).unwrap();
    let labrys = |arguments: &[&str]| run(labrys(dir.path()).args(arguments));
    let made = labrys(&[
        "gen",
        "x.c",
        "--function",
        "func",
        "--out",
        "suite",
        "--quiet",
    ]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let read = |name: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(dir.path().join(name)).unwrap()).unwrap()
    };
    let before = read("suite/suite.json")["tests"].as_array().unwrap().len();
    let killed = labrys(&[
        "kill",
        "x.c",
        "--function",
        "func",
        "--tests",
        "suite",
        "--quiet",
    ]);
    assert_eq!(killed.code, Some(0), "{}", killed.stderr);
    let after = read("suite/suite.json")["tests"].as_array().unwrap().len();
    assert!(after > before, "{before} tests before, {after} after");
    let summary = read("suite/summary.json");
    assert_eq!(summary["tests"], after);
    assert_eq!(summary["mutants"]["survived"], 0);
    let replayed = labrys(&["replay", "suite"]);
    assert_eq!(
        replayed.code,
        Some(0),
        "{}{}",
        replayed.stdout,
        replayed.stderr
    );
    // Nothing is left to be killed.
    let again = labrys(&[
        "kill",
        "x.c",
        "--function",
        "func",
        "--tests",
        "suite",
        "--quiet",
    ]);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert_eq!(
        read("suite/suite.json")["tests"].as_array().unwrap().len(),
        after
    );
}

/// What a program prints is an output, whoever prints it.
const PRINTS: &str = "#include <stdio.h>\n#include <string.h>\n\
    static int say(const char *text) { return puts(text); }\n\
    int main(int argc, char **argv) {\n  int (*out)(const char *) = say;\n\
    \x20 if (argc < 2)\n    return 1;\n  int n = (int)strlen(argv[1]);\n\
    \x20 out(n > 3 ? \"long\" : \"short\");\n  printf(\"%d\\n\", n + 1);\n  return 0;\n}\n";

#[test]
fn outputs_of_puts_printf_and_pointers_are_seen() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.c"), PRINTS).unwrap();
    let labrys = |arguments: &[&str]| run(labrys(dir.path()).args(arguments));
    let world = ["--main", "--sym-args", "1..1:6"];
    let mut arguments = vec!["gen", "p.c", "--out", "suite", "--quiet", "--paths", "1"];
    arguments.extend(world);
    let made = labrys(&arguments);
    assert!(made.code.is_some_and(|code| code < 2), "{}", made.stderr);
    for strategy in ["pairs", "semu"] {
        let mut arguments = vec![
            "kill", "p.c", "--tests", "suite", "--quiet", "--format", "json",
        ];
        arguments.extend([
            "--operators",
            "ROR,AOR",
            "--strategy",
            strategy,
            "--out",
            strategy,
        ]);
        arguments.extend(world);
        let killed = labrys(&arguments);
        assert_eq!(killed.code, Some(0), "{}", killed.stderr);
        let result: Value = serde_json::from_str(&killed.stdout).unwrap();
        assert_eq!(status(&result, "n > 3", "n >= 3"), "killed", "{strategy}");
        assert_eq!(status(&result, "n + 1", "n - 1"), "killed", "{strategy}");
    }
}

#[test]
fn every_parameter_of_the_paper_can_be_set() {
    let scene = Scene::new(FIGURE, "func", &["x"], &[&[0]]);
    for arguments in [
        &["--pl", "smd2ms"][..],
        &["--pl", "gmd2ms"],
        &["--cw", "3"],
        &["--pp", "0"],
        &["--pp", "1"],
        &["--pss", "mdo"],
        &["--mpd", "0"],
        &["--nsd"],
        &["--ntpm", "20"],
    ] {
        let ended = run_kill(&scene, &[&["--strategy", "semu"], arguments].concat());
        assert_eq!(ended.code, Some(0), "{arguments:?}: {}", ended.stderr);
    }
}

#[test]
fn wrong_settings_are_refused() {
    let scene = Scene::new(FIGURE, "func", &["x"], &[&[0]]);
    for (arguments, message) in [
        (["--strategy", "luck"], "pairs, semu, infection, dse"),
        (["--pp", "2"], "a number from 0 to 1"),
        (["--pl", "long"], "gmd2ms, smd2ms"),
        (["--pss", "best"], "rnd, mdo"),
        (["--tests", "nothing"], "nothing"),
    ] {
        let ended = run_kill(&scene, &arguments);
        assert_eq!(ended.code, Some(2), "{arguments:?}");
        assert!(ended.stderr.contains(message), "{}", ended.stderr);
    }
}

/// What is left in `seen` is no output, so nothing about it is proved; the differences of `y` are lost
/// at the division, those of `big` at the condition.
const MASKED: &str = "int seen[100];\n\
    static int level(int x) {\n  int y = x + 1;\n  return y / 50;\n}\n\
    int masked(unsigned char a) {\n  int l = level(a);\n  int big = l + 1;\n\
    \x20 seen[0] = l;\n  if (big > 0)\n    return 1;\n  return 0;\n}\n";

#[test]
fn a_survivor_says_where_its_difference_was_lost() {
    let scene = Scene::new(MASKED, "masked", &["a"], &[&[0], &[255]]);
    let result = kill(&scene, &["--operators", "CRO,ABS"]);
    let list = result["list"].as_array().unwrap();
    let reason = |line: u64, replacement: &str| {
        let of_line = |m: &&Value| m["line"] == line && m["replacement"] == replacement;
        let found = list.iter().find(of_line).unwrap();
        found["reason"].as_str().unwrap_or_default().to_owned()
    };
    let (division, stored) = (reason(3, "2"), reason(4, "51"));
    assert!(division.contains("masked at line 4"), "{division}");
    assert!(!stored.contains("line 1000"), "{stored}");
}

/// GCC calls `two` first, the search follows clang.
const ORDER: &str = "static int i;\n\
    static int one(void) { i = i * 2 + 1; return i; }\n\
    static int two(void) { i = i * 3; return i; }\n\
    static int sum(int a, int b) { return a * 10 + b; }\n\
    int order(int x) {\n  i = 1;\n  int s = sum(one(), two());\n\
    \x20 if (x > 5 && x > 4)\n    s = s + 1;\n  return s;\n}\n";

#[test]
fn a_search_that_is_wrong_about_the_suite_proves_nothing() {
    let scene = Scene::new(ORDER, "order", &["x"], &[&[0], &[9]]);
    let arguments = ["--operators", "ROR", "--trust", "environment"];
    let result = kill(&scene, &arguments);
    let found = mutant(&result, "x > 4", "x >= 4");
    assert_eq!(found["status"], "survived");
    let reason = found["reason"].as_str().unwrap();
    assert!(reason.contains("a native run differed"), "{reason}");
}

/// `k % k` divides by zero for small numbers, which a compiler may fold to nothing.
const FOLDED: &str = "int folded(int a) {\n  int k = a >> 6;\n  int n = k - k;\n\
    \x20 if (a > 5 && a > 4)\n    n = n + 1;\n  return n;\n}\n";

#[test]
fn an_error_that_no_native_run_shows_is_no_doubt_about_other_mutants() {
    let scene = Scene::new(FOLDED, "folded", &["a"], &[&[0], &[9]]);
    let result = kill(&scene, &["--operators", "AOR,ROR"]);
    let found = mutant(&result, "k - k", "k % k");
    assert_ne!(found["status"], "equivalent");
    assert_eq!(status(&result, "a > 4", "a >= 4"), "equivalent");
}
