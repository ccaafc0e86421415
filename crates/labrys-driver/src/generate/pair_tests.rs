//! Which of the tests that were made for pairs are needed: few that together show all the pairs
//! that all of them show.
//!
//! First the tests are chosen greedily: for unique-cause pairs those that complete the most, for
//! masking pairs those that bring the most halves that are missing. At last every test goes whose
//! pairs the others show as well.

use labrys_ledger::decision::only_difference;
use labrys_ledger::{Decision, DecisionPairs, Ledger, OutcomeVector, PairHalves, Trigger};
use std::collections::{BTreeMap, BTreeSet};

/// A proposed test as far as pairs are concerned.
pub(super) struct PairTest {
    pub vectors: Vec<(u32, OutcomeVector)>,
    /// Something else needs it.
    pub kept: bool,
}

/// What is wanted of a decision, conditions as bits, and what there is of it.
struct WantedPairs<'l> {
    decision: &'l Decision,
    masking: u64,
    unique: u64,
    /// Each evaluation with its halves, by test; `None` stands for earlier tests.
    shown: Vec<(Option<usize>, OutcomeVector, PairHalves)>,
    /// The pairs that all tests show, masking and unique-cause.
    all: (u64, u64),
}

/// Two tests that show a pair.
type Two = [Option<usize>; 2];

/// Says which tests stay. The ledger has what earlier tests have shown.
pub(super) fn choose(ledger: &Ledger, tests: &[PairTest]) -> Vec<bool> {
    let mut kept: Vec<bool> = tests.iter().map(|t| t.kept).collect();
    if kept.iter().all(|k| *k) {
        return kept;
    }
    let choice = PairTestChoice::new(ledger, tests);
    choice.add_pairs(&mut kept);
    choice.add_halves(&mut kept);
    choice.drop_needless(tests, &mut kept);
    kept
}

fn wanted<'l>(ledger: &'l Ledger, tests: &[PairTest]) -> Vec<WantedPairs<'l>> {
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
    let mut evaluations: BTreeMap<u32, Vec<(Option<usize>, OutcomeVector)>> = BTreeMap::new();
    for (number, test) in tests.iter().enumerate() {
        for (decision, vector) in &test.vectors {
            let all = evaluations.entry(*decision).or_default();
            all.push((Some(number), *vector));
        }
    }
    let mut list = Vec::new();
    for decision in ledger.decisions() {
        let Some((masking, unique)) = sets.get(&decision.number) else {
            continue;
        };
        let earlier = ledger.shown().of(decision.number).map(|(v, _)| (None, v));
        let own = evaluations.remove(&decision.number).unwrap_or_default();
        let all = earlier.chain(own);
        let mut wanted = WantedPairs {
            decision,
            masking: *masking,
            unique: *unique,
            shown: all
                .map(|(test, vector)| (test, vector, decision.formula.halves(vector)))
                .collect(),
            all: (0, 0),
        };
        wanted.all = wanted.pairs(|_| true);
        list.push(wanted);
    }
    list
}

impl WantedPairs<'_> {
    /// The pairs that are shown by these tests and earlier ones.
    fn pairs(&self, is_in: impl Fn(usize) -> bool) -> (u64, u64) {
        let mut pairs =
            DecisionPairs::new(self.decision.formula.clone(), self.masking, self.unique);
        let mut known = BTreeSet::new();
        for (test, vector, _) in &self.shown {
            if test.is_none_or(&is_in) && known.insert(*vector) {
                pairs.add(*vector);
            }
        }
        let (masking, unique) = pairs.open();
        (self.masking & !masking, self.unique & !unique)
    }

    /// The unique-cause pairs of a condition by their tests.
    fn unique_pairs(&self, condition: usize) -> Vec<Two> {
        let with = |value: bool| {
            let shown = self.shown.iter();
            shown.filter(move |(.., halves)| halves.has(condition, value))
        };
        let mut pairs = Vec::new();
        for (a, u, _) in with(true) {
            for (b, v, _) in with(false) {
                if only_difference(*u, *v) == Some(condition) && pairs.len() < MOST_PAIRS {
                    pairs.push([*a, *b]);
                }
            }
        }
        pairs
    }
}

struct PairTestChoice<'l> {
    wanted: Vec<WantedPairs<'l>>,
    /// The halves that each test shows, with the number of what is wanted of the decision.
    halves: Vec<BTreeMap<usize, PairHalves>>,
}

impl<'l> PairTestChoice<'l> {
    fn new(ledger: &'l Ledger, tests: &[PairTest]) -> Self {
        let wanted = wanted(ledger, tests);
        let mut halves = vec![BTreeMap::new(); tests.len()];
        for (number, wanted) in wanted.iter().enumerate() {
            for (test, _, shown) in &wanted.shown {
                if let Some(test) = test {
                    let all: &mut PairHalves = halves[*test].entry(number).or_default();
                    *all = all.or(*shown);
                }
            }
        }
        PairTestChoice { wanted, halves }
    }

    /// Adds tests until all masking pairs are shown, those with the most missing halves first.
    fn add_halves(&self, kept: &mut [bool]) {
        let missing_of = |wanted: &WantedPairs<'_>| {
            let (yes, no) = (wanted.all.0, wanted.all.0);
            let shown = wanted.shown.iter();
            let shown = shown.filter(|(test, ..)| test.is_none_or(|t| kept[t]));
            shown.fold(PairHalves { yes, no }, |left, (.., halves)| {
                left.without(*halves)
            })
        };
        let mut missing: Vec<PairHalves> = self.wanted.iter().map(missing_of).collect();
        let brings = |test: usize, missing: &[PairHalves]| -> u32 {
            let parts = self.halves[test].iter();
            let count = |(number, halves): (&usize, &PairHalves)| {
                let missing = missing[*number];
                (halves.yes & missing.yes).count_ones() + (halves.no & missing.no).count_ones()
            };
            parts.map(count).sum()
        };
        while missing.iter().any(|m| !m.is_empty()) {
            // The earliest of the best.
            let left = (0..kept.len()).rev().filter(|t| !kept[*t]);
            let best = left.max_by_key(|t| brings(*t, &missing));
            let Some(best) = best.filter(|t| brings(*t, &missing) > 0) else {
                return;
            };
            kept[best] = true;
            for (number, halves) in &self.halves[best] {
                missing[*number] = missing[*number].without(*halves);
            }
        }
    }

    /// Adds tests until all unique-cause pairs are shown: the test that completes the most pairs,
    /// or, where none does, the two that have a part in the most.
    fn add_pairs(&self, kept: &mut [bool]) {
        let mut open: Vec<Vec<Two>> = Vec::new();
        for wanted in &self.wanted {
            let conditions = (0..u64::BITS as usize).filter(|c| wanted.all.1 >> c & 1 == 1);
            open.extend(conditions.map(|c| wanted.unique_pairs(c)));
        }
        loop {
            let is_in = |test: Option<usize>| test.is_none_or(|t| kept[t]);
            open.retain(|pairs| !pairs.iter().any(|[a, b]| is_in(*a) && is_in(*b)));
            let value = values(&open, kept);
            let left = (0..kept.len()).rev().filter(|t| !kept[*t]);
            match left.max_by_key(|t| value[*t]) {
                Some(best) if value[best].0 > 0 => kept[best] = true,
                _ => {
                    let parts =
                        |pair: &&Two| -> usize { pair.iter().flatten().map(|t| value[*t].1).sum() };
                    let Some(best) = open.iter().flatten().rev().max_by_key(parts) else {
                        return;
                    };
                    best.iter().flatten().for_each(|t| kept[*t] = true);
                }
            }
        }
    }

    /// Drops the tests without which everything is still shown, the least useful first.
    fn drop_needless(&self, tests: &[PairTest], kept: &mut [bool]) {
        let use_of = |test: usize| -> u32 {
            let halves = self.halves[test].values();
            halves.map(|h| h.yes.count_ones() + h.no.count_ones()).sum()
        };
        let mut order: Vec<usize> = (0..kept.len())
            .filter(|t| kept[*t] && !tests[*t].kept)
            .collect();
        order.sort_by_key(|t| (use_of(*t), std::cmp::Reverse(*t)));
        for test in order {
            kept[test] = false;
            let mut touched = self.halves[test].keys().map(|number| &self.wanted[*number]);
            if touched.any(|wanted| wanted.pairs(|t| kept[t]) != wanted.all) {
                kept[test] = true;
            }
        }
    }
}

/// For each test: how many of the open pairs it completes, and how many it has a part in.
fn values(open: &[Vec<Two>], kept: &[bool]) -> Vec<(usize, usize)> {
    let mut value = vec![(0, 0); kept.len()];
    for pairs in open {
        let mut parts: BTreeMap<usize, bool> = BTreeMap::new();
        for [a, b] in pairs {
            for (test, other) in [(a, b), (b, a)] {
                if let Some(test) = test.filter(|t| !kept[*t]) {
                    let completes = other.is_none_or(|t| kept[t] || t == test);
                    *parts.entry(test).or_default() |= completes;
                }
            }
        }
        for (test, completes) in parts {
            value[test].0 += usize::from(completes);
            value[test].1 += 1;
        }
    }
    value
}

/// So many pairs of a condition are compared.
const MOST_PAIRS: usize = 4096;
