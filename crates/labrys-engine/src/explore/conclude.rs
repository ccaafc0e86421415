//! The end of an exploration: values that are easier to read, and the report. Also the collection of
//! expressions that nothing needs any more.

use super::Explorer;
use crate::candidates::{drop_all, nearly};
use crate::error::EngineError;
use crate::exec::WILD_POINTER;
use crate::report::{Report, Stop, Unproved};
use crate::state::Roots;
use crate::structure::{Reach, ReachableObjectives};
use crate::values::Values;
use labrys_budget::{EndCause, release_memory, resident_bytes};
use labrys_ledger::Trigger;
use labrys_solver::SolverStats;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// With fewer candidates it is something else that takes the memory.
const LEAST_CANDIDATES: usize = 4096;

/// Why nothing is complete where candidates were put aside.
const ABANDONED: &str = "candidates were put aside for want of memory";

impl Explorer<'_> {
    /// Gives expressions back that nothing needs any more, when there are many.
    /// True if that was done.
    pub(super) fn collect(&mut self) -> bool {
        if self.machine.arena.collectable_size() < self.collect_at {
            return false;
        }
        self.collect_now();
        true
    }

    fn collect_now(&mut self) {
        let m = &mut self.machine;
        let mut roots = Roots::new(&m.arena);
        roots.state(&self.root);
        for candidate in self.agenda.all() {
            candidate.mark(&mut roots);
        }
        for candidate in self.leaves.waiting() {
            candidate.mark(&mut roots);
        }
        for candidate in self.suspended.iter().chain(&self.leaf_to_retry) {
            candidate.mark(&mut roots);
        }
        for missed in &self.detours {
            missed.mark(&mut roots);
        }
        for kept in self.test_paths.iter().flatten() {
            kept.mark(&mut roots);
        }
        let marks = roots.into_marks();
        m.collect(&marks);
        self.collect_at = (m.arena.collectable_size() * 2).max(m.config.collect_at);
    }

    /// Gives back what can be had again, if the memory is used up. If that is enough, the run goes
    /// on.
    pub(super) fn give_memory_back(&mut self) {
        let deadline = &self.machine.config.deadline;
        // Proofs hold expressions that no candidate needs.
        if deadline.cause() != Some(EndCause::Memory) || self.machine.looks_at_sets() {
            return;
        }
        let (agenda, leaves) = (&mut self.agenda, &mut self.leaves);
        drop_all(agenda, leaves, &mut self.machine.work);
        self.collect_now();
        release_memory();
        let limit = nearly(self.machine.config.memory);
        let is_enough = || resident_bytes().is_some_and(|used| used < limit);
        while !is_enough() && self.abandon_candidates() {}
        if is_enough() {
            deadline.set_memory_used_up(false);
        }
    }

    /// Drops all snapshots if they use much of the memory: their paths are replayed, and a look needs memory
    /// of its own.
    pub(super) fn make_room_for_look(&mut self) {
        let most = self.machine.config.memory / 2;
        if resident_bytes().is_some_and(|used| used > most) {
            drop_all(&mut self.agenda, &mut self.leaves, &mut self.machine.work);
            self.collect_now();
            release_memory();
        }
    }

    /// Puts candidates aside for good, since there is no memory for all; false if there are too few to
    /// be worth it. The search is not complete then.
    pub(super) fn abandon_candidates(&mut self) -> bool {
        let m = &self.machine;
        let is_search = m.states.is_none() && m.loop_proof.is_none();
        if !is_search || self.agenda.len() < LEAST_CANDIDATES {
            return false;
        }
        let abandoned = self.agenda.abandon_half();
        if abandoned == 0 {
            return false;
        }
        self.machine.work.abandoned += abandoned as u64;
        self.gap(ABANDONED, None);
        release_memory();
        true
    }

    /// Gives the tests values that are easier to read; says what the solver did for that.
    pub(super) fn improve_values(&mut self) -> Result<SolverStats, EngineError> {
        let config = self.machine.config;
        if config.raw_values || config.end.is_over() {
            return Ok(SolverStats::default());
        }
        let began = Instant::now();
        let mut values = Values::new(self.machine.program, config)?;
        let kept = self.test_paths.iter().flatten().count();
        values.cost_at_most(&self.machine.work, self.machine.solver.stats(), kept);
        for i in 0..self.tests.len() {
            if config.end.is_over() {
                break;
            }
            if let Some(kept) = self.test_paths[i].take() {
                kept.improve(&mut values, &mut self.machine, &mut self.tests[i]);
            }
            if self.collect() {
                values.forget();
            }
        }
        self.machine.work.value_queries = values.queries();
        self.machine.work.values_s = began.elapsed().as_secs_f64();
        self.machine.work.value_steps = values.steps();
        Ok(values.stats().clone())
    }

    pub(super) fn report(mut self, stop: Stop) -> Report {
        let m = &mut self.machine;
        if m.work.wild_pointers > 0 {
            self.gaps.insert(WILD_POINTER.into(), m.work.wild_pointers);
        }
        let mut sizes = m.arena.sizes().to_vec();
        sizes.push(("candidates", self.agenda.len() + self.leaves.len()));
        sizes.extend(self.agenda.sizes());
        sizes.append(&mut self.frontier_sizes);
        let unproved = self.unproved();
        let needed = self.needed();
        let m = &mut self.machine;
        m.labels
            .faulted
            .retain(|objective| m.objectives.is_listed(*objective));
        let report = Report {
            tests: std::mem::take(&mut self.tests),
            faults: std::mem::take(&mut self.faults),
            stop,
            vectors: self.shared.vectors(),
            distinct_paths: self.shared.traces(),
            assumptions: m.resting.assumptions(),
            gaps: std::mem::take(&mut self.gaps),
            unproved,
            needed,
            faulted: std::mem::take(&mut m.labels.faulted),
            pinned: std::mem::take(&mut m.native_pins),
            work: m.work.clone(),
            solver: m.solver.stats().clone(),
            sizes,
            turns: std::mem::take(&mut self.turns),
            claims: m.claims.as_mut().map(|log| log.take()).unwrap_or_default(),
            frontier: std::mem::take(&mut self.frontier_proofs),
            frontier_claims: std::mem::take(&mut self.frontier_claims),
        };
        // Millions of expressions and candidates take seconds to be given back one by one. Who stops
        // a search ends the process, too, and the system takes them at once.
        let is_large = matches!(stop, Stop::Time | Stop::Memory);
        if stop == Stop::Interrupted || is_large && m.config.ends_process {
            std::mem::forget(self);
        }
        report
    }

    /// For each objective that nothing has covered: the assumptions without which its own annotation could
    /// have had the value that is asked for.
    fn needed(&self) -> BTreeMap<usize, BTreeSet<String>> {
        let m = &self.machine;
        let mut needed: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        for (what, places) in m.resting.all() {
            let Unproved::Assumes(text) = what else {
                continue;
            };
            for trigger in &places.triggers {
                for objective in m.objectives.covered_by(*trigger) {
                    let known = needed.entry(*objective as usize).or_default();
                    known.insert(text.clone());
                }
            }
        }
        needed.retain(|objective, _| !m.findings.covered.contains(*objective));
        needed
    }

    /// For each objective that nothing has covered: what the search does not show about it.
    fn unproved(&mut self) -> BTreeMap<usize, BTreeSet<Unproved>> {
        let m = &mut self.machine;
        let mut unproved: BTreeMap<usize, BTreeSet<Unproved>> = BTreeMap::new();
        for (label, why) in std::mem::take(&mut m.labels.unproved) {
            for objective in m.objectives.covered_by(Trigger::Label { id: label }) {
                let known = unproved.entry(*objective as usize).or_default();
                known.extend(why.iter().cloned());
            }
        }
        let open = m
            .objectives
            .listed()
            .filter(|o| !m.findings.covered.contains(*o));
        let open: Vec<usize> = open.collect();
        let mut reach = None;
        for (what, places) in m.resting.all() {
            let reach = reach.get_or_insert_with(|| Reach::new(m.program, m.objectives));
            let reachable = match places.anywhere {
                true => ReachableObjectives::Everything,
                false => reach.from(&places.instructions, &places.triggers),
            };
            for objective in open.iter().filter(|o| reachable.contains(**o)) {
                unproved.entry(*objective).or_default().insert(what.clone());
            }
        }
        // An evaluation is measured in place: what a label cannot say of it does not matter.
        unproved.retain(|objective, _| m.objectives.is_listed(*objective));
        unproved
    }
}
