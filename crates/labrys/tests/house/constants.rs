//! A number in a document is that of the source. A document says `NAME = 2` or `NAME`, followed by
//! the file in backticks; this test looks whether the file defines such a constant, with that value.
//! `name = 2` is the default of an option: a field that is set so in the file.

use crate::documents::{Document, documents};
use crate::tree::{all_files, read, top};

/// A constant as a document quotes it.
struct Quote<'a> {
    name: &'a str,
    value: Option<&'a str>,
    file: &'a str,
}

#[test]
fn every_quoted_constant_has_its_value() {
    let files = all_files(&top());
    let mut wrong = Vec::new();
    let mut quotes = 0;
    for document in documents() {
        for (place, quote) in quotes_of(&document) {
            quotes += 1;
            if let Err(message) = check(&quote, &files) {
                wrong.push(format!("{place}: {message}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(quotes > 10, "the quotes are found");
}

#[test]
fn a_constant_in_a_note_says_where_it_is() {
    let mut bare = Vec::new();
    for document in documents().iter().filter(|it| it.is_design_note()) {
        let quoted: Vec<String> = quotes_of(document)
            .map(|(place, quote)| format!("{place} {}", quote.name))
            .collect();
        for code in document.code().iter().filter(|code| !code.block) {
            let name = code.text.split(" = ").next().unwrap_or_default();
            let key = format!("{} {name}", document.place(code.line));
            let foreign = ["LABRYS_", "CLONE_", "GLIBC_"]
                .iter()
                .any(|start| name.starts_with(start));
            if is_constant(name) && name.contains('_') && !foreign && !quoted.contains(&key) {
                bare.push(key);
            }
        }
    }
    assert!(
        bare.is_empty(),
        "say in which file these are:\n{}",
        bare.join("\n")
    );
}

/// `NAME` or `NAME = value`, then ` in `, ` (` or `, `, then the file.
fn quotes_of(document: &Document) -> impl Iterator<Item = (String, Quote<'_>)> {
    document.text.lines().enumerate().flat_map(|(index, line)| {
        let parts: Vec<&str> = line.split('`').collect();
        let place = document.place(index + 1);
        let mut found = Vec::new();
        // Odd parts are code, even ones the text around it.
        for at in (1..parts.len()).step_by(2) {
            let [Some(code), Some(between), Some(file)] =
                [at, at + 1, at + 2].map(|i| parts.get(i).copied())
            else {
                continue;
            };
            let (name, value) = match code.split_once(" = ") {
                Some((name, value)) => (name, Some(value)),
                None => (code, None),
            };
            let names_file = file.ends_with(".rs") || file.ends_with(".c") || file.ends_with(".h");
            let quoted = is_constant(name) || (value.is_some() && is_field(name));
            if quoted && [" in ", " (", ", "].contains(&between) && names_file {
                found.push((place.clone(), Quote { name, value, file }));
            }
        }
        found
    })
}

fn is_constant(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.len() > 2
        && name
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

fn is_field(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

fn check(quote: &Quote<'_>, files: &[String]) -> Result<(), String> {
    let Quote { name, value, file } = quote;
    let meant: Vec<&String> = files
        .iter()
        .filter(|it| *it == file || it.ends_with(&format!("/{file}")))
        .collect();
    let defined: Vec<String> = meant
        .iter()
        .filter_map(|path| definition(&read(&top().join(path)), name))
        .collect();
    match (defined.as_slice(), value) {
        ([], _) => Err(format!("{file} does not define {name}")),
        (_, None) => Ok(()),
        (found, Some(value)) if found.iter().any(|it| plain(it) == plain(value)) => Ok(()),
        (found, Some(value)) => Err(format!(
            "{name} is {} in {file}, not {value}",
            found.join(" or ")
        )),
    }
}

/// What a constant of Rust or C is defined as, or what a field is set to.
fn definition(source: &str, name: &str) -> Option<String> {
    let flat = source.replace('\n', " ");
    for start in [format!("const {name}:"), format!("static {name}:")] {
        if let Some(at) = flat.find(&start) {
            let value = flat[at..].split_once('=')?.1;
            return Some(value.split(';').next()?.trim().to_owned());
        }
    }
    source.lines().find_map(|line| {
        let line = line.trim_start().trim_start_matches("enum { ");
        let value = line
            .strip_prefix(&format!("#define {name} "))
            .or_else(|| line.strip_prefix(&format!("{name} = ")))
            .or_else(|| line.strip_prefix(&format!("{name}: ")))?;
        let value = value.split("/*").next()?.split(['}', ';']).next()?;
        Some(value.trim().trim_end_matches(',').to_owned())
    })
}

/// Without what only groups digits or names a type.
fn plain(value: &str) -> String {
    value
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '_' && *c != ',')
        .collect()
}
