//! Parameters that are the address of one variable in all calls: the structure that a program hands
//! from function to function. What is behind them is that variable, and nobody else learns of it.

use crate::call_effects::CallEffect;
use crate::definitions::{Definition, Definitions};
use crate::places::{Base, address, constants};
use crate::scope::AnalysisScope;
use labrys_ir::{Const, FuncId, GlobalId, Inst, Module, SymbolRef};
use std::collections::BTreeSet;

/// The address of a variable, and a distance from it.
pub(crate) type VariableAddress = (GlobalId, i64);

/// What is known of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passed {
    /// No call was seen.
    Nothing,
    One(VariableAddress),
    Anything,
}

impl Passed {
    fn join(self, other: Passed) -> Passed {
        match (self, other) {
            (Passed::Nothing, known) | (known, Passed::Nothing) => known,
            (a, b) if a == b => a,
            _ => Passed::Anything,
        }
    }
}

/// Finds these parameters and tells the definitions of their functions.
pub(crate) fn find(
    module: &Module,
    scope: &AnalysisScope,
    effects: &[CallEffect],
    definitions: &mut [Option<Definitions>],
) {
    let open = open_functions(module, scope, effects);
    let mut passed: Vec<Vec<Passed>> = (module.functions.iter().enumerate())
        .map(|(number, function)| {
            let is_open = open.contains(&FuncId(number as u32));
            let start = if is_open {
                Passed::Anything
            } else {
                Passed::Nothing
            };
            vec![start; function.params.len()]
        })
        .collect();
    let calls = Calls { module, scope };
    while calls.spread(definitions, &mut passed) {}
    for (number, function) in module.functions.iter().enumerate() {
        if let Some(known) = &mut definitions[number] {
            for (reg, passed) in function.params.iter().zip(&passed[number]) {
                if let Passed::One(address) = passed {
                    known.set_param_address(*reg, *address);
                }
            }
        }
    }
}

/// Functions that something else than a call by name in a body that is looked into may call.
fn open_functions(
    module: &Module,
    scope: &AnalysisScope,
    effects: &[CallEffect],
) -> BTreeSet<FuncId> {
    let mut open: BTreeSet<FuncId> = module.constructors.iter().copied().collect();
    for (number, function) in module.functions.iter().enumerate() {
        let is_body = effects[number] == CallEffect::Body;
        if !is_body || function.variadic || scope.entries.contains(&function.name) {
            open.insert(FuncId(number as u32));
        }
        for (_, value) in &function.constants {
            if let Const::Symbol(SymbolRef::Function(id)) = value {
                open.insert(*id);
            }
        }
        if !is_body {
            open.extend(function.code.iter().filter_map(|inst| match inst {
                Inst::Call { callee, .. } => Some(*callee),
                _ => None,
            }));
        }
    }
    for reloc in module.globals.iter().flat_map(|global| &global.relocs) {
        if let SymbolRef::Function(id) = reloc.target {
            open.insert(id);
        }
    }
    open
}

struct Calls<'a> {
    module: &'a Module,
    scope: &'a AnalysisScope,
}

impl Calls<'_> {
    /// Adds what calls pass; false if nothing is new.
    fn spread(&self, definitions: &[Option<Definitions>], passed: &mut [Vec<Passed>]) -> bool {
        let mut changed = false;
        for (number, function) in self.module.functions.iter().enumerate() {
            let Some(known) = &definitions[number] else {
                continue;
            };
            // What generated text passes is its choice.
            let no_constants = self
                .scope
                .instructions_without_constants(self.module, function);
            let constants = constants(function);
            for inst in &function.code {
                let Inst::Call { callee, args, .. } = inst else {
                    continue;
                };
                let args = function.list(*args);
                for i in 0..passed[callee.index()].len() {
                    if passed[callee.index()][i] == Passed::Anything {
                        continue;
                    }
                    let given = match args.get(i) {
                        Some(reg) if no_constants.is_empty() => {
                            match address(function, known, &constants, *reg) {
                                Some(found) => self.meaning(known, number, found, passed),
                                None => Passed::Anything,
                            }
                        }
                        _ => Passed::Anything,
                    };
                    let joined = passed[callee.index()][i].join(given);
                    changed |= joined != passed[callee.index()][i];
                    passed[callee.index()][i] = joined;
                }
            }
        }
        changed
    }

    /// What an address of a function means outside of it.
    fn meaning(
        &self,
        known: &Definitions,
        number: usize,
        found: crate::places::Address,
        passed: &[Vec<Passed>],
    ) -> Passed {
        let Some(offset) = found.offset else {
            return Passed::Anything;
        };
        match found.base {
            Base::Global(id) => Passed::One((id, offset)),
            Base::Pointer(reg) if known.def(reg) == Definition::Param => {
                let params = &self.module.functions[number].params;
                let position = params.iter().position(|param| *param == reg);
                match position.map(|i| passed[number][i]) {
                    Some(Passed::One((id, start))) => match start.checked_add(offset) {
                        Some(offset) => Passed::One((id, offset)),
                        None => Passed::Anything,
                    },
                    Some(Passed::Nothing) => Passed::Nothing,
                    _ => Passed::Anything,
                }
            }
            Base::Pointer(_) | Base::Local(_) => Passed::Anything,
        }
    }
}
