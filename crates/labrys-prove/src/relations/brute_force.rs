//! Relations against all numbers of three bits: whatever is concluded holds for every number for which
//! the relations hold that it is concluded from.

use super::constraints::Relations;
use super::stride::Stride;
use super::terms::{Atom, Literal};
use crate::brute_force::XorShift;
use crate::value_set::{ValueSet, signed};
use labrys_ir::Reg;

const WIDTH: u8 = 3;
const COUNT: usize = 3;

type Numbers = [u64; COUNT];

fn all_numbers() -> Vec<Numbers> {
    let size = 1u64 << WIDTH;
    (0..size.pow(COUNT as u32))
        .map(|n| [n % size, n / size % size, n / size / size])
        .collect()
}

fn atom(number: usize) -> Atom {
    match number {
        COUNT => Atom::Zero,
        _ => Atom::Reg(Reg(number as u32)),
    }
}

fn value(literal: Literal, numbers: &Numbers) -> i128 {
    let Atom::Reg(reg) = literal.atom else {
        return 0;
    };
    let bits = numbers[reg.index()];
    let value = match literal.signed {
        true => i128::from(signed(WIDTH, bits)),
        false => i128::from(bits),
    };
    if literal.negative { -value } else { value }
}

fn hold(relations: &Relations, numbers: &Numbers) -> bool {
    let mut entries = relations.entries().iter();
    let mut strides = relations.strides().iter();
    entries.all(|((a, b), bound)| value(*a, numbers) + value(*b, numbers) <= i128::from(*bound))
        && strides.all(|(atom, stride)| stride.contains(value(Literal::of(*atom, true), numbers)))
}

struct Sample {
    relations: Relations,
    values: Vec<ValueSet>,
}

impl Sample {
    fn random(random: &mut XorShift) -> Sample {
        let mut relations = Relations::default();
        for _ in 0..1 + random.below(6) {
            let (a, b) = (literal(random), literal(random));
            relations.add(a, b, i128::from(random.below(14)) - 7);
        }
        if random.below(3) == 0 {
            let stride = Stride::of(1 + random.below(4), random.below(4).into());
            relations.set_stride(atom(random.below(3) as usize), stride);
        }
        let mut value = || {
            let (a, b) = (random.below(8), random.below(8));
            let found = match random.below(3) {
                0 => ValueSet::unsigned(WIDTH, a.min(b), a.max(b)),
                1 => {
                    let (a, b) = (signed(WIDTH, a), signed(WIDTH, b));
                    ValueSet::signed(WIDTH, a.min(b), a.max(b))
                }
                _ => None,
            };
            found.unwrap_or(ValueSet::top(WIDTH))
        };
        let values = (0..COUNT).map(|_| value()).collect();
        Sample { relations, values }
    }

    fn value(&self, atom: Atom) -> Option<ValueSet> {
        match atom {
            Atom::Reg(reg) => Some(self.values[reg.index()]),
            _ => None,
        }
    }

    fn has(&self, numbers: &Numbers) -> bool {
        let mut values = self.values.iter().zip(numbers);
        hold(&self.relations, numbers) && values.all(|(value, bits)| value.contains(*bits))
    }
}

fn literal(random: &mut XorShift) -> Literal {
    let literal = Literal::of(atom(random.below(4) as usize), random.below(2) == 0);
    match random.below(2) {
        0 => literal,
        _ => literal.negated(),
    }
}

#[test]
fn conclusions_hold_for_all_numbers() {
    let (mut random, all) = (XorShift(77), all_numbers());
    let mut sharper = 0;
    for _ in 0..600 {
        let sample = Sample::random(&mut random);
        let mine: Vec<&Numbers> = all.iter().filter(|n| sample.has(n)).collect();
        let values = |atom| sample.value(atom);
        let (a, b) = (literal(&mut random), literal(&mut random));
        if let Some(bound) = sample.relations.upper(a, b, &values) {
            for n in &mine {
                assert!(value(a, n) + value(b, n) <= bound, "{a:?} {b:?} {n:?}");
            }
            let range = Relations::default().upper(a, b, &values);
            sharper += usize::from(range.is_some_and(|range| bound < range));
        }
        let gone = atom(random.below(3) as usize);
        let mut fewer = sample.relations.clone();
        let is_plain = sample.value(gone).is_some_and(|value| value.smin >= 0);
        fewer.eliminate(gone, is_plain);
        assert!(
            mine.iter().all(|n| hold(&fewer, n)),
            "{:?}",
            sample.relations
        );
        // Another number may be there now.
        let Atom::Reg(reg) = gone else { continue };
        for n in &mine {
            for bits in 0..8 {
                let mut other = **n;
                other[reg.index()] = bits;
                assert!(hold(&fewer, &other), "{:?} {fewer:?}", sample.relations);
            }
        }
        let from = atom((reg.index() + 1) % COUNT);
        fewer.assign(gone, from, random.below(2) == 0);
        for n in &mine {
            let mut other = **n;
            other[reg.index()] = other[(reg.index() + 1) % COUNT];
            assert!(hold(&fewer, &other), "{:?} {fewer:?}", sample.relations);
        }
    }
    assert!(sharper > 60, "{sharper}");
}

#[test]
fn joins_keep_the_numbers_of_both() {
    let (mut random, all) = (XorShift(78), all_numbers());
    let mut kept = 0;
    for _ in 0..600 {
        let (one, two) = (Sample::random(&mut random), Sample::random(&mut random));
        let (mine, theirs) = (|atom| one.value(atom), |atom| two.value(atom));
        let joined = one.relations.join(&mine, &two.relations, &theirs);
        let stable = one.relations.stable(&two.relations, &theirs);
        for n in &all {
            if one.has(n) || two.has(n) {
                assert!(hold(&joined, n), "{:?} {:?}", one.relations, two.relations);
            }
            if two.has(n) {
                assert!(hold(&stable, n), "{:?} {:?}", one.relations, two.relations);
            }
        }
        kept += joined.len();
    }
    assert!(kept > 300, "{kept}");
}

#[test]
fn strides_hold_for_all_numbers() {
    let strides: Vec<Stride> = (0..7)
        .flat_map(|step| (-6..7).map(move |rest| Stride::of(step, rest)))
        .collect();
    let numbers = || (-40i128..40).step_by(1);
    for a in &strides {
        let (negated, three) = (a.negated(), a.times(-3).unwrap_or(Stride::ANY));
        for x in numbers().filter(|x| a.contains(*x)) {
            assert!(negated.contains(-x) && three.contains(-3 * x));
            if x >= 0 {
                for divisor in 1..9 {
                    let rest = a.modulo(divisor);
                    assert!(rest.contains(x % i128::from(divisor)), "{a:?} {divisor}");
                }
            }
            let bits = (x as u64) & 0x7f;
            let value = ValueSet::signed(7, (x - 3) as i64, (x + 5) as i64);
            let value = value.unwrap_or(ValueSet::top(7));
            let sharp = a.sharpen(&value);
            assert!(sharp.is_some_and(|sharp| sharp.contains(bits)), "{a:?} {x}");
        }
        for b in &strides {
            let (joined, sum) = (a.join(*b), a.plus(*b));
            let mut meet = false;
            for x in numbers() {
                meet |= a.contains(x) && b.contains(x);
                assert!(joined.contains(x) || !(a.contains(x) || b.contains(x)));
            }
            assert!(a.meets(*b) || !meet, "{a:?} {b:?}");
            for (x, y) in numbers().step_by(3).zip(numbers()) {
                assert!(sum.contains(x + y) || !(a.contains(x) && b.contains(y)));
            }
        }
    }
}
