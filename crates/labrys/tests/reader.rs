//! What a reader of exported tests asks for: a short file, names that say what each test is about,
//! and values that are no larger than they need to be.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Generated, generate, labrys, read_json, run, top};
use labrys_suite::test_name;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Lines of one test, and of what stands around all of them, at most.
const LINES_OF_A_TEST: usize = 10;
const OTHER_LINES: usize = 40;

/// Numbers up to this are small enough for anyone.
const SMALL: i64 = 9;

/// The functions, each with a name that its suite must have.
const FUNCTIONS: [(&str, &str); 10] = [
    ("tests/files/augmentation/gcd.c", "gcd_b_below_0"),
    ("tests/files/augmentation/grade.c", "grade_score_above_100"),
    (
        "tests/files/augmentation/leap_year.c",
        "leap_year_year_mod_100_is_zero",
    ),
    (
        "tests/files/augmentation/parse_digit.c",
        "parse_digit_c_above_digit_9",
    ),
    ("tests/files/augmentation/quadrant.c", "quadrant_x_is_zero"),
    (
        "tests/files/augmentation/days_in_month.c",
        "days_in_month_month_is_2",
    ),
    (
        "tests/files/augmentation/ticket_price.c",
        "ticket_price_member_is_true",
    ),
    ("tests/files/augmentation/is_prime.c", "is_prime_n_below_2"),
    ("tests/files/augmentation/clamp.c", "clamp_value_below_low"),
    ("examples/fare.c", "fare_age_below_18"),
];

fn path(source: &str) -> PathBuf {
    top().join(source)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap()
}

#[test]
fn exported_tests_of_five_functions_can_be_read() {
    FUNCTIONS[..5].iter().for_each(check);
}

#[test]
fn exported_tests_of_five_other_functions_can_be_read() {
    FUNCTIONS[5..].iter().for_each(check);
}

fn check((source, expected): &(&str, &str)) {
    let made = generate(&[&path(source)], &[]).unwrap();
    check_names(&made, source);
    let names: BTreeSet<&str> = made.tests.iter().map(|t| text(t, "name")).collect();
    assert!(names.contains(expected), "{source}: {names:?}");
    check_length(&made, source, &names);
    check_values(&made, source);
}

fn check_length(made: &Generated, source: &str, names: &BTreeSet<&str>) {
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

/// No value is larger than it needs to be: constants of the source apart, no smaller one covers as
/// much.
fn check_values(made: &Generated, source: &str) {
    let constants = constants(&std::fs::read_to_string(path(source)).unwrap());
    let mut tried = Tried::default();
    for test in &made.tests {
        for (place, input) in test["inputs"].as_array().unwrap().iter().enumerate() {
            let Some(value) = input["value"].as_i64() else {
                continue;
            };
            if value.abs() > SMALL && !constants.contains(&value) {
                tried.smaller(test, place, value);
            }
        }
    }
    if !tried.tests.is_empty() {
        tried.check(made, source);
    }
}

/// The numbers of a source, with their neighbours and of both signs: values that people can relate to.
fn constants(source: &str) -> BTreeSet<i64> {
    let words = source.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let numbers = words.filter_map(|word| word.parse::<i64>().ok());
    numbers
        .flat_map(|n| [n - 1, n, n + 1, -n - 1, -n, -n + 1])
        .collect()
}

/// Tests with one value replaced by smaller ones.
#[derive(Default)]
struct Tried {
    tests: Vec<Value>,
    /// For each of them what the original covers, and what was replaced.
    instead: Vec<(BTreeSet<String>, String)>,
}

impl Tried {
    fn smaller(&mut self, test: &Value, place: usize, value: i64) {
        let most = i64::min(value.abs() - 1, 40);
        for other in (-most..=most).filter(|other| *other != value) {
            let mut changed = test.clone();
            let input = &mut changed["inputs"][place];
            let size = text(input, "bytes").len() / 2;
            let bytes = other.to_le_bytes();
            let hex: String = bytes[..size].iter().map(|b| format!("{b:02x}")).collect();
            let what = format!("{}: {} = {value}, not {other}", test["name"], input["name"]);
            input["value"] = json!(other);
            input["bytes"] = json!(hex);
            changed["id"] = json!(self.tests.len() + 1);
            changed["name"] = json!(format!("t{}", self.tests.len() + 1));
            let covers = test["covers"].as_array().unwrap().iter();
            let covers = covers.map(|id| id.as_str().unwrap().to_owned());
            self.instead.push((covers.collect(), what));
            self.tests.push(changed);
        }
    }

    /// Natively, none of them covers what the test with the larger value covers.
    fn check(self, made: &Generated, source: &str) {
        let mut suite = read_json(&made.out().join("suite.json"));
        suite["tests"] = json!(self.tests);
        let dir = made.dir.path();
        std::fs::write(dir.join("smaller.json"), suite.to_string()).unwrap();
        let mut measure = labrys(dir);
        measure.arg("measure").arg(path(source));
        measure.args(["--tests", "smaller.json", "--criterion", "branch"]);
        let measured = run(measure.args(["--format", "json", "--quiet"]));
        assert_eq!(measured.code, Some(0), "{source}: {}", measured.stderr);
        let measured: Value = serde_json::from_str(&measured.stdout).unwrap();
        let mut covers: Vec<BTreeSet<String>> = vec![BTreeSet::new(); self.tests.len()];
        for objective in measured["objectives"].as_array().unwrap() {
            for test in objective["tests"].as_array().into_iter().flatten() {
                let place = test.as_u64().unwrap() as usize - 1;
                covers[place].insert(text(objective, "id").to_owned());
            }
        }
        for (covers, (wanted, what)) in covers.iter().zip(&self.instead) {
            assert!(
                !covers.is_superset(wanted),
                "{source}: {what} covers as much"
            );
        }
    }
}
