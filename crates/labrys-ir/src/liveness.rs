//! Which registers a place of a function still needs: those that are read on some way from there
//! before they are written.

use crate::cfg::{Cfg, block_edges};
use crate::{BlockId, Function, Reg};

/// The registers that each block of a function needs at its start.
#[derive(Clone, Debug)]
pub struct Liveness {
    starts: Vec<RegisterSet>,
}

/// A set of registers, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct RegisterSet(Vec<u64>);

impl RegisterSet {
    fn new(function: &Function) -> RegisterSet {
        RegisterSet(vec![0; function.widths.len().div_ceil(64)])
    }

    fn insert(&mut self, reg: Reg) {
        self.0[reg.index() / 64] |= 1 << (reg.index() % 64);
    }

    fn remove(&mut self, reg: Reg) {
        self.0[reg.index() / 64] &= !(1 << (reg.index() % 64));
    }

    fn contains(&self, reg: Reg) -> bool {
        self.0[reg.index() / 64] >> (reg.index() % 64) & 1 == 1
    }

    fn add(&mut self, other: &RegisterSet) {
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }
}

impl Liveness {
    pub fn of(function: &Function) -> Liveness {
        let cfg = Cfg::of(function);
        let mut liveness = Liveness {
            starts: vec![RegisterSet::new(function); function.blocks.len()],
        };
        let mut changed = true;
        while changed {
            changed = false;
            for block in cfg.order.iter().rev() {
                let start = function.blocks[block.index()].start;
                let live = liveness.before(function, *block, start);
                if live != liveness.starts[block.index()] {
                    liveness.starts[block.index()] = live;
                    changed = true;
                }
            }
        }
        liveness
    }

    /// Whether each of the function's registers is needed at an instruction, before it is executed.
    pub fn at(&self, function: &Function, place: u32) -> Vec<bool> {
        let within = |block: &crate::Block| block.start <= place && place < block.end;
        let Some(block) = function.blocks.iter().position(within) else {
            return vec![true; function.widths.len()];
        };
        let live = self.before(function, BlockId(block as u32), place);
        let registers = 0..function.widths.len() as u32;
        registers.map(|reg| live.contains(Reg(reg))).collect()
    }

    fn before(&self, function: &Function, block: BlockId, place: u32) -> RegisterSet {
        let mut live = RegisterSet::new(function);
        for edge in block_edges(function, block) {
            let target = function.edges[edge.index()].target;
            let mut over = self.starts[target.index()].clone();
            for (dst, src) in function.edge_copies(edge).iter().rev() {
                if over.contains(*dst) {
                    over.remove(*dst);
                    over.insert(*src);
                }
            }
            live.add(&over);
        }
        let end = function.blocks[block.index()].end;
        for at in (place..end).rev() {
            let inst = &function.code[at as usize];
            inst.for_each_write(function, &mut |reg| live.remove(reg));
            inst.for_each_read(function, &mut |reg| live.insert(reg));
        }
        live
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::parse;

    #[test]
    fn what_is_read_later_is_live() {
        let text = "function @f(r0, r1) -> 32 { regs 32 32 1 32\n\
                    edge e0 -> b1 [r3 = r0]\nedge e1 -> b1 [r3 = r1]\n\
                    b0: r2 = cmp.slt.32 r0, r1 branch r2, e0, e1\n\
                    b1: return (r3) }";
        let module = parse(text).unwrap();
        let function = &module.functions[0];
        let liveness = Liveness::of(function);
        assert_eq!(liveness.at(function, 0), [true, true, false, false]);
        assert_eq!(liveness.at(function, 1), [true, true, true, false]);
        assert_eq!(liveness.at(function, 2), [false, false, false, true]);
    }
}
