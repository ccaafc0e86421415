//! Comparisons: what is decided by values and by orders, and what a comparison that holds says
//! about its operands.

use crate::value_set::ValueSet;
use labrys_ir::CmpOp;

/// The ways in which two numbers can be to each other, as a set: equal, or one of the four
/// combinations of the signed and the unsigned order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OrderSet(u8);

const EQUAL: u8 = 1;
/// Signed less and unsigned less, and so on.
const LESS_LESS: u8 = 2;
const LESS_MORE: u8 = 4;
const MORE_LESS: u8 = 8;
const MORE_MORE: u8 = 16;

impl OrderSet {
    pub(crate) const ANY: OrderSet = OrderSet(31);
    pub(crate) const SAME: OrderSet = OrderSet(EQUAL);

    /// The ways in which the comparison holds.
    pub(crate) fn of(op: CmpOp) -> OrderSet {
        let signed_less = LESS_LESS | LESS_MORE;
        let unsigned_less = LESS_LESS | MORE_LESS;
        let all = OrderSet::ANY.0;
        OrderSet(match op {
            CmpOp::Eq => EQUAL,
            CmpOp::Ne => all & !EQUAL,
            CmpOp::Ult => unsigned_less,
            CmpOp::Ule => unsigned_less | EQUAL,
            CmpOp::Ugt => all & !(unsigned_less | EQUAL),
            CmpOp::Uge => all & !unsigned_less,
            CmpOp::Slt => signed_less,
            CmpOp::Sle => signed_less | EQUAL,
            CmpOp::Sgt => all & !(signed_less | EQUAL),
            CmpOp::Sge => all & !signed_less,
        })
    }

    pub(crate) fn and(self, other: OrderSet) -> OrderSet {
        OrderSet(self.0 & other.0)
    }

    pub(crate) fn or(self, other: OrderSet) -> OrderSet {
        OrderSet(self.0 | other.0)
    }

    pub(crate) fn is_impossible(self) -> bool {
        self.0 == 0
    }

    /// Whether a comparison holds, where this is known.
    pub(crate) fn decides(self, op: CmpOp) -> Option<bool> {
        let holds = OrderSet::of(op).0;
        if self.0 & holds == 0 {
            Some(false)
        } else if self.0 & !holds == 0 {
            Some(true)
        } else {
            None
        }
    }

    /// The same seen from the other number.
    pub(crate) fn reversed(self) -> OrderSet {
        let swap = |bit: u8, other: u8| if self.0 & bit != 0 { other } else { 0 };
        OrderSet(
            self.0 & EQUAL
                | swap(LESS_LESS, MORE_MORE)
                | swap(MORE_MORE, LESS_LESS)
                | swap(LESS_MORE, MORE_LESS)
                | swap(MORE_LESS, LESS_MORE),
        )
    }

    /// What is known of `a` and `c` if `self` holds between `a` and `b`, `next` between `b` and
    /// `c`: both orders are transitive.
    pub(crate) fn then(self, next: OrderSet) -> OrderSet {
        let single = [EQUAL, LESS_LESS, LESS_MORE, MORE_LESS, MORE_MORE];
        let mut found = 0;
        for first in single.into_iter().filter(|bit| self.0 & bit != 0) {
            for second in single.into_iter().filter(|bit| next.0 & bit != 0) {
                found |= compose(first, second);
            }
        }
        OrderSet(found)
    }
}

fn compose(first: u8, second: u8) -> u8 {
    if first == EQUAL {
        return second;
    }
    if second == EQUAL || first == second {
        return first;
    }
    let signed_less = |bit| bit == LESS_LESS || bit == LESS_MORE;
    let unsigned_less = |bit| bit == LESS_LESS || bit == MORE_LESS;
    if signed_less(first) == signed_less(second) {
        if signed_less(first) {
            LESS_LESS | LESS_MORE
        } else {
            MORE_LESS | MORE_MORE
        }
    } else if unsigned_less(first) == unsigned_less(second) {
        if unsigned_less(first) {
            LESS_LESS | MORE_LESS
        } else {
            LESS_MORE | MORE_MORE
        }
    } else {
        OrderSet::ANY.0
    }
}

/// Whether a comparison holds, as far as the values decide it.
pub(crate) fn decide(op: CmpOp, a: &ValueSet, b: &ValueSet) -> Option<bool> {
    if !a.is_tracked() || a.width != b.width {
        return None;
    }
    if let (CmpOp::Eq | CmpOp::Ne, Some(these), Some(others)) =
        (op, a.members.get(), b.members.get())
    {
        let is_apart = !these.iter().any(|n| others.binary_search(n).is_ok());
        let is_same = these.len() == 1 && these == others;
        let equal = (is_apart || is_same).then_some(is_same);
        return equal.map(|equal| equal == (op == CmpOp::Eq));
    }
    let less = |before: bool, never: bool| match (before, never) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    match op {
        CmpOp::Eq => match (a.as_constant(), b.as_constant()) {
            (Some(x), Some(y)) => Some(x == y),
            _ => a.meet(b).is_none().then_some(false),
        },
        CmpOp::Ne => decide(CmpOp::Eq, a, b).map(|equal| !equal),
        CmpOp::Ult => less(a.umax < b.umin, a.umin >= b.umax),
        CmpOp::Ule => less(a.umax <= b.umin, a.umin > b.umax),
        CmpOp::Slt => less(a.smax < b.smin, a.smin >= b.smax),
        CmpOp::Sle => less(a.smax <= b.smin, a.smin > b.smax),
        CmpOp::Ugt => decide(CmpOp::Ult, b, a),
        CmpOp::Uge => decide(CmpOp::Ule, b, a),
        CmpOp::Sgt => decide(CmpOp::Slt, b, a),
        CmpOp::Sge => decide(CmpOp::Sle, b, a),
    }
}

/// The comparison that holds exactly where this one does not.
pub(crate) fn negated(op: CmpOp) -> CmpOp {
    match op {
        CmpOp::Eq => CmpOp::Ne,
        CmpOp::Ne => CmpOp::Eq,
        CmpOp::Ult => CmpOp::Uge,
        CmpOp::Uge => CmpOp::Ult,
        CmpOp::Ule => CmpOp::Ugt,
        CmpOp::Ugt => CmpOp::Ule,
        CmpOp::Slt => CmpOp::Sge,
        CmpOp::Sge => CmpOp::Slt,
        CmpOp::Sle => CmpOp::Sgt,
        CmpOp::Sgt => CmpOp::Sle,
    }
}

/// The operands of a comparison that holds; none if it cannot hold.
pub(crate) fn sharpen(op: CmpOp, a: &ValueSet, b: &ValueSet) -> Option<(ValueSet, ValueSet)> {
    if !a.is_tracked() || a.width != b.width {
        return Some((*a, *b));
    }
    let width = a.width;
    match op {
        CmpOp::Eq => {
            let both = a.meet(b)?;
            Some((both, both))
        }
        CmpOp::Ne => Some((without(a, b)?, without(b, a)?)),
        CmpOp::Ult => {
            let a = a.meet(&ValueSet::unsigned(width, 0, b.umax.checked_sub(1)?)?)?;
            let b = b.meet(&ValueSet::unsigned(
                width,
                a.umin.checked_add(1)?,
                u64::MAX,
            )?)?;
            Some((a, b))
        }
        CmpOp::Ule => {
            let a = a.meet(&ValueSet::unsigned(width, 0, b.umax)?)?;
            let b = b.meet(&ValueSet::unsigned(width, a.umin, u64::MAX)?)?;
            Some((a, b))
        }
        CmpOp::Slt => {
            let a = a.meet(&ValueSet::signed(width, i64::MIN, b.smax.checked_sub(1)?)?)?;
            let b = b.meet(&ValueSet::signed(width, a.smin.checked_add(1)?, i64::MAX)?)?;
            Some((a, b))
        }
        CmpOp::Sle => {
            let a = a.meet(&ValueSet::signed(width, i64::MIN, b.smax)?)?;
            let b = b.meet(&ValueSet::signed(width, a.smin, i64::MAX)?)?;
            Some((a, b))
        }
        CmpOp::Ugt => sharpen(CmpOp::Ult, b, a).map(swapped),
        CmpOp::Uge => sharpen(CmpOp::Ule, b, a).map(swapped),
        CmpOp::Sgt => sharpen(CmpOp::Slt, b, a).map(swapped),
        CmpOp::Sge => sharpen(CmpOp::Sle, b, a).map(swapped),
    }
}

fn swapped((a, b): (ValueSet, ValueSet)) -> (ValueSet, ValueSet) {
    (b, a)
}

/// Takes a constant away, where it is a bound.
fn without(a: &ValueSet, b: &ValueSet) -> Option<ValueSet> {
    let Some(gone) = b.as_constant() else {
        return Some(*a);
    };
    let mut rest = a.without(gone)?;
    if rest.as_constant() == Some(gone) {
        return None;
    }
    if rest.umin == gone {
        rest = rest.meet(&ValueSet::unsigned(
            a.width,
            gone.checked_add(1)?,
            u64::MAX,
        )?)?;
    } else if rest.umax == gone {
        rest = rest.meet(&ValueSet::unsigned(a.width, 0, gone.checked_sub(1)?)?)?;
    }
    let number = b.smin;
    if rest.smin == number {
        rest = rest.meet(&ValueSet::signed(
            a.width,
            number.checked_add(1)?,
            i64::MAX,
        )?)?;
    } else if rest.smax == number {
        rest = rest.meet(&ValueSet::signed(
            a.width,
            i64::MIN,
            number.checked_sub(1)?,
        )?)?;
    }
    Some(rest)
}
