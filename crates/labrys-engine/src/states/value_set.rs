//! The values that a place of a state may have: a few numbers, a range between constants of the program, or
//! anything. A set only grows, and not often.

use crate::memory::sign_extend;
use labrys_expr::{Arena, ExprId};

/// More numbers than this are a range.
pub(crate) const MOST_NUMBERS: usize = 12;

/// A range that has grown so often has no end on that side.
const MOST_GROWTHS: u8 = 2;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GrowingSet {
    /// Sorted.
    Few(Vec<u64>),
    /// As signed numbers, both ends included.
    Between {
        low: i64,
        high: i64,
        growths: u8,
    },
    Any,
}

impl GrowingSet {
    pub(crate) fn contains(&self, value: u64, width: u8) -> bool {
        match self {
            GrowingSet::Few(values) => values.binary_search(&value).is_ok(),
            GrowingSet::Between { low, high, .. } => {
                (low..=high).contains(&&sign_extend(value, width))
            }
            GrowingSet::Any => true,
        }
    }

    /// Is everything in it that is in the other one?
    pub(crate) fn includes(&self, other: &GrowingSet, width: u8) -> bool {
        match (self, other) {
            (GrowingSet::Any, _) => true,
            (_, GrowingSet::Any) => false,
            (_, GrowingSet::Few(values)) => values.iter().all(|value| self.contains(*value, width)),
            (
                GrowingSet::Between { low, high, .. },
                GrowingSet::Between {
                    low: least,
                    high: most,
                    ..
                },
            ) => low <= least && most <= high,
            (GrowingSet::Few(_), GrowingSet::Between { .. }) => false,
        }
    }

    /// Takes in a value that it does not contain, and keeps `most` numbers apart. Ranges end at `stops`,
    /// which are sorted.
    pub(crate) fn grow(&mut self, value: u64, width: u8, (most, stops): (usize, &[i64])) {
        if !self.add_number(value, most) {
            self.grow_range(value, width, stops);
        }
    }

    /// The same, if it stays a set of not more than so many numbers.
    pub(crate) fn add_number(&mut self, value: u64, most: usize) -> bool {
        match self {
            GrowingSet::Few(values) if values.len() < most => {
                if let Err(at) = values.binary_search(&value) {
                    values.insert(at, value);
                }
                true
            }
            _ => false,
        }
    }

    /// The least and the greatest of its values; none if it is everything.
    pub(crate) fn ends(&self, width: u8) -> Option<(i64, i64)> {
        match self {
            GrowingSet::Few(values) => {
                let signed = values.iter().map(|value| sign_extend(*value, width));
                Some((signed.clone().min()?, signed.max()?))
            }
            GrowingSet::Between { low, high, .. } => Some((*low, *high)),
            GrowingSet::Any => None,
        }
    }

    /// How often it has grown since it is a range.
    pub(crate) fn growths(&self) -> u8 {
        match self {
            GrowingSet::Between { growths, .. } => *growths,
            GrowingSet::Few(_) | GrowingSet::Any => 0,
        }
    }

    /// A range, or everything.
    pub(crate) fn between((low, high): (i64, i64), width: u8, growths: u8) -> GrowingSet {
        let least = i64::MIN >> (64 - u32::from(width));
        let (low, high) = (low.max(least), high.min(!least));
        match low == least && high == !least {
            true => GrowingSet::Any,
            false => GrowingSet::Between { low, high, growths },
        }
    }

    /// The same for one of very many values.
    pub(crate) fn grow_range(&mut self, value: u64, width: u8, stops: &[i64]) {
        let signed = sign_extend(value, width);
        let Some((mut low, mut high)) = self.ends(width) else {
            return;
        };
        let growths = self.growths();
        let least = i64::MIN >> (64 - u32::from(width));
        let most = !least;
        let is_first = growths == 0;
        if signed < low || is_first {
            let below = stops.partition_point(|stop| *stop <= signed.min(low));
            let next = below.checked_sub(1).map(|at| stops[at]);
            low = next.filter(|_| growths < MOST_GROWTHS).unwrap_or(least);
        }
        if signed > high || is_first {
            let above = stops.partition_point(|stop| *stop < signed.max(high));
            let next = stops.get(above).copied();
            high = next.filter(|_| growths < MOST_GROWTHS).unwrap_or(most);
        }
        *self = GrowingSet::between((low, high), width, growths.saturating_add(1));
    }

    /// Takes in all values of another set. True if it has grown.
    pub(crate) fn join(
        &mut self,
        other: &GrowingSet,
        width: u8,
        (most, stops): (usize, &[i64]),
    ) -> bool {
        if self.includes(other, width) {
            return false;
        }
        let growths = self.growths().max(other.growths());
        match (other, other.ends(width), self.ends(width)) {
            (GrowingSet::Few(values), ..) => {
                for value in values {
                    if !self.contains(*value, width) {
                        self.grow(*value, width, (most, stops));
                    }
                }
            }
            // The ends of the other one are stops already, so this ends: it has no more of them than the
            // program has constants.
            (GrowingSet::Between { .. }, Some((least, most)), Some((low, high))) => {
                let range = (low.min(least), high.max(most));
                *self = GrowingSet::between(range, width, growths);
            }
            _ => *self = GrowingSet::Any,
        }
        true
    }

    /// The condition that a value is in it.
    pub(crate) fn holds(&self, arena: &mut Arena, value: ExprId) -> ExprId {
        let width = arena.width(value);
        match self {
            GrowingSet::Few(values) => {
                let mut any = arena.no();
                for known in values {
                    let known = arena.constant(width, (*known).into());
                    let is = arena.eq(value, known);
                    any = arena.or(any, is);
                }
                any
            }
            GrowingSet::Between { low, high, .. } => {
                let mask = u64::MAX >> (64 - u32::from(width));
                let low = arena.constant(width, (*low as u64 & mask).into());
                let high = arena.constant(width, (*high as u64 & mask).into());
                let (above, below) = (arena.sle(low, value), arena.sle(value, high));
                arena.and(above, below)
            }
            GrowingSet::Any => arena.yes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STOPS: [i64; 5] = [-100, -1, 0, 10, 20];

    #[test]
    fn few_numbers_are_kept_and_many_become_a_range_between_constants() {
        const MOST: usize = 5;
        let mut set = GrowingSet::Few(vec![1]);
        for value in 2..=MOST as u64 {
            assert!(!set.contains(value, 32));
            set.grow(value, 32, (MOST, &STOPS));
        }
        assert!(!set.contains(0, 32));
        set.grow(9, 32, (MOST, &STOPS));
        assert!(set.contains(10, 32) && set.contains(0, 32));
        assert!(!set.contains(11, 32) && !set.contains(u64::from(u32::MAX), 32));
    }

    #[test]
    fn what_is_joined_is_included() {
        let range = |low, high| GrowingSet::Between {
            low,
            high,
            growths: 1,
        };
        let sets = [
            GrowingSet::Few(vec![3]),
            GrowingSet::Few(vec![0, 7, 9, 12, 0xffff_ffff]),
            range(-7, 5),
            range(4, 2_000),
            range(i32::MIN.into(), 3),
            GrowingSet::Any,
        ];
        for set in &sets {
            for other in &sets {
                let mut joined = set.clone();
                assert_eq!(
                    joined.join(other, 32, (MOST_NUMBERS, &STOPS)),
                    joined != *set
                );
                assert!(joined.includes(set, 32) && joined.includes(other, 32));
            }
        }
    }

    #[test]
    fn a_range_that_keeps_growing_has_no_end() {
        let mut set = GrowingSet::Few(vec![0]);
        let mut value = 1_u64;
        let mut steps = 0;
        while set != GrowingSet::Any {
            set.grow_range(value, 32, &STOPS);
            assert!(set.contains(value, 32));
            value = if steps % 2 == 0 {
                value + 30
            } else {
                value << 31 & 0xffff_ffff | 1 << 31
            };
            steps += 1;
            assert!(steps < 20);
        }
    }
}
