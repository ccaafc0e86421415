//! What a run has found: coverage, faults and the tests worth keeping.

use super::Explorer;
use crate::candidates::{Candidate, InputValues, SnapshotLimits};
use crate::config::Search;
use crate::end::{FaultKind, PathEnd};
use crate::inputs::CurrentModel;
use crate::parallel::NewCoverage;
use crate::report::{Fault, Test, Unproved};
use crate::values::TestPath;
use labrys_expr::{Arena, ExprId, VarId};
use labrys_solver::{PathCondition, PossibleValues, Solver};
use std::rc::Rc;

/// The paths of at most this many tests are kept, so that their values can be chosen again: each
/// holds its conditions.
const MOST_TEST_PATHS: usize = 4_096;

/// A branch on uninitialised memory ends a path here, but goes somewhere in reality.
const UNINITIALISED: &str = "a path depends on uninitialised memory";

/// So many runs go to their ends, or until they are suspended, before any rests: most searches are over by
/// then.
const RUNS_BEFORE_RESTS: u64 = 128;

/// The part of the memory that waiting candidates leave to looks.
const PART_FOR_LOOKS: u64 = 4;

/// Candidates that a path leaves before it rests: a few turns of the loop that most long paths are in.
const REST_AFTER: usize = 32;

/// What paths allow values to be.
struct PathValues<'a> {
    arena: &'a Arena,
    solver: &'a mut Solver,
    /// The input of the last run.
    current: &'a mut CurrentModel,
}

impl InputValues for PathValues<'_> {
    fn possible(&mut self, path: &PathCondition, value: ExprId) -> PossibleValues {
        match self.solver.possible_values(self.arena, path, value) {
            // Its value in the last run is an example.
            PossibleValues::Any => {
                let example = self.current.value(self.arena, value);
                PossibleValues::Some(example as u64)
            }
            known => known,
        }
    }

    fn possible_inputs(&mut self, path: &PathCondition, input: VarId) -> PossibleValues {
        self.solver.possible_inputs(self.arena, path, input)
    }

    fn inputs_of(&self, value: ExprId, visit: &mut dyn FnMut(VarId)) {
        let inputs = self.arena.vars_iter(self.arena.vars(value));
        inputs.for_each(visit);
    }
}

impl Explorer<'_> {
    /// Runs the current state to the end of its path and takes in what it found.
    pub(super) fn run(&mut self) {
        let rest_after = self.rest_after();
        self.run_and_rest(rest_after);
    }

    /// The same for a path of which it is known that its end shows something new.
    pub(super) fn run_fully(&mut self) {
        self.run_and_rest(usize::MAX);
    }

    fn run_and_rest(&mut self, rest_after: usize) {
        let m = &mut self.machine;
        m.pace.slice_end = m.state.steps.saturating_add(m.config.slice);
        m.pace.most_expressions = m.arena.live() + m.config.slice_expressions;
        m.pace.most_inputs = m.state.inputs.len() + m.config.slice_inputs;
        m.pace.rest_after = rest_after;
        m.forget_distances();
        let end = m.run();
        let counted = match end {
            PathEnd::Suspended => {
                self.suspend();
                self.shared.count_rest();
                self.run_to_the_end()
            }
            PathEnd::Rested => {
                m.work.ends[PathEnd::Rested.number()] += 1;
                self.shared.count_rest();
                false
            }
            end => self.finish(end),
        };
        let m = &mut self.machine;
        let added = m.left.candidates.len() + m.left.leaves.len();
        self.detours.append(&mut m.left.missed);
        self.leaves.add(&mut m.left.leaves);
        for check in m.left.fault_checks.drain(..) {
            self.agenda.add_fault_check(check);
        }
        m.findings.input = m.current.model.clone();
        if m.mode.forks() {
            let mut candidates = std::mem::take(&mut m.left.candidates);
            let mut values = PathValues {
                arena: &m.arena,
                solver: &mut m.solver,
                current: &mut m.current,
            };
            self.agenda
                .add(&mut candidates, counted, &m.findings, &mut values);
            m.left.candidates = candidates;
        }
        [m.work.filtered, m.work.filtered_later] = self.agenda.filtered;
        let waiting = self.agenda.len() + self.leaves.len();
        m.work.most_candidates = m.work.most_candidates.max(waiting);
        self.shared.progress(&m.work, waiting);
        self.collect();
        let limits = SnapshotLimits {
            memory: self.memory_for_search(),
            number: self.machine.config.snapshots,
        };
        let work = &mut self.machine.work;
        let (agenda, leaves) = (&mut self.agenda, &mut self.leaves);
        if !self.budget.keep_within(limits, added, agenda, leaves, work) {
            self.abandon_candidates();
        }
    }

    /// After how many candidates a path rests. Not before the search knows what runs of the program
    /// are like, and only if it goes by what candidates promise: others want the order of whole paths.
    fn rest_after(&self) -> usize {
        let config = self.machine.config;
        let by_promise = matches!(config.search, Search::Mix | Search::Novelty);
        match by_promise && !config.every_path && self.shared.runs() >= RUNS_BEFORE_RESTS {
            true => REST_AFTER,
            false => usize::MAX,
        }
    }

    /// What waiting candidates may use of the memory: looks at loops, sets of states and the frontier need
    /// some of their own.
    fn memory_for_search(&self) -> u64 {
        let memory = self.machine.config.memory;
        let next_look = (self.turns_after)
            .min(self.states.after)
            .min(self.looks.next);
        match next_look {
            u64::MAX => memory,
            _ => memory - memory / PART_FOR_LOOKS,
        }
    }

    /// Suspends the current path: it may be endless, and others wait.
    pub(super) fn suspend(&mut self) {
        let m = &mut self.machine;
        // It goes on as an ordinary path: the other ways since the label are not tried.
        if let Some(label) = m.mode.wanted_label().or(m.mode.covered_label()) {
            let reason = "a long path follows the label".to_owned();
            m.unproved(label, Unproved::Gap(reason));
        }
        let (state, model) = (m.state.clone(), m.current.model.clone());
        let candidate = Candidate::to_go_on(state, model, m.arena.yes());
        self.suspended.push_back(candidate);
    }

    /// Takes in what a path has found; false if it does not count.
    pub(super) fn finish(&mut self, end: PathEnd) -> bool {
        let m = &mut self.machine;
        m.work.ends[end.number()] += 1;
        if matches!(end, PathEnd::AssumptionFailed | PathEnd::LabelMissed) {
            m.drop_incidental_hits();
            m.discard_leaf();
            if end == PathEnd::LabelMissed {
                let tried = self.current_leaf.take();
                self.exclude(tried);
            }
            return false;
        }
        m.close_leaf();
        m.work.paths += 1;
        m.work.repeats += u64::from(m.state.repeats);
        self.shared.count_path();
        if end == PathEnd::LabelCovered {
            return true;
        }
        let new_path = self.shared.new_trace(m.state.trace.0);
        self.cut_short |= end == PathEnd::Interrupted;
        if end.is_incomplete() && end != PathEnd::Interrupted {
            let reason = match &end {
                PathEnd::Unsupported { message } => format!("unsupported: {message}"),
                other => other.name().to_owned(),
            };
            *self.gaps.entry(reason.clone()).or_default() += 1;
            m.gap_here(&reason);
        }
        if let (PathEnd::HarnessLimit { flag }, true) = (&end, m.looks_at_sets()) {
            m.rest_on(&Rc::from(flag.as_str()));
        }
        let fault = match end {
            PathEnd::Fault(kind) => {
                m.rest_on_first_error(kind);
                if kind == FaultKind::UninitialisedRead {
                    m.gap_here(UNINITIALISED);
                }
                self.new_fault(kind)
            }
            _ => None,
        };
        let m = &mut self.machine;
        let hits = m.all_hits();
        let vectors = m.vectors_of(&hits);
        let NewCoverage { news, mut fresh } =
            self.shared
                .cover(&hits, &mut m.findings.covered, &mut self.synced);
        let unseen = m.findings.vectors.unseen(&vectors);
        let local = (&mut m.findings.covered, &mut m.findings.pairs);
        let (paired, brought) = self.shared.pair(&unseen, local, &mut self.synced);
        m.close_labels(&news);
        m.note_reached(&news);
        let mut closed = news;
        closed.extend(&paired.news);
        self.agenda
            .cover(&closed, Some(&brought.changed), &m.findings);
        m.watch(&closed);
        let listed = |o: &usize| m.objectives.is_listed(*o);
        let only = m.objectives.count == 0 && self.tests.is_empty();
        let wanted = m.config.every_path && new_path;
        let for_itself = fresh.iter().any(listed) || fault.is_some() || wanted || only;
        if !for_itself && !brought.useful && fresh.is_empty() {
            return true;
        }
        let has_pairs = !paired.news.is_empty();
        let has_news = has_pairs || !fresh.is_empty();
        fresh.retain(listed);
        fresh.extend(&paired.fresh);
        let mut test = m.proposed(end, fresh);
        test.only_for_pairs = !for_itself;
        if let Some(mut fault) = fault {
            fault.test = self.tests.len();
            self.faults.push(fault);
        }
        let first_half = !for_itself && !has_news;
        if first_half && self.shared.defer(&test, &unseen) {
            return true;
        }
        if has_pairs {
            for partner in self.shared.take_partners(&unseen) {
                self.shared.test(&partner, &self.machine.work);
                self.add(partner, None);
            }
        }
        self.shared.test(&test, &self.machine.work);
        let kept = self.path_of_test();
        self.add(test, kept);
        true
    }

    /// What has to be known of the current path to choose other values for its test.
    pub(super) fn path_of_test(&self) -> Option<TestPath> {
        let wanted = !self.machine.config.raw_values && self.tests.len() < MOST_TEST_PATHS;
        wanted.then(|| TestPath::of(&self.machine))
    }

    pub(super) fn add(&mut self, test: Test, kept: Option<TestPath>) {
        self.tests.push(test);
        self.test_paths.push(kept);
    }

    /// The fault at the current instruction, unless it was reported before.
    pub(super) fn new_fault(&self, kind: FaultKind) -> Option<Fault> {
        let stack = self.machine.stack();
        // A fault inside a model of the library belongs to the user's call of it.
        let loc = self.machine.blamed(&stack);
        let known = self.faults.iter().any(|f| f.kind == kind && f.loc == loc);
        (!known).then_some(Fault {
            kind,
            loc,
            stack,
            test: 0,
        })
    }
}
