//! Integers: constants of the program first, then small numbers, then whatever is nearest to zero.

use super::boundary::{Comparison, boundary};
use super::chooser::Chooser;
use super::fields::{Field, Sort};
use labrys_expr::{ExprId, mask, signed};

/// So many constraints of a field are looked at for constants.
const MOST_CONSTRAINTS: usize = 64;

/// Numbers up to here are small: nothing better is looked for.
const SMALL: u64 = 16;

/// How near to the end of its type a constant may come: nearer ones are those of overflow checks.
const MARGIN: u128 = 1 << 16;

/// Steps of the search for the number that is nearest to zero.
const STEPS: u32 = 12;
const STEPS_ALONE: u32 = 40;

/// Chooses the value of a number. `used` are those of its neighbours, from which it should differ.
pub(crate) fn choose(chooser: &mut Chooser<'_>, field: &Field, used: &mut Vec<u64>) {
    let number = Number::of(field);
    let found = number.by_evaluation(chooser, field, used);
    let value = field.value(&chooser.model);
    if !found && number.magnitude(value) > SMALL {
        number.approach_zero(chooser, field);
    } else if used.contains(&value) && !chooser.is_alone(field) {
        number.tell_apart(chooser, field, used);
    }
    used.push(field.value(&chooser.model));
}

/// How the values of a field are read.
#[derive(Clone, Copy)]
struct Number {
    width: u8,
    signed: bool,
    sort: Sort,
}

impl Number {
    fn of(field: &Field) -> Self {
        Number {
            width: field.width(),
            signed: matches!(field.sort, Sort::Signed | Sort::Enum),
            sort: field.sort,
        }
    }

    fn magnitude(self, value: u64) -> u64 {
        if self.signed {
            signed(value.into(), self.width).unsigned_abs() as u64
        } else {
            value
        }
    }

    /// The bits of a number, if the type has it.
    fn bits(self, number: i128) -> Option<u64> {
        let ones = mask(self.width);
        let (low, high) = match self.signed {
            true => (-((ones / 2 + 1) as i128), (ones / 2) as i128),
            false => (0, ones as i128),
        };
        (low..=high).contains(&number).then(|| (number as u128 & ones) as u64)
    }

    fn number(self, value: u64) -> i128 {
        match self.signed {
            true => signed(value.into(), self.width),
            false => value.into(),
        }
    }

    /// Takes the best value that evaluation allows; true if one was found.
    fn by_evaluation(self, chooser: &mut Chooser<'_>, field: &Field, used: &[u64]) -> bool {
        if self.sort == Sort::Bool {
            return chooser.attempt(&[(field, 0)]) || chooser.attempt(&[(field, 1)]);
        }
        let bounds = self.bounds(chooser, field);
        let mut good: Vec<i128> = bounds.clone();
        for bound in &bounds {
            good.extend([bound + 1, bound - 1, bound + 2, bound - 2]);
        }
        let many = used.len() as i128 + 4;
        if self.sort == Sort::Enum {
            good.push(0);
        }
        good.extend(1..=many);
        good.extend([0, -1, -2]);
        good.extend(many + 1..=(SMALL as i128).max(many));
        good.extend((3..=SMALL as i128).map(|n| -n));
        let mut tried: Vec<u64> = Vec::new();
        let mut later: Vec<u64> = Vec::new();
        for value in good.into_iter().filter_map(|n| self.bits(n)) {
            if used.contains(&value) {
                later.push(value);
            } else if !tried.contains(&value) {
                if chooser.attempt(&[(field, value)]) {
                    return true;
                }
                tried.push(value);
            }
        }
        later.into_iter().any(|value| chooser.attempt(&[(field, value)]))
    }

    /// The values next to which the path would be another, the nearest to zero first.
    fn bounds(self, chooser: &mut Chooser<'_>, field: &Field) -> Vec<i128> {
        let Some(term) = field.term(chooser.arena) else {
            return Vec::new();
        };
        let mut bounds: Vec<i128> = Vec::new();
        let constraints = chooser.constraints_of(field);
        for constraint in constraints.into_iter().take(MOST_CONSTRAINTS) {
            let Some(found) = boundary(chooser.arena, constraint, term) else {
                continue;
            };
            let around: &[i128] = match found.kind {
                Comparison::Order => &[0, -1, 1],
                Comparison::Equality => &[0],
                Comparison::Float => continue,
            };
            let at = self.number(found.at);
            let fits = |number: &i128| {
                let value = self.bits(*number)?;
                chooser.satisfies(constraint, field, value).then_some(*number)
            };
            let numbers: Vec<i128> = around.iter().map(|step| at + step).collect();
            bounds.extend(numbers.iter().find_map(fits));
        }
        bounds.retain(|number| !self.is_extreme(*number));
        bounds.sort_by_key(|number| (number.unsigned_abs(), *number < 0));
        bounds.dedup();
        bounds
    }

    /// Is it a constant of a check for overflow rather than one of the program?
    fn is_extreme(self, number: i128) -> bool {
        let ends = match self.signed {
            true => [mask(self.width - 1) as i128, -(mask(self.width - 1) as i128) - 1],
            false => [mask(self.width) as i128, mask(self.width - 1) as i128],
        };
        let margin = if self.width >= 32 { MARGIN } else { 3 };
        ends.iter().any(|end| (number - end).unsigned_abs() < margin)
    }

    /// Looks for the number that is nearest to zero.
    fn approach_zero(self, chooser: &mut Chooser<'_>, field: &Field) {
        let Some(term) = field.term(chooser.arena) else {
            return;
        };
        let now = field.value(&chooser.model);
        let same = chooser.arena.constant(self.width, now.into());
        let other = chooser.arena.ne(term, same);
        if chooser.is_impossible(other) {
            return;
        }
        let alone = chooser.is_alone(field);
        let (mut low, mut high) = (0u64, self.magnitude(now));
        for _ in 0..if alone { STEPS_ALONE } else { STEPS } {
            if low >= high {
                break;
            }
            let middle = middle(low, high);
            let near = self.within(chooser, term, middle);
            if chooser.ask(near) {
                high = self.magnitude(field.value(&chooser.model));
            } else {
                low = middle + 1;
            }
        }
        let number = self.number(field.value(&chooser.model));
        if let Some(value) = self.bits(-number).filter(|_| number < 0) {
            chooser.attempt(&[(field, value)]);
        }
    }

    /// `|term| <= bound`
    fn within(self, chooser: &mut Chooser<'_>, term: ExprId, bound: u64) -> ExprId {
        let arena = &mut *chooser.arena;
        let bound = u128::from(bound);
        if !self.signed {
            let limit = arena.constant(self.width, bound);
            return arena.ule(term, limit);
        }
        let shift = arena.constant(self.width, bound);
        let moved = arena.add(term, shift);
        let limit = arena.constant(self.width, 2 * bound);
        arena.ule(moved, limit)
    }

    /// Looks for a small number that no neighbour has.
    fn tell_apart(self, chooser: &mut Chooser<'_>, field: &Field, used: &[u64]) {
        let Some(term) = field.term(chooser.arena) else {
            return;
        };
        let most = mask(self.width - 1).min(SMALL.into()) as u64;
        let mut goal = self.within(chooser, term, most);
        for value in used {
            let value = chooser.arena.constant(self.width, (*value).into());
            let differs = chooser.arena.ne(term, value);
            goal = chooser.arena.and(goal, differs);
        }
        chooser.ask(goal);
    }
}

/// Where to look next: in the middle of the sizes while these are very different.
fn middle(low: u64, high: u64) -> u64 {
    if high / 4 > low {
        let bits = (low.max(1).ilog2() + high.ilog2()) / 2;
        (1u64 << bits).clamp(low, high - 1)
    } else {
        low + (high - low) / 2
    }
}
