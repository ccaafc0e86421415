//! What a path allows a value to be, as a number: a search tells states apart by it.

use crate::domain::DomainFacts;
use crate::{PathCondition, Solver};
use labrys_expr::{Arena, ExprId, ExprKind, VarId};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PossibleValues {
    /// The path allows only one.
    One(u64),
    /// The same number for the same values of the only variable that it depends on.
    Some(u64),
    /// It depends on several variables, or what it depends on does.
    Any,
}

impl Solver {
    /// What the path allows an expression to be, as far as the constraints of its only variable say.
    pub fn possible_values(
        &mut self,
        arena: &Arena,
        path: &PathCondition,
        e: ExprId,
    ) -> PossibleValues {
        let vars = arena.vars(e);
        let mut all = arena.vars_iter(vars);
        let (Some(var), None) = (all.next(), all.next()) else {
            return PossibleValues::Any;
        };
        drop(all);
        match self.possible_inputs(arena, path, var) {
            // Something else is computed from it.
            PossibleValues::One(value) if !is_var(arena, e, var) => PossibleValues::Some(value),
            known => known,
        }
    }

    /// What the path allows a variable to be.
    pub fn possible_inputs(
        &mut self,
        arena: &Arena,
        path: &PathCondition,
        var: VarId,
    ) -> PossibleValues {
        let facts = match path.group_of(var.index()) {
            None => None,
            Some((_, group)) if arena.vars_len(group.vars) == 1 => {
                self.domains.facts(arena, var, &group.constraints)
            }
            Some(_) => return self.possible_alone(arena, path, var),
        };
        if let Some(value) = facts.as_ref().and_then(only_value) {
            return PossibleValues::One(value);
        }
        let mut hasher = FxHasher::default();
        match facts {
            Some(DomainFacts::Bytes(set)) => set.hash(&mut hasher),
            Some(DomainFacts::Ranges { set, .. }) => set.hash(&mut hasher),
            None => 0u8.hash(&mut hasher),
        }
        PossibleValues::Some(hasher.finish())
    }
}

impl Solver {
    /// Of a variable that depends on others: its value, if what is said of it alone leaves only one.
    fn possible_alone(
        &mut self,
        arena: &Arena,
        path: &PathCondition,
        var: VarId,
    ) -> PossibleValues {
        let own = path.own(var.index());
        let facts = own.and_then(|own| self.domains.facts(arena, var, own));
        match facts.as_ref().and_then(only_value) {
            Some(value) => PossibleValues::One(value),
            None => PossibleValues::Any,
        }
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
