//! Functions of the program that have the name of a library function. Compilers take such a call for
//! one of the library's and compute it themselves, the models of the library call each other by these
//! names, and so does the runtime of the native replay. So the program's own functions get names of
//! their own in the annotated text; what a program can see of its names stays as it was.

use crate::FrontOptions;
use crate::ast::{AstKind, AstNode};
use crate::edits::TextEdits;
use crate::program::ParsedUnit;
use labrys_ledger::protocol::OWN_PREFIX;
use std::collections::BTreeSet;

/// The library functions that some unit defines itself, for all to see.
pub(crate) fn of<'a>(units: &'a [ParsedUnit], options: &FrontOptions) -> BTreeSet<&'a str> {
    let functions = units.iter().flat_map(|unit| &unit.functions);
    functions
        .filter(|(name, symbol)| {
            let is_own = symbol.defined && !symbol.is_static && !symbol.system;
            is_own && options.library.contains(**name)
        })
        .map(|(name, _)| *name)
        .collect()
}

/// The macros that rename them, for the head of every unit.
pub(crate) fn definitions(own: &BTreeSet<&str>) -> String {
    own.iter()
        .map(|name| format!("#define {name} {OWN_PREFIX}{name}\n"))
        .collect()
}

/// `__func__` and its kin in functions that have another name in the annotated text.
pub(crate) fn keep_shown_names(unit: &ParsedUnit, own: &BTreeSet<&str>, edits: &mut TextEdits) {
    for (name, symbol) in &unit.functions {
        if *name != "main" && !own.contains(name) {
            continue;
        }
        symbol.node.walk(&mut |node: &AstNode| {
            if let (AstKind::PredefinedExpr, Some((begin, end))) = (&node.kind, node.span()) {
                edits.replace(begin, end, &format!("\"{name}\""));
            }
        });
    }
}
