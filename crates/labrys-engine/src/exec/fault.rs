//! Faults: where they happen, which are known, and the checks whose failing side waits to be asked.

use super::assumptions::SIGABRT;
use super::fork::CheapAnswer;
use super::{Machine, RunMode, Step};
use crate::candidates::{FaultPlace, Resume};
use crate::end::{FaultKind, PathEnd};
use labrys_expr::ExprId;
use labrys_ir::EdgeId;
use std::rc::Rc;

/// Of each place at most so many checks are left that are no candidates of the search.
const MOST_LEFT: u32 = 64;

impl Machine<'_> {
    /// Leaves the failing side of a check: the instruction is executed again and faults.
    pub(super) fn fork_fault(&mut self, fails: ExprId, kind: FaultKind) {
        let before = self.left.candidates.len();
        let is_fault = self.state.speculation.is_none();
        let place = is_fault.then(|| self.fault_place(kind));
        self.fork_way(fails, Resume::Again, &mut None, place);
        for candidate in &mut self.left.candidates[before..] {
            candidate.unfiltered = true;
        }
    }

    /// Leaves the way on which the instruction faults and a handler of the program is called: the flow
    /// of control does not show where that leads.
    pub(super) fn fork_handled(&mut self, fails: ExprId) {
        let before = self.left.candidates.len();
        self.fork(fails, Resume::Again);
        for candidate in &mut self.left.candidates[before..] {
            candidate.unfiltered = true;
        }
    }

    /// Splits the path on a condition that holds only where the instruction faults.
    pub(super) fn split_on_fault(&mut self, faults: ExprId, kind: FaultKind) -> Step<bool> {
        let before = self.left.candidates.len();
        let truth = self.split_on(faults)?;
        if !truth {
            self.mark_fault(before, kind);
        }
        Ok(truth)
    }

    /// The candidates from `first` on end in this fault.
    pub(super) fn mark_fault(&mut self, first: usize, kind: FaultKind) {
        let is_end = self.state.speculation.is_none() && !self.is_handled(kind);
        if is_end && self.left.candidates.len() > first {
            let place = self.fault_place(kind);
            for candidate in &mut self.left.candidates[first..] {
                candidate.fault = Some(place);
            }
        }
    }

    /// The fault in which the way over an edge ends for certain.
    pub(super) fn fault_behind(&self, edge: EdgeId) -> Option<FaultPlace> {
        if self.state.speculation.is_some() || !self.config.fault_checks {
            return None;
        }
        let function = self.function();
        let block = function.edges[edge.index()].target;
        let (pc, kind) = self.program.fault_in_block(function, block)?;
        // A handler of SIGABRT may leave by a jump.
        if matches!(kind, FaultKind::Abort | FaultKind::Assertion) && self.handles(SIGABRT) {
            return None;
        }
        let function = self.state.frame.function;
        Some(FaultPlace { function, pc, kind })
    }

    /// Leaves a way that faults for the end of the search, where the run leaves no candidates or
    /// where another candidate of the search includes it.
    pub(super) fn leave_fault_check(&mut self, goal: ExprId, resume: Resume, fault: FaultPlace) {
        let is_search = matches!(
            self.mode,
            RunMode::Search | RunMode::Leaf(_) | RunMode::Tail
        );
        let wanted = self.config.fault_checks && is_search && self.state.speculation.is_none();
        if !wanted || goal == self.arena.no() || self.known_faults.contains(&fault) {
            return;
        }
        let count = self.left.counted_checks.entry(fault).or_default();
        if *count >= MOST_LEFT {
            return;
        }
        *count += 1;
        let solution = match self.cheap_solution(goal) {
            CheapAnswer::Unsat => return,
            CheapAnswer::Sat(model) => Some(model),
            CheapAnswer::Unknown => None,
        };
        let snapshot = Some(Rc::new(self.state.clone()));
        let mut check = self.left_candidate(goal, resume, solution, None, snapshot);
        check.fault = Some(fault);
        check.portable = false;
        self.left.fault_checks.push(check);
    }

    /// The instruction faults where `faults` holds, which a pinned value hides: leaves that for the
    /// end of the search.
    pub(super) fn check_before_pin(&mut self, faults: ExprId, kind: FaultKind) -> Step {
        let is_known = self.arena.defined(faults) == Some(faults) && !self.arena.is_assumed(faults);
        if self.arena.as_const(faults).is_none() && is_known {
            self.fork_point()?;
            if !self.holds(faults) && !self.is_handled(kind) {
                let place = self.fault_place(kind);
                self.leave_fault_check(faults, Resume::Again, place);
            }
        }
        Ok(())
    }

    /// Is there nothing to find where this fault happens? In a label's predicate a fault makes
    /// the label false, which the path itself is already.
    pub(super) fn is_pointless(&mut self, kind: FaultKind) -> bool {
        match self.state.speculation.as_ref().map(|s| s.label) {
            None => self.is_known_fault(kind),
            Some(label) => {
                self.may_fault(label);
                !self.is_direct()
            }
        }
    }

    /// One that is to be left again for another thread is left in any case. So is one of a mutant: what
    /// another one has shown at this place says nothing about it.
    fn is_known_fault(&self, kind: FaultKind) -> bool {
        let is_asked_for = matches!(self.mode, RunMode::ForkAgain { .. } | RunMode::Pair(_));
        !is_asked_for && self.known_faults.contains(&self.fault_place(kind))
    }

    /// The path ends with a fault at the current instruction.
    pub(super) fn fault(&mut self, kind: FaultKind) -> PathEnd {
        // What a trial shows is known once it has been run as a path.
        let counts = self.state.speculation.is_none() && !self.mode.has_plain_values();
        if counts && !self.is_handled(kind) {
            let place = self.fault_place(kind);
            self.known_faults.insert(place);
        }
        PathEnd::Fault(kind)
    }
}
