//! What is still to be proved over sets of states: groups of objectives, each with the places that are kept
//! and the terms that are compared in the next graph for them.

use crate::config::{Config, WorkAmount};
use crate::memory::ObjectNumbers;
use crate::objectives::ObjectiveMap;
use crate::states::{KeptPlace, RelationTerms};
use labrys_ledger::Trigger;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

/// Graphs of so many nodes are tried first, then larger ones.
pub(super) const MOST_NODES: [usize; 3] = [1_000, 5_000, 25_000];

/// The same, as a multiple of the number of nodes where nothing is kept.
const TIMES_AS_MANY_NODES: [usize; 3] = [3, 10, 30];

/// What the graph is for some objectives. They are looked at in this order: graphs with relations come after
/// all others, since they cost more.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KeptGroup {
    has_relations: bool,
    /// How large it may become.
    pub(super) level: usize,
    /// How much is kept, and compared that is costly.
    size: usize,
    pub(super) kept: BTreeSet<KeptPlace>,
    pub(super) compared: BTreeSet<usize>,
}

/// What a graph has cost.
#[derive(Clone, Copy)]
pub(super) struct LookCost {
    pub(super) work: WorkAmount,
    /// None without a deadline.
    pub(super) time: Option<Duration>,
}

/// What is still to be looked at, from one look to the next.
pub(super) struct StateProofs {
    /// After so many paths of the search.
    pub(super) after: u64,
    pub(super) agenda: BTreeMap<KeptGroup, BTreeSet<usize>>,
    /// Places that have too many values to be kept.
    pub(super) never: BTreeSet<KeptPlace>,
    /// The number of nodes where nothing is kept.
    pub(super) least_nodes: usize,
    /// What it cost to look at all of them, once that was done.
    pub(super) least_cost: Option<LookCost>,
    /// What the last look could use, if that was not enough.
    pub(super) ran_out: Option<WorkAmount>,
    /// It has found nothing, either.
    pub(super) is_hopeless: bool,
    /// The objects of the program have the same numbers in all graphs.
    pub(super) numbers: Option<ObjectNumbers>,
    /// What the source calls places.
    pub(super) names: BTreeMap<KeptPlace, String>,
    /// What the program compares.
    pub(super) terms: Rc<RefCell<RelationTerms>>,
}

impl StateProofs {
    pub(super) fn new(config: &Config, objectives: &ObjectiveMap) -> StateProofs {
        // With every path wanted, nothing is left out.
        let after = match config.every_path || config.exhaust {
            true => u64::MAX,
            false => config.state_proofs_after,
        };
        let wanted = (objectives.listed()).filter(|objective| !is_pair(objectives, *objective));
        StateProofs {
            after,
            agenda: BTreeMap::from([(KeptGroup::default(), wanted.collect())]),
            never: BTreeSet::new(),
            least_nodes: 0,
            least_cost: None,
            ran_out: None,
            is_hopeless: false,
            numbers: None,
            names: BTreeMap::new(),
            terms: Rc::default(),
        }
    }

    /// How many nodes a graph may have.
    pub(super) fn most_nodes(&self, level: usize, kept: &BTreeSet<KeptPlace>) -> usize {
        match kept.is_empty() {
            // There is at most one node for each join and stack of calls, and one for each shape of memory.
            true => MOST_NODES[MOST_NODES.len() - 1],
            false => MOST_NODES[level].max(self.least_nodes * TIMES_AS_MANY_NODES[level]),
        }
    }

    pub(super) fn add(
        &mut self,
        level: usize,
        kept: BTreeSet<KeptPlace>,
        compared: BTreeSet<usize>,
        group: BTreeSet<usize>,
    ) {
        let terms = self.terms.borrow();
        let is_costly = |root: &usize| !terms.is_plain(*root) || terms.has_guard(*root);
        let costly = compared.iter().filter(|root| is_costly(root));
        let size = kept.len() + costly.count();
        drop(terms);
        let key = KeptGroup {
            has_relations: !compared.is_empty(),
            level,
            size,
            kept,
            compared,
        };
        self.agenda.entry(key).or_default().extend(group);
    }

    /// Does no other graph wait that comes before those with relations, or is it one of these and the last?
    pub(super) fn is_last_of_its_kind(&self, key: &KeptGroup) -> bool {
        let next = self.agenda.keys().next();
        next.is_none_or(|next| next.has_relations && !key.has_relations)
    }

    /// What is compared in the next graph for an objective.
    pub(super) fn next_compared(
        &self,
        before: &BTreeSet<usize>,
        found: &BTreeMap<usize, BTreeSet<usize>>,
        objective: usize,
    ) -> BTreeSet<usize> {
        let terms = self.terms.borrow();
        let own = found.get(&objective).into_iter().flatten();
        let own: BTreeSet<usize> = before.iter().chain(own).copied().collect();
        // Places alone cost little, and what holds of them may help the others. Where none of these is
        // asked for only under a condition, such are left out.
        let has_guard = own.iter().any(|root| terms.has_guard(*root));
        let plain = found
            .values()
            .flatten()
            .filter(|root| terms.is_plain(**root));
        let plain = plain.filter(|root| has_guard || !terms.has_guard(**root));
        plain.copied().chain(own.iter().copied()).collect()
    }
}

/// A pair needs two runs, and is found by what is known of each.
pub(super) fn is_pair(objectives: &ObjectiveMap, objective: usize) -> bool {
    matches!(objectives.trigger(objective), Some(Trigger::Pair { .. }))
}
