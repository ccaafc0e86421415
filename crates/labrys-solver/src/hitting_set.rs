//! The smallest set that meets all of some sets, by the SAT solver: for the smallest suite that
//! covers all that a whole suite covers.

use crate::blast::{Lit, Sat, SatResult};
use crate::limits::QueryLimits;
use crate::options::SolverOptions;
use std::collections::BTreeSet;
use std::time::Duration;

/// Conflicts of one call of the solver. They are counted, so the result does not depend on the
/// clock.
const MAX_CONFLICTS: u64 = 200_000;

/// If counting the chosen elements would take more gates than this, the greedy choice stays.
const MAX_GATES: usize = 1_000_000;

/// Elements that meet all sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HittingSet {
    /// In ascending order.
    pub chosen: Vec<usize>,
    /// There is no smaller one.
    pub is_smallest: bool,
}

/// Finds the smallest set of elements that has one of each of the sets, beginning with one that is
/// known. Sets without elements are left out.
pub fn smallest_hitting_set(sets: &[Vec<usize>], known: &[usize]) -> HittingSet {
    let mut best = HittingSet {
        chosen: known.to_vec(),
        is_smallest: false,
    };
    best.chosen.sort_unstable();
    let sets = without_dominated(sets);
    let elements: Vec<usize> = {
        let all: BTreeSet<usize> = sets.iter().flatten().copied().collect();
        all.into_iter().collect()
    };
    if elements.is_empty() {
        best.chosen.clear();
        best.is_smallest = true;
        return best;
    }
    let most = best.chosen.len();
    if most <= 1 || elements.len().saturating_mul(most) > MAX_GATES {
        best.is_smallest = most <= 1;
        return best;
    }
    let mut sat = Sat::new();
    let variables: Vec<Lit> = elements.iter().map(|_| sat.fresh(true)).collect();
    for set in &sets {
        let place = |element: &usize| elements.binary_search(element).ok();
        let clause: Vec<Lit> = set.iter().filter_map(place).map(|p| variables[p]).collect();
        sat.add(&clause);
    }
    let counts = at_least(&mut sat, &variables, most);
    let limits = QueryLimits::new(&SolverOptions {
        timeout: Duration::from_secs(3600),
        ..SolverOptions::default()
    });
    while best.chosen.len() > 1 {
        let fewer = !counts[best.chosen.len() - 1];
        match sat.solve(&[fewer], MAX_CONFLICTS, &limits.start()) {
            SatResult::Sat => {
                let chosen = elements.iter().zip(&variables);
                let chosen = chosen.filter(|(_, variable)| sat.value(**variable));
                best.chosen = chosen.map(|(element, _)| *element).collect();
            }
            SatResult::Unsat => {
                best.is_smallest = true;
                return best;
            }
            SatResult::Limit => return best,
        }
    }
    best.is_smallest = true;
    best
}

/// Literals that are true if at least 1, 2, … `most` of the variables are: a sequential counter,
/// of which only the direction that an upper bound needs is written down.
fn at_least(sat: &mut Sat, variables: &[Lit], most: usize) -> Vec<Lit> {
    let mut counts: Vec<Lit> = vec![Lit::FALSE; most];
    for variable in variables {
        let mut next = Vec::with_capacity(most);
        for place in 0..most {
            let count = sat.fresh(false);
            sat.add(&[!counts[place], count]);
            let fewer = match place {
                0 => Lit::TRUE,
                _ => counts[place - 1],
            };
            sat.add(&[!fewer, !*variable, count]);
            next.push(count);
        }
        counts = next;
    }
    counts
}

/// Drops sets that hold another one, and then elements that are in no more sets than another is:
/// such symmetry is what the solver finds hard.
fn without_dominated(sets: &[Vec<usize>]) -> Vec<BTreeSet<usize>> {
    let mut sets: Vec<BTreeSet<usize>> = sets
        .iter()
        .filter(|set| !set.is_empty())
        .map(|set| set.iter().copied().collect())
        .collect();
    loop {
        sets.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        let mut kept: Vec<BTreeSet<usize>> = Vec::new();
        for set in &sets {
            if !kept.iter().any(|smaller| smaller.is_subset(set)) {
                kept.push(set.clone());
            }
        }
        let dominated = dominated_elements(&kept);
        for set in &mut kept {
            set.retain(|element| !dominated.contains(element));
        }
        let done = dominated.is_empty();
        sets = kept;
        if done {
            return sets;
        }
    }
}

/// Elements whose sets are all met by another element too; of two that are in the same sets, the
/// later.
fn dominated_elements(sets: &[BTreeSet<usize>]) -> BTreeSet<usize> {
    let elements: BTreeSet<usize> = sets.iter().flatten().copied().collect();
    let places: Vec<(usize, BTreeSet<usize>)> = elements
        .into_iter()
        .map(|element| {
            let holds = |place: &usize| sets[*place].contains(&element);
            (element, (0..sets.len()).filter(holds).collect())
        })
        .collect();
    let is_dominated = |(element, own): &&(usize, BTreeSet<usize>)| {
        places.iter().any(|(other, more)| {
            other != element && own.is_subset(more) && (own.len() < more.len() || other < element)
        })
    };
    let dominated = places.iter().filter(is_dominated);
    dominated.map(|(element, _)| *element).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By trying all subsets.
    fn brute_force(sets: &[Vec<usize>], elements: usize) -> usize {
        let meets = |mask: u32, set: &Vec<usize>| set.iter().any(|e| mask >> e & 1 == 1);
        let all = (0..1u32 << elements).filter(|mask| {
            sets.iter()
                .filter(|s| !s.is_empty())
                .all(|s| meets(*mask, s))
        });
        all.map(|mask| mask.count_ones() as usize).min().unwrap()
    }

    #[test]
    fn greedy_choices_are_improved() {
        // The largest element meets most sets, but two others meet all.
        let sets = [
            vec![0, 1],
            vec![0, 1],
            vec![0, 2],
            vec![0, 2],
            vec![1],
            vec![2],
        ];
        let found = smallest_hitting_set(&sets, &[0, 1, 2]);
        assert_eq!(found.chosen, [1, 2]);
        assert!(found.is_smallest);
        let none = smallest_hitting_set(&[vec![]], &[3]);
        assert_eq!((none.chosen.len(), none.is_smallest), (0, true));
    }

    proptest! {
        #[test]
        fn it_is_the_smallest(
            sets in proptest::collection::vec(proptest::collection::vec(0usize..9, 0..4), 0..14)
        ) {
            let all: Vec<usize> = (0..9).collect();
            let found = smallest_hitting_set(&sets, &all);
            prop_assert!(found.is_smallest);
            for set in sets.iter().filter(|set| !set.is_empty()) {
                prop_assert!(set.iter().any(|e| found.chosen.contains(e)));
            }
            prop_assert_eq!(found.chosen.len(), brute_force(&sets, 9));
        }
    }
}
