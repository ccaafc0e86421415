//! What orders the candidates that wait. The strategies are in `search`.

use super::coverage_structure::CoverageStructure;
use super::pool::{Pool, Ticket};
use super::thread_findings::{BranchDistances, ThreadFindings};
use crate::bitset::BitSet;
use crate::objectives::ObjectiveMap;
use labrys_expr::{ExprId, Model, VarId};
use labrys_ledger::Trigger;
use labrys_solver::{PathCondition, PossibleValues};
use std::rc::Rc;

/// What is known of values that depend on the input.
pub(crate) trait InputValues {
    /// A number for the values that a path allows an expression to have: the same for the same values.
    fn possible(&mut self, path: &PathCondition, value: ExprId) -> PossibleValues;

    /// The same for an input.
    fn possible_inputs(&mut self, path: &PathCondition, input: VarId) -> PossibleValues;

    /// The inputs on which an expression depends.
    fn inputs_of(&self, value: ExprId, visit: &mut dyn FnMut(VarId));
}

/// What a strategy can look at.
pub(crate) struct SearchView<'a, 'm> {
    pub(crate) pool: &'a Pool,
    /// The objectives that need no test any more.
    pub(crate) covered: &'a BitSet,
    pub(crate) structure: Option<&'a mut (dyn CoverageStructure + 'm)>,
    pub(crate) objectives: &'a ObjectiveMap,
    /// The last run has covered something.
    pub(crate) fruitful: bool,
    /// How near the last run came to open outcomes of conditions.
    pub(crate) distances: &'a BranchDistances,
    /// The input of the last run.
    pub(crate) input: &'a Rc<Model>,
}

impl SearchView<'_, '_> {
    /// Does a trigger cover anything that is open?
    pub(crate) fn is_open(&self, trigger: Trigger) -> bool {
        let mut objectives = self.objectives.covered_by(trigger).iter();
        objectives.any(|o| !self.covered.contains(*o as usize))
    }
}

/// An order of the candidates that wait.
pub(crate) trait Strategy {
    /// Takes in what the last run left behind, oldest first. The run came from the candidate that
    /// was taken last.
    fn add(&mut self, tickets: &[Ticket], view: &mut SearchView<'_, '_>);

    /// Looks at the states of what the last run left behind, before that is added.
    fn look(
        &mut self,
        _tickets: &[Ticket],
        _pool: &Pool,
        _found: &ThreadFindings,
        _values: &mut dyn InputValues,
    ) {
    }

    /// The candidate to take next, one that waits in the pool.
    fn next(&mut self, view: &mut SearchView<'_, '_>) -> Option<Ticket>;

    /// Candidates whose goals the chosen one should meet as well, if it can.
    fn wishes(&self) -> &[Ticket] {
        &[]
    }

    /// An input that satisfies the path of the chosen one, and that its run should keep as far as it can;
    /// if there is none, it is the input of the run that has left it.
    fn input(&mut self) -> Option<Rc<Model>> {
        None
    }

    /// This one was taken, whoever chose it.
    fn taken(&mut self, _ticket: Ticket) {}

    /// This one waits no longer, and was not taken.
    fn forget(&mut self, _ticket: Ticket) {}

    /// Candidates that can be done without if there is no memory for all, so many at most. Unless a
    /// strategy knows better, every second one.
    fn last(&mut self, number: usize, pool: &Pool) -> Vec<Ticket> {
        let mut all: Vec<Ticket> = pool.iter().map(|(ticket, _)| ticket).collect();
        all.sort_unstable();
        all.into_iter().step_by(2).take(number).collect()
    }

    /// Does the newest candidate wait longest?
    fn prefers_old(&self) -> bool {
        false
    }
}
