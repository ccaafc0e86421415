//! Decisions whose pairs are objectives: the evaluation that has begun, and its outcomes at its end.

use super::Machine;
use crate::bitset::BitSet;
use crate::mcdc::{BegunEvaluation, HalfQuestion, PassageId};
use crate::state::UpcomingDecision;
use labrys_ir::Reg;
use labrys_ledger::OutcomeVector;
use std::rc::Rc;

/// A decision with at most this many conditions has few ways through it: running them all is cheaper
/// than asking which of them are impossible.
const FEW_CONDITIONS: usize = 4;

impl Machine<'_> {
    /// A condition was evaluated to this value; the candidates from `first` on evaluate it to the
    /// other one.
    pub(super) fn decide(&mut self, first: usize, decision: u32, condition: u32, value: bool) {
        let Some(goal) = self.objectives.pair_decisions.of(decision) else {
            return;
        };
        let single = self.objectives.pair_decisions.list[goal as usize].single;
        if self.state.speculation.is_some() || single && self.left.candidates.len() == first {
            return;
        }
        let depth = self.state.frame.depth;
        let pass = self.take_upcoming(goal);
        let next = |evaluation: Option<&Rc<BegunEvaluation>>, value| {
            BegunEvaluation::with(evaluation, goal, depth, condition, value, pass)
        };
        if self.left.candidates.len() > first {
            let other = next(self.state.evaluation.as_ref(), !value);
            for candidate in &mut self.left.candidates[first..] {
                candidate.evaluation = Some(other.clone());
            }
        }
        if !single {
            self.state.evaluation = Some(next(self.state.evaluation.as_ref(), value));
        }
    }

    /// The pass of a decision that begins, if its labels were looked at just before. A decision is
    /// pure if it has labels, so nothing but decisions inside it comes between them.
    fn take_upcoming(&mut self, goal: u32) -> PassageId {
        let serial = self.state.frame.serial;
        let upcoming = &mut self.state.upcoming;
        let at = upcoming
            .iter()
            .rposition(|a| a.goal == goal && a.serial == serial);
        let Some(at) = at else { return 0 };
        let pass = upcoming[at].pass;
        upcoming.truncate(at);
        pass
    }

    /// The half of a pair that a label asks for, where its passage is followed: its leaves are all
    /// left behind, and the evaluation that comes is the one that it speaks of.
    pub(super) fn ask(&mut self, label: u32) -> HalfQuestion {
        let Some(half) = self.objectives.pair_decisions.half_of_label(label) else {
            return HalfQuestion::default();
        };
        let few = self.objectives.pair_decisions.list[half.goal as usize].count() <= FEW_CONDITIONS;
        if few || !self.mode.forks() || self.is_direct() {
            return HalfQuestion::default();
        }
        let serial = self.state.frame.serial;
        let start = self.state.passages.wrapping_sub(half.place);
        let is_own = |a: &UpcomingDecision| a.goal == half.goal && a.serial == serial;
        let known = self.state.upcoming.iter().rposition(is_own);
        let pass = match known.map(|at| self.state.upcoming[at]) {
            Some(upcoming) if upcoming.start == start => upcoming.pass,
            _ => {
                // One that never began was left by a jump.
                self.state.upcoming.retain(|a| !is_own(a));
                let pass = self.findings.pairs.passes.begin();
                self.state.upcoming.push(UpcomingDecision {
                    goal: half.goal,
                    serial,
                    start,
                    pass,
                });
                pass
            }
        };
        let asked = HalfQuestion {
            pass,
            condition: half.condition,
            value: half.value,
        };
        // Until the predicate was evaluated on this path.
        self.findings.pairs.passes.wait(asked);
        asked
    }

    /// `labrys_vector`: a decision was evaluated.
    pub(super) fn vector(&mut self, decision: Reg, seen: Reg, truth: Reg) {
        let decision = self.value(decision) as u32;
        let (seen, truth) = (self.value(seen), self.value(truth));
        let pair_decisions = &self.objectives.pair_decisions;
        let Some(goal) = pair_decisions.of(decision) else {
            return;
        };
        if self.state.speculation.is_some() {
            return;
        }
        let depth = self.state.frame.depth;
        if let Some(around) = BegunEvaluation::find(self.state.evaluation.as_ref(), goal, depth) {
            self.state.evaluation = around.before.clone();
        }
        let vector = OutcomeVector { seen, truth };
        let number = self.findings.vectors.number(goal, vector);
        if self.state.vectors.contains(number) {
            return;
        }
        Rc::make_mut(&mut self.state.vectors).insert(number);
        let halves = self.findings.pairs.halves(goal, vector);
        let goal = &pair_decisions.list[goal as usize];
        for (condition, value) in goal.halves() {
            if halves.has(condition, value) {
                let half = goal.half(condition, value);
                Rc::make_mut(&mut self.state.hits).insert(half);
            }
        }
    }

    /// The evaluations of the current path that has covered `hits`: those that were reported, and
    /// the outcomes of conditions that are decisions on their own.
    pub(crate) fn vectors_of(&mut self, hits: &BitSet) -> BitSet {
        let mut seen = (*self.state.vectors).clone();
        let pair_decisions = &self.objectives.pair_decisions;
        let halves = hits.iter().filter_map(|half| pair_decisions.single(half));
        for (goal, vector) in halves {
            seen.insert(self.findings.vectors.number(goal, vector));
        }
        seen
    }

    /// These evaluations with the decisions' own numbers.
    pub(crate) fn decided(&self, vectors: &BitSet) -> Vec<(u32, OutcomeVector)> {
        let pair_decisions = &self.objectives.pair_decisions.list;
        let named = |number| {
            let (goal, vector) = self.findings.vectors.get(number);
            (pair_decisions[goal as usize].decision, vector)
        };
        vectors.iter().map(named).collect()
    }

    /// A call has ended, and with it the evaluations that have begun in it.
    #[inline]
    pub(super) fn end_evaluations(&mut self, depth: u32) {
        while let Some(evaluation) = &self.state.evaluation
            && evaluation.depth >= depth
        {
            self.state.evaluation = evaluation.before.clone();
        }
    }
}
