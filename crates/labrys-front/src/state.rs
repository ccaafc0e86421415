//! Which functions keep state: they read variables that outlive a call and that something writes. In
//! come the parsed units and a function under test, out comes how often its harness calls it and
//! which functions it may call before.
//!
//! This decides what is tried. Whether it was enough is for the engine to say: it watches the initial
//! values of all variables that can change.

use crate::ast::{AstKind, AstNode};
use crate::entries::{ChosenEntry, EntryKind};
use crate::harness::EarlierCall;
use crate::parameters::parameters;
use crate::program::{ParsedUnit, SymbolId, resolve};
use crate::reach::Reaching;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// Calls of a function that keeps state, if the user does not say how many.
const CALLS_WITH_STATE: u32 = 2;

/// Functions that a harness chooses from for a call before, at most.
const MAX_EARLIER_CALLS: usize = 3;

/// Variables that a harness fills as other functions may have left them, at most.
const MAX_STATE_VARIABLES: usize = 24;

/// Numbers of more bytes than this are left as they are: a table is seldom what is missing.
const MAX_TABLE_BYTES: u64 = 512;

/// A variable that outlives a call: a global one, or a static local one by the number of its node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum StateVariable<'a> {
    Global(SymbolId<'a>),
    Local(usize, u64),
}

/// What one function does with such variables.
#[derive(Debug, Default)]
struct StateAccess<'a> {
    reads: BTreeSet<StateVariable<'a>>,
    writes: BTreeSet<StateVariable<'a>>,
}

/// A function that does something with such variables.
struct StatefulFunction<'a> {
    /// Its place among the functions of all units.
    number: usize,
    id: SymbolId<'a>,
    access: StateAccess<'a>,
}

/// What all functions do with such variables.
pub(crate) struct ProgramState<'u, 'a> {
    units: &'u [ParsedUnit<'a>],
    /// Global variables are inputs: what they hold need not come from a call.
    globals_are_inputs: bool,
    accesses: OnceCell<Vec<StatefulFunction<'a>>>,
    writers: OnceCell<BTreeMap<StateVariable<'a>, Vec<SymbolId<'a>>>>,
    callables: OnceCell<Vec<Vec<&'a str>>>,
}

/// How a harness calls a function.
#[derive(Debug)]
pub(crate) struct CallPlan {
    pub calls: u32,
    pub earlier: Vec<EarlierCall>,
}

impl<'u, 'a> ProgramState<'u, 'a> {
    pub(crate) fn new(units: &'u [ParsedUnit<'a>], globals_are_inputs: bool) -> Self {
        ProgramState {
            units,
            globals_are_inputs,
            accesses: OnceCell::new(),
            writers: OnceCell::new(),
            callables: OnceCell::new(),
        }
    }

    /// The calls of a function under test; `asked` is what the user wants.
    pub(crate) fn plan(&self, entry: &ChosenEntry<'a>, asked: Option<u32>) -> CallPlan {
        let once = CallPlan {
            calls: 1,
            earlier: Vec::new(),
        };
        // A program starts with `main`, once.
        if asked == Some(1) || entry.id.1 == "main" {
            return once;
        }
        let reached = |f: &&StatefulFunction| entry.reachable.has_function_number(f.number);
        let own = self.stateful_functions().iter().filter(reached);
        let own: Vec<&StateAccess> = own.map(|function| &function.access).collect();
        // A call is not needed for numbers that are inputs; pointers may lead to more than those do.
        let left = self.left_by_others(entry, asked).into_iter();
        let left = left.filter(|id| !self.has_pointers(*id));
        let left: BTreeSet<_> = left.map(StateVariable::Global).collect();
        let reads = own.iter().flat_map(|access| &access.reads);
        let reads: BTreeSet<_> = reads.filter(|variable| !left.contains(variable)).collect();
        let repeats = own.iter().any(|access| {
            access
                .writes
                .iter()
                .any(|variable| reads.contains(variable))
        });
        let calls = match asked {
            Some(calls) => calls,
            None if repeats => CALLS_WITH_STATE,
            None => 1,
        };
        let earlier = match reads.is_empty() {
            true => Vec::new(),
            false => {
                let writers = reads.iter().filter_map(|v| self.writers().get(v));
                let writers = writers.flatten().copied();
                self.callable(entry, &entry.reachable.reaching(writers))
            }
        };
        CallPlan { calls, earlier }
    }

    /// The variables that a function under test reads and that functions write which it does not
    /// reach: options that `main` sets, lists and tables that others build.
    pub(crate) fn left_by_others(
        &self,
        entry: &ChosenEntry<'a>,
        asked: Option<u32>,
    ) -> Vec<SymbolId<'a>> {
        if asked == Some(1) || entry.kind != EntryKind::Function || entry.id.1 == "main" {
            return Vec::new();
        }
        let reached = |f: &&StatefulFunction| entry.reachable.has_function_number(f.number);
        let own = self.stateful_functions().iter().filter(reached);
        let reads: BTreeSet<_> = own.flat_map(|f| &f.access.reads).copied().collect();
        let mut left: Vec<_> = (reads.into_iter())
            .filter_map(|variable| match variable {
                StateVariable::Global(id) if self.is_left_by_others(id, entry) => Some(id),
                _ => None,
            })
            .collect();
        left.truncate(MAX_STATE_VARIABLES);
        left
    }

    fn has_pointers(&self, (unit, name): SymbolId) -> bool {
        let unit = &self.units[unit];
        unit.types
            .has_pointers(&unit.types.of(unit.variables[name].node))
    }

    fn is_left_by_others(&self, id: SymbolId<'a>, entry: &ChosenEntry<'a>) -> bool {
        let writers = self.writers().get(&StateVariable::Global(id));
        let mut writers = writers.into_iter().flatten();
        let unit = &self.units[id.0];
        let symbol = &unit.variables[id.1];
        let ty = unit.types.of(symbol.node);
        let fits = unit.types.has_pointers(&ty)
            || (unit.types.size(&ty)).is_some_and(|size| size <= MAX_TABLE_BYTES);
        let starts_as_zero = symbol.node.initialiser().is_none();
        symbol.top_level
            && symbol.defined
            && fits
            && (starts_as_zero || !unit.types.has_pointers(&ty))
            && unit.types.is_spellable(&ty)
            && writers.any(|writer| !entry.reachable.has_function(*writer))
    }

    /// The functions of the unit that others may call and that write what is read, in source order.
    fn callable(&self, entry: &ChosenEntry<'a>, writing: &Reaching<'a>) -> Vec<EarlierCall> {
        let unit = &self.units[entry.id.0];
        let others = (self.callables()[entry.id.0].iter())
            .filter(|name| **name != entry.id.1 && writing.has_function((entry.id.0, **name)));
        let mut out = Vec::new();
        for name in others {
            let symbol = &unit.functions[name];
            if out.len() == MAX_EARLIER_CALLS {
                break;
            }
            let ty = unit.types.of(symbol.node);
            let Some(function) = ty.function().filter(|f| !f.variadic) else {
                continue;
            };
            let parameters = parameters(unit, symbol.node);
            let spellable = parameters.iter().all(|p| unit.types.is_spellable(&p.ty));
            if spellable && parameters.len() == function.params.len() {
                out.push(EarlierCall {
                    name: (*name).to_owned(),
                    parameters,
                });
            }
        }
        out
    }

    /// By unit: the functions that others may call, in source order.
    fn callables(&self) -> &[Vec<&'a str>] {
        self.callables.get_or_init(|| {
            let of_unit = |unit: &ParsedUnit<'a>| {
                let mut found: Vec<_> = (unit.functions.iter())
                    .filter(|(name, symbol)| {
                        symbol.defined && !symbol.is_static && !symbol.system && **name != "main"
                    })
                    .map(|(name, symbol)| (symbol.node.span().map_or(0, |span| span.0), *name))
                    .collect();
                found.sort_unstable();
                found.into_iter().map(|(_, name)| name).collect()
            };
            self.units.iter().map(of_unit).collect()
        })
    }

    /// Most functions of a large program keep no state, and each function under test asks for all.
    fn stateful_functions(&self) -> &[StatefulFunction<'a>] {
        self.accesses.get_or_init(|| {
            let units = self.units.iter().enumerate();
            let functions = units.flat_map(|(index, unit)| {
                (unit.functions.iter()).map(move |(name, symbol)| ((index, *name), symbol))
            });
            let defined = functions.enumerate().filter(|(_, (_, s))| s.defined);
            defined
                .map(|(number, (id, symbol))| StatefulFunction {
                    number,
                    id,
                    access: self.access(id.0, symbol.node),
                })
                .filter(|f| !f.access.reads.is_empty() || !f.access.writes.is_empty())
                .collect()
        })
    }

    /// The functions that write a variable themselves.
    fn writers(&self) -> &BTreeMap<StateVariable<'a>, Vec<SymbolId<'a>>> {
        self.writers.get_or_init(|| {
            let mut writers: BTreeMap<_, Vec<_>> = BTreeMap::new();
            for function in self.stateful_functions() {
                for variable in &function.access.writes {
                    writers.entry(*variable).or_default().push(function.id);
                }
            }
            writers
        })
    }

    fn access(&self, unit: usize, function: &'a AstNode) -> StateAccess<'a> {
        let mut locals = BTreeSet::new();
        let mut statics = BTreeSet::new();
        function.walk(&mut |node| {
            if matches!(node.kind, AstKind::VarDecl) && !node.is_extern() {
                match node.is_static() {
                    true if !self.units[unit].types.of(node).is_const() => statics.insert(node.id),
                    _ => locals.insert(node.id),
                };
            }
        });
        let mut walk = AccessWalk {
            state: self,
            unit,
            locals,
            statics,
            found: StateAccess::default(),
        };
        if let Some(body) = function.body() {
            walk.visit(body, Use::Reads);
        }
        walk.found
    }

    /// The variable that a name means, if it is a global one that can change.
    fn global(&self, unit: usize, name: &str) -> Option<SymbolId<'a>> {
        let (id, function) = resolve(self.units, unit, name)?;
        let symbol = self.units[id.0].variables.get(id.1)?;
        let constant = self.units[id.0].types.of(symbol.node).is_const();
        (!function && !constant && !symbol.system && !self.globals_are_inputs).then_some(id)
    }
}

/// What an expression does with the object that it names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Reads,
    Writes,
    /// Changes it, or takes its address.
    Both,
}

struct AccessWalk<'s, 'u, 'a> {
    state: &'s ProgramState<'u, 'a>,
    unit: usize,
    /// Local variables, and constants among the static ones.
    locals: BTreeSet<u64>,
    statics: BTreeSet<u64>,
    found: StateAccess<'a>,
}

impl AccessWalk<'_, '_, '_> {
    fn visit(&mut self, node: &AstNode, here: Use) {
        match node.kind {
            AstKind::DeclRefExpr => self.name(node, here),
            // Their operands are not evaluated.
            AstKind::UnaryExprOrTypeTraitExpr => {}
            AstKind::BinaryOperator if node.opcode() == "=" => {
                self.operand(node, 0, Use::Writes);
                self.operand(node, 1, Use::Reads);
            }
            AstKind::CompoundAssignOperator => {
                self.operand(node, 0, Use::Both);
                self.operand(node, 1, Use::Reads);
            }
            AstKind::UnaryOperator if matches!(node.opcode(), "++" | "--" | "&") => {
                self.operand(node, 0, Use::Both);
            }
            AstKind::CompoundStmt => {
                for child in &node.inner {
                    self.statement(child);
                }
            }
            AstKind::ParenExpr | AstKind::MemberExpr => self.operand(node, 0, here),
            AstKind::ArraySubscriptExpr => {
                for (index, child) in node.inner.iter().enumerate() {
                    match child.cast_kind() {
                        "ArrayToPointerDecay" => self.operand(child, 0, here),
                        _ => self.operand(node, index, Use::Reads),
                    }
                }
            }
            AstKind::ImplicitCastExpr if node.cast_kind() == "ArrayToPointerDecay" => {
                self.operand(node, 0, Use::Both);
            }
            _ => {
                for child in &node.inner {
                    self.visit(child, Use::Reads);
                }
            }
        }
    }

    /// A statement that only counts, such as `calls++;`, decides nothing by what it counts.
    fn statement(&mut self, node: &AstNode) {
        match node.kind {
            AstKind::UnaryOperator if matches!(node.opcode(), "++" | "--") => {
                self.operand(node, 0, Use::Writes);
            }
            AstKind::CompoundAssignOperator => {
                self.operand(node, 0, Use::Writes);
                self.operand(node, 1, Use::Reads);
            }
            _ => self.visit(node, Use::Reads),
        }
    }

    fn operand(&mut self, node: &AstNode, index: usize, here: Use) {
        if let Some(child) = node.child(index) {
            self.visit(child, here);
        }
    }

    fn name(&mut self, node: &AstNode, here: Use) {
        let Some(target) = node.referenced_decl.as_ref() else {
            return;
        };
        if target.kind != AstKind::VarDecl || self.locals.contains(&target.id) {
            return;
        }
        let variable = if self.statics.contains(&target.id) {
            Some(StateVariable::Local(self.unit, target.id))
        } else {
            let name = target.name.as_deref().unwrap_or_default();
            self.state
                .global(self.unit, name)
                .map(StateVariable::Global)
        };
        let Some(variable) = variable else { return };
        if here != Use::Writes {
            self.found.reads.insert(variable);
        }
        if here != Use::Reads {
            self.found.writes.insert(variable);
        }
    }
}
