//! The table of crates in ARCHITECTURE.md has every crate, and what it says of their dependencies is
//! what their manifests say.

use crate::tree::{crates, read, top};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn the_table_of_crates_is_that_of_the_workspace() {
    let rows = rows();
    let mut there = BTreeSet::new();
    for dir in crates() {
        let name = dir.file_name().unwrap().to_str().unwrap().to_owned();
        let uses = rows
            .get(&name)
            .unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for {name}"));
        let manifest: toml::Table = read(&dir.join("Cargo.toml")).parse().unwrap();
        let table = manifest.get("dependencies").and_then(|it| it.as_table());
        let real: BTreeSet<String> = table
            .into_iter()
            .flat_map(|it| it.keys())
            .filter_map(|key| key.strip_prefix("labrys-"))
            .map(str::to_owned)
            .collect();
        if let Some(uses) = uses {
            assert!(*uses == real, "{name} uses {real:?}, not {uses:?}");
        }
        there.insert(name);
    }
    let gone: Vec<&String> = rows.keys().filter(|name| !there.contains(*name)).collect();
    assert!(gone.is_empty(), "ARCHITECTURE.md lists {gone:?}");
}

/// From a crate to the crates that its row lists; none where the row says it in words.
fn rows() -> BTreeMap<String, Option<BTreeSet<String>>> {
    let text = read(&top().join("ARCHITECTURE.md"));
    let section = text.split("## The way of the data").next().unwrap();
    section
        .lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.strip_prefix("| `")?.split('|').collect();
            let name = cells.first()?.trim().trim_end_matches('`');
            let uses = cells.get(2)?.trim();
            let listed = uses
                .split(", ")
                .filter(|word| !word.is_empty())
                .map(|word| Some(word.strip_prefix('`')?.strip_suffix('`')?.to_owned()))
                .collect::<Option<BTreeSet<String>>>();
            Some((name.to_owned(), listed))
        })
        .collect()
}
