//! States that runs went through, as plain values, at the starts of blocks. They tell which predicates are
//! reached without a query, which parts of a predicate can be left out, and where pointers lead.

use super::call_strings::CallStringId;
use super::places::{StatePlace, StatePlaces};
use super::predecessors::ProgramPoint;
use super::segment::Terms;
use crate::memory::ObjectId;
use labrys_expr::{Arena, Evaluator, ExprId, Model};
use std::collections::BTreeMap;

/// At most so many states of a place are kept: those with other values in memory, then the first half of
/// them and the latest.
const MOST_SAMPLES: usize = 48;

/// The values of a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    pub(super) registers: BTreeMap<CallStringId, Vec<u64>>,
    pub(super) memory: BTreeMap<ObjectId, Vec<u8>>,
}

#[derive(Default)]
pub(super) struct Samples {
    by_place: BTreeMap<ProgramPoint, Vec<KeptSample>>,
    evaluator: Evaluator,
}

struct KeptSample {
    sample: Sample,
    /// Its values by variable, for as many variables as there were.
    model: Model,
    known: usize,
}

impl Sample {
    fn value(&self, place: StatePlace) -> Option<u64> {
        match place {
            StatePlace::Register { frame, reg } => {
                self.registers.get(&frame)?.get(reg.index()).copied()
            }
            StatePlace::ObjectPart(cell) => {
                let bytes = self.memory.get(&cell.object)?;
                let start = cell.offset as usize;
                let bytes = bytes.get(start..start + cell.len as usize)?;
                let value = bytes
                    .iter()
                    .rev()
                    .fold(0, |value, byte| value << 8 | u64::from(*byte));
                Some(value)
            }
            StatePlace::PendingSwitch => Some(u64::from(u32::MAX)),
            StatePlace::Base(object) => Some(object.base()),
        }
    }
}

impl Samples {
    pub(super) fn new() -> Samples {
        Samples {
            by_place: BTreeMap::new(),
            evaluator: Evaluator::new(),
        }
    }

    pub(super) fn add(&mut self, place: ProgramPoint, sample: Sample) {
        let kept = self.by_place.entry(place).or_default();
        if kept.len() >= MOST_SAMPLES {
            let is_same = |known: &KeptSample| known.sample.memory == sample.memory;
            kept.remove(kept.iter().position(is_same).unwrap_or(MOST_SAMPLES / 2));
        }
        kept.push(KeptSample {
            sample,
            model: Model::new(),
            known: 0,
        });
    }

    pub(super) fn count(&self) -> usize {
        self.by_place.values().map(Vec::len).sum()
    }

    /// For each state of a place, whether each of these conditions holds in it.
    pub(super) fn truths(
        &mut self,
        terms: &Terms,
        place: ProgramPoint,
        conditions: &[ExprId],
    ) -> Vec<Vec<bool>> {
        let Some(kept) = self.by_place.get_mut(&place) else {
            return Vec::new();
        };
        let mut truths = Vec::new();
        for kept in kept {
            kept.learn(&terms.places);
            self.evaluator.reset();
            let conditions = conditions.iter();
            let holds = conditions
                .map(|c| {
                    !is_about_allocated(terms, *c)
                        && self.evaluator.eval(&terms.arena, &kept.model, *c) != 0
                })
                .collect();
            truths.push(holds);
        }
        truths
    }

    /// The values of the latest state of a place.
    pub(super) fn latest(&mut self, places: &StatePlaces, place: ProgramPoint) -> Option<Model> {
        let kept = self.by_place.get_mut(&place)?.last_mut()?;
        kept.learn(places);
        Some(kept.model.clone())
    }
}

impl KeptSample {
    fn learn(&mut self, places: &StatePlaces) {
        if self.known == places.count() {
            return;
        }
        for (var, place) in places.all().skip_while(|(var, _)| var.index() < self.known) {
            if let Some(value) = self.sample.value(place) {
                self.model.set(var, value);
            }
        }
        self.known = places.count();
    }
}

/// The value of an expression under a model.
pub(super) fn value_under(arena: &Arena, model: &Model, e: ExprId) -> u64 {
    Evaluator::new().eval(arena, model, e) as u64
}

/// States have no objects that were allocated: nobody knows whether such a condition holds.
fn is_about_allocated(terms: &Terms, condition: ExprId) -> bool {
    let mut vars = terms.arena.vars_iter(terms.arena.vars(condition));
    vars.any(|var| match terms.places.place(var) {
        Some(StatePlace::ObjectPart(part)) => terms.places.is_allocated(part.object),
        Some(StatePlace::Base(object)) => terms.places.is_allocated(object),
        _ => false,
    })
}
