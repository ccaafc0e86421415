//! Numbers that a path compares with each other keep their order when they become small. In come a
//! field and the values of those that it is tied to; small numbers in the same order are tried by
//! evaluation, which costs far less than a question to the solver.

use super::chooser::Chooser;
use super::fields::{Field, Sort};
use super::numbers::Number;
use labrys_expr::VarId;

/// At most this many numbers are changed together.
const MOST_RANKED: usize = 64;

/// What numbers that are equal become.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EqualNumbers {
    Rising,
    Falling,
    Equal,
}

/// How new numbers are given.
#[derive(Clone, Copy)]
struct OrderPlan {
    equals: EqualNumbers,
    /// The next number above a constant becomes that constant.
    at_constants: bool,
}

impl OrderPlan {
    fn all(at_constants: bool) -> impl Iterator<Item = OrderPlan> {
        let equals = [
            EqualNumbers::Rising,
            EqualNumbers::Falling,
            EqualNumbers::Equal,
        ];
        equals.into_iter().map(move |equals| OrderPlan {
            equals,
            at_constants,
        })
    }
}

/// A number that stays where it is, or one that moves.
#[derive(Clone, Copy)]
struct OrderedNumber<'f> {
    number: i128,
    /// A constant and what is settled stay.
    moved: Option<&'f Field>,
    /// A number may be equal to a constant that bounds it.
    constant: bool,
}

/// Gives the fields that are tied to `field`, and that are not settled, small numbers in the order
/// of their present values; true if the path allows that. They differ from `used`, where they can.
pub(crate) fn spread(chooser: &mut Chooser<'_>, field: &Field, used: &[u64]) -> bool {
    let Some(vars) = chooser.tied_to(field, MOST_RANKED) else {
        return false;
    };
    let ranks = ranks(chooser, &vars);
    let moving = ranks.iter().filter(|rank| rank.moved.is_some()).count();
    if moving < 2 {
        return false;
    }
    let avoided: Vec<i128> = used.iter().map(|v| Number::of(field).number(*v)).collect();
    let constants = ranks.iter().any(|rank| rank.constant);
    let mut plans = [true, false]
        .into_iter()
        .filter(|at_constants| constants || !at_constants)
        .flat_map(OrderPlan::all);
    plans.any(|plan| {
        let changes = assign(&ranks, plan, &avoided);
        changes.is_some_and(|changes| chooser.attempt(&changes))
    })
}

/// What there is to put in order.
fn ranks<'a>(chooser: &mut Chooser<'a>, vars: &[VarId]) -> Vec<OrderedNumber<'a>> {
    let mut ranks: Vec<OrderedNumber<'a>> = Vec::new();
    for var in vars {
        let Some(field) = chooser.field_of(*var) else {
            continue;
        };
        if !matches!(field.sort, Sort::Signed | Sort::Unsigned) {
            continue;
        }
        let number = Number::of(field).number(field.value(&chooser.model));
        let moved = (!chooser.is_settled(*var)).then_some(field);
        let constant = false;
        ranks.push(OrderedNumber {
            number,
            moved,
            constant,
        });
        if moved.is_some() {
            let bounds = Number::of(field).bounds(chooser, field);
            let constants = bounds.near.iter().chain(&bounds.far);
            ranks.extend(constants.map(|number| OrderedNumber {
                number: *number,
                moved: None,
                constant: true,
            }));
        }
    }
    ranks
}

/// New numbers in the old order: upwards from each number that stays, from one if there is none.
fn assign<'f>(
    ranks: &[OrderedNumber<'f>],
    plan: OrderPlan,
    avoided: &[i128],
) -> Option<Vec<(&'f Field, u64)>> {
    let mut order: Vec<(i128, bool, usize)> = Vec::new();
    for (i, rank) in ranks.iter().enumerate() {
        let place = match plan.equals {
            EqualNumbers::Falling => ranks.len() - i,
            EqualNumbers::Rising | EqualNumbers::Equal => i,
        };
        order.push((rank.number, rank.moved.is_some(), place));
    }
    order.sort_unstable();
    let rank_at = |place: usize| match plan.equals {
        EqualNumbers::Falling => &ranks[ranks.len() - place],
        EqualNumbers::Rising | EqualNumbers::Equal => &ranks[place],
    };
    let first_fixed = order.iter().position(|(_, moves, _)| !moves);
    // The last number that was given, and the one that it was.
    let (mut last, mut was) = (first_number(&order, first_fixed) - 1, None);
    // The next may be equal to the last: that is a constant.
    let mut open = false;
    let mut changes = Vec::new();
    for (number, _, place) in order {
        let rank = rank_at(place);
        let Some(field) = rank.moved else {
            // Numbers below must not have come up to here.
            if was.is_some() && last >= number && was != Some(number) {
                return None;
            }
            (last, was, open) = (number, Some(number), rank.constant);
            continue;
        };
        let equal = was == Some(number);
        let same = equal && plan.equals == EqualNumbers::Equal
            || open && (equal || plan.at_constants && !avoided.contains(&last));
        if !same {
            last += 1;
            while avoided.contains(&last) {
                last += 1;
            }
        }
        (was, open) = (Some(number), false);
        changes.push((field, Number::of(field).bits(last)?));
    }
    Some(changes)
}

/// The number with which to begin: one, if there is room for those below the first that stays.
fn first_number(order: &[(i128, bool, usize)], first_fixed: Option<usize>) -> i128 {
    match first_fixed {
        None => 1,
        Some(below) => {
            let fixed = order[below].0;
            let below = below as i128;
            if fixed > below { 1 } else { fixed - below }
        }
    }
}
