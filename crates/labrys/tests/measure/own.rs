//! Suites of our own: measured with the criteria that they were made for they have the same
//! score, and with any other they have one, too.

use crate::common::{read_json, top};
use crate::scene::{Scene, covered};
use labrys_ledger::Criterion;
use std::collections::BTreeSet;

/// All kinds of conditions, a call, a loop, a division and a label.
const GRADES: &str = r"
#include <labels.h>
static int half(int x) { return x / 2; }
int grade(int points, int extra) {
    int grade = 0, i = 0;
    pc_label(points > 50, 1, 'hand');
    if (points < 0 || (points > 100 && !extra))
        return -1;
    for (i = 0; i < 3 && points > 10; i++)
        points = half(points);
    switch (points) {
    case 0: grade = 6; break;
    case 1: case 2: grade = 5; break;
    default: grade = extra ? 1 : points + extra;
    }
    return grade;
}
";

fn names(criteria: &[Criterion]) -> String {
    let names: Vec<&str> = criteria.iter().map(|c| c.name()).collect();
    names.join(",")
}

/// Of these the ids with this criterion.
fn of(ids: &BTreeSet<String>, criterion: Criterion) -> BTreeSet<String> {
    let prefix = format!("{criterion}:");
    ids.iter()
        .filter(|id| id.starts_with(&prefix))
        .cloned()
        .collect()
}

#[test]
fn every_criterion_has_the_score_that_gen_has_seen() {
    let scene = Scene::new(GRADES);
    let all = names(Criterion::ALL);
    let flags = ["--function", "grade", "--criterion"];
    scene.generate(&[&flags[..], &[&all, "--time", "20s"]].concat());
    let made = read_json(&scene.path("labrys-out/objectives.json"));
    let made = covered(&made["objectives"]);
    let tests = ["--tests", "labrys-out"];
    let score = scene.measure(&[&tests[..], &flags, &[&all]].concat());
    assert_eq!(score.covered(), made);
    assert!(score.total("covered") > 30, "{}", score.json["totals"]);
    assert!(score.counted().iter().all(|counted| *counted));
    // One run a test, however many objectives there are.
    let runs = score.json["work"]["native_runs"].as_u64().unwrap();
    assert_eq!(runs, score.tests().len() as u64);
    // Fewer criteria have the same objectives under the same names.
    for some in Criterion::ALL.chunks(5) {
        let few = scene.measure(&[&tests[..], &flags, &[&names(some)]].concat());
        let expected = some.iter().flat_map(|criterion| of(&made, *criterion));
        assert_eq!(few.covered(), expected.collect(), "{some:?}");
    }
}

#[test]
fn a_suite_for_branches_has_a_score_for_other_criteria() {
    let scene = Scene::new(GRADES);
    scene.generate(&["--function", "grade"]);
    let made = read_json(&scene.path("labrys-out/objectives.json"));
    let made = covered(&made["objectives"]);
    let score = scene.measure(&[
        "--tests",
        "labrys-out/suite.json",
        "--function",
        "grade",
        "--criterion",
        "statement,branch,decision",
    ]);
    assert_eq!(of(&score.covered(), Criterion::Branch), made);
    // Branches subsume statements and decisions.
    for criterion in ["statement", "decision"] {
        let totals = &score.json["by_criterion"][criterion];
        assert!(totals["objectives"].as_u64().unwrap() > 0, "{totals}");
        assert_eq!(totals["covered"], totals["objectives"], "{criterion}");
    }
    let functions = score.json["by_function"].as_array().unwrap();
    let names: Vec<&str> = functions
        .iter()
        .map(|f| f["function"].as_str().unwrap())
        .collect();
    assert_eq!(
        names.iter().collect::<BTreeSet<_>>(),
        BTreeSet::from([&"grade", &"half"])
    );
}

#[test]
fn suites_for_several_functions_and_doubled_sizes() {
    // The second one needs more than four elements.
    let scene = Scene::new(
        "int sign(int x) { return x < 0 ? -1 : x > 0; }\n\
         int tail(const int *a, int n) { return a && n == 6 && a[5] == 77; }\n",
    );
    scene.generate(&["--function", "tail", "--out", "tail"]);
    scene.generate(&["--function", "sign", "--out", "sign"]);
    let tail = read_json(&scene.path("tail/suite.json"));
    assert!(
        tail["sizes"]["array_len"].as_u64().unwrap() > 4,
        "{}",
        tail["sizes"]
    );
    let score = scene.measure(&["--tests", "tail", "--tests", "sign"]);
    assert_eq!(score.total("covered"), 8, "{}", score.json["objectives"]);
    assert!(
        score.counted().iter().all(|counted| *counted),
        "{:?}",
        score.tests()
    );
    // The user's sizes win, and then the tests do not fit.
    let arguments = ["--tests", "tail", "--tests", "sign", "--array-len", "4"];
    let other = scene.measure(&arguments);
    assert!(
        other.problems(1).contains("does not fit the program"),
        "{}",
        other.problems(1)
    );
    assert!(other.total("covered") < 8);
}

#[test]
fn what_no_longer_fits_is_said_test_by_test() {
    let scene = Scene::new("int f(int x) { return x > 3; }\nint g(int y) { return y < 0; }\n");
    scene.generate(&["--out", "both", "--criterion", "function"]);
    scene.write(
        "x.c",
        b"int f(long x) { return x > 3; }\nint h(int y) { return y; }\n",
    );
    scene.refused(
        &["--tests", "both"],
        &["none of the", "asked for x (8 bytes)"],
    );
    scene.write(
        "x.c",
        b"int f(long x) { return x > 3; }\nint g(int y) { return y; }\n",
    );
    let score = scene.measure(&["--tests", "both", "--criterion", "function"]);
    let entries = score.each("entry");
    let f = entries.iter().position(|entry| **entry == "f").unwrap();
    let g = entries.iter().position(|entry| **entry == "g").unwrap();
    assert!(!score.counted()[f] && score.counted()[g]);
    assert!(
        score
            .problems(f + 1)
            .contains("asked for x (8 bytes), input 1 of the test is x (4 bytes)")
    );
    assert_eq!(score.total("covered"), 1);
    // Only one of them is under test.
    let score = scene.measure(&[
        "--tests",
        "both",
        "--function",
        "g",
        "--criterion",
        "function",
    ]);
    assert!(
        score
            .problems(f + 1)
            .contains("it is for f, which is not under test")
    );
    scene.write("x.c", b"int h(int y) { return y; }\n");
    scene.refused(
        &["--tests", "both"],
        &["which is not under test; under test: h"],
    );
    // A parameter that is gone: the test runs, and what it has too much is said.
    scene.write("x.c", b"int g(void) { return 1; }\n");
    let score = scene.measure(&["--tests", "both", "--criterion", "function"]);
    assert!(
        score
            .problems(g + 1)
            .contains("asks only for 0 of its 1 inputs")
    );
}

#[test]
fn tests_that_crash_or_hang_count_until_then() {
    let scene = Scene::new(
        "int f(int x) {\n\
           int *p = 0;\n\
           if (x == 1) { if (*p) return 1; }\n\
           if (x == 2) { for (;;) ; }\n\
           return x;\n\
         }\n",
    );
    scene.generate(&[
        "--time",
        "5s",
        "--max-steps",
        "100000",
        "--replay-time",
        "200ms",
    ]);
    let score = scene.measure(&["--tests", "labrys-out", "--replay-time", "200ms"]);
    let outcomes: BTreeSet<&str> = score.outcomes().into_iter().collect();
    assert!(outcomes.contains("segmentation-fault"), "{outcomes:?}");
    assert_eq!(
        score.covered_texts(),
        [
            "x == 1 is true",
            "x == 1 is false",
            "x == 2 is true",
            "x == 2 is false"
        ]
    );
    let errors = [
        "measure",
        "x.c",
        "--tests",
        "labrys-out",
        "--replay-time",
        "200ms",
        "--fail-on-error",
    ];
    assert_eq!(scene.run(&errors).code, Some(1));
}

#[test]
fn the_result_can_be_written_explained_and_measured_again() {
    let scene = Scene::new(GRADES);
    scene.generate(&["--function", "grade"]);
    let arguments = [
        "measure",
        "x.c",
        "--function",
        "grade",
        "--tests",
        "labrys-out",
        "--criterion",
        "decision,branch",
        "--out",
        "scored",
        "--quiet",
    ];
    let ended = scene.run(&arguments);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    for part in ["function", "criterion", "all", "native runs", "only it"] {
        assert!(ended.stdout.contains(part), "{}", ended.stdout);
    }
    let explained = scene.run(&["explain", "scored", "decision:1"]);
    assert!(
        explained.stdout.contains("covered by test"),
        "{explained:?}"
    );
    assert_eq!(scene.run(&["replay", "scored", "--quiet"]).code, Some(0));
    let again = scene.measure(&[
        "--function",
        "grade",
        "--tests",
        "scored",
        "--criterion",
        "decision,branch",
    ]);
    let written = read_json(&scene.path("scored/objectives.json"));
    assert_eq!(again.covered(), covered(&written["objectives"]));
}

#[test]
fn what_is_not_covered_is_listed_and_can_fail() {
    let scene = Scene::new("int f(int x) { return x > 3 ? 1 : 2; }\n");
    scene.generate(&["--paths", "1"]);
    let ended = scene.run(&["measure", "x.c", "--tests", "labrys-out", "--uncovered"]);
    assert!(
        ended
            .stdout
            .contains("not covered: branch:1  x.c:1:23  x > 3 is true"),
        "{ended:?}"
    );
    let score = scene.measure(&["--tests", "labrys-out"]);
    let open = &score.json["objectives"][0];
    assert_eq!(open["status"], "unknown");
    assert_eq!(open["reason"], "no test of the suite covers it");
    for (percent, code) in [("50", 0), ("50.1", 1)] {
        let arguments = [
            "measure",
            "x.c",
            "--tests",
            "labrys-out",
            "--fail-under",
            percent,
        ];
        assert_eq!(scene.run(&arguments).code, Some(code), "{percent}");
    }
}

#[test]
fn llvm_cov_sees_the_same_branches() {
    let triangle = std::fs::read_to_string(top().join("examples/triangle.c")).unwrap();
    for (example, text) in [("triangle", triangle.as_str()), ("grade", GRADES)] {
        let scene = Scene::new(text);
        scene.generate(&["--function", example, "--paths", "3"]);
        let score = scene.measure(&["--tests", "labrys-out", "--function", example, "--llvm-cov"]);
        let check = &score.json["checks"][0];
        assert_eq!(check["differences"], serde_json::json!([]), "{example}");
        assert!(check["compared"].as_u64().unwrap() > 10, "{check}");
        let (covered, all) = (score.total("covered"), score.total("objectives"));
        assert!(
            0 < covered && covered < all,
            "{example}: {covered} of {all}"
        );
    }
}

#[test]
fn a_label_on_garbage_is_not_called_infeasible() {
    // A native run may cover these two, so gen must not have a proof against them.
    let scene = Scene::new(
        "#include <labels.h>\n\
         int f(int x) {\n\
           int i, a[2];\n\
           pc_label(i != 0, 1, \"i\");\n\
           pc_label(a[x & 1] > 3 && x > 5, 2, \"a\");\n\
           pc_label(x < x, 3, \"never\");\n\
           return x > 0;\n\
         }\n",
    );
    scene.generate(&["--criterion", "labels,branch"]);
    let objectives = read_json(&scene.path("labrys-out/objectives.json"));
    let objectives = objectives["objectives"].as_array().unwrap();
    let statuses = objectives.iter().filter(|o| o["criterion"] == "labels");
    let statuses: Vec<&str> = statuses.map(|o| o["status"].as_str().unwrap()).collect();
    assert_ne!(statuses[0], "infeasible");
    assert_ne!(statuses[1], "infeasible");
    assert_eq!(statuses[2], "infeasible");
}
