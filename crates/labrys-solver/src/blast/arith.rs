//! Circuits for bit-vector operations: in come the literals of the operands, lowest bit first, out
//! come those of the result. The operations have SMT-LIB's meaning.

use super::gates::Gates;
use super::sat::Lit;

pub(crate) type LitVec = Vec<Lit>;

pub(crate) fn not(a: &[Lit]) -> LitVec {
    a.iter().map(|&l| !l).collect()
}

pub(crate) fn add(g: &mut Gates, a: &[Lit], b: &[Lit], carry: Lit) -> LitVec {
    let mut carry = carry;
    let mut out = LitVec::with_capacity(a.len());
    for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
        let half = g.xor(x, y);
        out.push(g.xor(half, carry));
        if i + 1 < a.len() {
            carry = g.majority(x, y, carry);
        }
    }
    out
}

pub(crate) fn sub(g: &mut Gates, a: &[Lit], b: &[Lit]) -> LitVec {
    add(g, a, &not(b), Lit::TRUE)
}

pub(crate) fn neg(g: &mut Gates, a: &[Lit]) -> LitVec {
    let zero = vec![Lit::FALSE; a.len()];
    add(g, &zero, &not(a), Lit::TRUE)
}

pub(crate) fn mul(g: &mut Gates, a: &[Lit], b: &[Lit]) -> LitVec {
    // The operand with more constant bits selects, so that its zeros drop whole rows.
    let constants = |x: &[Lit]| x.iter().filter(|l| l.as_constant().is_some()).count();
    let (a, b) = if constants(a) > constants(b) {
        (b, a)
    } else {
        (a, b)
    };
    let width = a.len();
    let mut sum = vec![Lit::FALSE; width];
    for (shift, &select) in b.iter().enumerate() {
        if select == Lit::FALSE {
            continue;
        }
        let row: LitVec = a[..width - shift]
            .iter()
            .map(|&l| g.and(l, select))
            .collect();
        let high = add(g, &sum[shift..], &row, Lit::FALSE);
        sum.truncate(shift);
        sum.extend(high);
    }
    sum
}

/// `a < b`, or `a <= b` if `or_equal`, unsigned.
pub(crate) fn less(g: &mut Gates, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
    let start = Lit::constant(or_equal);
    a.iter()
        .zip(b)
        .fold(start, |less, (&x, &y)| g.majority(!x, y, less))
}

/// `a < b` in the signed order.
pub(crate) fn less_signed(g: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    less(g, &flip_sign(a), &flip_sign(b), false)
}

fn flip_sign(a: &[Lit]) -> LitVec {
    let mut out = a.to_vec();
    if let Some(sign) = out.last_mut() {
        *sign = !*sign;
    }
    out
}

pub(crate) fn equal(g: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let same: LitVec = a.iter().zip(b).map(|(&x, &y)| !g.xor(x, y)).collect();
    g.all(&same)
}

pub(crate) fn mux(g: &mut Gates, c: Lit, a: &[Lit], b: &[Lit]) -> LitVec {
    a.iter().zip(b).map(|(&x, &y)| g.mux(c, x, y)).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShiftKind {
    Left,
    Right,
    RightSigned,
}

/// A barrel shifter. An amount of the width or more shifts everything out.
pub(crate) fn shift(g: &mut Gates, kind: ShiftKind, a: &[Lit], amount: &[Lit]) -> LitVec {
    let width = a.len();
    let fill = match kind {
        ShiftKind::RightSigned => a[width - 1],
        _ => Lit::FALSE,
    };
    let mut out = a.to_vec();
    let mut too_far = Vec::new();
    for (stage, &bit) in amount.iter().enumerate() {
        if stage >= 8 || 1usize << stage >= width {
            too_far.push(bit);
            continue;
        }
        let by = 1usize << stage;
        let moved: LitVec = (0..width)
            .map(|i| match kind {
                ShiftKind::Left => i.checked_sub(by).map_or(fill, |j| out[j]),
                _ => out.get(i + by).copied().unwrap_or(fill),
            })
            .collect();
        out = mux(g, bit, &moved, &out);
    }
    let too_far = g.any(&too_far);
    out.into_iter().map(|l| g.mux(too_far, fill, l)).collect()
}

/// Quotient and remainder by restoring division; a divisor of zero gives all ones and `a`.
pub(crate) fn divide(g: &mut Gates, a: &[Lit], b: &[Lit]) -> (LitVec, LitVec) {
    let width = a.len();
    let mut divisor = b.to_vec();
    divisor.push(Lit::FALSE);
    let mut rest = vec![Lit::FALSE; width];
    let mut quotient = vec![Lit::FALSE; width];
    for i in (0..width).rev() {
        let mut shifted = vec![a[i]];
        shifted.extend_from_slice(&rest);
        let fits = less(g, &divisor, &shifted, true);
        quotient[i] = fits;
        let smaller = sub(g, &shifted[..width], b);
        rest = mux(g, fits, &smaller, &shifted[..width]);
    }
    (quotient, rest)
}

/// The absolute value; the smallest number stays as it is.
pub(crate) fn magnitude(g: &mut Gates, a: &[Lit]) -> LitVec {
    let negated = neg(g, a);
    mux(g, a[a.len() - 1], &negated, a)
}

/// Picks an entry; an index past the end gives the last one.
pub(crate) fn table(g: &mut Gates, entries: &[LitVec], index: &[Lit]) -> LitVec {
    table_part(g, entries, index, 0)
}

fn table_part(g: &mut Gates, entries: &[LitVec], index: &[Lit], base: u128) -> LitVec {
    let last = entries.len() as u128 - 1;
    if base >= last {
        return entries[last as usize].clone();
    }
    let Some((&bit, lower)) = index.split_last() else {
        return entries[base as usize].clone();
    };
    let step = 1u128 << lower.len();
    let low = table_part(g, entries, lower, base);
    let high = table_part(g, entries, lower, base.saturating_add(step));
    mux(g, bit, &high, &low)
}

/// Which order of two floats is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FloatOrder {
    Equal,
    Less,
    LessOrEqual,
}

/// Compares bit patterns of floats: false if one is NaN, and the zeros are equal. `infinity` is
/// the magnitude above which everything is NaN.
pub(crate) fn compare_floats(
    g: &mut Gates,
    order: FloatOrder,
    a: &[Lit],
    b: &[Lit],
    infinity: u128,
) -> Lit {
    let ((&sign_a, size_a), (&sign_b, size_b)) = match (a.split_last(), b.split_last()) {
        (Some(a), Some(b)) => (a, b),
        _ => return Lit::FALSE,
    };
    let limit: LitVec = (0..size_a.len())
        .map(|i| Lit::constant(infinity >> i & 1 == 1))
        .collect();
    let number_a = less(g, size_a, &limit, true);
    let number_b = less(g, size_b, &limit, true);
    let nonzero: LitVec = size_a.iter().chain(size_b).copied().collect();
    let nonzero = g.any(&nonzero);
    let same = equal(g, a, b);
    let same = g.or(same, !nonzero);
    let result = if order == FloatOrder::Equal {
        same
    } else {
        let up = less(g, size_a, size_b, false);
        let down = less(g, size_b, size_a, false);
        // Different signs: less if the first is the negative one; else by magnitude.
        let differ = g.xor(sign_a, sign_b);
        let by_sign = g.and(sign_a, nonzero);
        let by_size = g.mux(sign_a, down, up);
        let strict = g.mux(differ, by_sign, by_size);
        if order == FloatOrder::Less {
            strict
        } else {
            g.or(strict, same)
        }
    };
    g.all(&[number_a, number_b, result])
}
