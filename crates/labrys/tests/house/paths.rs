//! What a document says about files is true: a file that it names exists, and so does what a link
//! leads to.

use crate::documents::{Document, documents};
use crate::tree::{files, read, top};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Endings of files that only this tree can mean. Names of C files are often examples of what a
/// user has; only design notes and the map mean ours by a bare name.
const OURS: [&str; 4] = [".rs", ".py", ".lir", ".md"];
const OURS_IN_NOTES: [&str; 3] = [".c", ".h", ".sh"];

/// What a run writes or a user has, which no file of the tree needs to be.
const EXAMPLES: [&str; 7] = [
    "program.c",
    "tests.c",
    "tests.sh",
    "docs/x.c",
    "src/x.c",
    "FILE.c",
    "DESIGN.md",
];

/// Where runs write what they found, unless they are told otherwise: it may be there or not.
const RESULTS: &str = "labrys-out";

#[test]
fn every_file_in_a_document_exists() {
    let tree = tree();
    let mut gone = Vec::new();
    for document in documents() {
        for code in document.code().iter().filter(|code| !code.block) {
            if let Some(name) = file_name(&code.text, &document)
                && !exists(&name, &tree)
            {
                gone.push(format!("{}: {name}", document.place(code.line)));
            }
        }
    }
    assert!(
        gone.is_empty(),
        "these files are gone:\n{}",
        gone.join("\n")
    );
}

#[test]
fn every_link_leads_somewhere() {
    let mut broken = Vec::new();
    for document in documents() {
        for (index, line) in document.text.lines().enumerate() {
            for target in links(line) {
                if !leads_somewhere(&document, target) {
                    broken.push(format!("{}: {target}", document.place(index + 1)));
                }
            }
        }
    }
    assert!(
        broken.is_empty(),
        "these links lead nowhere:\n{}",
        broken.join("\n")
    );
}

#[test]
fn every_document_in_a_source_exists() {
    let mut gone = Vec::new();
    for folder in ["crates", "runtime", "scripts", "tests"] {
        for extension in ["rs", "c", "h", "sh", "py", "txt"] {
            for file in files(&top().join(folder), extension) {
                let text = read(&file);
                for name in documents_in(&text) {
                    if !top().join(name).exists() {
                        gone.push(format!("{}: {name}", file.display()));
                    }
                }
            }
        }
    }
    assert!(
        gone.is_empty(),
        "these documents are gone:\n{}",
        gone.join("\n")
    );
}

/// What looks like `docs/….md`.
fn documents_in(text: &str) -> Vec<&str> {
    let part = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    text.match_indices("docs/")
        .map(|(at, _)| {
            let rest = &text[at..];
            &rest[..rest.find(|c| !part(c)).unwrap_or(rest.len())]
        })
        .filter(|name| name.ends_with(".md"))
        .collect()
}

/// The files that belong to the tree, and their folders, from its top.
fn tree() -> BTreeSet<String> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(top())
        .output();
    let files: Vec<String> = match listed {
        Ok(output) if output.status.success() => String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(str::to_owned)
            .collect(),
        // An unpacked archive: everything that is there.
        _ => crate::tree::all_files(&top()),
    };
    let mut tree = BTreeSet::new();
    for file in files.iter().filter(|file| top().join(file).exists()) {
        for part in Path::new(file).ancestors() {
            tree.insert(part.display().to_string());
        }
    }
    tree
}

/// The file that a span names, if it names one of ours.
fn file_name(span: &str, document: &Document) -> Option<String> {
    let name = span.split(':').next().unwrap_or_default();
    if name.is_empty() || name.contains(char::is_whitespace) || EXAMPLES.contains(&name) {
        return None;
    }
    let first = name.split('/').next().unwrap_or_default();
    let from_top = name.contains('/')
        && !first.is_empty()
        && first != "."
        && first != RESULTS
        && (top().join(first).is_dir() || top().join("crates").join(first).is_dir());
    let ends = |endings: &[&str]| {
        endings
            .iter()
            .any(|ending| name.ends_with(ending) && name != *ending)
    };
    let means_ours = document.is_design_note() || document.path == Path::new("ARCHITECTURE.md");
    let plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "/._-*".contains(c));
    let named = plain && (ends(&OURS) || (means_ours && ends(&OURS_IN_NOTES)));
    let placeholder = name
        .split('/')
        .any(|part| part.starts_with("x.") || part == "X");
    ((from_top && plain) || (named && !placeholder)).then(|| name.to_owned())
}

/// Whether a file or folder of the tree is meant: by its whole path, or by the end of one.
fn exists(name: &str, tree: &BTreeSet<String>) -> bool {
    let name = name.trim_end_matches('/').trim_start_matches("./");
    tree.iter().any(|file| {
        file == name
            || matches(name, file)
            || file
                .strip_suffix(name)
                .is_some_and(|before| before.ends_with('/'))
    })
}

/// A name with `*` for anything inside a name and `**` for folders.
fn matches(pattern: &str, file: &str) -> bool {
    if !pattern.contains('*') {
        return false;
    }
    if let Some(folder) = pattern.strip_suffix("/**") {
        return file.starts_with(folder);
    }
    let mut parts = pattern.split('*');
    let Some(mut rest) = file.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

/// What stands in `](…)` and belongs to the tree.
fn links(line: &str) -> Vec<&str> {
    line.match_indices("](")
        .filter_map(|(at, open)| line[at + open.len()..].split(')').next())
        .filter(|target| !target.contains("://"))
        .collect()
}

fn leads_somewhere(document: &Document, target: &str) -> bool {
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let path: PathBuf = if file.is_empty() {
        top().join(&document.path)
    } else {
        top().join(document.path.parent().unwrap()).join(file)
    };
    if heading.is_empty() {
        return path.exists();
    }
    std::fs::read_to_string(path).is_ok_and(|text| {
        text.lines()
            .filter(|line| line.starts_with('#'))
            .any(|line| slug(line) == heading)
    })
}

/// The anchor that a heading gets.
fn slug(heading: &str) -> String {
    heading
        .trim_start_matches('#')
        .trim()
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-')
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}
