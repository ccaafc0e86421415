//! The Rust files of the workspace, parsed. The tests of the tree's structure start from
//! [`sources`]; `#[cfg(test)]` modules in files of their own are marked as tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use syn::{Attribute, File, Item, Meta};

/// A parsed Rust file.
pub struct SourceFile {
    /// Relative to the top of the workspace, with `/`.
    pub path: String,
    pub text: String,
    pub syntax: File,
    /// The file is a module that exists only in test builds.
    pub test_only: bool,
}

/// The directory that holds `crates/`.
pub fn workspace() -> PathBuf {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    top.canonicalize().unwrap()
}

/// All `crates/*/src/**/*.rs`, sorted by path.
pub fn sources() -> Vec<SourceFile> {
    let top = workspace();
    let mut paths = Vec::new();
    for krate in entries(&top.join("crates")) {
        collect(&krate.join("src"), &mut paths);
    }
    let mut test_files = BTreeSet::new();
    let mut files = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let syntax = syn::parse_file(&text)
            .unwrap_or_else(|error| panic!("{} does not parse: {error}", path.display()));
        note_test_modules(&path, &syntax, &mut test_files);
        files.push((path, text, syntax));
    }
    let is_test = |path: &Path| test_files.iter().any(|start| path.starts_with(start));
    files
        .into_iter()
        .map(|(path, text, syntax)| SourceFile {
            test_only: is_test(&path) || is_test(&path.with_extension("")),
            path: path
                .strip_prefix(&top)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned(),
            text,
            syntax,
        })
        .collect()
}

/// Whether attributes say `#[cfg(test)]`.
pub fn is_test_only(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

/// Adds the modules that `#[cfg(test)] mod name;` declares, as paths without `.rs`.
fn note_test_modules(path: &Path, syntax: &File, found: &mut BTreeSet<PathBuf>) {
    let stem = path.file_stem().unwrap().to_str().unwrap();
    let folder = match stem {
        "lib" | "main" | "mod" => path.parent().unwrap().to_owned(),
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

fn entries(folder: &Path) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = all.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}
