//! What is known of the labels so far: which are open, and for which an exhausted search is no proof.

use super::Machine;
use super::incidental::MOST_FUTILE_RECHECKS;
use crate::bitset::BitSet;
use crate::config::Instrumentation;
use crate::objectives::ObjectiveMap;
use crate::report::Unproved;
use crate::state::IncidentalHits;
use labrys_ledger::Trigger;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What is known of the labels, over all runs.
pub(crate) struct LabelProgress {
    /// Labels that are worth looking at.
    pub(crate) open: BitSet,
    /// Labels for which an exhausted search is no proof, or rests on something.
    pub(crate) unproved: BTreeMap<u32, BTreeSet<Unproved>>,
    /// Objectives whose label's predicate may fault on some path.
    pub(crate) faulted: BTreeSet<usize>,
    /// Evaluate every passage of a label, whatever the current model has covered.
    pub(super) check_every_passage: bool,
    /// How often the labels of a path may still be checked under another model without a success.
    pub(super) rechecks_left: u32,
    /// The empty set, shared by all states.
    pub(crate) no_incidental: Rc<IncidentalHits>,
}

impl LabelProgress {
    pub(super) fn new(objectives: &ObjectiveMap) -> Self {
        LabelProgress {
            open: objectives.labels(),
            unproved: BTreeMap::new(),
            faulted: BTreeSet::new(),
            check_every_passage: false,
            rechecks_left: MOST_FUTILE_RECHECKS,
            no_incidental: Rc::default(),
        }
    }
}

impl Machine<'_> {
    /// A fault in the label's predicate is possible on this path: what the compiled program
    /// evaluates it to there means nothing.
    pub(super) fn may_fault(&mut self, label: u32) {
        let trigger = Trigger::Label { id: label };
        for &objective in self.objectives.covered_by(trigger) {
            let objective = objective as usize;
            if !self.state.faulted.contains(objective) {
                Rc::make_mut(&mut self.state.faulted).insert(objective);
                self.labels.faulted.insert(objective);
            }
        }
    }

    /// The predicate that is being evaluated, if any, depends on a pointer that another input may
    /// lead astray.
    pub(super) fn mark_label_doubtful(&mut self) {
        if let Some(label) = self.state.speculation.as_ref().map(|s| s.label) {
            self.may_fault(label);
        }
    }

    /// The label may hold in a place that was not searched.
    pub(crate) fn unproved(&mut self, label: u32, why: Unproved) {
        if let Some(speculation) = &self.state.speculation {
            self.findings.pairs.passes.leave_open(speculation.asked);
        }
        self.labels.unproved.entry(label).or_default().insert(why);
    }

    /// What happens inside a label's predicate concerns only that label.
    pub(super) fn label_gap(&mut self, why: impl FnOnce() -> Unproved) -> bool {
        let label = self.state.speculation.as_ref().map(|s| s.label);
        if let Some(label) = label {
            self.unproved(label, why());
        }
        label.is_some()
    }

    /// Looks again which labels are open, after objectives have been covered.
    pub(crate) fn close_labels(&mut self, covered: &[usize]) {
        if self.config.instrumentation != Instrumentation::TightIdl2 {
            return;
        }
        for objective in covered {
            if let Some(label) = self.objectives.label_of(*objective) {
                let trigger = Trigger::Label { id: label };
                let mut all = self.objectives.covered_by(trigger).iter();
                if all.all(|o| self.findings.covered.contains(*o as usize)) {
                    self.labels.open.remove(label as usize);
                }
            }
        }
    }

    /// A path was replayed that has covered a label as its leaf.
    pub(crate) fn cover_again(&mut self, label: u32) {
        self.state.leaf_label = Some(label);
        self.cover(Trigger::Label { id: label });
    }

    /// A leaf's path has ended well.
    pub(crate) fn close_leaf(&mut self) {
        let covered = self.mode.covered_label();
        if let Some(label) = covered.or(self.state.leaf_label) {
            self.work.labels.covered += 1;
            if self.config.instrumentation == Instrumentation::TightIdl1 {
                self.labels.open.remove(label as usize);
            }
        }
    }

    /// Natively the predicate has whatever lies in memory, so the label may hold.
    pub(super) fn reads_uninitialised(&mut self, label: u32) {
        let reason = "its predicate depends on uninitialised memory".to_owned();
        self.unproved(label, Unproved::Gap(reason));
    }
}
