//! Stage: change one variable of the hint. The hint satisfies the path and fails only the goal,
//! and often changing one variable is enough: the others keep their values, so the question is about
//! one variable; intervals answer it, or a guess. It finds models only; it never says unsat.

use crate::domain::preimage::PullBack;
use crate::domain::samples::samples;
use crate::query::{Query, Stage, StageOutcome};
use labrys_expr::{Arena, Evaluator, ExprId, Model, VarId, VarSetId};
use std::cell::RefCell;

/// At most 6 variables of the goal are tried, one after the other.
const MAX_VARS: usize = 6;
/// At most 256 constraints are turned into sets of values for one query.
const MAX_PULLS: usize = 256;

#[derive(Default)]
pub(crate) struct LocalStage {
    /// Values under the hint.
    fixed: RefCell<Evaluator>,
    /// Values under the changed model.
    changed: Evaluator,
    scratch: Model,
    pulls: usize,
}

impl LocalStage {
    /// Values of the variable to try, with the other variables as in the hint: the ends of what is
    /// known to be intervals of the query, or guesses where the goal is none.
    fn candidates(&mut self, arena: &Arena, query: &Query<'_>, var: VarId) -> Vec<u64> {
        let only = arena.vars(arena.var_expr(var));
        let constant = |e: ExprId| {
            arena.as_const(e).or_else(|| {
                let free = !arena.vars_intersect(arena.vars(e), only);
                free.then(|| self.fixed.borrow_mut().eval(arena, query.hint, e))
            })
        };
        let width = arena.var_width(var);
        let pull = PullBack {
            arena,
            width,
            constant: &constant,
            approximate: true,
        };
        let Some(mut set) = pull.predicate(query.goal) else {
            return samples(arena, query.goal, var);
        };
        for c in touching(arena, query, only) {
            self.pulls += 1;
            if set.lowest().is_none() || self.pulls > MAX_PULLS {
                return Vec::new();
            }
            if let Some(allowed) = pull.predicate(c) {
                set = set.intersect(&allowed);
            }
        }
        let ends = [set.lowest(), set.highest()];
        ends.into_iter()
            .flatten()
            .map(|value| value as u64)
            .collect()
    }

    /// Does the query hold with this value? What does not mention the variable holds anyway.
    fn holds(&mut self, arena: &Arena, query: &Query<'_>, var: VarId, value: u64) -> bool {
        self.scratch.set(var, value);
        self.changed.reset();
        let only = arena.vars(arena.var_expr(var));
        let mut all = std::iter::once(query.goal).chain(touching(arena, query, only));
        all.all(|c| self.changed.eval(arena, &self.scratch, c) == 1)
    }
}

impl Stage for LocalStage {
    fn answer(&mut self, arena: &Arena, query: &Query<'_>) -> StageOutcome {
        self.fixed.borrow_mut().reset();
        self.pulls = 0;
        for &v in &query.vars {
            self.scratch.set(v, query.hint.get(v));
        }
        let mut vars: Vec<VarId> = arena.vars_iter(arena.vars(query.goal)).collect();
        // Newer inputs have fewer constraints yet.
        vars.reverse();
        vars.truncate(MAX_VARS);
        for var in vars {
            for value in self.candidates(arena, query, var) {
                if self.holds(arena, query, var, value) {
                    let new = |v: VarId| if v == var { value } else { query.hint.get(v) };
                    return StageOutcome::Sat(query.vars.iter().map(|&v| (v, new(v))).collect());
                }
            }
            self.scratch.set(var, query.hint.get(var));
        }
        StageOutcome::Pass(None)
    }
}

/// The constraints with the variable, newest expressions first.
fn touching<'q>(
    arena: &'q Arena,
    query: &'q Query<'_>,
    only: VarSetId,
) -> impl Iterator<Item = ExprId> + 'q {
    let constraints = query.constraints.iter().rev().copied();
    constraints.filter(move |&c| arena.vars_intersect(arena.vars(c), only))
}
