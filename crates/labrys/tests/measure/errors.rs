//! Bad input: each gets one clear message and exit code 2, and never a panic.

use crate::klee::ktest;
use crate::scene::Scene;

const ABS: &str = "int absolute(int x) { return x < 0 ? -x : x; }\n";

const DRIVER: &str = "
#include <klee/klee.h>
int main(void) { int x; klee_make_symbolic(&x, sizeof x, \"x\"); return x > 1; }
";

#[test]
fn places_without_tests() {
    let scene = Scene::new(ABS);
    std::fs::create_dir(scene.path("empty")).unwrap();
    scene.write("notes/a.txt", b"a");
    scene.refused(&["--tests", "missing"], &["cannot read the tests missing"]);
    scene.refused(&["--tests", "empty"], &["no tests in empty"]);
    let ktest = ["--tests", "notes", "--tests-format", "ktest"];
    scene.refused(&ktest, &["no tests in notes", "such as a.txt"]);
    let labrys = ["--tests", "notes", "--tests-format", "labrys"];
    scene.refused(&labrys, &["no tests in notes"]);
    scene.refused(&[], &["--tests"]);
    let suite = r#"{"schema": "labrys/1", "target": {"files": []}, "tests": []}"#;
    scene.write("none/suite.json", suite.as_bytes());
    scene.refused(&["--tests", "none"], &["no tests in none"]);
}

#[test]
fn damaged_files_are_named() {
    let scene = Scene::new(DRIVER);
    let whole = ktest(&["x.bc"], &[("x", &[1, 0, 0, 0])]);
    for end in [0, 3, 5, 9, whole.len() / 2, whole.len() - 1] {
        scene.write("t.ktest", &whole[..end]);
        scene.refused(&["--tests", "t.ktest"], &["t.ktest is not a KLEE test"]);
    }
    let mut huge = whole.clone();
    huge[9..13].fill(0xff);
    scene.write("d/t.ktest", &huge);
    scene.refused(&["--tests", "d"], &["d/t.ktest is not a KLEE test"]);
    for (text, reason) in [
        ("<testcase><input>1</input>", "t.xml is not a test case"),
        (
            "<testcase><input>one</input></testcase>",
            "line 1: 'one' is no value",
        ),
        (
            "<testcase><value>1</value></testcase>",
            "<value> where <input> must be",
        ),
    ] {
        scene.write("t.xml", text.as_bytes());
        scene.refused(&["--tests", "t.xml"], &["t.xml", reason]);
    }
    scene.write("t.xml", b"<suite/>");
    let forced = ["--tests", "t.xml", "--tests-format", "testcomp"];
    scene.refused(&forced, &["its root is <suite>"]);
    scene.write("suite.json", b"{\"schema\": \"labrys/1\", \"tests\"");
    scene.refused(
        &["--tests", "suite.json"],
        &["suite.json is not a suite of Labrys"],
    );
    scene.write(
        "suite.json",
        b"{\"schema\": \"labrys/9\", \"target\": {\"files\": []}, \"tests\": []}",
    );
    scene.refused(&["--tests", "suite.json"], &["its schema is 'labrys/9'"]);
    scene.write("tests.zip", b"PK\x03\x04and so on");
    scene.refused(&["--tests", "tests.zip"], &["tests.zip", "unpack it first"]);
}

#[test]
fn a_function_must_be_clear() {
    let scene = Scene::new("int f(int x) { return x; }\nint g(int x) { return x; }\n");
    scene.write("t.ktest", &ktest(&[], &[("x", &[0; 4])]));
    scene.refused(
        &["--tests", "t.ktest"],
        &["t.ktest does not say which function", "--function", "f, g"],
    );
    scene.refused(&["--tests", "t.ktest", "--function", "h"], &["h"]);
    let score = scene.measure(&[
        "--tests",
        "t.ktest",
        "--function",
        "f",
        "--criterion",
        "function",
    ]);
    assert_eq!(score.total("covered"), 1);
}

#[test]
fn options_of_a_search_are_refused() {
    let scene = Scene::new(ABS);
    scene.generate(&[]);
    for option in [
        &["--search", "dfs"][..],
        &["--paths", "5"],
        &["--seed", "1"],
        &["--exhaust"],
    ] {
        scene.refused(
            &[&["--tests", "labrys-out"], option].concat(),
            &[option[0], "gen"],
        );
    }
    // In the file they are for gen.
    scene.write("labrys.toml", b"search = \"dfs\"\nout = \"labrys-out\"\n");
    let score = scene.measure(&["--tests", "labrys-out"]);
    assert_eq!(score.total("covered"), 2);
    let help = scene.run(&["measure", "--help"]).stdout;
    assert!(
        help.contains("--tests-format") && !help.contains("--search"),
        "{help}"
    );
}

#[test]
fn the_tests_are_not_overwritten() {
    let scene = Scene::new(ABS);
    scene.generate(&[]);
    let before = std::fs::read(scene.path("labrys-out/suite.json")).unwrap();
    let out = ["--tests", "labrys-out", "--out", "labrys-out"];
    scene.refused(&out, &["holds the tests that are measured"]);
    scene.write("mine/file", b"mine");
    scene.refused(
        &["--tests", "labrys-out", "--out", "mine"],
        &["not made by labrys"],
    );
    assert_eq!(
        std::fs::read(scene.path("labrys-out/suite.json")).unwrap(),
        before
    );
}
