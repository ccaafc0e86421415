//! Where loops begin. A loop without effects could be left out or be computed at once, but a run
//! that takes for ever, or a thousand times as long, is told from others.

use crate::llvm::{LlvmBlock, LlvmValue};
use std::collections::BTreeMap;

/// The blocks that some block behind them jumps back to: each cycle has one.
pub(super) fn heads<'m>(function: LlvmValue<'m>) -> Vec<LlvmBlock<'m>> {
    let blocks = function.blocks();
    let number = |block: &LlvmBlock<'_>| blocks.iter().position(|b| b == block);
    let numbers: BTreeMap<usize, Vec<usize>> = (0..)
        .zip(&blocks)
        .map(|(place, block)| {
            let next = block.successors();
            (place, next.iter().filter_map(number).collect())
        })
        .collect();
    let mut state = vec![BlockVisit::New; blocks.len()];
    let mut is_head = vec![false; blocks.len()];
    let mut path: Vec<(usize, usize)> = Vec::new();
    if !blocks.is_empty() {
        path.push((0, 0));
        state[0] = BlockVisit::OnPath;
    }
    while let Some((block, turn)) = path.last_mut() {
        let next = numbers.get(block).and_then(|all| all.get(*turn)).copied();
        *turn += 1;
        match next {
            Some(next) if state[next] == BlockVisit::New => {
                state[next] = BlockVisit::OnPath;
                path.push((next, 0));
            }
            Some(next) if state[next] == BlockVisit::OnPath => is_head[next] = true,
            Some(_) => {}
            None => {
                state[*block] = BlockVisit::Done;
                path.pop();
            }
        }
    }
    let heads = blocks.iter().zip(is_head).filter(|(_, is_head)| *is_head);
    heads.map(|(block, _)| *block).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BlockVisit {
    New,
    OnPath,
    Done,
}
