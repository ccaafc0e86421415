//! The `// expect:` lines of a file, and what every clean run has in common.

use crate::common::Generated;
use serde_json::Value;
use std::path::Path;

/// The words of each expectation.
pub fn read(file: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines()
        .filter_map(|line| line.strip_prefix("// expect: "))
        .map(|rest| rest.split_whitespace().map(str::to_owned).collect())
        .collect()
}

/// Fails unless the expectations of a file say something, and nothing that no test understands:
/// each of the patterns in `always` stands in the file, and every line is one of these or of
/// `others`. In a pattern, `#` is a number, `*` a word, `+` one word or more, and `|` an
/// alternative.
pub fn forms(expectations: &[Vec<String>], always: &[&str], others: &[&str]) -> Result<(), String> {
    let is_there = |pattern: &&&str| expectations.iter().any(|line| matches(line, pattern));
    if let Some(missing) = always.iter().find(|pattern| !is_there(pattern)) {
        return Err(format!("the file has no line '// expect: {missing}'"));
    }
    let is_known = |line: &&Vec<String>| {
        let mut known = always.iter().chain(others);
        known.any(|pattern| matches(line, pattern))
    };
    match expectations.iter().find(|line| !is_known(line)) {
        Some(line) => Err(format!("no test reads '// expect: {}'", line.join(" "))),
        None => Ok(()),
    }
}

fn matches(line: &[String], patterns: &str) -> bool {
    patterns.split(" | ").any(|pattern| {
        let pattern: Vec<&str> = pattern.split(' ').collect();
        let is_open = pattern.last() == Some(&"+");
        let words = line.iter().zip(&pattern);
        (line.len() == pattern.len() || (is_open && line.len() > pattern.len()))
            && words.into_iter().all(|(word, pattern)| match *pattern {
                "#" => word.parse::<i64>().is_ok(),
                "*" | "+" => true,
                literal => word == literal,
            })
    })
}

/// The number after a word: `paths 12`, `branches 18 feasible 13`.
pub fn number(expectations: &[Vec<String>], name: &str) -> Option<u64> {
    expectations.iter().find_map(|words| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1)?.parse().ok()
    })
}

/// Pushes a line if a number is not the expected one.
pub fn same(wrong: &mut Vec<String>, what: &str, got: u64, expected: Option<u64>) {
    if let Some(expected) = expected.filter(|e| *e != got) {
        wrong.push(format!("{what}: {got}, expected {expected}"));
    }
}

/// A run that saw everything: nothing was left out, and every native run was as predicted.
pub fn complete(wrong: &mut Vec<String>, generated: &Generated) {
    if generated.summary["stop"] != "exhausted" {
        wrong.push(format!("stop: {}", generated.summary["stop"]));
    }
    for part in ["gaps", "divergences", "stubs"] {
        empty(wrong, generated, part);
    }
    let limits = generated.summary["limits"].as_array();
    let sizes = limits.into_iter().flatten().filter(|l| !is_environment(l));
    // Where the stack is full, a run ends because of what a native run has.
    let errors = generated.summary["errors"].as_array();
    let overflows = errors
        .into_iter()
        .flatten()
        .any(|e| e["kind"] == "stack-overflow");
    let sizes = sizes.filter(|l| !(overflows && *l == "resources: stack"));
    wrong.extend(sizes.map(|limit| format!("limits: {limit}")));
}

/// What the tests that enumerate all runs take for granted, too: that the surroundings behave.
pub const TRUSTED: [&str; 2] = ["--trust", "environment"];

fn is_environment(limit: &Value) -> bool {
    let text = limit.as_str().unwrap_or_default();
    text.starts_with("library ") || text.starts_with("environment: ")
}

/// Pushes a line if this part of the summary is not empty.
pub fn empty(wrong: &mut Vec<String>, generated: &Generated, part: &str) {
    let found = match &generated.summary[part] {
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
        _ => true,
    };
    if found {
        wrong.push(format!("{part}: {}", generated.summary[part]));
    }
}

/// Compares the bytes of the output named `result` in every test with what stands after a word.
pub fn result(
    wrong: &mut Vec<String>,
    generated: &Generated,
    word: &str,
    expectations: &[Vec<String>],
) {
    let Some(expected) = expectations.iter().find(|words| words[0] == word) else {
        wrong.push("the file has no expectations; run tests/oracle/bless.py".into());
        return;
    };
    if generated.tests.is_empty() {
        wrong.push("there is no test".into());
    }
    for test in &generated.tests {
        let outputs = test["output_bytes"].as_array().into_iter().flatten();
        let got: Vec<&Value> = outputs
            .filter(|output| output["name"] == "result")
            .map(|output| &output["bytes"])
            .collect();
        if got != [&Value::from(expected[1].as_str())] {
            let name = &test["name"];
            wrong.push(format!("{name} gives {got:?}, expected {}", expected[1]));
        }
    }
}

/// Compares the faults, as kind and line, with those expected.
pub fn faults(wrong: &mut Vec<String>, generated: &Generated, expectations: &[Vec<String>]) {
    let mut expected: Vec<String> = expectations
        .iter()
        .filter(|words| words[0] == "fault")
        .map(|words| format!("{} {}", words[1], words[2]))
        .collect();
    let errors = generated.summary["errors"].as_array().unwrap();
    let mut got: Vec<String> = errors
        .iter()
        .map(|e| format!("{} {}", e["kind"].as_str().unwrap(), e["line"]))
        .collect();
    expected.sort();
    got.sort();
    if got != expected {
        wrong.push(format!("faults: {got:?}, expected {expected:?}"));
    }
}
