//! What a reader of exported tests asks for: a short file, and names that say what each test is
//! about.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Generated, generate, labrys, run, top};
use labrys_suite::test_name;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Lines of one test, and of what stands around all of them, at most.
const LINES_OF_A_TEST: usize = 10;
const OTHER_LINES: usize = 40;

/// The functions, each with a name that its suite must have.
const FUNCTIONS: [(&str, &str); 10] = [
    ("tests/files/seed3/gcd.c", "gcd_b_below_0"),
    ("tests/files/seed3/grade.c", "grade_score_above_100"),
    (
        "tests/files/seed3/leap_year.c",
        "leap_year_year_mod_100_is_zero",
    ),
    (
        "tests/files/seed3/parse_digit.c",
        "parse_digit_c_above_digit_9",
    ),
    ("tests/files/seed3/quadrant.c", "quadrant_x_is_zero"),
    (
        "tests/files/seed3/days_in_month.c",
        "days_in_month_month_is_2",
    ),
    (
        "tests/files/seed3/ticket_price.c",
        "ticket_price_member_is_true",
    ),
    ("tests/files/seed3/is_prime.c", "is_prime_n_below_2"),
    ("tests/files/seed3/clamp.c", "clamp_value_below_low"),
    ("examples/fare.c", "fare_age_below_18"),
];

fn path(source: &str) -> PathBuf {
    top().join(source)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap()
}

#[test]
fn exported_tests_are_short_and_their_names_say_what_they_are_about() {
    for (source, expected) in FUNCTIONS {
        let made = generate(&[&path(source)], &[]).unwrap();
        check_names(&made, source);
        let names: BTreeSet<&str> = made.tests.iter().map(|t| text(t, "name")).collect();
        assert!(names.contains(expected), "{source}: {names:?}");
        let mut export = labrys(made.dir.path());
        export.args(["export", "out", "--format", "c", "--out", "exported.c"]);
        let export = run(&mut export);
        assert_eq!(export.code, Some(0), "{source}: {}", export.stderr);
        let exported = std::fs::read_to_string(made.dir.path().join("exported.c")).unwrap();
        let lines = exported.lines().count();
        let most = OTHER_LINES + LINES_OF_A_TEST * made.tests.len();
        assert!(
            lines <= most,
            "{source}: {lines} lines, {} tests",
            made.tests.len()
        );
        for name in names {
            let head = format!("static void test_{name}(void) {{");
            assert!(exported.contains(&head), "{source}: {head}");
        }
    }
}

/// Each name is that of an objective which the test covers, and of no test before it.
fn check_names(made: &Generated, source: &str) {
    let objectives: BTreeMap<&str, &str> = (made.objectives.iter())
        .map(|o| (text(o, "id"), text(o, "text")))
        .collect();
    let mut covered: BTreeSet<&str> = BTreeSet::new();
    for test in &made.tests {
        let (name, entry) = (text(test, "name"), text(test, "entry"));
        let covers = test["covers"].as_array().unwrap().iter();
        let covers: BTreeSet<&str> = covers.map(|id| id.as_str().unwrap()).collect();
        let mut new = covers.difference(&covered);
        let is_its_own = |id: &&&str| {
            let plain = test_name(entry, objectives[**id]);
            let number = name
                .strip_prefix(&plain)
                .map(|rest| rest.trim_start_matches('_'));
            number.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
        };
        assert!(new.any(|id| is_its_own(&id)), "{source}: {name}");
        covered.extend(covers);
    }
}
