//! The readers of this crate that take what others have written, for those who damage it
//! (`crates/labrys-fuzz`). Each says whether it has accepted the input.

use crate::ast;
use crate::clang::{ParsedSource, readable};
use crate::labelled::with_includes;
use crate::lexer;
use crate::program::ParsedUnit;
use crate::remove_labels::without_labels;
use crate::types::TypeTable;
use std::collections::BTreeSet;

/// Clang's syntax tree, with the types and symbols that are collected from it.
pub fn syntax_tree(json: &[u8]) -> bool {
    let Ok(root) = ast::parse(json) else {
        return false;
    };
    let parsed = ParsedSource {
        path: "x.c".into(),
        bytes: Vec::new(),
        source: readable(b"# 1 \"x.c\"\nint x;\n"),
        root,
    };
    ParsedUnit::new(&parsed);
    true
}

/// The spelling of a type, as clang prints it.
pub fn type_name(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    TypeTable::default().parse_name(&text).is_some()
}

/// Preprocessed text with line markers: its tokens, the places of all its bytes, the text without
/// what the headers of the system became.
pub fn preprocessed_text(bytes: &[u8]) -> bool {
    let source = readable(bytes);
    for token in lexer::tokens(&source.text) {
        let offset = token.offset as u32;
        let _ = (source.place(offset), source.line_around(offset));
        let _ = source.last_original_line(offset);
    }
    !with_includes(&source.text).is_empty()
}

/// Labels in C text, of which all are taken out but the one with the number 1.
pub fn labels(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    without_labels(&text, &BTreeSet::from([1])).len() < text.len()
}
