//! Which functions call which. A call through a pointer may reach every function whose address
//! is taken and that has as many parameters.

use crate::{Const, FuncId, Function, Inst, Module, SymbolRef};

#[derive(Clone, Debug)]
pub struct CallGraph {
    /// In the order of function numbers, each once.
    pub callees: Vec<Vec<FuncId>>,
    pub callers: Vec<Vec<FuncId>>,
    /// Functions whose address is taken, in the order of their numbers.
    pub address_taken: Vec<FuncId>,
}

impl CallGraph {
    pub fn of(module: &Module) -> CallGraph {
        let mut graph = CallGraph {
            callees: vec![Vec::new(); module.functions.len()],
            callers: vec![Vec::new(); module.functions.len()],
            address_taken: address_taken(module),
        };
        for (number, function) in module.functions.iter().enumerate() {
            let mut callees = Vec::new();
            for inst in &function.code {
                graph.targets(module, function, inst, |callee| callees.push(callee));
            }
            callees.sort();
            callees.dedup();
            for callee in &callees {
                graph.callers[callee.index()].push(FuncId(number as u32));
            }
            graph.callees[number] = callees;
        }
        graph
    }

    /// Calls `visit` for each function that an instruction may call.
    pub fn targets(
        &self,
        module: &Module,
        function: &Function,
        inst: &Inst,
        mut visit: impl FnMut(FuncId),
    ) {
        match inst {
            Inst::Call { callee, .. } => visit(*callee),
            Inst::CallPointer { target, args, .. } => {
                let known = function
                    .constants
                    .iter()
                    .find_map(|(reg, value)| match value {
                        Const::Symbol(SymbolRef::Function(id)) if reg == target => Some(*id),
                        _ => None,
                    });
                if let Some(id) = known {
                    visit(id);
                    return;
                }
                for id in &self.address_taken {
                    let callee = &module.functions[id.index()];
                    if callee.params.len() == args.len as usize {
                        visit(*id);
                    }
                }
            }
            _ => {}
        }
    }

    /// The functions that can be reached from some, themselves included, by number.
    pub fn reachable(&self, from: &[FuncId]) -> Vec<FuncId> {
        let mut seen = vec![false; self.callees.len()];
        let mut open: Vec<FuncId> = from.to_vec();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut seen[id.index()], true) {
                open.extend(&self.callees[id.index()]);
            }
        }
        (0..seen.len() as u32)
            .map(FuncId)
            .filter(|id| seen[id.index()])
            .collect()
    }
}

fn address_taken(module: &Module) -> Vec<FuncId> {
    let mut taken = vec![false; module.functions.len()];
    let constants = module.functions.iter().flat_map(|f| &f.constants);
    for (_, value) in constants {
        if let Const::Symbol(SymbolRef::Function(id)) = value {
            taken[id.index()] = true;
        }
    }
    for reloc in module.globals.iter().flat_map(|g| &g.relocs) {
        if let SymbolRef::Function(id) = reloc.target {
            taken[id.index()] = true;
        }
    }
    (0..taken.len() as u32)
        .map(FuncId)
        .filter(|id| taken[id.index()])
        .collect()
}
