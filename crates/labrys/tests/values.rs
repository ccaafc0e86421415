//! The values of tests: those that a reader expects, for the functions in `tests/files/values/`.
//! A line `// f: x=1; x=2` there says which inputs the tests of `f` have, in any order.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Generated, generate, top};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

type Inputs = BTreeMap<String, BTreeSet<String>>;

fn file(name: &str) -> PathBuf {
    top().join("tests/files/values").join(name)
}

/// A program of one file.
fn program(text: &str) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("program.c");
    std::fs::write(&path, text).unwrap();
    (dir, path)
}

/// Generates tests, which must do natively what the engine says.
fn run(path: &Path, arguments: &[&str]) -> Generated {
    let generated = generate(&[path], arguments).unwrap();
    let divergences = &generated.summary["divergences"];
    assert!(
        divergences.as_array().is_none_or(Vec::is_empty),
        "{divergences}"
    );
    generated
}

/// The inputs of a test. Pointers are left out, and all but the first of the structures in an
/// array.
fn shown(test: &Value) -> String {
    let inputs = test["inputs"].as_array().unwrap().iter();
    let named = inputs.map(|input| (input["name"].as_str().unwrap(), &input["value"]));
    let is_shown = |name: &str| {
        let later = ["[1].", "[2].", "[3]."];
        let leads = name.ends_with("(pointer)") || name.contains("(place of ");
        !leads && !later.iter().any(|part| name.contains(part))
    };
    let shown: Vec<String> = named
        .filter(|(name, _)| is_shown(name))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    shown.join(" ")
}

/// The inputs of the tests by function.
fn inputs(generated: &Generated) -> Inputs {
    let mut found = Inputs::new();
    for test in &generated.tests {
        let entry = test["entry"].as_str().unwrap().to_owned();
        found.entry(entry).or_default().insert(shown(test));
    }
    found
}

/// What the comments of a file expect.
fn expected(path: &Path) -> Inputs {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix("// "));
    let parse = |line: &str| {
        let (function, values) = line.split_once(": ")?;
        let values = values.split("; ").map(str::to_owned).collect();
        Some((function.to_owned(), values))
    };
    lines.filter_map(parse).collect()
}

fn check(name: &str) {
    let path = file(name);
    let (expected, found) = (expected(&path), inputs(&run(&path, &["--validate"])));
    for (function, values) in &expected {
        assert_eq!(found.get(function), Some(values), "{function} in {name}");
    }
    let functions: BTreeSet<&String> = found.keys().collect();
    assert_eq!(functions, expected.keys().collect(), "in {name}");
}

#[test]
fn numbers() {
    check("numbers.c");
}

#[test]
fn floats() {
    check("floats.c");
}

#[test]
fn text() {
    check("text.c");
}

#[test]
fn arrays_and_structures() {
    check("objects.c");
}

#[test]
fn the_same_suite_twice() {
    let path = file("numbers.c");
    let bytes = || {
        let generated = run(&path, &[]);
        std::fs::read(generated.out().join("suite.json")).unwrap()
    };
    assert_eq!(bytes(), bytes());
}

#[test]
fn raw_values_are_those_of_the_solver() {
    let path = file("numbers.c");
    let (raw, chosen) = (run(&path, &["--raw-values"]), run(&path, &[]));
    assert_eq!(raw.summary["totals"], chosen.summary["totals"]);
    let covers = |generated: &Generated| -> Vec<Value> {
        generated
            .tests
            .iter()
            .map(|t| t["covers"].clone())
            .collect()
    };
    // Branches depend on the path alone.
    assert_eq!(covers(&raw), covers(&chosen));
    let far = |generated: &Generated| {
        let far = inputs(generated)["far_away"].clone();
        far.contains("x=-9223372036854775808")
    };
    assert!(far(&raw) && !far(&chosen));
}

#[test]
fn chosen_values_respect_assumptions() {
    let (_dir, path) = program("int f(int n, int m) { return n > m ? n - m : 0; }");
    let assumed = ["--assume", "n > 40 && n < 50", "--assume", "m > n - 3"];
    let generated = run(&path, &assumed);
    let number = |test: &Value, i: usize| test["inputs"][i]["value"].as_i64().unwrap();
    let mut orders = BTreeSet::new();
    for test in &generated.tests {
        let (n, m) = (number(test, 0), number(test, 1));
        assert!(n > 40 && n < 50 && m > n - 3, "{n} {m}");
        orders.insert(n > m);
    }
    assert_eq!(orders.len(), 2);
}

#[test]
fn labels_that_hold_by_luck_still_hold() {
    // The path says nothing of x; the first input, zero, covers two labels that 1 would not.
    let (_dir, path) = program(
        "void pc_label(int, int);
        int f(int x, int y) {
            pc_label(x > 5, 1);
            pc_label(x < -1000, 2);
            pc_label((x & 1023) == 0, 3);
            pc_label(x * y == 7777, 4);
            pc_label(x ? x % 2 == 0 : 100 / (x + 1) == 100, 5);
            return x + y;
        }",
    );
    for criterion in ["labels", "weak-mutation", "boundary"] {
        let (raw, chosen) = (
            run(&path, &["--criterion", criterion, "--raw-values"]),
            run(&path, &["--criterion", criterion]),
        );
        assert_eq!(
            raw.summary["totals"], chosen.summary["totals"],
            "{criterion}"
        );
        assert_eq!(raw.with_status("covered"), chosen.with_status("covered"));
    }
}

#[test]
fn pairs_stay_pairs() {
    let path = top().join("tests/files/exact/mcdc_coupled.c");
    for criterion in ["mcdc", "mcdc-unique"] {
        let (raw, chosen) = (
            run(&path, &["--criterion", criterion, "--raw-values"]),
            run(&path, &["--criterion", criterion]),
        );
        assert_eq!(raw.summary["totals"], chosen.summary["totals"]);
        assert_eq!(raw.with_status("covered"), chosen.with_status("covered"));
    }
}

#[test]
fn several_threads_choose_values_too() {
    let path = file("numbers.c");
    let generated = run(&path, &["-j", "2"]);
    assert_eq!(generated.summary["score"], 1.0);
    let found = inputs(&generated);
    for function in ["far_away", "square", "above_hundred"] {
        let expected = &expected(&path)[function];
        assert_eq!(&found[function], expected);
    }
}

#[test]
fn faults_keep_their_kind_and_place() {
    let (_dir, path) = program(
        "int f(int a, int b, int *p) {
            if (a > 100 && b < 0) return p[a];
            return 100 / (a - 7);
        }",
    );
    let (raw, chosen) = (
        run(&path, &["--exhaust", "--raw-values"]),
        run(&path, &["--exhaust"]),
    );
    let errors = |generated: &Generated| -> Vec<(Value, Value, Value)> {
        let errors = generated.summary["errors"].as_array().unwrap().iter();
        let named = |e: &Value| (e["kind"].clone(), e["line"].clone(), e["native"].clone());
        errors.map(named).collect()
    };
    assert_eq!(errors(&raw), errors(&chosen));
    let mut tests = chosen.tests.iter();
    let division = tests.find(|test| test["outcome"] == "division-by-zero");
    assert_eq!(division.unwrap()["inputs"][0]["value"], 7);
}

#[test]
fn a_program_gets_printable_text() {
    let (_dir, path) = program(
        "#include <ctype.h>
        #include <stdio.h>
        #include <string.h>
        int main(int argc, char **argv) {
            int c, letters = 0, others = 0;
            if (argc > 1 && strcmp(argv[1], \"--count\") == 0)
                letters = 1;
            while ((c = getchar()) != EOF) {
                if (isalpha(c)) letters++;
                else others++;
            }
            printf(\"%d %d\\n\", letters, others);
            return letters > 2;
        }",
    );
    let generated = run(&path, &["--sym-args", "0..1:8", "--sym-stdin", "3"]);
    for test in &generated.tests {
        for input in test["inputs"].as_array().unwrap() {
            if let Some(text) = input["value"].as_str() {
                let printable = |c: char| c.is_ascii_graphic() || c == ' ' || c == '\n';
                assert!(text.chars().all(printable), "{text:?}");
            }
        }
    }
    let values = |name: &str| -> BTreeSet<String> {
        let inputs = generated
            .tests
            .iter()
            .flat_map(|t| t["inputs"].as_array().unwrap());
        let named = inputs.filter(|input| input["name"] == name);
        named
            .map(|input| input["value"].as_str().unwrap().to_owned())
            .collect()
    };
    assert!(values("arg1").contains("--count"));
    assert!(values("stdin").contains("a"));
}
