//! Stage: bit-blasting to incremental SAT solvers.
//!
//! Every expression is turned into gates once and kept across queries; a query is the literals of
//! its constraints as assumptions. A solver assigns every variable it has, whether the query needs
//! it or not; so there are several instances, each for inputs that are asked about together.

mod arith;
mod circuit;
mod clauses;
mod gates;
mod sat;

use crate::answer::UnknownReason;
use crate::limits::{QueryDeadline, QueryLimits};
use crate::query::{Query, Stage, StageOutcome};
use circuit::{SatInstance, UnsupportedOp};
pub(crate) use clauses::Clauses;
use labrys_expr::{Arena, VarId};
pub(crate) use sat::{Lit, Sat, SatResult};

/// At most 16 SAT instances are kept, each for other variables; the least recently used one goes.
const MAX_INSTANCES: usize = 16;
/// After 1,000 conflicts a query counts as hard. It then gets an instance of its own, in which the
/// SAT solver may also decide on the outputs of gates.
const EASY_CONFLICTS: u64 = 1_000;

/// The stage.
pub(crate) struct Blaster {
    /// Most recently used first.
    instances: Vec<SatInstance>,
    assumptions: Vec<Lit>,
    /// Conflicts allowed for one query.
    conflicts: u64,
    limits: QueryLimits,
    /// How many instances were thrown away.
    pub(crate) rebuilds: u64,
}

impl Blaster {
    pub(crate) fn new(conflicts: u64, limits: QueryLimits) -> Self {
        Blaster {
            instances: Vec::new(),
            assumptions: Vec::new(),
            conflicts,
            limits,
            rebuilds: 0,
        }
    }

    /// Drops everything, for instance because expressions were renumbered.
    pub(crate) fn forget(&mut self) {
        self.instances.clear();
    }

    pub(crate) fn clauses(&self) -> usize {
        self.instances.iter().map(|i| i.gates.sat.clauses()).sum()
    }

    /// Moves the instance for these inputs to the front: the one that knows most of them and has
    /// not many others.
    fn choose(&mut self, arena: &Arena, vars: &[VarId]) {
        let room = 2 * vars.len() + 8;
        let mut best: Option<(usize, usize)> = None;
        for (i, instance) in self.instances.iter().enumerate() {
            let shared = vars.iter().filter(|&&v| instance.knows(arena, v)).count();
            let fits = instance.inputs() + vars.len() - shared <= room;
            if fits && best.is_none_or(|(_, most)| shared > most) {
                best = Some((i, shared));
            }
        }
        let mut instance = match best {
            Some((i, _)) => self.instances.remove(i),
            None => SatInstance::new(false),
        };
        if instance.is_stale() {
            self.rebuilds += 1;
            instance = SatInstance::new(false);
        }
        self.instances.insert(0, instance);
        if self.instances.len() > MAX_INSTANCES {
            self.rebuilds += 1;
            self.instances.pop();
        }
    }
}

impl Stage for Blaster {
    fn answer(&mut self, arena: &Arena, query: &Query<'_>) -> StageOutcome {
        self.choose(arena, &query.vars);
        let deadline = self.limits.start();
        let Some(instance) = self.instances.first_mut() else {
            return StageOutcome::Pass(None);
        };
        let first = EASY_CONFLICTS.min(self.conflicts);
        let outcome = solve(
            instance,
            arena,
            query,
            &mut self.assumptions,
            (first, &deadline),
        );
        if outcome != StageOutcome::Pass(Some(UnknownReason::Limit)) || first == self.conflicts {
            return outcome;
        }
        let limits = (self.conflicts - first, &deadline);
        solve(
            &mut SatInstance::new(true),
            arena,
            query,
            &mut self.assumptions,
            limits,
        )
    }
}

/// Asks one instance, with a limit of conflicts and time.
fn solve(
    instance: &mut SatInstance,
    arena: &Arena,
    query: &Query<'_>,
    assumptions: &mut Vec<Lit>,
    (conflicts, deadline): (u64, &QueryDeadline),
) -> StageOutcome {
    assumptions.clear();
    for c in query.all() {
        match instance.literal(arena, c) {
            Ok(Lit::FALSE) => return StageOutcome::Unsat(Some(vec![c])),
            Ok(lit) => assumptions.push(lit),
            Err(UnsupportedOp) => return StageOutcome::Pass(Some(UnknownReason::Unsupported)),
        }
    }
    instance.note_query();
    match instance.gates.sat.solve(assumptions, conflicts, deadline) {
        SatResult::Limit => StageOutcome::Pass(Some(UnknownReason::Limit)),
        SatResult::Sat => {
            let values = query.vars.iter().map(|&v| (v, instance.value(arena, v)));
            StageOutcome::Sat(values.collect())
        }
        SatResult::Unsat => {
            let used = instance.gates.sat.core(assumptions);
            let core = query
                .all()
                .zip(used)
                .filter(|(_, used)| *used)
                .map(|(c, _)| c);
            StageOutcome::Unsat(Some(core.collect()))
        }
    }
}
