//! Mutants of the second order: pairs of mutants that are active together. All pairs would be too
//! many, so each mutant is in one, as in the random mix of Polo, Piattini and García-Rodríguez (2009):
//! half as many mutants, and few of them equivalent.

use labrys_ledger::{Mutant, PointNesting};
use std::collections::BTreeMap;

/// The pairs, in the order of their first parts. A seed always gives the same ones. Partners are of
/// one function where that is possible, since changes far from each other seldom meet; a mutant for
/// which no partner is left takes one that is in a pair already, and only one that can be together
/// with no other is in none.
pub fn second_order(first: &[Mutant], nesting: &PointNesting, seed: u64) -> Vec<Mutant> {
    let all = shuffled(first.len(), seed);
    let mut by_function: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for place in &all {
        let function = first[*place].function.as_str();
        by_function.entry(function).or_default().push(*place);
    }
    let mut is_used = vec![false; first.len()];
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    // First in its own function, then anywhere; first with a mutant that is in no pair.
    for (anywhere, partner_is_used) in [(false, false), (true, false), (false, true), (true, true)]
    {
        for place in &all {
            if is_used[*place] {
                continue;
            }
            let among = match anywhere {
                true => &all,
                false => &by_function[first[*place].function.as_str()],
            };
            let fits = |other: &&usize| {
                let (one, two) = (first[*place].point, first[**other].point);
                is_used[**other] == partner_is_used && nesting.can_be_together(one, two)
            };
            if let Some(other) = among.iter().find(fits).copied() {
                is_used[*place] = true;
                is_used[other] = true;
                pairs.push((*place.min(&other), *place.max(&other)));
            }
        }
    }
    pairs.sort_unstable();
    let pair = |(one, other): (usize, usize)| Mutant::pair(&first[one], &first[other]);
    pairs.into_iter().map(pair).collect()
}

/// The numbers below `count` in an order that only the seed decides.
fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    let mut state = seed;
    for last in (1..count).rev() {
        let other = next_random(&mut state) % (last as u64 + 1);
        numbers.swap(last, other as usize);
    }
    numbers
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same on every machine.
fn next_random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut value = *state;
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// So many mutants in each function, each at a point of its own.
    fn mutants(functions: &[(&str, usize)]) -> (Vec<Mutant>, PointNesting) {
        let mut all = Vec::new();
        let mut nesting = PointNesting::default();
        for (function, count) in functions {
            for _ in 0..*count {
                let point = all.len() as u32 + 1;
                nesting.add(point, function, (point * 10, point * 10 + 5), true);
                all.push(Mutant {
                    id: format!("mutation:{point}"),
                    operator: "AOR".to_owned(),
                    function: (*function).to_owned(),
                    file: "a.c".to_owned(),
                    line: point,
                    column: 1,
                    text: "AOR: a + b → a - b".to_owned(),
                    point,
                    alternative: 1,
                    also: None,
                });
            }
        }
        (all, nesting)
    }

    fn ids(pairs: &[Mutant]) -> Vec<&str> {
        pairs.iter().map(|pair| pair.id.as_str()).collect()
    }

    #[test]
    fn each_mutant_is_in_one_pair() {
        let (first, nesting) = mutants(&[("f", 20), ("g", 11), ("h", 7)]);
        let pairs = second_order(&first, &nesting, 1);
        assert_eq!(pairs.len(), 19);
        let used: BTreeSet<u32> = pairs
            .iter()
            .flat_map(|pair| pair.changes())
            .map(|(point, _)| point)
            .collect();
        assert_eq!(used.len(), first.len());
        let across = |pair: &&Mutant| {
            let mut parts = pair.parts();
            parts.any(|part| part.function != pair.function)
        };
        assert_eq!(pairs.iter().filter(across).count(), 1, "what is left over");
    }

    #[test]
    fn a_seed_decides_about_the_pairs() {
        let (first, nesting) = mutants(&[("f", 20)]);
        let of = |seed| second_order(&first, &nesting, seed);
        assert_eq!(of(3), of(3));
        assert_ne!(ids(&of(3)), ids(&of(4)));
    }

    #[test]
    fn what_has_no_free_partner_takes_another() {
        let (first, nesting) = mutants(&[("f", 3)]);
        let pairs = second_order(&first, &nesting, 1);
        assert_eq!(pairs.len(), 2);
        let (alone, nesting) = mutants(&[("f", 1)]);
        assert_eq!(second_order(&alone, &nesting, 1), []);
    }

    #[test]
    fn changes_that_cannot_be_together_are_no_pair() {
        let (mut first, _) = mutants(&[("f", 3)]);
        first[1].point = 1;
        first[1].alternative = 2;
        let mut nesting = PointNesting::default();
        nesting.add(1, "f", (0, 100), true);
        nesting.add(3, "f", (50, 60), true);
        assert_eq!(second_order(&first, &nesting, 1), []);
        nesting.add(1, "f", (0, 50), true);
        let pairs = second_order(&first, &nesting, 1);
        assert_eq!(ids(&pairs), ["mutation:1+3", "mutation:2+3"]);
        assert_eq!(pairs[1].changes(), [(1, 2), (3, 1)]);
    }
}
