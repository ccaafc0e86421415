//! Mutants in the format of mutation-testing-elements, the report schema of Stryker and others:
//! <https://github.com/stryker-mutator/mutation-testing-elements>, version 2 of the schema.

use super::mutants::{MutantRecord, MutantsFile, RecordedChange};
use super::source_text::SourceTexts;
use crate::failure::{Failure, Outcome};
use labrys_mutate::MutantFate;
use serde::Serialize;
use std::collections::BTreeMap;

/// The object of the schema. Names are those of the schema.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MutationElements {
    schema_version: &'static str,
    thresholds: Thresholds,
    framework: Framework,
    files: BTreeMap<String, FileResult>,
    test_files: BTreeMap<&'static str, MutationTestFile>,
}

/// Percentages from which viewers show a score as good, and as not bad.
#[derive(Debug, Serialize)]
struct Thresholds {
    high: u8,
    low: u8,
}

#[derive(Debug, Serialize)]
struct Framework {
    name: &'static str,
    version: &'static str,
}

#[derive(Debug, Default, Serialize)]
struct FileResult {
    language: &'static str,
    source: String,
    mutants: Vec<MutantResult>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MutantResult {
    id: String,
    mutator_name: String,
    description: String,
    location: MutantLocation,
    replacement: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason: Option<String>,
    killed_by: Vec<String>,
    tests_completed: u32,
}

/// The end is behind the last character.
#[derive(Debug, Serialize)]
struct MutantLocation {
    start: Position,
    end: Position,
}

/// Both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Position {
    line: u32,
    column: u32,
}

#[derive(Debug, Serialize)]
struct MutationTestFile {
    tests: Vec<TestDefinition>,
}

#[derive(Debug, Serialize)]
struct TestDefinition {
    id: String,
    name: String,
}

/// The name under which the tests of a suite stand.
const SUITE: &str = "suite.json";

impl MutationElements {
    /// The files of the program are read again: viewers show mutants in them.
    pub fn of(mutants: &MutantsFile) -> Outcome<Self> {
        let texts = SourceTexts::read(mutants);
        let mut files: BTreeMap<String, FileResult> = BTreeMap::new();
        for mutant in &mutants.mutants {
            let Some(text) = texts.text(&mutant.file) else {
                return Err(Failure::usage(format_args!(
                    "{} has changed or is gone since its mutants were run; run labrys mutate again",
                    mutant.file
                )));
            };
            let file = files
                .entry(mutant.file.clone())
                .or_insert_with(|| FileResult {
                    language: "c",
                    source: text.to_owned(),
                    mutants: Vec::new(),
                });
            file.mutants.push(result(mutant, &texts, text));
        }
        let tests = mutants.tests.iter().map(|test| TestDefinition {
            id: test.name.clone(),
            name: test.name.clone(),
        });
        let suite = MutationTestFile {
            tests: tests.collect(),
        };
        Ok(MutationElements {
            schema_version: "2",
            thresholds: Thresholds { high: 80, low: 60 },
            framework: Framework {
                name: "Labrys",
                version: env!("CARGO_PKG_VERSION"),
            },
            files,
            test_files: BTreeMap::from([(SUITE, suite)]),
        })
    }
}

fn result(mutant: &MutantRecord, texts: &SourceTexts, text: &str) -> MutantResult {
    let start = Position {
        line: mutant.line.max(1),
        column: mutant.column.max(1),
    };
    // Where the text is not found, in a macro, at least its first character is marked.
    let changes = mutant.changes();
    let location = match texts.span(&changes[0]) {
        Some(span) => MutantLocation {
            start: position(text, span.start),
            end: position(text, span.end),
        },
        None => MutantLocation {
            start,
            end: Position {
                column: start.column.saturating_add(1),
                ..start
            },
        },
    };
    let (status, status_reason) = status(mutant);
    MutantResult {
        id: mutant.id.clone(),
        mutator_name: joined(&changes, "+", |change| change.operator.to_owned()),
        description: joined(&changes, "; ", |change| {
            format!("{} → {}", change.original, change.replacement)
        }),
        location,
        replacement: mutant.replacement.clone(),
        status,
        status_reason,
        killed_by: mutant.killed_by.clone(),
        tests_completed: mutant.runs,
    }
}

/// What is said of all changes of a mutant. The schema has one place for a mutant, that of the first.
fn joined(
    changes: &[RecordedChange<'_>],
    between: &str,
    text: impl Fn(&RecordedChange<'_>) -> String,
) -> String {
    let texts: Vec<String> = changes.iter().map(text).collect();
    texts.join(between)
}

/// The status in the words of the schema, with the reason.
fn status(mutant: &MutantRecord) -> (&'static str, Option<String>) {
    let reason = mutant.reason.as_ref().map(ToString::to_string);
    let same_as = mutant.proof.as_ref().and_then(|p| p.same_as.as_ref());
    match mutant.status {
        MutantFate::Killed => ("Killed", mutant.how.clone()),
        // A crash is a kill; RuntimeError would be one of the tool.
        MutantFate::Crashed => ("Killed", mutant.how.clone()),
        MutantFate::Timeout => ("Timeout", mutant.how.clone()),
        MutantFate::Survived => ("Survived", reason),
        MutantFate::NoCoverage => ("NoCoverage", reason),
        MutantFate::Equivalent => ("Ignored", Some("proved equivalent".to_owned())),
        MutantFate::Duplicate => {
            let other = same_as.map_or("another mutant", String::as_str);
            ("Ignored", Some(format!("duplicate of {other}")))
        }
    }
}

/// Line and column of a byte; columns count as viewers in JavaScript do.
fn position(text: &str, offset: usize) -> Position {
    let before = &text[..offset];
    let line = before.matches('\n').count() as u32 + 1;
    let begin = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[begin..].encode_utf16().count() as u32 + 1;
    Position { line, column }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_those_of_viewers() {
        let text = "a\n\"ä𝄞\" x";
        let place = |offset| position(text, offset);
        assert_eq!(place(0), Position { line: 1, column: 1 });
        assert_eq!(
            place(text.len() - 1),
            Position { line: 2, column: 7 },
            "two for the clef"
        );
    }
}
