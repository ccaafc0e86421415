//! Detours: an outcome that would cover something is often impossible only because of a choice that its
//! path has made long before, such as the element that an index was pinned to. The last such choice is
//! looked for and taken back, with an input that keeps everything else.

use super::Explorer;
use crate::candidates::MissedOutcome;
use crate::exec::{ReplayTarget, RunMode};
use labrys_expr::{ExprId, Model};
use labrys_solver::{Answer, PathCondition};
use std::rc::Rc;

/// So many runs come first: most searches are over by then, and none of their paths is run twice.
const RUNS_BEFORE_DETOURS: u64 = 256;

/// So many choices are taken back for one.
const MOST_CHOICES: usize = 3;

impl Explorer<'_> {
    /// What to look for a detour to; every second time there is none.
    pub(super) fn next_detour(&mut self) -> Option<MissedOutcome> {
        if self.shared.runs() < RUNS_BEFORE_DETOURS {
            return None;
        }
        self.was_detour = !self.was_detour;
        match self.was_detour {
            true => self.detours.pop(),
            false => None,
        }
    }

    /// Comes with other inputs to a place where an outcome was missed; false if there is none, or no such
    /// input. The ways that the run passes until then wait already, or were taken.
    pub(super) fn take_detour(&mut self, missed: &MissedOutcome) -> bool {
        let Some(model) = self.repair(missed) else {
            return false;
        };
        if !self.replay(Rc::new(model), ReplayTarget::Fork(missed.number)) {
            return false;
        }
        self.current_leaf = None;
        let m = &mut self.machine;
        m.mode = RunMode::Search;
        m.state.repeats = true;
        m.begin_instruction();
        true
    }

    /// An input with which the outcome is possible if some choices of the path are left out.
    fn repair(&mut self, missed: &MissedOutcome) -> Option<Model> {
        let mut conditions = missed.path.to_vec();
        for _ in 0..MOST_CHOICES {
            let last = self.last_needed(&conditions, missed)?;
            conditions.remove(last);
            let path = self.with_conditions(&PathCondition::new(), &conditions);
            if let Answer::Sat(model) = self.ask_for_outcome(&path, missed) {
                return Some(model);
            }
        }
        None
    }

    /// The first condition with which the outcome is impossible, given all that are in front of it.
    fn last_needed(&mut self, conditions: &[ExprId], missed: &MissedOutcome) -> Option<usize> {
        let (mut start, mut end) = (0, conditions.len());
        // Those in front of the first one that is still in question.
        let mut path = PathCondition::new();
        while start < end {
            let middle = start + (end - start) / 2;
            let longer = self.with_conditions(&path, &conditions[start..=middle]);
            match self.ask_for_outcome(&longer, missed) {
                Answer::Unsat => end = middle,
                Answer::Sat(_) => (start, path) = (middle + 1, longer),
                Answer::Unknown(_) => return None,
            }
        }
        (start < conditions.len()).then_some(start)
    }

    fn with_conditions(&mut self, path: &PathCondition, more: &[ExprId]) -> PathCondition {
        let mut path = path.clone();
        for condition in more {
            path.push(&mut self.machine.arena, *condition);
        }
        path
    }

    fn ask_for_outcome(&mut self, path: &PathCondition, missed: &MissedOutcome) -> Answer {
        let m = &mut self.machine;
        (m.solver).solve(&mut m.arena, path, missed.goal, &missed.input)
    }
}
