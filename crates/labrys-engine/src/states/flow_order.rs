//! In which order joins are looked at: those of a loop until nothing there grows any more, and only then
//! what comes behind it.

use crate::state::State;
use crate::structure::components;
use labrys_ir::{BlockId, Cfg, FuncId, Module};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The places of instructions in the flow of their functions.
#[derive(Debug, Default)]
pub(crate) struct FlowOrder {
    functions: FxHashMap<FuncId, Rc<[u32]>>,
}

impl FlowOrder {
    /// The place of each instruction of a function.
    pub(crate) fn of(&mut self, module: &Module, id: FuncId) -> Rc<[u32]> {
        let places = self.functions.entry(id).or_insert_with(|| {
            let function = &module.functions[id.index()];
            let mut places = vec![0; function.code.len()];
            for (place, block) in nested_order(&Cfg::of(function)).into_iter().enumerate() {
                let block = function.blocks[block.index()];
                places[block.start as usize..block.end as usize].fill(place as u32);
            }
            places.into()
        });
        places.clone()
    }

    /// The place of a state in the flow: of each call from the outermost one on, and of its instruction.
    pub(crate) fn place_of(&mut self, module: &Module, state: &State) -> Rc<[u32]> {
        let mut places = Vec::new();
        let mut frame = Some(&state.frame);
        while let Some(known) = frame {
            places.push(self.of(module, known.function)[known.pc as usize]);
            frame = known.parent.as_deref();
        }
        places.reverse();
        places.into()
    }
}

/// The blocks in an order in which each loop is in one piece, its inner loops as well, and everything else
/// comes behind what leads there (after Bourdoncle, "Efficient Chaotic Iteration Strategies with
/// Widenings").
fn nested_order(cfg: &Cfg) -> Vec<BlockId> {
    let mut order = Vec::with_capacity(cfg.order.len());
    // What is still to be put in order, with the blocks of one loop and without its head.
    let mut open = vec![cfg.order.clone()];
    while let Some(blocks) = open.pop() {
        if let [block] = blocks.as_slice() {
            order.push(*block);
            continue;
        }
        let parts = connected_parts(cfg, &blocks);
        let is_loop = parts.len() == 1;
        for mut part in parts.into_iter().rev() {
            if is_loop && part.len() > 1 {
                let head = part.remove(0);
                open.push(part);
                open.push(vec![head]);
            } else {
                open.push(part);
            }
        }
    }
    order
}

/// The strongly connected parts of some blocks, each behind those that lead there. The blocks come in
/// reverse post order, and so do those of each part.
fn connected_parts(cfg: &Cfg, blocks: &[BlockId]) -> Vec<Vec<BlockId>> {
    let numbers: FxHashMap<BlockId, u32> = (blocks.iter().enumerate())
        .map(|(n, block)| (*block, n as u32))
        .collect();
    let successors: Vec<Vec<u32>> = (blocks.iter())
        .map(|block| {
            let targets = cfg.successors[block.index()].iter();
            targets
                .filter_map(|target| numbers.get(target).copied())
                .collect()
        })
        .collect();
    let found = components(&successors);
    let mut parts = vec![Vec::new(); found.count];
    for (number, block) in blocks.iter().enumerate() {
        parts[found.count - 1 - found.of[number] as usize].push(*block);
    }
    parts
}
