//! The order of a function's blocks: reverse post order, so that every definition is lifted
//! before its uses (phis aside). Blocks that cannot be reached are left out, except those whose
//! address is taken.

use crate::llvm::{LlvmBlock, LlvmValue};
use labrys_ir::BlockId;
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) struct BlockOrder<'m> {
    pub(crate) blocks: Vec<LlvmBlock<'m>>,
    numbers: FxHashMap<LlvmBlock<'m>, BlockId>,
}

impl<'m> BlockOrder<'m> {
    pub(crate) fn of(function: LlvmValue<'m>) -> BlockOrder<'m> {
        let all = function.blocks();
        let mut seen = FxHashSet::default();
        let mut post = Vec::with_capacity(all.len());
        // The entry comes first in the reversed list, hence last here.
        let taken = all.iter().skip(1).filter(|b| b.has_address_taken()).rev();
        let mut roots: Vec<LlvmBlock<'m>> = Vec::new();
        if let Some(entry) = all.first() {
            visit(*entry, &mut seen, &mut post);
            for block in taken {
                if !seen.contains(block) {
                    roots.push(*block);
                }
            }
        }
        let mut extra = Vec::new();
        for root in roots {
            visit(root, &mut seen, &mut extra);
        }
        post.reverse();
        extra.reverse();
        post.extend(extra);
        let numbers = post
            .iter()
            .enumerate()
            .map(|(i, block)| (*block, BlockId(i as u32)))
            .collect();
        BlockOrder {
            blocks: post,
            numbers,
        }
    }

    /// For a function that has no LLVM form.
    pub(crate) fn empty() -> BlockOrder<'m> {
        BlockOrder {
            blocks: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    pub(crate) fn number(&self, block: LlvmBlock<'m>) -> Option<BlockId> {
        self.numbers.get(&block).copied()
    }
}

/// Depth-first search; appends blocks when all their successors are done.
fn visit<'m>(
    root: LlvmBlock<'m>,
    seen: &mut FxHashSet<LlvmBlock<'m>>,
    post: &mut Vec<LlvmBlock<'m>>,
) {
    if !seen.insert(root) {
        return;
    }
    let mut stack = vec![(root, root.successors(), 0)];
    while let Some((block, successors, next)) = stack.last_mut() {
        // Last successor first: the first one then comes first in the reversed order.
        let count = successors.len();
        if *next < count {
            let successor = successors[count - 1 - *next];
            *next += 1;
            if seen.insert(successor) {
                stack.push((successor, successor.successors(), 0));
            }
        } else {
            post.push(*block);
            stack.pop();
        }
    }
}
