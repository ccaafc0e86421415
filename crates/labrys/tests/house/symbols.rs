//! A type or function that a design note names exists: `Report::is_proof`, `labrys_touch`, `PathEnd`.

use crate::documents::{Document, documents};
use crate::tree::{files, read, top};
use std::collections::BTreeSet;
use std::path::Path;

/// Names of other programs and languages that look like ours.
const FOREIGN: [&str; 3] = ["CMake", "BatSat", "CaDiCaL"];

#[test]
fn every_name_in_a_note_exists() {
    let words = words();
    let mut gone = Vec::new();
    for document in documents().iter().filter(|it| speaks_of_code(it)) {
        for code in document.code().iter().filter(|code| !code.block) {
            if let Some(name) = name(&code.text)
                && !FOREIGN.contains(&name)
                && !words.contains(name)
            {
                gone.push(format!("{}: {}", document.place(code.line), code.text));
            }
        }
    }
    assert!(
        gone.is_empty(),
        "no source has these names:\n{}",
        gone.join("\n")
    );
}

fn speaks_of_code(document: &Document) -> bool {
    document.is_design_note() || document.path == Path::new("ARCHITECTURE.md")
}

/// The last part of a path of Rust, a function of the runtime or a type.
fn name(span: &str) -> Option<&str> {
    let span = span.trim_end_matches("()");
    let last = span.rsplit("::").next()?;
    let identifier = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if !span.split("::").all(identifier) {
        return None;
    }
    let is_type = last.starts_with(|c: char| c.is_ascii_uppercase())
        && last.contains(|c: char| c.is_ascii_lowercase());
    let ours = span.contains("::") || last.starts_with("labrys_") || is_type;
    ours.then_some(last)
}

/// Every word of the sources.
fn words() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for (folder, extension) in [("crates", "rs"), ("runtime", "c"), ("runtime", "h")] {
        for file in files(&top().join(folder), extension) {
            let text = read(&file);
            words.extend(
                text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                    .filter(|word| !word.is_empty())
                    .map(str::to_owned),
            );
        }
    }
    words
}
