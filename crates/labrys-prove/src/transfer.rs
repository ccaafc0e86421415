//! What an operation makes of what is known about its operands. Arithmetic wraps; an operation
//! that can fault says nothing about the operands with which it does, and shifts by the width or
//! more, which compiled programs survive, may give anything.

use crate::value_set::{MAX_WIDTH, ValueSet, mask, signed, signed_limits};
use labrys_ir::{BinOp, CastOp, IntrinsicOp};

/// Meets parts that all hold; a contradiction means that no operand gets here without a fault,
/// so nothing is concluded from it.
fn all_of(width: u8, parts: &[Option<ValueSet>]) -> ValueSet {
    let top = ValueSet::top(width);
    let mut value = top;
    for part in parts.iter().flatten() {
        match value.meet(part) {
            Some(met) => value = met,
            None => return top,
        }
    }
    value
}

/// An unsigned result without its overflow: all of it wraps alike, or nothing is known.
fn wrapped(width: u8, low: i128, high: i128) -> Option<ValueSet> {
    let size = i128::from(mask(width)) + 1;
    let turns = low.div_euclid(size);
    (turns == high.div_euclid(size))
        .then(|| {
            ValueSet::unsigned(
                width,
                (low - turns * size) as u64,
                (high - turns * size) as u64,
            )
        })
        .flatten()
}

/// The same for a signed result.
fn wrapped_signed(width: u8, low: i128, high: i128) -> Option<ValueSet> {
    let (least, _) = signed_limits(width);
    let size = i128::from(mask(width)) + 1;
    let shift = |n: i128| n - i128::from(least);
    let turns = shift(low).div_euclid(size);
    (turns == shift(high).div_euclid(size))
        .then(|| {
            ValueSet::signed(
                width,
                (low - turns * size) as i64,
                (high - turns * size) as i64,
            )
        })
        .flatten()
}

type WideInterval = (i128, i128);

fn unsigned_pair(v: &ValueSet) -> WideInterval {
    (v.umin.into(), v.umax.into())
}

fn signed_pair(v: &ValueSet) -> WideInterval {
    (v.smin.into(), v.smax.into())
}

fn corners(a: WideInterval, b: WideInterval, op: impl Fn(i128, i128) -> i128) -> WideInterval {
    let all = [op(a.0, b.0), op(a.0, b.1), op(a.1, b.0), op(a.1, b.1)];
    let least = all.iter().copied().min().unwrap_or(i128::MIN);
    let most = all.iter().copied().max().unwrap_or(i128::MAX);
    (least, most)
}

fn trailing_zeros(v: &ValueSet) -> u32 {
    v.zeros.trailing_ones().min(u32::from(v.width))
}

fn low_zeros(width: u8, count: u32) -> Option<ValueSet> {
    let zeros = if count >= 64 {
        u64::MAX
    } else {
        (1 << count) - 1
    };
    ValueSet::bits(width, zeros, 0)
}

/// An operation on few numbers is done on all pairs of them.
const MAX_PAIRS: usize = 64;

pub(crate) fn binary(op: BinOp, a: &ValueSet, b: &ValueSet) -> ValueSet {
    on_pairs(op, a, b).unwrap_or_else(|| by_bounds(op, a, b))
}

fn on_pairs(op: BinOp, a: &ValueSet, b: &ValueSet) -> Option<ValueSet> {
    let (these, others) = (a.members.get()?, b.members.get()?);
    if a.width != b.width || these.len() * others.len() > MAX_PAIRS {
        return None;
    }
    let mut results = Vec::with_capacity(these.len() * others.len());
    for x in these {
        for y in others {
            results.push(on_numbers(op, a.width, *x, *y)?);
        }
    }
    ValueSet::of_numbers(a.width, results)
}

/// The operation on two numbers; none where it faults, which leaves the result open.
fn on_numbers(op: BinOp, width: u8, x: u64, y: u64) -> Option<u64> {
    let (a, b) = (signed(width, x), signed(width, y));
    let shift = (y < width.into()).then_some(y);
    let (least, _) = signed_limits(width);
    let divides = b != 0 && !(a == least && b == -1);
    let result = match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::UDiv => x.checked_div(y)?,
        BinOp::URem => x.checked_rem(y)?,
        BinOp::SDiv => divides.then(|| (a / b) as u64)?,
        BinOp::SRem => divides.then(|| (a % b) as u64)?,
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Shl => x << shift?,
        BinOp::LShr => x >> shift?,
        BinOp::AShr => (a >> shift?) as u64,
    };
    Some(result & mask(width))
}

fn by_bounds(op: BinOp, a: &ValueSet, b: &ValueSet) -> ValueSet {
    let width = a.width;
    if !a.is_tracked() || b.width != width {
        return ValueSet::top(width);
    }
    let all = mask(width);
    match op {
        BinOp::Add => {
            let ((al, ah), (bl, bh)) = (unsigned_pair(a), unsigned_pair(b));
            let ((sl, sh), (tl, th)) = (signed_pair(a), signed_pair(b));
            let zeros = trailing_zeros(a).min(trailing_zeros(b));
            all_of(
                width,
                &[
                    wrapped(width, al + bl, ah + bh),
                    wrapped_signed(width, sl + tl, sh + th),
                    low_zeros(width, zeros),
                ],
            )
        }
        BinOp::Sub => {
            let ((al, ah), (bl, bh)) = (unsigned_pair(a), unsigned_pair(b));
            let ((sl, sh), (tl, th)) = (signed_pair(a), signed_pair(b));
            let zeros = trailing_zeros(a).min(trailing_zeros(b));
            all_of(
                width,
                &[
                    wrapped(width, al - bh, ah - bl),
                    wrapped_signed(width, sl - th, sh - tl),
                    low_zeros(width, zeros),
                ],
            )
        }
        BinOp::Mul => {
            if let (Some(x), Some(y)) = (a.as_constant(), b.as_constant()) {
                return ValueSet::constant(width, x.wrapping_mul(y));
            }
            // The product of two unsigned numbers of 64 bits may need all of 128.
            let plain = a.umax.checked_mul(b.umax).filter(|p| *p <= all);
            let unsigned = plain.and_then(|high| ValueSet::unsigned(width, a.umin * b.umin, high));
            let (low, high) = corners(signed_pair(a), signed_pair(b), |x, y| x * y);
            all_of(
                width,
                &[
                    unsigned,
                    wrapped_signed(width, low, high),
                    low_zeros(width, trailing_zeros(a) + trailing_zeros(b)),
                ],
            )
        }
        BinOp::UDiv => {
            if b.umax == 0 {
                return ValueSet::top(width);
            }
            all_of(
                width,
                &[ValueSet::unsigned(
                    width,
                    a.umin / b.umax,
                    a.umax / b.umin.max(1),
                )],
            )
        }
        BinOp::URem => {
            if b.umax == 0 {
                return ValueSet::top(width);
            }
            if let (Some(x), Some(y)) = (a.as_constant(), b.as_constant()) {
                return ValueSet::constant(width, x % y);
            }
            let same = (a.umax < b.umin).then_some(*a);
            let below = ValueSet::unsigned(width, 0, a.umax.min(b.umax - 1));
            all_of(width, &[same, below])
        }
        BinOp::SDiv => signed_division(a, b),
        BinOp::SRem => signed_remainder(a, b),
        BinOp::And => all_of(
            width,
            &[
                ValueSet::bits(width, a.zeros | b.zeros, a.ones & b.ones),
                ValueSet::unsigned(width, 0, a.umax.min(b.umax)),
            ],
        ),
        BinOp::Or => all_of(
            width,
            &[
                ValueSet::bits(width, a.zeros & b.zeros, a.ones | b.ones),
                ValueSet::unsigned(width, a.umin.max(b.umin), all),
            ],
        ),
        BinOp::Xor => {
            let zeros = (a.zeros & b.zeros) | (a.ones & b.ones);
            let ones = (a.zeros & b.ones) | (a.ones & b.zeros);
            all_of(width, &[ValueSet::bits(width, zeros, ones)])
        }
        BinOp::Shl | BinOp::LShr | BinOp::AShr => shift(op, a, b),
    }
}

fn signed_division(a: &ValueSet, b: &ValueSet) -> ValueSet {
    let width = a.width;
    let (least, most) = signed_limits(width);
    let (bl, bh) = signed_pair(b);
    let mut found: Option<WideInterval> = None;
    // A divisor of zero is a fault.
    for part in [(bl, bh.min(-1)), (bl.max(1), bh)] {
        if part.0 > part.1 {
            continue;
        }
        let (low, high) = corners(signed_pair(a), part, |x, y| x / y);
        found = Some(match found {
            None => (low, high),
            Some((l, h)) => (l.min(low), h.max(high)),
        });
    }
    match found {
        Some((low, high)) if low >= least.into() && high <= most.into() => {
            all_of(width, &[ValueSet::signed(width, low as i64, high as i64)])
        }
        _ => ValueSet::top(width),
    }
}

fn signed_remainder(a: &ValueSet, b: &ValueSet) -> ValueSet {
    let width = a.width;
    let ((al, ah), (bl, bh)) = (signed_pair(a), signed_pair(b));
    let largest = bl.abs().max(bh.abs());
    if largest == 0 {
        return ValueSet::top(width);
    }
    if al == ah && bl == bh {
        return ValueSet::constant(width, (al % bl) as u64);
    }
    let low = if al >= 0 { 0 } else { al.max(1 - largest) };
    let high = if ah <= 0 { 0 } else { ah.min(largest - 1) };
    let smallest = if bl > 0 {
        bl
    } else if bh < 0 {
        -bh
    } else {
        1
    };
    let same = (-smallest < al && ah < smallest).then_some(*a);
    all_of(
        width,
        &[ValueSet::signed(width, low as i64, high as i64), same],
    )
}

fn shift(op: BinOp, a: &ValueSet, b: &ValueSet) -> ValueSet {
    let width = a.width;
    if b.umax >= width.into() {
        return ValueSet::top(width);
    }
    let (few, many) = (b.umin as u32, b.umax as u32);
    let all = mask(width);
    let exact = few == many;
    match op {
        BinOp::LShr => {
            let high = all & !(all >> few);
            let bits = exact.then(|| ValueSet::bits(width, a.zeros >> few | high, a.ones >> few));
            all_of(
                width,
                &[
                    ValueSet::unsigned(width, a.umin >> many, a.umax >> few),
                    bits.flatten(),
                ],
            )
        }
        BinOp::AShr => {
            let amounts = (i128::from(few), i128::from(many));
            let (low, high) = corners(signed_pair(a), amounts, |x, k| x >> k);
            all_of(width, &[ValueSet::signed(width, low as i64, high as i64)])
        }
        _ => {
            let unsigned = (u128::from(a.umax) << many <= u128::from(all))
                .then(|| ValueSet::unsigned(width, a.umin << few, a.umax << many));
            let amounts = (i128::from(few), i128::from(many));
            let (low, high) = corners(signed_pair(a), amounts, |x, k| x << k);
            let (least, most) = signed_limits(width);
            let fits = low >= least.into() && high <= most.into();
            let signed = fits.then(|| ValueSet::signed(width, low as i64, high as i64));
            let low = (1u64 << few) - 1;
            let bits = exact.then(|| ValueSet::bits(width, a.zeros << few | low, a.ones << few));
            all_of(
                width,
                &[
                    unsigned.flatten(),
                    signed.flatten(),
                    bits.flatten(),
                    low_zeros(width, trailing_zeros(a) + few),
                ],
            )
        }
    }
}

pub(crate) fn cast(op: CastOp, to: u8, a: &ValueSet) -> ValueSet {
    let convert = |n: &u64| match op {
        CastOp::Trunc | CastOp::ZExt => Some(n & mask(to)),
        CastOp::SExt => Some(signed(a.width, *n) as u64 & mask(to)),
        _ => None,
    };
    let numbers = a.members.get().filter(|_| to <= MAX_WIDTH);
    let exact = numbers.and_then(|all| all.iter().map(convert).collect());
    exact
        .and_then(|numbers| ValueSet::of_numbers(to, numbers))
        .unwrap_or_else(|| cast_by_bounds(op, to, a))
}

fn cast_by_bounds(op: CastOp, to: u8, a: &ValueSet) -> ValueSet {
    let top = ValueSet::top(to);
    if !a.is_tracked() || !top.is_tracked() {
        return top;
    }
    match op {
        CastOp::Trunc => all_of(
            to,
            &[
                ValueSet::bits(to, a.zeros, a.ones),
                wrapped(to, a.umin.into(), a.umax.into()),
                wrapped_signed(to, a.smin.into(), a.smax.into()),
            ],
        ),
        CastOp::ZExt => {
            let high = mask(to) & !mask(a.width);
            all_of(
                to,
                &[
                    ValueSet::unsigned(to, a.umin, a.umax),
                    ValueSet::bits(to, a.zeros | high, a.ones),
                ],
            )
        }
        CastOp::SExt => {
            let low = mask(a.width) >> 1;
            all_of(
                to,
                &[
                    ValueSet::signed(to, a.smin, a.smax),
                    ValueSet::bits(to, a.zeros & low, a.ones & low),
                ],
            )
        }
        CastOp::FToF | CastOp::FToS | CastOp::FToU | CastOp::SToF | CastOp::UToF => top,
    }
}

/// The results of an intrinsic of which something is known, in order; the others are top.
pub(crate) fn intrinsic(op: IntrinsicOp, args: &[ValueSet]) -> Vec<ValueSet> {
    let Some(a) = args.first().filter(|a| a.is_tracked()) else {
        return Vec::new();
    };
    let b = args.get(1).filter(|b| b.width == a.width);
    let width = a.width;
    let one = |value: Option<ValueSet>| value.into_iter().collect();
    match (op, b) {
        (IntrinsicOp::PopCount, _) => {
            let (least, unknown) = (a.ones.count_ones(), mask(width) & !a.zeros & !a.ones);
            let most = least + unknown.count_ones();
            one(ValueSet::unsigned(width, least.into(), most.into()))
        }
        (IntrinsicOp::LeadingZeros, _) => {
            let unused = 64 - u32::from(width);
            let count = |n: u64| u64::from(n.leading_zeros() - unused);
            one(ValueSet::unsigned(width, count(a.umax), count(a.umin)))
        }
        (IntrinsicOp::TrailingZeros, _) => {
            let least = trailing_zeros(a).into();
            let most = match a.ones {
                0 => width.into(),
                ones => ones.trailing_zeros().into(),
            };
            one(ValueSet::unsigned(width, least, most))
        }
        (IntrinsicOp::UMin, Some(b)) => one(ValueSet::unsigned(
            width,
            a.umin.min(b.umin),
            a.umax.min(b.umax),
        )),
        (IntrinsicOp::UMax, Some(b)) => one(ValueSet::unsigned(
            width,
            a.umin.max(b.umin),
            a.umax.max(b.umax),
        )),
        (IntrinsicOp::SMin, Some(b)) => one(ValueSet::signed(
            width,
            a.smin.min(b.smin),
            a.smax.min(b.smax),
        )),
        (IntrinsicOp::SMax, Some(b)) => one(ValueSet::signed(
            width,
            a.smin.max(b.smin),
            a.smax.max(b.smax),
        )),
        (IntrinsicOp::SAddOverflow, Some(b)) => {
            let ((al, ah), (bl, bh)) = (signed_pair(a), signed_pair(b));
            with_overflow(BinOp::Add, true, (al + bl, ah + bh), a, b)
        }
        (IntrinsicOp::UAddOverflow, Some(b)) => {
            let ((al, ah), (bl, bh)) = (unsigned_pair(a), unsigned_pair(b));
            with_overflow(BinOp::Add, false, (al + bl, ah + bh), a, b)
        }
        (IntrinsicOp::SSubOverflow, Some(b)) => {
            let ((al, ah), (bl, bh)) = (signed_pair(a), signed_pair(b));
            with_overflow(BinOp::Sub, true, (al - bh, ah - bl), a, b)
        }
        (IntrinsicOp::USubOverflow, Some(b)) => {
            let ((al, ah), (bl, bh)) = (unsigned_pair(a), unsigned_pair(b));
            with_overflow(BinOp::Sub, false, (al - bh, ah - bl), a, b)
        }
        (IntrinsicOp::SMulOverflow, Some(b)) => {
            let exact = corners(signed_pair(a), signed_pair(b), |x, y| x * y);
            with_overflow(BinOp::Mul, true, exact, a, b)
        }
        _ => Vec::new(),
    }
}

/// The wrapped result, and whether the exact one, which lies between these bounds, fits.
fn with_overflow(
    op: BinOp,
    sign: bool,
    exact: WideInterval,
    a: &ValueSet,
    b: &ValueSet,
) -> Vec<ValueSet> {
    let (least, most): WideInterval = if sign {
        let (least, most) = signed_limits(a.width);
        (least.into(), most.into())
    } else {
        (0, mask(a.width).into())
    };
    let overflow = if exact.0 >= least && exact.1 <= most {
        Some(false)
    } else if exact.1 < least || exact.0 > most {
        Some(true)
    } else {
        None
    };
    vec![binary(op, a, b), ValueSet::truth(overflow)]
}
