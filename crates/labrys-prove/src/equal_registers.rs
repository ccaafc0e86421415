//! Whether two registers are equal because they were computed alike, up to operations that change
//! nothing for the values at hand.

use crate::definitions::CodePoint;
use crate::refine::FunctionView;
use crate::state::AbstractState;
use crate::value_set::mask;
use labrys_ir::{BinOp, Inst, Reg};

/// Expressions are compared this deep.
pub(crate) const MAX_COMPARED_DEPTH: u32 = 6;

impl FunctionView<'_> {
    /// Are two registers the same expression of the same registers, once operations that change
    /// nothing here are left out? Mutants often differ from the original by such an operation.
    pub(crate) fn are_equal(
        &self,
        state: &AbstractState,
        point: CodePoint,
        a: Reg,
        b: Reg,
        depth: u32,
    ) -> bool {
        let (a, b) = (
            self.without_neutral_operations(state, point, a),
            self.without_neutral_operations(state, point, b),
        );
        let loose = |reg| self.definitions.may_be_unwritten(reg);
        if loose(a) || loose(b) {
            return false;
        }
        if self.definitions.name(a) == self.definitions.name(b) {
            return true;
        }
        if depth == 0 || !self.step() {
            return false;
        }
        let inst = |reg| self.definitions.inst_at(reg, point);
        let (Some(x), Some(y)) = (inst(a), inst(b)) else {
            return false;
        };
        let same = |a, b| self.are_equal(state, point, a, b, depth - 1);
        let code = &self.function.code;
        match (code[x as usize], code[y as usize]) {
            (
                Inst::Bin { op, a, b, .. },
                Inst::Bin {
                    op: p, a: c, b: d, ..
                },
            ) => op == p && same(a, c) && same(b, d),
            (
                Inst::Cmp { op, a, b, .. },
                Inst::Cmp {
                    op: p, a: c, b: d, ..
                },
            ) => op == p && same(a, c) && same(b, d),
            (
                Inst::Cast { op, to, src, .. },
                Inst::Cast {
                    op: p,
                    to: u,
                    src: other,
                    ..
                },
            ) => op == p && to == u && same(src, other),
            _ => false,
        }
    }

    /// The register that this one is equal to, since what was done to it changes nothing.
    fn without_neutral_operations(&self, state: &AbstractState, point: CodePoint, reg: Reg) -> Reg {
        let mut reg = reg;
        for _ in 0..MAX_COMPARED_DEPTH {
            let Some(at) = self.definitions.inst_at(reg, point) else {
                return reg;
            };
            let is = |reg: Reg, bits: u64| {
                let value = self.recomputed(state, point, reg, at, 3);
                value.is_ok_and(|value| value.as_constant() == Some(bits))
            };
            let unchanged = match self.function.code[at as usize] {
                Inst::Copy { src, .. } => Some(src),
                Inst::Bin {
                    op, a, b, width, ..
                } => match op {
                    BinOp::Add | BinOp::Or | BinOp::Xor if is(b, 0) => Some(a),
                    BinOp::Add | BinOp::Or | BinOp::Xor if is(a, 0) => Some(b),
                    BinOp::Sub | BinOp::Shl | BinOp::LShr | BinOp::AShr if is(b, 0) => Some(a),
                    BinOp::Mul | BinOp::UDiv | BinOp::SDiv if width > 1 && is(b, 1) => Some(a),
                    BinOp::Mul if width > 1 && is(a, 1) => Some(b),
                    BinOp::And if width <= 64 && is(b, mask(width)) => Some(a),
                    BinOp::And if width <= 64 && is(a, mask(width)) => Some(b),
                    _ => None,
                },
                Inst::Select { cond, a, b, .. } => {
                    let cond = self.recomputed(state, point, cond, at, 3);
                    match cond.map(|value| value.is_zero()) {
                        Ok(Some(true)) => Some(b),
                        Ok(Some(false)) => Some(a),
                        _ => None,
                    }
                }
                _ => None,
            };
            match unchanged {
                Some(next) => reg = next,
                None => return reg,
            }
        }
        reg
    }
}
