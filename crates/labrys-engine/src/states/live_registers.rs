//! Which registers are needed at an instruction.

use labrys_ir::{FuncId, Liveness, Module, Reg};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The registers that are needed at instructions, as far as anybody has asked.
#[derive(Debug, Default)]
pub(crate) struct LiveRegisters {
    known: FxHashMap<(FuncId, u32), Rc<[Reg]>>,
    functions: FxHashMap<FuncId, Liveness>,
}

impl LiveRegisters {
    /// The registers that are needed at an instruction and are no constants.
    pub(crate) fn at(&mut self, module: &Module, id: FuncId, pc: u32) -> Rc<[Reg]> {
        if let Some(known) = self.known.get(&(id, pc)) {
            return known.clone();
        }
        let function = &module.functions[id.index()];
        let liveness = (self.functions.entry(id)).or_insert_with(|| Liveness::of(function));
        let mut needed = liveness.at(function, pc);
        for (reg, _) in &function.constants {
            needed[reg.index()] = false;
        }
        let needed = needed.into_iter().enumerate().filter(|(_, is)| *is);
        let needed: Rc<[Reg]> = needed.map(|(reg, _)| Reg(reg as u32)).collect();
        self.known.insert((id, pc), needed.clone());
        needed
    }
}
