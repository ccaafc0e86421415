//! Claims: questions that have no solution, cut down to the constraints that contradict each other, so
//! that somebody else can read them and other solvers can check them.

use crate::path::PathCondition;
use crate::query::{Query, Stage, StageOutcome};
use crate::{Solver, UnknownReason};
use labrys_expr::{Arena, ExprId, Model, smtlib};

/// Constraints that contradict each other.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// The goal is the last one.
    pub constraints: Vec<ExprId>,
    /// SMT-LIB text without `check-sat`; its answer is `unsat`.
    pub script: String,
}

impl Contradiction {
    /// That somebody has shown to contradict each other.
    pub fn of(arena: &Arena, mut constraints: Vec<ExprId>, goal: ExprId) -> Self {
        constraints.retain(|c| *c != goal);
        constraints.sort_unstable();
        constraints.dedup();
        constraints.push(goal);
        let script = smtlib::script(arena, &constraints).text;
        Contradiction {
            constraints,
            script,
        }
    }
}

impl Solver {
    /// Why the goal cannot hold, if these constraints alone show that to the SAT solver.
    pub fn contradicts(
        &mut self,
        arena: &mut Arena,
        constraints: &[ExprId],
        goal: ExprId,
    ) -> Option<Contradiction> {
        let mut path = PathCondition::new();
        for constraint in constraints {
            path.push(arena, *constraint);
        }
        let hint = Model::new();
        let query = Query::new(arena, &path, goal, &hint, false);
        match self.blaster.answer(arena, &query) {
            StageOutcome::Unsat(Some(core)) => Some(Contradiction::of(arena, core, goal)),
            _ => None,
        }
    }

    /// Why the goal cannot hold on the path, which a query has shown before: as few of the constraints
    /// as the SAT solver says.
    pub fn contradiction(
        &mut self,
        arena: &mut Arena,
        path: &PathCondition,
        goal: ExprId,
    ) -> Result<Contradiction, UnknownReason> {
        let hint = Model::new();
        let query = Query::new(arena, path, goal, &hint, false);
        if query.all().any(|c| arena.is_uninit(c)) {
            return Err(UnknownReason::Uninitialised);
        }
        let constraints: Vec<ExprId> = match self.blaster.answer(arena, &query) {
            StageOutcome::Unsat(Some(core)) => core,
            StageOutcome::Sat(_) => return Err(UnknownReason::ModelRejected),
            StageOutcome::Unsat(None) | StageOutcome::Pass(_) => query.all().collect(),
        };
        Ok(Contradiction::of(arena, constraints, goal))
    }
}
