//! Which registers may hold a value that was never written. Two uses of such a value need not agree, so what
//! goes by one is no proof.

use crate::program::Program;
use labrys_ir::{CallGraph, Const, FuncId, Inst, Reg};

/// By function and register.
#[derive(Debug, Default)]
pub(super) struct UndefinedRegisters(Vec<Vec<bool>>);

impl UndefinedRegisters {
    pub(super) fn of(program: &Program<'_>, graph: &CallGraph) -> Self {
        let module = program.module;
        let functions = module.functions.iter();
        let mut found =
            UndefinedRegisters(functions.map(|f| vec![false; f.widths.len()]).collect());
        for (function, registers) in module.functions.iter().zip(&mut found.0) {
            for (reg, value) in &function.constants {
                registers[reg.index()] |= *value == Const::Undef;
            }
        }
        let mut returns = vec![false; module.functions.len()];
        loop {
            let mut grown = false;
            for id in (0..module.functions.len() as u32).map(FuncId) {
                grown |= found.grow(program, graph, id, &mut returns);
            }
            if !grown {
                return found;
            }
        }
    }

    pub(super) fn contains(&self, function: FuncId, reg: Reg) -> bool {
        self.0[function.index()][reg.index()]
    }

    /// Follows the values of a function, into those that it calls and back to those that call it.
    fn grow(
        &mut self,
        program: &Program<'_>,
        graph: &CallGraph,
        id: FuncId,
        returns: &mut [bool],
    ) -> bool {
        let module = program.module;
        let function = &module.functions[id.index()];
        let mut marked: Vec<(FuncId, Reg)> = Vec::new();
        let mut grown = false;
        for inst in &function.code {
            let mut is_undefined = false;
            inst.for_each_read(function, &mut |reg| is_undefined |= self.contains(id, reg));
            match inst {
                Inst::Call { args, results, .. } | Inst::CallPointer { args, results, .. } => {
                    let mut returned = false;
                    graph.targets(module, function, inst, |callee| {
                        returned |= returns[callee.index()];
                        let params = module.functions[callee.index()].params.iter();
                        for (param, arg) in params.zip(function.list(*args)) {
                            if self.contains(id, *arg) {
                                marked.push((callee, *param));
                            }
                        }
                        // What is not gone through may hand on what it got.
                        returned |= is_undefined && module.functions[callee.index()].is_external();
                    });
                    let results = function.list(*results).iter();
                    marked.extend(results.filter(|_| returned).map(|reg| (id, *reg)));
                }
                Inst::Return { .. } => {
                    grown |= is_undefined && !std::mem::replace(&mut returns[id.index()], true);
                }
                _ if is_undefined => {
                    inst.for_each_write(function, &mut |reg| marked.push((id, reg)));
                }
                _ => {}
            }
        }
        let copies = function.copies.iter();
        let copies = copies.filter(|(_, src)| self.contains(id, *src));
        marked.extend(copies.map(|(dst, _)| (id, *dst)));
        for (function, reg) in marked {
            let known = &mut self.0[function.index()][reg.index()];
            grown |= !std::mem::replace(known, true);
        }
        grown
    }
}
