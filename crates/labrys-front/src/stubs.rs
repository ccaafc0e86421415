//! Functions that the program refers to but nobody defines: each gets a stub, whose results and
//! whose effects are inputs.
//!
//! References are renamed to `labrys_stub_NAME`, so that a function of the same name in the C
//! library stays out of it.

use crate::ast::{AstKind, AstNode};
use crate::consteval;
use crate::dialects;
use crate::edits::TextEdits;
use crate::harness::{
    HarnessCode, HarnessContext, StubFacts, StubSurroundings, StubbedFunction, stub_definition,
};
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
    context: HarnessContext,
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
            if resolve(units, index, name).is_some() || is_provided(name, context.options) {
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
                let facts = facts(unit, symbol, name, &function);
                definitions.insert(name, define(context, symbol, name, &function, facts));
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

/// What the declarations of a function say, and how it is called.
fn facts(unit: &ParsedUnit, symbol: &UnitSymbol, name: &str, function: &FunctionType) -> StubFacts {
    let has = |kinds: &[AstKind]| {
        let mut attributes = symbol.declarations.iter().flat_map(|d| &d.inner);
        attributes.any(|n| kinds.contains(&n.kind))
    };
    let mut declarations = symbol.declarations.iter();
    StubFacts {
        noreturn: has(&[AstKind::NoReturnAttr, AstKind::C11NoReturnAttr])
            || declarations.any(|d| d.type_text().contains("noreturn")),
        pure: has(&[AstKind::PureAttr, AstKind::ConstAttr]),
        nonnull: has(&[AstKind::ReturnsNonNullAttr]),
        fresh: has(&[AstKind::RestrictAttr]),
        unnamed_arguments: !function.prototype && is_called_with_arguments(unit, name),
    }
}

/// Does a call give arguments to the function?
fn is_called_with_arguments(unit: &ParsedUnit, name: &str) -> bool {
    let mut found = false;
    unit.parsed.root.walk(&mut |node| {
        let callee = node.child(0).map(AstNode::skip_implicit);
        found |= node.kind == AstKind::CallExpr
            && node.inner.len() > 1
            && callee.and_then(function_named) == Some(name);
    });
    found
}

/// Functions after which a run goes on though a function without a body has not returned.
const OTHER_WAYS: [&str; 10] = [
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "sigsetjmp",
    "__builtin_setjmp",
    "atexit",
    "at_quick_exit",
    "on_exit",
    "signal",
    "sigaction",
];

/// What all stubs of a program must know.
pub(crate) fn surroundings(units: &[ParsedUnit]) -> StubSurroundings {
    let mut out = StubSurroundings::default();
    for unit in units {
        for symbol in unit.functions.values().filter(|s| s.defined && !s.system) {
            out.has_other_ways |= OTHER_WAYS
                .iter()
                .any(|name| symbol.references.contains(name));
            symbol.node.walk(&mut |node| {
                if node.kind == AstKind::BinaryOperator && matches!(node.opcode(), "==" | "!=") {
                    let sides = node.inner.iter().filter_map(|side| sentinel(unit, side));
                    out.sentinels.extend(sides);
                }
            });
        }
    }
    out.sentinels.sort_unstable();
    out.sentinels.dedup();
    out.sentinels.truncate(MAX_SENTINELS);
    out
}

/// Numbers that a stub returns as pointers, at most.
const MAX_SENTINELS: usize = 4;

/// The number behind `(char *)-1`, unless it is 0.
fn sentinel(unit: &ParsedUnit, side: &AstNode) -> Option<i128> {
    let cast = side.skip_implicit();
    if cast.kind != AstKind::CStyleCastExpr || cast.cast_kind() != "IntegralToPointer" {
        return None;
    }
    consteval::integer(cast.child(0)?, &unit.types).filter(|n| *n != 0)
}

fn define(
    context: HarnessContext,
    symbol: &UnitSymbol,
    name: &str,
    function: &FunctionType,
    facts: StubFacts,
) -> StubDefinition {
    let linkage = match symbol.is_static {
        true => "static",
        false => "__attribute__((weak))",
    };
    let system = symbol.system;
    let symbol = format!("{STUB_PREFIX}{name}");
    let stub = StubbedFunction {
        function,
        symbol: &symbol,
        input: &format!("{name}()"),
        facts,
    };
    let (mut harness, head) = stub_definition(context, &stub);
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
