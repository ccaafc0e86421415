//! MC/DC on programs whose inputs can be enumerated: the conditions that have a pair, unique-cause
//! or only masking, are exactly those for which brute force has found one, all others are proved
//! infeasible, and llvm-cov confirms the suite.

use crate::common::{Generated, generate};
use crate::expect;
use libtest_mimic::Trial;
use serde_json::Value;
use std::path::{Path, PathBuf};

pub const CRITERIA: &str = "mcdc,mcdc-unique";

const ARGUMENTS: [&str; 6] = [
    "--main",
    "--criterion",
    CRITERIA,
    "--time",
    "120s",
    "--llvm-cov",
];

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for file in with_decisions().into_iter().step_by(2) {
        let name = format!("mcdc/{}", file.file_stem().unwrap().to_string_lossy());
        trials.push(crate::trial(name, move || check(&file)));
    }
    trials
}

fn with_decisions() -> Vec<PathBuf> {
    let mut files = crate::c_files("tests/files/exact");
    files.retain(|file| !decisions(file).is_empty());
    files
}

/// Are the pairs of this program looked for together with its branches and paths?
pub fn is_together(file: &Path) -> bool {
    with_decisions()
        .iter()
        .skip(1)
        .step_by(2)
        .any(|other| other == file)
}

/// A decision by the place of its first condition that is no constant, with a letter for each
/// condition: U has a unique-cause pair, M only a masking one, - none, c is a constant.
type Decision = (String, String);

fn decisions(file: &Path) -> Vec<Decision> {
    let expectations = expect::read(file);
    let pairs = expectations.into_iter().filter(|words| words[0] == "mcdc");
    pairs
        .map(|words| (words[1].clone(), words[2].clone()))
        .collect()
}

fn check(file: &Path) -> Result<Vec<String>, String> {
    let arguments = [&expect::TRUSTED, &ARGUMENTS[..]].concat();
    let generated = generate(&[file], &arguments)?;
    let mut wrong = Vec::new();
    compare(&generated, file, &mut wrong);
    // A difference is a failure of gen itself.
    let compared = generated.summary["checks"][0]["compared"].as_u64();
    if compared.is_none_or(|places| places == 0) {
        wrong.push(format!("llvm-cov: {}", generated.summary["checks"]));
    }
    for part in ["gaps", "divergences"] {
        expect::empty(&mut wrong, &generated, part);
    }
    Ok(wrong)
}

/// Pushes a line for each condition whose pair is not as expected.
pub fn compare(generated: &Generated, file: &Path, wrong: &mut Vec<String>) {
    for (place, letters) in decisions(file) {
        for (criterion, covered) in [("mcdc", "UM"), ("mcdc-unique", "U")] {
            let Some(number) = decision_at(generated, criterion, &place) else {
                wrong.push(format!("{criterion}: no decision at {place}"));
                continue;
            };
            for (index, letter) in letters.char_indices() {
                let expected = match letter {
                    'c' => None,
                    _ if covered.contains(letter) => Some("covered"),
                    _ => Some("infeasible"),
                };
                let got = condition(generated, criterion, &number, index);
                if got.as_deref() != expected {
                    wrong.push(format!(
                        "{criterion} {place} condition {index}: {got:?}, expected {expected:?}"
                    ));
                }
            }
        }
    }
}

fn pairs<'g>(generated: &'g Generated, criterion: &'g str) -> impl Iterator<Item = &'g Value> {
    let all = generated.objectives.iter();
    all.filter(move |o| o["criterion"] == criterion)
}

/// The number of the decision whose first pair stands at this place. A condition may hold another
/// decision, but not begin with one.
fn decision_at(generated: &Generated, criterion: &str, place: &str) -> Option<Value> {
    let here = |o: &&Value| format!("{}:{}", o["line"], o["column"]) == place;
    let found = pairs(generated, criterion).find(here)?;
    Some(found["trigger"]["pair"]["decision"].clone())
}

/// The status of the pair of a condition; `None` if it is no objective.
fn condition(
    generated: &Generated,
    criterion: &str,
    decision: &Value,
    index: usize,
) -> Option<String> {
    let is_it = |o: &&Value| {
        let pair = &o["trigger"]["pair"];
        pair["decision"] == *decision && pair["condition"] == index
    };
    let found = pairs(generated, criterion).find(is_it)?;
    Some(found["status"].as_str()?.to_owned())
}
