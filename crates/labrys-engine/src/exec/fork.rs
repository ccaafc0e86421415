//! Forking: leaving candidates behind, and conditions that must hold for a path to go on.

use super::mode::{ReplayTarget, RunMode};
use super::{Machine, Step};
use crate::candidates::{Candidate, FaultPlace, Leaf, Resume};
use crate::end::{FaultKind, PathEnd};
use crate::state::State;
use labrys_expr::{ExprId, Model};
use labrys_ir::EdgeId;
use labrys_solver::{Answer, PathCondition};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// What a check found out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConditionTruth {
    Holds,
    Fails,
}

/// An answer that cost next to nothing.
pub(super) enum CheapAnswer {
    Sat(Rc<Model>),
    Unsat,
    Unknown,
}

/// The conditions of the current path as a set, made when it is first needed.
#[derive(Debug, Default)]
pub(crate) struct PathConditions {
    conditions: FxHashSet<ExprId>,
    made: bool,
}

impl PathConditions {
    /// Another path follows.
    pub(crate) fn clear(&mut self) {
        self.conditions.clear();
        self.made = false;
    }

    fn add(&mut self, c: ExprId) {
        if self.made {
            self.conditions.insert(c);
        }
    }

    fn of(&mut self, path: &PathCondition) -> &FxHashSet<ExprId> {
        if !self.made {
            self.conditions.extend(path.iter());
            self.made = true;
        }
        &self.conditions
    }
}

impl Machine<'_> {
    /// Is the condition true under the current model?
    pub(super) fn holds(&mut self, c: ExprId) -> bool {
        self.current.value(&self.arena, c) != 0
    }

    /// Adds a condition that holds under the current model to the path.
    pub(crate) fn constrain(&mut self, c: ExprId) {
        if self.arena.as_const(c).is_some() {
            return;
        }
        self.keep_path();
        if !self.state.pointer_members.is_empty() {
            self.note_member_condition(c);
        }
        self.solver.note_goal(&self.arena, c);
        self.note_condition(c);
        self.settled.add(c);
        self.note_condition_place(c);
        self.state.path.push(&mut self.arena, c);
        self.state.recent.rotate_right(1);
        self.state.recent[0] = Some(c);
    }

    /// Every instruction at which a path depends on the input passes here first. It numbers them,
    /// which is how a replay finds the place of a candidate again.
    pub(super) fn fork_point(&mut self) -> Step {
        let first = !self.state.at_fork;
        if first {
            self.state.at_fork = true;
            self.begin_instruction();
        }
        let direct = self.is_direct();
        let here = match &mut self.state.speculation {
            // Labels that are covered later are not looked at again: their forks do not count
            // among those of the path.
            Some(speculation) if !direct => {
                speculation.forks += u32::from(first);
                ReplayTarget::Label {
                    passage: speculation.passage,
                    fork: speculation.forks,
                }
            }
            _ => {
                self.state.forks += u32::from(first);
                ReplayTarget::Fork(self.state.forks)
            }
        };
        if self.mode.until() == Some(here) {
            return Err(PathEnd::ForkReached);
        }
        Ok(())
    }

    /// Leaves a candidate: the path so far, but with `goal` instead of what holds now.
    pub(super) fn fork(&mut self, goal: ExprId, resume: Resume) {
        self.fork_shared(goal, resume, &mut None);
    }

    /// Leaves a candidate that executes the instruction again with a value worth trying. Another
    /// candidate of this place includes it, so nothing is lost where the solver gives up on it.
    pub(super) fn fork_bonus(&mut self, goal: ExprId, shared: &mut Option<Rc<State>>) {
        let before = self.left.candidates.len();
        self.fork_shared(goal, Resume::Again, shared);
        for candidate in &mut self.left.candidates[before..] {
            candidate.bonus = true;
        }
    }

    /// A way out of the instruction that is not taken now; its number stays free.
    pub(super) fn skip_way(&mut self) {
        self.fork_place.ways += 1;
    }

    /// As `fork`; several candidates of one place share their snapshot.
    pub(super) fn fork_shared(
        &mut self,
        goal: ExprId,
        resume: Resume,
        shared: &mut Option<Rc<State>>,
    ) {
        let fault = match resume {
            Resume::Edge(edge) => self.fault_behind(edge),
            Resume::Again | Resume::Continue => None,
        };
        self.fork_way(goal, resume, shared, fault);
    }

    /// As `fork_shared` for a way that ends in a fault for certain, if `fault` is one.
    pub(super) fn fork_way(
        &mut self,
        goal: ExprId,
        resume: Resume,
        shared: &mut Option<Rc<State>>,
        fault: Option<FaultPlace>,
    ) {
        self.fork_place.ways += 1;
        if self.loop_proof.is_some() {
            self.note_question(goal);
        }
        let leaf = self.leaf_here();
        let forking = self.mode.forks() || leaf.is_some_and(|leaf| leaf.chained);
        if !forking {
            if let Some(fault) = fault {
                self.leave_fault_check(goal, resume, fault);
            }
            return;
        }
        if goal == self.arena.no() {
            return;
        }
        let solution = if leaf.is_some() && self.holds(goal) {
            Some(self.current.model.clone())
        } else {
            match self.cheap_solution(goal) {
                CheapAnswer::Unsat => {
                    let edge = match resume {
                        Resume::Edge(edge) => Some(edge),
                        Resume::Again | Resume::Continue => None,
                    };
                    self.claim_here(goal, edge);
                    self.work.cheap_unsat += 1;
                    self.work.labels.infeasible += u64::from(leaf.is_some());
                    return;
                }
                CheapAnswer::Sat(model) => Some(model),
                CheapAnswer::Unknown => None,
            }
        };
        let snapshot = shared
            .get_or_insert_with(|| Rc::new(self.state.clone()))
            .clone();
        self.leave(goal, resume, solution, leaf, Some(snapshot));
        if leaf.is_none()
            && let Some(candidate) = self.left.candidates.last_mut()
        {
            candidate.fault = fault;
        }
    }

    /// What costs next to nothing to find out about a goal.
    pub(super) fn cheap_solution(&mut self, goal: ExprId) -> CheapAnswer {
        let (path, model) = (&self.state.path, &self.current.model);
        match self.solver.cheap(&mut self.arena, path, goal, model) {
            Some(Answer::Unsat) => CheapAnswer::Unsat,
            Some(Answer::Sat(model)) => CheapAnswer::Sat(Rc::new(model)),
            Some(Answer::Unknown(_)) | None => CheapAnswer::Unknown,
        }
    }

    /// Leaves a leaf that is hardly ever needed, without a snapshot: it would be replayed.
    pub(super) fn fork_reserve(&mut self, goal: ExprId) {
        let leaf = self.leaf_here();
        if self.mode.forks() {
            let solution = Some(self.current.model.clone());
            self.leave(goal, Resume::Again, solution, leaf, None);
        }
    }

    /// Leaves the way that the path takes as a candidate, too, and ends the run here, if it has left
    /// much behind and shown nothing new.
    pub(super) fn rest(
        &mut self,
        taken: ExprId,
        edge: EdgeId,
        shared: &mut Option<Rc<State>>,
    ) -> Step {
        if self.left.candidates.len() < self.pace.rest_after || !self.may_rest() {
            return Ok(());
        }
        self.fork_place.ways += 1;
        let snapshot = shared
            .get_or_insert_with(|| Rc::new(self.state.clone()))
            .clone();
        let solution = Some(self.current.model.clone());
        let mut candidate =
            self.left_candidate(taken, Resume::Edge(edge), solution, None, Some(snapshot));
        // A run that does not rest would not leave it.
        candidate.portable = false;
        self.left.candidates.push(candidate);
        Err(PathEnd::Rested)
    }

    /// Has the path shown nothing that would be lost if it did not come to its end now?
    fn may_rest(&mut self) -> bool {
        let found = &self.findings;
        let is_free = matches!(self.mode, RunMode::Search)
            && self.state.speculation.is_none()
            && self.state.leaf_label.is_none()
            && self.state.vectors.iter().all(|v| found.vectors.is_known(v))
            && (self.all_hits().iter()).all(|o| found.covered.contains(o));
        if !is_free {
            self.pace.rest_after = usize::MAX;
        }
        is_free
    }

    pub(super) fn leave(
        &mut self,
        goal: ExprId,
        resume: Resume,
        solution: Option<Rc<Model>>,
        leaf: Option<Leaf>,
        snapshot: Option<Rc<State>>,
    ) {
        let candidate = self.left_candidate(goal, resume, solution, leaf, snapshot);
        match leaf {
            Some(leaf) => {
                self.findings.pairs.passes.wait(leaf.asked);
                self.left.leaves.push(candidate);
            }
            None => {
                self.left.candidates.push(candidate);
                // A path that leaves so much behind may be endless: it is suspended.
                if self.left.candidates.len() >= self.config.slice_candidates
                    && matches!(self.mode, RunMode::Search)
                {
                    self.pace.slice_end = self.pace.slice_end.min(self.state.steps);
                }
            }
        }
    }

    /// A candidate that leaves the current path here.
    pub(super) fn left_candidate(
        &self,
        goal: ExprId,
        resume: Resume,
        solution: Option<Rc<Model>>,
        leaf: Option<Leaf>,
        snapshot: Option<Rc<State>>,
    ) -> Candidate {
        Candidate {
            path: self.state.path.clone(),
            number: self.state.forks,
            ordinal: self.fork_place.ways,
            // Another thread would not know of the label.
            portable: !self.fork_place.resumed && self.state.leaf_label.is_none(),
            snapshot,
            dropped_at: None,
            goal,
            resume,
            solution,
            parent: self.current.model.clone(),
            bonus: false,
            flip: None,
            fault: None,
            unfiltered: false,
            repeats: self.state.repeats,
            evaluation: self.state.evaluation.clone(),
            leaf_label: self.state.leaf_label,
            leaf,
        }
    }

    /// Inside a label's predicate every other way is a leaf of that label.
    fn leaf_here(&self) -> Option<Leaf> {
        let speculation = self.state.speculation.as_ref()?;
        (!self.is_direct()).then_some(Leaf {
            label: speculation.label,
            passage: speculation.passage,
            fork: speculation.forks,
            chained: self.mode.wanted_label() == Some(speculation.label),
            asked: speculation.asked,
        })
    }

    /// The ways out of an instruction are counted from its start.
    pub(crate) fn begin_instruction(&mut self) {
        self.fork_place.resumed = false;
        self.fork_place.ways = 0;
    }

    /// Is the condition, or its negation, part of the path?
    pub(super) fn known(&mut self, c: ExprId) -> Option<bool> {
        if self.state.recent.contains(&Some(c)) {
            return Some(true);
        }
        let not = self.arena.not(c);
        if self.state.recent.contains(&Some(not)) {
            return Some(false);
        }
        // A mutant mostly goes the way of the original, whose whole path is known.
        match self.mode.is_mutant() {
            true => self.in_path(c, not),
            false => None,
        }
    }

    fn in_path(&mut self, c: ExprId, not: ExprId) -> Option<bool> {
        self.solver.note_goal(&self.arena, c);
        let settled = self.settled.of(&self.state.path);
        if settled.contains(&c) {
            return Some(true);
        }
        settled.contains(&not).then_some(false)
    }

    /// As `split_on` for a condition that is asked about again and again, such as a choice in a
    /// pointer: it looks at the whole path, however long ago the condition joined it.
    pub(super) fn split_once(&mut self, c: ExprId) -> Step<bool> {
        match self.settled(c) {
            Some(known) => Ok(known),
            None => self.split_on(c),
        }
    }

    /// Is the condition, or its negation, anywhere in the path?
    pub(super) fn settled(&mut self, c: ExprId) -> Option<bool> {
        if let Some(known) = self.known(c) {
            return Some(known);
        }
        let not = self.arena.not(c);
        self.in_path(c, not)
    }

    /// Demands that `ok` holds, else the program has a fault. Both ways are explored.
    pub(super) fn require(&mut self, ok: ExprId, kind: FaultKind) -> Step {
        match self.settle(ok, Some(kind))? {
            ConditionTruth::Holds => Ok(()),
            ConditionTruth::Fails => Err(self.fault(kind)),
        }
    }

    /// Splits the path on a condition, executing the current instruction again on the other
    /// side; says on which side this path is.
    pub(super) fn split_on(&mut self, c: ExprId) -> Step<bool> {
        Ok(self.settle(c, None)? == ConditionTruth::Holds)
    }

    /// The value, free of uninitialised memory; a fault if it depends on it. The run goes on by this
    /// value, so it rests on what the value rests on.
    pub(super) fn initialised(&mut self, e: ExprId) -> Step<ExprId> {
        match self.arena.defined(e) {
            Some(e) => Ok(self.rest_on_assumptions(e)),
            None => Err(self.fault(FaultKind::UninitialisedRead)),
        }
    }

    fn settle(&mut self, c: ExprId, fault: Option<FaultKind>) -> Step<ConditionTruth> {
        let c = self.initialised(c)?;
        if let Some(value) = self.arena.as_const(c) {
            return Ok(if value != 0 {
                ConditionTruth::Holds
            } else {
                ConditionTruth::Fails
            });
        }
        self.fork_point()?;
        if let Some(known) = self.known(c) {
            let other = if known { self.arena.not(c) } else { c };
            self.claim_here(other, None);
            return Ok(if known {
                ConditionTruth::Holds
            } else {
                ConditionTruth::Fails
            });
        }
        let not = self.arena.not(c);
        if self.holds(c) {
            match fault {
                Some(kind) if self.is_handled(kind) => self.fork_handled(not),
                Some(kind) if self.is_pointless(kind) => {
                    self.skip_way();
                    self.rest_on_first_error(kind);
                }
                Some(kind) => self.fork_fault(not, kind),
                None => self.fork(not, Resume::Again),
            }
            self.constrain(c);
            Ok(ConditionTruth::Holds)
        } else {
            self.fork(c, Resume::Again);
            self.constrain(not);
            Ok(ConditionTruth::Fails)
        }
    }

    /// Goes on only where `c` holds; the model changes if it does not hold now.
    pub(super) fn assume(&mut self, c: ExprId) -> Step {
        let c = self.initialised(c)?;
        if let Some(value) = self.arena.as_const(c) {
            return if value != 0 {
                Ok(())
            } else {
                Err(PathEnd::AssumptionFailed)
            };
        }
        if !self.holds(c) {
            match self
                .solver
                .solve(&mut self.arena, &self.state.path, c, &self.current.model)
            {
                Answer::Sat(model) => {
                    self.current.set(Rc::new(model));
                    self.drop_incidental_hits();
                }
                Answer::Unsat => return Err(PathEnd::AssumptionFailed),
                Answer::Unknown(_) => return Err(PathEnd::SolverUnknown),
            }
        }
        self.constrain(c);
        Ok(())
    }

    /// Fixes an expression to its value under the current model; the other values become
    /// candidates, which execute the current instruction again.
    pub(super) fn pin(&mut self, e: ExprId) -> Step<u64> {
        Ok(self.pin_wide(e)? as u64)
    }

    /// The same for what is asked about again and again: the path may have its value already.
    pub(super) fn pin_once(&mut self, e: ExprId) -> Step<u64> {
        let e = self.initialised(e)?;
        let value = self.current.value(&self.arena, e);
        let constant = self.arena.constant(self.arena.width(e), value);
        let same = self.arena.eq(e, constant);
        if self.arena.as_const(same).is_none() && self.settled(same) == Some(true) {
            return Ok(value as u64);
        }
        self.pin(e)
    }

    /// The same as `pin` for any width.
    pub(super) fn pin_wide(&mut self, e: ExprId) -> Step<u128> {
        let e = self.initialised(e)?;
        if let Some(value) = self.arena.as_const(e) {
            return Ok(value);
        }
        self.fork_point()?;
        let value = self.current.value(&self.arena, e);
        let width = self.arena.width(e);
        let constant = self.arena.constant(width, value);
        let same = self.arena.eq(e, constant);
        self.work.pinned += 1;
        let other = self.arena.not(same);
        self.fork(other, Resume::Again);
        self.constrain(same);
        Ok(value)
    }
}
