//! What a path allows a value to be, as a number: a search tells states apart by it.

use crate::domain::DomainFacts;
use crate::{PathCondition, Solver};
use labrys_expr::{Arena, ExprId, ExprKind, VarId};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Values that depend on more variables are all the same.
const MOST_VARIABLES: usize = 8;

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PossibleValues {
    /// The path allows only one.
    One(u64),
    /// The same number for the same sets of values of the variables that it depends on.
    Some(u64),
    /// Too much is connected with it.
    Any,
}

impl Solver {
    /// What the path allows an expression to be, as far as the constraints of each of its variables say.
    pub fn possible_values(
        &mut self,
        arena: &Arena,
        path: &PathCondition,
        e: ExprId,
    ) -> PossibleValues {
        let vars = arena.vars(e);
        if arena.vars_len(vars) > MOST_VARIABLES {
            return PossibleValues::Any;
        }
        let mut hasher = FxHasher::default();
        for var in arena.vars_iter(vars) {
            let Some((_, group)) = path.group_of(var.index()) else {
                0u8.hash(&mut hasher);
                continue;
            };
            if arena.vars_len(group.vars) != 1 {
                return PossibleValues::Any;
            }
            let facts = self.domains.facts(arena, var, &group.constraints);
            if is_var(arena, e, var)
                && let Some(value) = facts.as_ref().and_then(only_value)
            {
                return PossibleValues::One(value);
            }
            match facts {
                Some(DomainFacts::Bytes(set)) => set.hash(&mut hasher),
                Some(DomainFacts::Ranges { set, .. }) => set.hash(&mut hasher),
                None => 0u8.hash(&mut hasher),
            }
        }
        PossibleValues::Some(hasher.finish())
    }
}

fn is_var(arena: &Arena, e: ExprId, var: VarId) -> bool {
    matches!(arena.kind(e), ExprKind::Var(v) if v == var)
}

fn only_value(facts: &DomainFacts) -> Option<u64> {
    match facts {
        DomainFacts::Bytes(set) => set.only(),
        DomainFacts::Ranges { set, .. } => match set.parts() {
            [(low, high)] if low == high => Some(*low as u64),
            _ => None,
        },
    }
}
