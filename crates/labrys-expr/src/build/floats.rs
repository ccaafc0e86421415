//! Float operations. Only constants are folded; sign operations and NaN tests are plain
//! bit-vector terms, so that no float reasoning is needed for them.

use crate::eval;
use crate::float;
use crate::node::Rounding;
use crate::{Arena, ExprId, ExprOp};

impl Arena {
    pub fn fadd(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.float_binary(ExprOp::FAdd, a, b)
    }

    pub fn fsub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.float_binary(ExprOp::FSub, a, b)
    }

    pub fn fmul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.float_binary(ExprOp::FMul, a, b)
    }

    pub fn fdiv(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.float_binary(ExprOp::FDiv, a, b)
    }

    pub fn frem(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.float_binary(ExprOp::FRem, a, b)
    }

    pub fn feq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.float_binary(ExprOp::FEq, a, b)
    }

    pub fn flt(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.float_binary(ExprOp::FLt, a, b)
    }

    pub fn fle(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.float_binary(ExprOp::FLe, a, b)
    }

    pub(super) fn float_binary(&mut self, op: ExprOp, a: ExprId, b: ExprId) -> ExprId {
        let width = if matches!(op, ExprOp::FEq | ExprOp::FLt | ExprOp::FLe) {
            1
        } else {
            self.width(a)
        };
        if let Some(folded) = self.fold(op, width, a, b) {
            return folded;
        }
        self.node2(op, width, a, b)
    }

    pub fn fsqrt(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        match self.as_const(a) {
            Some(x) => self.constant(width, float::sqrt(width, x)),
            None => self.intern(ExprOp::FSqrt, width, a.raw(), 0, 0),
        }
    }

    /// `a * b + c`, rounded once.
    pub fn ffma(&mut self, a: ExprId, b: ExprId, c: ExprId) -> ExprId {
        let width = self.width(a);
        match (self.as_const(a), self.as_const(b), self.as_const(c)) {
            (Some(x), Some(y), Some(z)) => self.constant(width, float::fma(width, x, y, z)),
            _ => self.intern(ExprOp::FFma, width, a.raw(), b.raw(), c.raw()),
        }
    }

    /// To an integral value.
    pub fn fround(&mut self, mode: Rounding, a: ExprId) -> ExprId {
        let width = self.width(a);
        match self.as_const(a) {
            Some(x) => self.constant(width, float::round(mode, width, x)),
            None => self.intern(ExprOp::FRound, width, a.raw(), mode as u32, 0),
        }
    }

    pub(super) fn float_convert(&mut self, op: ExprOp, a: ExprId, width: u8) -> ExprId {
        let from = self.width(a);
        match self.as_const(a) {
            Some(x) => self.constant(width, eval::convert(op, from, width, x)),
            None => self.intern(op, width, a.raw(), 0, 0),
        }
    }

    pub fn fneg(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        let sign = self.constant(width, 1 << (width - 1));
        self.xor(a, sign)
    }

    pub fn fabs(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        let magnitude = self.constant(width, float::magnitude_mask(width));
        self.and(a, magnitude)
    }

    /// The magnitude of `a` with the sign of `b`.
    pub fn copysign(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        let sign = self.extract(b, u32::from(width) - 1, 1);
        let magnitude = self.extract(a, 0, width - 1);
        self.concat(sign, magnitude)
    }

    pub fn is_nan(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        let magnitude = self.fabs(a);
        let infinity = self.constant(width, float::infinity(width));
        self.ult(infinity, magnitude)
    }
}
