//! What is in memory at one place of a function, as far as it is known: values by place. What is not
//! there may be anything that memory can hold at all.

use crate::places::{Base, MemoryPlace};
use crate::value_set::{ValueSet, WideningThresholds};
use std::rc::Rc;

/// At most 512 places are known at a time, so that joining states stays cheap.
const MAX_CELLS: usize = 512;

/// Sorted by place. Places may overlap: what is known of each holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cells(Rc<Vec<(MemoryPlace, ValueSet)>>);

impl Cells {
    pub(crate) fn get(&self, place: MemoryPlace) -> Option<&ValueSet> {
        let at = self.0.binary_search_by_key(&place, |(p, _)| *p).ok()?;
        Some(&self.0[at].1)
    }

    /// The value at a place; what overlaps it is left as it is.
    pub(crate) fn set(&mut self, place: MemoryPlace, value: ValueSet) {
        let found = self.0.binary_search_by_key(&place, |(p, _)| *p);
        match found {
            Ok(at) if self.0[at].1 == value => {}
            Ok(at) => Rc::make_mut(&mut self.0)[at].1 = value,
            Err(at) if self.0.len() < MAX_CELLS && !value.is_top() => {
                Rc::make_mut(&mut self.0).insert(at, (place, value));
            }
            Err(_) => {}
        }
    }

    pub(crate) fn forget(&mut self, gone: impl Fn(MemoryPlace) -> bool) {
        if self.0.iter().any(|(place, _)| gone(*place)) {
            Rc::make_mut(&mut self.0).retain(|(place, _)| !gone(*place));
        }
    }

    /// The places of variables of the program, which other functions know, too.
    pub(crate) fn of_globals(&self) -> Cells {
        let mut cells = self.clone();
        cells.forget(|place| !matches!(place.base, Base::Global(_)));
        cells
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(MemoryPlace, ValueSet)> {
        self.0.iter()
    }

    /// What holds on both ways.
    pub(crate) fn join(&self, other: &Cells) -> Cells {
        self.merge(other, ValueSet::join)
    }

    /// Both hold.
    pub(crate) fn meet(&self, other: &Cells) -> Cells {
        let mut both = self.clone();
        for (place, value) in other.iter() {
            let value = match both.get(*place) {
                Some(here) => here.meet(value).unwrap_or(*here),
                None => *value,
            };
            both.set(*place, value);
        }
        both
    }

    /// `self` has grown to `next`: what moved goes on to the next of the thresholds.
    pub(crate) fn widen(&self, next: &Cells, thresholds: &WideningThresholds) -> Cells {
        self.merge(next, |old, new| old.widen(&old.join(new), thresholds))
    }

    /// What has not changed at all.
    pub(crate) fn common(&self, next: &Cells) -> Cells {
        self.merge(next, |old, new| match old == new {
            true => *old,
            false => ValueSet::top(old.width),
        })
    }

    fn merge(&self, other: &Cells, value: impl Fn(&ValueSet, &ValueSet) -> ValueSet) -> Cells {
        if Rc::ptr_eq(&self.0, &other.0) {
            return self.clone();
        }
        let mut merged = Vec::new();
        for (place, here) in self.0.iter() {
            if let Some(there) = other.get(*place) {
                let both = value(here, there);
                if !both.is_top() {
                    merged.push((*place, both));
                }
            }
        }
        match merged == *self.0 {
            true => self.clone(),
            false => Cells(Rc::new(merged)),
        }
    }
}
