//! What the README and the page on proofs show is what the program prints. Commands are run one after the other in a
//! directory of their own, and the lines below each must come in that order. `…` stands for lines
//! that are left out; times may differ.

#![allow(clippy::unwrap_used)]

mod common;

use common::{labrys, top};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A command of the README and the lines that it shows below it.
struct Example {
    line: usize,
    command: String,
    output: Vec<String>,
}

#[test]
fn the_commands_of_the_readme_print_what_it_says() {
    what_it_shows_is_printed("README.md", 20);
}

#[test]
fn the_commands_of_the_page_on_proofs_print_what_it_says() {
    what_it_shows_is_printed("docs/proofs.md", 7);
}

/// Runs the commands of a document, which are more than so many.
fn what_it_shows_is_printed(document: &str, more_than: usize) {
    let dir = scene();
    let examples = examples(&fs::read_to_string(top().join(document)).unwrap());
    assert!(examples.len() > more_than, "the commands are found");
    let mut wrong = Vec::new();
    for example in &examples {
        let printed = run(&example.command, dir.path());
        if let Some(missing) = first_missing(&example.output, &printed) {
            wrong.push(format!(
                "{document}:{}: {}\n  is missing: {missing}\n{printed}",
                example.line, example.command
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A directory with what the commands need: the program, the examples and two folders of tests.
fn scene() -> TempDir {
    let dir = TempDir::new().unwrap();
    symlink(labrys(dir.path()).get_program(), dir.path().join("labrys")).unwrap();
    for folder in [
        "examples",
        "examples/calculator",
        "tests/files/programs",
        "tests/files/drivers",
    ] {
        let to = dir.path().join(folder);
        fs::create_dir_all(&to).unwrap();
        for entry in fs::read_dir(top().join(folder)).unwrap() {
            let from = entry.unwrap().path();
            if from.is_file() {
                fs::copy(&from, to.join(from.file_name().unwrap())).unwrap();
            }
        }
    }
    dir
}

/// The commands in code blocks. Those with `…/` are for another project than this one.
fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    let mut open = false;
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = !inside;
            open = false;
        } else if inside && let Some(command) = line.strip_prefix("$ ") {
            open = command.contains("./labrys") && !command.contains("…/")
                || command.starts_with("cc ")
                || command.starts_with("sed ");
            if open {
                examples.push(Example {
                    line: index + 1,
                    command: command.to_owned(),
                    output: Vec::new(),
                });
            }
        } else if open && let Some(example) = examples.last_mut() {
            example.output.push(line.to_owned());
        }
    }
    examples
}

fn run(command: &str, dir: &Path) -> String {
    // Both streams in the order in which they were written, as in a terminal.
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(dir)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The first line that does not come where it should.
fn first_missing<'a>(expected: &'a [String], printed: &str) -> Option<&'a str> {
    let mut lines = printed
        .lines()
        .map(without_times)
        .filter(|line| !line.is_empty());
    let mut skipping = false;
    for line in expected.iter().filter(|line| !line.is_empty()) {
        if line == "…" {
            skipping = true;
            continue;
        }
        let wanted = without_times(line);
        let found = if skipping {
            lines.any(|it| it == wanted)
        } else {
            lines.next().is_some_and(|it| it == wanted)
        };
        if !found {
            return Some(line);
        }
        skipping = false;
    }
    None
}

/// Numbers before ` s` are times.
fn without_times(line: &str) -> String {
    let words: Vec<&str> = line.trim_end().split(' ').collect();
    let time = |at: usize| {
        let unit = words
            .get(at + 1)
            .is_some_and(|it| it.trim_end_matches([',', ')']) == "s");
        let number = words[at].trim_start_matches('(');
        unit && number.parse::<f64>().is_ok()
    };
    let shown: Vec<&str> = (0..words.len())
        .map(|at| if time(at) { "TIME" } else { words[at] })
        .collect();
    shown.join(" ")
}
