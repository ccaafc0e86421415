//! Pairs and relevance of decisions against brute force: all assignments of random formulas, all
//! evaluations that begin in some way, and random growth of what was seen.

#![allow(clippy::unwrap_used)]

use labrys_ledger::{DecisionPairs, Formula, OutcomeVector, PairHalves, Relevance};
use proptest::prelude::*;
use std::collections::BTreeSet;

const MOST: usize = 6;

/// A formula whose conditions are not numbered yet.
fn shape() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        6 => Just(Formula::Condition(0)),
        1 => any::<bool>().prop_map(Formula::Constant),
    ];
    leaf.prop_recursive(4, MOST as u32, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            1 => inner.prop_map(|f| Formula::Not(Box::new(f))),
            3 => pair.clone().prop_map(|(l, r)| Formula::And(Box::new(l), Box::new(r))),
            3 => pair.prop_map(|(l, r)| Formula::Or(Box::new(l), Box::new(r))),
        ]
    })
}

fn number(f: &Formula, next: &mut usize) -> Formula {
    let mut both = |l: &Formula, r: &Formula| {
        let left = Box::new(number(l, next));
        (left, Box::new(number(r, next)))
    };
    match f {
        Formula::Condition(_) => {
            *next += 1;
            Formula::Condition(*next - 1)
        }
        // A constant is a condition of the text, too.
        Formula::Constant(b) => {
            *next += 1;
            Formula::Constant(*b)
        }
        Formula::Not(f) => Formula::Not(Box::new(number(f, next))),
        Formula::And(l, r) => {
            let (l, r) = both(l, r);
            Formula::And(l, r)
        }
        Formula::Or(l, r) => {
            let (l, r) = both(l, r);
            Formula::Or(l, r)
        }
    }
}

/// A formula and the number of its conditions.
fn formula() -> impl Strategy<Value = (Formula, usize)> {
    shape().prop_filter_map("too many conditions", |shape| {
        let mut count = 0;
        let formula = number(&shape, &mut count);
        (count <= MOST).then_some((formula, count))
    })
}

/// Evaluates as C does; `assignment` has all conditions.
fn evaluate(f: &Formula, assignment: u64, vector: &mut OutcomeVector) -> bool {
    match f {
        Formula::Condition(c) => {
            let value = assignment >> c & 1 == 1;
            *vector = vector.with(*c, value);
            value
        }
        Formula::Constant(b) => *b,
        Formula::Not(f) => !evaluate(f, assignment, vector),
        Formula::And(l, r) => evaluate(l, assignment, vector) && evaluate(r, assignment, vector),
        Formula::Or(l, r) => evaluate(l, assignment, vector) || evaluate(r, assignment, vector),
    }
}

fn vector(f: &Formula, assignment: u64) -> (OutcomeVector, bool) {
    let mut vector = OutcomeVector::default();
    let result = evaluate(f, assignment, &mut vector);
    (vector, result)
}

/// All evaluations with their results.
fn all(f: &Formula, count: usize) -> BTreeSet<(OutcomeVector, bool)> {
    (0..1u64 << count).map(|a| vector(f, a)).collect()
}

/// That a condition decides: it was evaluated, and with some values for what was not evaluated
/// the result would be the other one if this condition alone were the other way.
fn decides(f: &Formula, count: usize, v: OutcomeVector, condition: usize) -> bool {
    v.get(condition).is_some()
        && (0..1u64 << count)
            .filter(|a| a & v.seen == v.truth)
            .any(|a| vector(f, a).1 != vector(f, a ^ 1 << condition).1)
}

fn masking_pair(
    f: &Formula,
    n: usize,
    a: (OutcomeVector, bool),
    b: (OutcomeVector, bool),
    c: usize,
) -> bool {
    a.1 != b.1
        && a.0.get(c).is_some()
        && a.0.get(c).zip(b.0.get(c)).is_some_and(|(x, y)| x != y)
        && decides(f, n, a.0, c)
        && decides(f, n, b.0, c)
}

fn unique_pair(n: usize, a: (OutcomeVector, bool), b: (OutcomeVector, bool), c: usize) -> bool {
    let both = |i: usize| a.0.get(i).zip(b.0.get(i));
    a.1 != b.1
        && both(c).is_some_and(|(x, y)| x != y)
        && (0..n).all(|i| i == c || both(i).is_none_or(|(x, y)| x == y))
}

/// The conditions that have a pair among these evaluations.
fn paired(f: &Formula, n: usize, seen: &[(OutcomeVector, bool)], unique: bool) -> u64 {
    let mut found = 0;
    for a in seen {
        for b in seen {
            for c in 0..n {
                let pair = match unique {
                    true => unique_pair(n, *a, *b, c),
                    false => masking_pair(f, n, *a, *b, c),
                };
                found |= u64::from(pair) << c;
            }
        }
    }
    found
}

fn everything(n: usize) -> u64 {
    (1u64 << n) - 1
}

/// All beginnings of evaluations, with whole ones.
fn prefixes(f: &Formula, n: usize) -> BTreeSet<OutcomeVector> {
    let mut found = BTreeSet::new();
    for (whole, _) in all(f, n) {
        let mut prefix = OutcomeVector::default();
        found.insert(prefix);
        for c in 0..n {
            if let Some(value) = whole.get(c) {
                prefix = prefix.with(c, value);
                found.insert(prefix);
            }
        }
    }
    found
}

fn begun(f: &Formula, n: usize, prefix: OutcomeVector) -> Vec<(OutcomeVector, bool)> {
    let mut whole: Vec<_> = all(f, n).into_iter().collect();
    whole.retain(|(v, _)| v.extends(prefix));
    whole
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn halves_and_results_are_those_of_all_assignments((f, n) in formula()) {
        for (v, result) in all(&f, n) {
            prop_assert_eq!(f.result(v), Some(result));
        }
        for prefix in prefixes(&f, n) {
            let whole = begun(&f, n, prefix);
            prop_assert_eq!(f.completions(prefix), whole.len() as u128);
            let mut expected = PairHalves::default();
            for (v, _) in &whole {
                for c in (0..n).filter(|c| decides(&f, n, *v, *c)) {
                    expected = expected.or(PairHalves::of(c, v.get(c).unwrap()));
                }
            }
            prop_assert_eq!(f.halves(prefix), expected, "{} {:?}", f, prefix);
        }
    }

    #[test]
    fn a_unique_cause_pair_is_a_masking_pair((f, n) in formula()) {
        let whole: Vec<_> = all(&f, n).into_iter().collect();
        let (unique, masking) = (paired(&f, n, &whole, true), paired(&f, n, &whole, false));
        prop_assert_eq!(unique & !masking, 0);
        // Without coupling every condition that can decide has both.
        prop_assert_eq!(unique, masking);
    }

    #[test]
    fn pairs_are_those_of_brute_force((f, n) in formula(), order in any::<u64>()) {
        let whole: Vec<_> = all(&f, n).into_iter().collect();
        let mut pairs = DecisionPairs::new(f.clone(), everything(n), everything(n));
        let (mut masking, mut unique) = (0, 0);
        let mut seen = Vec::new();
        for evaluation in shuffled(whole, order) {
            seen.push(evaluation);
            let news = pairs.add(evaluation.0);
            prop_assert_eq!(news.masking & masking, 0);
            masking |= news.masking;
            unique |= news.unique;
            prop_assert_eq!(masking, paired(&f, n, &seen, false), "masking {} {:?}", f, seen);
            prop_assert_eq!(unique, paired(&f, n, &seen, true), "unique {} {:?}", f, seen);
            let again = pairs.add(evaluation.0);
            prop_assert!(!again.useful && again.masking | again.unique == 0);
        }
    }

    #[test]
    fn relevance_is_that_of_all_completions(
        (f, n) in formula(),
        order in any::<u64>(),
        wanted in any::<u64>(),
    ) {
        for unique in [false, true] {
            let whole: Vec<_> = all(&f, n).into_iter().collect();
            let wanted = wanted & everything(n);
            let (masking, unique_wanted) = if unique { (0, wanted) } else { (wanted, 0) };
            let mut pairs = DecisionPairs::new(f.clone(), masking, unique_wanted);
            let mut dead: BTreeSet<OutcomeVector> = BTreeSet::new();
            // Looked at again and again, or only now and then.
            let mut watched: Vec<_> = prefixes(&f, n).into_iter().map(|p| (p, pairs.start_evaluation(p))).collect();
            let mut seen: Vec<(OutcomeVector, bool)> = Vec::new();
            let mut next = shuffled(whole, order).into_iter();
            loop {
                let had = paired(&f, n, &seen, unique);
                let open = wanted & !had;
                for prefix in prefixes(&f, n) {
                    let now = pairs.relevance(prefix, PairHalves::default());
                    if dead.contains(&prefix) {
                        prop_assert_eq!(now, Relevance::Irrelevant, "{} {:?}", f, prefix);
                    }
                    if now == Relevance::Irrelevant {
                        dead.insert(prefix);
                    }
                    let completes = begun(&f, n, prefix).into_iter().any(|v| {
                        let mut more = seen.clone();
                        more.push(v);
                        paired(&f, n, &more, unique) & open != 0
                    });
                    prop_assert_eq!(now == Relevance::Must, completes, "{} {:?} {:?}", f, prefix, seen);
                    // What is called irrelevant helps nobody: no completion is a half that is missing.
                    let helps = begun(&f, n, prefix).into_iter().any(|(v, result)| {
                        (0..n).any(|c| open >> c & 1 == 1 && decides(&f, n, v, c) && match unique {
                            true => !seen.contains(&(v, result)),
                            false => !seen.iter().any(|(s, _)| s.get(c) == v.get(c) && decides(&f, n, *s, c)),
                        })
                    });
                    prop_assert!(now != Relevance::Irrelevant || !helps, "{} {:?} {:?}", f, prefix, seen);
                    if !unique {
                        prop_assert_eq!(now == Relevance::Irrelevant, !helps);
                    }
                }
                for (i, (prefix, known)) in watched.iter_mut().enumerate() {
                    if order >> (i % 60) & 1 == 0 || seen.len().is_multiple_of(3) {
                        let now = pairs.relevance_of(known, PairHalves::default());
                        prop_assert_eq!(now, pairs.relevance(*prefix, PairHalves::default()));
                    }
                }
                let Some(evaluation) = next.next() else { break };
                seen.push(evaluation);
                pairs.add(evaluation.0);
            }
        }
    }
}

fn shuffled<T>(mut list: Vec<T>, mut seed: u64) -> Vec<T> {
    for i in (1..list.len()).rev() {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        list.swap(i, (seed >> 33) as usize % (i + 1));
    }
    list
}

/// An evaluation that is known not to have some halves is not looked for because of these.
#[test]
fn what_is_impossible_is_no_reason() {
    let formula: Formula = "A && B".parse().unwrap();
    let mut pairs = DecisionPairs::new(formula, 0b11, 0);
    pairs.add(OutcomeVector {
        seen: 0b11,
        truth: 0b11,
    });
    let prefix = OutcomeVector {
        seen: 0b01,
        truth: 0b01,
    };
    assert_eq!(
        pairs.relevance(prefix, PairHalves::default()),
        Relevance::Must
    );
    assert_eq!(
        pairs.relevance(prefix, PairHalves::of(1, false)),
        Relevance::Irrelevant
    );
    assert_eq!(
        pairs.relevance(OutcomeVector::default(), PairHalves::of(1, false)),
        Relevance::Must
    );
    pairs.give_up(0b11, 0);
    assert_eq!(
        pairs.relevance(prefix, PairHalves::default()),
        Relevance::Irrelevant
    );
}
