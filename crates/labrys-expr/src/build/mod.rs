//! The builder: every way to make an expression. Each method folds constants and brings the term
//! into a canonical form:
//!
//! - a constant operand of a commutative operation is on the right, other operands are ordered;
//! - shifts by a constant, masks of low bits and `zext` are `concat`, `extract` and `zext`;
//! - `a <= b` is `not (b < a)`, `a != b` is `not (a = b)`.

mod arith;
mod bits;
mod compare;
mod floats;
mod parts;

use crate::eval;
use crate::{Arena, ExprId, ExprOp};

impl Arena {
    /// Makes a node for an operation of two operands, whatever it is.
    pub fn binary(&mut self, op: ExprOp, a: ExprId, b: ExprId) -> ExprId {
        match op {
            ExprOp::Add => self.add(a, b),
            ExprOp::Sub => self.sub(a, b),
            ExprOp::Mul => self.mul(a, b),
            ExprOp::UDiv => self.udiv(a, b),
            ExprOp::SDiv => self.sdiv(a, b),
            ExprOp::URem => self.urem(a, b),
            ExprOp::SRem => self.srem(a, b),
            ExprOp::And => self.and(a, b),
            ExprOp::Or => self.or(a, b),
            ExprOp::Xor => self.xor(a, b),
            ExprOp::Shl => self.shl(a, b),
            ExprOp::LShr => self.lshr(a, b),
            ExprOp::AShr => self.ashr(a, b),
            ExprOp::Eq => self.eq(a, b),
            ExprOp::Ult => self.ult(a, b),
            ExprOp::Slt => self.slt(a, b),
            ExprOp::Concat => self.concat(a, b),
            _ => self.float_binary(op, a, b),
        }
    }

    /// Makes a node for an operation of one operand of the same width.
    pub fn unary(&mut self, op: ExprOp, a: ExprId) -> ExprId {
        match op {
            ExprOp::Not => self.not(a),
            ExprOp::Neg => self.neg(a),
            _ => self.fsqrt(a),
        }
    }

    /// Makes a conversion to `width` bits.
    pub fn convert(&mut self, op: ExprOp, a: ExprId, width: u8) -> ExprId {
        match op {
            ExprOp::ZExt => self.zext(a, width),
            ExprOp::SExt => self.sext(a, width),
            _ => self.float_convert(op, a, width),
        }
    }

    /// The constant result if both operands are constants.
    fn fold(&mut self, op: ExprOp, width: u8, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (x, y) = (self.as_const(a)?, self.as_const(b)?);
        let value = eval::binary(op, self.width(a), x, self.width(b), y);
        Some(self.constant(width, value))
    }

    fn node2(&mut self, op: ExprOp, width: u8, a: ExprId, b: ExprId) -> ExprId {
        self.intern(op, width, a.raw(), b.raw(), 0)
    }

    /// Orders the operands of a commutative operation: a constant last, else by id.
    #[inline]
    fn ordered(&self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let constant = |e| self.op(e) == ExprOp::Const;
        if constant(a) && !constant(b) || constant(a) == constant(b) && b < a {
            (b, a)
        } else {
            (a, b)
        }
    }

    /// The operands of `e` if it is a binary node of this operation.
    #[inline]
    fn operands(&self, op: ExprOp, e: ExprId) -> Option<(ExprId, ExprId)> {
        let n = &self.nodes[e.index()];
        (n.op == op).then(|| (ExprId::new(n.a), ExprId::new(n.b)))
    }

    /// The operand of `e` if it is a unary node or conversion of this operation.
    #[inline]
    fn operand(&self, op: ExprOp, e: ExprId) -> Option<ExprId> {
        let n = &self.nodes[e.index()];
        (n.op == op).then(|| ExprId::new(n.a))
    }
}
