//! Drops tests that are not needed: the smallest suite that the greedy choice finds, or the first
//! tests of a given order that have something of their own. Either covers all that the whole suite
//! covers.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The indices of the tests to keep, in their order. `covers` lists for each test what it covers;
/// what must be kept for another reason (an error found) is one more thing that it covers.
pub fn minimise<K: Ord>(covers: &[Vec<K>]) -> Vec<usize> {
    let (covers, count) = numbered(covers);
    let mut is_open = vec![true; count];
    let mut left = count;
    let mut kept: Vec<usize> = Vec::new();
    while left > 0 {
        let gain = |test: &Vec<usize>| test.iter().filter(|key| is_open[**key]).count();
        // The most new, and of these the first.
        let gains = covers.iter().map(gain).enumerate();
        let Some((best, gain)) = gains.max_by_key(|(index, gain)| (*gain, Reverse(*index))) else {
            break;
        };
        for key in &covers[best] {
            is_open[*key] = false;
        }
        left -= gain;
        kept.push(best);
    }
    without_superfluous(&covers, kept, count)
}

/// The indices of the tests, in their order, that cover something which no test before them in the
/// order of choice covers: the heuristic of section 3.3 of the paper on augmented dynamic symbolic
/// execution, where the order is that of the lengths of the paths, longest first.
pub fn keep_first_in_order<K: Ord>(covers: &[Vec<K>], order: &[usize]) -> Vec<usize> {
    let mut covered: BTreeSet<&K> = BTreeSet::new();
    let mut kept = Vec::new();
    for test in order {
        let before = covered.len();
        covered.extend(&covers[*test]);
        if covered.len() > before {
            kept.push(*test);
        }
    }
    kept.sort_unstable();
    kept
}

/// The same with each thing as a number, and once for each test.
fn numbered<K: Ord>(covers: &[Vec<K>]) -> (Vec<Vec<usize>>, usize) {
    let keys: BTreeSet<&K> = covers.iter().flatten().collect();
    let numbers: BTreeMap<&K, usize> = keys.into_iter().zip(0..).collect();
    let of_test = |test: &Vec<K>| {
        let set: BTreeSet<usize> = test
            .iter()
            .filter_map(|key| numbers.get(key).copied())
            .collect();
        set.into_iter().collect()
    };
    (covers.iter().map(of_test).collect(), numbers.len())
}

/// An early choice may have become superfluous by the later ones.
fn without_superfluous(covers: &[Vec<usize>], mut kept: Vec<usize>, count: usize) -> Vec<usize> {
    let mut times = vec![0; count];
    for key in kept.iter().flat_map(|index| &covers[*index]) {
        times[*key] += 1;
    }
    kept.sort_unstable();
    for index in kept.clone().into_iter().rev() {
        if covers[index].iter().all(|key| times[*key] > 1) {
            kept.retain(|other| *other != index);
            for key in &covers[index] {
                times[*key] -= 1;
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_needed_tests_are_kept_in_order() {
        assert_eq!(
            minimise(&[vec![1], vec![1, 2], vec![2, 3], vec![3], vec![]]),
            [1, 2]
        );
        assert_eq!(
            minimise(&[vec![2, 3], vec![1, 2, 3, 4], vec![1, 2, 5], vec![3, 4, 6]]),
            [2, 3]
        );
        assert_eq!(minimise::<u32>(&[]), Vec::<usize>::new());
    }

    #[test]
    fn the_order_decides_who_is_kept() {
        let covers = [vec![1], vec![1, 2], vec![2, 3], vec![]];
        assert_eq!(keep_first_in_order(&covers, &[0, 1, 2, 3]), [0, 1, 2]);
        assert_eq!(keep_first_in_order(&covers, &[3, 2, 1, 0]), [1, 2]);
        assert_eq!(keep_first_in_order(&covers, &[2, 0, 1, 3]), [0, 2]);
    }

    proptest! {
        #[test]
        fn in_any_order_nothing_is_lost_and_each_kept_test_has_brought_something(
            tests in proptest::collection::vec(
                (proptest::collection::vec(0u8..20, 0..6), any::<u8>()), 0..12)
        ) {
            let (covers, lengths): (Vec<_>, Vec<_>) = tests.into_iter().unzip();
            let mut order: Vec<usize> = (0..covers.len()).collect();
            order.sort_by_key(|test| Reverse(lengths[*test]));
            let kept = keep_first_in_order(&covers, &order);
            let all: BTreeSet<_> = covers.iter().flatten().collect();
            let left: BTreeSet<_> = kept.iter().flat_map(|index| &covers[*index]).collect();
            prop_assert_eq!(&all, &left);
            for (place, test) in order.iter().enumerate() {
                let before: BTreeSet<_> =
                    order[..place].iter().flat_map(|earlier| &covers[*earlier]).collect();
                let brings = covers[*test].iter().any(|key| !before.contains(key));
                prop_assert_eq!(kept.contains(test), brings);
            }
        }

        #[test]
        fn nothing_is_lost_and_nothing_is_superfluous(
            covers in proptest::collection::vec(proptest::collection::vec(0u8..20, 0..6), 0..12)
        ) {
            let kept = minimise(&covers);
            let all: BTreeSet<_> = covers.iter().flatten().collect();
            let left: BTreeSet<_> = kept.iter().flat_map(|index| &covers[*index]).collect();
            prop_assert_eq!(&all, &left);
            for without in &kept {
                let rest: BTreeSet<_> =
                    kept.iter().filter(|index| *index != without).flat_map(|index| &covers[*index]).collect();
                prop_assert!(rest != all);
            }
        }
    }
}
