//! Arithmetic and comparisons on concrete values of up to 64 bits.

use crate::memory::{low_mask, sign_extend};
use labrys_ir::{BinOp, CmpOp};

/// `None` where the operation is a fault or the values are wider than 64 bits.
#[inline(always)]
pub(crate) fn concrete_bin(op: BinOp, width: u8, x: u64, y: u64) -> Option<u64> {
    let value = match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Shl if y < width.into() => x << y,
        BinOp::LShr if y < width.into() => x >> y,
        BinOp::AShr if y < width.into() => (sign_extend(x, width) >> y) as u64,
        BinOp::UDiv if y != 0 => x / y,
        BinOp::URem if y != 0 => x % y,
        BinOp::SDiv | BinOp::SRem if y != 0 => {
            let (x, y) = (sign_extend(x, width), sign_extend(y, width));
            if y == -1 && x == sign_extend(1 << (width - 1), width) {
                return None;
            }
            (if op == BinOp::SDiv {
                x.wrapping_div(y)
            } else {
                x.wrapping_rem(y)
            }) as u64
        }
        _ => return None,
    };
    Some(value & low_mask(width))
}

#[inline(always)]
pub(crate) fn concrete_cmp(op: CmpOp, width: u8, x: u64, y: u64) -> bool {
    let (sx, sy) = (sign_extend(x, width), sign_extend(y, width));
    match op {
        CmpOp::Eq => x == y,
        CmpOp::Ne => x != y,
        CmpOp::Ult => x < y,
        CmpOp::Ule => x <= y,
        CmpOp::Ugt => x > y,
        CmpOp::Uge => x >= y,
        CmpOp::Slt => sx < sy,
        CmpOp::Sle => sx <= sy,
        CmpOp::Sgt => sx > sy,
        CmpOp::Sge => sx >= sy,
    }
}
