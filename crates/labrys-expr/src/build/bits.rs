//! Builders of bitwise operations, shifts, table look-ups and `ite`. Each takes operands of one
//! width, folds constants, simplifies, and returns the interned result.

use crate::node::mask;
use crate::{Arena, ExprId, ExprKind, ExprOp, TableId};

impl Arena {
    pub fn not(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        if let Some(x) = self.as_const(a) {
            return self.constant(width, !x);
        }
        if let Some(inner) = self.operand(ExprOp::Not, a) {
            return inner;
        }
        self.intern(ExprOp::Not, width, a.raw(), 0, 0)
    }

    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return a;
        }
        if let Some(folded) = self.fold(ExprOp::And, width, a, b) {
            return folded;
        }
        if let Some(y) = self.as_const(b) {
            if y == 0 {
                return b;
            }
            if y == mask(width) {
                return a;
            }
            if (y + 1).is_power_of_two() {
                let low = self.extract(a, 0, y.trailing_ones() as u8);
                return self.zext(low, width);
            }
            if let Some(inner) = self.operand(ExprOp::ZExt, a) {
                let inner_width = self.width(inner);
                let low = self.constant(inner_width, y);
                let masked = self.and(inner, low);
                return self.zext(masked, width);
            }
            if let Some((x, inner)) = self.operands(ExprOp::And, a)
                && let Some(z) = self.as_const(inner)
            {
                let both = self.constant(width, y & z);
                return self.and(x, both);
            }
            if let Some((high, low)) = self.operands(ExprOp::Concat, a) {
                return self.split_bitwise(ExprOp::And, high, low, b);
            }
            if let Some((p, q)) = self.operands(ExprOp::Xor, a) {
                if self.is_masked_out(p, y) {
                    return self.and(q, b);
                }
                if self.is_masked_out(q, y) {
                    return self.and(p, b);
                }
            }
        }
        if self.operand(ExprOp::Not, a) == Some(b) || self.operand(ExprOp::Not, b) == Some(a) {
            return self.constant(width, 0);
        }
        self.node2(ExprOp::And, width, a, b)
    }

    /// Has the value none of these bits, because a mask has taken them away?
    fn is_masked_out(&self, e: ExprId, bits: u128) -> bool {
        match self.kind(e) {
            ExprKind::Const(value) => value & bits == 0,
            ExprKind::Binary(ExprOp::And, _, mask) => {
                let left = self.as_const(mask);
                left.is_some_and(|left| left & bits == 0)
            }
            ExprKind::Ite(_, yes, no) => [yes, no].iter().all(|e| match self.kind(*e) {
                ExprKind::Ite(..) => false,
                _ => self.is_masked_out(*e, bits),
            }),
            _ => false,
        }
    }

    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return a;
        }
        if let Some(folded) = self.fold(ExprOp::Or, width, a, b) {
            return folded;
        }
        if let Some(y) = self.as_const(b) {
            if y == 0 {
                return a;
            }
            if y == mask(width) {
                return b;
            }
            if let Some((high, low)) = self.operands(ExprOp::Concat, a) {
                return self.split_bitwise(ExprOp::Or, high, low, b);
            }
        }
        if self.operand(ExprOp::Not, a) == Some(b) || self.operand(ExprOp::Not, b) == Some(a) {
            return self.constant(width, u128::MAX);
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return joined;
        }
        self.node2(ExprOp::Or, width, a, b)
    }

    pub fn xor(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.constant(width, 0);
        }
        if let Some(folded) = self.fold(ExprOp::Xor, width, a, b) {
            return folded;
        }
        if let Some(y) = self.as_const(b) {
            if y == 0 {
                return a;
            }
            if y == mask(width) {
                return self.not(a);
            }
            if let Some((x, inner)) = self.operands(ExprOp::Xor, a)
                && let Some(z) = self.as_const(inner)
            {
                let both = self.constant(width, y ^ z);
                return self.xor(x, both);
            }
        }
        match (self.operand(ExprOp::Not, a), self.operand(ExprOp::Not, b)) {
            (Some(x), Some(y)) => return self.xor(x, y),
            (Some(x), None) => {
                let inner = self.xor(x, b);
                return self.not(inner);
            }
            (None, Some(y)) => {
                let inner = self.xor(a, y);
                return self.not(inner);
            }
            (None, None) => {}
        }
        self.node2(ExprOp::Xor, width, a, b)
    }

    pub fn shl(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        if let Some(folded) = self.fold(ExprOp::Shl, width, a, b) {
            return folded;
        }
        match self.as_const(b) {
            Some(0) => a,
            Some(k) if k >= u128::from(width) => self.constant(width, 0),
            Some(k) => {
                let kept = self.extract(a, 0, width - k as u8);
                let zeros = self.constant(k as u8, 0);
                self.concat(kept, zeros)
            }
            None => self.node2(ExprOp::Shl, width, a, b),
        }
    }

    pub fn lshr(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        if let Some(folded) = self.fold(ExprOp::LShr, width, a, b) {
            return folded;
        }
        match self.as_const(b) {
            Some(0) => a,
            Some(k) if k >= u128::from(width) => self.constant(width, 0),
            Some(k) => {
                let kept = self.extract(a, k as u32, width - k as u8);
                self.zext(kept, width)
            }
            None => self.node2(ExprOp::LShr, width, a, b),
        }
    }

    pub fn ashr(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        if let Some(folded) = self.fold(ExprOp::AShr, width, a, b) {
            return folded;
        }
        match self.as_const(b) {
            Some(0) => a,
            Some(k) => {
                let k = k.min(u128::from(width) - 1) as u8;
                let kept = self.extract(a, k.into(), width - k);
                self.sext(kept, width)
            }
            None => self.node2(ExprOp::AShr, width, a, b),
        }
    }

    pub fn ite(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        if a == b || c == self.yes() {
            return a;
        }
        if c == self.no() {
            return b;
        }
        if let Some(inner) = self.operand(ExprOp::Not, c) {
            return self.ite(inner, b, a);
        }
        let width = self.width(a);
        if width == 1 {
            if let Some(x) = self.as_const(a) {
                if x == 1 {
                    return self.or(c, b);
                }
                let not = self.not(c);
                return self.and(not, b);
            }
            if let Some(y) = self.as_const(b) {
                if y == 0 {
                    return self.and(c, a);
                }
                let not = self.not(c);
                return self.or(not, a);
            }
        }
        if let Some((d, x, _)) = self.ite_parts(a)
            && d == c
        {
            return self.ite(c, x, b);
        }
        if let Some((d, _, y)) = self.ite_parts(b)
            && d == c
        {
            return self.ite(c, a, y);
        }
        self.intern(ExprOp::Ite, width, c.raw(), a.raw(), b.raw())
    }

    /// Entry `index` of a table; an index past its end gives the last entry.
    pub fn select(&mut self, table: TableId, index: ExprId) -> ExprId {
        let last = self.table_entries(table).len() - 1;
        if let Some(i) = self.as_const(index) {
            return self.table_entries(table)[i.min(last as u128) as usize];
        }
        if let Some(inner) = self.operand(ExprOp::ZExt, index) {
            return self.select(table, inner);
        }
        let reachable = mask(self.width(index)).min(last as u128) as usize + 1;
        let entries = &self.table_entries(table)[..reachable];
        if entries.iter().all(|e| *e == entries[0]) {
            return entries[0];
        }
        let width = self.width(entries[0]);
        let table = if reachable <= last {
            let short = entries.to_vec();
            self.table(&short)
        } else {
            table
        };
        self.intern(ExprOp::Table, width, table.0, index.raw(), 0)
    }

    #[inline]
    pub(super) fn ite_parts(&self, e: ExprId) -> Option<(ExprId, ExprId, ExprId)> {
        let n = &self.nodes[e.index()];
        (n.op == ExprOp::Ite).then(|| (ExprId::new(n.a), ExprId::new(n.b), ExprId::new(n.c)))
    }

    /// `concat(high, low) op constant`, part by part.
    fn split_bitwise(&mut self, op: ExprOp, high: ExprId, low: ExprId, constant: ExprId) -> ExprId {
        let (high_width, low_width) = (self.width(high), self.width(low));
        let for_high = self.extract(constant, low_width.into(), high_width);
        let for_low = self.extract(constant, 0, low_width);
        let high = self.binary(op, high, for_high);
        let low = self.binary(op, low, for_low);
        self.concat(high, low)
    }

    /// `x·2^k + y` and `x·2^k | y` with `y < 2^k` put the two beside each other.
    pub(super) fn join_disjoint(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        self.join_ordered(a, b).or_else(|| self.join_ordered(b, a))
    }

    fn join_ordered(&mut self, shifted: ExprId, small: ExprId) -> Option<ExprId> {
        let (shifted, outer) = match self.operand(ExprOp::ZExt, shifted) {
            Some(inner) if self.op(inner) == ExprOp::Concat => (inner, Some(self.width(shifted))),
            _ => (shifted, None),
        };
        let (high, low) = self.operands(ExprOp::Concat, shifted)?;
        if self.as_const(low) != Some(0) {
            return None;
        }
        let low_width = self.width(low);
        let fits = match self.as_const(small) {
            Some(value) => value <= mask(low_width),
            None => self
                .operand(ExprOp::ZExt, small)
                .is_some_and(|x| self.width(x) <= low_width),
        };
        if !fits {
            return None;
        }
        let low = self.extract(small, 0, low_width);
        let joined = self.concat(high, low);
        Some(match outer {
            Some(width) => self.zext(joined, width),
            None => joined,
        })
    }
}
