//! States grow only so often: what has grown too often becomes what the analysis of the whole program
//! says of it.

use super::keys::CaseKeys;
use super::state::{CaseState, CaseValue};
use crate::places::MemoryPlace;
use crate::value_set::ValueSet;
use labrys_ir::{FuncId, Reg};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A named set of numbers may grow so often, and a range.
const MAX_NAMED_GROWTHS: u32 = 4;
const MAX_RANGE_GROWTHS: u32 = 1;

/// What holds in all runs, as the analysis without cases has found it.
#[derive(Debug, Default)]
pub(crate) struct CaseBounds {
    /// By function and register.
    pub(crate) registers: Vec<Vec<Option<ValueSet>>>,
    /// What places can hold at any time.
    pub(crate) places: BTreeMap<MemoryPlace, ValueSet>,
}

impl CaseBounds {
    pub(super) fn register(&self, function: FuncId, reg: Reg) -> Option<&ValueSet> {
        let of_function = self.registers.get(function.index())?;
        of_function.get(reg.index())?.as_ref()
    }

    pub(super) fn place(&self, place: MemoryPlace) -> Option<&ValueSet> {
        self.places.get(&place)
    }
}

/// How often each part of a state has grown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CaseGrowth {
    /// Somebody has gone on from the state as it is. What comes before that is no growth.
    pub(super) is_used: bool,
    registers: BTreeMap<Reg, u32>,
    places: BTreeMap<MemoryPlace, u32>,
}

fn is_too_often(times: u32, value: &ValueSet) -> bool {
    match value.members.get() {
        Some(_) => times > MAX_NAMED_GROWTHS,
        None => times > MAX_RANGE_GROWTHS,
    }
}

impl CaseGrowth {
    /// The old state with what the new one adds to it.
    pub(super) fn join(
        &mut self,
        old: &CaseState,
        new: &CaseState,
        bounds: &CaseBounds,
        keys: &CaseKeys,
        function: FuncId,
    ) -> CaseState {
        let mut joined = old.join(new);
        if !self.is_used || joined == *old {
            return joined;
        }
        self.is_used = false;
        let mut wide_registers = Vec::new();
        for (reg, value) in joined.registers() {
            let CaseValue::Number(value) = value else {
                continue;
            };
            if let Some(CaseValue::Number(before)) = old.register(*reg)
                && before != value
            {
                let times = self.registers.entry(*reg).or_default();
                *times += 1;
                if is_too_often(*times, value) {
                    wide_registers.push(*reg);
                }
            }
        }
        for reg in wide_registers {
            let bound = bounds.register(function, reg);
            joined.refine(reg, bound.and_then(|value| CaseValue::number(*value)));
        }
        let mut wide_places = Vec::new();
        for (place, value) in joined.cells() {
            if let Some(before) = old.cell(*place)
                && before != value
            {
                let times = self.places.entry(*place).or_default();
                *times += 1;
                if is_too_often(*times, value) {
                    wide_places.push(*place);
                }
            }
        }
        for place in wide_places {
            // A kept place stays in its class.
            let bound = match (keys.places.get(&place), bounds.place(place)) {
                (None, bound) => bound.copied(),
                (Some(classes), bound) => {
                    let all = bound.copied().unwrap_or(ValueSet::top(place.width));
                    let class = classes.class(old.cell(place).map(|value| &**value));
                    let mut parts = classes.parts(&all).into_iter();
                    let own = parts.find(|(part, _)| *part == class);
                    own.map(|(_, part)| part).or(Some(all))
                }
            };
            joined.set_cell(place, bound.map(Rc::new));
        }
        joined
    }
}
