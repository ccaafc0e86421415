//! Floats on the way backward: comparisons and signs are terms, arithmetic only where all operands are
//! constants. Other results may be any value: each question about a sum is as much work as hundreds of others.

use super::segment::Segment;
use crate::exec::float_comparison;
use labrys_expr::ExprId;
use labrys_ir::{FBinOp, FCmpOp, FUnOp, Reg};

impl Segment<'_> {
    /// The result, where it can be said.
    pub(super) fn float_bin(&mut self, op: FBinOp, width: u8, a: Reg, b: Reg) -> Option<ExprId> {
        is_term(width).then_some(())?;
        let (x, y) = (self.get(a), self.get(b));
        let arena = &mut self.terms.arena;
        let value = match op {
            FBinOp::CopySign => return Some(arena.copysign(x, y)),
            _ if arena.as_const(x).is_none() || arena.as_const(y).is_none() => return None,
            FBinOp::Add => arena.fadd(x, y),
            FBinOp::Sub => arena.fsub(x, y),
            FBinOp::Mul => arena.fmul(x, y),
            FBinOp::Div => arena.fdiv(x, y),
            FBinOp::Rem | FBinOp::Min | FBinOp::Max => return None,
        };
        self.if_number(value)
    }

    pub(super) fn float_un(&mut self, op: FUnOp, width: u8, src: Reg) -> Option<ExprId> {
        is_term(width).then_some(())?;
        let x = self.get(src);
        match op {
            FUnOp::Neg => Some(self.terms.arena.fneg(x)),
            FUnOp::Abs => Some(self.terms.arena.fabs(x)),
            _ => None,
        }
    }

    pub(super) fn float_cmp(&mut self, op: FCmpOp, width: u8, a: Reg, b: Reg) -> Option<ExprId> {
        is_term(width).then_some(())?;
        let (x, y) = (self.get(a), self.get(b));
        Some(float_comparison(&mut self.terms.arena, op, x, y))
    }

    /// Which bits a result has that is no number is not known.
    fn if_number(&mut self, value: ExprId) -> Option<ExprId> {
        let is_nan = self.terms.arena.is_nan(value);
        (self.terms.arena.as_const(is_nan) == Some(0)).then_some(value)
    }
}

/// Are values of this width in a variable of a predicate?
fn is_term(width: u8) -> bool {
    matches!(width, 32 | 64)
}
