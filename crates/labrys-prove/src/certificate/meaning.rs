//! What instructions compute, as terms of SMT-LIB. Written from the meaning of the instruction alone; what an
//! error gives is left open, and so is everything with floats.

use super::script::{FormulaScript, SmtFormula, SmtTerm};
use labrys_ir::{BinOp, CastOp, CmpOp, IntrinsicOp};

/// The widest numbers that are looked at.
pub(super) const WIDEST: u8 = 64;

/// The result of an operation on two numbers. A division by zero, an overflowing one, and a shift by the width
/// or more give anything: `open` is that.
pub(super) fn binary(
    op: BinOp,
    a: &SmtTerm,
    b: &SmtTerm,
    open: impl FnOnce() -> SmtTerm,
) -> SmtTerm {
    let width = a.width;
    let plain = |name: &str| SmtTerm::of(width, name, &[a, b]);
    let fits = |term: SmtTerm, is_error: SmtFormula, open: SmtTerm| {
        SmtTerm::if_else(&is_error, &open, &term)
    };
    let wide_shift = || SmtFormula::of("bvult", &[b, &SmtTerm::number(width, width.into())]).not();
    let least = 1u128 << (width - 1);
    let overflows = || SmtFormula::all(&[a.is(least), b.is(u128::MAX)]);
    match op {
        BinOp::Add => plain("bvadd"),
        BinOp::Sub => plain("bvsub"),
        BinOp::Mul => plain("bvmul"),
        BinOp::And => plain("bvand"),
        BinOp::Or => plain("bvor"),
        BinOp::Xor => plain("bvxor"),
        BinOp::UDiv => fits(plain("bvudiv"), b.is(0), open()),
        BinOp::URem => fits(plain("bvurem"), b.is(0), open()),
        BinOp::SDiv | BinOp::SRem => {
            let name = if op == BinOp::SDiv {
                "bvsdiv"
            } else {
                "bvsrem"
            };
            fits(
                plain(name),
                SmtFormula::any(&[b.is(0), overflows()]),
                open(),
            )
        }
        BinOp::Shl => fits(plain("bvshl"), wide_shift(), open()),
        BinOp::LShr => fits(plain("bvlshr"), wide_shift(), open()),
        BinOp::AShr => fits(plain("bvashr"), wide_shift(), open()),
    }
}

pub(super) fn comparison(op: CmpOp, a: &SmtTerm, b: &SmtTerm) -> SmtFormula {
    match op {
        CmpOp::Eq => SmtFormula::of("=", &[a, b]),
        CmpOp::Ne => SmtFormula::of("=", &[a, b]).not(),
        CmpOp::Ult => SmtFormula::of("bvult", &[a, b]),
        CmpOp::Ule => SmtFormula::of("bvult", &[b, a]).not(),
        CmpOp::Ugt => SmtFormula::of("bvult", &[b, a]),
        CmpOp::Uge => SmtFormula::of("bvult", &[a, b]).not(),
        CmpOp::Slt => SmtFormula::of("bvslt", &[a, b]),
        CmpOp::Sle => SmtFormula::of("bvslt", &[b, a]).not(),
        CmpOp::Sgt => SmtFormula::of("bvslt", &[b, a]),
        CmpOp::Sge => SmtFormula::of("bvslt", &[a, b]).not(),
    }
}

/// None where a float takes part.
pub(super) fn conversion(op: CastOp, to: u8, a: &SmtTerm) -> Option<SmtTerm> {
    match op {
        CastOp::Trunc if to < a.width => {
            Some(SmtTerm::of(to, &format!("(_ extract {} 0)", to - 1), &[a]))
        }
        CastOp::Trunc if to == a.width => Some(a.clone()),
        CastOp::ZExt if to >= a.width => Some(a.extended(false, to)),
        CastOp::SExt if to >= a.width => Some(a.extended(true, to)),
        _ => None,
    }
}

/// The results of an operation of which something is known, in order; none are anything.
pub(super) fn intrinsic(op: IntrinsicOp, args: &[SmtTerm]) -> Vec<Option<SmtTerm>> {
    let [a, b, ..] = args else {
        return match (op, args) {
            (IntrinsicOp::Abs, [a]) => {
                let is_negative = SmtFormula::of("bvslt", &[a, &SmtTerm::number(a.width, 0)]);
                let negative = SmtTerm::of(a.width, "bvneg", &[a]);
                vec![Some(SmtTerm::if_else(&is_negative, &negative, a))]
            }
            _ => Vec::new(),
        };
    };
    if a.width != b.width || a.width > WIDEST {
        return Vec::new();
    }
    let pick = |op: CmpOp| vec![Some(SmtTerm::if_else(&comparison(op, a, b), a, b))];
    match op {
        IntrinsicOp::SMin => pick(CmpOp::Slt),
        IntrinsicOp::SMax => pick(CmpOp::Sgt),
        IntrinsicOp::UMin => pick(CmpOp::Ult),
        IntrinsicOp::UMax => pick(CmpOp::Ugt),
        IntrinsicOp::SAddOverflow => with_overflow("bvadd", true, 1, a, b),
        IntrinsicOp::UAddOverflow => with_overflow("bvadd", false, 1, a, b),
        IntrinsicOp::SSubOverflow => with_overflow("bvsub", true, 1, a, b),
        IntrinsicOp::USubOverflow => with_overflow("bvsub", false, 1, a, b),
        IntrinsicOp::SMulOverflow => with_overflow("bvmul", true, a.width, a, b),
        IntrinsicOp::UMulOverflow => with_overflow("bvmul", false, a.width, a, b),
        _ => Vec::new(),
    }
}

/// The result that wraps, and whether the exact one, which has so many bits more, is another number.
fn with_overflow(
    name: &str,
    signed: bool,
    more: u8,
    a: &SmtTerm,
    b: &SmtTerm,
) -> Vec<Option<SmtTerm>> {
    let width = a.width;
    let result = SmtTerm::of(width, name, &[a, b]);
    let wide = width + more;
    let exact = SmtTerm::of(
        wide,
        name,
        &[&a.extended(signed, wide), &b.extended(signed, wide)],
    );
    let same = SmtFormula::of("=", &[&exact, &result.extended(signed, wide)]);
    vec![Some(result), Some(SmtTerm::truth(&same.not()))]
}

/// A value of which nothing is known.
pub(super) fn anything(script: &mut FormulaScript, width: u8, why: &str) -> SmtTerm {
    script.unknown("any", width, why.to_owned())
}
