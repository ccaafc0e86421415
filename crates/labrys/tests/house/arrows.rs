//! The arrows between the crates: each may use only those that are listed here for it.

use crate::tree::{crates, read};
use std::collections::BTreeSet;

/// Every crate of the workspace with the crates of the workspace that it may use. They are in
/// layers: a crate uses only crates above its own line.
const ARROWS: &[(&str, &[&str])] = &[
    ("labrys-budget", &[]),
    ("labrys-expr", &[]),
    ("labrys-ir", &[]),
    ("labrys-ledger", &[]),
    ("labrys-solver", &["labrys-budget", "labrys-expr"]),
    ("labrys-lift", &["labrys-ir"]),
    ("labrys-front", &["labrys-budget", "labrys-ledger"]),
    ("labrys-suite", &["labrys-budget", "labrys-ledger"]),
    ("labrys-build", &["labrys-front"]),
    (
        "labrys-prove",
        &["labrys-budget", "labrys-ir", "labrys-ledger"],
    ),
    ("labrys-mutate", &["labrys-ledger", "labrys-suite"]),
    (
        "labrys-engine",
        &[
            "labrys-budget",
            "labrys-expr",
            "labrys-ir",
            "labrys-ledger",
            "labrys-solver",
        ],
    ),
    ("labrys-show", &[]),
    (
        "labrys-driver",
        &[
            "labrys-budget",
            "labrys-build",
            "labrys-engine",
            "labrys-front",
            "labrys-ir",
            "labrys-ledger",
            "labrys-lift",
            "labrys-mutate",
            "labrys-prove",
            "labrys-solver",
            "labrys-suite",
        ],
    ),
    (
        "labrys",
        &[
            "labrys-budget",
            "labrys-build",
            "labrys-driver",
            "labrys-engine",
            "labrys-front",
            "labrys-ledger",
            "labrys-mutate",
            "labrys-show",
            "labrys-suite",
        ],
    ),
    (
        "labrys-fuzz",
        &[
            "labrys-build",
            "labrys-driver",
            "labrys-expr",
            "labrys-front",
            "labrys-ir",
            "labrys-ledger",
            "labrys-lift",
            "labrys-solver",
            "labrys-suite",
        ],
    ),
    (
        "labrys-bench",
        &[
            "labrys-budget",
            "labrys-build",
            "labrys-driver",
            "labrys-engine",
            "labrys-expr",
            "labrys-front",
            "labrys-fuzz",
            "labrys-ir",
            "labrys-ledger",
            "labrys-lift",
            "labrys-mutate",
            "labrys-show",
            "labrys-solver",
            "labrys-suite",
        ],
    ),
];

/// The crates of the workspace among the dependencies of a manifest. What only tests need is left
/// out.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let manifest: toml::Table = manifest.parse().unwrap();
    let tables = ["dependencies", "build-dependencies"];
    let tables = tables.iter().filter_map(|table| manifest.get(*table));
    let names = tables.flat_map(|table| table.as_table().unwrap().keys());
    names
        .filter(|it| it.starts_with("labrys"))
        .cloned()
        .collect()
}

#[test]
fn crates_use_only_what_is_listed_for_them() {
    for dir in crates() {
        let name = dir.file_name().unwrap().to_str().unwrap();
        let allowed = ARROWS.iter().find(|(listed, _)| *listed == name);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("{name} is not in ARROWS"));
        for used in dependencies(&read(&dir.join("Cargo.toml"))) {
            assert!(
                allowed.contains(&used.as_str()),
                "{name} uses {used}, which ARROWS does not allow"
            );
        }
    }
}

#[test]
fn arrows_lead_only_to_earlier_lines() {
    let mut before = BTreeSet::new();
    for (name, used) in ARROWS {
        assert!(used.iter().all(|u| before.contains(u)), "{name}");
        before.insert(*name);
    }
}

#[test]
fn dependencies_are_read_from_their_sections() {
    let manifest = "[package]\nname = \"labrys-x\"\n[dependencies]\nlabrys-a = { workspace = true }\n\
                    labrys-b.workspace = true\nserde = \"1\"\n[dev-dependencies]\nlabrys-c = {}\n";
    let expected = ["labrys-a", "labrys-b"].map(str::to_owned);
    assert_eq!(dependencies(manifest), BTreeSet::from(expected));
}
