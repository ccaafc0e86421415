//! The program written out, so that the analysis tells apart what it would join: each way to a return
//! has a return of its own, small functions are copied for the places and numbers that they are called
//! with, and locals whose address goes to other functions become variables of the program.
//!
//! In comes a module, out comes one with the same runs. Annotations of a copied function stand in all
//! copies.

mod contexts;
mod returns;
mod shared_locals;

use crate::call_effects::CallEffect;
use crate::scope::AnalysisScope;
use crate::writes::is_asynchronous;
use labrys_ir::{Const, FuncId, Function, GlobalId, Inst, Module, SymbolRef};
use std::collections::{BTreeMap, BTreeSet};

/// A module that was written out.
pub(crate) struct UnfoldedModule {
    pub(crate) module: Module,
    /// Variables that stand for a local of a function, which has one of it at a time.
    pub(crate) locals: BTreeMap<GlobalId, FuncId>,
}

pub(crate) fn unfold(
    module: &Module,
    scope: &AnalysisScope,
    effects: &[CallEffect],
) -> UnfoldedModule {
    let mut unfolded = UnfoldedModule {
        module: module.clone(),
        locals: BTreeMap::new(),
    };
    let is_made_up = |function: &Function| {
        let no_constants = scope.instructions_without_constants(module, function);
        !no_constants.is_empty()
    };
    let plain: Vec<bool> = (module.functions.iter().zip(effects))
        .map(|(function, effect)| *effect == CallEffect::Body && !is_made_up(function))
        .collect();
    for (function, is_plain) in unfolded.module.functions.iter_mut().zip(&plain) {
        if *is_plain {
            returns::split(function);
        }
    }
    let order = bottom_up(module, effects);
    // A handler may run what it interrupts.
    if !module.functions.iter().any(is_asynchronous) {
        shared_locals::promote(&mut unfolded, &plain, &order);
    }
    contexts::copy(&mut unfolded, scope, &plain, &order);
    unfolded
}

/// The functions that never run twice at the same time, callees first.
struct BottomUp {
    order: Vec<FuncId>,
}

fn bottom_up(module: &Module, effects: &[CallEffect]) -> BottomUp {
    let count = module.functions.len();
    let open = open_functions(module);
    // What each may call, also by way of code that is not named.
    let mut callees: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
    for (number, function) in module.functions.iter().enumerate() {
        let mut anything = function.is_external() && effects[number] != CallEffect::Body;
        for inst in &function.code {
            match inst {
                Inst::Call { callee, .. } => {
                    callees[number].insert(callee.index());
                }
                Inst::CallPointer { .. } | Inst::Unsupported { .. } => anything = true,
                _ => {}
            }
        }
        anything &= !is_closed(effects[number]);
        if effects[number] == CallEffect::Unknown {
            callees[number].extend(0..count);
        } else if anything {
            callees[number].extend(open.iter().map(|id| id.index()));
        }
    }
    let mut left: Vec<usize> = callees.iter().map(BTreeSet::len).collect();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (number, called) in callees.iter().enumerate() {
        for callee in called {
            callers[*callee].push(number);
        }
    }
    let mut order: Vec<usize> = (0..count).filter(|number| left[*number] == 0).collect();
    let mut at = 0;
    while let Some(number) = order.get(at).copied() {
        at += 1;
        for caller in &callers[number] {
            left[*caller] -= 1;
            if left[*caller] == 0 {
                order.push(*caller);
            }
        }
    }
    BottomUp {
        order: order.into_iter().map(|n| FuncId(n as u32)).collect(),
    }
}

/// An annotation calls nothing.
fn is_closed(effect: CallEffect) -> bool {
    !matches!(
        effect,
        CallEffect::Body | CallEffect::Anything | CallEffect::Unknown
    )
}

/// Functions that code may call without naming them.
fn open_functions(module: &Module) -> BTreeSet<FuncId> {
    let mut open: BTreeSet<FuncId> = module.constructors.iter().copied().collect();
    let constants = module.functions.iter().flat_map(|f| &f.constants);
    let symbols = constants.filter_map(|(_, value)| match value {
        Const::Symbol(symbol) => Some(*symbol),
        _ => None,
    });
    let relocs = module.globals.iter().flat_map(|global| &global.relocs);
    for symbol in symbols.chain(relocs.map(|reloc| reloc.target)) {
        if let SymbolRef::Function(id) | SymbolRef::Block { function: id, .. } = symbol {
            open.insert(id);
        }
    }
    open
}
