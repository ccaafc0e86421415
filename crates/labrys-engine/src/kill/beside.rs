//! Runs a mutant beside a path of the original: from the first place on where its state becomes another
//! one, up to its end, or to a place where nothing is left of the difference.

use super::known_outcomes::KnownOutcome;
use super::original_paths::{KeptPath, PathVisit};
use super::pair_search::PairSearch;
use crate::end::PathEnd;
use crate::exec::{Meetings, RunMode};
use crate::state::State;
use labrys_solver::Answer;
use std::rc::Rc;

/// A place of a path of the original at which a mutant has a change.
pub(super) struct ChangePlace<'p> {
    pub(super) path: usize,
    pub(super) kept: &'p KeptPath,
    pub(super) visit: &'p PathVisit,
    /// All visits of the mutant on this path.
    own: &'p [PathVisit],
}

/// What becomes of a mutant behind a place where it has a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parting {
    /// Its state is that of the original.
    Never,
    /// Its state is that of the original again at this visit.
    UntilVisit(u32),
    /// It was run to its end.
    UntilEnd,
}

/// How far a run has come.
enum RunOn {
    Met(u32),
    Ended(PathEnd),
}

/// What was known of a mutant before it was run.
struct TaskMarks {
    forks: usize,
    postponed: usize,
}

impl PairSearch<'_> {
    pub(super) fn try_path(&mut self, number: usize, path: usize) {
        let Some(kept) = self.paths[path].kept.clone() else {
            return;
        };
        let own = kept.visits_of(self.killer.mutants[number].points());
        let mut from = 0;
        let mut alike: Option<&PathVisit> = None;
        for visit in &own {
            // What is inside of a choice was compared with it. From there on no mutant would be run: it
            // has come to the choice before, and may be anywhere.
            let is_inside = alike.is_some_and(|earlier| visit.is_inside(earlier));
            if is_inside || visit.number < from {
                continue;
            }
            let place = ChangePlace {
                path,
                kept: &kept,
                visit,
                own: &own,
            };
            match self.try_place(number, &place) {
                Parting::Never => alike = Some(visit),
                Parting::UntilVisit(next) => from = next,
                Parting::UntilEnd => return,
            }
        }
    }

    fn try_place(&mut self, number: usize, at: &ChangePlace<'_>) -> Parting {
        let mut state = (*at.visit.snapshot).clone();
        state.path = at.kept.run.state.path.clone();
        let m = &mut self.killer.runner.machine;
        m.state = state;
        m.current.set(at.kept.run.model.clone());
        let always = m.arena.yes();
        let marks = self.marks(number);
        let Some(joined) = &at.visit.joined else {
            self.killer.mutants[number].note_infection(always);
            let first = at.visit.number;
            let meetings = at.kept.meetings(at.own, first + 1).into_iter();
            let (run, _) = self.run_on(number, at, Meetings::new(meetings, Some(first)));
            return self.part(number, at, run);
        };
        let mut run = self.killer.as_mutant(number);
        run.stop_at = at.visit.join;
        let end = self.run_mutant(number, at.path, run);
        if end != PathEnd::ForkReached {
            self.killer.mutants[number].note_infection(always);
            return self.part(number, at, RunOn::Ended(end));
        }
        let state = Rc::new(self.killer.runner.machine.state.clone());
        let found = self.killer.states_differ(number, &joined.state, &state);
        let is_alike = self.killer.is_shown_alike(&found, &state.path);
        if is_alike && !at.visit.is_cut(at.own) {
            return Parting::Never;
        }
        let when = if found.certain { always } else { found.when };
        self.killer.mutants[number].note_infection(when);
        if let Some(known) = self.known_outcome(number, at, &state) {
            return known;
        }
        let meetings = at.kept.meetings(at.own, joined.next).into_iter();
        let (run, is_own) = self.run_on(number, at, Meetings::new(meetings, None));
        let parting = self.part(number, at, run);
        if !is_own && self.is_harmless(number, &marks) {
            self.keep_outcome(number, at, state, parting);
        }
        parting
    }

    /// Runs the current state of a mutant up to its end, or to a place where it is that of the original
    /// again. Says also whether a change was active on the way.
    fn run_on(
        &mut self,
        number: usize,
        at: &ChangePlace<'_>,
        mut meetings: Meetings,
    ) -> (RunOn, bool) {
        loop {
            let mut run = self.killer.as_mutant(number);
            run.meetings = meetings;
            let end = self.run_mutant(number, at.path, run);
            meetings = match &mut self.killer.runner.machine.mode {
                RunMode::Pair(run) => std::mem::take(&mut run.meetings),
                _ => Meetings::default(),
            };
            let stopped = meetings.stopped_at();
            let Some(visit) = stopped.filter(|_| end == PathEnd::ForkReached) else {
                return (RunOn::Ended(end), meetings.has_own());
            };
            let original = at.kept.state_at(visit);
            if original.is_some_and(|original| self.is_same_again(number, original)) {
                return (RunOn::Met(visit), meetings.has_own());
            }
        }
    }

    /// Is the current state of a mutant that of the original?
    fn is_same_again(&mut self, number: usize, original: &State) -> bool {
        let killer = &mut self.killer;
        let state = killer.runner.machine.state.clone();
        let m = &mut killer.runner.machine;
        let found = killer.comparer.states(m, original, &state);
        let m = &mut killer.runner.machine;
        if found.certain || found.unclear || m.current.value(&m.arena, found.when) != 0 {
            return false;
        }
        let is_same = killer.is_shown_alike(&found, &state.path);
        if is_same {
            killer.note_assumptions(number, &found);
        }
        is_same
    }

    /// Does a mutant have the state of another one? Only what costs next to nothing is asked: a run may
    /// cost less than a question.
    fn is_same_state(&mut self, number: usize, other: &State, state: &State) -> bool {
        let killer = &mut self.killer;
        let m = &mut killer.runner.machine;
        let found = killer.comparer.states(m, other, state);
        if found.certain || found.unclear || m.current.value(&m.arena, found.when) != 0 {
            return false;
        }
        let is_same = m.arena.as_const(found.when) == Some(0) || {
            let model = &m.current.model;
            let answer = m.solver.cheap(&mut m.arena, &state.path, found.when, model);
            matches!(answer, Some(Answer::Unsat))
        };
        if is_same {
            killer.note_assumptions(number, &found);
        }
        is_same
    }

    fn part(&mut self, number: usize, at: &ChangePlace<'_>, run: RunOn) -> Parting {
        match run {
            RunOn::Met(visit) => {
                self.killer.work.met_again += 1;
                self.note_masking(number, &at.kept.run.model);
                Parting::UntilVisit(visit)
            }
            RunOn::Ended(end) => {
                self.conclude(number, at.path, end);
                Parting::UntilEnd
            }
        }
    }

    fn marks(&self, number: usize) -> TaskMarks {
        let mutant = &self.killer.mutants[number];
        TaskMarks {
            forks: mutant.forks.len(),
            postponed: self.postponed.len(),
        }
    }

    /// Is it decided that a run, which left no other ways behind, shows nothing? A mutant with gaps says
    /// nothing of others: this run may have one that was there before.
    fn is_harmless(&self, number: usize, before: &TaskMarks) -> bool {
        let mutant = &self.killer.mutants[number];
        let now = self.marks(number);
        mutant.is_open()
            && mutant.gaps.is_empty()
            && now.forks == before.forks
            && now.postponed == before.postponed
    }

    fn keep_outcome(
        &mut self,
        number: usize,
        at: &ChangePlace<'_>,
        state: Rc<State>,
        parting: Parting,
    ) {
        let mutant = &self.killer.mutants[number];
        // A run that has narrowed its inputs says nothing of the others.
        if state.path.len() == at.kept.run.state.path.len() {
            let outcome = KnownOutcome {
                visit: at.visit.number,
                points: mutant.points().collect(),
                state,
                parting,
                assumes: mutant.assumes.clone(),
                masked_at: mutant.masked_at(),
            };
            self.outcomes.keep(at.path, outcome);
        }
    }

    /// What came of another mutant that had the same state behind the same place of this path: the rest
    /// of the two runs is the same.
    fn known_outcome(
        &mut self,
        number: usize,
        at: &ChangePlace<'_>,
        state: &State,
    ) -> Option<Parting> {
        let points: Vec<u32> = self.killer.mutants[number].points().collect();
        let known = self.outcomes.of(at.path, at.visit.number, &points);
        let mut known = known.into_iter();
        let known = known.find(|known| self.is_same_state(number, &known.state, state))?;
        self.killer.work.subsumed += 1;
        let mutant = &mut self.killer.mutants[number];
        mutant.assumes.extend(known.assumes.iter().cloned());
        if !mutant.was_masked() {
            mutant.note_masking(known.masked_at);
        }
        Some(known.parting)
    }
}
