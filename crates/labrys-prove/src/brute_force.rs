//! Every rule about values against all numbers of four to six bits: a number that the operation
//! can give, or from which it can come, must never be lost.

use crate::compare::{OrderSet, decide, negated, sharpen};
use crate::inverse::{binary_operands, cast_operand};
use crate::transfer::{binary, cast, intrinsic};
use crate::value_set::{ValueSet, WideningThresholds, mask, signed};
use labrys_ir::{BinOp, CastOp, CmpOp, IntrinsicOp};

const BINARY: [BinOp; 13] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::UDiv,
    BinOp::SDiv,
    BinOp::URem,
    BinOp::SRem,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
    BinOp::Shl,
    BinOp::LShr,
    BinOp::AShr,
];
const COMPARE: [CmpOp; 10] = [
    CmpOp::Eq,
    CmpOp::Ne,
    CmpOp::Ult,
    CmpOp::Ule,
    CmpOp::Ugt,
    CmpOp::Uge,
    CmpOp::Slt,
    CmpOp::Sle,
    CmpOp::Sgt,
    CmpOp::Sge,
];

/// A generator of its own, so that the same values are tried everywhere.
pub(crate) struct XorShift(pub(crate) u64);

impl XorShift {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}

fn members(value: &ValueSet) -> Vec<u64> {
    (0..=mask(value.width))
        .filter(|n| value.contains(*n))
        .collect()
}

/// Intervals of both kinds, bit patterns, and what they have in common.
fn values(width: u8, count: usize, seed: u64) -> Vec<ValueSet> {
    let mut random = XorShift(seed);
    let size = mask(width) + 1;
    let mut one = || -> ValueSet {
        loop {
            let (a, b) = (random.below(size), random.below(size));
            let (c, d) = (
                signed(width, random.below(size)),
                signed(width, random.below(size)),
            );
            let (zeros, ones) = (random.below(size), random.below(size));
            let found = match random.below(7) {
                6 => {
                    let constants = [a, b, zeros, ones].map(|n| ValueSet::constant(width, n));
                    constants.into_iter().reduce(|a, b| a.join(&b))
                }
                0 => Some(ValueSet::constant(width, a)),
                1 => ValueSet::unsigned(width, a.min(b), a.max(b)),
                2 => ValueSet::signed(width, c.min(d), c.max(d)),
                3 => ValueSet::bits(width, zeros & !ones & a, ones & b),
                4 => ValueSet::unsigned(width, a.min(b), a.max(b))
                    .and_then(|v| v.meet(&ValueSet::signed(width, c.min(d), c.max(d))?)),
                _ => ValueSet::signed(width, c.min(d), c.max(d)).and_then(|v| {
                    v.meet(&ValueSet::bits(width, zeros & !ones & a & b, ones & a & b)?)
                }),
            };
            if let Some(value) = found {
                return value;
            }
        }
    };
    let mut all: Vec<ValueSet> = (0..count).map(|_| one()).collect();
    all.push(ValueSet::top(width));
    all.push(ValueSet::not_zero(width));
    all
}

/// The operation on numbers; none where it faults.
fn apply(op: BinOp, width: u8, a: u64, b: u64) -> Option<u64> {
    let (x, y) = (signed(width, a), signed(width, b));
    let least = signed(width, (mask(width) >> 1) + 1);
    let shift = b < width.into();
    let divides = y != 0 && !(x == least && y == -1);
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a.checked_div(b)?,
        BinOp::URem => a.checked_rem(b)?,
        BinOp::SDiv if divides => (x / y) as u64,
        BinOp::SRem if divides => (x % y) as u64,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl if shift => a << b,
        BinOp::LShr if shift => a >> b,
        BinOp::AShr if shift => (x >> b) as u64,
        _ => return None,
    };
    Some(result & mask(width))
}

fn compare(op: CmpOp, width: u8, a: u64, b: u64) -> bool {
    let (x, y) = (signed(width, a), signed(width, b));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => x < y,
        CmpOp::Sle => x <= y,
        CmpOp::Sgt => x > y,
        CmpOp::Sge => x >= y,
    }
}

#[test]
fn what_values_have_in_common_keeps_every_number_of_both() {
    for width in [1, 4, 5] {
        let all = values(width, 60, 7);
        for a in &all {
            for b in &all {
                let met = a.meet(b);
                let joined = a.join(b);
                let none = WideningThresholds::default();
                let some =
                    WideningThresholds::new([(width, 3), (width, mask(width) - 1)].into_iter());
                let wide = [a.widen(&joined, &none), a.widen(&joined, &some)];
                for n in 0..=mask(width) {
                    let both = a.contains(n) && b.contains(n);
                    assert_eq!(both, met.is_some_and(|m| m.contains(n)), "{a:?} {b:?} {n}");
                    if a.contains(n) || b.contains(n) {
                        assert!(joined.contains(n), "{a:?} {b:?} {n}");
                        assert!(wide.iter().all(|w| w.contains(n)), "{a:?} {b:?} {n}");
                    }
                }
            }
        }
    }
}

#[test]
fn widening_ends() {
    let thresholds = WideningThresholds::new([(32, 10), (32, 1000)].into_iter());
    let mut value = ValueSet::constant(32, 0);
    let mut steps = 0;
    loop {
        let next = value.join(&ValueSet::constant(32, value.umax + 1));
        let wide = value.widen(&next, &thresholds);
        if wide == value {
            break;
        }
        value = wide;
        steps += 1;
    }
    assert!(steps < 12 && value.umax == mask(32));
}

#[test]
fn every_operation_keeps_every_result() {
    for (width, count) in [(4, 70), (5, 40), (6, 24)] {
        let all = values(width, count, 11);
        for op in BINARY {
            for a in &all {
                for b in &all {
                    let result = binary(op, a, b);
                    for x in members(a) {
                        for y in members(b) {
                            if let Some(n) = apply(op, width, x, y) {
                                assert!(
                                    result.contains(n),
                                    "{op:?} {x} {y} = {n}: {a:?} {b:?} {result:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn operations_on_numbers_are_exact() {
    let width = 5;
    for op in BINARY {
        for x in 0..=mask(width) {
            for y in 0..=mask(width) {
                let result = binary(
                    op,
                    &ValueSet::constant(width, x),
                    &ValueSet::constant(width, y),
                );
                if let Some(n) = apply(op, width, x, y) {
                    assert_eq!(result.as_constant(), Some(n), "{op:?} {x} {y}");
                }
            }
        }
    }
}

#[test]
fn shifts_by_too_much_and_divisions_by_zero_say_nothing() {
    let one = ValueSet::constant(8, 1);
    for op in [BinOp::Shl, BinOp::LShr, BinOp::AShr] {
        assert!(binary(op, &one, &ValueSet::constant(8, 8)).is_top());
    }
    for op in [BinOp::UDiv, BinOp::SDiv, BinOp::URem, BinOp::SRem] {
        assert!(binary(op, &one, &ValueSet::constant(8, 0)).is_top());
    }
}

#[test]
fn operands_that_give_a_result_are_kept() {
    for (width, count) in [(4, 26), (5, 14)] {
        let all = values(width, count, 23);
        for op in BINARY {
            for new in &all {
                for a in &all {
                    for b in &all {
                        let (left, right) = binary_operands(op, new, a, b);
                        for x in members(a) {
                            for y in members(b) {
                                let Some(n) = apply(op, width, x, y) else {
                                    continue;
                                };
                                if !new.contains(n) {
                                    continue;
                                }
                                let keeps = |side: Option<Option<ValueSet>>, n: u64| {
                                    side.is_none_or(|v| v.is_some_and(|v| v.contains(n)))
                                };
                                assert!(
                                    keeps(left, x) && keeps(right, y),
                                    "{op:?} {x} {y} = {n}: {new:?} {a:?} {b:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn conversions_keep_every_number_both_ways() {
    for (from, to) in [(4, 6), (6, 4), (5, 1), (1, 5), (4, 5)] {
        let ops: &[CastOp] = if from < to {
            &[CastOp::ZExt, CastOp::SExt]
        } else {
            &[CastOp::Trunc]
        };
        for op in ops {
            for a in values(from, 80, 31) {
                let result = cast(*op, to, &a);
                let convert = |n: u64| match op {
                    CastOp::SExt => signed(from, n) as u64 & mask(to),
                    _ => n & mask(to),
                };
                for n in members(&a) {
                    assert!(result.contains(convert(n)), "{op:?} {n}: {a:?} {result:?}");
                }
                for new in values(to, 60, 37) {
                    let Some(back) = cast_operand(*op, from, &new, &a) else {
                        continue;
                    };
                    for n in members(&a) {
                        if new.contains(convert(n)) {
                            assert!(back.contains(n), "{op:?} {n}: {a:?} {new:?} {back:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn comparisons_are_decided_only_where_all_numbers_agree() {
    for (width, count) in [(1, 4), (4, 70), (5, 40)] {
        let all = values(width, count, 41);
        for op in COMPARE {
            for a in &all {
                for b in &all {
                    let decided = decide(op, a, b);
                    let sharp = sharpen(op, a, b);
                    for x in members(a) {
                        for y in members(b) {
                            let holds = compare(op, width, x, y);
                            assert!(decided.is_none_or(|d| d == holds), "{op:?} {x} {y}");
                            assert_eq!(holds, !compare(negated(op), width, x, y));
                            if holds {
                                let kept =
                                    sharp.is_some_and(|(a, b)| a.contains(x) && b.contains(y));
                                assert!(kept, "{op:?} {x} {y}: {a:?} {b:?} {sharp:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn bounds_next_to_each_other_are_told_apart() {
    let from_to = |a, b| ValueSet::unsigned(8, a, b).unwrap_or(ValueSet::top(8));
    assert_eq!(
        decide(CmpOp::Ult, &from_to(0, 9), &from_to(10, 10)),
        Some(true)
    );
    assert_eq!(decide(CmpOp::Ult, &from_to(0, 10), &from_to(10, 10)), None);
    assert_eq!(
        decide(CmpOp::Ule, &from_to(11, 12), &from_to(10, 10)),
        Some(false)
    );
    assert_eq!(decide(CmpOp::Ule, &from_to(10, 12), &from_to(10, 10)), None);
    // As a signed byte, 200 is negative.
    assert_eq!(
        decide(CmpOp::Slt, &from_to(200, 255), &from_to(0, 0)),
        Some(true)
    );
    assert_eq!(decide(CmpOp::Slt, &from_to(100, 200), &from_to(0, 0)), None);
}

#[test]
fn orders_are_those_of_numbers() {
    let width = 4;
    let order = |x: u64, y: u64| {
        let holding = COMPARE.into_iter().filter(|op| compare(*op, width, x, y));
        holding.fold(OrderSet::ANY, |order, op| order.and(OrderSet::of(op)))
    };
    for x in 0..=mask(width) {
        for y in 0..=mask(width) {
            let known = order(x, y);
            assert!(!known.is_impossible());
            assert_eq!(known.reversed(), order(y, x));
            for op in COMPARE {
                assert_eq!(known.decides(op), Some(compare(op, width, x, y)));
            }
            for z in 0..=mask(width) {
                let composed = known.then(order(y, z));
                assert!(!composed.and(order(x, z)).is_impossible(), "{x} {y} {z}");
            }
        }
    }
}

#[test]
fn intrinsics_keep_every_result() {
    use IntrinsicOp as I;
    let width = 5u8;
    let all = values(width, 60, 53);
    let size = i128::from(mask(width)) + 1;
    let half = size / 2;
    let fits = |n: i128| (-half..half).contains(&n);
    let positive = |n: i128| (0..size).contains(&n);
    for a in &all {
        for b in &all {
            for op in [
                I::PopCount,
                I::LeadingZeros,
                I::TrailingZeros,
                I::UMin,
                I::UMax,
                I::SMin,
                I::SMax,
                I::SAddOverflow,
                I::UAddOverflow,
                I::SSubOverflow,
                I::USubOverflow,
                I::SMulOverflow,
            ] {
                let results = intrinsic(op, &[*a, *b]);
                for x in members(a) {
                    for y in members(b) {
                        let (s, t) = (signed(width, x), signed(width, y));
                        let (sx, sy) = (i128::from(s), i128::from(t));
                        let (ux, uy) = (i128::from(x), i128::from(y));
                        let bits = |n: i64| n as u64 & mask(width);
                        let expected: Vec<u64> = match op {
                            I::PopCount => vec![x.count_ones().into()],
                            I::LeadingZeros => vec![u64::from(x.leading_zeros() - 59)],
                            I::TrailingZeros => vec![u64::from(x.trailing_zeros().min(5))],
                            I::UMin => vec![x.min(y)],
                            I::UMax => vec![x.max(y)],
                            I::SMin => vec![bits(s.min(t))],
                            I::SMax => vec![bits(s.max(t))],
                            I::SAddOverflow => vec![bits(s + t), (!fits(sx + sy)).into()],
                            I::UAddOverflow => vec![bits(s + t), (!positive(ux + uy)).into()],
                            I::SSubOverflow => vec![bits(s - t), (!fits(sx - sy)).into()],
                            I::USubOverflow => vec![bits(s - t), (!positive(ux - uy)).into()],
                            _ => vec![bits(s * t), (!fits(sx * sy)).into()],
                        };
                        for (result, n) in results.iter().zip(expected) {
                            assert!(result.contains(n), "{op:?} {x} {y}: {a:?} {b:?} {result:?}");
                        }
                    }
                }
            }
        }
    }
}
