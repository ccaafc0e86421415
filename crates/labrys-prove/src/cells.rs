//! What is in memory at one place of a function, as far as it is known: values by place. What is not
//! there may be anything that memory can hold at all.

use crate::focused_places::{FocusedPlace, FocusedPlaces};
use crate::places::{Base, MemoryPlace};
use crate::value_set::{ValueSet, WideningThresholds};
use std::rc::Rc;

/// At most 512 places are known at a time, so that joining states stays cheap.
const MAX_CELLS: usize = 512;

/// Most values are the same on both sides of a join; a value is long.
type SharedValue = Rc<ValueSet>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cells {
    /// Sorted by place. Places may overlap: what is known of each holds.
    known: Rc<Vec<(MemoryPlace, SharedValue)>>,
    /// Places behind pointers.
    pub(crate) focused: FocusedPlaces,
}

impl Cells {
    pub(crate) fn get(&self, place: MemoryPlace) -> Option<&ValueSet> {
        let at = self.known.binary_search_by_key(&place, |(p, _)| *p).ok()?;
        Some(&self.known[at].1)
    }

    /// The value at a place; what overlaps it is left as it is.
    pub(crate) fn set(&mut self, place: MemoryPlace, value: ValueSet) {
        let found = self.known.binary_search_by_key(&place, |(p, _)| *p);
        match found {
            Ok(at) if *self.known[at].1 == value => {}
            Ok(at) => Rc::make_mut(&mut self.known)[at].1 = Rc::new(value),
            Err(at) if self.known.len() < MAX_CELLS && !value.is_top() => {
                Rc::make_mut(&mut self.known).insert(at, (place, Rc::new(value)));
            }
            Err(_) => {}
        }
    }

    pub(crate) fn forget(&mut self, gone: impl Fn(MemoryPlace) -> bool) {
        if self.known.iter().any(|(place, _)| gone(*place)) {
            Rc::make_mut(&mut self.known).retain(|(place, _)| !gone(*place));
        }
        let stays = |(place, _): &(MemoryPlace, ValueSet)| !gone(*place);
        (self.focused).retain(|focused| focused.others.iter().all(stays));
    }

    /// What a pointer leads to is one of `value`, and what it can lead to is that or what it was.
    pub(crate) fn sharpen(&mut self, place: MemoryPlace, value: &ValueSet) {
        let Some(old) = self.focused.get(place) else {
            return;
        };
        let Some(value) = old.value.meet(value).filter(|value| *value != old.value) else {
            return;
        };
        let focused = FocusedPlace {
            value,
            ..old.clone()
        };
        for (place, bound) in focused.bounds().filter(|(_, bound)| !bound.is_top()) {
            self.bound(place, &bound);
        }
        self.focused.set(focused);
    }

    /// A place holds one of these values.
    pub(crate) fn bound(&mut self, place: MemoryPlace, values: &ValueSet) {
        let known = match self.get(place) {
            Some(here) => here.meet(values).unwrap_or(*here),
            None => *values,
        };
        self.set(place, known);
    }

    /// The places of variables of the program, which other functions know, too.
    pub(crate) fn of_globals(&self) -> Cells {
        let mut cells = self.clone();
        cells.forget(|place| !matches!(place.base, Base::Global(_)));
        cells
    }

    pub(crate) fn len(&self) -> usize {
        self.known.len() + self.focused.iter().count()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&MemoryPlace, &ValueSet)> {
        self.known.iter().map(|(place, value)| (place, &**value))
    }

    /// What holds on both ways.
    pub(crate) fn join(&self, other: &Cells) -> Cells {
        self.merge(other, ValueSet::join)
    }

    /// Both hold.
    pub(crate) fn meet(&self, other: &Cells) -> Cells {
        let mut both = self.clone();
        for (place, value) in other.iter() {
            both.bound(*place, value);
        }
        for focused in other.focused.iter() {
            match both.focused.get(focused.place) {
                Some(_) => both.sharpen(focused.place, &focused.value),
                None => both.focused.set(focused.clone()),
            }
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
        if Rc::ptr_eq(&self.known, &other.known) && self.focused.is_same(&other.focused) {
            return self.clone();
        }
        let mut merged = Vec::with_capacity(self.known.len());
        let mut others = other.known.iter().peekable();
        for (place, here) in self.known.iter() {
            while others.next_if(|(other, _)| other < place).is_some() {}
            let Some((_, there)) = others.next_if(|(other, _)| other == place) else {
                continue;
            };
            if Rc::ptr_eq(here, there) || here == there {
                merged.push((*place, here.clone()));
                continue;
            }
            let both = value(here, there);
            if both == **here {
                merged.push((*place, here.clone()));
            } else if !both.is_top() {
                merged.push((*place, Rc::new(both)));
            }
        }
        let (held, there) = (|place| self.get(place), |place| other.get(place));
        let focused = (self.focused).merge(&other.focused, &value, held, there);
        let known = match merged == *self.known {
            true => self.known.clone(),
            false => Rc::new(merged),
        };
        Cells { known, focused }
    }
}
