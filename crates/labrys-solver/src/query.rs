//! A query after slicing (the constraints that share variables with the goal, and the goal), and
//! the trait [`Stage`] of everything that can answer one.

use crate::answer::UnknownReason;
use crate::path::PathCondition;
use labrys_expr::{Arena, ExprId, Model, VarId, VarSetId};

/// The constraints that share variables with a goal, directly or through others, and the goal.
#[derive(Debug)]
pub(crate) struct Query<'a> {
    /// Sorted, without duplicates; the goal is not among them unless the path had it too.
    pub(crate) constraints: Vec<ExprId>,
    pub(crate) goal: ExprId,
    pub(crate) vars: Vec<VarId>,
    /// Satisfies the constraints, though seldom the goal.
    pub(crate) hint: &'a Model,
}

/// What a stage found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum StageOutcome {
    /// Values of the query's variables.
    Sat(Vec<(VarId, u64)>),
    /// With the constraints that were needed, if the stage knows them.
    Unsat(Option<Vec<ExprId>>),
    /// Not answered; the reason if it tried.
    Pass(Option<UnknownReason>),
}

/// A stage of the chain.
pub(crate) trait Stage {
    fn answer(&mut self, arena: &Arena, query: &Query<'_>) -> StageOutcome;
}

impl<'a> Query<'a> {
    /// Collects the slice of a goal; with `everything` the whole path.
    pub(crate) fn new(
        arena: &mut Arena,
        path: &PathCondition,
        goal: ExprId,
        hint: &'a Model,
        everything: bool,
    ) -> Query<'a> {
        let goal_vars = arena.vars(goal);
        let mut all: VarSetId = goal_vars;
        let mut constraints = Vec::new();
        if everything {
            constraints.extend(path.iter());
            for &c in &constraints {
                let vars = arena.vars(c);
                all = arena.vars_union(all, vars);
            }
        } else {
            let mut leaders: Vec<u32> = Vec::new();
            let mut sets: Vec<VarSetId> = Vec::new();
            for var in arena.vars_iter(goal_vars) {
                let Some((leader, group)) = path.group_of(var.index()) else {
                    continue;
                };
                if !leaders.contains(&leader) {
                    leaders.push(leader);
                    sets.push(group.vars);
                    constraints.extend(group.constraints.iter());
                }
            }
            for set in sets {
                all = arena.vars_union(all, set);
            }
        }
        constraints.sort_unstable();
        constraints.dedup();
        let vars = arena.vars_iter(all).collect();
        Query {
            constraints,
            goal,
            vars,
            hint,
        }
    }

    /// The constraints and then the goal.
    pub(crate) fn all(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.constraints
            .iter()
            .copied()
            .chain(std::iter::once(self.goal))
    }
}
