//! Intrinsic operations, as expressions; constants fold on the way.

use super::{Machine, Step};
use crate::end::FaultKind;
use crate::memory::Slot;
use labrys_expr::{ExprId, ExprOp, float};
use labrys_ir::{IntrinsicOp, Reg, RegList};

impl Machine<'_> {
    /// True if the loop must look at the frame again.
    pub(super) fn intrinsic(
        &mut self,
        op: IntrinsicOp,
        args: RegList,
        results: RegList,
    ) -> Step<bool> {
        let regs = self.function().list(args);
        match (op, regs) {
            (IntrinsicOp::SetJmp, &[buffer, ..]) => self.set_jump(buffer, results)?,
            (IntrinsicOp::LongJmp, &[buffer, value, ..]) => {
                self.long_jump(buffer, value)?;
                return Ok(true);
            }
            (IntrinsicOp::StackSave, _) => self.stack_save(results),
            (IntrinsicOp::StackRestore, &[token, ..]) => self.stack_restore(token),
            (IntrinsicOp::Assumed, &[value, text]) => self.assume_value(value, text, results),
            (IntrinsicOp::SignOnly | IntrinsicOp::TruthOnly, &[value, text]) => {
                self.unsure_value(op, value, text, results);
            }
            (IntrinsicOp::RestOn, &[text]) => self.rest_on_text(text),
            (IntrinsicOp::ComparePointers, &[a, b]) => return self.compare_pointers(a, b),
            (
                IntrinsicOp::PointersEqual
                | IntrinsicOp::PointersOrdered
                | IntrinsicOp::PointersSubtracted,
                &[a, b],
            ) => {
                self.pointer_pair(op, a, b);
                self.layout_pair(op != IntrinsicOp::PointersEqual, a, b);
            }
            (IntrinsicOp::AddressBits, &[address, mask]) => self.address_bits(address, mask)?,
            (IntrinsicOp::AddressBytes, &[address, size]) => self.address_bytes(address, size),
            (IntrinsicOp::OtherThreads, _) => self.other_threads(),
            (IntrinsicOp::Trap, _) => return Err(self.fault(FaultKind::Abort)),
            _ => {
                let operands: Vec<ExprId> = regs.iter().map(|r| self.expr(*r)).collect();
                let values = self.pure(op, &operands);
                if values.is_empty() {
                    return self.unsupported(format_args!("intrinsic {op:?} with {regs:?}"));
                }
                let slots: Vec<Slot> = values.iter().map(|e| self.slot_of(*e)).collect();
                self.set_results(results, &slots);
            }
        }
        Ok(false)
    }

    pub(super) fn set_results(&mut self, results: RegList, values: &[Slot]) {
        let function = self.function();
        for (dst, value) in function.list(results).iter().zip(values) {
            self.set(*dst, *value);
        }
    }

    fn pure(&mut self, op: IntrinsicOp, x: &[ExprId]) -> Vec<ExprId> {
        use IntrinsicOp as I;
        let Some(&a) = x.first() else {
            return Vec::new();
        };
        match (op, x) {
            (I::PopCount, _) => vec![self.pop_count(a)],
            (I::LeadingZeros, _) => {
                let reversed = self.reversed(a, 1);
                vec![self.trailing_zeros(reversed)]
            }
            (I::TrailingZeros, _) => vec![self.trailing_zeros(a)],
            (I::ByteSwap, _) => vec![self.reversed(a, 8)],
            (I::BitReverse, _) => vec![self.reversed(a, 1)],
            (I::FunnelLeft | I::FunnelRight, &[a, b, s]) => vec![self.funnel(op, a, b, s)],
            (I::SAddOverflow, &[a, b]) => self.overflowing(ExprOp::Add, ExprOp::SExt, a, b),
            (I::UAddOverflow, &[a, b]) => self.overflowing(ExprOp::Add, ExprOp::ZExt, a, b),
            (I::SSubOverflow, &[a, b]) => self.overflowing(ExprOp::Sub, ExprOp::SExt, a, b),
            (I::USubOverflow, &[a, b]) => self.overflowing(ExprOp::Sub, ExprOp::ZExt, a, b),
            (I::SMulOverflow, &[a, b]) => self.overflowing(ExprOp::Mul, ExprOp::SExt, a, b),
            (I::UMulOverflow, &[a, b]) => self.overflowing(ExprOp::Mul, ExprOp::ZExt, a, b),
            (I::SAddSat, &[a, b]) => vec![self.saturating(ExprOp::Add, ExprOp::SExt, a, b)],
            (I::UAddSat, &[a, b]) => vec![self.saturating(ExprOp::Add, ExprOp::ZExt, a, b)],
            (I::SSubSat, &[a, b]) => vec![self.saturating(ExprOp::Sub, ExprOp::SExt, a, b)],
            (I::USubSat, &[a, b]) => vec![self.saturating(ExprOp::Sub, ExprOp::ZExt, a, b)],
            (I::SMin | I::SMax | I::UMin | I::UMax, &[a, b]) => {
                let m = &mut self.arena;
                let less = if matches!(op, I::SMin | I::SMax) {
                    m.slt(a, b)
                } else {
                    m.ult(a, b)
                };
                let smallest = matches!(op, I::SMin | I::UMin);
                vec![if smallest {
                    m.ite(less, a, b)
                } else {
                    m.ite(less, b, a)
                }]
            }
            (I::Abs, _) => {
                let m = &mut self.arena;
                let zero = m.constant(m.width(a), 0);
                let negative = m.slt(a, zero);
                let minus = m.neg(a);
                vec![m.ite(negative, minus, a)]
            }
            (I::Fma, &[a, b, c]) => vec![self.arena.ffma(a, b, c)],
            (I::IsFpClass, &[a, mask]) => match self.arena.as_const(mask) {
                Some(mask) => vec![self.fp_class(a, mask as u32)],
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn pop_count(&mut self, a: ExprId) -> ExprId {
        let m = &mut self.arena;
        let width = m.width(a);
        let mut sum = m.constant(width, 0);
        for i in 0..width {
            let bit = m.extract(a, i.into(), 1);
            let bit = m.zext(bit, width);
            sum = m.add(sum, bit);
        }
        sum
    }

    fn trailing_zeros(&mut self, a: ExprId) -> ExprId {
        let m = &mut self.arena;
        let width = m.width(a);
        let mut count = m.constant(width, width.into());
        for i in (0..width).rev() {
            let bit = m.extract(a, i.into(), 1);
            let here = m.constant(width, i.into());
            count = m.ite(bit, here, count);
        }
        count
    }

    /// The pieces of `unit` bits in the opposite order.
    fn reversed(&mut self, a: ExprId, unit: u8) -> ExprId {
        let m = &mut self.arena;
        let width = m.width(a);
        let mut value = m.extract(a, 0, unit);
        for i in 1..width / unit {
            let piece = m.extract(a, u32::from(i * unit), unit);
            value = m.concat(value, piece);
        }
        value
    }

    fn funnel(&mut self, op: IntrinsicOp, a: ExprId, b: ExprId, s: ExprId) -> ExprId {
        let m = &mut self.arena;
        let width = m.width(a);
        let modulus = m.constant(width, width.into());
        let s = m.urem(s, modulus);
        let rest = m.sub(modulus, s);
        // A shift by the whole width gives zero, which is just what is needed for s = 0.
        let (high, low) = if op == IntrinsicOp::FunnelLeft {
            (m.shl(a, s), m.lshr(b, rest))
        } else {
            (m.shl(a, rest), m.lshr(b, s))
        };
        m.or(high, low)
    }

    /// Result and overflow flag.
    fn overflowing(&mut self, op: ExprOp, extend: ExprOp, a: ExprId, b: ExprId) -> Vec<ExprId> {
        let m = &mut self.arena;
        let width = m.width(a);
        let result = m.binary(op, a, b);
        let room = if op == ExprOp::Mul { width } else { 1 };
        if u32::from(width) + u32::from(room) <= 128 {
            let wide = width + room;
            let (x, y) = (m.convert(extend, a, wide), m.convert(extend, b, wide));
            let exact = m.binary(op, x, y);
            let back = m.convert(extend, result, wide);
            return vec![result, m.ne(exact, back)];
        }
        let overflow = self.wide_overflow(op, extend, a, b, result);
        vec![result, overflow]
    }

    /// Overflow of operands that have no room to be widened: 128-bit sums, products above 64 bits.
    fn wide_overflow(
        &mut self,
        op: ExprOp,
        extend: ExprOp,
        a: ExprId,
        b: ExprId,
        r: ExprId,
    ) -> ExprId {
        let m = &mut self.arena;
        let width = m.width(a);
        let zero = m.constant(width, 0);
        match (op, extend) {
            (ExprOp::Add, ExprOp::ZExt) => m.ult(r, a),
            (ExprOp::Sub, ExprOp::ZExt) => m.ult(a, b),
            (ExprOp::Add | ExprOp::Sub, _) => {
                let (sa, sb, sr) = (m.slt(a, zero), m.slt(b, zero), m.slt(r, zero));
                let alike = m.xor(sa, sb);
                let alike = if op == ExprOp::Add {
                    m.not(alike)
                } else {
                    alike
                };
                let turned = m.xor(sa, sr);
                m.and(alike, turned)
            }
            (_, extend) => {
                // a * b overflows iff dividing the product by a does not give b back.
                let back = if extend == ExprOp::ZExt {
                    m.udiv(r, a)
                } else {
                    m.sdiv(r, a)
                };
                let differs = m.ne(back, b);
                let nonzero = m.ne(a, zero);
                let lost = m.and(nonzero, differs);
                if extend == ExprOp::ZExt {
                    return lost;
                }
                let minus_one = m.constant(width, u128::MAX);
                let smallest = m.constant(width, 1 << (width - 1));
                let (p, q) = (m.eq(a, minus_one), m.eq(b, smallest));
                let corner = m.and(p, q);
                m.or(lost, corner)
            }
        }
    }

    fn saturating(&mut self, op: ExprOp, extend: ExprOp, a: ExprId, b: ExprId) -> ExprId {
        let values = self.overflowing(op, extend, a, b);
        let m = &mut self.arena;
        let width = m.width(a);
        let limit = if extend == ExprOp::ZExt {
            m.constant(width, if op == ExprOp::Add { u128::MAX } else { 0 })
        } else {
            let zero = m.constant(width, 0);
            let negative = m.slt(a, zero);
            let smallest = m.constant(width, 1 << (width - 1));
            let largest = m.not(smallest);
            m.ite(negative, smallest, largest)
        };
        m.ite(values[1], limit, values[0])
    }

    /// LLVM's `is.fpclass`: the mask has a bit for each class.
    pub(super) fn fp_class(&mut self, a: ExprId, mask: u32) -> ExprId {
        let m = &mut self.arena;
        let width = m.width(a);
        let mantissa = match width {
            16 => 10,
            32 => 23,
            64 => 52,
            80 => 63,
            _ => 112,
        };
        let magnitude = m.fabs(a);
        let sign = m.extract(a, u32::from(width) - 1, 1);
        let plus = m.not(sign);
        let constant = |m: &mut labrys_expr::Arena, value| m.constant(width, value);
        let zero = constant(m, 0);
        let infinity = constant(m, float::infinity(width));
        let quiet_nan = constant(m, float::infinity(width) | 1 << (mantissa - 1));
        let smallest_normal = constant(m, 1 << mantissa);
        let is_zero = m.eq(magnitude, zero);
        let is_infinite = m.eq(magnitude, infinity);
        let is_nan = m.ult(infinity, magnitude);
        let is_quiet = m.ule(quiet_nan, magnitude);
        let below_normal = m.ult(magnitude, smallest_normal);
        let not_zero = m.not(is_zero);
        let is_subnormal = m.and(below_normal, not_zero);
        let below_infinity = m.ult(magnitude, infinity);
        let not_small = m.not(below_normal);
        let is_normal = m.and(below_infinity, not_small);
        let not_quiet = m.not(is_quiet);
        let is_signalling = m.and(is_nan, not_quiet);
        let yes = m.yes();
        let classes = [
            (is_signalling, yes),
            (is_quiet, yes),
            (is_infinite, sign),
            (is_normal, sign),
            (is_subnormal, sign),
            (is_zero, sign),
            (is_zero, plus),
            (is_subnormal, plus),
            (is_normal, plus),
            (is_infinite, plus),
        ];
        let mut any = m.no();
        for (bit, (class, side)) in classes.into_iter().enumerate() {
            if mask >> bit & 1 == 1 {
                let here = m.and(class, side);
                any = m.or(any, here);
            }
        }
        any
    }

    /// A register given as an argument, by position.
    pub(super) fn argument(&self, args: RegList, i: usize) -> Step<Reg> {
        match self.function().list(args).get(i) {
            Some(reg) => Ok(*reg),
            None => self.unsupported("a built-in function is called with too few arguments"),
        }
    }
}
