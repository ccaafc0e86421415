//! Sets of unsigned numbers as sorted, disjoint, inclusive intervals that do not touch, with the
//! operations that pulling a predicate back to its variable needs.

use labrys_expr::mask;

/// A set of numbers of some width.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct IntervalSet(Vec<(u128, u128)>);

impl IntervalSet {
    pub(crate) fn empty() -> Self {
        IntervalSet::default()
    }

    pub(crate) fn full(width: u8) -> Self {
        IntervalSet(vec![(0, mask(width))])
    }

    pub(crate) fn single(value: u128) -> Self {
        IntervalSet(vec![(value, value)])
    }

    /// `low ..= high`, empty if `low > high`.
    pub(crate) fn between(low: u128, high: u128) -> Self {
        if low <= high {
            IntervalSet(vec![(low, high)])
        } else {
            IntervalSet::empty()
        }
    }

    /// Intervals in any order, possibly overlapping.
    pub(crate) fn from_parts(mut parts: Vec<(u128, u128)>) -> Self {
        parts.sort_unstable();
        let mut out: Vec<(u128, u128)> = Vec::with_capacity(parts.len());
        for (low, high) in parts {
            match out.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => out.push((low, high)),
            }
        }
        IntervalSet(out)
    }

    pub(crate) fn parts(&self) -> &[(u128, u128)] {
        &self.0
    }

    pub(crate) fn contains(&self, value: u128) -> bool {
        let i = self.0.partition_point(|&(_, high)| high < value);
        self.0.get(i).is_some_and(|&(low, _)| low <= value)
    }

    /// Number of members, saturating.
    pub(crate) fn count(&self) -> u128 {
        self.0.iter().fold(0u128, |n, (low, high)| {
            n.saturating_add(high - low).saturating_add(1)
        })
    }

    pub(crate) fn lowest(&self) -> Option<u128> {
        self.0.first().map(|&(low, _)| low)
    }

    pub(crate) fn highest(&self) -> Option<u128> {
        self.0.last().map(|&(_, high)| high)
    }

    /// Members in ascending order.
    pub(crate) fn values(&self) -> impl Iterator<Item = u128> + '_ {
        self.0.iter().flat_map(|&(low, high)| low..=high)
    }

    pub(crate) fn intersect(&self, other: &IntervalSet) -> IntervalSet {
        let (mut i, mut j) = (0, 0);
        let mut out = Vec::new();
        while let (Some(&a), Some(&b)) = (self.0.get(i), other.0.get(j)) {
            let (low, high) = (a.0.max(b.0), a.1.min(b.1));
            if low <= high {
                out.push((low, high));
            }
            if a.1 < b.1 { i += 1 } else { j += 1 }
        }
        IntervalSet(out)
    }

    /// The smallest common member.
    pub(crate) fn lowest_common(&self, other: &IntervalSet) -> Option<u128> {
        let (mut i, mut j) = (0, 0);
        while let (Some(&a), Some(&b)) = (self.0.get(i), other.0.get(j)) {
            let low = a.0.max(b.0);
            if low <= a.1.min(b.1) {
                return Some(low);
            }
            if a.1 < b.1 { i += 1 } else { j += 1 }
        }
        None
    }

    pub(crate) fn union(&self, other: &IntervalSet) -> IntervalSet {
        IntervalSet::from_parts(self.0.iter().chain(&other.0).copied().collect())
    }

    pub(crate) fn complement(&self, width: u8) -> IntervalSet {
        let mut out = Vec::with_capacity(self.0.len() + 1);
        let mut next = Some(0u128);
        for &(low, high) in &self.0 {
            if let Some(start) = next.filter(|&start| start < low) {
                out.push((start, low - 1));
            }
            next = high.checked_add(1);
        }
        if let Some(start) = next.filter(|&start| start <= mask(width)) {
            out.push((start, mask(width)));
        }
        IntervalSet(out)
    }

    /// Every member plus `offset`, modulo two to the `width`.
    pub(crate) fn rotate(&self, width: u8, offset: u128) -> IntervalSet {
        let ones = mask(width);
        let mut out = Vec::with_capacity(self.0.len() + 1);
        for &(low, high) in &self.0 {
            if high - low == ones {
                return IntervalSet::full(width);
            }
            let (low, high) = (
                low.wrapping_add(offset) & ones,
                high.wrapping_add(offset) & ones,
            );
            if low <= high {
                out.push((low, high));
            } else {
                out.extend([(0, high), (low, ones)]);
            }
        }
        IntervalSet::from_parts(out)
    }

    /// The bitwise complement of every member.
    pub(crate) fn mirror(&self, width: u8) -> IntervalSet {
        let ones = mask(width);
        IntervalSet(
            self.0
                .iter()
                .rev()
                .map(|&(low, high)| (ones - high, ones - low))
                .collect(),
        )
    }

    /// The negation of every member.
    pub(crate) fn negate(&self, width: u8) -> IntervalSet {
        self.mirror(width).rotate(width, 1)
    }

    /// Applies a map from intervals to intervals; `None` drops one.
    pub(crate) fn map(&self, f: impl Fn(u128, u128) -> Option<(u128, u128)>) -> IntervalSet {
        IntervalSet::from_parts(
            self.0
                .iter()
                .filter_map(|&(low, high)| f(low, high))
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set() -> impl Strategy<Value = (IntervalSet, Vec<bool>)> {
        proptest::collection::vec(any::<bool>(), 64).prop_map(|bits| {
            let parts = (0..64u128)
                .filter(|&i| bits[i as usize])
                .map(|i| (i, i))
                .collect();
            (IntervalSet::from_parts(parts), bits)
        })
    }

    proptest! {
        #[test]
        fn agree_with_bit_sets((a, x) in set(), (b, y) in set(), offset in 0..64u128) {
            let common = a.intersect(&b);
            prop_assert_eq!(common.lowest(), a.lowest_common(&b));
            for i in 0..64usize {
                let v = i as u128;
                prop_assert_eq!(a.contains(v), x[i]);
                prop_assert_eq!(common.contains(v), x[i] && y[i]);
                prop_assert_eq!(a.union(&b).contains(v), x[i] || y[i]);
                prop_assert_eq!(a.complement(6).contains(v), !x[i]);
                prop_assert_eq!(a.rotate(6, offset).contains((v + offset) % 64), x[i]);
                prop_assert_eq!(a.negate(6).contains((64 - v) % 64), x[i]);
                prop_assert_eq!(a.mirror(6).contains(63 - v), x[i]);
            }
            prop_assert_eq!(a.count(), x.iter().filter(|b| **b).count() as u128);
        }
    }

    #[test]
    fn the_widest_set_wraps_without_overflow() {
        let all = IntervalSet::full(128);
        assert_eq!(all.complement(128), IntervalSet::empty());
        assert_eq!(all.rotate(128, 5), all);
        assert_eq!(
            IntervalSet::single(u128::MAX).rotate(128, 1),
            IntervalSet::single(0)
        );
    }
}
