//! What the functions of a program read and change when they are called.

use super::effects::{AccessType, Accesses, Place};
use super::operands::OperandWalk;
use crate::annotate::is_pure_builtin;
use crate::ast::{AstKind, AstNode};
use crate::dialects::{RuntimeEffect, runtime_effect};
use crate::pointer_mixes::each_exposed;
use crate::program::{ParsedUnit, SymbolId, UnitSymbol, resolve};
use std::collections::{BTreeMap, BTreeSet};

/// Functions of the C library that only compute, although its headers do not say so.
const COMPUTING: [&str; 48] = [
    "abs", "labs", "llabs", "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph",
    "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "toupper", "tolower",
    "isascii", "toascii", "sqrt", "sqrtf", "pow", "powf", "exp", "exp2", "log", "log2", "log10",
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "floor", "ceil",
    "fmod", "hypot", "ldexp", "round", "trunc", "rint", "lround", "cbrt",
];

/// Functions that return memory which nobody else has.
pub(super) const ALLOCATING: [&str; 6] = [
    "malloc",
    "calloc",
    "aligned_alloc",
    "strdup",
    "strndup",
    "alloca",
];

/// Those of them that read what they copy.
const COPYING: [&str; 2] = ["strdup", "strndup"];

/// Functions whose output nothing in the program reads.
const PRINTING: [&str; 12] = [
    "printf", "fprintf", "puts", "fputs", "putchar", "putc", "fputc", "fwrite", "perror",
    "vprintf", "vfprintf", "fflush",
];

/// What calling the functions of a program does.
pub(super) struct CalledFunctions<'u, 'a> {
    pub units: &'u [ParsedUnit<'a>],
    accesses: BTreeMap<SymbolId<'a>, Accesses<'a>>,
    /// By unit: global variables whose addresses are taken.
    exposed: Vec<BTreeSet<&'a str>>,
}

impl<'u, 'a> CalledFunctions<'u, 'a> {
    pub(super) fn of(units: &'u [ParsedUnit<'a>]) -> Self {
        let exposed = units.iter().map(|unit| {
            let mut exposed = BTreeSet::new();
            each_exposed(&unit.parsed.root, &mut |target| {
                exposed.extend(target.name.as_deref());
            });
            exposed
        });
        let mut functions = CalledFunctions {
            units,
            accesses: BTreeMap::new(),
            exposed: exposed.collect(),
        };
        let mut callers: BTreeMap<SymbolId, Vec<SymbolId>> = BTreeMap::new();
        let mut accesses = BTreeMap::new();
        for (index, unit) in units.iter().enumerate() {
            for (name, symbol) in unit.functions.iter().filter(|(_, s)| s.defined) {
                let mut walk = OperandWalk::new(&functions, index, symbol.node);
                let mut own = walk.function_body();
                own.reads.add(Place::Course);
                for callee in walk.callees {
                    callers.entry(callee).or_default().push((index, *name));
                }
                accesses.insert((index, *name), own);
            }
        }
        functions.accesses = with_callees(accesses, &callers);
        functions
    }

    /// What a call of the named function does, and the definition that it leads to.
    pub(super) fn call(&self, unit: usize, name: &str) -> (Accesses<'a>, Option<SymbolId<'a>>) {
        if let Some((id, true)) = resolve(self.units, unit, name) {
            let known = self.accesses.get(&id).cloned();
            return (known.unwrap_or_default(), Some(id));
        }
        (outside(name, self.units[unit].functions.get(name)), None)
    }

    /// May a pointer lead to the global variable?
    pub(super) fn is_exposed(&self, id: SymbolId<'_>) -> bool {
        let symbol = self.units[id.0].variables.get(id.1);
        self.exposed[id.0].contains(id.1) || symbol.is_none_or(|s| !s.is_static)
    }
}

/// Adds to each function what the functions do that it calls.
fn with_callees<'a>(
    mut accesses: BTreeMap<SymbolId<'a>, Accesses<'a>>,
    callers: &BTreeMap<SymbolId<'a>, Vec<SymbolId<'a>>>,
) -> BTreeMap<SymbolId<'a>, Accesses<'a>> {
    let mut changed: BTreeSet<SymbolId> = accesses.keys().copied().collect();
    while let Some(callee) = changed.pop_first() {
        let Some(more) = accesses.get(&callee).cloned() else {
            continue;
        };
        for caller in callers.get(&callee).into_iter().flatten() {
            if let Some(own) = accesses.get_mut(caller) {
                let before = own.clone();
                own.extend(&more);
                if *own != before {
                    changed.insert(*caller);
                }
            }
        }
    }
    accesses
}

/// What a function without a definition does.
fn outside<'a>(name: &str, symbol: Option<&UnitSymbol>) -> Accesses<'a> {
    let declarations = || symbol.into_iter().flat_map(|s| &s.declarations);
    let has = |kinds: [AstKind; 2]| {
        let mut attributes = declarations().flat_map(|d| &d.inner);
        attributes.any(|n| kinds.contains(&n.kind))
    };
    let never_returns = has([AstKind::NoReturnAttr, AstKind::C11NoReturnAttr])
        || declarations().any(|d| d.type_text().contains("noreturn"));
    // Another name of a function that is defined.
    if symbol.is_some_and(UnitSymbol::needs_no_definition) {
        return Accesses::anything();
    }
    let mut accesses = Accesses::default();
    if let Some(effect) = runtime_effect(name) {
        match effect {
            RuntimeEffect::Input => accesses.reads.add(Place::Inputs),
            RuntimeEffect::End => accesses.writes.add(Place::Course),
            RuntimeEffect::Fill => accesses.writes.add(Place::Memory(AccessType::Any)),
        }
        return accesses;
    }
    if is_pure_builtin(name) || COPYING.contains(&name) {
        accesses.reads.add(Place::Memory(AccessType::Any));
        return accesses;
    }
    if COMPUTING.contains(&name) || ALLOCATING.contains(&name) {
        return accesses;
    }
    if name.starts_with("__builtin_") {
        accesses.both(Place::Memory(AccessType::Any));
        return accesses;
    }
    // What a stub returns is an input, whatever was called before.
    if symbol.is_some_and(|s| s.system) {
        accesses.reads.add(Place::Memory(AccessType::Any));
    }
    if never_returns {
        accesses.writes.add(Place::Course);
    }
    if has([AstKind::PureAttr, AstKind::ConstAttr]) || PRINTING.contains(&name) {
        return accesses;
    }
    if symbol.is_some_and(|s| s.system) {
        accesses.both(Place::World);
        accesses.writes.add(Place::Memory(AccessType::Any));
    } else {
        accesses.writes.add(Place::Unknown);
    }
    accesses
}

/// Local pointers that lead only to memory which their function has allocated.
pub(super) fn fresh_pointers(body: &AstNode) -> BTreeSet<u64> {
    let (mut fresh, mut others) = (BTreeSet::new(), BTreeSet::new());
    body.walk(&mut |node| {
        let (id, value) = match node.kind {
            AstKind::VarDecl => (Some(node.id), node.initialiser()),
            AstKind::BinaryOperator if node.opcode() == "=" => {
                let target = node.child(0).map(AstNode::skip_implicit);
                let target = target.and_then(|t| t.referenced_decl.as_ref());
                (target.map(|t| t.id), node.child(1))
            }
            _ => return,
        };
        if let (Some(id), Some(value)) = (id, value) {
            match is_fresh(value) {
                true => fresh.insert(id),
                false => others.insert(id),
            };
        }
    });
    each_exposed(body, &mut |target| {
        others.insert(target.id);
    });
    fresh.retain(|id| !others.contains(id));
    fresh
}

fn is_fresh(value: &AstNode) -> bool {
    let mut value = value.skip_implicit();
    while let (AstKind::CStyleCastExpr, Some(inner)) = (value.kind, value.child(0)) {
        value = inner.skip_implicit();
    }
    (value.callee()).is_some_and(|name| ALLOCATING.contains(&name))
}
