//! What functions give back: a few numbers, by which callers tell what has happened.

use labrys_ir::{FuncId, Function, Inst, Module, Reg};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A function that gives back more different numbers than this does not tell what has happened.
const MOST_RESULTS: usize = 4;

/// By the instructions of joins directly in front of returns.
#[derive(Debug, Default)]
pub(crate) struct ReturnedNumbers {
    registers: FxHashMap<(FuncId, u32), Rc<[Reg]>>,
    seen: FxHashMap<(FuncId, u32, Reg), BTreeSet<u64>>,
}

impl ReturnedNumbers {
    /// The registers that are given back behind a join.
    pub(crate) fn at(&mut self, module: &Module, id: FuncId, pc: u32) -> Rc<[Reg]> {
        let function = &module.functions[id.index()];
        let registers = self.registers.entry((id, pc));
        registers.or_insert_with(|| find(function, pc)).clone()
    }

    /// Is this one of the few numbers that tell nodes apart there?
    pub(crate) fn tells_apart(&mut self, place: (FuncId, u32, Reg), number: u64) -> bool {
        let seen = self.seen.entry(place).or_default();
        if seen.len() < MOST_RESULTS {
            seen.insert(number);
        }
        seen.contains(&number)
    }
}

fn find(function: &Function, pc: u32) -> Rc<[Reg]> {
    let Some(Inst::Jump { edge }) = function.code.get(pc as usize + 1) else {
        return Rc::default();
    };
    let target = function.blocks[function.edges[edge.index()].target.index()];
    match function.code[target.start as usize] {
        Inst::Return { values } => function.list(values).into(),
        _ => Rc::default(),
    }
}
