//! The search over pairs: a path of the original and a path of a mutant for one input. The mutants
//! have their turns one after the other; in its turn a mutant is run on a path of the original that
//! comes to it, or goes another way beside such a path, or asks for a new path of the original.

use super::MutantChanges;
use super::choice::PointDistances;
use super::difference::{Difference, EndedRun, Ends, StateComparer, ends, observed};
use super::mutant_task::{MutantFork, MutantTask, TaskStatus};
use super::options::KillOptions;
use super::original_paths::{OriginalPath, WaitingCandidate};
use super::report::{KillReport, KillWork, KillingTest, MutantFinding};
use crate::augment::{Compared, RunInput, Runner, compare};
use crate::bitset::BitSet;
use crate::candidates::Candidate;
use crate::config::Config;
use crate::end::PathEnd;
use crate::error::EngineError;
use crate::exec::{PairRun, RunMode};
use crate::inputs::InputValue;
use crate::objectives::ObjectiveMap;
use crate::program::{Joins, Program};
use labrys_expr::{ExprId, Model};
use labrys_ir::FuncId;
use labrys_solver::{Answer, PathCondition};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

/// What one question may cost: conflicts of the SAT solver, and time of Bitwuzla.
const CONFLICTS: u64 = 4_000;
const MOST_TIME: Duration = Duration::from_millis(1_000);

/// A path of the original leaves at most so many snapshots at each point; a mutant is run from the
/// last of them on for all that follow.
const MOST_VISITS: u32 = 8;

/// Steps that a run may take at least, and how many times those of the longest test.
const LEAST_STEPS: u64 = 200_000;
const TIMES_AS_LONG: u64 = 20;

/// Of a mutant that only native runs can judge, so many tests are kept.
const MOST_DOUBTS: usize = 4;

/// In each turn a mutant tries at most this many things before it asks for a new path.
const TRIES: usize = 4;

pub(super) struct PairSearch<'m> {
    pub(super) runner: Runner<'m>,
    joins: Rc<Joins>,
    pub(super) mutants: Vec<MutantTask>,
    /// The mutants at each point.
    at_point: BTreeMap<u32, Vec<usize>>,
    wanted: Rc<BitSet>,
    pub(super) paths: Vec<OriginalPath>,
    /// Ways that paths of the original could have gone.
    pub(super) waiting: Vec<WaitingCandidate>,
    tests: Vec<KillingTest>,
    comparer: StateComparer,
    longest: u64,
    next: usize,
    pub(super) work: KillWork,
    pub(super) random: u64,
    pub(super) distances: PointDistances,
    pub(super) turns: u64,
    /// The paths up to here were looked through for those that nobody needs.
    pub(super) looked_through: usize,
}

impl<'m> PairSearch<'m> {
    pub(super) fn new(
        program: &'m Program<'m>,
        entry: FuncId,
        objectives: &'m ObjectiveMap,
        joins: Rc<Joins>,
        mutants: &[MutantChanges],
        _options: &KillOptions,
        config: &'m Config,
    ) -> Result<Self, EngineError> {
        let mut solver = config.solver.clone();
        solver.conflicts = CONFLICTS;
        solver.give_up = true;
        solver.timeout = solver.timeout.min(MOST_TIME);
        let runner = Runner::with_solver(program, entry, objectives, config, solver)?;
        let mut at_point: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let mut wanted = BitSet::default();
        for (number, changes) in mutants.iter().enumerate() {
            for change in changes {
                at_point.entry(change.point).or_default().push(number);
                wanted.insert(change.point as usize);
            }
        }
        Ok(PairSearch {
            runner,
            joins,
            mutants: mutants.iter().map(|m| MutantTask::new(m)).collect(),
            at_point,
            wanted: Rc::new(wanted),
            paths: Vec::new(),
            waiting: Vec::new(),
            tests: Vec::new(),
            comparer: StateComparer::default(),
            longest: 0,
            next: 0,
            work: KillWork::default(),
            random: config.seed ^ 0x9e37_79b9_7f4a_7c15,
            distances: PointDistances::new(program.module),
            turns: 0,
            looked_through: 0,
        })
    }

    pub(super) fn search(mut self, suite: &[Vec<InputValue>]) -> KillReport {
        for inputs in suite {
            if self.runner.should_stop() {
                break;
            }
            self.plant(inputs);
        }
        if self.paths.is_empty() {
            self.plant(&[]);
        }
        while !self.runner.should_stop() {
            let Some(mutant) = self.next_open() else {
                break;
            };
            self.turn(mutant);
            self.give_back();
        }
        self.report()
    }

    /// The open mutant whose turn it is.
    fn next_open(&mut self) -> Option<usize> {
        let count = self.mutants.len();
        let mut order = (0..count).map(|step| (self.next + step) % count);
        let found = order.find(|mutant| self.mutants[*mutant].is_open())?;
        self.next = found + 1;
        Some(found)
    }

    fn turn(&mut self, number: usize) {
        for _ in 0..TRIES {
            let mutant = &mut self.mutants[number];
            mutant.turns += 1;
            let fork_first = mutant.turns.is_multiple_of(2) || mutant.untried.is_empty();
            let fork = fork_first.then(|| mutant.forks.pop_front()).flatten();
            if let Some(fork) = fork {
                self.try_fork(number, fork);
            } else if let Some(path) = mutant.untried.pop_front() {
                self.try_path(number, path);
            } else {
                break;
            }
            if !self.mutants[number].is_open() || self.runner.should_stop() {
                return;
            }
        }
        let mutant = &self.mutants[number];
        if !mutant.untried.is_empty() || !mutant.forks.is_empty() {
            return;
        }
        match self.choose(number) {
            Some(place) => self.take(place, self.mutants[number].infection),
            None => self.mutants[number].close(TaskStatus::Exhausted),
        }
    }

    /// Runs the original with the input of a test, from the candidate on that it belongs to.
    fn plant(&mut self, inputs: &[InputValue]) {
        let seen = self.runner.run(RunInput::Inputs(inputs), &[], None);
        let model = seen.model.clone();
        self.longest = self.longest.max(seen.state.steps);
        if self.paths.is_empty() && self.waiting.is_empty() {
            self.runner.start();
            self.runner.machine.current.set(model);
            self.run_original();
            return;
        }
        let places = 0..self.waiting.len();
        let place = places
            .into_iter()
            .find(|place| self.belongs(&model, *place));
        if let Some(place) = place {
            let mut waiting = self.waiting.swap_remove(place);
            waiting.candidate.solution = Some(model);
            self.resume(waiting.candidate);
        }
    }

    /// Does an input go the way of a candidate?
    fn belongs(&mut self, model: &Rc<Model>, place: usize) -> bool {
        let candidate = &self.waiting[place].candidate;
        let conditions = candidate.path.iter().chain([candidate.goal]);
        let conditions: Vec<ExprId> = conditions.collect();
        let mut newest_first = conditions.into_iter().rev();
        newest_first.all(|condition| self.runner.holds(model, condition))
    }

    /// Runs the original on another way.
    fn take(&mut self, place: usize, wish: Option<ExprId>) {
        let WaitingCandidate { mut candidate, .. } = self.waiting.swap_remove(place);
        if let Some(wish) = wish {
            let m = &mut self.runner.machine;
            let goal = m.arena.and(candidate.goal, wish);
            let (path, hint) = (&candidate.path, &candidate.parent);
            if let Answer::Sat(model) = m.solver.solve(&mut m.arena, path, goal, hint) {
                candidate.solution = Some(Rc::new(model));
            }
        }
        self.resume(candidate);
    }

    /// An input of a candidate, if there is one.
    fn solution(&mut self, candidate: &mut Candidate) -> Result<Rc<Model>, Option<String>> {
        if let Some(model) = candidate.solution.take() {
            return Ok(model);
        }
        let m = &mut self.runner.machine;
        let (path, hint) = (&candidate.path, &candidate.parent);
        match m.solver.solve(&mut m.arena, path, candidate.goal, hint) {
            Answer::Sat(model) => Ok(Rc::new(model)),
            Answer::Unsat => Err(None),
            Answer::Unknown(reason) => Err(Some(format!("solver: {reason}"))),
        }
    }

    fn resume(&mut self, mut candidate: Candidate) {
        match self.solution(&mut candidate) {
            Ok(model) => {
                self.runner.continue_candidate(candidate, model);
                self.run_original();
            }
            Err(None) => {}
            Err(Some(gap)) => self.gap(&gap),
        }
    }

    fn gap(&mut self, reason: &str) {
        *self.work.gaps.entry(reason.to_owned()).or_default() += 1;
    }

    fn most_steps(&self) -> u64 {
        self.longest.saturating_mul(TIMES_AS_LONG).max(LEAST_STEPS)
    }

    /// Runs the current state as the original, and notes its path.
    fn run_original(&mut self) {
        let mut run = PairRun {
            wanted: self.wanted.clone(),
            most_visits: MOST_VISITS,
            joins: self.joins.clone(),
            ..PairRun::default()
        };
        let most = self.most_steps();
        let m = &mut self.runner.machine;
        run.count(&m.state.visits);
        m.mode = RunMode::Pair(Box::new(run));
        m.pace.slice_end = most;
        let end = m.run();
        self.work.paths += 1;
        let number = self.paths.len();
        for candidate in self.runner.left_behind() {
            let path = number;
            self.waiting.push(WaitingCandidate { candidate, path });
        }
        let m = &mut self.runner.machine;
        if let PathEnd::Fault(kind) = end {
            m.rest_on_first_error(kind);
        }
        let run = EndedRun {
            state: Rc::new(m.state.clone()),
            model: m.current.model.clone(),
            end,
        };
        match &run.end {
            PathEnd::Returned | PathEnd::Exited { .. } | PathEnd::Fault(_) => {}
            PathEnd::AssumptionFailed => {}
            PathEnd::Unsupported { message } => self.gap(&format!("unsupported: {message}")),
            other => self.gap(&format!("a path of the original ended: {}", other.name())),
        }
        let counts = matches!(
            run.end,
            PathEnd::Returned | PathEnd::Exited { .. } | PathEnd::Fault(_)
        );
        let path = OriginalPath::new(run, counts);
        for point in path.points() {
            for mutant in self.at_point.get(&point).into_iter().flatten() {
                let mutant = &mut self.mutants[*mutant];
                if counts && mutant.is_open() && mutant.untried.back() != Some(&number) {
                    mutant.add_path(number);
                }
            }
        }
        self.paths.push(path);
    }

    /// Runs a mutant beside a path of the original, from the first place on where its state is not that
    /// of the original.
    fn try_path(&mut self, number: usize, path: usize) {
        let changes = self.mutants[number].changes.clone();
        let Some(kept) = self.paths[path].kept.clone() else {
            return;
        };
        let single = changes.len() == 1;
        let visits = kept.visits_of(changes.iter().map(|change| change.point));
        let last = visits.len().saturating_sub(1);
        for (turn, visit) in visits.iter().enumerate() {
            let mut state = (*visit.snapshot).clone();
            state.path = kept.run.state.path.clone();
            let join = visit.join.filter(|_| single && visit.joined.is_some());
            let m = &mut self.runner.machine;
            m.state = state;
            m.current.set(kept.run.model.clone());
            let mut end = self.run_mutant(number, path, join);
            if let (PathEnd::ForkReached, Some(original)) = (&end, &visit.joined) {
                let m = &mut self.runner.machine;
                let state = m.state.clone();
                let found = self.comparer.states(m, original, &state);
                self.note_assumptions(number, &found);
                if self.is_shown_alike(&found) {
                    let more = self.paths[path].is_cut(&changes, MOST_VISITS);
                    if turn < last || !more {
                        continue;
                    }
                }
                let when = match found.certain {
                    true => self.runner.machine.arena.yes(),
                    false => found.when,
                };
                self.mutants[number].note_infection(when);
                self.runner.machine.state = state;
                end = self.run_mutant(number, path, None);
            } else {
                let yes = self.runner.machine.arena.yes();
                self.mutants[number].note_infection(yes);
            }
            self.conclude(number, path, end);
            return;
        }
    }

    /// Is it shown that there is no difference on the current path?
    fn is_shown_alike(&mut self, found: &Difference) -> bool {
        let m = &mut self.runner.machine;
        if found.is_none(&m.arena) {
            return true;
        }
        if found.certain || found.unclear {
            return false;
        }
        let (path, model) = (m.state.path.clone(), m.current.model.clone());
        matches!(
            m.solver.solve(&mut m.arena, &path, found.when, &model),
            Answer::Unsat
        )
    }

    fn note_assumptions(&mut self, number: usize, found: &Difference) {
        let assumes = found.assumes.iter().cloned();
        self.mutants[number].assumes.extend(assumes);
    }

    /// Runs the current state as a mutant; what it leaves behind is noted.
    fn run_mutant(
        &mut self,
        number: usize,
        path: usize,
        stop_at: Option<crate::state::JoinPlace>,
    ) -> PathEnd {
        let most = self.most_steps();
        let m = &mut self.runner.machine;
        m.mode = RunMode::Pair(Box::new(PairRun {
            active: self.mutants[number].changes.clone(),
            stop_at,
            joins: self.joins.clone(),
            ..PairRun::default()
        }));
        m.pace.slice_end = most;
        let end = m.run();
        self.work.mutant_runs += 1;
        let forks = self.runner.left_behind().into_iter();
        let forks = forks.map(|candidate| MutantFork { candidate, path });
        self.mutants[number].forks.extend(forks);
        end
    }

    /// Another way of a mutant beside the same path of the original.
    fn try_fork(&mut self, number: usize, fork: MutantFork) {
        let MutantFork {
            mut candidate,
            path,
        } = fork;
        match self.solution(&mut candidate) {
            Ok(model) => {
                self.runner.continue_candidate(candidate, model);
                let end = self.run_mutant(number, path, None);
                self.conclude(number, path, end);
            }
            Err(None) => {}
            Err(Some(gap)) => {
                self.mutants[number].gaps.insert(gap);
            }
        }
    }

    /// A mutant has come to its end: looks for an input on these two paths that tells it from the
    /// original.
    fn conclude(&mut self, number: usize, path: usize, end: PathEnd) {
        let Some(kept) = self.paths[path].kept.clone() else {
            return;
        };
        let m = &mut self.runner.machine;
        let mutant = EndedRun {
            end,
            state: Rc::new(m.state.clone()),
            model: m.current.model.clone(),
        };
        let here = m.location();
        match ends(&kept.run.end, &mutant.end) {
            Ends::Different => return self.confirm(number, mutant.model),
            Ends::SameFault => return,
            Ends::Unclear => {
                self.mutants[number].gaps.insert(UNCLEAR_END.to_owned());
                return self.confirm(number, mutant.model);
            }
            Ends::Nothing => {
                if mutant.end != PathEnd::AssumptionFailed {
                    let gap = format!("a run of the mutant ended: {}", mutant.end.name());
                    self.mutants[number].gaps.insert(gap);
                }
                return;
            }
            Ends::Alike => {}
        }
        let mut original = kept.run.clone();
        if !Rc::ptr_eq(&original.model, &mutant.model) && original.shows_values() {
            original = self.rerun(&original, mutant.model.clone());
        }
        let m = &mut self.runner.machine;
        m.current.set(mutant.model.clone());
        let found = observed(m, &original, &mutant);
        let holds = found.certain || m.current.value(&m.arena, found.when) != 0;
        self.note_assumptions(number, &found);
        if holds {
            return self.confirm(number, mutant.model);
        }
        if found.unclear {
            self.mutants[number].gaps.insert(UNCLEAR_OUTPUT.to_owned());
            self.confirm(number, mutant.model.clone());
        }
        if self.mutants[number].is_open() {
            self.ask(number, &mutant.state.path, found.when, &mutant.model);
        }
        if self.mutants[number].is_open() {
            self.mutants[number].note_masking(here);
        }
    }

    fn ask(&mut self, number: usize, path: &PathCondition, goal: ExprId, hint: &Rc<Model>) {
        let m = &mut self.runner.machine;
        if m.arena.as_const(goal) == Some(0) {
            return;
        }
        match m.solver.solve(&mut m.arena, path, goal, hint) {
            Answer::Sat(model) => self.confirm(number, Rc::new(model)),
            Answer::Unsat => {}
            Answer::Unknown(reason) => {
                let gap = format!("solver: {reason}");
                self.mutants[number].gaps.insert(gap);
            }
        }
    }

    /// The original once more, with another input of the same path: text that it has made of values is
    /// that of this input then.
    fn rerun(&mut self, original: &EndedRun, model: Rc<Model>) -> EndedRun {
        let seen = self.runner.run(RunInput::Model(model.clone()), &[], None);
        match seen.end == original.end {
            true => EndedRun {
                end: seen.end,
                state: Rc::new(seen.state),
                model,
            },
            false => original.clone(),
        }
    }

    /// Runs original and mutant with an input from the start; it is a test if they differ.
    fn confirm(&mut self, number: usize, model: Rc<Model>) {
        let original = self.runner.run(RunInput::Model(model.clone()), &[], None);
        let changes = self.mutants[number].changes.clone();
        let usual = Some(original.state.steps.max(LEAST_STEPS));
        let mutant = self.runner.run(RunInput::Model(model), &changes, usual);
        if !original.is_valid() {
            return;
        }
        match compare(&original, &mutant) {
            Compared::Killed => {
                let inputs = self.runner.inputs(&original);
                let test = self.add_test(inputs, number);
                self.mutants[number].close(TaskStatus::Killed(test));
                self.show_to_others(&original, test);
            }
            Compared::Unclear => {
                let doubtful = self.mutants[number].doubtful.len();
                self.mutants[number].gaps.insert(UNCLEAR_OUTPUT.to_owned());
                if doubtful < MOST_DOUBTS {
                    let inputs = self.runner.inputs(&original);
                    let test = self.add_test(inputs, number);
                    self.mutants[number].doubtful.push(test);
                }
            }
            Compared::Same => {
                self.mutants[number].gaps.insert(UNCONFIRMED.to_owned());
            }
        }
    }

    /// A test, or the one that has these inputs already.
    fn add_test(&mut self, inputs: Vec<InputValue>, made_for: usize) -> usize {
        let known = self.tests.iter().position(|test| test.inputs == inputs);
        known.unwrap_or_else(|| {
            self.tests.push(KillingTest { inputs, made_for });
            self.tests.len() - 1
        })
    }

    /// Other mutants that a new test kills need no test of their own.
    fn show_to_others(&mut self, original: &crate::augment::FollowedRun, test: usize) {
        let reached: Vec<usize> = self
            .at_point
            .iter()
            .filter(|(point, _)| original.trail.points.contains(**point as usize))
            .flat_map(|(_, mutants)| mutants.iter().copied())
            .collect();
        for other in reached {
            if !self.mutants[other].is_open() || self.runner.should_stop() {
                continue;
            }
            let changes = self.mutants[other].changes.clone();
            let usual = Some(original.state.steps.max(LEAST_STEPS));
            let start = RunInput::Model(original.model.clone());
            let mutant = self.runner.run(start, &changes, usual);
            if compare(original, &mutant) == Compared::Killed {
                self.mutants[other].close(TaskStatus::Killed(test));
            }
        }
    }

    fn report(mut self) -> KillReport {
        let m = &self.runner.machine;
        let rests_on: BTreeSet<String> = m.resting.assumptions().into_iter().collect();
        let instructions = m.work.instructions;
        let mut everywhere: BTreeSet<String> = self.work.gaps.keys().cloned().collect();
        if m.work.wild_pointers > 0 {
            everywhere.insert(crate::exec::WILD_POINTER.to_owned());
        }
        let finding = |mutant: MutantTask| match mutant.status {
            TaskStatus::Killed(test) => MutantFinding::Killed { test },
            TaskStatus::Exhausted if mutant.gaps.is_empty() && everywhere.is_empty() => {
                let assumes = mutant.assumes.union(&rests_on).cloned().collect();
                MutantFinding::Equivalent { assumes }
            }
            _ => MutantFinding::Alive {
                reason: mutant.reason(),
                gaps: mutant.gaps.union(&everywhere).cloned().collect(),
                doubtful: mutant.doubtful,
            },
        };
        let mutants = std::mem::take(&mut self.mutants);
        KillReport {
            findings: mutants.into_iter().map(finding).collect(),
            tests: std::mem::take(&mut self.tests),
            work: KillWork {
                instructions,
                waiting: self.waiting.len(),
                ..self.work
            },
            solver: self.runner.machine.solver.stats().clone(),
        }
    }
}

const UNCLEAR_END: &str = "whether the ends differ depends on undefined behaviour";
const UNCLEAR_OUTPUT: &str = "outputs that cannot be compared";
const UNCONFIRMED: &str = "a difference that no run has shown";
