//! From annotation events to objectives.

use crate::state::BitSet;
use labrys_ledger::{Objective, Trigger};
use rustc_hash::FxHashMap;

/// Which objectives an event covers. Most events cover none or one.
#[derive(Debug, Default)]
pub struct ObjectiveMap {
    by_trigger: FxHashMap<Trigger, Vec<u32>>,
    /// From an objective to its trigger.
    triggers: FxHashMap<usize, Trigger>,
    /// From an objective to the label that covers it.
    labels: FxHashMap<usize, u32>,
    pub(crate) count: usize,
}

impl ObjectiveMap {
    /// `wanted` says which objectives, by number, count in this run.
    pub fn new(objectives: &[Objective], wanted: impl Fn(usize, &Objective) -> bool) -> Self {
        let mut by_trigger: FxHashMap<Trigger, Vec<u32>> = FxHashMap::default();
        let mut triggers = FxHashMap::default();
        let mut labels = FxHashMap::default();
        let mut count = 0;
        for (index, objective) in objectives.iter().enumerate() {
            if wanted(index, objective) {
                by_trigger
                    .entry(objective.trigger)
                    .or_default()
                    .push(index as u32);
                triggers.insert(index, objective.trigger);
                if let Trigger::Label { id } = objective.trigger {
                    labels.insert(index, id);
                }
                count += 1;
            }
        }
        ObjectiveMap {
            by_trigger,
            triggers,
            labels,
            count,
        }
    }

    /// How many objectives count.
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The labels that count.
    pub(crate) fn labels(&self) -> BitSet {
        let mut labels = BitSet::default();
        // A set: the order does not matter.
        self.labels
            .values()
            .for_each(|id| labels.insert(*id as usize));
        labels
    }

    pub(crate) fn trigger(&self, objective: usize) -> Option<Trigger> {
        self.triggers.get(&objective).copied()
    }

    pub(crate) fn label_of(&self, objective: usize) -> Option<u32> {
        self.labels.get(&objective).copied()
    }

    /// The objectives whose trigger is of a kind, by number.
    pub(crate) fn matching(&self, is_meant: impl Fn(Trigger) -> bool) -> Vec<u32> {
        let triggers = self.by_trigger.iter().filter(|(t, _)| is_meant(**t));
        let mut found: Vec<u32> = triggers.flat_map(|(_, list)| list).copied().collect();
        found.sort_unstable();
        found
    }

    #[inline]
    pub(crate) fn covered_by(&self, trigger: Trigger) -> &[u32] {
        self.by_trigger.get(&trigger).map_or(&[], Vec::as_slice)
    }
}
