//! The search over pairs: a path of the original and a path of a mutant for one input. The mutants
//! have their turns one after the other; in its turn a mutant is run on a path of the original that
//! comes to it, or goes another way beside such a path, or asks for a new path of the original.

use super::choice::{ForksBefore, PointDistances};
use super::difference::{EndedRun, Ends, ends, left_in_memory, observed};
use super::killer::{Answered, Killer, UNCLEAR_END, UNCLEAR_OUTPUT};
use super::known_outcomes::KnownOutcomes;
use super::mutant_task::{MutantFork, TaskStatus};
use super::original_paths::{OriginalPath, WaitingCandidate};
use super::postponed::{DifferenceQuestion, Postponed};
use super::report::KillReport;
use super::step::Stepped;
use crate::bitset::BitSet;
use crate::end::PathEnd;
use crate::exec::PairRun;
use crate::inputs::InputValue;
use labrys_expr::{ExprId, Model};
use std::rc::Rc;

/// Why it is not shown that no input kills a mutant.
const UNSEEN_MEMORY: &str = "memory that no output shows may differ";

/// In each turn a mutant tries at most this many things before it asks for a new path.
const TRIES: usize = 4;

pub(super) struct PairSearch<'m> {
    pub(super) killer: Killer<'m>,
    pub(super) paths: Vec<OriginalPath>,
    /// Ways that paths of the original could have gone.
    pub(super) waiting: Vec<WaitingCandidate>,
    next: usize,
    /// The tests of the suite were run; they kill no mutant that is left.
    has_suite: bool,
    pub(super) distances: PointDistances,
    pub(super) forks_before: ForksBefore,
    /// Also those whose mutants are dead.
    pub(super) all_points: Rc<BitSet>,
    pub(super) turns: u64,
    pub(super) postponed: Vec<Postponed>,
    /// The paths up to here were looked through for those that nobody needs.
    pub(super) looked_through: usize,
    /// What came of other mutants, for those that have the same state.
    pub(super) outcomes: KnownOutcomes,
}

impl<'m> PairSearch<'m> {
    pub(super) fn new(killer: Killer<'m>) -> Self {
        let distances = PointDistances::new(killer.runner.machine.program.module);
        PairSearch {
            all_points: Rc::new(distances.points()),
            distances,
            forks_before: ForksBefore::default(),
            killer,
            paths: Vec::new(),
            waiting: Vec::new(),
            next: 0,
            has_suite: false,
            turns: 0,
            looked_through: 0,
            outcomes: KnownOutcomes::default(),
            postponed: Vec::new(),
        }
    }

    pub(super) fn search(mut self, suite: &[Vec<InputValue>]) -> KillReport {
        for inputs in suite {
            if self.killer.should_stop() {
                break;
            }
            self.plant(inputs);
        }
        self.has_suite = true;
        if self.paths.is_empty() {
            self.plant(&[]);
        }
        while !self.killer.should_stop() {
            match self.next_open() {
                Some(mutant) => self.turn(mutant),
                None if self.ask_again() => {}
                None => break,
            }
            self.give_back();
        }
        self.give_up_postponed();
        self.killer.report(self.waiting.len())
    }

    /// The open mutant whose turn it is.
    fn next_open(&mut self) -> Option<usize> {
        let count = self.killer.mutants.len();
        let mut order = (0..count).map(|step| (self.next + step) % count);
        let found = order.find(|mutant| self.killer.mutants[*mutant].is_open())?;
        self.next = found + 1;
        Some(found)
    }

    fn turn(&mut self, number: usize) {
        for _ in 0..TRIES {
            let mutant = &mut self.killer.mutants[number];
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
            if !self.killer.mutants[number].is_open() || self.killer.should_stop() {
                return;
            }
        }
        let mutant = &self.killer.mutants[number];
        if !mutant.untried.is_empty() || !mutant.forks.is_empty() {
            return;
        }
        match self.choose(number) {
            Some(place) => self.take(place, self.killer.mutants[number].infection),
            None => self.killer.mutants[number].close(TaskStatus::Exhausted),
        }
    }

    /// Runs the original with the input of a test, from the candidate on that it belongs to.
    fn plant(&mut self, inputs: &[InputValue]) {
        let model = self.killer.model_of(inputs);
        if self.paths.is_empty() && self.waiting.is_empty() {
            self.killer.runner.start();
            self.killer.runner.machine.current.set(model);
            self.run_original();
            return;
        }
        let mut places = 0..self.waiting.len();
        if let Some(place) = places.find(|place| self.belongs(&model, *place)) {
            let mut waiting = self.waiting.swap_remove(place);
            waiting.candidate.solution = Some(model);
            self.resume(waiting);
        }
    }

    /// Does an input go the way of a candidate?
    fn belongs(&mut self, model: &Rc<Model>, place: usize) -> bool {
        let candidate = &self.waiting[place].candidate;
        let conditions = [candidate.goal].into_iter().chain(candidate.path.iter());
        let conditions: Vec<ExprId> = conditions.collect();
        let mut conditions = conditions.into_iter();
        conditions.all(|condition| self.killer.runner.holds(model, condition))
    }

    /// Runs the original on another way.
    fn take(&mut self, place: usize, wish: Option<ExprId>) {
        let mut waiting = self.waiting.swap_remove(place);
        let candidate = &mut waiting.candidate;
        if let Some(wish) = wish {
            let goal = self.killer.runner.machine.arena.and(candidate.goal, wish);
            let answer = self.killer.ask(&candidate.path, goal, &candidate.parent);
            if let Answered::Yes(model) = answer {
                candidate.solution = Some(model);
            }
        }
        self.resume(waiting);
    }

    fn resume(&mut self, mut waiting: WaitingCandidate) {
        match self.killer.solution(&mut waiting.candidate) {
            Answered::Yes(model) => {
                let candidate = waiting.candidate;
                self.killer.runner.continue_candidate(candidate, model);
                self.run_original();
            }
            Answered::No => {}
            Answered::Unknown(gap) => self.postponed.push(Postponed::Original(waiting, gap)),
        }
    }

    /// Runs the current state as the original, and notes its path.
    fn run_original(&mut self) {
        let (end, left) = self.killer.run(self.killer.as_original());
        let number = self.paths.len();
        for candidate in left {
            let stack = self.distances.stack(candidate.calls());
            self.waiting.push(WaitingCandidate {
                candidate,
                path: number,
                stack,
            });
        }
        let m = &self.killer.runner.machine;
        let run = EndedRun {
            state: Rc::new(m.state.clone()),
            model: m.current.model.clone(),
            end,
        };
        let counts = matches!(
            run.end,
            PathEnd::Returned | PathEnd::Exited { .. } | PathEnd::Fault(_)
        );
        match &run.end {
            PathEnd::AssumptionFailed => {}
            PathEnd::Unsupported { message } => {
                self.killer.gap(&format!("unsupported: {message}"));
            }
            other if !counts => {
                let gap = format!("a path of the original ended: {}", other.name());
                self.killer.gap(&gap);
            }
            _ => {}
        }
        let inputs = self
            .killer
            .runner
            .machine
            .inputs
            .given(&run.state.inputs, &run.model);
        let path = OriginalPath::new(run, counts);
        if counts && self.has_suite {
            self.try_first(&path, &inputs);
        }
        for point in path.points() {
            for mutant in self.killer.at_point.get(&point).into_iter().flatten() {
                let mutant = &mut self.killer.mutants[*mutant];
                if counts && mutant.is_open() && mutant.untried.back() != Some(&number) {
                    mutant.add_path(number);
                }
            }
        }
        self.paths.push(path);
    }

    /// A path that comes to mutants which no path has come to before is a test: most of them die by it.
    fn try_first(&mut self, path: &OriginalPath, inputs: &[InputValue]) {
        let at = |point: u32| self.killer.at_point.get(&point).into_iter().flatten();
        let reached = path.points().flat_map(at).copied();
        let reached = self.killer.open_among(reached);
        let mut new = reached.iter();
        let new = new.find(|mutant| !self.killer.mutants[**mutant].was_reached());
        if let Some(first) = new.copied() {
            let beside = self.killer.bystanders(first, reached);
            self.killer.run_natively(first, &beside, inputs);
        }
    }

    /// Runs the current state as a mutant; what it leaves behind is noted.
    pub(super) fn run_mutant(&mut self, number: usize, path: usize, how: PairRun) -> PathEnd {
        let (end, left) = self.killer.run(how);
        let forks = left.into_iter();
        let forks = forks.map(|candidate| MutantFork { candidate, path });
        self.killer.mutants[number].forks.extend(forks);
        end
    }

    /// Another way of a mutant beside the same path of the original.
    fn try_fork(&mut self, number: usize, fork: MutantFork) {
        let MutantFork {
            mut candidate,
            path,
        } = fork;
        match self.killer.solution(&mut candidate) {
            Answered::Yes(model) => {
                self.killer.runner.continue_candidate(candidate, model);
                let run = self.killer.as_mutant(number);
                let end = self.run_mutant(number, path, run);
                self.killer.mutants[number].note_infection_somewhere();
                self.conclude(number, path, end);
            }
            Answered::No => {}
            Answered::Unknown(gap) => {
                let fork = MutantFork { candidate, path };
                self.postponed.push(Postponed::Fork(number, fork, gap));
            }
        }
    }

    /// A mutant has come to its end: looks for an input on these two paths that tells it from the
    /// original.
    pub(super) fn conclude(&mut self, number: usize, path: usize, end: PathEnd) {
        let Some(kept) = self.paths[path].kept.clone() else {
            return;
        };
        let m = &self.killer.runner.machine;
        let mutant = EndedRun {
            end,
            state: Rc::new(m.state.clone()),
            model: m.current.model.clone(),
        };
        match ends(&kept.run.end, &mutant.end) {
            Ends::Different => {
                self.killer.confirm(number, mutant.model);
            }
            Ends::SameFault => {}
            Ends::Unclear => {
                let gap = UNCLEAR_END.to_owned();
                self.killer.mutants[number].gaps.insert(gap);
                if !self.killer.mutants[number].has_many_doubts() {
                    self.killer.confirm(number, mutant.model.clone());
                    self.killer.vary(number, &mutant.state, &mutant.model);
                }
            }
            Ends::Nothing if mutant.end == PathEnd::AssumptionFailed => {}
            Ends::Nothing => {
                let gap = format!("a run of the mutant ended: {}", mutant.end.name());
                self.killer.mutants[number].gaps.insert(gap);
            }
            Ends::Alike => self.compare_outputs(number, &kept.run, &mutant),
        }
    }

    /// Both have ended alike: what was seen of them may differ.
    fn compare_outputs(&mut self, number: usize, original: &EndedRun, mutant: &EndedRun) {
        let mut original = original.clone();
        if !Rc::ptr_eq(&original.model, &mutant.model) && original.shows_values() {
            original = self.rerun(&original, mutant.model.clone());
        }
        let m = &mut self.killer.runner.machine;
        m.current.set(mutant.model.clone());
        let found = observed(m, &original, mutant);
        let holds = found.certain || m.current.value(&m.arena, found.when) != 0;
        self.killer.note_assumptions(number, &found);
        if found.unclear {
            let gap = UNCLEAR_OUTPUT.to_owned();
            self.killer.mutants[number].gaps.insert(gap);
        }
        let asks_runs = found.unclear && !self.killer.mutants[number].has_many_doubts();
        if holds || asks_runs {
            self.killer.confirm(number, mutant.model.clone());
        }
        let arena = &self.killer.runner.machine.arena;
        let asks = !holds && arena.as_const(found.when) != Some(0);
        if asks && self.killer.mutants[number].is_open() {
            let question = DifferenceQuestion {
                path: mutant.state.path.clone(),
                goal: found.when,
                hint: mutant.model.clone(),
            };
            self.ask_outputs(number, question);
        }
        if self.killer.mutants[number].is_open() {
            self.look_at_memory(number, &original, mutant);
            self.note_masking(number, &mutant.model);
        }
    }

    /// A harness does not record everything: large arrays, unions, what pointers lead to. What a function
    /// leaves there may be seen by its callers, so it must be the same for a proof.
    fn look_at_memory(&mut self, number: usize, original: &EndedRun, mutant: &EndedRun) {
        let gap = UNSEEN_MEMORY.to_owned();
        let mutants = &self.killer.mutants;
        if !mutant.state.called_later || mutants[number].gaps.contains(&gap) {
            return;
        }
        let m = &mut self.killer.runner.machine;
        let found = left_in_memory(m, &original.state, &mutant.state);
        self.killer.note_assumptions(number, &found);
        if !self.killer.is_shown_alike(&found, &mutant.state.path) {
            self.killer.mutants[number].gaps.insert(gap);
        }
    }

    /// The original once more, with another input of the same path: text that it has made of values is
    /// that of this input then.
    fn rerun(&mut self, original: &EndedRun, model: Rc<Model>) -> EndedRun {
        match self.killer.prefix(&model, None) {
            Stepped::Ended(run) if run.end == original.end => run,
            _ => original.clone(),
        }
    }
}
