//! What may be told apart for an event: sets of keys, the cheap ones first.

use super::interest::{CaseField, CaseInterest, InterestSearch};
use super::judge::ElementLead;
use super::keys::{CaseKeys, KeptClasses, SplitElements};
use super::setting::CaseSetting;
use crate::places::MemoryPlace;
use labrys_ir::{FuncId, Reg};
use labrys_ledger::Trigger;
use std::collections::{BTreeMap, BTreeSet};

/// An array of more elements is not told apart element by element.
const MAX_ELEMENTS: usize = 8;
/// Places that are told apart at once.
const MAX_PLACES: usize = 16;
const MAX_CUTS: usize = 12;

/// Runs by which an event may be refuted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CaseAttempt {
    /// One run.
    Keys(CaseKeys),
    /// One run for each element that a register leads to.
    Elements(ElementKeys),
}

/// Keys that belong to one element of an array each, and the register that leads to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ElementKeys {
    pub(super) register: (FuncId, Reg),
    pub(super) leads: BTreeSet<i64>,
    pub(super) of_elements: Vec<CaseKeys>,
}

impl CaseAttempt {
    /// In how many cases a place of the program may be looked at, roughly.
    pub(super) fn cases(&self) -> u64 {
        match self {
            CaseAttempt::Keys(keys) => keys.cases(),
            CaseAttempt::Elements(elements) => {
                let all = elements.of_elements.iter();
                all.fold(0, |sum: u64, keys| sum.saturating_add(keys.cases()))
            }
        }
    }
}

/// Finds the attempts for events.
pub(super) struct AttemptSearch<'a, 's, 'm> {
    pub(super) setting: &'s CaseSetting<'m>,
    pub(super) search: &'a InterestSearch<'s, 'm>,
    /// The elements that some run accesses.
    pub(super) accessed: &'a BTreeMap<CaseField, BTreeSet<MemoryPlace>>,
    pub(super) leads: &'a BTreeMap<ElementLead, BTreeSet<i64>>,
}

impl<'s, 'm> AttemptSearch<'_, 's, 'm> {
    /// All attempts for an event, by rounds.
    pub(super) fn of(&self, trigger: Trigger, near: &CaseInterest) -> Vec<(u32, CaseAttempt)> {
        let wide = self.search.wide(near);
        let mut found = vec![(0, CaseAttempt::Keys(self.scalar_keys(near, false)))];
        let elements = near.elements.iter();
        let elements = elements.filter_map(|reg| self.element_keys(trigger, *reg, near));
        found.extend(elements.map(|keys| (1, CaseAttempt::Elements(keys))));
        found.push((2, CaseAttempt::Keys(self.scalar_keys(&wide, true))));
        let elements = near.elements.iter();
        let wide_here = self.with_fields_of_arrays(near, &wide);
        let elements = elements.filter_map(|reg| self.element_keys(trigger, *reg, &wide_here));
        found.extend(elements.map(|keys| (3, CaseAttempt::Elements(keys))));
        let marks = self.mark_keys(&self.search.compared_with(near)).into_iter();
        found.extend(marks.map(|keys| (3, CaseAttempt::Keys(keys))));
        let arrays = self.array_keys(near, &wide).into_iter();
        found.extend(arrays.map(|keys| (4, CaseAttempt::Keys(keys))));
        found.retain(|(_, attempt)| match attempt {
            CaseAttempt::Keys(keys) => !keys.places.is_empty() || !keys.registers.is_empty(),
            CaseAttempt::Elements(_) => true,
        });
        found
    }

    /// What is near, with the members that are further away but of the same elements.
    fn with_fields_of_arrays(&self, near: &CaseInterest, wide: &CaseInterest) -> CaseInterest {
        let mut all = near.clone();
        let is_near = |other: &CaseField| {
            let mut fields = near.fields.keys();
            fields.any(|field| field.object == other.object && field.step == other.step)
        };
        for (field, used) in &wide.fields {
            if field.step > 0 && is_near(field) {
                all.fields.entry(*field).or_insert_with(|| used.clone());
            }
        }
        all
    }

    /// All elements told apart by what marks them, each mark with what is near.
    fn mark_keys(&self, near: &CaseInterest) -> Vec<CaseKeys> {
        let marks = self.search.marks.iter();
        let keys = marks.filter_map(|(field, used)| {
            let mut keys = self.scalar_keys(near, false);
            let places = self.accessed.get(field)?;
            if places.len() > MAX_ELEMENTS || used.cuts.len() > MAX_CUTS {
                return None;
            }
            let classes = KeptClasses::Cuts(used.cuts.iter().copied().collect());
            for place in places {
                keys.places.insert(*place, classes.clone());
            }
            keys.split.insert(field.object, SplitElements::Each);
            Some(keys)
        });
        keys.collect()
    }

    fn classes(
        &self,
        field: &CaseField,
        interest: &CaseInterest,
        all: bool,
    ) -> Option<KeptClasses> {
        let used = interest.fields.get(field)?;
        if used.varies {
            return Some(KeptClasses::Numbers);
        }
        let mut cuts = used.cuts.clone();
        if all && let Some(more) = self.search.cuts.get(field) {
            cuts.extend(more);
        }
        let few = !cuts.is_empty() && cuts.len() <= MAX_CUTS;
        few.then(|| KeptClasses::Cuts(cuts.into_iter().collect()))
    }

    fn scalar_keys(&self, interest: &CaseInterest, all: bool) -> CaseKeys {
        let mut keys = CaseKeys::default();
        for field in interest.fields.keys().filter(|field| field.step == 0) {
            if let Some(classes) = self.classes(field, interest, all) {
                keys.places.insert(
                    MemoryPlace {
                        base: field.object,
                        offset: field.start,
                        width: field.width,
                    },
                    classes,
                );
            }
        }
        if keys.places.len() > MAX_PLACES {
            keys.places.clear();
        }
        keys.registers = interest.registers.clone();
        keys
    }

    /// Tells one element apart from the others, each in a run of its own.
    fn element_keys(
        &self,
        trigger: Trigger,
        register: (FuncId, Reg),
        interest: &CaseInterest,
    ) -> Option<ElementKeys> {
        let leads = self.leads.get(&(trigger, register.0, register.1))?;
        let shape = self.setting.code(register.0)?.shape(register.1)?;
        let step = i64::try_from(shape.distances.step).ok()?;
        if leads.is_empty() || leads.len() > MAX_ELEMENTS || step == 0 {
            return None;
        }
        let common = self.scalar_keys(interest, false);
        let mut of_elements = Vec::new();
        for from in leads {
            let mut keys = common.clone();
            for field in interest
                .fields
                .keys()
                .filter(|field| field.object == shape.object && field.step == shape.distances.step)
            {
                let apart = (field.start - from).rem_euclid(step);
                let place = MemoryPlace {
                    base: field.object,
                    offset: from + apart,
                    width: field.width,
                };
                if let Some(classes) = self.classes(field, interest, false) {
                    keys.places.insert(place, classes);
                }
            }
            let bytes = SplitElements::One(*from, from + step);
            keys.split.insert(shape.object, bytes);
            keys.pinned.insert(register);
            of_elements.push(keys);
        }
        Some(ElementKeys {
            register,
            leads: leads.clone(),
            of_elements,
        })
    }

    /// All elements of an array told apart at once: each member of it alone, and those together that are
    /// near.
    fn array_keys(&self, near: &CaseInterest, wide: &CaseInterest) -> Vec<CaseKeys> {
        let arrays = wide.fields.keys().filter(|field| field.step > 0);
        let arrays: Vec<&CaseField> = arrays.collect();
        let mut sets: Vec<Vec<&CaseField>> = Vec::new();
        let near_arrays = arrays
            .iter()
            .copied()
            .filter(|f| near.fields.contains_key(f));
        let near_arrays: Vec<&CaseField> = near_arrays.collect();
        sets.extend(near_arrays.iter().map(|field| vec![*field]));
        if near_arrays.len() > 1 {
            sets.push(near_arrays.clone());
        }
        for field in &arrays {
            let mut set = near_arrays.clone();
            if !set.contains(field) {
                set.push(field);
                sets.push(set);
                sets.push(vec![field]);
            }
        }
        let common = self.scalar_keys(wide, false);
        let keys = sets.into_iter().filter_map(|set| {
            let mut keys = common.clone();
            for field in set {
                let classes = self.classes(field, wide, false)?;
                let places = self.accessed.get(field)?;
                if places.len() > MAX_ELEMENTS {
                    return None;
                }
                for place in places {
                    keys.places.insert(*place, classes.clone());
                }
                keys.split.insert(field.object, SplitElements::Each);
            }
            (keys.places.len() <= MAX_PLACES * 2).then_some(keys)
        });
        keys.collect()
    }
}
