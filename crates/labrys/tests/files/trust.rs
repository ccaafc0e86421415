//! Programs that could be called infeasible by mistake, each beside something that really is:
//! `tests/files/trust/`, a folder for each kind of assumption.
//!
//! A file begins with `// arguments: …`. At the end of a line, `//@ true covered, false infeasible`
//! says what becomes of the objectives of that line, by the outcome in their text:
//!
//! - `covered`, `infeasible`;
//! - `open`: covered or unknown, but not infeasible;
//! - `unknown WORDS`: unknown, with these words in the reason;
//! - `rests on WORDS`: infeasible, with an assumption that has these words;
//! - `does without WORDS`, `may need WORDS`: infeasible, and this is said of such an assumption.
//!
//! `all` instead of an outcome means every objective of the line.

use crate::common::{Generated, generate, top};
use crate::harness::split;
use crate::{Trial, trial};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// So long that no program here comes near to it. A look for proofs may take a part of it, and what
/// is proved must not depend on how busy the machine is.
const LONG: &str = "600s";

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    let root = top().join("tests/files/trust");
    for file in sorted(&root).iter().flat_map(|entry| files_in(entry)) {
        let place = file.strip_prefix(&root).unwrap_or(&file);
        let name = format!("trust/{}", place.with_extension("").display());
        trials.push(trial(name, move || check(&file)));
    }
    trials
}

/// A file, or all files of a folder and of those in it.
fn files_in(entry: &Path) -> Vec<PathBuf> {
    match entry.is_dir() {
        true => (sorted(entry).iter())
            .flat_map(|entry| files_in(entry))
            .collect(),
        false => vec![entry.to_owned()],
    }
}

fn sorted(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// What is expected of the objectives of a line.
struct LineExpectation {
    line: usize,
    outcome: String,
    status: String,
}

fn check(file: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(file).unwrap();
    let arguments = text.lines().find_map(|l| l.strip_prefix("// arguments: "));
    let arguments = split(arguments.ok_or("the file names no arguments")?);
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if !arguments.contains(&"--time") {
        arguments.splice(0..0, ["--time", LONG]);
    }
    let expectations = expectations(&text)?;
    let generated = generate(&[file], &arguments)?;
    let mut wrong = Vec::new();
    for expected in &expectations {
        let found = objectives(&generated, expected);
        if found.is_empty() {
            let (line, outcome) = (expected.line, &expected.outcome);
            wrong.push(format!("line {line} has no objective that is {outcome}"));
        }
        let unlike = found.iter().filter(|o| !is_met(o, &expected.status));
        wrong.extend(unlike.map(|o| {
            let (line, status) = (expected.line, &expected.status);
            format!("line {line}, {}: {o}, expected {status}", o["text"])
        }));
    }
    Ok(wrong)
}

fn expectations(text: &str) -> Result<Vec<LineExpectation>, String> {
    let mut all = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some((_, said)) = line.split_once("//@ ") else {
            continue;
        };
        for part in said.split(", ") {
            let (outcome, status) = part
                .split_once(' ')
                .ok_or_else(|| format!("line {}: '{part}' says nothing", number + 1))?;
            all.push(LineExpectation {
                line: number + 1,
                outcome: outcome.to_owned(),
                status: status.trim().to_owned(),
            });
        }
    }
    if all.is_empty() {
        return Err("the file expects nothing".into());
    }
    Ok(all)
}

fn objectives<'g>(generated: &'g Generated, expected: &LineExpectation) -> Vec<&'g Value> {
    let of_line = |o: &&Value| o["line"].as_u64() == Some(expected.line as u64);
    let ending = format!(" is {}", expected.outcome);
    let is_meant = |o: &&Value| {
        let text = o["text"].as_str().unwrap_or_default();
        expected.outcome == "all" || text.ends_with(&ending)
    };
    let objectives = generated.objectives.iter();
    objectives.filter(of_line).filter(is_meant).collect()
}

fn is_met(objective: &Value, expected: &str) -> bool {
    let status = objective["status"].as_str().unwrap_or_default();
    let reason = objective["reason"].as_str().unwrap_or_default();
    if let Some(words) = expected.strip_prefix("unknown ") {
        return status == "unknown" && reason.contains(words);
    }
    if let Some(words) = expected.strip_prefix("rests on ") {
        let assumes = objective["proof"]["assumes"].to_string();
        return status == "infeasible" && assumes.contains(words);
    }
    for (said, need) in [
        ("does without ", "not-needed"),
        ("may need ", "may-be-needed"),
    ] {
        if let Some(words) = expected.strip_prefix(said) {
            let mut needs = objective["proof"]["needs"].as_array().into_iter().flatten();
            let is_meant = |n: &Value| n["assumption"].to_string().contains(words);
            return status == "infeasible" && needs.any(|n| is_meant(n) && n["needed"] == need);
        }
    }
    match expected {
        "open" => matches!(status, "covered" | "unknown"),
        _ => status == expected,
    }
}
