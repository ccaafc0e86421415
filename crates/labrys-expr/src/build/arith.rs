//! Builders of addition, subtraction, multiplication and division. Each takes operands of one
//! width, folds constants, simplifies, and returns the interned result.

use crate::node::{mask, signed};
use crate::{Arena, ExprId, ExprOp};

impl Arena {
    pub fn neg(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        if let Some(x) = self.as_const(a) {
            return self.constant(width, x.wrapping_neg());
        }
        if let Some(inner) = self.operand(ExprOp::Neg, a) {
            return inner;
        }
        if let Some((x, y)) = self.operands(ExprOp::Sub, a) {
            return self.sub(y, x);
        }
        self.intern(ExprOp::Neg, width, a.raw(), 0, 0)
    }

    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        if width == 1 {
            return self.xor(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(folded) = self.fold(ExprOp::Add, width, a, b) {
            return folded;
        }
        if let Some(y) = self.as_const(b) {
            if y == 0 {
                return a;
            }
            if let Some((x, inner)) = self.operands(ExprOp::Add, a)
                && let Some(z) = self.as_const(inner)
            {
                let sum = self.constant(width, y.wrapping_add(z));
                return self.add(x, sum);
            }
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return joined;
        }
        if let Some(y) = self.operand(ExprOp::Neg, b) {
            return self.sub(a, y);
        }
        if let Some(x) = self.operand(ExprOp::Neg, a) {
            return self.sub(b, x);
        }
        for (s, t) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.operands(ExprOp::Sub, s)
                && y == t
            {
                return x;
            }
        }
        self.node2(ExprOp::Add, width, a, b)
    }

    pub fn sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        if a == b {
            return self.constant(width, 0);
        }
        if width == 1 {
            return self.xor(a, b);
        }
        if let Some(folded) = self.fold(ExprOp::Sub, width, a, b) {
            return folded;
        }
        if let Some(y) = self.as_const(b) {
            let minus = self.constant(width, y.wrapping_neg());
            return self.add(a, minus);
        }
        if self.as_const(a) == Some(0) {
            return self.neg(b);
        }
        if let Some(y) = self.operand(ExprOp::Neg, b) {
            return self.add(a, y);
        }
        if let Some((x, y)) = self.operands(ExprOp::Add, a) {
            if x == b {
                return y;
            }
            if y == b {
                return x;
            }
            // (x + c) - (z + d) = (x - z) + (c - d)
            if self.as_const(y).is_some() {
                let rest = self.sub(x, b);
                return self.add(rest, y);
            }
        }
        if let Some((x, y)) = self.operands(ExprOp::Add, b)
            && let Some(c) = self.as_const(y)
        {
            let rest = self.sub(a, x);
            let minus = self.constant(width, c.wrapping_neg());
            return self.add(rest, minus);
        }
        self.node2(ExprOp::Sub, width, a, b)
    }

    pub fn mul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        if width == 1 {
            return self.and(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(folded) = self.fold(ExprOp::Mul, width, a, b) {
            return folded;
        }
        if let Some(y) = self.as_const(b) {
            if y == 0 {
                return b;
            }
            if y.is_power_of_two() {
                let shift = self.constant(width, y.trailing_zeros().into());
                return self.shl(a, shift);
            }
            if y == mask(width) {
                return self.neg(a);
            }
            if let Some((x, inner)) = self.operands(ExprOp::Mul, a)
                && let Some(z) = self.as_const(inner)
            {
                let product = self.constant(width, y.wrapping_mul(z));
                return self.mul(x, product);
            }
        }
        // A product of narrow numbers is computed in as many bits as it can have.
        let needed = self.signed_bits(a) + self.signed_bits(b);
        if needed < u32::from(width) {
            return self.narrowed(ExprOp::Mul, needed as u8, a, b);
        }
        self.node2(ExprOp::Mul, width, a, b)
    }

    pub fn udiv(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        if let Some(folded) = self.fold(ExprOp::UDiv, width, a, b) {
            return folded;
        }
        if let Some(y) = self.as_const(b) {
            if y.is_power_of_two() {
                let shift = self.constant(width, y.trailing_zeros().into());
                return self.lshr(a, shift);
            }
            if let Some((x, y)) = self.narrow_unsigned(a, y) {
                let quotient = self.udiv(x, y);
                return self.zext(quotient, width);
            }
        }
        self.node2(ExprOp::UDiv, width, a, b)
    }

    pub fn urem(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        if let Some(folded) = self.fold(ExprOp::URem, width, a, b) {
            return folded;
        }
        if let Some(y) = self.as_const(b) {
            if y.is_power_of_two() {
                let low = self.constant(width, y - 1);
                return self.and(a, low);
            }
            if let Some((x, y)) = self.narrow_unsigned(a, y) {
                let rest = self.urem(x, y);
                return self.zext(rest, width);
            }
        }
        self.node2(ExprOp::URem, width, a, b)
    }

    pub fn sdiv(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        if let Some(folded) = self.fold(ExprOp::SDiv, width, a, b) {
            return folded;
        }
        if let Some(y) = self.as_const(b) {
            if y == 1 {
                return a;
            }
            if signed(y, width) > 1 {
                if self.is_non_negative(a) {
                    return self.udiv(a, b);
                }
                if y.is_power_of_two() {
                    return self.sdiv_power(a, y.trailing_zeros());
                }
            }
        }
        // One bit more than the dividend has, for the smallest number divided by -1.
        let needed = (self.signed_bits(a) + 1).max(self.signed_bits(b));
        if needed < u32::from(width) {
            return self.narrowed(ExprOp::SDiv, needed as u8, a, b);
        }
        self.node2(ExprOp::SDiv, width, a, b)
    }

    pub fn srem(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        if let Some(folded) = self.fold(ExprOp::SRem, width, a, b) {
            return folded;
        }
        if let Some(y) = self.as_const(b) {
            if y == 1 {
                return self.constant(width, 0);
            }
            if signed(y, width) > 1 {
                if self.is_non_negative(a) {
                    return self.urem(a, b);
                }
                if y.is_power_of_two() {
                    let quotient = self.sdiv_power(a, y.trailing_zeros());
                    let product = self.mul(quotient, b);
                    return self.sub(a, product);
                }
            }
        }
        let needed = self.signed_bits(a).max(self.signed_bits(b));
        if needed < u32::from(width) {
            return self.narrowed(ExprOp::SRem, needed as u8, a, b);
        }
        self.node2(ExprOp::SRem, width, a, b)
    }

    /// How many bits surely hold the value as a signed number.
    fn signed_bits(&self, e: ExprId) -> u32 {
        let width = u32::from(self.width(e));
        match self.op(e) {
            ExprOp::SExt => self
                .operand(ExprOp::SExt, e)
                .map_or(width, |x| self.width(x).into()),
            ExprOp::ZExt => self
                .operand(ExprOp::ZExt, e)
                .map_or(width, |x| u32::from(self.width(x)) + 1),
            ExprOp::Const => {
                let value = signed(self.as_const(e).unwrap_or(0), self.width(e));
                let magnitude = if value < 0 { !value } else { value };
                129 - magnitude.leading_zeros()
            }
            _ => width,
        }
    }

    /// A signed operation in fewer bits, widened again.
    fn narrowed(&mut self, op: ExprOp, bits: u8, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        let x = self.extract(a, 0, bits);
        let y = self.extract(b, 0, bits);
        let result = self.binary(op, x, y);
        self.sext(result, width)
    }

    /// Division by `2^k`, towards zero: negative numbers are moved up by `2^k - 1` first.
    fn sdiv_power(&mut self, a: ExprId, k: u32) -> ExprId {
        let width = self.width(a);
        let sign_shift = self.constant(width, u128::from(width) - 1);
        let sign = self.ashr(a, sign_shift);
        let bias_shift = self.constant(width, u128::from(width) - u128::from(k));
        let bias = self.lshr(sign, bias_shift);
        let moved = self.add(a, bias);
        let shift = self.constant(width, k.into());
        self.ashr(moved, shift)
    }

    /// The operand of a `zext` and the divisor in its width, if the divisor fits and is not zero.
    fn narrow_unsigned(&mut self, a: ExprId, divisor: u128) -> Option<(ExprId, ExprId)> {
        let inner = self.operand(ExprOp::ZExt, a)?;
        let width = self.width(inner);
        if divisor == 0 || divisor > mask(width) {
            return None;
        }
        Some((inner, self.constant(width, divisor)))
    }

    /// Is the highest bit surely zero?
    pub(super) fn is_non_negative(&self, a: ExprId) -> bool {
        match self.op(a) {
            ExprOp::ZExt => true,
            ExprOp::Const => self
                .as_const(a)
                .is_some_and(|x| signed(x, self.width(a)) >= 0),
            ExprOp::And => {
                let (x, y) = self.operands(ExprOp::And, a).unwrap_or((a, a));
                x != a && (self.op(x) == ExprOp::ZExt || self.is_non_negative_const(y))
            }
            _ => false,
        }
    }

    fn is_non_negative_const(&self, a: ExprId) -> bool {
        self.as_const(a)
            .is_some_and(|x| signed(x, self.width(a)) >= 0)
    }
}
