//! `gen --augment`: which conditions the new tests meet, that they are run natively, and that what
//! the search has covered stays covered.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Generated, generate, labrys, read_json, run, top};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Figure 1 of the paper.
const FIGURE: &str = "int f(int x, int y) {\n  if (x >= 3 && x <= 7) {\n    if (y - x >= 0 || y >= 4)\n\
     \x20     return 1;\n    else\n      return 2;\n  }\n  return 3;\n}\n";

fn augmented(text: &str, arguments: &[&str]) -> Generated {
    let source = tempfile::tempdir().unwrap();
    let path = source.path().join("x.c");
    std::fs::write(&path, text).unwrap();
    let mut generated = generate(&[&path], arguments).unwrap();
    // The times are no part of the result.
    generated.summary["work"] = Value::Null;
    std::fs::copy(&path, generated.dir.path().join("x.c")).unwrap();
    generated
}

fn strings(list: &Value) -> BTreeSet<String> {
    let list = list.as_array().into_iter().flatten();
    list.map(|s| s.as_str().unwrap().to_owned()).collect()
}

/// The names of the augmented conditions, by what they say.
fn conditions(generated: &Generated) -> BTreeMap<String, Value> {
    let file = read_json(&generated.out().join("augmentation.json"));
    let list = file["conditions"].as_array().unwrap().iter();
    list.map(|c| (c["text"].as_str().unwrap().to_owned(), c.clone()))
        .collect()
}

fn kind<'a>(generated: &'a Generated, name: &str) -> &'a Value {
    &generated.summary["augmentation"]["kinds"][name]
}

fn inputs(test: &Value) -> BTreeMap<String, i64> {
    let inputs = test["inputs"].as_array().unwrap().iter();
    inputs
        .filter_map(|i| Some((i["name"].as_str()?.to_owned(), i["value"].as_i64()?)))
        .collect()
}

/// What tests say they meet is what a reader works out from their inputs.
#[test]
fn boundary_values_are_at_the_boundary() {
    let generated = augmented(FIGURE, &["--augment", "boundary"]);
    let counts = kind(&generated, "boundary");
    assert_eq!(
        (&counts["conditions"], &counts["met"]),
        (&16.into(), &16.into())
    );
    assert!(counts["tests"].as_u64().unwrap() > 0);
    assert_eq!(generated.total("branch", "covered"), 8);
    let known = conditions(&generated);
    for test in &generated.tests {
        let (x, y) = (inputs(test)["x"], inputs(test)["y"]);
        let meets = strings(&test["augments"]);
        // The difference wraps round, as the compiled program has it.
        let difference = i64::from((y as i32).wrapping_sub(x as i32));
        let inside = (3..=7).contains(&x);
        let distances = [
            ("x >= 3", true, x - 3, 1),
            ("x <= 7", x >= 3, x - 7, -1),
            ("y - x >= 0", inside, difference, 1),
            ("y >= 4", inside && difference < 0, y - 4, 1),
        ];
        for (condition, evaluated, distance, inwards) in distances {
            for (place, holds) in [
                ("equal", distance == 0),
                ("one less", distance == -1),
                ("one more", distance == 1),
                ("well inside", distance * inwards > 1),
            ] {
                let id = known[&format!("{condition}: {place}")]["id"]
                    .as_str()
                    .unwrap();
                let told = meets.contains(id);
                assert_eq!(
                    told,
                    evaluated && holds,
                    "{condition}: {place}, x={x} y={y}"
                );
            }
        }
    }
}

/// A strictly augmented test covers exactly what some test of the search covers.
#[test]
fn strict_augmentation_keeps_the_path() {
    let plain = augmented(FIGURE, &[]);
    let old: BTreeSet<_> = plain.tests.iter().map(|t| strings(&t["covers"])).collect();
    for kinds in ["boundary", "mutation", "boundary,mutation,logic,error"] {
        let strict = augmented(FIGURE, &["--augment", kinds, "--augment-strict"]);
        assert!(strict.tests.len() > plain.tests.len(), "{kinds}");
        for test in &strict.tests {
            assert!(old.contains(&strings(&test["covers"])), "{kinds}: {test}");
        }
        let weak = augmented(FIGURE, &["--augment", kinds]);
        let met = |g: &Generated, k: &str| kind(g, k)["met"].as_u64().unwrap();
        for kind in kinds.split(',') {
            assert!(met(&strict, kind) <= met(&weak, kind), "{kinds}: {kind}");
        }
    }
}

/// A loop unrolls its condition; it is augmented once, or once for every turn.
#[test]
fn once_for_a_source_condition_or_for_every_unrolling() {
    let text = "int f(const int n[4]) {\n  int low = 0;\n  for (int i = 0; i < 4; i++)\n\
         \x20   if (n[i] < 100)\n      low++;\n  return low;\n}\n";
    let once = augmented(text, &["--augment", "boundary"]);
    let each = augmented(text, &["--augment", "boundary", "--per-unrolling"]);
    assert_eq!(
        kind(&once, "boundary")["met"],
        kind(&each, "boundary")["met"]
    );
    let added = |g: &Generated| kind(g, "boundary")["tests"].as_u64().unwrap();
    assert!(added(&once) <= 3, "{}", added(&once));
    assert!(added(&each) > added(&once));
    // In some test every element is at the boundary.
    for i in 0..4 {
        let at = |test: &&Value| {
            let array = &test["inputs"].as_array().unwrap()[0]["value"];
            array[i] == 100
        };
        assert!(
            each.tests.iter().any(|t| at(&t)),
            "no test has n[{i}] = 100"
        );
    }
}

/// Mutants that a test is said to kill are killed, and `labrys mutate` says the same.
#[test]
fn mutants_are_killed_natively() {
    for file in ["gcd", "to_octal", "clamp", "count_equal"] {
        let path = top().join(format!("tests/files/augmentation/{file}.c"));
        let text = std::fs::read_to_string(path).unwrap();
        let plain = augmented(&text, &[]);
        let more = augmented(&text, &["--augment", "mutation"]);
        assert_eq!(
            more.total("branch", "covered"),
            plain.total("branch", "covered")
        );
        let counts = kind(&more, "mutation");
        let number = |name: &str| counts[name].as_u64().unwrap();
        assert!(number("met") > number("met_before"), "{file}: {counts}");
        let mut command = labrys(more.dir.path());
        command.args(["mutate", "x.c", "--tests", "out", "--format", "json"]);
        let ended = run(&mut command);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let scored: Value = serde_json::from_str(&ended.stdout).unwrap();
        let killed: BTreeSet<String> = (scored["list"].as_array().unwrap().iter())
            .filter(|m| m["status"] != "survived" && m["status"] != "no-coverage")
            .map(|m| m["id"].as_str().unwrap().to_owned())
            .collect();
        let claimed: BTreeSet<String> = more
            .tests
            .iter()
            .flat_map(|t| strings(&t["augments"]))
            .collect();
        assert_eq!(claimed.len() as u64, number("met"), "{file}");
        assert!(claimed.is_subset(&killed), "{file}");
        // What is left is equivalent, but for a few.
        assert!(
            killed.len() * 100 >= number("conditions") as usize * 75,
            "{file}: {counts}"
        );
    }
}

/// How the search treats labels is no matter of augmentation.
#[test]
fn direct_instrumentation_is_augmented_too() {
    let arguments = ["--augment", "boundary", "--instrumentation", "direct"];
    let direct = augmented(FIGURE, &arguments);
    let counts = kind(&direct, "boundary");
    assert_eq!(
        (&counts["conditions"], &counts["met"]),
        (&16.into(), &16.into())
    );
    assert!(counts["tests"].as_u64().unwrap() > 0);
}

#[test]
fn clauses_decide_and_do_not() {
    let generated = augmented(FIGURE, &["--augment", "logic"]);
    let counts = kind(&generated, "logic");
    // Eight clauses decide; of sixteen that do not, six are possible.
    assert_eq!(
        (&counts["conditions"], &counts["met"]),
        (&24.into(), &14.into())
    );
}

/// Both the erring and the safe side of an operation.
#[test]
fn errors_happen_and_just_do_not() {
    let text = "int table[10];\nint f(int a, int b, int i) {\n  int r = a > 10 ? a / b : 0;\n\
         \x20 if (i > 3)\n    r = table[i] + 1;\n  return r;\n}\n";
    let generated = augmented(text, &["--augment", "error"]);
    let known = conditions(&generated);
    for (condition, met) in [
        ("a / b: division by zero", true),
        ("a / b: no division by zero", true),
        // The least number is not above ten.
        ("a / b: overflow", false),
        ("a / b: no overflow", true),
        ("table[i]: out of bounds", true),
        ("table[i]: no out of bounds", true),
    ] {
        assert_eq!(known[condition]["met"], met, "{condition}");
    }
    let outcomes: BTreeSet<&str> = generated
        .tests
        .iter()
        .map(|t| t["outcome"].as_str().unwrap())
        .collect();
    assert!(outcomes.contains("division-by-zero") && outcomes.contains("out-of-bounds"));
    assert_eq!(generated.summary["errors"].as_array().unwrap().len(), 2);
}

#[test]
fn the_same_suite_twice() {
    let all = ["--augment", "boundary,mutation,logic,error"];
    let first = augmented(FIGURE, &all);
    let second = augmented(FIGURE, &all);
    assert_eq!(first.tests, second.tests);
    assert_eq!(first.summary["divergences"], Value::Array(Vec::new()));
}

/// Minimisation counts augmented conditions among what must stay.
#[test]
fn minimised_suites_meet_the_same_conditions() {
    let met = |g: &Generated| -> BTreeSet<String> {
        g.tests
            .iter()
            .flat_map(|t| strings(&t["augments"]))
            .collect()
    };
    let all = augmented(FIGURE, &["--augment", "boundary,mutation"]);
    for method in ["paper", "greedy", "exact"] {
        let less = augmented(
            FIGURE,
            &["--augment", "boundary,mutation", "--minimise", method],
        );
        assert_eq!(met(&less), met(&all), "{method}");
        assert!(less.tests.len() <= all.tests.len());
        assert_eq!(less.total("branch", "covered"), 8);
    }
}

/// Whole programs and several functions at once have augmented tests, too.
#[test]
fn whole_programs_and_several_functions() {
    let text = "#include <stdio.h>\nint main(void) {\n  int c, words = 0;\n\
         \x20 while ((c = getchar()) != EOF)\n    if (c >= '0' && c <= '9')\n      words++;\n\
         \x20 printf(\"%d\\n\", words);\n  return words > 2;\n}\n";
    let program = augmented(
        text,
        &["--main", "--sym-stdin", "4", "--augment", "boundary"],
    );
    let counts = kind(&program, "boundary");
    assert!(
        counts["met"].as_u64() > counts["met_before"].as_u64(),
        "{counts}"
    );
    let text = "int f(int x) { return x > 3; }\nint g(int y) { if (y < 10) return 1; return 2; }\n";
    let both = augmented(text, &["--augment", "boundary,mutation"]);
    let entries: BTreeSet<&str> = (both.tests.iter())
        .filter(|t| t["name"].as_str().unwrap().contains("one_") || t["augments"].is_array())
        .map(|t| t["entry"].as_str().unwrap())
        .collect();
    assert_eq!(entries.into_iter().collect::<Vec<_>>(), ["f", "g"]);
    let ids: BTreeSet<u64> = both
        .tests
        .iter()
        .map(|t| t["id"].as_u64().unwrap())
        .collect();
    assert_eq!(ids.len(), both.tests.len());
}

/// Where only a part of the program counts, only that part is augmented.
#[test]
fn a_part_is_augmented() {
    let only = |lines: &str| {
        let source = tempfile::tempdir().unwrap();
        let path = source.path().join("x.c");
        std::fs::write(&path, FIGURE).unwrap();
        let place = format!("x.c:{lines}");
        let arguments = ["--augment", "boundary,mutation,error", "--only", &place];
        generate(&[&path], &arguments).unwrap()
    };
    let second = only("2-2");
    assert_eq!(kind(&second, "boundary")["conditions"], 8);
    assert_eq!(kind(&second, "boundary")["met"], 8);
    // The subtraction is in another line.
    assert_eq!(kind(&second, "error")["conditions"], 0);
    let file = read_json(&second.out().join("augmentation.json"));
    for condition in file["conditions"].as_array().unwrap() {
        assert_eq!(condition["line"], 2, "{condition}");
    }
}

/// Pairs of MC/DC that only new tests show are in these tests.
#[test]
fn pairs_that_augmented_tests_show() {
    let text = "int f(int a, int b, int c) {\n  return (a > 3 && b > 3) || c > 3 ? 1 : 2;\n}\n";
    // One path of the search shows no pair.
    let one = augmented(text, &["--criterion", "branch,mcdc", "--paths", "1"]);
    let more = augmented(
        text,
        &[
            "--criterion",
            "branch,mcdc",
            "--paths",
            "1",
            "--augment",
            "boundary,logic",
        ],
    );
    assert!(more.total("mcdc", "covered") > one.total("mcdc", "covered"));
    let covered = |o: &&Value| o["status"] == "covered" && o["criterion"] == "mcdc";
    for objective in more.objectives.iter().filter(covered) {
        let id = objective["id"].as_str().unwrap();
        for half in ["true", "false"] {
            let number = &objective["pair"][half]["test"];
            let test = more.tests.iter().find(|t| t["id"] == *number).unwrap();
            assert!(strings(&test["covers"]).contains(id), "{objective}");
        }
    }
}

#[test]
fn wrong_kinds_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("x.c"), FIGURE).unwrap();
    let ended = run(labrys(dir.path()).args(["gen", "x.c", "--augment", "borders"]));
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("borders") && ended.stderr.contains("boundary"),
        "{}",
        ended.stderr
    );
    let ended =
        run(labrys(dir.path()).args(["mutate", "x.c", "--tests", "out", "--augment", "error"]));
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("is for gen"), "{}", ended.stderr);
}
