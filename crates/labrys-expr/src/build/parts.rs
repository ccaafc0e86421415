//! Builders that take bit-vectors apart and put them together: `concat`, `extract`, `zext`, `sext`.
//! Neighbouring pieces of one expression become one piece again.

use crate::{Arena, ExprId, ExprOp};

/// How often an extraction is moved into both operands of an operation. Operands share parts, so
/// that without a bound the number of moves would double with every level.
const DISTRIBUTION_DEPTH: u32 = 6;

impl Arena {
    /// Bits `low .. low + width` of `e`.
    pub fn extract(&mut self, e: ExprId, low: u32, width: u8) -> ExprId {
        self.extract_within(e, low, width, DISTRIBUTION_DEPTH)
    }

    /// The same; goes into both operands at most `depth` times.
    fn extract_within(&mut self, e: ExprId, low: u32, width: u8, depth: u32) -> ExprId {
        let full = self.width(e);
        if low == 0 && width == full {
            return e;
        }
        let node = self.nodes[e.index()];
        let (a, b) = (ExprId::new(node.a), ExprId::new(node.b));
        let end = low + u32::from(width);
        match node.op {
            ExprOp::Const => {
                let value = self.const_value(&node) >> low;
                return self.constant(width, value);
            }
            ExprOp::Uninit => return self.uninit(width),
            ExprOp::Extract => return self.extract_within(a, low + node.b, width, depth),
            ExprOp::Concat => {
                let split = u32::from(self.width(b));
                if end <= split {
                    return self.extract_within(b, low, width, depth);
                }
                if low >= split {
                    return self.extract_within(a, low - split, width, depth);
                }
                let low_part = self.extract_within(b, low, (split - low) as u8, depth);
                let high_part = self.extract_within(a, 0, (end - split) as u8, depth);
                return self.concat(high_part, low_part);
            }
            ExprOp::ZExt => {
                let inner = u32::from(self.width(a));
                if end <= inner {
                    return self.extract_within(a, low, width, depth);
                }
                if low >= inner {
                    return self.constant(width, 0);
                }
                let part = self.extract_within(a, low, (inner - low) as u8, depth);
                return self.zext(part, width);
            }
            ExprOp::SExt => {
                let inner = u32::from(self.width(a));
                if end <= inner {
                    return self.extract_within(a, low, width, depth);
                }
                let from = low.min(inner - 1);
                let part = self.extract_within(a, from, (inner - from) as u8, depth);
                return self.sext(part, width);
            }
            ExprOp::And | ExprOp::Or | ExprOp::Xor if depth > 0 => {
                let x = self.extract_within(a, low, width, depth - 1);
                let y = self.extract_within(b, low, width, depth - 1);
                return self.binary(node.op, x, y);
            }
            ExprOp::Not => {
                let x = self.extract_within(a, low, width, depth);
                return self.not(x);
            }
            // The low bits of these depend only on the low bits of the operands.
            ExprOp::Add | ExprOp::Sub | ExprOp::Mul if low == 0 && depth > 0 => {
                let x = self.extract_within(a, 0, width, depth - 1);
                let y = self.extract_within(b, 0, width, depth - 1);
                return self.binary(node.op, x, y);
            }
            ExprOp::Neg if low == 0 => {
                let x = self.extract_within(a, 0, width, depth);
                return self.neg(x);
            }
            ExprOp::Ite if depth > 0 => {
                let c = ExprId::new(node.c);
                if self.op(b) == ExprOp::Const || self.op(c) == ExprOp::Const {
                    let x = self.extract_within(b, low, width, depth - 1);
                    let y = self.extract_within(c, low, width, depth - 1);
                    return self.ite(a, x, y);
                }
            }
            _ => {}
        }
        self.intern(ExprOp::Extract, width, e.raw(), low, 0)
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: ExprId, low: ExprId) -> ExprId {
        let (high_width, low_width) = (self.width(high), self.width(low));
        let width = high_width + low_width;
        if let Some(folded) = self.fold(ExprOp::Concat, width, high, low) {
            return folded;
        }
        if self.as_const(high) == Some(0) {
            return self.zext(low, width);
        }
        if self.op(high) == ExprOp::Uninit && self.op(low) == ExprOp::Uninit {
            return self.uninit(width);
        }
        // Left-leaning chains become right-leaning ones, so that neighbours meet.
        if let Some((x, y)) = self.operands(ExprOp::Concat, high) {
            let rest = self.concat(y, low);
            return self.concat(x, rest);
        }
        if let Some(inner) = self.operand(ExprOp::ZExt, high) {
            let rest = self.concat(inner, low);
            return self.zext(rest, width);
        }
        if let Some(joined) = self.adjacent(high, low) {
            return joined;
        }
        if let Some((x, rest)) = self.operands(ExprOp::Concat, low) {
            if let Some(joined) = self.adjacent(high, x) {
                return self.concat(joined, rest);
            }
            if let Some(folded) = self.fold(ExprOp::Concat, high_width + self.width(x), high, x) {
                return self.concat(folded, rest);
            }
        }
        self.node2(ExprOp::Concat, width, high, low)
    }

    /// Two neighbouring pieces of the same expression as one piece.
    fn adjacent(&mut self, high: ExprId, low: ExprId) -> Option<ExprId> {
        let (source, at) = self.piece(high);
        let (other, from) = self.piece(low);
        if source != other || at != from + u32::from(self.width(low)) {
            return None;
        }
        let width = self.width(high) + self.width(low);
        Some(self.extract(source, from, width))
    }

    fn piece(&self, e: ExprId) -> (ExprId, u32) {
        let n = &self.nodes[e.index()];
        if n.op == ExprOp::Extract {
            (ExprId::new(n.a), n.b)
        } else {
            (e, 0)
        }
    }

    pub fn zext(&mut self, a: ExprId, width: u8) -> ExprId {
        if self.width(a) == width {
            return a;
        }
        if let Some(x) = self.as_const(a) {
            return self.constant(width, x);
        }
        if let Some(inner) = self.operand(ExprOp::ZExt, a) {
            return self.zext(inner, width);
        }
        if let Some((c, x, y)) = self.ite_parts(a)
            && let (Some(x), Some(y)) = (self.as_const(x), self.as_const(y))
        {
            let (x, y) = (self.constant(width, x), self.constant(width, y));
            return self.ite(c, x, y);
        }
        self.intern(ExprOp::ZExt, width, a.raw(), 0, 0)
    }

    pub fn sext(&mut self, a: ExprId, width: u8) -> ExprId {
        let from = self.width(a);
        if from == width {
            return a;
        }
        if let Some(x) = self.as_const(a) {
            return self.constant(width, crate::node::signed(x, from) as u128);
        }
        if let Some(inner) = self.operand(ExprOp::SExt, a) {
            return self.sext(inner, width);
        }
        if let Some(inner) = self.operand(ExprOp::ZExt, a) {
            return self.zext(inner, width);
        }
        self.intern(ExprOp::SExt, width, a.raw(), 0, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extraction_from_shared_operands_is_quick() {
        let mut arena = Arena::new();
        let x = arena.new_var("x", 32);
        let mut sum = arena.var_expr(x);
        for _ in 0..300 {
            let product = arena.mul(sum, sum);
            sum = arena.add(product, sum);
        }
        let before = arena.len();
        let low = arena.extract(sum, 0, 8);
        assert_eq!(arena.width(low), 8);
        assert!(arena.len() - before < 1000);
    }
}
