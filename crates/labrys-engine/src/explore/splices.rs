//! Splices in the search: inputs that are put together of parts of tests are tried with plain values, and
//! those that show something new are run like detours.

use super::Explorer;
use crate::end::PathEnd;
use crate::exec::{DecidingWords, Readings, ReplayTarget, RunMode, Trial};
use crate::inputs::InputValue;
use crate::splices::{Example, Miss, Proposal, Splices};
use crate::values::steps_of;
use labrys_expr::Model;
use std::rc::Rc;

/// So many runs come first: most searches are over by then.
const RUNS_BEFORE_SPLICES: u64 = 256;

/// The instructions of a trial, at most.
const LONGEST_TRIAL: u64 = 500_000;

/// What a trial costs besides its instructions, in the counted steps of a search.
const TRIAL_STEPS: u64 = 10_000;

/// Trials have so many times the counted steps of the rest of the search, which do not count candidates and
/// snapshots; after so many that have brought nothing half of that, and so on.
const TIMES: u64 = 16;
const FRUITLESS: u64 = 16_384;
const MOST_HALVES: u64 = 5;

/// What the search knows of its splices.
pub(super) struct SpliceTrials {
    splices: Splices,
    /// So many of the tests are known to them.
    tests: usize,
    /// What trials have cost.
    steps: u64,
    fruitless: u64,
}

impl SpliceTrials {
    pub(super) fn new(seed: u64) -> Self {
        SpliceTrials {
            splices: Splices::new(seed),
            tests: 0,
            steps: 0,
            fruitless: 0,
        }
    }

    /// Have trials had less than their part of the work?
    fn is_due(&self, all: u64) -> bool {
        let halves = (self.fruitless / FRUITLESS).min(MOST_HALVES);
        self.steps << halves < (all - self.steps.min(all)) * TIMES
    }
}

impl Explorer<'_> {
    /// Tries splices as long as they are due. True if one has shown something new: its run has been made.
    pub(super) fn try_splices(&mut self) -> bool {
        if self.shared.runs() < RUNS_BEFORE_SPLICES || !self.makes_splices() {
            return false;
        }
        self.take_in_tests();
        while self.trials.is_due(self.steps_done()) {
            if self.machine.config.should_stop() {
                return false;
            }
            let m = &self.machine;
            let is_open = |outcome| m.is_open(outcome);
            let Some(proposal) = self.trials.splices.propose(&is_open) else {
                return false;
            };
            if self.try_splice(proposal) {
                return true;
            }
        }
        false
    }

    fn steps_done(&self) -> u64 {
        let m = &self.machine;
        steps_of(&m.work, m.solver.stats()) + m.work.trials * TRIAL_STEPS
    }

    fn makes_splices(&self) -> bool {
        let m = &self.machine;
        m.makes_detours() && !m.objectives.has_labels()
    }

    /// Looks at the tests that are new since last time.
    fn take_in_tests(&mut self) {
        while self.trials.tests < self.tests.len() && self.trials.splices.has_room() {
            let test = &self.tests[self.trials.tests];
            let (inputs, fresh) = (test.inputs.clone(), test.fresh.clone());
            self.trials.tests += 1;
            // There is more to put together.
            self.trials.fruitless /= 2;
            self.take_in(inputs, &fresh);
        }
    }

    /// Runs an input once more to see how it is read.
    fn take_in(&mut self, inputs: Vec<InputValue>, fresh: &[usize]) {
        let before = self.machine.work.instructions;
        self.machine.readings = Some(Box::new(Readings::watching(fresh)));
        self.follow(inputs.clone(), false);
        let m = &mut self.machine;
        let readings = m.take_readings();
        let distances = std::mem::take(&mut m.findings.distances);
        m.deciding = Some(DecidingWords::default());
        self.follow(inputs.clone(), true);
        let m = &mut self.machine;
        let mut deciding = m.deciding.take().unwrap_or_default();
        let misses = distances.into_iter().map(|(outcome, missed)| Miss {
            outcome,
            distance: missed.distance,
            words: (deciding.remove(&outcome).into_iter().flatten()).collect(),
        });
        let misses = misses.collect();
        self.trials
            .splices
            .add(Example::new(inputs, readings), misses);
        self.trials.steps += m.work.instructions - before;
    }

    /// Runs an input to its end and leaves nothing behind; with plain values, or as a path.
    fn follow(&mut self, inputs: Vec<InputValue>, is_trial: bool) -> PathEnd {
        let m = &mut self.machine;
        m.state = self.root.clone();
        m.current.set(Rc::default());
        let trial = Box::new(Trial::new(inputs, is_trial));
        m.mode = RunMode::Trial(trial);
        m.pace.slice_end = LONGEST_TRIAL;
        m.pace.most_expressions = m.arena.live() + m.config.slice_expressions;
        m.pace.most_inputs = m.config.slice_inputs;
        m.forget_distances();
        let end = m.run();
        m.mode = RunMode::Search;
        end
    }

    /// Tries an input; true if it shows something new.
    fn try_splice(&mut self, proposal: Proposal) -> bool {
        let before = self.machine.work.instructions;
        let end = self.follow(proposal.inputs.clone(), true);
        let m = &mut self.machine;
        m.work.trials += 1;
        self.trials.steps += m.work.instructions - before + TRIAL_STEPS;
        self.trials.fruitless += 1;
        if matches!(end, PathEnd::AssumptionFailed | PathEnd::Suspended) || end.is_incomplete() {
            return false;
        }
        let hits = m.all_hits();
        let is_new = hits.iter().any(|o| !m.findings.covered.contains(o));
        let splices = &self.trials.splices;
        let mut distances = m.findings.distances.iter();
        let is_nearer = distances.any(|(outcome, d)| splices.is_nearer(*outcome, d.distance));
        let is_fault = match end {
            PathEnd::Fault(kind) => self.new_fault(kind).is_some(),
            _ => false,
        };
        if is_new || is_fault {
            self.trials.fruitless = 0;
            self.machine.work.fruitful_trials += 1;
            let model = self.machine.current.model.clone();
            self.run_splice(model, proposal.forks);
            return true;
        }
        if is_nearer && self.trials.splices.has_room() {
            let m = &self.machine;
            let inputs = m.inputs.given(&m.state.inputs, &m.current.model);
            self.take_in(inputs, &[]);
        }
        false
    }

    /// Runs an input of a trial as a path; candidates are left from the first fork on that known runs do
    /// not share.
    fn run_splice(&mut self, model: Rc<Model>, forks: u32) {
        if !self.replay(model.clone(), ReplayTarget::Fork(forks + 1)) {
            self.machine.state = self.root.clone();
            self.machine.current.set(model);
        }
        self.current_leaf = None;
        let m = &mut self.machine;
        m.mode = RunMode::Search;
        m.state.repeats = true;
        m.begin_instruction();
        self.run_fully();
    }
}
