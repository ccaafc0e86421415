//! From annotation events to objectives.

use labrys_ledger::{Objective, Trigger};
use rustc_hash::FxHashMap;

/// Which objectives an event covers. Most events cover none or one.
#[derive(Debug, Default)]
pub struct ObjectiveMap {
    by_trigger: FxHashMap<Trigger, Vec<u32>>,
    pub(crate) count: usize,
}

impl ObjectiveMap {
    /// `wanted` says which objectives, by number, count in this run.
    pub fn new(objectives: &[Objective], wanted: impl Fn(usize, &Objective) -> bool) -> Self {
        let mut by_trigger: FxHashMap<Trigger, Vec<u32>> = FxHashMap::default();
        let mut count = 0;
        for (index, objective) in objectives.iter().enumerate() {
            if wanted(index, objective) {
                by_trigger
                    .entry(objective.trigger)
                    .or_default()
                    .push(index as u32);
                count += 1;
            }
        }
        ObjectiveMap { by_trigger, count }
    }

    /// How many objectives count.
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    pub(crate) fn covered_by(&self, trigger: Trigger) -> &[u32] {
        self.by_trigger.get(&trigger).map_or(&[], Vec::as_slice)
    }
}
