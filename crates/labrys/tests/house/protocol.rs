//! The functions that annotated programs call, by name: those of `runtime/labrys.h` are implemented
//! for native runs and known to the engine, and nobody knows a function that is not declared.

use crate::tree::{files, read, top};
use std::collections::BTreeSet;
use std::path::Path;

/// The functions that the engine executes itself, and the input functions by type among them.
const BUILTINS: &str = "crates/labrys-engine/src/program/builtins.rs";
const SCALARS: &str = "crates/labrys-engine/src/inputs/scalar.rs";

/// Declared for drivers of LTest only, which the front end replaces.
const REPLACED: [&str; 1] = ["pc_label"];

/// Defined in C for the engine and native runs alike, and where.
const SHARED: [(&str, &str); 1] = [("labrys_name_input", "dialects.c")];

fn is_shared(name: &str) -> bool {
    SHARED.iter().any(|(shared, file)| {
        let text = read(&top().join("runtime").join(file));
        *shared == name && text.contains(&format!("\nvoid {name}("))
    })
}

/// The part of `labrys.h` for native runs only.
const NATIVE_ONLY: [&str; 3] = ["labrys_label_enter", "labrys_come", "labrys_try"];

#[test]
fn every_function_of_the_header_has_a_native_definition() {
    let runtime = top().join("runtime");
    let native: String = ["replay.c", "inputs.c", "world.c", "mutants.c"]
        .iter()
        .map(|name| read(&runtime.join(name)))
        .collect();
    for name in declared(&runtime.join("labrys.h")) {
        // `labrys_int` and its like are made by a macro: SCALAR(int, labrys_int, INTEGER).
        let made = native.contains(&format!(", {name},"));
        assert!(
            made || native.contains(&format!("{name}(")) || is_shared(&name),
            "{name} of runtime/labrys.h is not implemented for native runs"
        );
    }
}

#[test]
fn every_function_of_the_headers_is_known_to_the_engine() {
    let runtime = top().join("runtime");
    let builtins = read(&top().join(BUILTINS)) + &read(&top().join(SCALARS));
    let models: String = files(&runtime.join("libc"), "c")
        .iter()
        .map(|path| read(path))
        .collect();
    let mut names = declared(&runtime.join("labrys.h"));
    names.extend(declared(&runtime.join("libc/engine.h")));
    for name in names
        .iter()
        .filter(|name| !NATIVE_ONLY.contains(&name.as_str()))
    {
        let short = name.trim_start_matches("labrys_");
        let known = builtins.contains(&format!("\"{short}\""));
        let modelled = models.contains(&format!("{name}("));
        assert!(
            known || modelled || is_shared(name),
            "the engine does not know {name}"
        );
    }
}

#[test]
fn the_analysis_and_the_engine_know_declared_functions_only() {
    let runtime = top().join("runtime");
    let mut names = declared(&runtime.join("labrys.h"));
    for header in files(&runtime.join("libc"), "h") {
        names.extend(declared(&header));
    }
    let library = read(&top().join("crates/labrys-prove/src/call_effects.rs"));
    for name in quoted(&library).filter(|text| text.starts_with("labrys_")) {
        assert!(
            names.contains(name),
            "labrys-prove knows {name}, which nothing declares"
        );
    }
    let builtins = read(&top().join(BUILTINS));
    let (_, table) = builtins.split_once("fn by_name").unwrap();
    for line in table.lines().filter(|line| line.contains("=> Builtin::")) {
        let name = format!("labrys_{}", quoted(line).next().unwrap());
        assert!(
            names.contains(&name),
            "the engine knows {name}, which nothing declares"
        );
    }
}

/// The functions whose names begin with `labrys_` that a header declares.
fn declared(header: &Path) -> BTreeSet<String> {
    let text = read(header);
    let lines = text
        .lines()
        .filter(|line| !line.starts_with([' ', '/', '#']));
    let calls = lines.filter_map(|line| line.split_once('('));
    let names = calls.filter_map(|(before, _)| before.rsplit([' ', '*']).next());
    names
        .filter(|name| name.starts_with("labrys_") && !REPLACED.contains(name))
        .map(str::to_owned)
        .collect()
}

/// The texts between double quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}
