//! Functions whose parameters Labrys makes up: lists, trees, strings, structures, aliases, globals.
//! The flags stand in the file, and so do the return values that must be among the tests.

use crate::common::{generate, replay_and_export};
use crate::expect;
use serde_json::Value;
use std::path::Path;

pub fn check(file: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(file).unwrap();
    let line = text.lines().find_map(|l| l.strip_prefix("// arguments: "));
    let arguments = split(line.ok_or("the file names no arguments")?);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let expectations = expect::read(file);
    expect::forms(
        &expectations,
        &["branches # feasible # | branches # infeasible #"],
        &["return #"],
    )?;
    let number = |name| expect::number(&expectations, name);
    let generated = generate(&[file], &arguments)?;
    let branch = |name| generated.total("branch", name);
    let mut wrong = Vec::new();
    let w = &mut wrong;
    expect::same(w, "branches", branch("objectives"), number("branches"));
    expect::same(w, "feasible", branch("covered"), number("feasible"));
    expect::same(w, "infeasible", branch("infeasible"), number("infeasible"));
    expect::empty(w, &generated, "divergences");
    for words in expectations.iter().filter(|words| words[0] == "return") {
        let wanted: Value = words[1].parse::<i64>().unwrap().into();
        let mut returns = generated.tests.iter().map(|t| &t["outputs"]["return"]);
        if !returns.any(|value| *value == wanted) {
            w.push(format!("no test returns {wanted}"));
        }
    }
    replay_and_export(&generated)?;
    Ok(wrong)
}

/// Words, where quotes keep spaces.
pub fn split(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    parts
        .flat_map(|(i, part)| match i % 2 {
            1 => vec![part.to_owned()],
            _ => part.split_whitespace().map(str::to_owned).collect(),
        })
        .collect()
}
