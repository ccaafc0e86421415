//! Float operations: natively on concrete values, as expressions otherwise.

use super::Machine;
use crate::memory::Slot;
use labrys_expr::{Arena, ExprId, Rounding, float};
use labrys_ir::{FBinOp, FCmpOp, FUnOp, Reg};

impl Machine<'_> {
    pub(super) fn float_bin(&mut self, op: FBinOp, width: u8, dst: Reg, a: Reg, b: Reg) {
        let (x, y) = (self.get(a), self.get(b));
        let native = match op {
            FBinOp::Add => Some(float::FloatArith::Add),
            FBinOp::Sub => Some(float::FloatArith::Sub),
            FBinOp::Mul => Some(float::FloatArith::Mul),
            FBinOp::Div => Some(float::FloatArith::Div),
            FBinOp::Rem => Some(float::FloatArith::Rem),
            FBinOp::Min | FBinOp::Max | FBinOp::CopySign => None,
        };
        if let (None, None, Some(native)) = (x.expr, y.expr, native) {
            let value = float::arith(native, width, x.bits.into(), y.bits.into());
            self.set(dst, Slot::concrete(value as u64));
            return;
        }
        let (x, y) = (self.expr(a), self.expr(b));
        let m = &mut self.arena;
        let value = match op {
            FBinOp::Add => m.fadd(x, y),
            FBinOp::Sub => m.fsub(x, y),
            FBinOp::Mul => m.fmul(x, y),
            FBinOp::Div => m.fdiv(x, y),
            FBinOp::Rem => m.frem(x, y),
            FBinOp::CopySign => m.copysign(x, y),
            FBinOp::Min => self.float_extreme(x, y, true),
            FBinOp::Max => self.float_extreme(x, y, false),
        };
        self.set_expr(dst, value);
    }

    /// `fmin` and `fmax`: the other operand where one is NaN. Zeros of both signs are equal; then
    /// the C library gives the first operand, but the second one for the least `long double`.
    pub(super) fn float_extreme(&mut self, x: ExprId, y: ExprId, smallest: bool) -> ExprId {
        let m = &mut self.arena;
        let y_wins = match (smallest, m.width(x)) {
            (true, 80) => m.fle(y, x),
            (true, _) => m.flt(y, x),
            (false, _) => m.flt(x, y),
        };
        let x_nan = m.is_nan(x);
        let take_y = m.or(y_wins, x_nan);
        m.ite(take_y, y, x)
    }

    pub(super) fn float_un(&mut self, op: FUnOp, _width: u8, dst: Reg, src: Reg) {
        let x = self.expr(src);
        let m = &mut self.arena;
        let value = match op {
            FUnOp::Neg => m.fneg(x),
            FUnOp::Abs => m.fabs(x),
            FUnOp::Sqrt => m.fsqrt(x),
            FUnOp::Floor => m.fround(Rounding::Down, x),
            FUnOp::Ceil => m.fround(Rounding::Up, x),
            FUnOp::Trunc => m.fround(Rounding::ToZero, x),
            FUnOp::Round => m.fround(Rounding::NearestAway, x),
            FUnOp::RoundEven => m.fround(Rounding::NearestEven, x),
        };
        self.set_expr(dst, value);
    }

    pub(super) fn float_cmp(&mut self, op: FCmpOp, width: u8, dst: Reg, a: Reg, b: Reg) {
        let (x, y) = (self.get(a), self.get(b));
        if let (None, None) = (x.expr, y.expr) {
            let order = float::compare(width, x.bits.into(), y.bits.into());
            let value = concrete(op, order);
            self.set(dst, Slot::concrete(value.into()));
            return;
        }
        let (x, y) = (self.expr(a), self.expr(b));
        let value = float_comparison(&mut self.arena, op, x, y);
        self.set_expr(dst, value);
    }
}

/// A comparison of two floats as an expression.
pub(crate) fn float_comparison(m: &mut Arena, op: FCmpOp, x: ExprId, y: ExprId) -> ExprId {
    match op {
        FCmpOp::Oeq => m.feq(x, y),
        FCmpOp::Olt => m.flt(x, y),
        FCmpOp::Ole => m.fle(x, y),
        FCmpOp::Ogt => m.flt(y, x),
        FCmpOp::Oge => m.fle(y, x),
        FCmpOp::Une => {
            let eq = m.feq(x, y);
            m.not(eq)
        }
        FCmpOp::Ult => {
            let ge = m.fle(y, x);
            m.not(ge)
        }
        FCmpOp::Ule => {
            let gt = m.flt(y, x);
            m.not(gt)
        }
        FCmpOp::Ugt => {
            let le = m.fle(x, y);
            m.not(le)
        }
        FCmpOp::Uge => {
            let lt = m.flt(x, y);
            m.not(lt)
        }
        FCmpOp::Uno | FCmpOp::Ord => {
            let (p, q) = (m.is_nan(x), m.is_nan(y));
            let unordered = m.or(p, q);
            if op == FCmpOp::Uno {
                unordered
            } else {
                m.not(unordered)
            }
        }
        FCmpOp::One => {
            let (lt, gt) = (m.flt(x, y), m.flt(y, x));
            m.or(lt, gt)
        }
        FCmpOp::Ueq => {
            let (lt, gt) = (m.flt(x, y), m.flt(y, x));
            let different = m.or(lt, gt);
            m.not(different)
        }
    }
}

fn concrete(op: FCmpOp, order: Option<std::cmp::Ordering>) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match op {
        FCmpOp::Oeq => order == Some(Equal),
        FCmpOp::Ogt => order == Some(Greater),
        FCmpOp::Oge => matches!(order, Some(Equal | Greater)),
        FCmpOp::Olt => order == Some(Less),
        FCmpOp::Ole => matches!(order, Some(Equal | Less)),
        FCmpOp::One => matches!(order, Some(Less | Greater)),
        FCmpOp::Ord => order.is_some(),
        FCmpOp::Ueq => matches!(order, None | Some(Equal)),
        FCmpOp::Ugt => matches!(order, None | Some(Greater)),
        FCmpOp::Uge => matches!(order, None | Some(Equal | Greater)),
        FCmpOp::Ult => matches!(order, None | Some(Less)),
        FCmpOp::Ule => matches!(order, None | Some(Equal | Less)),
        FCmpOp::Une => order != Some(Equal),
        FCmpOp::Uno => order.is_none(),
    }
}
