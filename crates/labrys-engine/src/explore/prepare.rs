//! From a candidate to a run: its input is solved for, and its state comes from its snapshot or from
//! replaying its path.

use super::Explorer;
use crate::candidates::{Candidate, ChosenCandidate, Leaf, MissedOutcome, Resume};
use crate::end::PathEnd;
use crate::exec::{LeafProgress, LeafRun, ReplayTarget, RunMode};
use crate::parallel::Job;
use crate::report::Unproved;
use labrys_expr::Model;
use labrys_solver::Answer;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// What a candidate is run for.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    Search,
    /// To cover a label.
    Leaf(Leaf),
    /// To cover a label and to leave all other ways from there on as candidates.
    LeafWithForking(Leaf),
}

impl Purpose {
    fn leaf(self) -> Option<Leaf> {
        match self {
            Purpose::Search => None,
            Purpose::Leaf(leaf) | Purpose::LeafWithForking(leaf) => Some(leaf),
        }
    }

    fn mode(self) -> RunMode {
        match self.leaf() {
            None => RunMode::Search,
            Some(leaf) => RunMode::Leaf(LeafRun {
                label: leaf.label,
                progress: LeafProgress::Before,
                forks_behind_label: matches!(self, Purpose::LeafWithForking(_)),
            }),
        }
    }
}

impl Explorer<'_> {
    /// Makes a candidate that was chosen the current state; false if it turned out to be infeasible. If it
    /// would have covered something, that was missed.
    pub(super) fn prepare_choice(&mut self, mut choice: ChosenCandidate) -> bool {
        self.start_from_input(&mut choice);
        let is_certain = choice.is_certain && self.machine.makes_detours();
        let candidate = self.solve_with_wishes(choice);
        let missed = is_certain.then(|| {
            let missed = MissedOutcome {
                path: candidate.path.clone(),
                goal: candidate.goal,
                number: candidate.number,
                input: candidate.parent.clone(),
            };
            (place_and_way(&candidate), missed)
        });
        let infeasible = self.machine.work.infeasible;
        let is_prepared = self.prepare(candidate, Purpose::Search);
        if self.machine.work.infeasible > infeasible
            && let Some((place, missed)) = missed
            && self.machine.missed.counts(place)
        {
            self.detours.push(missed);
        }
        is_prepared
    }

    /// Lets the run of a candidate keep what it can of another input than that of the run that left it, if
    /// that input comes to the candidate as well.
    fn start_from_input(&mut self, choice: &mut ChosenCandidate) {
        let Some(input) = choice.input.take() else {
            return;
        };
        let m = &mut self.machine;
        m.current.set(input.clone());
        let path = &choice.candidate.path;
        if path.iter().all(|c| m.current.value(&m.arena, c) == 1) {
            choice.candidate.parent = input;
            choice.candidate.solution = None;
        }
    }

    /// Looks for an input that meets wishes besides the candidate's goal. It need not be there:
    /// the path is that of the candidate alone.
    fn solve_with_wishes(&mut self, choice: ChosenCandidate) -> Candidate {
        let ChosenCandidate {
            mut candidate,
            mut wishes,
            ..
        } = choice;
        let m = &mut self.machine;
        while !wishes.is_empty() {
            let mut goal = candidate.goal;
            for wish in &wishes {
                goal = m.arena.and(goal, *wish);
            }
            let hint = &candidate.parent;
            let answer = m.solver.solve(&mut m.arena, &candidate.path, goal, hint);
            if let Answer::Sat(model) = answer {
                candidate.solution = Some(Rc::new(model));
                break;
            }
            wishes.truncate(wishes.len() / 2);
        }
        candidate
    }

    /// Makes a candidate the current state; false if it turned out to be infeasible.
    pub(super) fn prepare(&mut self, mut candidate: Candidate, purpose: Purpose) -> bool {
        let leaf = purpose.leaf();
        let Some(model) = self.solve(&mut candidate, leaf) else {
            return false;
        };
        let (goal, resume) = (candidate.goal, candidate.resume);
        if !self.restore(candidate, leaf) {
            // A replay that was interrupted says nothing.
            match self.machine.config.should_stop() {
                true => self.cut_short = true,
                false => self.gap("a dropped path could not be replayed", None),
            }
            return false;
        }
        let m = &mut self.machine;
        m.current.set(model);
        m.mode = purpose.mode();
        self.current_leaf = leaf;
        if resume != Resume::Continue {
            m.state.incidental = m.labels.no_incidental.clone();
            m.recheck_passed_labels();
        }
        if let Some(leaf) = leaf
            && let Some(speculation) = &mut m.state.speculation
        {
            speculation.outside = None;
            speculation.asked = leaf.asked;
        }
        m.constrain(goal);
        m.fork_place.resumed = true;
        match resume {
            Resume::Edge(edge) => {
                m.state.at_fork = false;
                m.take_edge(edge);
            }
            Resume::Again | Resume::Continue => {}
        }
        true
    }

    /// An input of a candidate; `None` if there is none, or if the solver gives up.
    fn solve(&mut self, candidate: &mut Candidate, leaf: Option<Leaf>) -> Option<Rc<Model>> {
        if let Some(model) = candidate.solution.take() {
            return Some(model);
        }
        let m = &mut self.machine;
        let Candidate {
            path, goal, parent, ..
        } = &*candidate;
        match m.solver.solve(&mut m.arena, path, *goal, parent) {
            Answer::Sat(model) => return Some(Rc::new(model)),
            Answer::Unsat => {
                m.claim_candidate(candidate);
                m.work.infeasible += 1;
                m.work.labels.infeasible += u64::from(leaf.is_some());
                self.exclude(leaf);
            }
            Answer::Unknown(reason) => {
                m.work.undecided += 1;
                let why = format!("solver: {reason}");
                match leaf {
                    _ if candidate.bonus => {}
                    Some(leaf) => m.unproved(leaf.label, Unproved::Gap(why)),
                    None => {
                        let snapshot = candidate.snapshot.clone();
                        if !snapshot.as_ref().is_some_and(|state| state.extra_call) {
                            self.gap(&why, snapshot.as_deref().map(|state| &state.frame));
                        }
                    }
                }
            }
        }
        None
    }

    /// Makes the state of a candidate the current one: that of its snapshot, or what replaying its
    /// path leads to. False if the path cannot be found again.
    fn restore(&mut self, candidate: Candidate, leaf: Option<Leaf>) -> bool {
        let repeats = candidate.repeats;
        if let Some(shared) = candidate.snapshot {
            let state = Rc::try_unwrap(shared);
            self.machine.state = state.unwrap_or_else(|shared| (*shared).clone());
            self.machine.state.repeats = repeats;
            return true;
        }
        // Paths that begin in a set of states or behind a join cannot be found again from the start.
        if self.machine.states.is_some() || self.machine.confluence.is_some() {
            return false;
        }
        let until = match leaf {
            Some(leaf) => ReplayTarget::Label {
                passage: leaf.passage,
                fork: leaf.fork,
            },
            None => ReplayTarget::Fork(candidate.number),
        };
        let places = candidate.dropped_at.as_deref();
        if !self.replay(candidate.parent, until)
            || places.is_some_and(|places| !self.machine.state.waits_at(places))
        {
            return false;
        }
        self.machine.state.path = candidate.path;
        self.machine.state.repeats = repeats;
        if let Some(label) = candidate.leaf_label {
            self.machine.cover_again(label);
        }
        true
    }

    /// A way through the predicate of a label does not lead to half a pair.
    pub(super) fn exclude(&mut self, leaf: Option<Leaf>) {
        if let Some(leaf) = leaf {
            self.machine.findings.pairs.passes.exclude(leaf.asked);
        }
        let passes = self.machine.findings.pairs.passes.take_changed();
        self.agenda.exclude(&passes, &self.machine.findings.pairs);
    }

    /// Runs the parent's input again up to a fork point.
    pub(super) fn replay(&mut self, parent: Rc<Model>, until: ReplayTarget) -> bool {
        let m = &mut self.machine;
        m.work.replayed += 1;
        m.state = self.root.clone();
        m.current.set(parent);
        m.mode = RunMode::Replay { until };
        let before = m.work.instructions;
        let end = m.run();
        m.work.replay_instructions += m.work.instructions - before;
        end == PathEnd::ForkReached
    }

    /// Gives a candidate away for every thread that waits for work.
    pub(super) fn give_work_away(&mut self) {
        while self.agenda.len() > 1 && self.shared.a_thread_waits() {
            let Some(candidate) = self.agenda.give() else {
                return;
            };
            let Some(snapshot) = &candidate.snapshot else {
                return;
            };
            let inputs = self
                .machine
                .inputs
                .values(&snapshot.inputs, &candidate.parent);
            self.shared.give(Job {
                inputs,
                number: candidate.number,
                ordinal: candidate.ordinal,
                repeats: candidate.repeats,
            });
        }
    }

    /// Finds a candidate of another thread again: runs its parent's input up to the fork.
    pub(super) fn recreate_candidate(&mut self, job: &Job) -> Option<Candidate> {
        let model = self
            .machine
            .inputs
            .model(&mut self.machine.arena, &job.inputs);
        if !self.replay(Rc::new(model), ReplayTarget::Fork(job.number)) {
            return None;
        }
        let m = &mut self.machine;
        m.mode = RunMode::ForkAgain {
            until: ReplayTarget::Fork(job.number + 1),
        };
        m.begin_instruction();
        m.run();
        let mut left = m.left.candidates.drain(..);
        let mut found = left.find(|c| c.ordinal == job.ordinal)?;
        found.repeats = job.repeats;
        Some(found)
    }
}

/// A number that stands for where a candidate waits, and for its way on.
fn place_and_way(candidate: &Candidate) -> u64 {
    let mut hasher = FxHasher::default();
    candidate.flip.hash(&mut hasher);
    candidate.ordinal.hash(&mut hasher);
    candidate.calls().hash(&mut hasher);
    hasher.finish()
}
