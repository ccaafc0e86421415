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
use crate::{Arena, ExprId, Op};

impl Arena {
    /// Makes a node for an operation of two operands, whatever it is.
    pub fn binary(&mut self, op: Op, a: ExprId, b: ExprId) -> ExprId {
        match op {
            Op::Add => self.add(a, b),
            Op::Sub => self.sub(a, b),
            Op::Mul => self.mul(a, b),
            Op::UDiv => self.udiv(a, b),
            Op::SDiv => self.sdiv(a, b),
            Op::URem => self.urem(a, b),
            Op::SRem => self.srem(a, b),
            Op::And => self.and(a, b),
            Op::Or => self.or(a, b),
            Op::Xor => self.xor(a, b),
            Op::Shl => self.shl(a, b),
            Op::LShr => self.lshr(a, b),
            Op::AShr => self.ashr(a, b),
            Op::Eq => self.eq(a, b),
            Op::Ult => self.ult(a, b),
            Op::Slt => self.slt(a, b),
            Op::Concat => self.concat(a, b),
            _ => self.float_binary(op, a, b),
        }
    }

    /// Makes a node for an operation of one operand of the same width.
    pub fn unary(&mut self, op: Op, a: ExprId) -> ExprId {
        match op {
            Op::Not => self.not(a),
            Op::Neg => self.neg(a),
            _ => self.fsqrt(a),
        }
    }

    /// Makes a conversion to `width` bits.
    pub fn convert(&mut self, op: Op, a: ExprId, width: u8) -> ExprId {
        match op {
            Op::ZExt => self.zext(a, width),
            Op::SExt => self.sext(a, width),
            _ => self.float_convert(op, a, width),
        }
    }

    /// The constant result if both operands are constants.
    fn fold(&mut self, op: Op, width: u8, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (x, y) = (self.as_const(a)?, self.as_const(b)?);
        let value = eval::binary(op, self.width(a), x, self.width(b), y);
        Some(self.constant(width, value))
    }

    fn node2(&mut self, op: Op, width: u8, a: ExprId, b: ExprId) -> ExprId {
        self.intern(op, width, a.raw(), b.raw(), 0)
    }

    /// Orders the operands of a commutative operation: a constant last, else by id.
    #[inline]
    fn ordered(&self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let constant = |e| self.op(e) == Op::Const;
        if constant(a) && !constant(b) || constant(a) == constant(b) && b < a {
            (b, a)
        } else {
            (a, b)
        }
    }

    /// The operands of `e` if it is a binary node of this operation.
    #[inline]
    fn operands(&self, op: Op, e: ExprId) -> Option<(ExprId, ExprId)> {
        let n = &self.nodes[e.index()];
        (n.op == op).then(|| (ExprId::new(n.a), ExprId::new(n.b)))
    }

    /// The operand of `e` if it is a unary node or conversion of this operation.
    #[inline]
    fn operand(&self, op: Op, e: ExprId) -> Option<ExprId> {
        let n = &self.nodes[e.index()];
        (n.op == op).then(|| ExprId::new(n.a))
    }
}
