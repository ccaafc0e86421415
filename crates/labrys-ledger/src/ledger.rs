//! Keeps the status of every objective: covered by which tests, proved infeasible, or unknown and
//! why. Everything that reports a status reads it here.

use crate::{
    Criterion, Decision, Objective, OutcomeVector, Proof, ShownEvaluations, Status, Trigger,
    WitnessPair,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// All objectives of a run with their status. A status is monotone: `Open` may become
/// anything, `Unknown` may still be covered or proved, the rest is final.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    objectives: Vec<Objective>,
    status: Vec<Status>,
    /// The decisions whose pairs are objectives, by number, and what tests have shown of them.
    decisions: BTreeMap<u32, Decision>,
    shown: ShownEvaluations,
    /// The pairs of covered objectives.
    pairs: BTreeMap<usize, WitnessPair>,
    /// What was both covered and proved infeasible.
    contradictions: Vec<ProofContradiction>,
}

/// A test covers what was proved infeasible, or the other way round: an error of Labrys. The test
/// is right, since it was run; the objective counts as covered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofContradiction {
    pub objective: String,
    pub tests: Vec<u32>,
    /// The proof, which is wrong.
    pub proof: Proof,
}

impl fmt::Display for ProofContradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tests: Vec<String> = self.tests.iter().map(ToString::to_string).collect();
        write!(
            f,
            "objective {} is both covered by test {} and proved infeasible; it counts as covered",
            self.objective,
            tests.join(", ")
        )
    }
}

impl std::error::Error for ProofContradiction {}

/// Counts by status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusTotals {
    pub objectives: usize,
    pub covered: usize,
    pub infeasible: usize,
    pub unknown: usize,
}

impl StatusTotals {
    /// Covered over all objectives; 1 where there are none.
    pub fn score(&self) -> f64 {
        ratio(self.covered, self.objectives)
    }

    /// Counts one objective with this status. An open one counts as unknown.
    pub fn count(&mut self, status: &Status) {
        self.objectives += 1;
        match status {
            Status::Covered { .. } => self.covered += 1,
            Status::Infeasible { .. } => self.infeasible += 1,
            Status::Open | Status::Unknown { .. } => self.unknown += 1,
        }
    }

    /// Adds the counts of other objectives.
    pub fn add(&mut self, other: &StatusTotals) {
        self.objectives += other.objectives;
        self.covered += other.covered;
        self.infeasible += other.infeasible;
        self.unknown += other.unknown;
    }

    /// Covered over the objectives that are not proved infeasible.
    pub fn feasible_score(&self) -> f64 {
        ratio(self.covered, self.objectives - self.infeasible)
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        1.0
    } else {
        part as f64 / whole as f64
    }
}

impl Ledger {
    pub fn new(objectives: Vec<Objective>) -> Self {
        let status = vec![Status::Open; objectives.len()];
        Ledger {
            objectives,
            status,
            ..Ledger::default()
        }
    }

    /// The decisions whose pairs are among the objectives.
    #[must_use]
    pub fn with_decisions(mut self, decisions: &[Decision]) -> Self {
        let numbered = decisions.iter().map(|d| (d.number, d.clone()));
        self.decisions = numbered.collect();
        self
    }

    pub fn decision(&self, number: u32) -> Option<&Decision> {
        self.decisions.get(&number)
    }

    /// By their numbers.
    pub fn decisions(&self) -> impl Iterator<Item = &Decision> {
        self.decisions.values()
    }

    /// The evaluations that tests have shown.
    pub fn shown(&self) -> &ShownEvaluations {
        &self.shown
    }

    /// The pair that covers an objective.
    pub fn pair(&self, index: usize) -> Option<&WitnessPair> {
        self.pairs.get(&index)
    }

    /// Records that a test has evaluated a decision like this.
    pub fn show(&mut self, test: u32, decision: u32, vector: OutcomeVector) {
        if self.decisions.contains_key(&decision) {
            self.shown.add(test, decision, vector);
        }
    }

    /// Covers the objectives whose pairs were shown, each by the tests of one pair.
    pub fn cover_pairs(&mut self) {
        for index in 0..self.objectives.len() {
            let Trigger::Pair {
                decision,
                condition,
                unique,
            } = self.objectives[index].trigger
            else {
                continue;
            };
            let Some(decision) = self.decisions.get(&decision) else {
                continue;
            };
            if let Some(pair) = self.shown.pair(decision, condition as usize, unique) {
                for test in pair.tests() {
                    self.cover(index, test);
                }
                self.pairs.insert(index, pair);
            }
        }
    }

    pub fn objectives(&self) -> &[Objective] {
        &self.objectives
    }

    pub fn status(&self, index: usize) -> &Status {
        &self.status[index]
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Objective, &Status)> {
        self.objectives.iter().zip(&self.status)
    }

    pub fn find(&self, id: &str) -> Option<usize> {
        self.objectives.iter().position(|o| o.id == id)
    }

    /// Records that `test` covers the objective. If that was proved infeasible, the proof is wrong:
    /// the contradiction is noted and must be reported.
    pub fn cover(&mut self, index: usize, test: u32) {
        match &mut self.status[index] {
            Status::Covered { tests } => {
                // Mostly the tests come in order.
                if tests.last().is_none_or(|last| *last < test) || !tests.contains(&test) {
                    tests.push(test);
                }
            }
            Status::Infeasible { proof } => {
                let proof = proof.clone();
                self.status[index] = Status::Covered { tests: vec![test] };
                self.contradict(index, proof);
            }
            open => *open = Status::Covered { tests: vec![test] },
        }
    }

    /// Records a proof that no test can cover the objective. If one does, the contradiction is noted
    /// and must be reported.
    pub fn refute(&mut self, index: usize, proof: Proof) {
        match &self.status[index] {
            Status::Covered { .. } => self.contradict(index, proof),
            Status::Infeasible { .. } => {}
            Status::Open | Status::Unknown { .. } => {
                self.status[index] = Status::Infeasible { proof };
            }
        }
    }

    /// What was both covered and proved infeasible: errors of Labrys.
    pub fn contradictions(&self) -> &[ProofContradiction] {
        &self.contradictions
    }

    /// Records why the search gave up; keeps what is known for sure.
    pub fn give_up(&mut self, index: usize, reason: &str) {
        if matches!(self.status[index], Status::Open | Status::Unknown { .. }) {
            self.status[index] = Status::Unknown {
                reason: reason.to_owned(),
            };
        }
    }

    pub fn totals(&self) -> StatusTotals {
        self.totals_where(|_| true)
    }

    pub fn totals_of(&self, criterion: Criterion) -> StatusTotals {
        self.totals_where(|o| o.criterion == criterion)
    }

    /// Totals over the objectives that satisfy `keep`. Open ones count as unknown.
    pub fn totals_where(&self, keep: impl Fn(&Objective) -> bool) -> StatusTotals {
        let mut totals = StatusTotals::default();
        for (objective, status) in self.iter() {
            if !keep(objective) {
                continue;
            }
            totals.count(status);
        }
        totals
    }

    fn contradict(&mut self, index: usize, proof: Proof) {
        let tests = match &self.status[index] {
            Status::Covered { tests } => tests.clone(),
            _ => Vec::new(),
        };
        self.contradictions.push(ProofContradiction {
            objective: self.objectives[index].id.clone(),
            tests,
            proof,
        });
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::Trigger;

    fn ledger() -> Ledger {
        let objective = |n: u32| Objective {
            id: format!("branch:{n}"),
            criterion: Criterion::Branch,
            function: "f".into(),
            file: "x.c".into(),
            line: n,
            column: 1,
            text: String::new(),
            trigger: Trigger::Reach { id: n },
        };
        Ledger::new(vec![objective(1), objective(2), objective(3)])
    }

    fn proof() -> Proof {
        Proof::by(crate::ProofKind::Exhausted { paths: 1 }, vec![])
    }

    #[test]
    fn a_test_against_a_proof_is_a_contradiction() {
        let mut l = ledger();
        l.refute(0, proof());
        assert!(l.contradictions().is_empty());
        l.cover(0, 1);
        l.cover(0, 2);
        l.cover(1, 1);
        l.refute(1, proof());
        let found: Vec<&str> = (l.contradictions().iter())
            .map(|c| c.objective.as_str())
            .collect();
        assert_eq!(found, ["branch:1", "branch:2"]);
        assert_eq!(l.status(0), &Status::Covered { tests: vec![1, 2] });
        assert_eq!(l.status(1), &Status::Covered { tests: vec![1] });
        assert_eq!(l.contradictions()[1].proof, proof());
    }

    #[test]
    fn giving_up_never_hides_what_is_known() {
        let mut l = ledger();
        l.cover(0, 1);
        l.refute(1, proof());
        for i in 0..3 {
            l.give_up(i, "time");
        }
        let t = l.totals();
        assert_eq!(
            (t.objectives, t.covered, t.infeasible, t.unknown),
            (3, 1, 1, 1)
        );
        assert!((t.feasible_score() - 0.5).abs() < 1e-9);
    }

    #[test]
    fn an_unknown_objective_can_still_be_covered() {
        let mut l = ledger();
        l.give_up(0, "bounds");
        l.cover(0, 7);
        assert_eq!(l.status(0), &Status::Covered { tests: vec![7] });
    }
}
