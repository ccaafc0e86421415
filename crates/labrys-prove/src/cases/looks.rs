//! Looks for events that happen in no case: runs of the analysis, each with its keys, the cheap ones first.
//! A look before the search is for all events; later ones are for those that are still open, and go on
//! where the last one has ended.

use super::analysis::{CaseAnalysis, NeverThere};
use super::attempts::{AttemptSearch, CaseAttempt, ElementKeys};
use super::growth::CaseBounds;
use super::interest::{CaseField, CaseInterest, InterestSearch};
use super::judge::{CaseJudge, ElementLead};
use super::keys::CaseKeys;
use super::setting::CaseSetting;
use crate::call_effects::CallEffect;
use crate::places::MemoryPlace;
use crate::reason::{RefutationReason, place_name};
use crate::scope::AnalysisScope;
use crate::sites::AnnotationSites;
use crate::unfold::UnfoldedModule;
use labrys_budget::Deadline;
use labrys_ir::{FuncId, Reg};
use labrys_ledger::Trigger;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Steps that one run before the search may take, and all of them.
const MAX_WORK: u64 = 2_000_000;
const MAX_TOTAL_WORK: u64 = 120_000_000;
/// The same, as multiples of what the run without keys takes.
const TIMES_FIRST: u64 = 12;
const TIMES_FIRST_IN_ALL: u64 = 60;
/// One run takes this part of a later look at most.
const PART_OF_LOOK: u64 = 10;
/// A run that was cut off is begun again with so many times as much.
const TIMES_AGAIN: u64 = 2;
/// The runs before the search take one part in so many of the time that is left.
const SHARE_OF_TIME: u32 = 12;

/// What earlier looks have found out.
#[derive(Debug, Default)]
struct CaseKnowledge {
    /// What was refuted before.
    never: BTreeSet<Trigger>,
    /// The elements that some run accesses.
    accessed: BTreeMap<CaseField, BTreeSet<MemoryPlace>>,
    leads: BTreeMap<ElementLead, BTreeSet<i64>>,
    /// What was told apart before; with the work that the run could take where that was not enough.
    tried: BTreeMap<CaseKeys, Option<u64>>,
    /// Events that can happen where a register leads to the element that is told apart.
    there: BTreeMap<CaseKeys, BTreeSet<(Trigger, Reg)>>,
    /// What the run without keys has taken; none if it was not done.
    first: Option<u64>,
}

/// What a look has found.
#[derive(Debug, Default)]
pub struct CaseFindings {
    pub refuted: BTreeMap<Trigger, RefutationReason>,
    /// With more steps nothing would be found that was not.
    pub is_done: bool,
}

/// A program whose events are looked at by cases, in one look or more.
pub struct CaseLooks {
    unfolded: UnfoldedModule,
    scope: AnalysisScope,
    effects: Vec<CallEffect>,
    sites: AnnotationSites,
    bounds: CaseBounds,
    known: CaseKnowledge,
}

impl CaseLooks {
    pub(crate) fn new(
        unfolded: UnfoldedModule,
        scope: AnalysisScope,
        effects: Vec<CallEffect>,
        sites: AnnotationSites,
        bounds: CaseBounds,
    ) -> CaseLooks {
        CaseLooks {
            unfolded,
            scope,
            effects,
            sites,
            bounds,
            known: CaseKnowledge::default(),
        }
    }

    /// The first look, for all events that nothing has refuted, before a search.
    pub(crate) fn look_first(
        &mut self,
        wanted: &BTreeSet<Trigger>,
        refuted: impl Iterator<Item = Trigger>,
        deadline: &Deadline,
    ) -> BTreeMap<Trigger, RefutationReason> {
        self.known.never.extend(refuted);
        // Without an end there is no share of the time.
        let Some(left) = deadline.left() else {
            return BTreeMap::new();
        };
        let deadline = deadline.within(left / SHARE_OF_TIME);
        self.look_for(wanted, None, &deadline).refuted
    }

    /// The events that happen in no case, among those asked for, found with so many steps.
    pub fn look(
        &mut self,
        wanted: &BTreeSet<Trigger>,
        steps: u64,
        deadline: &Deadline,
    ) -> CaseFindings {
        self.look_for(wanted, Some(steps), deadline)
    }

    fn look_for(
        &mut self,
        wanted: &BTreeSet<Trigger>,
        steps: Option<u64>,
        deadline: &Deadline,
    ) -> CaseFindings {
        let is_event = |trigger: &&Trigger| !matches!(trigger, Trigger::Pair { .. });
        let wanted: BTreeSet<Trigger> = wanted.iter().filter(is_event).copied().collect();
        let (unfolded, scope, effects) = (&self.unfolded, &self.scope, &self.effects);
        let Some(setting) = CaseSetting::of(unfolded, scope, effects, &self.bounds) else {
            return CaseFindings {
                is_done: true,
                ..CaseFindings::default()
            };
        };
        let mut look = CaseLook {
            search: InterestSearch::of(&setting),
            setting: &setting,
            sites: &self.sites,
            known: &mut self.known,
            open: wanted,
            refuted: BTreeMap::new(),
            work: 0,
            limits: match steps {
                Some(steps) => (steps / PART_OF_LOOK, steps),
                None => (MAX_WORK, MAX_TOTAL_WORK),
            },
            is_first: steps.is_none(),
            deadline,
        };
        let is_done = look.find();
        let (refuted, work) = (look.refuted, look.work);
        tracing::debug!(work, refuted = refuted.len(), "a look at cases");
        let refuted = refuted.into_iter().map(|(trigger, kept)| {
            let kept = kept
                .iter()
                .map(|place| place_name(&unfolded.module, *place));
            let kept = kept.collect();
            (trigger, RefutationReason::NoCase { kept })
        });
        CaseFindings {
            refuted: refuted.collect(),
            is_done,
        }
    }
}

/// One look.
struct CaseLook<'s, 'm> {
    setting: &'s CaseSetting<'m>,
    search: InterestSearch<'s, 'm>,
    sites: &'s AnnotationSites,
    known: &'s mut CaseKnowledge,
    open: BTreeSet<Trigger>,
    refuted: BTreeMap<Trigger, Vec<MemoryPlace>>,
    work: u64,
    /// Of one run, and of all.
    limits: (u64, u64),
    /// Nothing is known yet of which events are feasible.
    is_first: bool,
    deadline: &'s Deadline,
}

impl CaseLook<'_, '_> {
    /// True if more steps would find no more.
    fn find(&mut self) -> bool {
        let near = |trigger: &Trigger| {
            let sites = self.sites.by_trigger.get(trigger);
            (self.search).near(sites.map_or(&[][..], Vec::as_slice))
        };
        let near: BTreeMap<Trigger, CaseInterest> = (self.open.iter())
            .map(|trigger| (*trigger, near(trigger)))
            .collect();
        if self.known.first.is_none() && !self.run_without_keys(&near) {
            return false;
        }
        if self.is_first {
            let first = self.known.first.unwrap_or_default();
            self.limits = (
                MAX_WORK.min(first * TIMES_FIRST),
                MAX_TOTAL_WORK.min(first * TIMES_FIRST_IN_ALL),
            );
        }
        for (attempt, events) in self.attempts(&near) {
            if self.is_over() {
                return false;
            }
            if events.is_disjoint(&self.open) {
                continue;
            }
            match &attempt {
                CaseAttempt::Keys(keys) => self.try_keys(keys),
                CaseAttempt::Elements(keys) => self.try_elements(keys, &events),
            }
        }
        self.known.tried.values().all(Option::is_none)
    }

    /// What there is to try, and for which events: what is cheap and serves many comes first.
    fn attempts(
        &self,
        near: &BTreeMap<Trigger, CaseInterest>,
    ) -> Vec<(CaseAttempt, BTreeSet<Trigger>)> {
        let search = AttemptSearch {
            setting: self.setting,
            search: &self.search,
            accessed: &self.known.accessed,
            leads: &self.known.leads,
        };
        let mut all: BTreeMap<CaseAttempt, (u32, BTreeSet<Trigger>)> = BTreeMap::new();
        for trigger in &self.open {
            for (round, attempt) in search.of(*trigger, &near[trigger]) {
                let (first, events) = all.entry(attempt).or_insert((round, BTreeSet::new()));
                *first = round.min(*first);
                events.insert(*trigger);
            }
        }
        let mut order: Vec<(CaseAttempt, (u32, BTreeSet<Trigger>))> = all.into_iter().collect();
        order.sort_by_cached_key(|(attempt, (round, events))| {
            // Before the search, what is near comes first; later it is what is cheap.
            let round = if self.is_first { *round } else { 0 };
            let again = self.was_cut_off(attempt);
            (again, round, attempt.cases(), Reverse(events.len()))
        });
        let order = order.into_iter();
        order
            .map(|(attempt, (_, events))| (attempt, events))
            .collect()
    }

    /// Was it too much in an earlier look? Then all others come first.
    fn was_cut_off(&self, attempt: &CaseAttempt) -> bool {
        let is_cut = |keys: &CaseKeys| matches!(self.known.tried.get(keys), Some(Some(_)));
        match attempt {
            CaseAttempt::Keys(keys) => is_cut(keys),
            CaseAttempt::Elements(keys) => keys.of_elements.iter().any(is_cut),
        }
    }

    fn run_without_keys(&mut self, near: &BTreeMap<Trigger, CaseInterest>) -> bool {
        let elements = near.values().flat_map(|interest| interest.elements.iter());
        let elements: BTreeSet<(FuncId, Reg)> = elements.copied().collect();
        let keys = CaseKeys {
            pinned: elements.clone(),
            ..CaseKeys::default()
        };
        let Some(judge) = self.run(&keys, elements) else {
            return false;
        };
        self.known.first = Some(self.work);
        self.known.accessed = judge.accessed;
        let leads = judge.leads.into_iter();
        self.known.leads = leads.filter_map(|(of, leads)| Some((of, leads?))).collect();
        true
    }

    fn is_over(&self) -> bool {
        self.work > self.limits.1 || self.deadline.is_over()
    }

    fn run(&mut self, keys: &CaseKeys, elements: BTreeSet<(FuncId, Reg)>) -> Option<CaseJudge> {
        let limit = self.limits.0;
        let never = self.never_there();
        let (analysis, work) = CaseAnalysis::run(self.setting, keys, &never, limit, self.deadline);
        self.work += work;
        let done = analysis.is_some();
        let module = self.setting.module;
        let kept = keys.places.keys().map(|place| place_name(module, *place));
        let kept: Vec<String> = kept.collect();
        tracing::debug!(work, ?kept, registers = keys.registers.len(), done, "cases");
        let enough = (!done).then_some(limit);
        self.known.tried.insert(keys.clone(), enough);
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

    /// What is refuted never happens in any run that the next analysis has to look at.
    fn never_there(&self) -> NeverThere {
        let mut there = NeverThere::new();
        for trigger in &self.known.never {
            let sites = self.sites.by_trigger.get(trigger);
            for site in sites.into_iter().flatten() {
                there.entry(*site).or_default().push(*trigger);
            }
        }
        there
    }

    fn refute(&mut self, trigger: Trigger, places: &[MemoryPlace]) {
        if self.open.remove(&trigger) {
            self.refuted.insert(trigger, places.to_vec());
            self.known.never.insert(trigger);
        }
    }

    fn settle(&mut self, judge: &CaseJudge, places: &[MemoryPlace]) {
        let open = self.open.iter().copied();
        let never: Vec<Trigger> = open.filter(|t| !judge.possible.contains(t)).collect();
        for trigger in never {
            self.refute(trigger, places);
        }
    }

    /// Is it the same as an earlier run, or would be cut off as that one?
    fn is_tried(&self, keys: &CaseKeys) -> bool {
        let before = self.known.tried.get(keys);
        before.is_some_and(|limit| limit.is_none_or(|most| self.limits.0 < most * TIMES_AGAIN))
    }

    fn try_keys(&mut self, keys: &CaseKeys) {
        if !self.is_tried(keys) {
            self.run(keys, BTreeSet::new());
        }
    }

    /// Tells one element apart from the others, one after the other.
    fn try_elements(&mut self, keys: &ElementKeys, events: &BTreeSet<Trigger>) {
        let (function, reg) = keys.register;
        let is_asked = |other: &Trigger| {
            let leads = self.known.leads.get(&(*other, function, reg));
            self.stands_only_in(*other, function)
                && leads.is_some_and(|leads| leads.is_subset(&keys.leads))
        };
        let mut left: BTreeSet<Trigger> = self.open.iter().copied().filter(is_asked).collect();
        for keys_of_one in &keys.of_elements {
            if !self.is_tried(keys_of_one)
                && let Some(judge) = self.run(keys_of_one, BTreeSet::from([keys.register]))
            {
                let there = judge.possible_there;
                self.known.there.insert(keys_of_one.clone(), there);
            }
            let Some(there) = self.known.there.get(keys_of_one) else {
                return;
            };
            left.retain(|trigger| !there.contains(&(*trigger, reg)));
            // Both outcomes of a condition have the same keys.
            let other = |trigger: &Trigger| trigger.other_outcome();
            let is_left = |trigger: &Trigger| {
                left.contains(trigger) || other(trigger).is_some_and(|other| left.contains(&other))
            };
            if !events.iter().any(is_left) {
                return;
            }
        }
        let places = keys.of_elements.iter().flat_map(|keys| keys.places.keys());
        let places: Vec<MemoryPlace> = places.copied().collect();
        for trigger in left {
            self.refute(trigger, &places);
        }
    }

    /// Do all annotations of the event stand in this function?
    fn stands_only_in(&self, trigger: Trigger, function: FuncId) -> bool {
        let sites = self.sites.by_trigger.get(&trigger);
        sites.is_some_and(|sites| sites.iter().all(|site| site.function == function))
    }
}
