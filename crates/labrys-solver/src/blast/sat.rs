//! The SAT solver behind `rustsat`'s traits. Each call takes assumptions and a budget of conflicts,
//! and ends with a model, a core, or the limit.

use crate::limits::QueryDeadline;
use batsat::{Callbacks, ClauseKind, SolverInterface};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Lit as SatLit, TernaryVal};
use rustsat_batsat::Solver as BatSat;

/// A literal of the blaster: a variable and a sign. Variable 0 is the constant true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Lit(u32);

impl Lit {
    pub(crate) const TRUE: Lit = Lit(0);
    pub(crate) const FALSE: Lit = Lit(1);

    #[inline]
    pub(crate) fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    #[inline]
    pub(crate) fn as_constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self == Lit::TRUE)
    }

    /// The number of its variable.
    pub(crate) fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn to_sat(self) -> SatLit {
        SatLit::new(self.0 >> 1, self.0 & 1 == 1)
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// Stops the search when the conflicts or the time of this call are used up.
#[derive(Default)]
pub(crate) struct SatBudget {
    left: u64,
    deadline: Option<QueryDeadline>,
}

/// The clock is read once in so many conflicts.
const CONFLICTS_PER_CLOCK_READ: u64 = 64;

impl Callbacks for SatBudget {
    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: ClauseKind) {
        if matches!(kind, ClauseKind::Learnt) {
            self.left = self.left.saturating_sub(1);
            let due = self.left.is_multiple_of(CONFLICTS_PER_CLOCK_READ);
            if due && self.deadline.as_ref().is_some_and(QueryDeadline::is_over) {
                self.left = 0;
            }
        }
    }

    fn stop(&self) -> bool {
        self.left == 0
    }
}

/// How a SAT call ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SatResult {
    Sat,
    Unsat,
    Limit,
}

/// One incremental instance.
#[derive(Default)]
pub(crate) struct Sat {
    solver: BatSat<SatBudget>,
    vars: u32,
    clauses: usize,
    conflicts: u64,
    scratch: Vec<SatLit>,
    /// All clauses, if somebody wants them.
    kept: Option<Vec<Vec<Lit>>>,
}

impl Sat {
    pub(crate) fn new() -> Self {
        let mut sat = Sat {
            vars: 1,
            ..Sat::default()
        };
        sat.add(&[Lit::TRUE]);
        sat
    }

    /// From now on all clauses are kept. The first one says what is true.
    pub(super) fn keep_clauses(&mut self) {
        self.kept = Some(vec![vec![Lit::TRUE]]);
    }

    pub(super) fn take_clauses(&mut self) -> Vec<Vec<Lit>> {
        self.kept.take().unwrap_or_default()
    }

    /// A new variable, that is decided on or only propagated to.
    pub(crate) fn fresh(&mut self, decide: bool) -> Lit {
        let lit = Lit(self.vars << 1);
        self.vars += 1;
        self.solver
            .batsat_mut()
            .new_var(batsat::lbool::UNDEF, decide);
        lit
    }

    pub(crate) fn vars(&self) -> usize {
        self.vars as usize
    }

    pub(crate) fn clauses(&self) -> usize {
        self.clauses
    }

    /// Of all queries so far.
    pub(crate) fn conflicts(&self) -> u64 {
        self.conflicts
    }

    pub(crate) fn add(&mut self, clause: &[Lit]) {
        self.scratch.clear();
        self.scratch.extend(clause.iter().map(|l| l.to_sat()));
        self.clauses += 1;
        if let Some(kept) = &mut self.kept {
            kept.push(clause.to_vec());
        }
        // BatSat's implementation never fails; running out of memory aborts.
        let _ = self
            .solver
            .add_clause_ref(rustsat::types::Cl::new(&self.scratch));
    }

    /// Solves under assumptions with at most so many conflicts, until the deadline.
    pub(crate) fn solve(
        &mut self,
        assumptions: &[Lit],
        conflicts: u64,
        deadline: &QueryDeadline,
    ) -> SatResult {
        *self.solver.batsat_mut().cb_mut() = SatBudget {
            left: conflicts.max(1),
            deadline: Some(deadline.clone()),
        };
        self.scratch.clear();
        self.scratch.extend(assumptions.iter().map(|l| l.to_sat()));
        let result = self.solver.solve_assumps(&self.scratch);
        let left = self.solver.batsat_ref().cb().left;
        self.conflicts += conflicts.max(1) - left;
        match result {
            Ok(SolverResult::Sat) => SatResult::Sat,
            Ok(SolverResult::Unsat) => SatResult::Unsat,
            Ok(SolverResult::Interrupted) | Err(_) => SatResult::Limit,
        }
    }

    /// The value of a literal in the model that was just found.
    #[inline]
    pub(crate) fn value(&self, lit: Lit) -> bool {
        matches!(self.solver.lit_val(lit.to_sat()), Ok(TernaryVal::True))
    }

    /// Which of the assumptions the last refutation used, as a mask over them.
    pub(crate) fn core(&mut self, assumptions: &[Lit]) -> Vec<bool> {
        let used = self.solver.core().unwrap_or_default();
        let vars: rustc_hash::FxHashSet<u32> = used.iter().map(|l| l.vidx32()).collect();
        assumptions
            .iter()
            .map(|l| vars.contains(&(l.0 >> 1)))
            .collect()
    }
}
