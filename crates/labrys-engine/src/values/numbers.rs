//! Integers: constants of the program first, then small numbers, then whatever is nearest to zero.

use super::boundary::{Comparison, boundary};
use super::chooser::Chooser;
use super::fields::{Field, Sort};
use super::ranks;
use super::ties::Tie;
use super::verdicts::{NumberBounds, SetId};
use labrys_expr::{ExprId, mask, signed};
use std::rc::Rc;

/// At most this many constraints of a field are looked at for constants.
const MOST_CONSTRAINTS: usize = 64;

/// Numbers up to here are small: nothing better is looked for.
pub(super) const SMALL: u64 = 16;

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

/// Lists of allowed values are kept for at most this many neighbours.
const MOST_LISTS: usize = 32;

/// Chooses the value of a number. `used` are those of its neighbours, from which it should differ.
pub(crate) fn choose(chooser: &mut Chooser<'_>, field: &Field, used: &mut Vec<u64>) {
    let number = Number::of(field);
    let bounds = number.bounds(chooser, field);
    let avoided: &[u64] = if bounds.flag { &[] } else { used };
    let found = match chooser.is_alone(field) {
        true => number.by_evaluation(chooser, field, &bounds.near, avoided),
        false => number.among_others(chooser, field, &bounds.near, avoided),
    };
    if !found {
        number.at_a_bound(chooser, field, &bounds);
    }
    let value = number.number(field.value(&chooser.model));
    if !found && !is_within(value, SMALL) && !bounds.near.contains(&value) {
        number.approach_zero(chooser, field);
    }
    if !bounds.flag {
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

/// How the values of a field are read.
#[derive(Clone, Copy)]
pub(crate) struct Number {
    width: u8,
    signed: bool,
    sort: Sort,
}

impl Number {
    pub(crate) fn of(field: &Field) -> Self {
        Number {
            width: field.width(),
            signed: matches!(field.sort, Sort::Signed | Sort::Enum),
            sort: field.sort,
        }
    }

    pub(super) fn magnitude(self, value: u64) -> u64 {
        if self.signed {
            signed(value.into(), self.width).unsigned_abs() as u64
        } else {
            value
        }
    }

    /// The bits of a number, if the type has it.
    pub(crate) fn bits(self, number: i128) -> Option<u64> {
        let ones = mask(self.width);
        let (low, high) = match self.signed {
            true => (-((ones / 2 + 1) as i128), (ones / 2) as i128),
            false => (0, ones as i128),
        };
        (low..=high)
            .contains(&number)
            .then_some((number as u128 & ones) as u64)
    }

    pub(crate) fn number(self, value: u64) -> i128 {
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
        if ranks::spread(chooser, field, used)
            && self.by_evaluation(chooser, field, near, used)
            && !used.contains(&field.value(&chooser.model))
        {
            return true;
        }
        if !self.may_be_small(chooser, field) {
            return found;
        }
        for (most, avoided) in [(TINY, used), (SMALL, used), (SMALL, &[])] {
            let known = found && avoided.is_empty();
            if !known && self.ask_small(chooser, field, most, avoided) {
                return self.by_evaluation(chooser, field, &small, used);
            }
        }
        found
    }

    /// Do the constraints on the field alone allow a small number?
    fn may_be_small(self, chooser: &mut Chooser<'_>, field: &Field) -> bool {
        let small = -i128::from(SMALL)..=i128::from(SMALL);
        let small: Vec<u64> = small.filter_map(|n| self.bits(n)).collect();
        chooser.allows_any(field, &small)
    }

    /// Takes a constant of the program, or a neighbour, though it is not small.
    fn at_a_bound(self, chooser: &mut Chooser<'_>, field: &Field, bounds: &NumberBounds) {
        let all = || bounds.near.iter().chain(&bounds.far);
        let bounds = || all().filter_map(|n| self.bits(*n));
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
        if let Tie::Alone(set) = chooser.tie(field)
            && let Some(known) = self.allowed(chooser, (field, set), bounds, used.len())
        {
            let best = known.iter().find(|value| !used.contains(value));
            let best = best.or(known.first());
            return best.is_some_and(|value| chooser.attempt(&[(field, *value)]));
        }
        // Mostly one of the first will do.
        let mut tried: Vec<u64> = Vec::with_capacity(32);
        let mut later: Vec<u64> = Vec::new();
        for value in self.candidates(bounds, used.len()) {
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

    /// The values that are tried, best first, where so many others are used.
    fn candidates(self, bounds: &[i128], used: usize) -> impl Iterator<Item = u64> {
        let near = bounds.iter().flat_map(|bound| {
            let around = (1..=3).flat_map(move |step| [bound + step, bound - step]);
            std::iter::once(*bound).chain(around)
        });
        let zero = (self.sort == Sort::Enum).then_some(0);
        let many = used as i128 + 4;
        let small = (1..=many).chain([0, -1, -2]);
        let larger = many + 1..=i128::from(SMALL).max(many);
        let negative = (3..=i128::from(SMALL)).map(|n| -n);
        let good = (near.chain(zero).chain(small)).chain(larger.chain(negative));
        good.filter_map(move |n| self.bits(n))
    }

    /// Those of the candidates that satisfy constraints on this field alone, best first: tests with
    /// the same constraints share them. `None` where too many others are used.
    fn allowed(
        self,
        chooser: &mut Chooser<'_>,
        (field, set): (&Field, SetId),
        bounds: &[i128],
        used: usize,
    ) -> Option<Rc<Vec<u64>>> {
        if used >= MOST_LISTS {
            return None;
        }
        if let Some(Some(known)) = chooser.verdicts.get(set).allowed.get(used) {
            return Some(known.clone());
        }
        let mut allowed: Vec<u64> = Vec::new();
        for value in self.candidates(bounds, used) {
            if !allowed.contains(&value) && chooser.is_allowed(field, set, value) {
                allowed.push(value);
            }
        }
        let allowed = Rc::new(allowed);
        let lists = &mut chooser.verdicts.get_mut(set).allowed;
        lists.resize(lists.len().max(used + 1), None);
        lists[used] = Some(allowed.clone());
        Some(allowed)
    }

    /// The values next to which the path would be another, the nearest to zero first; those that
    /// are large apart from the others.
    pub(crate) fn bounds(self, chooser: &mut Chooser<'_>, field: &Field) -> Rc<NumberBounds> {
        let tie = chooser.tie(field);
        if let Tie::Alone(set) = tie
            && let Some(known) = &chooser.verdicts.get(set).numbers
        {
            return known.clone();
        }
        let bounds = match tie {
            Tie::Free => Rc::default(),
            Tie::Alone(_) | Tie::Tied => Rc::new(self.read_bounds(chooser, field)),
        };
        if let Tie::Alone(set) = tie {
            chooser.verdicts.get_mut(set).numbers = Some(bounds.clone());
        }
        bounds
    }

    fn read_bounds(self, chooser: &mut Chooser<'_>, field: &Field) -> NumberBounds {
        let Some(term) = field.term(chooser.arena) else {
            return NumberBounds::default();
        };
        let mut bounds: Vec<i128> = Vec::new();
        let constraints = chooser.constraints_of(field);
        // What is only ever compared with zero is true or false.
        let mut flag = constraints.len() <= MOST_CONSTRAINTS;
        for constraint in constraints.into_iter().take(MOST_CONSTRAINTS) {
            let found = boundary(chooser.arena, constraint, term);
            flag &= found.is_some_and(|b| b.kind == Comparison::Equality && b.at == 0);
            let Some(found) = found else {
                continue;
            };
            let around: &[i128] = match found.kind {
                Comparison::Order => &[0, -1, 1],
                Comparison::Equality => &[0],
                Comparison::Float => continue,
            };
            let at = self.number(found.at);
            let fits = |step: &i128| {
                let value = self.bits(at + step)?;
                chooser
                    .satisfies(constraint, field, value)
                    .then_some(at + step)
            };
            bounds.extend(around.iter().find_map(fits));
        }
        bounds.retain(|number| !self.is_extreme(*number));
        bounds.sort_by_key(|number| (number.unsigned_abs(), *number < 0));
        bounds.dedup();
        let (near, far) = bounds.into_iter().partition(|n| is_within(*n, LARGE));
        NumberBounds { flag, near, far }
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

    /// `|term| <= bound`
    pub(super) fn within(self, chooser: &mut Chooser<'_>, term: ExprId, bound: u64) -> ExprId {
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
