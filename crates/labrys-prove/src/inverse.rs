//! From a result back to its operands: given what the result of an operation can be, what can the
//! operands be?

use crate::transfer::{binary, cast};
use crate::value_set::{ValueSet, mask, signed_limits};
use labrys_ir::{BinOp, CastOp};

/// What the operand of a conversion can be, if the result is one of `new`.
pub(crate) fn cast_operand(
    op: CastOp,
    from: u8,
    new: &ValueSet,
    old: &ValueSet,
) -> Option<ValueSet> {
    if !new.is_tracked() || !old.is_tracked() {
        return None;
    }
    match op {
        CastOp::ZExt | CastOp::SExt => Some(cast(CastOp::Trunc, from, new)),
        CastOp::Trunc => {
            let (least, most) = signed_limits(new.width);
            let wide = if old.umax <= mask(new.width) {
                cast(CastOp::ZExt, from, new)
            } else if old.smin >= least && old.smax <= most {
                cast(CastOp::SExt, from, new)
            } else {
                ValueSet::bits(from, new.zeros, new.ones)?
            };
            Some(wide)
        }
        _ => None,
    }
}

/// What the operands of an operation can be, if the result is one of `new`: nothing learnt, or a
/// value, which is none where no operand gives such a result.
pub(crate) type LearntOperand = Option<Option<ValueSet>>;

pub(crate) fn binary_operands(
    op: BinOp,
    new: &ValueSet,
    a: &ValueSet,
    b: &ValueSet,
) -> (LearntOperand, LearntOperand) {
    let width = new.width;
    if !new.is_tracked() || a.width != width || b.width != width {
        return (None, None);
    }
    let amount = b.as_constant().filter(|k| *k < width.into());
    match op {
        // Arithmetic modulo a power of two can be undone exactly.
        BinOp::Add => (
            Some(Some(binary(BinOp::Sub, new, b))),
            Some(Some(binary(BinOp::Sub, new, a))),
        ),
        BinOp::Sub => (
            Some(Some(binary(BinOp::Add, new, b))),
            Some(Some(binary(BinOp::Sub, a, new))),
        ),
        BinOp::Xor => (
            Some(Some(binary(BinOp::Xor, new, b))),
            Some(Some(binary(BinOp::Xor, new, a))),
        ),
        BinOp::And => {
            let of = |other: &ValueSet| {
                let bits = ValueSet::bits(width, new.zeros & other.ones, new.ones);
                let least = ValueSet::unsigned(width, new.umin, mask(width));
                bits.zip(least).and_then(|(bits, least)| bits.meet(&least))
            };
            (Some(of(b)), Some(of(a)))
        }
        BinOp::Or => {
            let of = |other: &ValueSet| {
                let bits = ValueSet::bits(width, new.zeros, new.ones & other.zeros);
                let most = ValueSet::unsigned(width, 0, new.umax);
                bits.zip(most).and_then(|(bits, most)| bits.meet(&most))
            };
            (Some(of(b)), Some(of(a)))
        }
        BinOp::LShr => match amount {
            Some(k) => {
                let low = (1u128 << k) - 1;
                let high = (u128::from(new.umax) << k | low).min(mask(width).into());
                let least = u128::from(new.umin) << k;
                if least > mask(width).into() {
                    return (Some(None), None);
                }
                (
                    Some(ValueSet::unsigned(width, least as u64, high as u64)),
                    None,
                )
            }
            None => (None, None),
        },
        BinOp::AShr => match amount {
            Some(k) => {
                let clamp = |n: i128| n.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
                let low = i128::from(new.smin) << k;
                let high = (i128::from(new.smax) << k) + ((1i128 << k) - 1);
                (Some(ValueSet::signed(width, clamp(low), clamp(high))), None)
            }
            None => (None, None),
        },
        BinOp::UDiv => match b.as_constant().filter(|c| *c > 0) {
            Some(c) => {
                let most = u128::from(mask(width));
                let low = u128::from(new.umin) * u128::from(c);
                let high = (u128::from(new.umax) * u128::from(c) + u128::from(c) - 1).min(most);
                if low > most {
                    return (Some(None), None);
                }
                (
                    Some(ValueSet::unsigned(width, low as u64, high as u64)),
                    None,
                )
            }
            None => (None, None),
        },
        _ => (None, None),
    }
}
