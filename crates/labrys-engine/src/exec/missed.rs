//! Outcomes that paths come to and exclude, and that would be new: they are open, or no run has had them in
//! this context of calls. The search looks for detours to them.

use super::Machine;
use crate::candidates::MissedOutcome;
use crate::config::Search;
use labrys_ir::Reg;
use labrys_ledger::Trigger;
use labrys_solver::PathCondition;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// An outcome is noted when it is missed for the first time, the second, the fourth, and so on, up to this
/// time: the paths differ from each other, and most outcomes that are missed so often are infeasible.
const LAST_NOTE: u32 = 1 << 12;

/// So many calls are the context of a condition.
const MOST_CALLS: usize = 16;

/// A condition with its calls, and an outcome.
type OutcomeInContext = u64;

#[derive(Default)]
pub(crate) struct MissedOutcomes {
    /// What runs have had.
    had: FxHashSet<OutcomeInContext>,
    times: FxHashMap<OutcomeInContext, u32>,
}

impl MissedOutcomes {
    /// An outcome is missed once more; is that noted?
    pub(crate) fn counts(&mut self, outcome: OutcomeInContext) -> bool {
        let times = self.times.entry(outcome).or_default();
        *times = times.saturating_add(1);
        times.is_power_of_two() && *times <= LAST_NOTE
    }
}

impl Machine<'_> {
    /// Does this search make detours? One that wants each path once does not.
    pub(crate) fn makes_detours(&self) -> bool {
        let config = self.config;
        let by_promise = matches!(config.search, Search::Mix | Search::Novelty);
        by_promise && !config.every_path && !config.exhaust && !self.looks_at_sets()
    }

    /// The path in front of a condition, if its value depends on the input and the search makes detours.
    pub(super) fn path_to_condition(&self, reg: Reg) -> Option<PathCondition> {
        let counts = self.get(reg).expr.is_some()
            && self.makes_detours()
            && self.mode.forks()
            && self.state.speculation.is_none();
        counts.then(|| self.state.path.clone())
    }

    /// A condition on the input has come out as `value`; the other way is a candidate, or impossible.
    pub(super) fn note_outcome(
        &mut self,
        path: PathCondition,
        (decision, index): (u32, u32),
        (reg, value): (Reg, bool),
        is_possible: bool,
    ) {
        let here = self.context(value);
        self.missed.had.insert(here);
        if is_possible {
            return;
        }
        let (missed, outcome) = (self.context(!value), !value);
        let trigger = Trigger::Condition {
            decision,
            index,
            value: outcome,
        };
        let is_new = self.is_open(trigger) || !self.missed.had.contains(&missed);
        if !is_new || !self.missed.counts(missed) {
            return;
        }
        let e = self.expr(reg);
        let zero = self.arena.constant(self.arena.width(e), 0);
        let goal = match outcome {
            true => self.arena.ne(e, zero),
            false => self.arena.eq(e, zero),
        };
        self.left.missed.push(MissedOutcome {
            path,
            goal,
            number: self.state.forks,
            input: self.current.model.clone(),
        });
    }

    fn context(&self, outcome: bool) -> OutcomeInContext {
        let mut hasher = FxHasher::default();
        outcome.hash(&mut hasher);
        let frames = std::iter::successors(Some(&self.state.frame), |f| f.parent.as_deref());
        for frame in frames.take(MOST_CALLS) {
            (frame.function, frame.pc).hash(&mut hasher);
        }
        hasher.finish()
    }
}
