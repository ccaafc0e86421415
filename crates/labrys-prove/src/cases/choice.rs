//! What is told apart for which events, in which order, and what follows from it.

use super::analysis::CaseAnalysis;
use super::growth::CaseBounds;
use super::interest::{CaseField, CaseInterest, InterestSearch};
use super::judge::{CaseJudge, ElementLead};
use super::keys::{CaseKeys, KeptClasses, SplitElements};
use super::setting::CaseSetting;
use crate::call_effects::CallEffect;
use crate::places::MemoryPlace;
use crate::scope::AnalysisScope;
use crate::sites::AnnotationSites;
use crate::unfold::UnfoldedModule;
use labrys_budget::Deadline;
use labrys_ir::{FuncId, Reg};
use labrys_ledger::Trigger;
use std::collections::{BTreeMap, BTreeSet};

/// Steps that one run may take, and all of them.
const MAX_WORK: u64 = 2_000_000;
const MAX_TOTAL_WORK: u64 = 120_000_000;
/// The same, as multiples of what the run without keys takes.
const TIMES_FIRST: u64 = 12;
const TIMES_FIRST_IN_ALL: u64 = 60;
/// All runs together take one part in so many of the time that is left.
const SHARE_OF_TIME: u32 = 12;
/// An array of more elements is not told apart element by element.
const MAX_ELEMENTS: usize = 8;
/// Places that are told apart at once.
const MAX_PLACES: usize = 16;
const MAX_CUTS: usize = 12;

/// The events among those asked for that happen in no case, each with what was told apart.
pub(crate) fn refute_by_cases(
    unfolded: &UnfoldedModule,
    scope: &AnalysisScope,
    effects: &[CallEffect],
    sites: &AnnotationSites,
    wanted: &BTreeSet<Trigger>,
    bounds: CaseBounds,
    deadline: &Deadline,
) -> BTreeMap<Trigger, Vec<MemoryPlace>> {
    // Without an end there is no share of the time.
    let Some(left) = deadline.left() else {
        return BTreeMap::new();
    };
    let deadline = &deadline.within(left / SHARE_OF_TIME);
    let Some(setting) = CaseSetting::of(unfolded, scope, effects, bounds) else {
        return BTreeMap::new();
    };
    let mut proofs = CaseProofs {
        search: InterestSearch::of(&setting),
        setting: &setting,
        sites,
        open: wanted.clone(),
        refuted: BTreeMap::new(),
        accessed: BTreeSet::new(),
        leads: BTreeMap::new(),
        tried: BTreeSet::new(),
        work: 0,
        limits: (MAX_WORK, MAX_TOTAL_WORK),
        deadline,
    };
    proofs.find();
    proofs.refuted
}

/// Keys that belong to one element of an array each, and the register that leads to it.
struct ElementKeys {
    register: (FuncId, Reg),
    leads: BTreeSet<i64>,
    of_elements: Vec<CaseKeys>,
}

struct CaseProofs<'s, 'm> {
    setting: &'s CaseSetting<'m>,
    search: InterestSearch<'s, 'm>,
    sites: &'s AnnotationSites,
    open: BTreeSet<Trigger>,
    refuted: BTreeMap<Trigger, Vec<MemoryPlace>>,
    accessed: BTreeSet<MemoryPlace>,
    leads: BTreeMap<ElementLead, BTreeSet<i64>>,
    tried: BTreeSet<CaseKeys>,
    work: u64,
    /// Of one run, and of all.
    limits: (u64, u64),
    deadline: &'s Deadline,
}

impl CaseProofs<'_, '_> {
    fn find(&mut self) {
        let near: BTreeMap<Trigger, CaseInterest> = (self.open.iter())
            .map(|trigger| {
                let sites = self.sites.by_trigger.get(trigger);
                (
                    *trigger,
                    self.search.near(sites.map_or(&[][..], Vec::as_slice)),
                )
            })
            .collect();
        let elements = near.values().flat_map(|interest| interest.elements.iter());
        let elements: BTreeSet<(FuncId, Reg)> = elements.copied().collect();
        let keys = CaseKeys {
            pinned: elements.clone(),
            ..CaseKeys::default()
        };
        let Some(judge) = self.run(&keys, elements) else {
            return;
        };
        self.limits = (
            MAX_WORK.min(self.work * TIMES_FIRST),
            MAX_TOTAL_WORK.min(self.work * TIMES_FIRST_IN_ALL),
        );
        self.accessed = judge.accessed;
        let known = judge.leads.into_iter();
        self.leads = known.filter_map(|(of, leads)| Some((of, leads?))).collect();
        let mut order: Vec<(usize, Trigger)> = near
            .iter()
            .map(|(trigger, interest)| (interest.fields.len() + interest.registers.len(), *trigger))
            .collect();
        order.sort_unstable();
        for round in 0..4 {
            for (_, trigger) in &order {
                let interest = &near[trigger];
                if !self.open.contains(trigger) || self.is_over() {
                    continue;
                }
                match round {
                    0 => self.try_keys(&self.scalar_keys(interest, false)),
                    1 => self.try_elements(*trigger, interest),
                    2 => {
                        let wide = self.search.wide(interest);
                        self.try_keys(&self.scalar_keys(&wide, true));
                    }
                    _ => {
                        let wide = self.search.wide(interest);
                        for keys in self.array_keys(interest, &wide) {
                            if self.open.contains(trigger) {
                                self.try_keys(&keys);
                            }
                        }
                    }
                }
            }
        }
    }

    fn is_over(&self) -> bool {
        self.work > self.limits.1 || self.deadline.is_over()
    }

    fn run(&mut self, keys: &CaseKeys, elements: BTreeSet<(FuncId, Reg)>) -> Option<CaseJudge> {
        let (analysis, work) = CaseAnalysis::run(self.setting, keys, self.limits.0);
        self.work += work;
        let places = keys.places.len();
        tracing::debug!(work, places, done = analysis.is_some(), "cases");
        let mut analysis = analysis?;
        let mut judge = CaseJudge {
            elements,
            ..CaseJudge::default()
        };
        if !analysis.observe(&mut judge) {
            return None;
        }
        self.work += analysis.work - work;
        let places: Vec<MemoryPlace> = keys.places.keys().copied().collect();
        self.settle(&judge, &places);
        Some(judge)
    }

    fn settle(&mut self, judge: &CaseJudge, places: &[MemoryPlace]) {
        let open = self.open.iter().copied();
        let never: Vec<Trigger> = open.filter(|t| !judge.possible.contains(t)).collect();
        for trigger in never {
            self.open.remove(&trigger);
            self.refuted.insert(trigger, places.to_vec());
        }
    }

    fn try_keys(&mut self, keys: &CaseKeys) {
        let is_empty = keys.places.is_empty() && keys.registers.is_empty();
        if !is_empty && !self.is_over() && self.tried.insert(keys.clone()) {
            self.run(keys, BTreeSet::new());
        }
    }

    /// Tells one element apart from the others, one after the other.
    fn try_elements(&mut self, trigger: Trigger, interest: &CaseInterest) {
        for register in &interest.elements {
            if !self.open.contains(&trigger) {
                return;
            }
            let Some(keys) = self.element_keys(trigger, *register, interest) else {
                continue;
            };
            if keys
                .of_elements
                .iter()
                .any(|keys| self.tried.contains(keys))
            {
                continue;
            }
            let is_asked = |other: &Trigger| {
                let leads = self.leads.get(&(*other, register.0, register.1));
                self.stands_only_in(*other, register.0)
                    && leads.is_some_and(|leads| leads.is_subset(&keys.leads))
            };
            let mut left: BTreeSet<Trigger> = self.open.iter().copied().filter(is_asked).collect();
            for keys_of_one in &keys.of_elements {
                self.tried.insert(keys_of_one.clone());
                let elements = BTreeSet::from([keys.register]);
                let Some(judge) = self.run(keys_of_one, elements) else {
                    left.clear();
                    break;
                };
                let reg = keys.register.1;
                left.retain(|trigger| !judge.possible_there.contains(&(*trigger, reg)));
                // Both outcomes of a condition have the same keys.
                let other = trigger.other_outcome();
                if !left.contains(&trigger) && other.is_none_or(|other| !left.contains(&other)) {
                    left.clear();
                    break;
                }
            }
            let places = keys.of_elements.iter().flat_map(|keys| keys.places.keys());
            let places: Vec<MemoryPlace> = places.copied().collect();
            for trigger in left {
                if self.open.remove(&trigger) {
                    self.refuted.insert(trigger, places.clone());
                }
            }
        }
    }

    /// Do all annotations of the event stand in this function?
    fn stands_only_in(&self, trigger: Trigger, function: FuncId) -> bool {
        let sites = self.sites.by_trigger.get(&trigger);
        sites.is_some_and(|sites| sites.iter().all(|site| site.function == function))
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
                let places = self.accessed.iter().filter(|place| field.has(**place));
                let places: Vec<MemoryPlace> = places.copied().collect();
                if places.len() > MAX_ELEMENTS {
                    return None;
                }
                for place in places {
                    keys.places.insert(place, classes.clone());
                }
                keys.split.insert(field.object, SplitElements::Each);
            }
            (keys.places.len() <= MAX_PLACES * 2).then_some(keys)
        });
        keys.collect()
    }
}
