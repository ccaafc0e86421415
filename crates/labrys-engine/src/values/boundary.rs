//! The constants to which a path compares an input.

use labrys_expr::{Arena, ExprId, ExprKind, ExprOp, float, mask, signed};

/// A comparison with a constant that a constraint makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Boundary {
    /// The value of the compared term at which its side and the constant are equal.
    pub(crate) at: u64,
    pub(crate) kind: Comparison,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Order,
    Equality,
    Float,
}

/// The boundary at which a constraint on `term` becomes true or false, if it is a comparison of
/// `term`, perhaps widened or moved, with a constant.
pub(crate) fn boundary(arena: &Arena, constraint: ExprId, term: ExprId) -> Option<Boundary> {
    let (kind, side, constant) = comparison(arena, constraint)?;
    let at = invert(arena, side, constant, term)?;
    Some(Boundary {
        at: at as u64,
        kind,
    })
}

/// The constant of a comparison of floats, whatever it is compared with, in another width.
pub(crate) fn float_constant(arena: &Arena, constraint: ExprId, width: u8) -> Option<u64> {
    let (kind, side, constant) = comparison(arena, constraint)?;
    let from = arena.width(side);
    let converts = kind == Comparison::Float && matches!(from, 32 | 64);
    converts.then(|| float::convert(from, width, constant) as u64)
}

/// The comparison that a constraint makes: its kind, what is compared, and the constant.
fn comparison(arena: &Arena, constraint: ExprId) -> Option<(Comparison, ExprId, u128)> {
    let (mut inner, mut negated) = (constraint, false);
    while let ExprKind::Unary(ExprOp::Not, operand) = arena.kind(inner) {
        (inner, negated) = (operand, !negated);
    }
    let ExprKind::Binary(op, a, b) = arena.kind(inner) else {
        return None;
    };
    let kind = match op {
        ExprOp::Ult | ExprOp::Slt => Comparison::Order,
        ExprOp::Eq => Comparison::Equality,
        ExprOp::FLt | ExprOp::FLe => Comparison::Float,
        // To differ from a number says little.
        ExprOp::FEq if !negated => Comparison::Float,
        _ => return None,
    };
    match (arena.as_const(a), arena.as_const(b)) {
        (None, Some(constant)) => Some((kind, a, constant)),
        (Some(constant), None) => Some((kind, b, constant)),
        _ => None,
    }
}

/// The value of `term` for which `side`, made of it by steps that can be undone, is `value`.
fn invert(arena: &Arena, side: ExprId, value: u128, term: ExprId) -> Option<u128> {
    let (mut side, mut value) = (side, value);
    while side != term {
        let width = arena.width(side);
        (side, value) = match arena.kind(side) {
            ExprKind::Convert(ExprOp::ZExt, a) if value <= mask(arena.width(a)) => (a, value),
            ExprKind::Convert(ExprOp::SExt, a) => {
                let inner = value & mask(arena.width(a));
                let same = signed(inner, arena.width(a)) == signed(value, width);
                (a, same.then_some(inner)?)
            }
            ExprKind::Convert(ExprOp::FToF, a) => (a, float::convert(width, arena.width(a), value)),
            ExprKind::Binary(ExprOp::Concat, high, low) if arena.as_const(high) == Some(0) => {
                (low, value)
            }
            // Bits that a mask has left have no sign.
            ExprKind::Extract(a, 0) if !matches!(width, 8 | 16 | 32) => (a, value),
            ExprKind::Extract(a, 0) => {
                let wide = signed(value, width) as u128 & mask(arena.width(a));
                (a, wide)
            }
            ExprKind::Binary(op, a, b) => match (arena.as_const(a), arena.as_const(b)) {
                (None, Some(c)) => (a, undo(op, value, c)? & mask(width)),
                (Some(c), None) if op == ExprOp::Sub => (b, c.wrapping_sub(value) & mask(width)),
                (Some(c), None) if op != ExprOp::Sub => (b, undo(op, value, c)? & mask(width)),
                _ => return None,
            },
            ExprKind::Unary(ExprOp::Neg, a) => (a, value.wrapping_neg() & mask(width)),
            ExprKind::Unary(ExprOp::Not, a) => (a, !value & mask(width)),
            _ => return None,
        };
    }
    Some(value)
}

/// `x` where `x op c` is `value`.
fn undo(op: ExprOp, value: u128, c: u128) -> Option<u128> {
    match op {
        ExprOp::Add => Some(value.wrapping_sub(c)),
        ExprOp::Sub => Some(value.wrapping_add(c)),
        ExprOp::Xor => Some(value ^ c),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(make: impl Fn(&mut Arena, ExprId) -> ExprId) -> Option<u64> {
        let mut arena = Arena::new();
        let x = arena.new_var("x", 32);
        let x = arena.var_expr(x);
        let constraint = make(&mut arena, x);
        boundary(&arena, constraint, x).map(|b| b.at)
    }

    #[test]
    fn comparisons_with_constants() {
        let less = at(|arena, x| {
            let c = arena.constant(32, 18);
            arena.slt(x, c)
        });
        assert_eq!(less, Some(18));
        let not_less = at(|arena, x| {
            let c = arena.constant(32, 18);
            arena.sge(x, c)
        });
        assert!(matches!(not_less, Some(17 | 18)));
    }

    #[test]
    fn moved_and_widened() {
        let moved = at(|arena, x| {
            let five = arena.constant(32, 5);
            let sum = arena.add(x, five);
            let c = arena.constant(32, 30);
            arena.ult(c, sum)
        });
        assert_eq!(moved, Some(25));
        let widened = at(|arena, x| {
            let wide = arena.sext(x, 64);
            let one = arena.constant(64, 1);
            let sum = arena.add(wide, one);
            let c = arena.constant(64, u128::from((-7i64) as u64));
            arena.slt(sum, c)
        });
        assert_eq!(widened, Some(u64::from((-8i32) as u32)));
    }

    #[test]
    fn what_cannot_be_undone_has_no_boundary() {
        let product = at(|arena, x| {
            let square = arena.mul(x, x);
            let c = arena.constant(32, 30);
            arena.ult(square, c)
        });
        assert_eq!(product, None);
    }
}
