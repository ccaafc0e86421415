//! Answers for the executor's hot path that take no more than a look-up: constants and slices of one
//! variable. Everything else is left to [`Solver::solve`].

use crate::{Answer, PathCondition, Solver};
use labrys_expr::{Arena, ExprId, Model};

impl Solver {
    /// As [`Solver::solve`], but `None` where it would take more than a look-up.
    pub fn cheap(
        &mut self,
        arena: &mut Arena,
        path: &PathCondition,
        goal: ExprId,
        hint: &Model,
    ) -> Option<Answer> {
        if !self.is_cheap(arena, goal) {
            return None;
        }
        self.note_goal(arena, goal);
        let answer = self.single_variable(arena, path, goal, hint)?;
        self.count(&answer);
        self.record(arena, path, goal, hint, &answer);
        Some(answer)
    }
}
