//! Floats: constants of the program, then short decimals. Only evaluation is asked: float queries
//! take the solver too long.

use super::boundary::{boundary, float_constant};
use super::chooser::Chooser;
use super::fields::Field;

const MOST_CONSTRAINTS: usize = 64;

/// Values to try, the most common first.
const PLAIN: [f64; 44] = [
    1.0, 2.0, 3.0, 4.0, 0.0, -1.0, 0.5, 1.5, -0.5, 2.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, -2.0, -3.0,
    -1.5, 0.25, 0.75, 0.1, -10.0, 12.0, 15.0, 16.0, 20.0, 25.0, 50.0, 99.0, 100.0, 101.0, 150.0,
    200.0, 500.0, 1000.0, -100.0, -1000.0, 0.01, 0.001, 1e4, 1e6, -1e6, 1e9,
];

/// The number of them that are common, and the number that are small.
const COMMON: usize = 16;
const SMALL: usize = 29;

/// At most this many of them are tried together for two related floats.
const PAIRED: usize = 20;

/// At most this many floats are looked at for one that depends on another.
const MOST_OTHERS: usize = 16;

/// Digits to which a value is rounded where nothing else will do.
const DIGITS: usize = 6;

/// Chooses the value of a float. `others` are fields that may be changed with it.
pub(crate) fn choose(
    chooser: &mut Chooser<'_>,
    field: &Field,
    others: &[Field],
    used: &mut Vec<u64>,
) {
    let _found = plainly(chooser, field, used)
        || in_pairs(chooser, field, others)
        || shortly(chooser, field);
    used.push(field.value(&chooser.model));
}

/// The bits of a number in the format of the field, if it is exact enough to be shown as it is.
fn bits(field: &Field, number: f64) -> u64 {
    match field.width() {
        32 => u64::from((number as f32).to_bits()),
        _ => number.to_bits(),
    }
}

fn number(field: &Field, bits: u64) -> f64 {
    match field.width() {
        32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// The constants to which the path compares it, the nearest to zero first, and those to which it
/// compares something made of it.
fn bounds(chooser: &mut Chooser<'_>, field: &Field) -> [Vec<f64>; 2] {
    let mut bounds = [Vec::new(), Vec::new()];
    let Some(term) = field.term(chooser.arena) else {
        return bounds;
    };
    let constraints = chooser.constraints_of(field);
    for constraint in constraints.into_iter().take(MOST_CONSTRAINTS) {
        let found = float_constant(chooser.arena, constraint, field.width());
        let constant = found.map(|bits| number(field, bits));
        let indirect = boundary(chooser.arena, constraint, term).is_none();
        let kind = &mut bounds[usize::from(indirect)];
        kind.extend(constant.filter(|c| c.is_finite() && c.abs() < 1e15));
    }
    for kind in &mut bounds {
        kind.sort_by(|a, b| a.abs().total_cmp(&b.abs()).then(b.total_cmp(a)));
        kind.dedup();
    }
    bounds
}

/// Constants, each with its neighbours among the whole numbers.
fn with_neighbours(constants: &[f64]) -> Vec<f64> {
    let mut values = Vec::new();
    for constant in constants {
        values.push(*constant);
        if constant.fract() == 0.0 {
            values.extend([1.0, -1.0, 2.0, -2.0].map(|step| constant + step));
        } else {
            values.extend([constant.ceil(), constant.floor()]);
        }
    }
    values
}

/// Values to try, best first: those that may as well be told apart, and others.
fn worth_trying(chooser: &mut Chooser<'_>, field: &Field) -> (Vec<f64>, Vec<f64>) {
    let [direct, indirect] = bounds(chooser, field);
    let mut good = with_neighbours(&direct);
    good.extend(&PLAIN[..COMMON]);
    let mut others = PLAIN[COMMON..SMALL].to_vec();
    others.extend(with_neighbours(&indirect));
    others.extend(&PLAIN[SMALL..]);
    for step in [0.5, -0.5, 0.1, -0.1, 1.0, -1.0] {
        others.extend(direct.iter().map(|constant| constant + step));
    }
    (good, others)
}

fn plainly(chooser: &mut Chooser<'_>, field: &Field, used: &[u64]) -> bool {
    let (good, others) = worth_trying(chooser, field);
    // There is no need for a negative zero.
    let good = good.iter().map(|v| bits(field, v + 0.0));
    let (later, first): (Vec<u64>, Vec<u64>) = good.partition(|v| used.contains(v));
    let others = others.iter().map(|v| bits(field, v + 0.0));
    let mut all = first.into_iter().chain(later).chain(others);
    all.any(|v| chooser.attempt(&[(field, v)]))
}

/// Two floats that depend on each other.
fn in_pairs(chooser: &mut Chooser<'_>, field: &Field, others: &[Field]) -> bool {
    let others = &others[..others.len().min(MOST_OTHERS)];
    let Some(other) = chooser.partner(field, others) else {
        return false;
    };
    let constants = |chooser: &mut Chooser<'_>, field: &Field| -> Vec<f64> {
        let bounds = bounds(chooser, field).concat();
        bounds.into_iter().take(PAIRED / 2).collect()
    };
    let mut values = constants(chooser, field);
    values.extend(&PLAIN[..PAIRED]);
    let mut partners = constants(chooser, other);
    partners.extend(PLAIN);
    for own in &values {
        for its in &partners {
            if chooser.attempt(&[
                (field, bits(field, own + 0.0)),
                (other, bits(other, its + 0.0)),
            ]) {
                return true;
            }
        }
    }
    false
}

/// The present value with as few digits as the path allows.
fn shortly(chooser: &mut Chooser<'_>, field: &Field) -> bool {
    let value = number(field, field.value(&chooser.model));
    if !value.is_finite() {
        return false;
    }
    (0..DIGITS).any(|digits| {
        let rounded: Option<f64> = format!("{value:.digits$e}").parse().ok();
        rounded.is_some_and(|rounded| chooser.attempt(&[(field, bits(field, rounded))]))
    })
}
