//! Every dependency of a crate is used by it, and every dependency of the workspace by some crate.
//! This is what `cargo machete` looks for, without a tool that has to be installed first.

use crate::tree::{crates, files, read, top};
use std::collections::BTreeSet;
use std::path::Path;

/// A table of dependencies and the folders whose sources may use them.
const TABLES: [(&str, &[&str]); 3] = [
    ("dependencies", &["src", "tests", "benches"]),
    ("dev-dependencies", &["src", "tests", "benches"]),
    ("build-dependencies", &["build.rs"]),
];

#[test]
fn every_dependency_is_used() {
    let mut unused = Vec::new();
    for dir in crates() {
        let manifest: toml::Table = read(&dir.join("Cargo.toml")).parse().unwrap();
        for (table, folders) in TABLES {
            let sources = sources(&dir, folders);
            for name in names(&manifest, table) {
                if !mentions(&sources, &name.replace('-', "_")) {
                    unused.push(format!("{}: {table}: {name}", dir.display()));
                }
            }
        }
    }
    assert!(
        unused.is_empty(),
        "nothing uses these:\n{}",
        unused.join("\n")
    );
}

#[test]
fn every_dependency_of_the_workspace_is_asked_for() {
    let mut asked = BTreeSet::new();
    for dir in crates() {
        let manifest: toml::Table = read(&dir.join("Cargo.toml")).parse().unwrap();
        for (table, _) in TABLES {
            asked.extend(names(&manifest, table));
        }
    }
    let workspace: toml::Table = read(&top().join("Cargo.toml")).parse().unwrap();
    let offered = names(workspace["workspace"].as_table().unwrap(), "dependencies");
    let unused: Vec<&String> = offered.iter().filter(|&it| !asked.contains(it)).collect();
    assert!(unused.is_empty(), "no crate asks for {unused:?}");
}

#[test]
fn one_version_of_rust_is_asked_for() {
    let workspace: toml::Table = read(&top().join("Cargo.toml")).parse().unwrap();
    let version = workspace["workspace"]["package"]["rust-version"]
        .as_str()
        .unwrap();
    let clippy = format!("msrv = \"{version}\"");
    let words = format!("Rust {version} ");
    for (file, wanted) in [
        ("clippy.toml", &clippy),
        ("CONTRIBUTING.md", &words),
        ("scripts/setup.sh", &words),
    ] {
        assert!(
            read(&top().join(file)).contains(wanted.as_str()),
            "{file} does not say {wanted}"
        );
    }
}

fn names(manifest: &toml::Table, table: &str) -> Vec<String> {
    let Some(table) = manifest.get(table) else {
        return Vec::new();
    };
    table.as_table().unwrap().keys().cloned().collect()
}

fn sources(dir: &Path, folders: &[&str]) -> String {
    let mut text = String::new();
    for folder in folders {
        let path = dir.join(folder);
        if path.is_file() {
            text.push_str(&read(&path));
        }
        for file in files(&path, "rs") {
            text.push_str(&read(&file));
        }
    }
    text
}

/// Whether the crate is named in a path, an attribute or a `use`: as a word outside comments.
fn mentions(sources: &str, name: &str) -> bool {
    sources
        .lines()
        .map(str::trim_start)
        .filter(|line| !line.starts_with("//"))
        .any(|line| {
            line.match_indices(name).any(|(at, _)| {
                let word = |c: char| c.is_alphanumeric() || c == '_';
                let before = line[..at].chars().next_back();
                let after = &line[at + name.len()..];
                let ends =
                    after.starts_with("::") || after.starts_with(';') || after.starts_with(' ');
                !before.is_some_and(word) && ends
            })
        })
}
