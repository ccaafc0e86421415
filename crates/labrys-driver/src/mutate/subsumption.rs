//! `--subsuming`: a mutant is subsumed if another dies, and dies only by tests that kill this one,
//! too: whoever kills the other kills it (dynamic subsumption). Counting only the others keeps a
//! score from being inflated by mutants that die from everything.

use std::collections::{BTreeMap, BTreeSet};

/// For each mutant that is subsumed one that subsumes it and is not subsumed itself. In come the
/// tests that kill each killed mutant, all of them. Of mutants that the same tests kill the first
/// stands for the others.
pub(super) fn subsumed(kills: &BTreeMap<usize, BTreeSet<usize>>) -> BTreeMap<usize, usize> {
    let mut same: BTreeMap<&BTreeSet<usize>, usize> = BTreeMap::new();
    let mut result = BTreeMap::new();
    for (mutant, tests) in kills.iter().filter(|(_, tests)| !tests.is_empty()) {
        let representative = *same.entry(tests).or_insert(*mutant);
        if representative != *mutant {
            result.insert(*mutant, representative);
        }
    }
    let mut sets: Vec<(&BTreeSet<usize>, usize)> = same.into_iter().collect();
    sets.sort_by_key(|(tests, mutant)| (tests.len(), *mutant));
    let mut smallest: Vec<(&BTreeSet<usize>, usize)> = Vec::new();
    let mut above: BTreeMap<usize, usize> = BTreeMap::new();
    for (tests, mutant) in sets {
        match smallest.iter().find(|(fewer, _)| fewer.is_subset(tests)) {
            Some((_, subsuming)) => {
                above.insert(mutant, *subsuming);
            }
            None => smallest.push((tests, mutant)),
        }
    }
    for representative in result.values_mut() {
        if let Some(subsuming) = above.get(representative) {
            *representative = *subsuming;
        }
    }
    result.extend(above);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_killed_by_fewest_tests_is_left() {
        let sets: [&[usize]; 7] = [&[1, 2], &[1], &[1, 2, 3], &[3], &[], &[1], &[1, 2]];
        let sets = sets.iter().map(|set| set.iter().copied().collect());
        let kills: BTreeMap<usize, BTreeSet<usize>> = sets.enumerate().collect();
        let expected = BTreeMap::from([(0, 1), (2, 1), (5, 1), (6, 1)]);
        assert_eq!(subsumed(&kills), expected);
    }
}
