//! Builders of equality and of the signed and unsigned order. The result has width 1; comparisons
//! are moved into narrower operands where that is exact.

use crate::node::{mask, signed};
use crate::{Arena, ExprId, ExprOp};

impl Arena {
    pub fn ne(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    pub fn ule(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let gt = self.ult(b, a);
        self.not(gt)
    }

    pub fn ugt(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.ult(b, a)
    }

    pub fn uge(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.ule(b, a)
    }

    pub fn sle(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let gt = self.slt(b, a);
        self.not(gt)
    }

    pub fn sgt(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.slt(b, a)
    }

    pub fn sge(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.sle(b, a)
    }

    pub fn eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if a == b {
            return self.yes();
        }
        let (a, b) = self.ordered(a, b);
        if let Some(folded) = self.fold(ExprOp::Eq, 1, a, b) {
            return folded;
        }
        if let Some(y) = self.as_const(b) {
            if let Some(simple) = self.eq_const(a, y) {
                return simple;
            }
        } else if let Some(simple) = self.eq_same_shape(a, b) {
            return simple;
        }
        self.node2(ExprOp::Eq, 1, a, b)
    }

    /// `a = y` for a constant `y`, taken through the outermost operation of `a`.
    fn eq_const(&mut self, a: ExprId, y: u128) -> Option<ExprId> {
        let width = self.width(a);
        if width == 1 {
            return Some(if y == 1 { a } else { self.not(a) });
        }
        let node = self.nodes[a.index()];
        let (p, q) = (ExprId::new(node.a), ExprId::new(node.b));
        match node.op {
            ExprOp::ZExt => {
                let inner = self.width(p);
                if y > mask(inner) {
                    return Some(self.no());
                }
                let y = self.constant(inner, y);
                Some(self.eq(p, y))
            }
            ExprOp::SExt => {
                let inner = self.width(p);
                if signed(y & mask(inner), inner) != signed(y, width) {
                    return Some(self.no());
                }
                let y = self.constant(inner, y);
                Some(self.eq(p, y))
            }
            ExprOp::Concat => {
                let low_width = self.width(q);
                let high_width = self.width(p);
                let high = self.constant(high_width, y >> low_width);
                let low = self.constant(low_width, y);
                let x = self.eq(p, high);
                let z = self.eq(q, low);
                Some(self.and(x, z))
            }
            ExprOp::Not => {
                let y = self.constant(width, !y);
                Some(self.eq(p, y))
            }
            ExprOp::Neg => {
                let y = self.constant(width, y.wrapping_neg());
                Some(self.eq(p, y))
            }
            ExprOp::Add | ExprOp::Xor => {
                let c = self.as_const(q)?;
                let y = if node.op == ExprOp::Add {
                    y.wrapping_sub(c)
                } else {
                    y ^ c
                };
                let y = self.constant(width, y);
                Some(self.eq(p, y))
            }
            ExprOp::Sub if y == 0 => Some(self.eq(p, q)),
            ExprOp::Ite => {
                let (x, z) = (q, ExprId::new(node.c));
                if self.op(x) != ExprOp::Const && self.op(z) != ExprOp::Const {
                    return None;
                }
                let y = self.constant(width, y);
                let x = self.eq(x, y);
                let z = self.eq(z, y);
                Some(self.ite(p, x, z))
            }
            _ => None,
        }
    }

    /// Both sides widened or moved in the same way.
    fn eq_same_shape(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if self.width(a) == 1 {
            let different = self.xor(a, b);
            return Some(self.not(different));
        }
        let (x, y) = (self.nodes[a.index()], self.nodes[b.index()]);
        let (p, q) = (ExprId::new(x.a), ExprId::new(y.a));
        match (x.op, y.op) {
            (ExprOp::ZExt, ExprOp::ZExt) | (ExprOp::SExt, ExprOp::SExt) => {
                let width = self.width(p).max(self.width(q));
                let p = self.convert(x.op, p, width);
                let q = self.convert(x.op, q, width);
                (width < self.width(a)).then(|| self.eq(p, q))
            }
            (ExprOp::Add, ExprOp::Add) if x.b == y.b => Some(self.eq(p, q)),
            _ => None,
        }
    }

    pub fn ult(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if a == b {
            return self.no();
        }
        let width = self.width(a);
        if let Some(folded) = self.fold(ExprOp::Ult, 1, a, b) {
            return folded;
        }
        if width == 1 {
            let not = self.not(a);
            return self.and(not, b);
        }
        if let Some(y) = self.as_const(b) {
            if y == 0 {
                return self.no();
            }
            if y == 1 {
                let zero = self.constant(width, 0);
                return self.eq(a, zero);
            }
            if y == mask(width) {
                return self.ne(a, b);
            }
            if let Some(inner) = self.operand(ExprOp::ZExt, a) {
                let inner_width = self.width(inner);
                if y > mask(inner_width) {
                    return self.yes();
                }
                let y = self.constant(inner_width, y);
                return self.ult(inner, y);
            }
        }
        if let Some(x) = self.as_const(a) {
            if x == mask(width) {
                return self.no();
            }
            if x == 0 {
                return self.ne(b, a);
            }
            if x == mask(width) - 1 {
                let top = self.constant(width, mask(width));
                return self.eq(b, top);
            }
            if let Some(inner) = self.operand(ExprOp::ZExt, b) {
                let inner_width = self.width(inner);
                if x >= mask(inner_width) {
                    return self.no();
                }
                let x = self.constant(inner_width, x);
                return self.ult(x, inner);
            }
        }
        if let Some((p, q)) = self.both_widened(ExprOp::ZExt, a, b) {
            return self.ult(p, q);
        }
        // Sign extension keeps the unsigned order of the originals.
        if let Some((p, q)) = self.both_widened(ExprOp::SExt, a, b) {
            return self.ult(p, q);
        }
        if let Some(simple) = self.compare_ite(ExprOp::Ult, a, b) {
            return simple;
        }
        self.node2(ExprOp::Ult, 1, a, b)
    }

    pub fn slt(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if a == b {
            return self.no();
        }
        let width = self.width(a);
        if let Some(folded) = self.fold(ExprOp::Slt, 1, a, b) {
            return folded;
        }
        if width == 1 {
            let not = self.not(b);
            return self.and(a, not);
        }
        if self.is_non_negative(a) && self.is_non_negative(b) {
            return self.ult(a, b);
        }
        let smallest = 1u128 << (width - 1);
        if let Some(y) = self.as_const(b) {
            if y == smallest || (signed(y, width) <= 0 && self.is_non_negative(a)) {
                return self.no();
            }
            if y == smallest - 1 {
                return self.ne(a, b);
            }
            if let Some(inner) = self.operand(ExprOp::SExt, a) {
                return self.slt_narrow(inner, y, width, false);
            }
        }
        if let Some(x) = self.as_const(a) {
            if x == smallest - 1 {
                return self.no();
            }
            if signed(x, width) < 0 && self.is_non_negative(b) {
                return self.yes();
            }
            if x == smallest {
                return self.ne(b, a);
            }
            if let Some(inner) = self.operand(ExprOp::SExt, b) {
                return self.slt_narrow(inner, x, width, true);
            }
        }
        if let Some((p, q)) = self.both_widened(ExprOp::SExt, a, b) {
            return self.slt(p, q);
        }
        if let Some(simple) = self.compare_ite(ExprOp::Slt, a, b) {
            return simple;
        }
        self.node2(ExprOp::Slt, 1, a, b)
    }

    /// `sext(inner) < c` (or `c < sext(inner)`) in the inner width.
    fn slt_narrow(&mut self, inner: ExprId, c: u128, width: u8, flipped: bool) -> ExprId {
        let inner_width = self.width(inner);
        let value = signed(c, width);
        let limit = 1i128 << (inner_width - 1);
        if value >= limit {
            return self.boolean(!flipped);
        }
        if value < -limit {
            return self.boolean(flipped);
        }
        let c = self.constant(inner_width, c);
        if flipped {
            self.slt(c, inner)
        } else {
            self.slt(inner, c)
        }
    }

    /// The two sides in the smallest common width, if both are widened by `op`.
    fn both_widened(&mut self, op: ExprOp, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId)> {
        let (p, q) = (self.operand(op, a)?, self.operand(op, b)?);
        let width = self.width(p).max(self.width(q));
        if width >= self.width(a) {
            return None;
        }
        Some((self.convert(op, p, width), self.convert(op, q, width)))
    }

    /// A comparison of a choice between constants with a constant is the choice's condition.
    fn compare_ite(&mut self, op: ExprOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        let is_const = |arena: &Arena, e| arena.op(e) == ExprOp::Const;
        if let Some((c, x, y)) = self.ite_parts(a)
            && is_const(self, b)
            && is_const(self, x)
            && is_const(self, y)
        {
            let x = self.binary(op, x, b);
            let y = self.binary(op, y, b);
            return Some(self.ite(c, x, y));
        }
        if let Some((c, x, y)) = self.ite_parts(b)
            && is_const(self, a)
            && is_const(self, x)
            && is_const(self, y)
        {
            let x = self.binary(op, a, x);
            let y = self.binary(op, a, y);
            return Some(self.ite(c, x, y));
        }
        None
    }
}
