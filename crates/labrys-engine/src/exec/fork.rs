//! Forking: leaving candidates behind, and conditions that must hold for a path to go on.

use super::mode::Until;
use super::{Machine, Step};
use crate::candidates::{Candidate, Leaf, Resume};
use crate::end::{FaultKind, PathEnd};
use crate::state::State;
use labrys_expr::{ExprId, Model};
use labrys_solver::{Answer, PathCondition};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// What a check found out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Settled {
    Holds,
    Fails,
}

/// The conditions of the current path as a set, made when it is first needed.
#[derive(Debug, Default)]
pub(crate) struct SettledSet {
    conditions: FxHashSet<ExprId>,
    made: bool,
}

impl SettledSet {
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
        self.note_condition(c);
        self.settled.add(c);
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
                Until::Label {
                    passage: speculation.passage,
                    fork: speculation.forks,
                }
            }
            _ => {
                self.state.forks += u32::from(first);
                Until::Fork(self.state.forks)
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
        self.fork_place.ways += 1;
        let leaf = self.leaf_here();
        let forking = self.mode.forks() || leaf.is_some_and(|leaf| leaf.chained);
        if !forking || goal == self.arena.no() {
            return;
        }
        let solution = if leaf.is_some() && self.holds(goal) {
            Some(self.current.model.clone())
        } else {
            let (path, model) = (&self.state.path, &self.current.model);
            match self.solver.cheap(&mut self.arena, path, goal, model) {
                Some(Answer::Unsat) => {
                    self.work.cheap_unsat += 1;
                    self.work.labels.infeasible += u64::from(leaf.is_some());
                    return;
                }
                Some(Answer::Sat(model)) => Some(Rc::new(model)),
                Some(Answer::Unknown(_)) | None => None,
            }
        };
        let snapshot = shared
            .get_or_insert_with(|| Rc::new(self.state.clone()))
            .clone();
        self.leave(goal, resume, solution, leaf, Some(snapshot));
    }

    /// Leaves a leaf that is hardly ever needed, without a snapshot: it would be replayed.
    pub(super) fn fork_reserve(&mut self, goal: ExprId) {
        let leaf = self.leaf_here();
        if self.mode.forks() {
            let solution = Some(self.current.model.clone());
            self.leave(goal, Resume::Again, solution, leaf, None);
        }
    }

    fn leave(
        &mut self,
        goal: ExprId,
        resume: Resume,
        solution: Option<Rc<Model>>,
        leaf: Option<Leaf>,
        snapshot: Option<Rc<State>>,
    ) {
        if let Some(leaf) = leaf {
            self.findings.pairs.passes.wait(leaf.asked);
        }
        let left = if leaf.is_some() {
            &mut self.left.leaves
        } else {
            &mut self.left.candidates
        };
        left.push(Candidate {
            path: self.state.path.clone(),
            number: self.state.forks,
            ordinal: self.fork_place.ways,
            // Another thread would not know of the label.
            portable: !self.fork_place.resumed && self.state.insisted.is_none(),
            snapshot,
            goal,
            resume,
            solution,
            parent: self.current.model.clone(),
            bonus: false,
            flip: None,
            fault: false,
            flight: self.state.flight.clone(),
            insisted: self.state.insisted,
            leaf,
        });
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
        self.state.recent.contains(&Some(not)).then_some(false)
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
    fn settled(&mut self, c: ExprId) -> Option<bool> {
        if let Some(known) = self.known(c) {
            return Some(known);
        }
        let not = self.arena.not(c);
        let settled = self.settled.of(&self.state.path);
        if settled.contains(&c) {
            return Some(true);
        }
        settled.contains(&not).then_some(false)
    }

    /// Demands that `ok` holds, else the program has a fault. Both ways are explored.
    pub(super) fn require(&mut self, ok: ExprId, kind: FaultKind) -> Step {
        match self.settle(ok, Some(kind))? {
            Settled::Holds => Ok(()),
            Settled::Fails => Err(self.fault(kind)),
        }
    }

    /// Splits the path on a condition, executing the current instruction again on the other
    /// side; says on which side this path is.
    pub(super) fn split_on(&mut self, c: ExprId) -> Step<bool> {
        Ok(self.settle(c, None)? == Settled::Holds)
    }

    /// The value, free of uninitialised memory; a fault if it depends on it.
    pub(super) fn initialised(&mut self, e: ExprId) -> Step<ExprId> {
        match self.arena.defined(e) {
            Some(e) => Ok(e),
            None => Err(self.fault(FaultKind::UninitialisedRead)),
        }
    }

    fn settle(&mut self, c: ExprId, fault: Option<FaultKind>) -> Step<Settled> {
        let c = self.initialised(c)?;
        if let Some(value) = self.arena.as_const(c) {
            return Ok(if value != 0 {
                Settled::Holds
            } else {
                Settled::Fails
            });
        }
        self.fork_point()?;
        if let Some(known) = self.known(c) {
            return Ok(if known {
                Settled::Holds
            } else {
                Settled::Fails
            });
        }
        let not = self.arena.not(c);
        if self.holds(c) {
            if fault.is_some_and(|kind| self.is_pointless(kind)) {
                self.skip_way();
            } else {
                let before = self.left.candidates.len();
                self.fork(not, Resume::Again);
                for candidate in &mut self.left.candidates[before..] {
                    candidate.fault = fault.is_some();
                }
            }
            self.constrain(c);
            Ok(Settled::Holds)
        } else {
            self.fork(c, Resume::Again);
            self.constrain(not);
            Ok(Settled::Fails)
        }
    }

    /// Is there nothing to find where this fault happens? In a label's predicate a fault makes
    /// the label false, which the path itself is already.
    fn is_pointless(&mut self, kind: FaultKind) -> bool {
        match self.state.speculation.as_ref().map(|s| s.label) {
            None => self.is_known_fault(kind),
            Some(label) => {
                self.may_fault(label);
                !self.is_direct()
            }
        }
    }

    fn is_known_fault(&self, kind: FaultKind) -> bool {
        let frame = &self.state.frame;
        self.known_faults
            .contains(&(kind, frame.function, frame.pc))
    }

    /// The path ends with a fault at the current instruction.
    pub(super) fn fault(&mut self, kind: FaultKind) -> PathEnd {
        if self.state.speculation.is_none() {
            let frame = &self.state.frame;
            self.known_faults.insert((kind, frame.function, frame.pc));
        }
        PathEnd::Fault(kind)
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
                    self.lose_luck();
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

    /// The same for any width.
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
