//! Which values of the only variable make a predicate true, as exact intervals.
//!
//! The set of wanted results is pulled back through the operations from the root to the variable.
//! Where an operation does not map intervals to intervals there is no answer, never a wrong one.

use super::intervals::IntervalSet;
use labrys_expr::{Arena, ExprId, ExprKind, ExprOp, TableId, float, mask, signed};

/// A set of more intervals than this is given up: other stages are then quicker.
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
pub(crate) fn of_predicate(arena: &Arena, width: u8, predicate: ExprId) -> Option<IntervalSet> {
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
    pub(crate) fn predicate(&self, predicate: ExprId) -> Option<IntervalSet> {
        self.preimage(predicate, IntervalSet::single(1), 0)
    }

    /// The values of the variable for which `e` lies in `wanted`.
    fn preimage(&self, e: ExprId, wanted: IntervalSet, depth: u32) -> Option<IntervalSet> {
        if depth > MAX_DEPTH || wanted.parts().len() > MAX_PARTS {
            return None;
        }
        if let Some(value) = (self.constant)(e) {
            let inside = wanted.contains(value);
            return Some(if inside {
                IntervalSet::full(self.width)
            } else {
                IntervalSet::empty()
            });
        }
        let back = |e: ExprId, wanted: IntervalSet| self.preimage(e, wanted, depth + 1);
        let arena = self.arena;
        let width = arena.width(e);
        match arena.kind(e) {
            ExprKind::Var(_) => Some(wanted),
            ExprKind::Unary(ExprOp::Not, a) => back(a, wanted.mirror(width)),
            ExprKind::Unary(ExprOp::Neg, a) => back(a, wanted.negate(width)),
            ExprKind::Binary(op, a, b) if width == 1 => {
                let truth = self.truth_set(op, a, b, depth)?;
                Some(choose(&wanted, truth, self.width))
            }
            ExprKind::Binary(op, a, b) => {
                let (from, wanted) = self.pull_back(op, a, b, wanted)?;
                back(from, wanted)
            }
            ExprKind::Ite(c, a, b) => {
                let condition = back(c, IntervalSet::single(1))?;
                let otherwise = condition.complement(self.width);
                let taken = condition.intersect(&back(a, wanted.clone())?);
                Some(taken.union(&otherwise.intersect(&back(b, wanted)?)))
            }
            ExprKind::Extract(a, low) if low + u32::from(width) == u32::from(arena.width(a)) => {
                let below = mask(low as u8);
                back(a, wanted.map(|x, y| Some((x << low, (y << low) | below))))
            }
            // The other bits could be anything; zero is one possibility.
            ExprKind::Extract(a, low) if self.approximate => {
                back(a, wanted.map(|x, y| Some((x << low, y << low))))
            }
            ExprKind::Convert(ExprOp::ZExt, a) => {
                back(a, wanted.intersect(&IntervalSet::full(arena.width(a))))
            }
            ExprKind::Convert(ExprOp::SExt, a) => {
                back(a, shrink_signed(&wanted, arena.width(a), width))
            }
            ExprKind::Table(table, index) => {
                back(index, self.table_indices(table, index, &wanted)?)
            }
            _ => None,
        }
    }

    /// The values for which a width-1 operation gives 1.
    fn truth_set(&self, op: ExprOp, a: ExprId, b: ExprId, depth: u32) -> Option<IntervalSet> {
        let back = |e: ExprId, wanted: IntervalSet| self.preimage(e, wanted, depth + 1);
        let width = self.arena.width(a);
        if width == 1 && matches!(op, ExprOp::And | ExprOp::Or | ExprOp::Xor | ExprOp::Eq) {
            let (x, y) = (
                back(a, IntervalSet::single(1))?,
                back(b, IntervalSet::single(1))?,
            );
            let all = self.width;
            let xor = || {
                x.intersect(&y.complement(all))
                    .union(&y.intersect(&x.complement(all)))
            };
            return Some(match op {
                ExprOp::And => x.intersect(&y),
                ExprOp::Or => x.union(&y),
                ExprOp::Xor => xor(),
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
    fn pull_back(
        &self,
        op: ExprOp,
        a: ExprId,
        b: ExprId,
        wanted: IntervalSet,
    ) -> Option<(ExprId, IntervalSet)> {
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
            ExprOp::Add => wanted.rotate(width, minus(c)),
            ExprOp::Sub if right.is_some() => wanted.rotate(width, c),
            ExprOp::Sub => wanted.rotate(width, minus(c)).negate(width),
            ExprOp::Xor if c == 1u128 << (width - 1) => wanted.rotate(width, c),
            ExprOp::And if c != 0 && (c | (c - 1)) == ones => keep_high_bits(&wanted, c),
            ExprOp::UDiv if right.is_some() && c != 0 => wanted.map(|low, high| {
                let low = low.checked_mul(c).filter(|&low| low <= ones)?;
                Some((low, high.saturating_mul(c).saturating_add(c - 1).min(ones)))
            }),
            ExprOp::SDiv if right.is_some() && width <= 64 && signed(c, width) > 0 => {
                divide_signed(&wanted, width, signed(c, width))
            }
            ExprOp::LShr if right.is_some() && c < u128::from(width) => {
                let fits = IntervalSet::full(width - c as u8);
                let below = mask(c as u8);
                wanted
                    .intersect(&fits)
                    .map(|x, y| Some((x << c, (y << c) | below)))
            }
            ExprOp::AShr if right.is_some() && c < u128::from(width) => {
                let below = mask(c as u8);
                shrink_signed(&wanted, width - c as u8, width)
                    .map(|x, y| Some((x << c, (y << c) | below)))
            }
            ExprOp::Mul if self.approximate && c != 0 => wanted.map(|low, high| {
                let (first, last) = (low.div_ceil(c), high / c);
                (first <= last).then_some((first, last))
            }),
            ExprOp::URem if self.approximate && right.is_some() && c != 0 => {
                wanted.intersect(&IntervalSet::between(0, c - 1))
            }
            ExprOp::Concat => return self.concat(a, b, &wanted),
            _ => return None,
        };
        Some((from, wanted))
    }

    fn concat(
        &self,
        high: ExprId,
        low: ExprId,
        wanted: &IntervalSet,
    ) -> Option<(ExprId, IntervalSet)> {
        let bits = self.arena.width(low);
        if let Some(c) = (self.constant)(high) {
            let base = c << bits;
            let window = IntervalSet::between(base, base | mask(bits));
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
    fn table_indices(
        &self,
        table: TableId,
        index: ExprId,
        wanted: &IntervalSet,
    ) -> Option<IntervalSet> {
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
        Some(IntervalSet::from_parts(parts))
    }
}

/// The set if true is wanted, its complement if false is, and so on.
fn choose(wanted: &IntervalSet, truth: IntervalSet, var_width: u8) -> IntervalSet {
    match (wanted.contains(1), wanted.contains(0)) {
        (true, true) => IntervalSet::full(var_width),
        (true, false) => truth,
        (false, true) => truth.complement(var_width),
        (false, false) => IntervalSet::empty(),
    }
}

/// The values `x` for which `x op c` holds, or `c op x` if `flipped`.
fn compared(op: ExprOp, width: u8, c: u128, flipped: bool) -> Option<IntervalSet> {
    let (ones, sign) = (mask(width), 1u128 << (width - 1));
    let order = |limit: u128| match flipped {
        false => limit
            .checked_sub(1)
            .map_or(IntervalSet::empty(), |high| IntervalSet::between(0, high)),
        true if limit == ones => IntervalSet::empty(),
        true => IntervalSet::between(limit + 1, ones),
    };
    match op {
        ExprOp::FEq | ExprOp::FLt | ExprOp::FLe => compared_float(op, width, c, flipped),
        ExprOp::Eq => Some(IntervalSet::single(c)),
        ExprOp::Ult => Some(order(c)),
        // Flipping the sign bit turns the signed order into the unsigned one.
        ExprOp::Slt => Some(order(c ^ sign).rotate(width, sign)),
        _ => None,
    }
}

/// The bit patterns of the floats `x` for which `x op c` holds, or `c op x` if `flipped`. Within
/// one sign, floats are ordered as their magnitudes are.
fn compared_float(op: ExprOp, width: u8, c: u128, flipped: bool) -> Option<IntervalSet> {
    if width == 80 {
        // Patterns that are no numbers are among the x87 ones.
        return None;
    }
    let (sign, infinity) = (1u128 << (width - 1), float::infinity(width));
    let (negative, magnitude) = (c & sign != 0, c & !sign);
    if magnitude > infinity {
        return Some(IntervalSet::empty());
    }
    let equal = match magnitude {
        0 => IntervalSet::from_parts(vec![(0, 0), (sign, sign)]),
        _ => IntervalSet::single(c),
    };
    let positive = |low: u128, high: u128| IntervalSet::between(low, high);
    let negated = |low: u128, high: u128| IntervalSet::between(sign + low, sign + high);
    let strict = match (flipped, negative && magnitude != 0) {
        (false, true) => negated(magnitude + 1, infinity),
        (false, false) if magnitude == 0 => negated(1, infinity),
        (false, false) => positive(0, magnitude - 1).union(&negated(0, infinity)),
        (true, true) => negated(0, magnitude - 1).union(&positive(0, infinity)),
        (true, false) => positive(magnitude + 1, infinity),
    };
    match op {
        ExprOp::FEq => Some(equal),
        ExprOp::FLt => Some(strict),
        _ => Some(strict.union(&equal)),
    }
}

/// `x & c` for a `c` of high ones: the blocks of values that have the wanted high bits.
fn keep_high_bits(wanted: &IntervalSet, c: u128) -> IntervalSet {
    let block = c & c.wrapping_neg();
    wanted.map(|low, high| {
        let first = low.checked_add(block - 1)? & !(block - 1);
        let last = high & !(block - 1);
        (first <= last).then_some((first, last | (block - 1)))
    })
}

/// Division that truncates towards zero, by a positive constant.
fn divide_signed(wanted: &IntervalSet, width: u8, c: i128) -> IntervalSet {
    let (least, most) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
    let sign = 1u128 << (width - 1);
    // Split at the sign bit, so that an interval is one in the signed order too.
    let halves = [
        IntervalSet::between(0, sign - 1),
        IntervalSet::between(sign, mask(width)),
    ];
    let mut out = IntervalSet::empty();
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
                let part = IntervalSet::between((first - least) as u128, (last - least) as u128);
                out = out.union(&part.rotate(width, sign));
            }
        }
    }
    out
}

/// The values of `from` bits whose sign extension to `to` bits is wanted.
fn shrink_signed(wanted: &IntervalSet, from: u8, to: u8) -> IntervalSet {
    let sign = 1u128 << (from - 1);
    let positive = wanted.intersect(&IntervalSet::between(0, sign - 1));
    let negative = wanted.intersect(&IntervalSet::between(mask(to) - (sign - 1), mask(to)));
    positive.union(&negative.map(|low, high| Some((low & mask(from), high & mask(from)))))
}
