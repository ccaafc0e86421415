//! A part of a module: what one function can come to. The bodies of all others are set aside
//! meanwhile, so that whoever looks at the whole module sees no more than it needs to. Numbers mean the
//! same in the part.

use crate::{Const, FuncId, Function, Inst, Module, SymbolRef};

/// Which functions each function names: calls and addresses.
#[derive(Debug)]
pub struct FunctionReferences {
    by_function: Vec<Vec<FuncId>>,
    /// Named by initial values of variables, or called before the program starts.
    always: Vec<FuncId>,
}

impl FunctionReferences {
    pub fn of(module: &Module) -> Self {
        let relocs = module.globals.iter().flat_map(|global| &global.relocs);
        let always = relocs.filter_map(|reloc| function_of(&reloc.target));
        FunctionReferences {
            by_function: module.functions.iter().map(references).collect(),
            always: always.chain(module.constructors.iter().copied()).collect(),
        }
    }

    /// The functions that a run from `start` can come to, by number.
    pub fn reachable_from(&self, start: FuncId) -> Vec<bool> {
        let mut reached = vec![false; self.by_function.len()];
        let mut open = self.always.clone();
        open.push(start);
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut reached[id.index()], true) {
                open.extend(&self.by_function[id.index()]);
            }
        }
        reached
    }
}

fn references(function: &Function) -> Vec<FuncId> {
    let calls = function.code.iter().filter_map(|inst| match inst {
        Inst::Call { callee, .. } => Some(*callee),
        _ => None,
    });
    let constants = function.constants.iter();
    let addresses = constants.filter_map(|(_, value)| match value {
        Const::Symbol(symbol) => function_of(symbol),
        _ => None,
    });
    let mut all: Vec<FuncId> = calls.chain(addresses).collect();
    all.sort();
    all.dedup();
    all
}

fn function_of(symbol: &SymbolRef) -> Option<FuncId> {
    match symbol {
        SymbolRef::Function(function) | SymbolRef::Block { function, .. } => Some(*function),
        SymbolRef::Global { .. } => None,
    }
}

/// Functions that a module is without for a while.
#[derive(Debug)]
#[must_use]
pub struct SetAside(Vec<(FuncId, Function)>);

impl SetAside {
    /// Leaves only declarations without names of the functions that are not `needed`, by number.
    pub fn all_but(needed: &[bool], module: &mut Module) -> Self {
        let functions = module.functions.iter_mut().enumerate();
        let others = functions.filter(|(number, f)| !needed[*number] && !f.blocks.is_empty());
        let aside = others.map(|(number, function)| {
            let declaration = Function {
                params: function.params.clone(),
                variadic: function.variadic,
                frame: function.frame,
                results: function.results.clone(),
                widths: function.widths.clone(),
                loc: function.loc,
                ..Function::default()
            };
            let whole = std::mem::replace(function, declaration);
            (FuncId(number as u32), whole)
        });
        SetAside(aside.collect())
    }

    /// Makes the module whole again.
    pub fn put_back(self, module: &mut Module) {
        for (id, function) in self.0 {
            module.functions[id.index()] = function;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const TEXT: &str = "
global @table size 8 align 8 element 8 init x\"0000000000000000\"
  reloc 0 = @listed
function @start() { regs
b0:
  call @called() -> ()
  return ()
}
function @called() { regs
b0:
  return ()
}
function @listed() { regs
b0:
  return ()
}
function @other() { regs
b0:
  call @called() -> ()
  return ()
}
";

    #[test]
    fn only_what_nobody_can_come_to_is_set_aside_and_comes_back() {
        let mut module = crate::parse(TEXT).unwrap();
        let whole = module.clone();
        let reached = FunctionReferences::of(&module).reachable_from(FuncId(0));
        assert_eq!(reached, [true, true, true, false]);
        let aside = SetAside::all_but(&reached, &mut module);
        let bodies: Vec<bool> = (module.functions.iter())
            .map(|function| !function.blocks.is_empty())
            .collect();
        assert_eq!(bodies, reached);
        assert_eq!(module.functions[3].name, "");
        assert_eq!(crate::verify(&module), Ok(()));
        aside.put_back(&mut module);
        assert_eq!(module, whole);
    }
}
