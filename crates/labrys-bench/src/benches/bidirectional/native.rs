//! What native runs cover, without Labrys: the subject is compiled with clang's coverage and run with its
//! inputs and with random changes of them.

use super::subjects::BidirectionalSubject;
use super::truth::{BranchOutcome, OutcomeSet};
use crate::benches::clock::run_child;
use labrys_driver::{Failure, Outcome};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

const DRIVER: &str = include_str!("../../../../../tests/bidirectional/native/random_inputs.c");

/// Comparisons are reported to the driver, which tries what an input is compared with.
const COVERAGE: [&str; 4] = [
    "-fprofile-instr-generate",
    "-fcoverage-mapping",
    "-fsanitize-coverage=func,trace-pc,trace-cmp",
    "-Dmain=subject_main",
];

const SEED: &str = "1";

/// The outcomes that any of these many runs shows.
pub fn covered(subject: &BidirectionalSubject, dir: &Path, runs: u64) -> Outcome<OutcomeSet> {
    let write = |name: &str, text: &str| std::fs::write(dir.join(name), text);
    write("subject.c", subject.text).map_err(Failure::usage)?;
    write("driver.c", DRIVER).map_err(Failure::usage)?;
    write("inputs", subject.inputs).map_err(Failure::usage)?;
    write("numbers", &numbers(subject.text)).map_err(Failure::usage)?;
    let compile = |flags: &[&str], source: &str, object: &str| {
        let files = ["-O0", "-c", source, "-o", object];
        let mut clang = Command::new("clang-19");
        finish(clang.args(flags).args(files).current_dir(dir))
    };
    compile(&COVERAGE, "subject.c", "subject.o")?;
    compile(&[], "driver.c", "driver.o")?;
    let link = ["subject.o", "driver.o", COVERAGE[0], "-o", "runs"];
    finish(Command::new("clang-19").args(link).current_dir(dir))?;
    let arguments = [&runs.to_string(), SEED, "inputs", "numbers"];
    let mut run = Command::new(dir.join("runs"));
    run.env("LLVM_PROFILE_FILE", "runs.profraw");
    finish(run.args(arguments).current_dir(dir))?;
    let merge = ["merge", "-sparse", "-o", "runs.profdata", "runs.profraw"];
    finish(
        Command::new("llvm-profdata-19")
            .args(merge)
            .current_dir(dir),
    )?;
    let export = [
        "export",
        "--format=text",
        "--instr-profile",
        "runs.profdata",
        "runs",
    ];
    let text = finish(Command::new("llvm-cov-19").args(export).current_dir(dir))?;
    outcomes(&text)
}

fn finish(command: &mut Command) -> Outcome<Vec<u8>> {
    let (output, _) = run_child(command.stdin(Stdio::null()))?;
    Ok(output)
}

/// All numbers and letters in the text: what conditions may ask for.
fn numbers(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c| !is_part(c));
    let decimal = words.filter_map(|word| word.parse::<i32>().ok());
    let letters = text.split('\'').filter(|part| part.len() == 1);
    let letters = letters.map(|part| i32::from(part.as_bytes()[0]));
    let all: BTreeSet<i32> = decimal.chain(letters).collect();
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    all.join(" ")
}

/// Reads the branches in what `llvm-cov` prints: line, column, their ends, how often each was true and
/// false, and more.
fn outcomes(text: &[u8]) -> Outcome<OutcomeSet> {
    let export: Value = serde_json::from_slice(text).map_err(Failure::usage)?;
    let files = export["data"][0]["files"].as_array();
    let branches = files.into_iter().flatten();
    let branches = branches.filter_map(|file| file["branches"].as_array());
    let mut all = OutcomeSet::new();
    for branch in branches.flatten() {
        let number = |index: usize| branch[index].as_u64();
        let [Some(line), Some(column)] = [0, 1].map(number) else {
            return Err(Failure::usage("llvm-cov has another format"));
        };
        for (is_true, place) in [(true, 4), (false, 5)] {
            if number(place).is_some_and(|count| count > 0) {
                all.insert(BranchOutcome {
                    line: line as u32,
                    column: column as u32,
                    is_true,
                });
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_letters_of_a_text_are_found() {
        assert_eq!(numbers("if (x2 > 17 && c == 'B') y = -3;"), "3 17 66");
    }
}
