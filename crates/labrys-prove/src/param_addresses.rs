//! Parameters that are the address of one variable in all calls: the structure that a program hands
//! from function to function. What is behind them is that variable, and nobody else learns of it.

use crate::call_effects::CallEffect;
use crate::definitions::{Definition, Definitions};
use crate::places::{Base, address, constants};
use crate::pointer_shape::{AddressCode, OffsetSteps};
use crate::scope::AnalysisScope;
use labrys_ir::{Const, FuncId, GlobalId, Inst, Module, Reg, SymbolRef};
use std::collections::BTreeSet;

/// A variable, and the distances from its begin.
pub(crate) type VariableAddress = (GlobalId, OffsetSteps);

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
            (Passed::One((a, x)), Passed::One((b, y))) if a == b => Passed::One((a, x.join(y))),
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
                            let code = AddressCode {
                                function,
                                definitions: known,
                                constants: &constants,
                            };
                            self.meaning(code, number, *reg, passed)
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
        code: AddressCode<'_>,
        number: usize,
        reg: Reg,
        passed: &[Vec<Passed>],
    ) -> Passed {
        // A parameter leads nowhere yet, so that this is what is added to it.
        if let Some(shape) = code.shape(reg) {
            return match shape.object {
                Base::Global(id) => Passed::One((id, shape.distances)),
                _ => Passed::Anything,
            };
        }
        let (known, function) = (code.definitions, code.function);
        let Some(found) = address(function, known, code.constants, reg) else {
            return Passed::Anything;
        };
        let Base::Pointer(root) = found.base else {
            return Passed::Anything;
        };
        let params = &function.params;
        let position = params.iter().position(|param| *param == root);
        let is_param = known.def(root) == Definition::Param;
        match position.filter(|_| is_param).map(|i| passed[number][i]) {
            Some(Passed::One((id, start))) => Passed::One((
                id,
                match found.offset {
                    Some(more) => start.moved(more),
                    None => OffsetSteps::ALL,
                },
            )),
            Some(Passed::Nothing) => Passed::Nothing,
            _ => Passed::Anything,
        }
    }
}
