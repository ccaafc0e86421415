//! `labrys mutate`: the fates of mutants that are known beforehand, and what the command says.

#![allow(clippy::unwrap_used)]

mod common;

use common::mutants::{Scene, json_of, mutant, status};
use common::{labrys, run};
use serde_json::{Value, json};

#[test]
fn mutants_that_are_known_to_die_die_and_equivalent_ones_survive() {
    let text = "int larger(int a, int b) {\n  if (a > b)\n    return a;\n  return b;\n}\n";
    let scene = Scene::new(text, "larger", &["a", "b"], &[&[1, 2], &[7, -3]]);
    let result = scene.result(&[]);
    // The same result for equal arguments, whatever is returned.
    assert_eq!(status(&result, "ROR: a > b → a >= b"), "survived");
    for killed in [
        "ROR: a > b → a < b",
        "ROR: a > b → true",
        "ROR: a > b → false",
        "UOI: a > b → !(a > b)",
    ] {
        assert_eq!(status(&result, killed), "killed", "{killed}");
    }
    let killed = mutant(&result, "ROR: a > b → false");
    assert_eq!(killed["killed_by"], json!(["t2"]));
    assert_eq!(killed["how"], "return differs");
    assert_eq!(killed["line"], 2);
    // Neither test has equal or zero arguments.
    assert_eq!(status(&result, "ROR: a > b → a != b"), "killed");
    let more = Scene::new(text, "larger", &["a", "b"], &[&[0, 0]]);
    let result = more.result(&["--operators", "ROR,ABS"]);
    assert_eq!(status(&result, "ROR: a > b → a < b"), "survived");
    let totals = &result["mutants"];
    // `return a` is not reached: 3 mutants of a.
    assert_eq!(totals["no_coverage"], 3);
    assert_eq!(totals["crashed"], 3, "reads that fail on zero");
    assert_eq!(result["by_operator"]["ROR"]["total"], 7);
    assert!(result["by_operator"].get("UOI").is_none());
}

#[test]
fn endless_loops_and_crashes_are_told_apart() {
    let text = "int half(int n, int d) {\n  int i = 0;\n  while (i < n)\n    i += 2;\n  return i / d;\n}\n";
    let scene = Scene::new(text, "half", &["n", "d"], &[&[4, 1]]);
    let result = scene.result(&["--operators", "ROR,AOR,CRO"]);
    assert_eq!(status(&result, "ROR: i < n → true"), "timeout");
    assert_eq!(status(&result, "CRO: 2 → 0"), "timeout");
    assert_eq!(status(&result, "AOR: i += 2 → i *= 2"), "timeout");
    assert_eq!(status(&result, "ROR: i < n → i <= n"), "killed");
    assert_eq!(status(&result, "ROR: i < n → i != n"), "survived");
    let scene = Scene::new(text, "half", &["n", "d"], &[&[0, -2]]);
    let result = scene.result(&["--operators", "AOR,UOI"]);
    assert_eq!(status(&result, "AOR: i / d → i % d"), "survived");
    let text = "int quotient(int n, int d) {\n  if (d != 0)\n    return n / d;\n  return 0;\n}\n";
    let scene = Scene::new(text, "quotient", &["n", "d"], &[&[1, 0]]);
    let result = scene.result(&["--operators", "ROR"]);
    let crashed = mutant(&result, "ROR: d != 0 → true");
    assert_eq!(crashed["status"], "crashed");
    assert_eq!(crashed["how"], "arithmetic-fault");
}

#[test]
fn everything_that_a_test_observes_can_kill() {
    let text = "#include <stdio.h>\nint total;\nvoid put(int x) { total = x + 1; }\n\
                void say(int x) { printf(\"%d\\n\", x - 1); }\n\
                int outside(int);\nint ask(int x) { if (x > 0) outside(x); return 0; }\n\
                void leave(int x) { extern void exit(int); if (x > 2) exit(x); }\n";
    let check = |function: &'static str, names: &[&str], values: &[i32], operator: &str| {
        let scene = Scene::new(text, function, names, &[values]);
        scene.result(&["--operators", operator])
    };
    let result = check("put", &["x"], &[5], "AOR");
    assert_eq!(
        mutant(&result, "AOR: x + 1 → x - 1")["how"],
        "total differs"
    );
    let result = check("say", &["x"], &[5], "AOR");
    assert_eq!(
        mutant(&result, "AOR: x - 1 → x * 1")["how"],
        "stdout differs"
    );
    // A call that should not be there asks for an input that is not there.
    let result = check("ask", &["x"], &[0], "ROR");
    let asks = mutant(&result, "ROR: x > 0 → x >= 0");
    assert_eq!(asks["status"], "killed");
    assert!(asks["how"].as_str().unwrap().contains("other inputs"));
    let result = check("leave", &["x"], &[2], "ROR");
    assert_eq!(mutant(&result, "ROR: x > 2 → x >= 2")["how"], "exit 2");
}

#[test]
fn operands_with_side_effects_are_evaluated_once() {
    let text = "static int calls;\nstatic int next(void) { return ++calls; }\n\
                int f(int x) {\n  int a[4] = {10, 20, 30, 40}, *p = a;\n\
                int r = next() * x + *p++;\n  r += next() < 3 && next() > 2;\n\
                return r * 100 + calls * 10 + (int)(p - a);\n}\n";
    let scene = Scene::new(text, "f", &["x"], &[&[3]]);
    let result = scene.result(&["--operators", "AOR,ROR,COR"]);
    for text in [
        "AOR: next() * x → next() + x",
        "ROR: next() < 3 → next() >= 3",
        "COR: next() < 3 && next() > 2 → next() < 3 || next() > 2",
    ] {
        assert_eq!(status(&result, text), "killed", "{text}");
    }
    // 1 * 3 and 3 / 1 are the same; the calls must be, too.
    let scene = Scene::new(text, "f", &["x"], &[&[1]]);
    let result = scene.result(&["--operators", "AOR"]);
    assert_eq!(status(&result, "AOR: next() * x → next() / x"), "survived");
}

#[test]
fn outputs_that_change_by_themselves_are_not_compared() {
    let text = "long place;\nint f(int x) {\n  place = (long)&x;\n  return x + 1;\n}\n";
    let scene = Scene::new(text, "f", &["x"], &[&[3]]);
    let result = scene.result(&["--operators", "AOR,CRO"]);
    assert_eq!(result["tests"][0]["unstable"], json!(["place"]));
    assert_eq!(status(&result, "AOR: x + 1 → x - 1"), "killed");
    let shown = scene.run(&["--tests", "suite.json", "--operators", "AOR"]);
    assert!(
        shown.stdout.contains("changes by itself: place"),
        "{}",
        shown.stdout
    );
}

#[test]
fn threads_and_repetitions_change_nothing() {
    let text = "int f(int x, int y) {\n  int n = 0;\n  while (x != y && n < 9) {\n    if (x > y) x -= y; else y -= x;\n    n++;\n  }\n  return x * 10 + n;\n}\n";
    let tests: &[&[i32]] = &[&[12, 18], &[5, 5], &[-4, 3], &[100, 7]];
    let scene = Scene::new(text, "f", &["x", "y"], tests);
    let fates = |arguments: &[&str]| {
        let mut result = scene.result(arguments);
        result.as_object_mut().unwrap().remove("work");
        result
    };
    let first = fates(&[]);
    assert_eq!(first, fates(&[]));
    assert_eq!(first, fates(&["-j", "3"]));
    assert!(first["mutants"]["killed_before"].as_u64().unwrap() > 30);
}

#[test]
fn a_generated_suite_of_a_whole_program_is_scored() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(
        dir.path().join("p.c"),
        "#include <stdio.h>\n#include <string.h>\nint main(int argc, char **argv) {\n\
         if (argc > 1 && !strcmp(argv[1], \"-v\")) { puts(\"1.0\"); return 0; }\n\
         printf(\"%d\\n\", argc + 40);\n  return argc > 1;\n}\n",
    )
    .unwrap();
    let given = ["p.c", "--sym-args", "0..1:2", "--quiet"];
    let made = run(labrys(dir.path()).arg("gen").args(given));
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let mut command = labrys(dir.path());
    command.arg("mutate").args(given);
    let result = json_of(&run(command.args([
        "--tests",
        "labrys-out",
        "--format",
        "json",
    ])));
    assert_eq!(status(&result, "AOR: argc + 40 → argc - 40"), "killed");
    assert_eq!(status(&result, "CRO: 0 → 1"), "killed");
}

#[test]
fn mutants_are_listed_without_tests() {
    let text = "int f(int x) { return x < 3; }\n";
    let scene = Scene::new(text, "f", &["x"], &[]);
    let shown = scene.run(&["--list", "--operators", "ROR"]);
    assert_eq!(shown.code, Some(0));
    assert!(
        shown
            .stdout
            .contains("mutation:1  x.c:1:23  ROR: x < 3 → x <= 3"),
        "{}",
        shown.stdout
    );
    assert!(shown.stdout.ends_with("7 mutants (ROR 7)\n"));
    let listed = json_of(&scene.run(&["--list", "--format", "json"]));
    assert_eq!(listed["mutants"][0]["operator"], "ROR");
}

#[test]
fn comments_take_mutants_out() {
    let text = "int f(int x) {\n  // labrys: no-mutant CRO,ROR fixed by the standard\n\
                \x20 if (x < 3)\n    return x + 1; // labrys: no-mutant\n  return x < 4;\n}\n";
    let scene = Scene::new(text, "f", &["x"], &[&[1], &[5]]);
    let result = scene.result(&[]);
    let list = result["list"].as_array().unwrap();
    let of_line = |line: u64| list.iter().filter(move |m| m["line"] == line);
    let is_out = |m: &Value| m["operator"] == "CRO" || m["operator"] == "ROR";
    assert!(
        of_line(3).count() > 0 && !of_line(3).any(is_out),
        "{list:#?}"
    );
    assert_eq!(of_line(4).count(), 0);
    assert!(of_line(5).any(is_out));
    let mut command = labrys(scene.dir.path());
    let said = run(command.args(["mutate", "x.c", "--tests", "suite.json"])).stdout;
    assert!(
        said.contains("left out by comments") && said.contains("fixed by the standard (11)"),
        "{said}"
    );
}

#[test]
fn wrong_requests_get_one_clear_message() {
    let text = "int f(int x) { return x < 3; }\n";
    let scene = Scene::new(text, "f", &["x"], &[&[1]]);
    let wrong = |arguments: &[&str], part: &str| {
        let ended = scene.run(arguments);
        assert_eq!(ended.code, Some(2), "{arguments:?}: {}", ended.stderr);
        assert!(
            ended.stderr.contains(part),
            "{arguments:?}: {}",
            ended.stderr
        );
    };
    wrong(&[], "--tests");
    wrong(&["--tests", "nowhere"], "nowhere");
    wrong(
        &["--tests", "suite.json", "--paths", "3"],
        "mutate runs tests and does not search",
    );
    wrong(
        &["--tests", "suite.json", "--criterion", "branch"],
        "mutate has mutants, no objectives",
    );
    wrong(
        &["--tests", "suite.json", "--operators", "XYZ"],
        "unknown mutation operator 'XYZ'",
    );
    let low = scene.run(&["--tests", "suite.json", "--fail-under", "99"]);
    assert_eq!(low.code, Some(1), "{}", low.stderr);
    let other = Scene::new(text, "f", &["y"], &[&[1]]);
    let ended = other.run(&["--tests", "suite.json"]);
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("none of the 1 tests can be used"),
        "{}",
        ended.stderr
    );
}
