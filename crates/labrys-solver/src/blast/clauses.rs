//! The clauses of a formula, for SAT solvers that are not ours.

use super::circuit::SatInstance;
use super::sat::{Lit, SatResult};
use crate::limits::QueryLimits;
use crate::options::SolverOptions;
use labrys_expr::{Arena, ExprId};

/// A formula in conjunctive normal form.
pub(crate) struct Clauses {
    pub(crate) list: Vec<Vec<Lit>>,
}

impl Clauses {
    /// The clauses that say that all of these conditions hold; none if an operation has no gates, or if our
    /// own solver needs more conflicts than this.
    pub(crate) fn of(arena: &Arena, conditions: &[ExprId], conflicts: u64) -> Option<Clauses> {
        let mut instance = SatInstance::new(true);
        instance.gates.sat.keep_clauses();
        let mut asserted = Vec::new();
        for condition in conditions {
            asserted.push(instance.literal(arena, *condition).ok()?);
        }
        let deadline = QueryLimits::new(&SolverOptions::default()).start();
        let answer = instance.gates.sat.solve(&asserted, conflicts, &deadline);
        if answer == SatResult::Limit {
            return None;
        }
        let mut list = instance.gates.sat.take_clauses();
        list.extend(asserted.into_iter().map(|lit| vec![lit]));
        Some(Clauses { list })
    }
}
