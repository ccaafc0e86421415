//! Which new tests kill which mutants, and what follows from it: the reference mutants and the tests
//! that are not redundant.

use std::collections::{BTreeMap, BTreeSet};

/// For each killed mutant, by its id, all tests that kill it, by their numbers.
pub type KillMatrix = BTreeMap<String, BTreeSet<usize>>;

/// The mutants that no other mutant subsumes: a mutant is subsumed if all tests that kill another kill
/// it, too. Of mutants that the same tests kill the first one counts.
pub fn reference_mutants(kills: &KillMatrix) -> BTreeSet<String> {
    let mut first: BTreeMap<&BTreeSet<usize>, &String> = BTreeMap::new();
    for (mutant, tests) in kills.iter().filter(|(_, tests)| !tests.is_empty()) {
        first.entry(tests).or_insert(mutant);
    }
    let is_subsuming = |tests: &BTreeSet<usize>| {
        let others = first.keys().filter(|other| **other != tests);
        !others.into_iter().any(|other| other.is_subset(tests))
    };
    let subsuming = first.iter().filter(|(tests, _)| is_subsuming(tests));
    subsuming.map(|(_, mutant)| (*mutant).clone()).collect()
}

/// How many of these tests are needed for all that they kill together, by a greedy choice.
pub fn killing_tests(kills: &KillMatrix, tests: &BTreeSet<usize>) -> usize {
    let mut open: Vec<BTreeSet<usize>> = kills
        .values()
        .map(|by| by.intersection(tests).copied().collect())
        .filter(|by: &BTreeSet<usize>| !by.is_empty())
        .collect();
    let mut chosen = 0;
    while !open.is_empty() {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for test in open.iter().flatten() {
            *counts.entry(*test).or_default() += 1;
        }
        let most = counts
            .iter()
            .max_by_key(|(test, count)| (**count, usize::MAX - **test));
        let Some((test, _)) = most else { break };
        open.retain(|by| !by.contains(test));
        chosen += 1;
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(sets: &[&[usize]]) -> KillMatrix {
        let named = |(n, set): (usize, &&[usize])| (format!("m{n}"), set.iter().copied().collect());
        sets.iter().enumerate().map(named).collect()
    }

    #[test]
    fn mutants_with_the_fewest_killers_are_the_reference() {
        let kills = matrix(&[&[1, 2], &[1], &[1, 2, 3], &[3], &[], &[1]]);
        let expected: BTreeSet<String> = ["m1", "m3"].map(str::to_owned).into();
        assert_eq!(reference_mutants(&kills), expected);
    }

    #[test]
    fn redundant_tests_are_not_counted() {
        let kills = matrix(&[&[1, 2], &[2, 3], &[2], &[4], &[]]);
        let of = |tests: &[usize]| killing_tests(&kills, &tests.iter().copied().collect());
        assert_eq!(of(&[1, 2, 3, 4]), 2);
        assert_eq!(of(&[1, 3]), 2);
        assert_eq!(of(&[9]), 0);
    }
}
