//! Integers: constants of the program first, then small numbers, then whatever is nearest to zero.

use super::boundary::{Comparison, boundary};
use super::chooser::Chooser;
use super::fields::{Field, Sort};
use labrys_expr::{ExprId, mask, signed};

/// At most this many constraints of a field are looked at for constants.
const MOST_CONSTRAINTS: usize = 64;

/// Numbers up to here are small: nothing better is looked for.
const SMALL: u64 = 16;

/// Numbers up to here are asked for first.
const TINY: u64 = 4;

/// Beyond this, constants of the program come after small numbers.
const LARGE: u64 = 10_000;

/// At most this many constants are asked for.
const MOST_ASKED: usize = 3;

/// At most this many values of neighbours are avoided in a question.
const MOST_USED: usize = 8;

/// How near to the end of its type a constant may come: nearer ones are those of overflow checks.
const MARGIN: u128 = 1 << 16;

/// Steps of the search for the number that is nearest to zero.
const STEPS: u32 = 12;
const STEPS_ALONE: u32 = 40;

/// Chooses the value of a number. `used` are those of its neighbours, from which it should differ.
pub(crate) fn choose(chooser: &mut Chooser<'_>, field: &Field, used: &mut Vec<u64>) {
    let number = Number::of(field);
    let flag = is_flag(chooser, field);
    let avoided: &[u64] = if flag { &[] } else { used };
    let (near, far) = number.bounds(chooser, field);
    let found = match chooser.is_alone(field) {
        true => number.by_evaluation(chooser, field, &near, avoided),
        false => number.among_others(chooser, field, &near, avoided),
    };
    if !found {
        number.at_a_bound(chooser, field, &near, &far);
    }
    let value = number.number(field.value(&chooser.model));
    if !found && !is_within(value, SMALL) && !near.contains(&value) {
        number.approach_zero(chooser, field);
    }
    if !flag {
        used.push(field.value(&chooser.model));
    }
}

/// Takes the smallest number that is not negative, if it is small: for sizes, of which a reader
/// expects no more than is needed.
pub(crate) fn choose_least(chooser: &mut Chooser<'_>, field: &Field) {
    let _found = (0..=SMALL).any(|value| chooser.attempt(&[(field, value)]));
}

fn is_within(number: i128, most: u64) -> bool {
    number.unsigned_abs() <= most.into()
}

/// Is it only ever compared with zero? Then it is true or false.
fn is_flag(chooser: &mut Chooser<'_>, field: &Field) -> bool {
    let Some(term) = field.term(chooser.arena) else {
        return false;
    };
    let constraints = chooser.constraints_of(field);
    let with_zero = |constraint: &ExprId| {
        let found = boundary(chooser.arena, *constraint, term);
        found.is_some_and(|b| b.kind == Comparison::Equality && b.at == 0)
    };
    !constraints.is_empty() && constraints.iter().all(with_zero)
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
        (low..=high)
            .contains(&number)
            .then_some((number as u128 & ones) as u64)
    }

    fn number(self, value: u64) -> i128 {
        match self.signed {
            true => signed(value.into(), self.width),
            false => value.into(),
        }
    }

    /// As `by_evaluation` where others can change with it: then a small number is worth a question.
    fn among_others(
        self,
        chooser: &mut Chooser<'_>,
        field: &Field,
        near: &[i128],
        used: &[u64],
    ) -> bool {
        let small = near.iter().copied().filter(|n| is_within(*n, SMALL));
        let small: Vec<i128> = small.collect();
        let found = self.by_evaluation(chooser, field, &small, used);
        if found && !used.contains(&field.value(&chooser.model)) {
            return true;
        }
        for (most, avoided) in [(TINY, used), (SMALL, used), (SMALL, &[])] {
            let known = found && avoided.is_empty();
            if !known && self.ask_small(chooser, field, most, avoided) {
                return self.by_evaluation(chooser, field, &small, used);
            }
        }
        found
    }

    /// Takes a constant of the program, or a neighbour, though it is not small.
    fn at_a_bound(self, chooser: &mut Chooser<'_>, field: &Field, near: &[i128], far: &[i128]) {
        let bounds = || near.iter().chain(far).filter_map(|n| self.bits(*n));
        if bounds().any(|value| chooser.attempt(&[(field, value)])) || chooser.is_alone(field) {
            return;
        }
        let Some(term) = field.term(chooser.arena) else {
            return;
        };
        let _found = bounds().take(MOST_ASKED).any(|value| {
            let value = chooser.arena.constant(self.width, value.into());
            let goal = chooser.arena.eq(term, value);
            chooser.ask(goal)
        });
    }

    /// Takes the best value that evaluation allows; true if one was found.
    fn by_evaluation(
        self,
        chooser: &mut Chooser<'_>,
        field: &Field,
        bounds: &[i128],
        used: &[u64],
    ) -> bool {
        if self.sort == Sort::Bool {
            return chooser.attempt(&[(field, 0)]) || chooser.attempt(&[(field, 1)]);
        }
        let near = bounds.iter().flat_map(|bound| {
            let around = (1..=3).flat_map(move |step| [bound + step, bound - step]);
            std::iter::once(*bound).chain(around)
        });
        let zero = (self.sort == Sort::Enum).then_some(0);
        let many = used.len() as i128 + 4;
        let small = (1..=many).chain([0, -1, -2]);
        let larger = many + 1..=i128::from(SMALL).max(many);
        let negative = (3..=i128::from(SMALL)).map(|n| -n);
        // Mostly one of the first will do.
        let good = (near.chain(zero).chain(small)).chain(larger.chain(negative));
        let mut tried: Vec<u64> = Vec::new();
        let mut later: Vec<u64> = Vec::new();
        for value in good.filter_map(|n| self.bits(n)) {
            if used.contains(&value) {
                later.push(value);
            } else if !tried.contains(&value) {
                if chooser.attempt(&[(field, value)]) {
                    return true;
                }
                tried.push(value);
            }
        }
        later
            .into_iter()
            .any(|value| chooser.attempt(&[(field, value)]))
    }

    /// The values next to which the path would be another, the nearest to zero first; those that
    /// are large apart from the others.
    fn bounds(self, chooser: &mut Chooser<'_>, field: &Field) -> (Vec<i128>, Vec<i128>) {
        let Some(term) = field.term(chooser.arena) else {
            return Default::default();
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
                chooser
                    .satisfies(constraint, field, value)
                    .then_some(*number)
            };
            let numbers: Vec<i128> = around.iter().map(|step| at + step).collect();
            bounds.extend(numbers.iter().find_map(fits));
        }
        bounds.retain(|number| !self.is_extreme(*number));
        bounds.sort_by_key(|number| (number.unsigned_abs(), *number < 0));
        bounds.dedup();
        bounds.into_iter().partition(|n| is_within(*n, LARGE))
    }

    /// Is it a constant of a check for overflow rather than one of the program?
    fn is_extreme(self, number: i128) -> bool {
        let ends = match self.signed {
            true => [
                mask(self.width - 1) as i128,
                -(mask(self.width - 1) as i128) - 1,
            ],
            false => [mask(self.width) as i128, mask(self.width - 1) as i128],
        };
        let margin = if self.width >= 32 { MARGIN } else { 3 };
        ends.iter()
            .any(|end| (number - end).unsigned_abs() < margin)
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

    /// Asks for a small number that is none of these.
    fn ask_small(self, chooser: &mut Chooser<'_>, field: &Field, most: u64, used: &[u64]) -> bool {
        let Some(term) = field.term(chooser.arena) else {
            return false;
        };
        let most = mask(self.width - 1).min(most.into()) as u64;
        let mut goal = self.within(chooser, term, most);
        for value in used.iter().take(MOST_USED) {
            let value = chooser.arena.constant(self.width, (*value).into());
            let differs = chooser.arena.ne(term, value);
            goal = chooser.arena.and(goal, differs);
        }
        chooser.ask(goal)
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
