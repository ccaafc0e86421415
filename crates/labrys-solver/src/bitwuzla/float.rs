//! Float operations as Bitwuzla's terms. Operands and results are bit patterns: a result is an
//! unknown whose meaning as a float is fixed; only the payload of a NaN stays open.

use super::terms::Term;
use super::translate::Translation;
use bitwuzla_sys as sys;
use labrys_expr::{Arena, ExprId, ExprKind, ExprOp, Rounding, float};

/// Exponent and significand bits of a format that Bitwuzla can express; others are left abstract.
fn format(width: u8) -> Option<(u64, u64)> {
    let (exponent, significand) = float::ieee_format(width)?;
    Some((exponent.into(), significand.into()))
}

/// The term of a float operation whose operands have terms.
pub(crate) fn node(tr: &mut Translation, arena: &Arena, e: ExprId) -> Term {
    let width = arena.width(e);
    exact(tr, arena, e).unwrap_or_else(|| tr.abstraction(e, width))
}

fn exact(tr: &mut Translation, arena: &Arena, e: ExprId) -> Option<Term> {
    let width = arena.width(e);
    let nearest = tr.terms.rounding(sys::BITWUZLA_RM_RNE);
    let result = match arena.kind(e) {
        ExprKind::Binary(op, a, b) => {
            let (x, y) = (read(tr, arena, a)?, read(tr, arena, b)?);
            let t = &tr.terms;
            match op {
                ExprOp::FEq => return Some(t.bit(t.op2(sys::BITWUZLA_KIND_FP_EQUAL, x, y))),
                ExprOp::FLt => return Some(t.bit(t.op2(sys::BITWUZLA_KIND_FP_LT, x, y))),
                ExprOp::FLe => return Some(t.bit(t.op2(sys::BITWUZLA_KIND_FP_LEQ, x, y))),
                ExprOp::FAdd => t.op3(sys::BITWUZLA_KIND_FP_ADD, nearest, x, y),
                ExprOp::FSub => t.op3(sys::BITWUZLA_KIND_FP_SUB, nearest, x, y),
                ExprOp::FMul => t.op3(sys::BITWUZLA_KIND_FP_MUL, nearest, x, y),
                ExprOp::FDiv => t.op3(sys::BITWUZLA_KIND_FP_DIV, nearest, x, y),
                // SMT-LIB's remainder rounds to nearest, C's fmod truncates.
                _ => return None,
            }
        }
        ExprKind::Unary(ExprOp::FSqrt, a) => {
            let x = read(tr, arena, a)?;
            tr.terms.op2(sys::BITWUZLA_KIND_FP_SQRT, nearest, x)
        }
        // Evaluation computes the half format's in double, which rounds twice.
        ExprKind::Fma(..) if width == 16 => return None,
        ExprKind::Fma(a, b, c) => {
            let args = [
                nearest,
                read(tr, arena, a)?,
                read(tr, arena, b)?,
                read(tr, arena, c)?,
            ];
            tr.terms.op4(sys::BITWUZLA_KIND_FP_FMA, args)
        }
        ExprKind::Round(mode, a) => {
            let x = read(tr, arena, a)?;
            let mode = tr.terms.rounding(rounding(mode));
            tr.terms.op2(sys::BITWUZLA_KIND_FP_RTI, mode, x)
        }
        ExprKind::Convert(op @ (ExprOp::FToS | ExprOp::FToU), a) => {
            let x = read(tr, arena, a)?;
            return to_int(tr, e, op == ExprOp::FToS, arena.width(a), width, x);
        }
        ExprKind::Convert(op, a) => {
            let (exponent, significand) = format(width)?;
            let (kind, x) = match op {
                ExprOp::FToF => (sys::BITWUZLA_KIND_FP_TO_FP_FROM_FP, read(tr, arena, a)?),
                ExprOp::SToF => (sys::BITWUZLA_KIND_FP_TO_FP_FROM_SBV, tr.get(a)),
                ExprOp::UToF => (sys::BITWUZLA_KIND_FP_TO_FP_FROM_UBV, tr.get(a)),
                _ => return None,
            };
            tr.terms
                .rounded_indexed2(kind, nearest, x, exponent, significand)
        }
        _ => return None,
    };
    Some(write(tr, e, width, result))
}

/// The float that a bit pattern means.
fn read(tr: &Translation, arena: &Arena, e: ExprId) -> Option<Term> {
    let (exponent, significand) = format(arena.width(e))?;
    Some(as_float(tr, tr.get(e), exponent, significand))
}

fn as_float(tr: &Translation, bits: Term, exponent: u64, significand: u64) -> Term {
    tr.terms.indexed2(
        sys::BITWUZLA_KIND_FP_TO_FP_FROM_BV,
        bits,
        exponent,
        significand,
    )
}

/// A bit pattern that means the float. SMT-LIB's equality tells zeros apart and has one NaN, so
/// everything but the NaN's payload is fixed.
fn write(tr: &mut Translation, e: ExprId, width: u8, float: Term) -> Term {
    let bits = tr.abstraction(e, width);
    if let Some((exponent, significand)) = format(width) {
        let meaning = as_float(tr, bits, exponent, significand);
        tr.terms.assert(tr.terms.equal(meaning, float));
    }
    bits
}

/// Towards zero, as x86-64 code does it: narrow targets go through 32 or 64 bits, and out of
/// range is the "indefinite integer".
fn to_int(
    tr: &mut Translation,
    e: ExprId,
    signed: bool,
    from: u8,
    to: u8,
    x: Term,
) -> Option<Term> {
    let via = match (signed, to) {
        (true, ..=32) => 32,
        (_, ..=64) => 64,
        _ => return None,
    };
    let zero = tr.terms.rounding(sys::BITWUZLA_RM_RTZ);
    let t = &tr.terms;
    let integral = t.op2(sys::BITWUZLA_KIND_FP_RTI, zero, x);
    let special = [sys::BITWUZLA_KIND_FP_IS_NAN, sys::BITWUZLA_KIND_FP_IS_INF];
    let finite = special
        .into_iter()
        .fold(t.boolean(t.constant(1, 1)), |all, kind| {
            t.and(all, t.op1(sys::BITWUZLA_KIND_NOT, t.op1(kind, x)))
        });
    let (exponent, significand) = format(from)?;
    let power = |n: u8, negative: bool| {
        let one = t.constant(n + 2, 1 << n);
        let value = if negative {
            t.op1(sys::BITWUZLA_KIND_BV_NEG, one)
        } else {
            one
        };
        let kind = sys::BITWUZLA_KIND_FP_TO_FP_FROM_SBV;
        t.rounded_indexed2(kind, zero, value, exponent, significand)
    };
    // A power that the format cannot hold becomes its largest number, rounding to zero; every
    // finite value is inside then, and the bound itself has to count as inside.
    let fits = u64::from(via) < (1 << (exponent - 1));
    let below = if fits {
        sys::BITWUZLA_KIND_FP_LT
    } else {
        sys::BITWUZLA_KIND_FP_LEQ
    };
    let lower = t.op2(sys::BITWUZLA_KIND_FP_GEQ, integral, power(via - 1, true));
    let upper = t.op2(below, integral, power(via - 1, false));
    let inside = t.and(finite, t.and(lower, upper));
    let value = t.rounded_indexed1(sys::BITWUZLA_KIND_FP_TO_SBV, zero, x, u64::from(via));
    let indefinite = t.constant(via, 1 << (via - 1));
    let outside = if signed || to <= 32 {
        indefinite
    } else {
        // Up to 2^64 it is the number; beyond that compilers differ.
        let upper = t.op2(below, integral, power(64, false));
        let at_least = t.op2(sys::BITWUZLA_KIND_FP_GEQ, integral, power(63, false));
        let unsigned = t.rounded_indexed1(sys::BITWUZLA_KIND_FP_TO_UBV, zero, x, 64);
        let large = t.and(finite, t.and(at_least, upper));
        let open = tr.abstraction(e, 64);
        tr.terms.ite(large, unsigned, open)
    };
    let t = &tr.terms;
    let result = t.ite(inside, value, outside);
    Some(if to < via {
        t.indexed2(sys::BITWUZLA_KIND_BV_EXTRACT, result, u64::from(to) - 1, 0)
    } else {
        result
    })
}

fn rounding(mode: Rounding) -> sys::BitwuzlaRoundingMode {
    match mode {
        Rounding::NearestEven => sys::BITWUZLA_RM_RNE,
        Rounding::NearestAway => sys::BITWUZLA_RM_RNA,
        Rounding::Up => sys::BITWUZLA_RM_RTP,
        Rounding::Down => sys::BITWUZLA_RM_RTN,
        Rounding::ToZero => sys::BITWUZLA_RM_RTZ,
    }
}
