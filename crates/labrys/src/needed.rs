//! Which of the tests that were made for pairs are needed: few that together show all the pairs
//! that all of them show.
//!
//! First the tests are chosen greedily: those that bring the most halves that are missing, then,
//! for unique-cause pairs, the two that need the fewest tests more. At last every test goes whose
//! pairs the others show as well.

use labrys_ledger::{Decision, Halves, Ledger, Pairs, Trigger, Vector};
use std::collections::{BTreeMap, BTreeSet};

/// A proposed test as far as pairs are concerned.
pub struct Candidate {
    pub vectors: Vec<(u32, Vector)>,
    /// Something else needs it.
    pub kept: bool,
}

/// What is wanted of a decision: conditions as bits.
struct Wanted<'l> {
    decision: &'l Decision,
    masking: u64,
    unique: u64,
}

/// Pairs by decision: masking, unique-cause.
type Found = BTreeMap<u32, (u64, u64)>;

/// Says which tests stay. The ledger has what earlier tests have shown.
pub fn choose(ledger: &Ledger, tests: &[Candidate]) -> Vec<bool> {
    let wanted = wanted(ledger);
    let mut kept: Vec<bool> = tests.iter().map(|t| t.kept).collect();
    if kept.iter().all(|k| *k) {
        return kept;
    }
    let choice = Choice {
        wanted: &wanted,
        ledger,
        tests,
    };
    let all = choice.found(|_| true);
    choice.add_pairs(&all, &mut kept);
    choice.add_halves(&all, &mut kept);
    choice.drop_needless(&all, &mut kept);
    kept
}

fn wanted(ledger: &Ledger) -> Vec<Wanted<'_>> {
    let mut sets: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for objective in ledger.objectives() {
        if let Trigger::Pair {
            decision,
            condition,
            unique,
        } = objective.trigger
        {
            let (masking, unique_cause) = sets.entry(decision).or_default();
            *(if unique { unique_cause } else { masking }) |= 1 << condition;
        }
    }
    ledger
        .decisions()
        .filter_map(|decision| {
            let (masking, unique) = *sets.get(&decision.number)?;
            Some(Wanted {
                decision,
                masking,
                unique,
            })
        })
        .collect()
}

struct Choice<'c> {
    wanted: &'c [Wanted<'c>],
    ledger: &'c Ledger,
    tests: &'c [Candidate],
}

impl Choice<'_> {
    /// The evaluations of a decision by tests that are `in`, and by earlier ones.
    fn vectors(&self, decision: u32, is_in: impl Fn(usize) -> bool) -> BTreeSet<Vector> {
        let earlier = self.ledger.shown().of(decision).map(|(vector, _)| vector);
        let mut vectors: BTreeSet<Vector> = earlier.collect();
        for (_, test) in self.tests.iter().enumerate().filter(|(n, _)| is_in(*n)) {
            let own = test.vectors.iter().filter(|(d, _)| *d == decision);
            vectors.extend(own.map(|(_, vector)| *vector));
        }
        vectors
    }

    /// The wanted pairs that tests show.
    fn found(&self, is_in: impl Fn(usize) -> bool) -> Found {
        let mut found = Found::new();
        for wanted in self.wanted {
            let formula = wanted.decision.formula.clone();
            let mut pairs = Pairs::new(formula, wanted.masking, wanted.unique);
            for vector in self.vectors(wanted.decision.number, &is_in) {
                pairs.add(vector);
            }
            let (masking, unique) = pairs.open();
            let number = wanted.decision.number;
            found.insert(number, (wanted.masking & !masking, wanted.unique & !unique));
        }
        found
    }

    fn halves(&self, wanted: &Wanted<'_>, test: usize) -> Halves {
        let own = self.tests[test].vectors.iter();
        let own = own.filter(|(d, _)| *d == wanted.decision.number);
        own.fold(Halves::default(), |all, (_, vector)| {
            all.or(wanted.decision.formula.halves(*vector))
        })
    }

    /// Adds tests until all masking pairs are shown, those with the most missing halves first.
    fn add_halves(&self, all: &Found, kept: &mut [bool]) {
        let mut missing: Vec<Halves> = Vec::new();
        for wanted in self.wanted {
            let pairs = all[&wanted.decision.number].0;
            let shown = self.vectors(wanted.decision.number, |n| kept[n]);
            let shown = shown.iter().fold(Halves::default(), |all, vector| {
                all.or(wanted.decision.formula.halves(*vector))
            });
            missing.push(
                Halves {
                    yes: pairs,
                    no: pairs,
                }
                .without(shown),
            );
        }
        let brings = |test: usize, missing: &[Halves]| -> u32 {
            let parts = self.wanted.iter().zip(missing);
            let count = |(wanted, missing): (&Wanted<'_>, &Halves)| {
                let halves = self.halves(wanted, test);
                (halves.yes & missing.yes).count_ones() + (halves.no & missing.no).count_ones()
            };
            parts.map(count).sum()
        };
        while missing.iter().any(|m| !m.is_empty()) {
            let left = (0..kept.len()).filter(|t| !kept[*t]);
            // The earliest of the best.
            let Some(best) = left.rev().max_by_key(|t| brings(*t, &missing)) else {
                return;
            };
            if brings(best, &missing) == 0 {
                return;
            }
            kept[best] = true;
            for (wanted, missing) in self.wanted.iter().zip(&mut missing) {
                *missing = missing.without(self.halves(wanted, best));
            }
        }
    }

    /// Adds tests until all unique-cause pairs are shown. The pairs with the fewest choices come
    /// first; each takes the tests of which the fewest are new.
    fn add_pairs(&self, all: &Found, kept: &mut [bool]) {
        for wanted in self.wanted {
            let number = wanted.decision.number;
            let open = all[&number].1;
            let mut choices: Vec<(usize, Vec<[Option<usize>; 2]>)> = (0..64)
                .filter(|c| open >> c & 1 == 1)
                .map(|c| (c, self.unique_pairs(wanted, c)))
                .collect();
            choices.sort_by_key(|(condition, pairs)| (pairs.len(), *condition));
            for (_, pairs) in choices {
                let new = |pair: &[Option<usize>; 2]| {
                    let [a, b] = pair.map(|test| test.filter(|t| !kept[*t]));
                    usize::from(a.is_some()) + usize::from(b.is_some() && a != b)
                };
                if let Some(best) = pairs.iter().min_by_key(|pair| new(pair)) {
                    for test in best.iter().flatten() {
                        kept[*test] = true;
                    }
                }
            }
        }
    }

    /// The unique-cause pairs of a condition by their tests; `None` stands for an earlier test.
    fn unique_pairs(&self, wanted: &Wanted<'_>, condition: usize) -> Vec<[Option<usize>; 2]> {
        let number = wanted.decision.number;
        let earlier = (self.ledger.shown().of(number)).map(|(vector, _)| (None, vector));
        let tests = self.tests.iter().enumerate();
        let own = tests.flat_map(|(n, test)| {
            let own = test.vectors.iter().filter(|(d, _)| *d == number);
            own.map(move |(_, vector)| (Some(n), *vector))
        });
        let formula = &wanted.decision.formula;
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for (test, vector) in earlier.chain(own) {
            let halves = formula.halves(vector);
            if halves.has(condition, true) {
                yes.push((test, vector));
            } else if halves.has(condition, false) {
                no.push((test, vector));
            }
        }
        let mut pairs = Vec::new();
        for (a, u) in &yes {
            for (b, v) in &no {
                if formula.partners(*u, *v) >> condition & 1 == 1 && pairs.len() < MOST_PAIRS {
                    pairs.push([*a, *b]);
                }
            }
        }
        pairs
    }

    /// Drops the tests without which everything is still shown, the least useful first.
    fn drop_needless(&self, all: &Found, kept: &mut [bool]) {
        let use_of = |test: usize| -> u32 {
            let halves = self.wanted.iter().map(|w| self.halves(w, test));
            halves.map(|h| h.yes.count_ones() + h.no.count_ones()).sum()
        };
        let mut order: Vec<usize> = (0..kept.len())
            .filter(|t| kept[*t] && !self.tests[*t].kept)
            .collect();
        order.sort_by_key(|t| (use_of(*t), std::cmp::Reverse(*t)));
        for test in order {
            kept[test] = false;
            if self.found(|t| kept[t]) != *all {
                kept[test] = true;
            }
        }
    }
}

/// So many pairs of a condition are compared.
const MOST_PAIRS: usize = 4096;
