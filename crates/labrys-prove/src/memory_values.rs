//! Values of memory that pass between functions: what variables hold when a function is called and
//! when it returns, and everything that is ever stored to a variable that only the program itself
//! can name.

use crate::cells::Cells;
use crate::constant_tables::initial;
use crate::places::{Base, MemoryPlace};
use crate::pointer_shape::OffsetSteps;
use crate::relations::PassedRelations;
use crate::sweep::SweepMode;
use crate::value_set::{ValueSet, WideningThresholds};
use labrys_ir::{FuncId, GlobalId, Module};
use std::collections::{BTreeMap, BTreeSet};

/// Values may grow four times before their bounds are widened.
const GROWTHS_BEFORE_WIDENING: u8 = 4;
/// After 24 growths what still changes may be anything, so that the analysis ends. A set may grow by
/// one number at a time.
const GROWTHS_BEFORE_GIVING_UP: u8 = 100;

/// The values of memory at one moment of a function: over all of its calls, or returns.
#[derive(Clone, Debug, Default)]
struct PassedCells {
    cells: Option<Cells>,
    /// What is so without any call that is seen.
    always: Option<Cells>,
    grown: u8,
    /// What the present round has seen.
    next: Option<Cells>,
}

impl PassedCells {
    /// Adds values; true if they are new.
    fn grow(&mut self, given: &Cells, thresholds: &WideningThresholds) -> bool {
        let Some(old) = &self.cells else {
            self.cells = Some(given.clone());
            return true;
        };
        let joined = old.join(given);
        if joined == *old {
            return false;
        }
        self.grown = self.grown.saturating_add(1);
        self.cells = Some(grown(old, &joined, self.grown, thresholds));
        true
    }

    fn add_to_round(&mut self, given: &Cells) {
        self.next = Some(match &self.next {
            None => given.clone(),
            Some(old) => old.join(given),
        });
    }

    fn shrink(&mut self) {
        if let Some(next) = self.next.take() {
            self.cells = Some(match &self.always {
                None => next,
                Some(always) => always.join(&next),
            });
        }
    }
}

/// At most four numbers that a function returns are told apart, so that joining stays cheap.
const MAX_RESULTS: usize = 4;

/// What memory holds when a function has returned, by the number that it returns first; none is all
/// others.
#[derive(Clone, Debug, Default)]
struct ReturnedCells {
    by_result: BTreeMap<Option<u64>, PassedCells>,
    /// What is returned where it is none of the numbers.
    others: Option<ValueSet>,
    others_grown: u8,
}

impl ReturnedCells {
    fn key(&self, value: Option<ValueSet>) -> Option<u64> {
        let number = value?.as_constant()?;
        let count = self.by_result.keys().flatten().count();
        let is_known = self.by_result.contains_key(&Some(number));
        (is_known || count < MAX_RESULTS).then_some(number)
    }

    /// Adds to what is returned beside the numbers; true if that is new.
    fn add_other(&mut self, value: ValueSet) -> bool {
        let joined = self.others.map_or(value, |old| old.join(&value));
        if self.others == Some(joined) {
            return false;
        }
        self.others_grown = self.others_grown.saturating_add(1);
        self.others = Some(match self.others_grown {
            0..=GROWTHS_BEFORE_WIDENING => joined,
            _ => ValueSet::top(joined.width),
        });
        true
    }
}

/// What `old` becomes when it has grown to `next` for so many times.
pub(crate) fn grown(
    old: &Cells,
    next: &Cells,
    times: u8,
    thresholds: &WideningThresholds,
) -> Cells {
    match times {
        0..=GROWTHS_BEFORE_WIDENING => next.clone(),
        GROWTHS_BEFORE_GIVING_UP.. => old.common(next),
        _ => old.widen(next, thresholds),
    }
}

/// What is stored to one place.
#[derive(Clone, Debug)]
struct StoredValues {
    value: ValueSet,
    grown: u8,
    next: Option<ValueSet>,
}

/// All stores to one variable.
#[derive(Clone, Debug, Default)]
struct VariableStores {
    by_place: BTreeMap<(i64, u8), StoredValues>,
    /// Where something is stored of which the place is not known, and how many bytes.
    somewhere: Vec<(OffsetSteps, u64)>,
    readers: BTreeSet<FuncId>,
}

pub(crate) struct MemoryValues {
    at_call: Vec<PassedCells>,
    at_return: Vec<ReturnedCells>,
    variables: Vec<VariableStores>,
    /// The relations at calls and returns, by function.
    pub(crate) relations_at_call: Vec<PassedRelations>,
    pub(crate) relations_at_return: Vec<PassedRelations>,
    thresholds: WideningThresholds,
    /// Functions to be looked at again.
    pub(crate) dirty: BTreeSet<FuncId>,
}

impl MemoryValues {
    pub(crate) fn new(
        module: &Module,
        thresholds: WideningThresholds,
        locals: &BTreeMap<GlobalId, FuncId>,
    ) -> MemoryValues {
        let count = module.functions.len();
        let mut variables = vec![VariableStores::default(); module.globals.len()];
        for id in locals.keys() {
            // A local may hold anything when its function starts.
            variables[id.index()].somewhere = vec![(OffsetSteps::ALL, 1)];
        }
        MemoryValues {
            at_call: vec![PassedCells::default(); count],
            at_return: vec![ReturnedCells::default(); count],
            variables,
            relations_at_call: vec![PassedRelations::default(); count],
            relations_at_return: vec![PassedRelations::default(); count],
            thresholds,
            dirty: BTreeSet::new(),
        }
    }

    /// The constants of the program, at which widening stops first.
    pub(crate) fn thresholds(&self) -> &WideningThresholds {
        &self.thresholds
    }

    /// A function is called from outside while memory holds this.
    pub(crate) fn open(&mut self, id: FuncId, cells: &Cells) {
        let passed = &mut self.at_call[id.index()];
        passed.always = Some(match &passed.always {
            None => cells.clone(),
            Some(other) => other.join(cells),
        });
        if passed.grow(cells, &self.thresholds) {
            self.dirty.insert(id);
        }
    }

    /// What memory holds when a function starts.
    pub(crate) fn at_call(&self, id: FuncId) -> Cells {
        let passed = &self.at_call[id.index()];
        passed.cells.clone().unwrap_or_default()
    }

    /// What memory holds when a function has returned.
    pub(crate) fn at_return(&self, id: FuncId) -> Cells {
        let by_result = self.at_return[id.index()].by_result.values();
        let all = by_result.filter_map(|passed| passed.cells.clone());
        all.reduce(|a, b| a.join(&b)).unwrap_or_default()
    }

    /// The same by what was returned.
    pub(crate) fn by_result(&self, id: FuncId, width: u8) -> Vec<(ValueSet, Cells)> {
        let returned = &self.at_return[id.index()];
        let case = |(number, passed): (&Option<u64>, &PassedCells)| {
            let value = match number {
                Some(number) => ValueSet::constant(width, *number),
                None => returned.others.unwrap_or(ValueSet::top(width)),
            };
            Some((value, passed.cells.clone()?))
        };
        returned.by_result.iter().filter_map(case).collect()
    }

    pub(crate) fn call(&mut self, callee: FuncId, given: &Cells, mode: SweepMode) {
        let passed = &mut self.at_call[callee.index()];
        match mode {
            SweepMode::Grow => {
                if passed.grow(given, &self.thresholds) {
                    self.dirty.insert(callee);
                }
            }
            SweepMode::Shrink => passed.add_to_round(given),
            SweepMode::Report => {}
        }
    }

    pub(crate) fn returns(
        &mut self,
        id: FuncId,
        (value, given): (Option<ValueSet>, &Cells),
        callers: &BTreeSet<FuncId>,
        mode: SweepMode,
    ) {
        let returned = &mut self.at_return[id.index()];
        let key = returned.key(value);
        match mode {
            SweepMode::Grow => {
                let mut is_new = false;
                if let (None, Some(value)) = (key, value) {
                    is_new = returned.add_other(value);
                }
                let passed = returned.by_result.entry(key).or_default();
                is_new |= passed.grow(given, &self.thresholds);
                if is_new {
                    self.dirty.extend(callers);
                }
            }
            SweepMode::Shrink => {
                // A number that was not seen while values grew belongs to the others.
                let key = key.filter(|_| returned.by_result.contains_key(&key));
                let passed = returned.by_result.entry(key).or_default();
                passed.add_to_round(given);
            }
            SweepMode::Report => {}
        }
    }

    /// What a variable that only the program can name can hold, whoever reads it.
    pub(crate) fn variable(
        &mut self,
        module: &Module,
        place: MemoryPlace,
        reader: FuncId,
    ) -> ValueSet {
        let top = ValueSet::top(place.width);
        let Base::Global(id) = place.base else {
            return top;
        };
        let variable = &mut self.variables[id.index()];
        variable.readers.insert(reader);
        let start = initial(
            &module.globals[id.index()],
            place.offset.into(),
            place.width,
        );
        let here = OffsetSteps::one(place.offset);
        let mut unknown = variable.somewhere.iter();
        let is_unknown = unknown.any(|(at, bytes)| at.overlaps(*bytes, here, place.bytes()));
        let Some(mut value) = start.filter(|_| !is_unknown) else {
            return top;
        };
        for ((offset, width), stored) in &variable.by_place {
            let there = MemoryPlace {
                base: place.base,
                offset: *offset,
                width: *width,
            };
            if there == place {
                value = value.join(&stored.value);
            } else if there.overlaps(place) {
                return top;
            }
        }
        value
    }

    /// A store to a variable; without a place it may change all of it.
    pub(crate) fn store(
        &mut self,
        id: GlobalId,
        place: Option<MemoryPlace>,
        value: ValueSet,
        mode: SweepMode,
    ) {
        let Some(place) = place else {
            return self.store_somewhere(id, OffsetSteps::ALL, 1, mode == SweepMode::Grow);
        };
        let variable = &mut self.variables[id.index()];
        let key = (place.offset, place.width);
        match mode {
            SweepMode::Grow => {
                let Some(stored) = variable.by_place.get_mut(&key) else {
                    let stored = StoredValues {
                        value,
                        grown: 0,
                        next: None,
                    };
                    variable.by_place.insert(key, stored);
                    self.dirty.extend(&variable.readers);
                    return;
                };
                let joined = stored.value.join(&value);
                if joined != stored.value {
                    stored.grown = stored.grown.saturating_add(1);
                    stored.value = match stored.grown {
                        0..=GROWTHS_BEFORE_WIDENING => joined,
                        GROWTHS_BEFORE_GIVING_UP.. => ValueSet::top(joined.width),
                        _ => stored.value.widen(&joined, &self.thresholds),
                    };
                    self.dirty.extend(&variable.readers);
                }
            }
            SweepMode::Shrink => {
                if let Some(stored) = variable.by_place.get_mut(&key) {
                    stored.next = Some(stored.next.map_or(value, |next| next.join(&value)));
                }
            }
            SweepMode::Report => {}
        }
    }

    /// A store of unknown bytes to a place that is not known.
    pub(crate) fn store_somewhere(
        &mut self,
        id: GlobalId,
        distances: OffsetSteps,
        bytes: u64,
        grows: bool,
    ) {
        let variable = &mut self.variables[id.index()];
        if grows && !variable.somewhere.contains(&(distances, bytes)) {
            variable.somewhere.push((distances, bytes));
            self.dirty.extend(&variable.readers);
        }
    }

    pub(crate) fn begin_returns(&mut self, id: FuncId) {
        for passed in self.at_return[id.index()].by_result.values_mut() {
            passed.next = None;
        }
        self.relations_at_return[id.index()].begin_round();
    }

    pub(crate) fn shrink_returns(&mut self, id: FuncId) {
        for passed in self.at_return[id.index()].by_result.values_mut() {
            passed.shrink();
        }
        self.relations_at_return[id.index()].end_round();
    }

    /// All calls and stores have been seen: what was not seen cannot be.
    pub(crate) fn end_round(&mut self) {
        for passed in &mut self.at_call {
            passed.shrink();
        }
        for passed in &mut self.relations_at_call {
            passed.end_round();
        }
        for variable in &mut self.variables {
            for stored in variable.by_place.values_mut() {
                if let Some(next) = stored.next.take() {
                    stored.value = stored.value.meet(&next).unwrap_or(stored.value);
                }
            }
        }
    }
}
