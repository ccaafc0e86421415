//! What is still to be done: the pool of candidates, the strategy that says which comes next, and
//! the filter that drops those that can cover nothing any more (paper on coverage structures,
//! algorithm 2).

use super::candidate::{Candidate, Resume};
use super::coverage_structure::{ALWAYS, CoverageStructure};
use super::fault_checks::FaultChecks;
use super::pool::{Pool, Ticket};
use super::strategy::{InputValues, SearchView, Strategy};
use super::thread_findings::ThreadFindings;
use super::untested_prefixes::UntestedPrefixes;
use crate::mcdc::{Pairs, PassageId};
use crate::objectives::ObjectiveMap;
use labrys_expr::{ExprId, Model};
use labrys_ledger::Relevance;
use std::rc::Rc;

/// A candidate with the goals of others, which its run should meet as well if it can.
pub(crate) struct ChosenCandidate {
    pub(crate) candidate: Candidate,
    pub(crate) wishes: Vec<ExprId>,
    /// What its run should keep of an input, as far as it can.
    pub(crate) input: Option<Rc<Model>>,
    /// Its first steps cover something.
    pub(crate) is_certain: bool,
}

pub(crate) struct Agenda<'m> {
    pool: Pool,
    strategy: Box<dyn Strategy + 'm>,
    /// Only if the filter or the strategy needs it.
    structure: Option<Box<dyn CoverageStructure + 'm>>,
    objectives: &'m ObjectiveMap,
    filters: bool,
    /// The last run has covered something.
    fruitful: bool,
    untested_prefixes: UntestedPrefixes,
    /// Fault checks that no longer wait in the pool, or never did; `None` if they are not asked.
    fault_checks: Option<FaultChecks>,
    /// Tickets of the last run, kept for its memory.
    fresh: Vec<Ticket>,
    /// Candidates that could cover nothing when they were made, and later.
    pub(crate) filtered: [u64; 2],
}

impl<'m> Agenda<'m> {
    /// `structure` is there if the strategy asks it or `filters` says that candidates are dropped
    /// which can cover nothing any more. `asks_faults` says that fault checks are kept for the end.
    pub(crate) fn new(
        strategy: Box<dyn Strategy + 'm>,
        structure: Option<Box<dyn CoverageStructure + 'm>>,
        filters: bool,
        asks_faults: bool,
        objectives: &'m ObjectiveMap,
    ) -> Self {
        Agenda {
            pool: Pool::default(),
            strategy,
            structure,
            objectives,
            filters,
            fruitful: false,
            untested_prefixes: UntestedPrefixes::default(),
            fault_checks: asks_faults.then(FaultChecks::default),
            fresh: Vec::new(),
            filtered: [0; 2],
        }
    }

    /// Takes in the candidates that the last run left behind, oldest first. The run came from the
    /// candidate that was taken last; leaves of labels wait elsewhere. `counted` says
    /// that all that the run has shown is in `found`.
    pub(crate) fn add(
        &mut self,
        candidates: &mut Vec<Candidate>,
        counted: bool,
        found: &ThreadFindings,
        values: &mut dyn InputValues,
    ) {
        self.fresh.clear();
        if let Some(structure) = &mut self.structure {
            structure.begin();
        }
        for candidate in candidates.drain(..) {
            let untested_prefix = match counted {
                true => UntestedPrefix::Nothing,
                false => untested_prefix(&candidate, found),
            };
            let Some(structure) = &mut self.structure else {
                self.fresh.push(self.pool.insert(candidate, ALWAYS));
                continue;
            };
            let spot = structure.spot_of(&candidate, &found.pairs);
            if self.filters
                && untested_prefix == UntestedPrefix::Nothing
                && !structure.is_live(spot)
            {
                self.filtered[0] += 1;
                self.add_fault_check(candidate);
                continue;
            }
            let ticket = self.pool.insert(candidate, spot);
            structure.wait(spot, ticket);
            if untested_prefix != UntestedPrefix::Nothing {
                self.pool.keep(ticket, true);
            }
            if let UntestedPrefix::Objectives(objectives) = untested_prefix {
                self.untested_prefixes.add(ticket, objectives);
            }
            self.fresh.push(ticket);
        }
        self.strategy.look(&self.fresh, &self.pool, found, values);
        let mut view = SearchView {
            pool: &self.pool,
            covered: &found.covered,
            structure: self.structure.as_deref_mut(),
            objectives: self.objectives,
            fruitful: self.fruitful,
            distances: &found.distances,
            input: &found.input,
        };
        self.strategy.add(&self.fresh, &mut view);
        self.fruitful = false;
    }

    /// These objectives need no test any more; these decisions with pairs, or all, were evaluated
    /// in a way that is new.
    pub(crate) fn cover(
        &mut self,
        news: &[usize],
        pair_decisions: Option<&[u32]>,
        found: &ThreadFindings,
    ) {
        self.fruitful |= !news.is_empty();
        let Some(structure) = &mut self.structure else {
            return;
        };
        let mut dropped = Vec::new();
        for objective in news {
            structure.cover(*objective, &mut dropped);
            let is_open = |o: u32| !found.covered.contains(o as usize);
            for ticket in self.untested_prefixes.cover(*objective, is_open) {
                self.pool.keep(ticket, false);
                if self.pool.contains(ticket) && !structure.is_live(self.pool.spot(ticket)) {
                    dropped.push(ticket);
                }
            }
        }
        if pair_decisions.is_none_or(|pair_decisions| !pair_decisions.is_empty()) {
            structure.decide(pair_decisions, &found.pairs, &mut dropped);
        }
        self.drop(dropped);
    }

    /// Evaluations of decisions in these passes cannot have some halves of pairs.
    pub(crate) fn exclude(&mut self, passes: &[PassageId], pairs: &Pairs) {
        let Some(structure) = self.structure.as_mut().filter(|_| !passes.is_empty()) else {
            return;
        };
        let mut dropped = Vec::new();
        structure.exclude(passes, pairs, &mut dropped);
        self.drop(dropped);
    }

    /// Drops candidates that can cover nothing any more.
    fn drop(&mut self, dropped: Vec<Ticket>) {
        if !self.filters {
            return;
        }
        for ticket in dropped {
            if self.pool.contains(ticket) && !self.pool.is_kept(ticket) {
                self.strategy.forget(ticket);
                if let Some(candidate) = self.remove(ticket) {
                    self.add_fault_check(candidate);
                }
                self.filtered[1] += 1;
            }
        }
    }

    /// Can a path that was suspended cover anything?
    pub(crate) fn is_worthwhile(&mut self, candidate: &Candidate, found: &ThreadFindings) -> bool {
        match &mut self.structure {
            Some(structure) if self.filters => {
                structure.begin();
                let spot = structure.spot_of(candidate, &found.pairs);
                let useful = structure.is_live(spot)
                    || untested_prefix(candidate, found) != UntestedPrefix::Nothing;
                self.filtered[1] += u64::from(!useful);
                useful
            }
            _ => true,
        }
    }

    pub(crate) fn next(&mut self, found: &ThreadFindings) -> Option<ChosenCandidate> {
        let mut view = SearchView {
            pool: &self.pool,
            covered: &found.covered,
            structure: self.structure.as_deref_mut(),
            objectives: self.objectives,
            fruitful: self.fruitful,
            distances: &found.distances,
            input: &found.input,
        };
        let ticket = self.strategy.next(&mut view)?;
        let wishes = self.strategy.wishes().iter();
        let pair_decisions = wishes.filter_map(|t| self.pool.get(*t).map(|c| c.goal));
        let wishes = pair_decisions.collect();
        self.strategy.taken(ticket);
        let spot = self.pool.spot(ticket);
        let structure = self.structure.as_mut();
        let rank = structure.filter(|_| spot != ALWAYS).map(|s| s.rank(spot));
        let input = self.strategy.input();
        let candidate = self.remove(ticket)?;
        Some(ChosenCandidate {
            candidate,
            wishes,
            input,
            is_certain: rank.is_some_and(|rank| rank.relevance == Relevance::Must),
        })
    }

    /// All that wait.
    pub(crate) fn tickets(&self) -> Vec<Ticket> {
        self.pool.iter().map(|(ticket, _)| ticket).collect()
    }

    pub(crate) fn get(&self, ticket: Ticket) -> Option<&Candidate> {
        self.pool.get(ticket)
    }

    /// Takes a candidate that the strategy has not chosen.
    pub(crate) fn take(&mut self, ticket: Ticket) -> Option<Candidate> {
        self.strategy.taken(ticket);
        self.remove(ticket)
    }

    fn remove(&mut self, ticket: Ticket) -> Option<Candidate> {
        let spot = self.pool.spot(ticket);
        let candidate = self.pool.take(ticket)?;
        if let Some(structure) = &mut self.structure {
            structure.leave(spot, &|ticket| self.pool.contains(ticket));
        }
        Some(candidate)
    }

    pub(crate) fn len(&self) -> usize {
        self.pool.len()
    }

    /// Puts the candidates aside for good that the strategy would take last, at most half of them, and
    /// none that waits for the sake of what its path has shown. Says how many.
    pub(crate) fn abandon_half(&mut self) -> usize {
        let mut last = self.strategy.last(self.pool.len() / 2, &self.pool);
        last.retain(|ticket| self.pool.contains(*ticket) && !self.pool.is_kept(*ticket));
        for ticket in &last {
            self.strategy.forget(*ticket);
            if let Some(candidate) = self.remove(*ticket) {
                self.add_fault_check(candidate);
            }
        }
        last.len()
    }

    /// Sizes of tables.
    pub(crate) fn sizes(&self) -> Vec<(&'static str, usize)> {
        let structure = self.structure.as_ref();
        structure.map_or_else(Vec::new, |s| s.sizes().to_vec())
    }

    /// Keeps a candidate for the end of the search if it is a fault check.
    pub(crate) fn add_fault_check(&mut self, candidate: Candidate) {
        if let Some(checks) = &mut self.fault_checks {
            checks.add(candidate);
        }
    }

    /// The search is over: all fault checks that wait are asked from now on.
    pub(crate) fn line_up_fault_checks(&mut self) {
        let mut waiting: Vec<Ticket> = self.pool.iter().map(|(ticket, _)| ticket).collect();
        waiting.sort_unstable();
        for ticket in waiting {
            let is_check = |c: &Candidate| c.fault.is_some();
            if self.pool.get(ticket).is_some_and(is_check)
                && let Some(candidate) = self.remove(ticket)
            {
                self.add_fault_check(candidate);
            }
        }
        if let Some(checks) = &mut self.fault_checks {
            checks.line_up();
        }
    }

    /// The fault check to ask next.
    pub(crate) fn next_fault_check(&mut self) -> Option<Candidate> {
        self.fault_checks.as_mut()?.next()
    }

    /// A candidate for another thread, one that would have to wait long here.
    pub(crate) fn give(&mut self) -> Option<Candidate> {
        let ticket = self.pool.movable(self.strategy.prefers_old())?;
        self.strategy.forget(ticket);
        self.remove(ticket)
    }

    /// All candidates, in any order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Candidate> {
        let checks = self.fault_checks.iter().flat_map(FaultChecks::iter);
        let pool = self.pool.iter().map(|(_, candidate)| candidate);
        pool.chain(checks)
    }

    /// All candidates, those first that have waited longest and will wait longest.
    pub(crate) fn waiting(&mut self) -> impl Iterator<Item = &mut Candidate> {
        let checks = self.fault_checks.iter_mut();
        let checks = checks.flat_map(FaultChecks::iter_mut);
        checks.chain(self.pool.by_age(self.strategy.prefers_old()))
    }
}

/// What the path to a candidate has shown and no test has shown yet.
#[derive(Clone, Debug, PartialEq, Eq)]
enum UntestedPrefix {
    Nothing,
    Objectives(Vec<u32>),
    /// Evaluations of decisions with pairs.
    SeenVectors,
}

fn untested_prefix(candidate: &Candidate, found: &ThreadFindings) -> UntestedPrefix {
    let Some(state) = &candidate.snapshot else {
        return UntestedPrefix::Nothing;
    };
    if state.vectors.iter().any(|v| !found.vectors.is_known(v)) {
        return UntestedPrefix::SeenVectors;
    }
    let mut hits: Vec<u32> = state.hits.iter().map(|o| o as u32).collect();
    if candidate.resume == Resume::Continue {
        hits.extend(state.incidental.hits.iter().map(|o| o as u32));
    }
    hits.retain(|o| !found.covered.contains(*o as usize));
    match hits.is_empty() {
        true => UntestedPrefix::Nothing,
        false => UntestedPrefix::Objectives(hits),
    }
}
