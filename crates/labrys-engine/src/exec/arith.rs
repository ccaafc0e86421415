//! Integer operations on expressions, and the faults of arithmetic.

use super::{Machine, Step};
use crate::end::FaultKind;
use crate::memory::Slot;
use labrys_expr::{ExprId, ExprOp};
use labrys_ir::{BinOp, CastOp, CmpOp, Reg};

impl Machine<'_> {
    pub(super) fn symbolic_bin(&mut self, op: BinOp, width: u8, dst: Reg, a: Reg, b: Reg) -> Step {
        let (x, y) = (self.expr(a), self.expr(b));
        self.check_arithmetic(op, width, x, y)?;
        let op = match op {
            BinOp::Add => ExprOp::Add,
            BinOp::Sub => ExprOp::Sub,
            BinOp::Mul => ExprOp::Mul,
            BinOp::UDiv => ExprOp::UDiv,
            BinOp::SDiv => ExprOp::SDiv,
            BinOp::URem => ExprOp::URem,
            BinOp::SRem => ExprOp::SRem,
            BinOp::And => ExprOp::And,
            BinOp::Or => ExprOp::Or,
            BinOp::Xor => ExprOp::Xor,
            BinOp::Shl => ExprOp::Shl,
            BinOp::LShr => ExprOp::LShr,
            BinOp::AShr => ExprOp::AShr,
        };
        let value = self.arena.binary(op, x, y);
        self.set_expr(dst, value);
        Ok(())
    }

    /// Division by zero, `INT_MIN / -1`, shifts by the width or more.
    fn check_arithmetic(&mut self, op: BinOp, width: u8, x: ExprId, y: ExprId) -> Step {
        match op {
            BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => {
                let zero = self.arena.constant(width, 0);
                let ok = self.arena.ne(y, zero);
                self.require(ok, FaultKind::DivisionByZero)?;
                if matches!(op, BinOp::SDiv | BinOp::SRem) {
                    let minus_one = self.arena.constant(width, u128::MAX);
                    let smallest = self.arena.constant(width, 1 << (width - 1));
                    let divisor_ok = self.arena.ne(y, minus_one);
                    let dividend_ok = self.arena.ne(x, smallest);
                    let ok = self.arena.or(divisor_ok, dividend_ok);
                    self.require(ok, FaultKind::DivisionOverflow)?;
                }
                Ok(())
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                let limit = self.arena.constant(width, width.into());
                // A width that does not fit its own type cannot be exceeded.
                if self.arena.as_const(limit) != Some(width.into()) {
                    return Ok(());
                }
                let ok = self.arena.ult(y, limit);
                self.require(ok, FaultKind::ShiftRange)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn symbolic_cmp(&mut self, op: CmpOp, dst: Reg, a: Reg, b: Reg) {
        let (x, y) = (self.expr(a), self.expr(b));
        let m = &mut self.arena;
        let value = match op {
            CmpOp::Eq => m.eq(x, y),
            CmpOp::Ne => m.ne(x, y),
            CmpOp::Ult => m.ult(x, y),
            CmpOp::Ule => m.ule(x, y),
            CmpOp::Ugt => m.ugt(x, y),
            CmpOp::Uge => m.uge(x, y),
            CmpOp::Slt => m.slt(x, y),
            CmpOp::Sle => m.sle(x, y),
            CmpOp::Sgt => m.sgt(x, y),
            CmpOp::Sge => m.sge(x, y),
        };
        self.set_expr(dst, value);
    }

    pub(super) fn symbolic_cast(&mut self, op: CastOp, to: u8, dst: Reg, src: Reg) {
        let x = self.expr(src);
        let m = &mut self.arena;
        let value = match op {
            CastOp::Trunc => m.extract(x, 0, to),
            CastOp::ZExt => m.zext(x, to),
            CastOp::SExt => m.sext(x, to),
            CastOp::FToF => m.convert(ExprOp::FToF, x, to),
            CastOp::FToS => m.convert(ExprOp::FToS, x, to),
            CastOp::FToU => m.convert(ExprOp::FToU, x, to),
            CastOp::SToF => m.convert(ExprOp::SToF, x, to),
            CastOp::UToF => m.convert(ExprOp::UToF, x, to),
        };
        self.set_expr(dst, value);
    }

    pub(super) fn symbolic_offset(&mut self, dst: Reg, base: Reg, offset: i32) {
        let x = self.expr(base);
        let distance = self.arena.constant(64, offset as i64 as u64 as u128);
        let value = self.arena.add(x, distance);
        self.set_expr(dst, value);
    }

    pub(super) fn symbolic_index(&mut self, dst: Reg, base: Reg, index: Reg, scale: u32) {
        let (x, y) = (self.expr(base), self.expr(index));
        let scale = self.arena.constant(64, scale.into());
        let distance = self.arena.mul(y, scale);
        let value = self.arena.add(x, distance);
        self.set_expr(dst, value);
    }

    pub(super) fn symbolic_select(&mut self, dst: Reg, cond: Reg, a: Reg, b: Reg) {
        let c = self.expr(cond);
        let (x, y) = (self.get(a), self.get(b));
        if let (None, None) = (x.expr, y.expr)
            && x.bits == y.bits
        {
            self.set(dst, Slot::concrete(x.bits));
            return;
        }
        let (x, y) = (self.expr(a), self.expr(b));
        let value = self.arena.ite(c, x, y);
        self.set_expr(dst, value);
    }
}
