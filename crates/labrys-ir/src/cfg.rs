//! The control flow graph of one function, its dominators and its loops. In comes a function, out
//! come successors and predecessors by block, and an order of the blocks.

use crate::{BlockId, EdgeId, Function, Inst};
use std::collections::BTreeSet;

/// The edges that leave a block, each once.
pub fn block_edges(function: &Function, block: BlockId) -> Vec<EdgeId> {
    let end = function.blocks[block.index()].end;
    let mut edges = match function.code[end as usize - 1] {
        Inst::Jump { edge } => vec![edge],
        Inst::Branch { then, other, .. } => vec![then, other],
        Inst::Switch { table, .. } | Inst::JumpIndirect { table, .. } => {
            let table = &function.switches[table.index()];
            let cases = table.cases.iter().map(|(_, edge)| *edge);
            cases.chain(table.default).collect()
        }
        _ => Vec::new(),
    };
    let mut seen = BTreeSet::new();
    edges.retain(|edge| seen.insert(edge.index()));
    edges
}

/// Successors, predecessors and an order of the blocks.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// In the order of the terminator, each once.
    pub successors: Vec<Vec<BlockId>>,
    /// In the order of block numbers, each once.
    pub predecessors: Vec<Vec<BlockId>>,
    /// Reverse post order of the blocks that the entry reaches; the entry is first.
    pub order: Vec<BlockId>,
}

impl Cfg {
    pub fn of(function: &Function) -> Cfg {
        let count = function.blocks.len();
        let mut successors = Vec::with_capacity(count);
        let mut predecessors = vec![Vec::new(); count];
        for number in 0..count {
            let block = BlockId(number as u32);
            let mut targets: Vec<BlockId> = Vec::new();
            for edge in block_edges(function, block) {
                let target = function.edges[edge.index()].target;
                if !targets.contains(&target) {
                    targets.push(target);
                    predecessors[target.index()].push(block);
                }
            }
            successors.push(targets);
        }
        let order = reverse_post_order(&successors);
        Cfg {
            successors,
            predecessors,
            order,
        }
    }

    /// The graph with all edges turned around. Its entry, block 0, is the end of the function, where
    /// all blocks lead that return or go nowhere; the others are counted from 1. Dominators in it are the
    /// blocks through which every way to the end goes.
    pub fn reversed(&self) -> Cfg {
        let count = self.successors.len() + 1;
        let shifted = |blocks: &[BlockId]| blocks.iter().map(|b| BlockId(b.0 + 1)).collect();
        let mut reversed = Cfg {
            successors: vec![Vec::new(); count],
            predecessors: vec![Vec::new(); count],
            order: Vec::new(),
        };
        for number in 0..count - 1 {
            reversed.successors[number + 1] = shifted(&self.predecessors[number]);
            reversed.predecessors[number + 1] = shifted(&self.successors[number]);
            if self.successors[number].is_empty() {
                let block = BlockId(number as u32 + 1);
                reversed.successors[0].push(block);
                reversed.predecessors[block.index()].push(BlockId(0));
            }
        }
        reversed.order = reverse_post_order(&reversed.successors);
        reversed
    }

    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.order.contains(&block)
    }
}

fn reverse_post_order(successors: &[Vec<BlockId>]) -> Vec<BlockId> {
    if successors.is_empty() {
        return Vec::new();
    }
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::with_capacity(successors.len());
    let mut stack = vec![(BlockId(0), 0)];
    seen[0] = true;
    while let Some((block, next)) = stack.last_mut() {
        let targets = &successors[block.index()];
        // Last successor first, so that the first one comes first in the reversed order.
        if *next < targets.len() {
            let target = targets[targets.len() - 1 - *next];
            *next += 1;
            if !seen[target.index()] {
                seen[target.index()] = true;
                stack.push((target, 0));
            }
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    order
}

/// Immediate dominators, after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
#[derive(Clone, Debug)]
pub struct Dominators {
    /// The immediate dominator of each block; the entry's is itself, unreachable ones have none.
    immediate: Vec<Option<BlockId>>,
    /// Place of each block in reverse post order.
    place: Vec<usize>,
}

impl Dominators {
    pub fn of(cfg: &Cfg) -> Dominators {
        let count = cfg.successors.len();
        let mut place = vec![usize::MAX; count];
        for (i, block) in cfg.order.iter().enumerate() {
            place[block.index()] = i;
        }
        let mut dominators = Dominators {
            immediate: vec![None; count],
            place,
        };
        let Some((entry, rest)) = cfg.order.split_first() else {
            return dominators;
        };
        dominators.immediate[entry.index()] = Some(*entry);
        let mut changed = true;
        while changed {
            changed = false;
            for block in rest {
                let mut best: Option<BlockId> = None;
                for before in &cfg.predecessors[block.index()] {
                    if dominators.immediate[before.index()].is_some() {
                        best = Some(match best {
                            None => *before,
                            Some(other) => dominators.meet(*before, other),
                        });
                    }
                }
                if best.is_some() && dominators.immediate[block.index()] != best {
                    dominators.immediate[block.index()] = best;
                    changed = true;
                }
            }
        }
        dominators
    }

    /// The nearest block that dominates both.
    fn meet(&self, mut a: BlockId, mut b: BlockId) -> BlockId {
        while a != b {
            let late = if self.place[a.index()] > self.place[b.index()] {
                &mut a
            } else {
                &mut b
            };
            match self.immediate[late.index()] {
                Some(up) => *late = up,
                None => break,
            }
        }
        a
    }

    /// The immediate dominator; none for the entry and for unreachable blocks.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.immediate[block.index()].filter(|up| *up != block)
    }

    /// Every path from the entry to `b` goes through `a`.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        if self.immediate[b.index()].is_none() {
            return false;
        }
        let mut block = b;
        loop {
            if block == a {
                return true;
            }
            match self.immediate(block) {
                Some(up) => block = up,
                None => return false,
            }
        }
    }
}

/// A natural loop: its head and every block of its body, in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    pub head: BlockId,
    pub body: Vec<BlockId>,
}

/// Edges `(from, to)` whose target dominates their source.
pub fn back_edges(cfg: &Cfg, dominators: &Dominators) -> Vec<(BlockId, BlockId)> {
    let mut edges = Vec::new();
    for from in &cfg.order {
        for to in &cfg.successors[from.index()] {
            if dominators.dominates(*to, *from) {
                edges.push((*from, *to));
            }
        }
    }
    edges
}

/// The natural loops, one a head, in the order of the heads.
pub fn loops(cfg: &Cfg, dominators: &Dominators) -> Vec<Loop> {
    let mut loops: Vec<Loop> = Vec::new();
    for (from, head) in back_edges(cfg, dominators) {
        let mut body = vec![head];
        let mut open = vec![from];
        while let Some(block) = open.pop() {
            if !body.contains(&block) {
                body.push(block);
                open.extend(&cfg.predecessors[block.index()]);
            }
        }
        match loops.iter_mut().find(|l| l.head == head) {
            Some(known) => known.body.extend(body),
            None => loops.push(Loop { head, body }),
        }
    }
    for found in &mut loops {
        found.body.sort();
        found.body.dedup();
    }
    loops.sort_by_key(|l| l.head);
    loops
}
