//! What a register holds.

use labrys_expr::ExprId;

/// A value: plain bits, or an expression over the inputs. Concrete values of up to 64 bits are
/// never interned. Wider ones are always expressions, constant ones included, since they are rare.
///
/// The concrete value of a symbolic slot is not stored: it is the expression's value under the
/// current model, computed on demand and memoised by the evaluator. So a snapshot can go on
/// under another model without a refresh.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slot {
    pub(crate) bits: u64,
    pub(crate) expr: Option<ExprId>,
}

const _: () = assert!(std::mem::size_of::<Slot>() == 16);

impl Slot {
    #[inline(always)]
    pub(crate) fn concrete(bits: u64) -> Self {
        Slot { bits, expr: None }
    }

    #[inline(always)]
    pub(crate) fn is_symbolic(self) -> bool {
        self.expr.is_some()
    }

    #[inline(always)]
    pub(crate) fn symbolic(expr: ExprId) -> Self {
        Slot {
            bits: 0,
            expr: Some(expr),
        }
    }
}

/// A mask of `width` ones, for widths up to 64.
#[inline(always)]
pub(crate) fn low_mask(width: u8) -> u64 {
    u64::MAX >> (64 - u32::from(width))
}

/// The value of `width` bits as a signed number.
#[inline(always)]
pub(crate) fn sign_extend(bits: u64, width: u8) -> i64 {
    let shift = 64 - u32::from(width);
    ((bits << shift) as i64) >> shift
}
