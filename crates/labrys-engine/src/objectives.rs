//! From annotation events to objectives.

use crate::bitset::BitSet;
use crate::mcdc::PairDecisions;
use labrys_ledger::{Decision, Objective, Trigger};
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
    /// Decisions with pairs.
    pub(crate) pair_decisions: PairDecisions,
}

impl ObjectiveMap {
    /// `wanted` says which objectives, by number, count in this run. `decisions` are those whose
    /// pairs are among them.
    pub fn new(
        objectives: &[Objective],
        decisions: &[Decision],
        wanted: impl Fn(usize, &Objective) -> bool,
    ) -> Self {
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
        let mut map = ObjectiveMap {
            by_trigger,
            triggers,
            labels,
            count,
            pair_decisions: PairDecisions::new(objectives, decisions, wanted),
        };
        for decision in decisions {
            map.add_halves(decision);
        }
        map
    }

    pub(crate) fn has_labels(&self) -> bool {
        !self.labels.is_empty()
    }

    /// The hidden objectives of a decision, with the labels that ask for them. The outcome of its
    /// only condition covers such an objective at once.
    fn add_halves(&mut self, decision: &Decision) {
        let Some(number) = self.pair_decisions.of(decision.number) else {
            return;
        };
        let goal = &self.pair_decisions.list[number as usize];
        for (condition, value) in goal.halves() {
            let half = goal.half(condition, value);
            let index = condition as u32;
            let trigger = match decision.half_label(index, value) {
                Some(id) => {
                    self.labels.insert(half, id);
                    Trigger::Label { id }
                }
                None if goal.single => Trigger::Condition {
                    decision: decision.number,
                    index,
                    value,
                },
                None => continue,
            };
            let covered = self.by_trigger.entry(trigger).or_default();
            covered.push(half as u32);
        }
    }

    /// The objectives that count, in order.
    pub(crate) fn listed(&self) -> impl Iterator<Item = usize> {
        let mut listed: Vec<usize> = self.triggers.keys().copied().collect();
        listed.sort_unstable();
        listed.into_iter()
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

    /// The label in front of a decision with pairs that asks for a half.
    pub(crate) fn label_of_half(&self, decision: u32, condition: u32, value: bool) -> Option<u32> {
        let number = self.pair_decisions.of(decision)?;
        let goal = &self.pair_decisions.list[number as usize];
        let is_one = (condition as usize) < goal.count();
        is_one.then(|| self.label_of(goal.half(condition as usize, value)))?
    }

    /// The objectives whose trigger is of a kind, by number.
    pub(crate) fn matching(&self, is_meant: impl Fn(Trigger) -> bool) -> Vec<u32> {
        let triggers = self.by_trigger.iter().filter(|(t, _)| is_meant(**t));
        let mut found: Vec<u32> = triggers.flat_map(|(_, list)| list).copied().collect();
        found.sort_unstable();
        found
    }

    /// Is it one of the ledger's, and not half a pair?
    #[inline]
    pub(crate) fn is_listed(&self, objective: usize) -> bool {
        objective < self.pair_decisions.first_half
    }

    /// What a trigger covers, and the pairs of the decision that begins with it.
    pub(crate) fn aims_of(&self, trigger: Trigger) -> Vec<u32> {
        let mut aims = self.covered_by(trigger).to_vec();
        aims.extend(self.pair_decisions.begun_by(trigger));
        aims
    }

    #[inline]
    pub(crate) fn covered_by(&self, trigger: Trigger) -> &[u32] {
        self.by_trigger.get(&trigger).map_or(&[], Vec::as_slice)
    }
}
