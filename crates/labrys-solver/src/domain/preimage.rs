//! Which values of the only variable make a predicate true, as exact intervals.
//!
//! The set of wanted results is pulled back through the operations from the root to the variable.
//! Where an operation does not map intervals to intervals there is no answer, never a wrong one.

use super::ranges::Ranges;
use labrys_expr::{Arena, ExprId, Kind, Op, TableId, float, mask, signed};

/// More intervals than this are not worth their handling.
const MAX_PARTS: usize = 256;
/// Expressions nested deeper than this are left to other stages.
const MAX_DEPTH: u32 = 48;

/// How values are pulled back to one variable.
pub(crate) struct PullBack<'a> {
    pub(crate) arena: &'a Arena,
    /// The width of the variable.
    pub(crate) width: u8,
    /// The value of an expression that does not depend on the variable.
    pub(crate) constant: &'a dyn Fn(ExprId) -> Option<u128>,
    /// Settle for some of the values where all of them are no intervals.
    pub(crate) approximate: bool,
}

/// The values of the only variable for which the width-1 expression is true, exactly.
pub(crate) fn of_predicate(arena: &Arena, width: u8, predicate: ExprId) -> Option<Ranges> {
    let constant = |e: ExprId| arena.as_const(e);
    let exact = PullBack {
        arena,
        width,
        constant: &constant,
        approximate: false,
    };
    exact.predicate(predicate)
}

impl PullBack<'_> {
    /// The values of the variable for which the width-1 expression is true.
    pub(crate) fn predicate(&self, predicate: ExprId) -> Option<Ranges> {
        self.preimage(predicate, Ranges::single(1), 0)
    }

    /// The values of the variable for which `e` lies in `wanted`.
    fn preimage(&self, e: ExprId, wanted: Ranges, depth: u32) -> Option<Ranges> {
        if depth > MAX_DEPTH || wanted.parts().len() > MAX_PARTS {
            return None;
        }
        if let Some(value) = (self.constant)(e) {
            let inside = wanted.contains(value);
            return Some(if inside {
                Ranges::full(self.width)
            } else {
                Ranges::empty()
            });
        }
        let back = |e: ExprId, wanted: Ranges| self.preimage(e, wanted, depth + 1);
        let arena = self.arena;
        let width = arena.width(e);
        match arena.kind(e) {
            Kind::Var(_) => Some(wanted),
            Kind::Unary(Op::Not, a) => back(a, wanted.mirror(width)),
            Kind::Unary(Op::Neg, a) => back(a, wanted.negate(width)),
            Kind::Binary(op, a, b) if width == 1 => {
                let truth = self.truth_set(op, a, b, depth)?;
                Some(choose(&wanted, truth, self.width))
            }
            Kind::Binary(op, a, b) => {
                let (from, wanted) = self.pull_back(op, a, b, wanted)?;
                back(from, wanted)
            }
            Kind::Ite(c, a, b) => {
                let condition = back(c, Ranges::single(1))?;
                let otherwise = condition.complement(self.width);
                let taken = condition.intersect(&back(a, wanted.clone())?);
                Some(taken.union(&otherwise.intersect(&back(b, wanted)?)))
            }
            Kind::Extract(a, low) if low + u32::from(width) == u32::from(arena.width(a)) => {
                let below = mask(low as u8);
                back(a, wanted.map(|x, y| Some((x << low, (y << low) | below))))
            }
            // The other bits could be anything; zero is one possibility.
            Kind::Extract(a, low) if self.approximate => {
                back(a, wanted.map(|x, y| Some((x << low, y << low))))
            }
            Kind::Convert(Op::ZExt, a) => back(a, wanted.intersect(&Ranges::full(arena.width(a)))),
            Kind::Convert(Op::SExt, a) => back(a, shrink_signed(&wanted, arena.width(a), width)),
            Kind::Table(table, index) => back(index, self.table_indices(table, index, &wanted)?),
            _ => None,
        }
    }

    /// The values for which a width-1 operation gives 1.
    fn truth_set(&self, op: Op, a: ExprId, b: ExprId, depth: u32) -> Option<Ranges> {
        let back = |e: ExprId, wanted: Ranges| self.preimage(e, wanted, depth + 1);
        let width = self.arena.width(a);
        if width == 1 && matches!(op, Op::And | Op::Or | Op::Xor | Op::Eq) {
            let (x, y) = (back(a, Ranges::single(1))?, back(b, Ranges::single(1))?);
            let all = self.width;
            let xor = || {
                x.intersect(&y.complement(all))
                    .union(&y.intersect(&x.complement(all)))
            };
            return Some(match op {
                Op::And => x.intersect(&y),
                Op::Or => x.union(&y),
                Op::Xor => xor(),
                _ => xor().complement(all),
            });
        }
        match ((self.constant)(a), (self.constant)(b)) {
            (None, Some(c)) => back(a, compared(op, width, c, false)?),
            (Some(c), None) => back(b, compared(op, width, c, true)?),
            _ => None,
        }
    }

    /// For an operation with one constant operand: the other operand and the values it must have.
    fn pull_back(&self, op: Op, a: ExprId, b: ExprId, wanted: Ranges) -> Option<(ExprId, Ranges)> {
        let width = self.arena.width(a);
        let (left, right) = ((self.constant)(a), (self.constant)(b));
        let (from, c) = match (left, right) {
            (None, Some(c)) => (a, c),
            (Some(c), None) => (b, c),
            _ => return None,
        };
        let minus = |c: u128| c.wrapping_neg() & mask(width);
        let ones = mask(width);
        let wanted = match op {
            Op::Add => wanted.rotate(width, minus(c)),
            Op::Sub if right.is_some() => wanted.rotate(width, c),
            Op::Sub => wanted.rotate(width, minus(c)).negate(width),
            Op::Xor if c == 1u128 << (width - 1) => wanted.rotate(width, c),
            Op::And if c != 0 && (c | (c - 1)) == ones => keep_high_bits(&wanted, c),
            Op::UDiv if right.is_some() && c != 0 => wanted.map(|low, high| {
                let low = low.checked_mul(c).filter(|&low| low <= ones)?;
                Some((low, high.saturating_mul(c).saturating_add(c - 1).min(ones)))
            }),
            Op::SDiv if right.is_some() && width <= 64 && signed(c, width) > 0 => {
                divide_signed(&wanted, width, signed(c, width))
            }
            Op::LShr if right.is_some() && c < u128::from(width) => {
                let fits = Ranges::full(width - c as u8);
                let below = mask(c as u8);
                wanted
                    .intersect(&fits)
                    .map(|x, y| Some((x << c, (y << c) | below)))
            }
            Op::AShr if right.is_some() && c < u128::from(width) => {
                let below = mask(c as u8);
                shrink_signed(&wanted, width - c as u8, width)
                    .map(|x, y| Some((x << c, (y << c) | below)))
            }
            Op::Mul if self.approximate && c != 0 => wanted.map(|low, high| {
                let (first, last) = (low.div_ceil(c), high / c);
                (first <= last).then_some((first, last))
            }),
            Op::URem if self.approximate && right.is_some() && c != 0 => {
                wanted.intersect(&Ranges::between(0, c - 1))
            }
            Op::Concat => return self.concat(a, b, &wanted),
            _ => return None,
        };
        Some((from, wanted))
    }

    fn concat(&self, high: ExprId, low: ExprId, wanted: &Ranges) -> Option<(ExprId, Ranges)> {
        let bits = self.arena.width(low);
        if let Some(c) = (self.constant)(high) {
            let base = c << bits;
            let window = Ranges::between(base, base | mask(bits));
            return Some((
                low,
                wanted
                    .intersect(&window)
                    .map(|x, y| Some((x - base, y - base))),
            ));
        }
        let c = (self.constant)(low)?;
        let inside = wanted.map(|x, y| {
            let first = x.saturating_sub(c).checked_add(mask(bits))? >> bits;
            let last = y.checked_sub(c)? >> bits;
            (first <= last).then_some((first, last))
        });
        Some((high, inside))
    }

    /// The indices at which a table of constants has a wanted value.
    fn table_indices(&self, table: TableId, index: ExprId, wanted: &Ranges) -> Option<Ranges> {
        let entries = self.arena.table_entries(table);
        let limit = mask(self.arena.width(index));
        let mut parts = Vec::new();
        for (i, &entry) in entries.iter().enumerate() {
            let i = i as u128;
            if wanted.contains((self.constant)(entry)?) && i <= limit {
                let last = i + 1 == entries.len() as u128;
                parts.push((i, if last { limit } else { i }));
            }
        }
        Some(Ranges::from_parts(parts))
    }
}

/// The set if true is wanted, its complement if false is, and so on.
fn choose(wanted: &Ranges, truth: Ranges, var_width: u8) -> Ranges {
    match (wanted.contains(1), wanted.contains(0)) {
        (true, true) => Ranges::full(var_width),
        (true, false) => truth,
        (false, true) => truth.complement(var_width),
        (false, false) => Ranges::empty(),
    }
}

/// The values `x` for which `x op c` holds, or `c op x` if `flipped`.
fn compared(op: Op, width: u8, c: u128, flipped: bool) -> Option<Ranges> {
    let (ones, sign) = (mask(width), 1u128 << (width - 1));
    let order = |limit: u128| match flipped {
        false => limit
            .checked_sub(1)
            .map_or(Ranges::empty(), |high| Ranges::between(0, high)),
        true if limit == ones => Ranges::empty(),
        true => Ranges::between(limit + 1, ones),
    };
    match op {
        Op::FEq | Op::FLt | Op::FLe => compared_float(op, width, c, flipped),
        Op::Eq => Some(Ranges::single(c)),
        Op::Ult => Some(order(c)),
        // Flipping the sign bit turns the signed order into the unsigned one.
        Op::Slt => Some(order(c ^ sign).rotate(width, sign)),
        _ => None,
    }
}

/// The bit patterns of the floats `x` for which `x op c` holds, or `c op x` if `flipped`. Within
/// one sign, floats are ordered as their magnitudes are.
fn compared_float(op: Op, width: u8, c: u128, flipped: bool) -> Option<Ranges> {
    if width == 80 {
        // Patterns that are no numbers are among the x87 ones.
        return None;
    }
    let (sign, infinity) = (1u128 << (width - 1), float::infinity(width));
    let (negative, magnitude) = (c & sign != 0, c & !sign);
    if magnitude > infinity {
        return Some(Ranges::empty());
    }
    let equal = match magnitude {
        0 => Ranges::from_parts(vec![(0, 0), (sign, sign)]),
        _ => Ranges::single(c),
    };
    let positive = |low: u128, high: u128| Ranges::between(low, high);
    let negated = |low: u128, high: u128| Ranges::between(sign + low, sign + high);
    let strict = match (flipped, negative && magnitude != 0) {
        (false, true) => negated(magnitude + 1, infinity),
        (false, false) if magnitude == 0 => negated(1, infinity),
        (false, false) => positive(0, magnitude - 1).union(&negated(0, infinity)),
        (true, true) => negated(0, magnitude - 1).union(&positive(0, infinity)),
        (true, false) => positive(magnitude + 1, infinity),
    };
    match op {
        Op::FEq => Some(equal),
        Op::FLt => Some(strict),
        _ => Some(strict.union(&equal)),
    }
}

/// `x & c` for a `c` of high ones: the blocks of values that have the wanted high bits.
fn keep_high_bits(wanted: &Ranges, c: u128) -> Ranges {
    let block = c & c.wrapping_neg();
    wanted.map(|low, high| {
        let first = low.checked_add(block - 1)? & !(block - 1);
        let last = high & !(block - 1);
        (first <= last).then_some((first, last | (block - 1)))
    })
}

/// Division that truncates towards zero, by a positive constant.
fn divide_signed(wanted: &Ranges, width: u8, c: i128) -> Ranges {
    let (least, most) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
    let sign = 1u128 << (width - 1);
    // Split at the sign bit, so that an interval is one in the signed order too.
    let halves = [
        Ranges::between(0, sign - 1),
        Ranges::between(sign, mask(width)),
    ];
    let mut out = Ranges::empty();
    for half in &halves {
        for &(low, high) in wanted.intersect(half).parts() {
            let (low, high) = (signed(low, width), signed(high, width));
            let first = if low > 0 { low * c } else { low * c - (c - 1) }.max(least);
            let last = if high >= 0 {
                high * c + (c - 1)
            } else {
                high * c
            }
            .min(most);
            if first <= last {
                let part = Ranges::between((first - least) as u128, (last - least) as u128);
                out = out.union(&part.rotate(width, sign));
            }
        }
    }
    out
}

/// The values of `from` bits whose sign extension to `to` bits is wanted.
fn shrink_signed(wanted: &Ranges, from: u8, to: u8) -> Ranges {
    let sign = 1u128 << (from - 1);
    let positive = wanted.intersect(&Ranges::between(0, sign - 1));
    let negative = wanted.intersect(&Ranges::between(mask(to) - (sign - 1), mask(to)));
    positive.union(&negative.map(|low, high| Some((low & mask(from), high & mask(from)))))
}
