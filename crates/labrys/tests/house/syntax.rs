//! The Rust files of the workspace, parsed. Tests about the code start from [`sources`];
//! `#[cfg(test)]` modules in files of their own are marked as tests.

use crate::tree::{crates, files, read, top};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use syn::{Attribute, File, Item, Meta};

/// A parsed Rust file.
pub(crate) struct ParsedFile {
    /// Relative to the top of the tree.
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) syntax: File,
    /// The file is a module that exists only in test builds.
    pub(crate) test_only: bool,
}

/// All `crates/*/src/**/*.rs`.
pub(crate) fn sources() -> Vec<ParsedFile> {
    let top = top();
    let mut test_modules = BTreeSet::new();
    let mut parsed = Vec::new();
    for path in crates().iter().flat_map(|c| files(&c.join("src"), "rs")) {
        let text = read(&path);
        let syntax = syn::parse_file(&text)
            .unwrap_or_else(|error| panic!("{} does not parse: {error}", path.display()));
        note_test_modules(&path, &syntax, &mut test_modules);
        parsed.push((path, text, syntax));
    }
    let is_test = |path: &Path| test_modules.iter().any(|start| path.starts_with(start));
    parsed
        .into_iter()
        .map(|(path, text, syntax)| ParsedFile {
            test_only: is_test(&path) || is_test(&path.with_extension("")),
            path: path.strip_prefix(&top).unwrap().display().to_string(),
            text,
            syntax,
        })
        .collect()
}

/// Whether attributes say `#[cfg(test)]`.
pub(crate) fn is_test_only(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

/// Adds the modules that `#[cfg(test)] mod name;` declares, as paths without `.rs`.
fn note_test_modules(path: &Path, syntax: &File, found: &mut BTreeSet<PathBuf>) {
    let folder = match path.file_stem().and_then(|stem| stem.to_str()) {
        Some("lib" | "main" | "mod") => path.parent().unwrap().to_owned(),
        _ => path.with_extension(""),
    };
    for item in &syntax.items {
        if let Item::Mod(module) = item
            && module.content.is_none()
            && is_test_only(&module.attrs)
        {
            found.insert(folder.join(module.ident.to_string()));
        }
    }
}
