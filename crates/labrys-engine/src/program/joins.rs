//! Where a mutant and the original come together again: behind each choice of a mutant, the first
//! block through which every way to the end of its function goes. A call is put there, so that runs
//! can be stopped and compared.

use labrys_ir::{BlockId, Cfg, Dominators, FuncId, Function, Inst, Module, RegList, SourceLoc};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The annotation at which a mutant is chosen, and the call that is put behind it.
const CHOICE: &str = "labrys_mutant";
pub(crate) const JOIN: &str = "labrys_mutant_joined";

/// For each choice of a mutant, by function and instruction, the instruction at which the ways that
/// it has come together again; choices without one are left out.
#[derive(Debug, Default)]
pub(crate) struct Joins(FxHashMap<(FuncId, u32), u32>);

impl Joins {
    pub(crate) fn behind(&self, function: FuncId, place: u32) -> Option<u32> {
        self.0.get(&(function, place)).copied()
    }

    /// Puts the calls into a module, and says where they are.
    pub(crate) fn mark(module: &mut Module) -> Joins {
        let mut joins = Joins::default();
        let Some(choice) = module.function(CHOICE) else {
            return joins;
        };
        let marker = FuncId(module.functions.len() as u32);
        for (number, function) in module.functions.iter_mut().enumerate() {
            let places = choices(function, choice);
            if !places.is_empty() {
                joins.mark_function(FuncId(number as u32), function, &places, marker);
            }
        }
        module.functions.push(Function {
            name: JOIN.to_owned(),
            ..Function::default()
        });
        joins
    }

    fn mark_function(
        &mut self,
        id: FuncId,
        function: &mut Function,
        choices: &[u32],
        marker: FuncId,
    ) {
        let after = Dominators::of(&Cfg::of(function).reversed());
        let join = |place: u32| {
            let block = block_of(function, place)?;
            // The blocks of the reversed graph are counted from 1; its entry is the end.
            let next = after.immediate(BlockId(block.0 + 1))?;
            next.0.checked_sub(1).map(BlockId)
        };
        let found: Vec<(u32, BlockId)> = choices
            .iter()
            .filter_map(|place| Some((*place, join(*place)?)))
            .collect();
        let blocks: BTreeSet<BlockId> = found.iter().map(|(_, block)| *block).collect();
        let moved = insert_at_starts(function, &blocks, marker);
        for (place, block) in found {
            let join = function.blocks[block.index()].start;
            self.0.insert((id, moved[place as usize]), join);
        }
    }
}

fn choices(function: &Function, choice: FuncId) -> Vec<u32> {
    let is_choice = |inst: &Inst| matches!(inst, Inst::Call { callee, .. } if *callee == choice);
    let code = function.code.iter().enumerate();
    let found = code.filter(|(_, inst)| is_choice(inst));
    found.map(|(place, _)| place as u32).collect()
}

fn block_of(function: &Function, place: u32) -> Option<BlockId> {
    let mut blocks = function.blocks.iter();
    let block = blocks.position(|block| block.start <= place && place < block.end)?;
    Some(BlockId(block as u32))
}

/// Puts a call at the start of these blocks; says where each instruction is now.
fn insert_at_starts(function: &mut Function, at: &BTreeSet<BlockId>, callee: FuncId) -> Vec<u32> {
    let mut moved = vec![0; function.code.len()];
    let (mut code, mut locs) = (Vec::new(), Vec::new());
    for number in 0..function.blocks.len() {
        let block = function.blocks[number];
        let start = code.len() as u32;
        if at.contains(&BlockId(number as u32)) {
            let (args, results) = (RegList::default(), RegList::default());
            code.push(Inst::Call {
                callee,
                args,
                results,
            });
            locs.push(SourceLoc::default());
        }
        for place in block.start..block.end {
            moved[place as usize] = code.len() as u32;
            code.push(function.code[place as usize]);
            let loc = function.locs.get(place as usize).copied();
            locs.push(loc.unwrap_or_default());
        }
        function.blocks[number].start = start;
        function.blocks[number].end = code.len() as u32;
    }
    function.code = code;
    function.locs = locs;
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use labrys_ir::{parse, verify};

    #[test]
    fn a_call_stands_where_the_ways_come_together() {
        let text = "function @labrys_mutant(r0) -> 32 { regs 32 }\n\
                    function @f(r0) -> 32 { regs 32 32 32 1 32 32\n const r1 = 7\n const r5 = 0\n\
                    edge e0 -> b1 []\nedge e1 -> b2 []\n edge e2 -> b2 [r4 = r1]\n\
                    b0: call @labrys_mutant(r1) -> (r2) r3 = cmp.ne.32 r2, r5 branch r3, e0, e1\n\
                    b1: jump e2\nb2: return (r4) }";
        let mut module = parse(text).unwrap();
        let joins = Joins::mark(&mut module);
        assert_eq!(verify(&module), Ok(()));
        let f = module.function("f").unwrap();
        let join = joins.behind(f, 0).unwrap();
        let function = &module.functions[f.index()];
        assert_eq!(function.blocks[2].start, join);
        let marker = module.function(JOIN).unwrap();
        assert!(matches!(function.code[join as usize],
            Inst::Call { callee, .. } if callee == marker));
    }
}
