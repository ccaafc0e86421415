//! Functions of `<math.h>` that are exact operations: they are computed as expressions and need no
//! concrete argument.

use super::{Machine, Step};
use crate::program::math::Math;
use labrys_expr::{ExprId, ExprOp, Rounding};
use labrys_ir::{FUnOp, RegList};

const EDOM: u128 = 33;

impl Machine<'_> {
    pub(super) fn exact_math(&mut self, math: Math, args: RegList, results: RegList) -> Step {
        if matches!(math, Math::RealPart | Math::ImaginaryPart | Math::Conjugate) {
            return self.complex_part(math, args, results);
        }
        let x = self.argument(args, 0)?;
        let x = self.expr(x);
        let second = match math {
            Math::Min | Math::Max | Math::CopySign | Math::Rem | Math::Fma => {
                let y = self.argument(args, 1)?;
                self.expr(y)
            }
            _ => x,
        };
        let value = match math {
            Math::Round(op) => self.rounded(op, x),
            Math::RoundToInt(op) => {
                let rounded = self.rounded(op, x);
                self.arena.convert(ExprOp::FToS, rounded, 64)
            }
            Math::Sqrt => {
                let zero = self.arena.constant(self.arena.width(x), 0);
                let negative = self.arena.flt(x, zero);
                self.domain_error(negative);
                self.arena.fsqrt(x)
            }
            Math::Min => self.float_extreme(x, second, true),
            Math::Max => self.float_extreme(x, second, false),
            Math::CopySign => self.arena.copysign(x, second),
            Math::Rem => self.remainder(x, second),
            Math::Fma => {
                let z = self.argument(args, 2)?;
                let z = self.expr(z);
                self.arena.ffma(x, second, z)
            }
            Math::IsNan => {
                let nan = self.arena.is_nan(x);
                self.arena.zext(nan, 32)
            }
            Math::IsInfinite => self.infinity_sign(x),
            Math::IsFinite => {
                let finite = self.fp_class(x, 0b01_1111_1000);
                self.arena.zext(finite, 32)
            }
            Math::SignBit => {
                let width = self.arena.width(x);
                let sign = self.arena.extract(x, u32::from(width) - 1, 1);
                // glibc gives what the processor's test of an x87 number leaves.
                let set = self
                    .arena
                    .constant(32, if width == 80 { 1 << 9 } else { 1 });
                let zero = self.arena.constant(32, 0);
                self.arena.ite(sign, set, zero)
            }
            Math::Classify => self.classify(x),
            Math::RealPart | Math::ImaginaryPart | Math::Conjugate => x,
        };
        let slot = self.slot_of(value);
        self.set_results(results, &[slot]);
        Ok(())
    }

    fn complex_part(&mut self, math: Math, args: RegList, results: RegList) -> Step {
        let first = self.argument(args, 0)?;
        let (real, imaginary) = if self.function().list(args).len() == 1 {
            let address = self.expr(first);
            (
                self.load_at(address, 0, 80)?,
                self.load_at(address, 16, 80)?,
            )
        } else {
            let second = self.argument(args, 1)?;
            (self.expr(first), self.expr(second))
        };
        let values = match math {
            Math::RealPart => vec![real],
            Math::ImaginaryPart => vec![imaginary],
            _ => vec![real, self.arena.fneg(imaginary)],
        };
        let slots: Vec<_> = values.into_iter().map(|e| self.slot_of(e)).collect();
        self.set_results(results, &slots);
        Ok(())
    }

    fn rounded(&mut self, op: FUnOp, x: ExprId) -> ExprId {
        let mode = match op {
            FUnOp::Floor => Rounding::Down,
            FUnOp::Ceil => Rounding::Up,
            FUnOp::Trunc => Rounding::ToZero,
            FUnOp::Round => Rounding::NearestAway,
            FUnOp::RoundEven => Rounding::NearestEven,
            FUnOp::Neg => return self.arena.fneg(x),
            FUnOp::Abs => return self.arena.fabs(x),
            FUnOp::Sqrt => return self.arena.fsqrt(x),
        };
        self.arena.fround(mode, x)
    }

    /// `errno` becomes `EDOM` where the condition holds.
    fn domain_error(&mut self, condition: ExprId) {
        if let Some(before) = self.errno() {
            let number = self.arena.constant(32, EDOM);
            let after = self.arena.ite(condition, number, before);
            self.set_errno(after);
        }
    }

    fn remainder(&mut self, x: ExprId, y: ExprId) -> ExprId {
        let zero = self.arena.constant(self.arena.width(y), 0);
        let infinite = self.fp_class(x, 0b10_0000_0100);
        let by_zero = self.arena.feq(y, zero);
        let (x_nan, y_nan) = (self.arena.is_nan(x), self.arena.is_nan(y));
        let bad = self.arena.or(infinite, by_zero);
        let nan = self.arena.or(x_nan, y_nan);
        let number = self.arena.not(nan);
        let wrong = self.arena.and(bad, number);
        self.domain_error(wrong);
        self.arena.frem(x, y)
    }

    /// 1 and -1 for the infinities.
    fn infinity_sign(&mut self, x: ExprId) -> ExprId {
        let plus = self.fp_class(x, 1 << 9);
        let minus = self.fp_class(x, 1 << 2);
        let (plus, minus) = (self.arena.zext(plus, 32), self.arena.sext(minus, 32));
        self.arena.or(plus, minus)
    }

    /// glibc's numbers: NaN 0, infinite 1, zero 2, subnormal 3, normal 4.
    fn classify(&mut self, x: ExprId) -> ExprId {
        let mut value = self.arena.constant(32, 0);
        for (number, mask) in [
            (1, 0b10_0000_0100),
            (2, 0b00_0110_0000),
            (3, 0b00_1001_0000),
            (4, 0b01_0000_1000),
        ] {
            let here = self.fp_class(x, mask);
            let number = self.arena.constant(32, number);
            value = self.arena.ite(here, number, value);
        }
        value
    }
}
