//! What a path has come to and could not have any more.

use crate::state::Roots;
use labrys_expr::{ExprId, Model};
use labrys_solver::PathCondition;
use std::rc::Rc;

/// An outcome that would be new, where a path has come to its condition and excludes it.
#[derive(Debug)]
pub(crate) struct MissedOutcome {
    /// The conditions of the path, and what would have to hold besides.
    pub(crate) path: PathCondition,
    pub(crate) goal: ExprId,
    /// The number of the condition among the fork points of the path.
    pub(crate) number: u32,
    /// An input of the path.
    pub(crate) input: Rc<Model>,
}

impl MissedOutcome {
    /// Marks the expressions that it needs.
    pub(crate) fn mark(&self, roots: &mut Roots<'_>) {
        roots.path(&self.path);
        roots.expression(self.goal);
    }
}
