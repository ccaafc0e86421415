//! The evaluations of a decision that begin in a given way: how many there are, and which halves
//! of pairs they can have.
//!
//! Every condition occurs once, so the operands of `&&` and `||` are independent, and every
//! question is answered by one walk over the formula without listing the evaluations.

use super::formula::Formula;
use super::vector::OutcomeVector;

/// Conditions that decide in an evaluation, as sets of bits: the ones that are true, the ones
/// that are false. Each is half of a masking pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairHalves {
    pub yes: u64,
    pub no: u64,
}

impl PairHalves {
    /// The half in which this condition has this value.
    pub fn of(condition: usize, value: bool) -> PairHalves {
        let bit = 1 << condition;
        match value {
            true => PairHalves { yes: bit, no: 0 },
            false => PairHalves { yes: 0, no: bit },
        }
    }

    #[must_use]
    pub fn or(self, other: PairHalves) -> PairHalves {
        PairHalves {
            yes: self.yes | other.yes,
            no: self.no | other.no,
        }
    }

    /// Those of certain conditions.
    #[must_use]
    pub fn among(self, conditions: u64) -> PairHalves {
        PairHalves {
            yes: self.yes & conditions,
            no: self.no & conditions,
        }
    }

    #[must_use]
    pub fn without(self, other: PairHalves) -> PairHalves {
        PairHalves {
            yes: self.yes & !other.yes,
            no: self.no & !other.no,
        }
    }

    pub fn is_empty(self) -> bool {
        self.yes | self.no == 0
    }

    pub fn has(self, condition: usize, value: bool) -> bool {
        let set = if value { self.yes } else { self.no };
        set >> condition & 1 == 1
    }
}

/// Evaluations that agree with another one but for at most one condition.
#[derive(Clone, Copy, Default)]
struct SingleDifferences {
    /// There is one that agrees in all conditions that both have evaluated.
    same: bool,
    /// The conditions that can be the only difference.
    one: u64,
}

impl SingleDifferences {
    fn or(self, other: SingleDifferences) -> SingleDifferences {
        SingleDifferences {
            same: self.same | other.same,
            one: self.one | other.one,
        }
    }

    /// Both operands are evaluated.
    fn and_then(self, other: SingleDifferences) -> SingleDifferences {
        let left = if other.same { self.one } else { 0 };
        let right = if self.same { other.one } else { 0 };
        SingleDifferences {
            same: self.same & other.same,
            one: left | right,
        }
    }
}

/// Something for each result: for true, for false.
type ByResult<T> = [T; 2];

fn swapped<T>([yes, no]: ByResult<T>) -> ByResult<T> {
    [no, yes]
}

impl Formula {
    /// Can the formula have this value at all? Only constants keep it from that.
    pub fn can_be(&self, value: bool) -> bool {
        match self {
            Formula::Condition(_) => true,
            Formula::Constant(constant) => *constant == value,
            Formula::Not(f) => f.can_be(!value),
            Formula::And(l, r) if value => l.can_be(true) && r.can_be(true),
            Formula::And(l, r) => l.can_be(false) || r.can_be(false),
            Formula::Or(l, r) if value => l.can_be(true) || r.can_be(true),
            Formula::Or(l, r) => l.can_be(false) && r.can_be(false),
        }
    }

    /// The result of a whole evaluation; `None` if it does not evaluate enough.
    pub fn result(&self, vector: OutcomeVector) -> Option<bool> {
        match self {
            Formula::Condition(c) => vector.get(*c),
            Formula::Constant(value) => Some(*value),
            Formula::Not(f) => f.result(vector).map(|value| !value),
            Formula::And(l, r) => match l.result(vector)? {
                true => r.result(vector),
                false => Some(false),
            },
            Formula::Or(l, r) => match l.result(vector)? {
                true => Some(true),
                false => r.result(vector),
            },
        }
    }

    /// The halves that some evaluation with this beginning has. A condition decides if everything
    /// beside it lets it through; what is not evaluated counts as whatever does.
    pub fn halves(&self, prefix: OutcomeVector) -> PairHalves {
        let [yes, no] = self.halves_by_result(prefix);
        yes.unwrap_or_default().or(no.unwrap_or_default())
    }

    /// `None` where no evaluation has the result.
    fn halves_by_result(&self, prefix: OutcomeVector) -> ByResult<Option<PairHalves>> {
        match self {
            Formula::Condition(c) => [true, false].map(|value| {
                let allowed = prefix.get(*c).is_none_or(|known| known == value);
                allowed.then(|| PairHalves::of(*c, value))
            }),
            Formula::Constant(constant) => {
                [true, false].map(|value| (*constant == value).then(PairHalves::default))
            }
            Formula::Not(f) => swapped(f.halves_by_result(prefix)),
            Formula::And(l, r) => conjunction(
                l.halves_by_result(prefix),
                r.halves_by_result(prefix),
                r.can_be(true),
            ),
            Formula::Or(l, r) => swapped(conjunction(
                swapped(l.halves_by_result(prefix)),
                swapped(r.halves_by_result(prefix)),
                r.can_be(false),
            )),
        }
    }

    /// How many evaluations begin with this one; `u128::MAX` for very many.
    pub fn completions(&self, prefix: OutcomeVector) -> u128 {
        let [yes, no] = self.counts(prefix);
        yes.saturating_add(no)
    }

    fn counts(&self, prefix: OutcomeVector) -> ByResult<u128> {
        let and = |[l_yes, l_no]: ByResult<u128>, [r_yes, r_no]: ByResult<u128>| {
            [
                l_yes.saturating_mul(r_yes),
                l_no.saturating_add(l_yes.saturating_mul(r_no)),
            ]
        };
        match self {
            Formula::Condition(c) => [true, false]
                .map(|value| u128::from(prefix.get(*c).is_none_or(|known| known == value))),
            Formula::Constant(constant) => [u128::from(*constant), u128::from(!*constant)],
            Formula::Not(f) => swapped(f.counts(prefix)),
            Formula::And(l, r) => and(l.counts(prefix), r.counts(prefix)),
            Formula::Or(l, r) => swapped(and(swapped(l.counts(prefix)), swapped(r.counts(prefix)))),
        }
    }

    /// The conditions for which some evaluation with this beginning makes a unique-cause pair with
    /// that other one: the results differ, the condition differs, and all others that both have
    /// evaluated are the same.
    pub fn partners(&self, prefix: OutcomeVector, other: OutcomeVector) -> u64 {
        match self.result(other) {
            Some(true) => self.single_differences(prefix, other)[1].one,
            Some(false) => self.single_differences(prefix, other)[0].one,
            None => 0,
        }
    }

    fn single_differences(
        &self,
        prefix: OutcomeVector,
        other: OutcomeVector,
    ) -> ByResult<SingleDifferences> {
        let and = |[l_yes, l_no]: ByResult<SingleDifferences>,
                   [r_yes, r_no]: ByResult<SingleDifferences>| {
            [l_yes.and_then(r_yes), l_no.or(l_yes.and_then(r_no))]
        };
        match self {
            Formula::Condition(c) => [true, false].map(|value| {
                if prefix.get(*c).is_some_and(|known| known != value) {
                    return SingleDifferences::default();
                }
                match other.get(*c) {
                    Some(there) if there != value => SingleDifferences {
                        same: false,
                        one: 1 << *c,
                    },
                    _ => SingleDifferences { same: true, one: 0 },
                }
            }),
            Formula::Constant(constant) => [true, false].map(|value| SingleDifferences {
                same: *constant == value,
                one: 0,
            }),
            Formula::Not(f) => swapped(f.single_differences(prefix, other)),
            Formula::And(l, r) => and(
                l.single_differences(prefix, other),
                r.single_differences(prefix, other),
            ),
            Formula::Or(l, r) => swapped(and(
                swapped(l.single_differences(prefix, other)),
                swapped(r.single_differences(prefix, other)),
            )),
        }
    }
}

/// The halves of `l && r`; `free` says that `r` could be true if it were evaluated.
fn conjunction(
    [l_yes, l_no]: ByResult<Option<PairHalves>>,
    [r_yes, r_no]: ByResult<Option<PairHalves>>,
    free: bool,
) -> ByResult<Option<PairHalves>> {
    let yes = l_yes.zip(r_yes).map(|(l, r)| l.or(r));
    let ended = l_no.map(|l| if free { l } else { PairHalves::default() });
    let went_on = l_yes.and(r_no);
    let no = match (ended, went_on) {
        (Some(a), Some(b)) => Some(a.or(b)),
        (a, b) => a.or(b),
    };
    [yes, no]
}

/// The only condition that two evaluations have both evaluated, and to different values. If the
/// results differ, too, they are a unique-cause pair of that condition.
pub fn only_difference(a: OutcomeVector, b: OutcomeVector) -> Option<usize> {
    let different = (a.truth ^ b.truth) & a.seen & b.seen;
    (different.count_ones() == 1).then_some(different.trailing_zeros() as usize)
}
