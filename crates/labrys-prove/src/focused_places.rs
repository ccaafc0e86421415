//! Places behind pointers that lead to one of several places, as `bar->height` with
//! `bar = &plan.bar[n - 1]`: what is there, whichever it is, and what the places hold of which it is
//! none. So a check of `bar->height` sharpens all places that it can be.

use crate::places::{Base, MemoryPlace};
use crate::value_set::ValueSet;
use labrys_ir::Reg;
use std::rc::Rc;

/// At most 24 places are known at a time, so that joining states stays cheap.
const MAX_FOCUSED: usize = 24;

/// What the places hold that a pointer can lead to if it leads elsewhere, in the order of places.
pub(crate) type OtherPlaces = Rc<Vec<(MemoryPlace, ValueSet)>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FocusedPlace {
    /// Counted from the pointer.
    pub(crate) place: MemoryPlace,
    pub(crate) value: ValueSet,
    pub(crate) others: OtherPlaces,
}

impl FocusedPlace {
    /// What the places can hold.
    pub(crate) fn bounds(&self) -> impl Iterator<Item = (MemoryPlace, ValueSet)> {
        let both = |(place, other): &(MemoryPlace, ValueSet)| (*place, other.join(&self.value));
        self.others.iter().map(both)
    }

    pub(crate) fn pointer(&self) -> Option<Reg> {
        match self.place.base {
            Base::Pointer(reg) => Some(reg),
            _ => None,
        }
    }
}

/// In the order of places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FocusedPlaces(Rc<Vec<FocusedPlace>>);

impl FocusedPlaces {
    pub(crate) fn get(&self, place: MemoryPlace) -> Option<&FocusedPlace> {
        let at = self.0.binary_search_by_key(&place, |f| f.place).ok()?;
        Some(&self.0[at])
    }

    pub(crate) fn set(&mut self, focused: FocusedPlace) {
        match self.0.binary_search_by_key(&focused.place, |f| f.place) {
            Ok(at) if self.0[at] == focused => {}
            Ok(at) => Rc::make_mut(&mut self.0)[at] = focused,
            Err(at) if self.0.len() < MAX_FOCUSED => Rc::make_mut(&mut self.0).insert(at, focused),
            Err(_) => {}
        }
    }

    pub(crate) fn retain(&mut self, stays: impl Fn(&FocusedPlace) -> bool) {
        if !self.0.iter().all(&stays) {
            Rc::make_mut(&mut self.0).retain(stays);
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &FocusedPlace> {
        self.0.iter()
    }

    pub(crate) fn is_same(&self, other: &FocusedPlaces) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// What both know, with `value` of what they know. The last two say what places hold.
    pub(crate) fn merge<'a>(
        &self,
        other: &FocusedPlaces,
        value: &impl Fn(&ValueSet, &ValueSet) -> ValueSet,
        held: impl Fn(MemoryPlace) -> Option<&'a ValueSet>,
        held_there: impl Fn(MemoryPlace) -> Option<&'a ValueSet>,
    ) -> FocusedPlaces {
        let mut merged = Vec::new();
        for here in self.0.iter() {
            let Some(there) = other.get(here.place) else {
                continue;
            };
            let both = value(&here.value, &there.value);
            let at = |focused: &FocusedPlace, place: MemoryPlace| {
                let found = focused.others.binary_search_by_key(&place, |(p, _)| *p);
                found.ok().map(|at| focused.others[at].1)
            };
            let mut all: Vec<MemoryPlace> = here.others.iter().map(|(p, _)| *p).collect();
            all.extend(there.others.iter().map(|(p, _)| *p));
            all.sort_unstable();
            all.dedup();
            let others = all.into_iter().map(|place| {
                let top = ValueSet::top(place.width);
                // The pointer does not lead there: it holds what it holds.
                let a = at(here, place).or(held(place).copied()).unwrap_or(top);
                let b = at(there, place).or(held_there(place).copied());
                (place, value(&a, &b.unwrap_or(top)))
            });
            merged.push(FocusedPlace {
                place: here.place,
                value: both,
                others: Rc::new(others.collect()),
            });
        }
        match merged == *self.0 {
            true => self.clone(),
            false => FocusedPlaces(Rc::new(merged)),
        }
    }
}
