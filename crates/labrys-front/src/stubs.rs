//! Functions that the program refers to but nobody defines: each gets a stub that returns a
//! fresh input at every call.
//!
//! References are renamed to `labrys_stub_NAME`, so that a function of the same name in the C
//! library stays out of it.

use crate::ast::{AstKind, AstNode};
use crate::dialects;
use crate::edits::TextEdits;
use crate::harness::{HarnessCode, HarnessContext, stub_definition};
use crate::program::{ParsedUnit, UnitSymbol, resolve};
use crate::types::{CType, FunctionType, TypeShape};
use crate::{FrontOptions, MissingStub};
use labrys_ledger::protocol::STUB_PREFIX;
use std::collections::BTreeMap;

/// Whether somebody other than the given files defines the function.
fn is_provided(name: &str, options: &FrontOptions) -> bool {
    options.modelled.contains(name)
        || dialects::is_implemented(name)
        || ["__builtin_", "__sync_", "__atomic_", "__c11_atomic_"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
}

/// The stub of a function.
pub(crate) struct StubDefinition {
    /// The function that it stands for.
    pub name: String,
    /// Declared in a system header.
    pub system: bool,
    /// Its definition, to follow the annotated text.
    pub harness: HarnessCode,
    /// Its definition, to follow the original text, where a macro renames all declarations of
    /// the function: they have external linkage, in each file that calls it.
    pub original: String,
}

/// Renames all references to undefined functions in a unit, declares their stubs, and returns
/// the definitions, to be appended to the unit.
pub(crate) fn insert_stubs(
    units: &[ParsedUnit],
    index: usize,
    around: HarnessContext,
    edits: &mut TextEdits,
    stubs: &mut BTreeMap<String, MissingStub>,
) -> Vec<StubDefinition> {
    let unit = &units[index];
    let mut definitions = BTreeMap::new();
    for declaration in &unit.parsed.root.inner {
        let Some((begin, _)) = declaration.span() else {
            continue;
        };
        if unit.place(declaration).system {
            continue;
        }
        let mut forward = Vec::new();
        declaration.walk(&mut |node| {
            let Some(name) = function_named(node) else {
                return;
            };
            if resolve(units, index, name).is_some() || is_provided(name, around.options) {
                return;
            }
            let (Some(symbol), Some(span)) = (unit.functions.get(name), node.span()) else {
                return;
            };
            if symbol.needs_no_definition() {
                return;
            }
            let Some(function) = function_type(unit, symbol) else {
                return;
            };
            let stub = stubs.entry(name.to_owned()).or_insert_with(|| MissingStub {
                name: name.to_owned(),
                declared: symbol.declarations.first().map(|d| unit.file_line(d)),
                calls: Vec::new(),
                prototype: prototype(unit, name, &function),
            });
            let place = unit.file_line(node);
            if !stub.calls.contains(&place) {
                stub.calls.push(place);
            }
            edits.replace(span.0, span.1, &format!("{STUB_PREFIX}{name}"));
            if !definitions.contains_key(name) {
                forward.push(forward_declaration(unit, symbol, name, &function));
                definitions.insert(name, define(around, symbol, name, &function));
            }
        });
        for text in forward {
            edits.before_all(begin, text);
        }
    }
    definitions.into_values().collect()
}

/// The function that an expression names.
fn function_named(node: &AstNode) -> Option<&str> {
    let target = node
        .referenced_decl
        .as_ref()
        .filter(|_| node.kind == AstKind::DeclRefExpr)?;
    (target.kind == AstKind::FunctionDecl)
        .then_some(target.name.as_deref())
        .flatten()
}

fn function_type(unit: &ParsedUnit, symbol: &UnitSymbol) -> Option<FunctionType> {
    let ty = unit.types.of(symbol.node);
    match ty.function() {
        Some(function) if unit.types.is_spellable(&ty) => Some(function.clone()),
        _ => None,
    }
}

fn prototype(unit: &ParsedUnit, name: &str, function: &FunctionType) -> String {
    let ty = CType::from(TypeShape::Function(Box::new(function.clone())));
    unit.types.declare(&ty, name)
}

fn forward_declaration(
    unit: &ParsedUnit,
    symbol: &UnitSymbol,
    name: &str,
    function: &FunctionType,
) -> String {
    let top_level = symbol
        .declarations
        .iter()
        .any(|d| unit.parsed.root.inner.iter().any(|n| n.id == d.id));
    if top_level {
        return format!("static __typeof__({name}) {STUB_PREFIX}{name}; ");
    }
    // Declared inside a function, or not at all: its name means nothing out here.
    let ty = CType::from(TypeShape::Function(Box::new(function.clone())));
    format!(
        "static {}; ",
        unit.types.declare(&ty, &format!("{STUB_PREFIX}{name}"))
    )
}

fn define(
    around: HarnessContext,
    symbol: &UnitSymbol,
    name: &str,
    function: &FunctionType,
) -> StubDefinition {
    let linkage = match symbol.is_static {
        true => "static",
        false => "__attribute__((weak))",
    };
    let noreturn = symbol.declarations.iter().any(|d| {
        let attribute =
            |n: &AstNode| matches!(n.kind, AstKind::NoReturnAttr | AstKind::C11NoReturnAttr);
        d.inner.iter().any(attribute) || d.type_text().contains("noreturn")
    });
    let system = symbol.system;
    let symbol = format!("{STUB_PREFIX}{name}");
    let (mut harness, head) =
        stub_definition(around, function, &symbol, &format!("{name}()"), noreturn);
    harness.text = format!(
        "/* {name} is not defined in the given files. */\n{}",
        harness.text
    );
    let (ours, original) = (format!("static {head}"), format!("{linkage} {head}"));
    StubDefinition {
        name: name.to_owned(),
        system,
        original: harness.text.replacen(&ours, &original, 1),
        harness,
    }
}
