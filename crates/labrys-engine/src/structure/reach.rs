//! Which objectives can be covered from given instructions on, whatever the values are.

use super::flow::Flow;
use crate::bitset::BitSet;
use crate::objectives::ObjectiveMap;
use crate::program::Program;
use crate::program::annotations::{Numbers, triggers_of};
use labrys_ir::FuncId;
use labrys_ledger::Trigger;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The flow of control, to ask what can be reached.
pub(crate) struct Reach<'m> {
    program: &'m Program<'m>,
    objectives: &'m ObjectiveMap,
    flow: Flow,
}

/// What can be covered from some places on.
pub(crate) enum ReachableObjectives {
    Everything,
    Only(BitSet),
}

impl ReachableObjectives {
    pub(crate) fn contains(&self, objective: usize) -> bool {
        match self {
            ReachableObjectives::Everything => true,
            ReachableObjectives::Only(set) => set.contains(objective),
        }
    }
}

impl<'m> Reach<'m> {
    pub(crate) fn new(program: &'m Program<'m>, objectives: &'m ObjectiveMap) -> Self {
        Reach {
            program,
            objectives,
            flow: Flow::new(program, objectives),
        }
    }

    /// What can be covered from these instructions on. A run that is at one of them may be in the
    /// middle of a decision of its function, whose pairs are then at stake, too.
    /// So are those of the annotations `triggers`.
    pub(crate) fn from(
        &self,
        instructions: &FxHashSet<(FuncId, u32)>,
        triggers: &BTreeSet<Trigger>,
    ) -> ReachableObjectives {
        let graph = &self.flow.graph;
        let mut found = BitSet::default();
        for trigger in triggers {
            let covered = self.objectives.covered_by(*trigger);
            covered.iter().for_each(|o| found.insert(*o as usize));
            self.pairs_at(*trigger, &mut found);
        }
        let mut seen = vec![false; graph.successors.len()];
        let mut functions = FxHashSet::default();
        let mut open: Vec<u32> = Vec::new();
        // A set in, a set out: the order does not matter.
        #[expect(clippy::iter_over_hash_type)]
        for &(function, pc) in instructions {
            open.push(self.flow.node_at(function, pc));
            if functions.insert(function) {
                self.pairs_of(function, &mut found);
            }
        }
        while let Some(node) = open.pop() {
            let node = node as usize;
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            if graph.wild.contains(&(node as u32)) {
                return ReachableObjectives::Everything;
            }
            for objective in &graph.owned[node] {
                found.insert(*objective as usize);
            }
            let number = node as u32;
            if !self.flow.extra_calls.contains(&number) {
                open.extend(&graph.successors[node]);
            }
            if self.flow.stub_effects.contains(&number) {
                open.extend(&self.flow.unknown_ways);
            }
        }
        ReachableObjectives::Only(found)
    }

    /// The pairs of all decisions in a function.
    fn pairs_of(&self, function: FuncId, found: &mut BitSet) {
        let code = &self.program.module.functions[function.index()];
        let numbers = Numbers::of(code);
        for inst in &code.code {
            for trigger in triggers_of(inst, code, &numbers, &self.program.targets) {
                self.pairs_at(trigger, found);
            }
        }
    }

    /// The pairs of the decision that a condition belongs to.
    fn pairs_at(&self, trigger: Trigger, found: &mut BitSet) {
        if let Trigger::Condition { decision, .. } = trigger {
            let pairs = self.objectives.pair_decisions.objectives_of(decision);
            pairs.for_each(|objective| found.insert(objective as usize));
        }
    }
}
