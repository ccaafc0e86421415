//! Circuits over bit-vectors, lowest bit first, with SMT-LIB's meaning.

use super::gates::Gates;
use super::sat::Lit;

pub(crate) type Bits = Vec<Lit>;

pub(crate) fn not(a: &[Lit]) -> Bits {
    a.iter().map(|&l| !l).collect()
}

pub(crate) fn add(g: &mut Gates, a: &[Lit], b: &[Lit], carry: Lit) -> Bits {
    let mut carry = carry;
    let mut out = Bits::with_capacity(a.len());
    for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
        let half = g.xor(x, y);
        out.push(g.xor(half, carry));
        if i + 1 < a.len() {
            carry = g.majority(x, y, carry);
        }
    }
    out
}

pub(crate) fn sub(g: &mut Gates, a: &[Lit], b: &[Lit]) -> Bits {
    add(g, a, &not(b), Lit::TRUE)
}

pub(crate) fn neg(g: &mut Gates, a: &[Lit]) -> Bits {
    let zero = vec![Lit::FALSE; a.len()];
    add(g, &zero, &not(a), Lit::TRUE)
}

pub(crate) fn mul(g: &mut Gates, a: &[Lit], b: &[Lit]) -> Bits {
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
        let row: Bits = a[..width - shift]
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

fn flip_sign(a: &[Lit]) -> Bits {
    let mut out = a.to_vec();
    if let Some(sign) = out.last_mut() {
        *sign = !*sign;
    }
    out
}

pub(crate) fn equal(g: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let same: Bits = a.iter().zip(b).map(|(&x, &y)| !g.xor(x, y)).collect();
    g.all(&same)
}

pub(crate) fn mux(g: &mut Gates, c: Lit, a: &[Lit], b: &[Lit]) -> Bits {
    a.iter().zip(b).map(|(&x, &y)| g.mux(c, x, y)).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shift {
    Left,
    Right,
    RightSigned,
}

/// A barrel shifter. An amount of the width or more shifts everything out.
pub(crate) fn shift(g: &mut Gates, kind: Shift, a: &[Lit], amount: &[Lit]) -> Bits {
    let width = a.len();
    let fill = match kind {
        Shift::RightSigned => a[width - 1],
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
        let moved: Bits = (0..width)
            .map(|i| match kind {
                Shift::Left => i.checked_sub(by).map_or(fill, |j| out[j]),
                _ => out.get(i + by).copied().unwrap_or(fill),
            })
            .collect();
        out = mux(g, bit, &moved, &out);
    }
    let too_far = g.any(&too_far);
    out.into_iter().map(|l| g.mux(too_far, fill, l)).collect()
}

/// Quotient and remainder by restoring division; a divisor of zero gives all ones and `a`.
pub(crate) fn divide(g: &mut Gates, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
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
pub(crate) fn magnitude(g: &mut Gates, a: &[Lit]) -> Bits {
    let negated = neg(g, a);
    mux(g, a[a.len() - 1], &negated, a)
}

/// Picks an entry; an index past the end gives the last one.
pub(crate) fn table(g: &mut Gates, entries: &[Bits], index: &[Lit]) -> Bits {
    table_part(g, entries, index, 0)
}

fn table_part(g: &mut Gates, entries: &[Bits], index: &[Lit], base: u128) -> Bits {
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
