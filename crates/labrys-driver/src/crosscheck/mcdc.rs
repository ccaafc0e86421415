//! MC/DC pairs compared with those of `llvm-cov --show-mcdc`, whose rule is that of unique-cause
//! pairs. It counts only decisions of several conditions none of which holds a decision itself.

use super::{CheckedSuite, CoverageCheck, CoveredCount, base_name};
use crate::failure::Outcome;
use labrys_ledger::{Criterion, Decision, Trigger};
use labrys_suite::coverage::{self, McdcDecision};
use std::collections::BTreeMap;
use std::path::Path;

/// A condition by the number of its decision and its own.
type ConditionKey = (u32, u32);

/// What the ledger says of the pairs of one condition.
#[derive(Default)]
struct PairCounts {
    unique: CoveredCount,
    masking: CoveredCount,
}

impl CheckedSuite<'_> {
    /// Are there pairs to compare?
    pub(super) fn has_pairs(&self) -> bool {
        self.ledger.decisions().next().is_some()
    }

    pub(super) fn llvm_mcdc(&self) -> Outcome<CoverageCheck> {
        let ours = self.pairs();
        let measured = self.measure(true, |spec, cases, limits| {
            coverage::llvm_cov(spec, cases, limits).map(|seen| seen.decisions)
        })?;
        let mut check = CoverageCheck::new("llvm-cov --show-mcdc");
        let mut only_masking = 0;
        for (decision, covered) in self.matched(&measured) {
            let place = format!("{}:{}:{}", decision.file, decision.line, decision.column);
            let conditions = 0..decision.conditions.len() as u32;
            let of = |condition| ours.get(&(decision.number, condition));
            let open: Vec<(u32, &PairCounts)> =
                conditions.filter_map(|c| Some((c, of(c)?))).collect();
            check.compared += open.len();
            if !is_in_order(decision) {
                // Macros have another order there: only the number can be compared.
                let theirs = covered.iter().filter(|c| **c).count();
                let sum = |count: fn(&CoveredCount) -> usize| -> usize {
                    open.iter().map(|(_, p)| count(&p.unique)).sum()
                };
                if theirs < sum(|s| s.surely) || theirs > sum(|s| s.perhaps) {
                    check.note(format!(
                        "{place}: llvm-cov has pairs for {theirs} conditions, labrys for {}",
                        sum(|s| s.perhaps)
                    ));
                }
                continue;
            }
            for (condition, pairs) in open {
                let place = format!("{place} {}", decision.conditions[condition as usize].text);
                let theirs = usize::from(covered[condition as usize]);
                only_masking += usize::from(pairs.masking.perhaps > pairs.unique.perhaps);
                if theirs < pairs.unique.surely {
                    check.note(format!("{place}: has a pair, but not by llvm-cov"));
                } else if theirs > pairs.unique.perhaps {
                    check.note(format!(
                        "{place}: has a pair by llvm-cov, but not by labrys"
                    ));
                }
            }
        }
        if only_masking > 0 {
            let conditions = match only_masking {
                1 => "1 condition has".to_owned(),
                many => format!("{many} conditions have"),
            };
            check.remarks.push(format!(
                "{conditions} only a masking pair, which llvm-cov does not count"
            ));
        }
        Ok(check)
    }

    /// The pairs of the ledger. A masking pair that is a unique-cause one too counts as such.
    fn pairs(&self) -> BTreeMap<ConditionKey, PairCounts> {
        let mut pairs: BTreeMap<ConditionKey, PairCounts> = BTreeMap::new();
        for (index, (objective, status)) in self.ledger.iter().enumerate() {
            let Trigger::Pair {
                decision,
                condition,
                ..
            } = objective.trigger
            else {
                continue;
            };
            let pairs = pairs.entry((decision, condition)).or_default();
            let mut seen = CoveredCount::default();
            self.enter_pair(&mut seen, status);
            let is_unique = objective.criterion == Criterion::McdcUnique
                || (self.ledger.pair(index)).is_some_and(|p| p.is_unique(condition as usize));
            if is_unique {
                pairs.unique.join(&seen);
            }
            pairs.masking.join(&seen);
        }
        pairs
    }

    /// The decisions that llvm-cov counts, too, and what it says of their conditions. A function
    /// of a header may be there several times.
    fn matched(&self, measured: &[McdcDecision]) -> Vec<(&Decision, Vec<bool>)> {
        let mut matched: BTreeMap<u32, (&Decision, Vec<bool>)> = BTreeMap::new();
        for theirs in measured {
            let is_same = |ours: &&Decision| {
                let inside = |c: &labrys_ledger::decision::Condition| {
                    let place = (c.line, c.column);
                    theirs.begin <= place && place < theirs.end
                };
                base_name(Path::new(&ours.file)) == base_name(&theirs.file)
                    && ours.conditions.len() == theirs.covered.len()
                    && ours.conditions.iter().all(inside)
            };
            let Some(ours) = self.ledger.decisions().find(is_same) else {
                continue;
            };
            let (_, covered) = matched
                .entry(ours.number)
                .or_insert_with(|| (ours, vec![false; theirs.covered.len()]));
            for (all, one) in covered.iter_mut().zip(&theirs.covered) {
                *all |= one;
            }
        }
        matched.into_values().collect()
    }
}

/// Do the conditions stand one after the other in the text? Those of a macro have one place.
fn is_in_order(decision: &Decision) -> bool {
    let places = decision.conditions.iter().map(|c| (c.line, c.column));
    places.clone().zip(places.skip(1)).all(|(a, b)| a < b)
}
