//! Decisions whose pairs are objectives: the evaluation in flight, and what it was at its end.

use super::Machine;
use crate::bitset::BitSet;
use crate::mcdc::{Asked, Flight, PassId};
use crate::state::Announced;
use labrys_ir::Reg;
use labrys_ledger::OutcomeVector;
use std::rc::Rc;

/// The ways through a decision with so many conditions are soon walked: passes are not followed.
const FEW: usize = 4;

impl Machine<'_> {
    /// A condition was evaluated to this value; the candidates from `first` on evaluate it to the
    /// other one.
    pub(super) fn decide(&mut self, first: usize, decision: u32, condition: u32, value: bool) {
        let Some(goal) = self.objectives.goals.of(decision) else {
            return;
        };
        let single = self.objectives.goals.list[goal as usize].single;
        if self.state.speculation.is_some() || single && self.left.candidates.len() == first {
            return;
        }
        let depth = self.state.frame.depth;
        let pass = self.take_announced(goal);
        let next = |flight: Option<&Rc<Flight>>, value| {
            Flight::with(flight, goal, depth, condition, value, pass)
        };
        if self.left.candidates.len() > first {
            let other = next(self.state.flight.as_ref(), !value);
            for candidate in &mut self.left.candidates[first..] {
                candidate.flight = Some(other.clone());
            }
        }
        if !single {
            self.state.flight = Some(next(self.state.flight.as_ref(), value));
        }
    }

    /// The pass of a decision that begins, if its labels were looked at just before. A decision is
    /// pure if it has labels, so nothing but decisions inside it comes between them.
    fn take_announced(&mut self, goal: u32) -> PassId {
        let serial = self.state.frame.serial;
        let announced = &mut self.state.announced;
        let at = announced
            .iter()
            .rposition(|a| a.goal == goal && a.serial == serial);
        let Some(at) = at else { return 0 };
        let pass = announced[at].pass;
        announced.truncate(at);
        pass
    }

    /// The half of a pair that a label asks for, where its passage is followed: its leaves are all
    /// left behind, and the evaluation that comes is the one that it speaks of.
    pub(super) fn ask(&mut self, label: u32) -> Asked {
        let Some(half) = self.objectives.goals.half_of_label(label) else {
            return Asked::default();
        };
        let few = self.objectives.goals.list[half.goal as usize].count() <= FEW;
        if few || !self.mode.forks() || self.is_direct() {
            return Asked::default();
        }
        let serial = self.state.frame.serial;
        let start = self.state.passages.wrapping_sub(half.place);
        let is_own = |a: &Announced| a.goal == half.goal && a.serial == serial;
        let known = self.state.announced.iter().rposition(is_own);
        let pass = match known.map(|at| self.state.announced[at]) {
            Some(announced) if announced.start == start => announced.pass,
            _ => {
                // One that never began was left by a jump.
                self.state.announced.retain(|a| !is_own(a));
                let pass = self.findings.pairs.passes.begin();
                self.state.announced.push(Announced {
                    goal: half.goal,
                    serial,
                    start,
                    pass,
                });
                pass
            }
        };
        let asked = Asked {
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
        let goals = &self.objectives.goals;
        let Some(goal) = goals.of(decision) else {
            return;
        };
        if self.state.speculation.is_some() {
            return;
        }
        let depth = self.state.frame.depth;
        if let Some(around) = Flight::find(self.state.flight.as_ref(), goal, depth) {
            self.state.flight = around.before.clone();
        }
        let vector = OutcomeVector { seen, truth };
        let number = self.findings.vectors.number(goal, vector);
        if self.state.vectors.contains(number) {
            return;
        }
        Rc::make_mut(&mut self.state.vectors).insert(number);
        let halves = self.findings.pairs.halves(goal, vector);
        let goal = &goals.list[goal as usize];
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
        let goals = &self.objectives.goals;
        let halves = hits.iter().filter_map(|half| goals.single(half));
        for (goal, vector) in halves {
            seen.insert(self.findings.vectors.number(goal, vector));
        }
        seen
    }

    /// These evaluations with the decisions' own numbers.
    pub(crate) fn decided(&self, vectors: &BitSet) -> Vec<(u32, OutcomeVector)> {
        let goals = &self.objectives.goals.list;
        let named = |number| {
            let (goal, vector) = self.findings.vectors.get(number);
            (goals[goal as usize].decision, vector)
        };
        vectors.iter().map(named).collect()
    }

    /// A call has ended: evaluations in it are not in flight any more.
    #[inline]
    pub(super) fn land(&mut self, depth: u32) {
        while let Some(flight) = &self.state.flight
            && flight.depth >= depth
        {
            self.state.flight = flight.before.clone();
        }
    }
}
