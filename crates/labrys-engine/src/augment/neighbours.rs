//! Paths next to those of the tests: one condition turned around. A mutant that shows on none of
//! the paths of the tests may show there.

use super::difference::{Compared, compare};
use super::followed_run::{FollowedRun, RunInput};
use super::mutants::{MutantSearch, RunPair};
use super::{AugmentedTest, MutantKillers};
use crate::exec::trail::{Alternative, CodePlace};
use labrys_expr::{ExprId, Model};
use labrys_solver::PathCondition;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// At most this many neighbours are run, and this many of them turn the same place around.
const NEIGHBOURS: usize = 256;
const TURNS: usize = 8;

/// At most this many questions may stay without an answer.
const UNANSWERED: u64 = 4;

/// A condition to turn around: the path before it, what is to hold, an input of the path.
struct FlippedCondition {
    before: PathCondition,
    goal: ExprId,
    hint: Rc<Model>,
}

impl MutantSearch<'_> {
    /// Runs the neighbours as long as there are mutants that nothing kills, and takes those out
    /// that are killed now.
    pub(super) fn neighbours(
        &mut self,
        alive: &mut Vec<(usize, Alternative)>,
        claims: &mut [MutantKillers],
    ) -> Vec<AugmentedTest> {
        let mut added = Vec::new();
        let mut left = NEIGHBOURS;
        let mut turned = FxHashMap::default();
        self.runner.machine.solver.forget();
        let most_unknown = self.unknown() + UNANSWERED;
        for test in 0..self.tests.len() {
            if self.runner.should_stop() {
                return added;
            }
            let course = self.course(test);
            for turn in self.turns(&course, &mut turned) {
                let enough = left == 0 || alive.is_empty() || self.unknown() >= most_unknown;
                if enough || self.runner.should_stop() {
                    return added;
                }
                left -= 1;
                let model = self.runner.solve(&turn.before, turn.goal, &turn.hint);
                let Some(model) = model else { continue };
                let next = self.runner.run(RunInput::Model(model), &[], None);
                if next.is_valid() {
                    self.meet(&Rc::new(next), alive, claims, &mut added);
                }
            }
            drop(course);
            self.collect();
        }
        added
    }

    fn unknown(&self) -> u64 {
        self.runner.machine.solver.stats().unknown
    }

    /// The conditions of a path that were not turned around often.
    fn turns(
        &mut self,
        course: &FollowedRun,
        turned: &mut FxHashMap<CodePlace, usize>,
    ) -> Vec<FlippedCondition> {
        let arena = &mut self.runner.machine.arena;
        let mut turns = Vec::new();
        for condition in &course.trail.conditions {
            let goal = arena.not(condition.holds);
            let count = turned.entry(condition.place).or_default();
            if *count < TURNS {
                *count += 1;
                turns.push(FlippedCondition {
                    before: condition.before.clone(),
                    goal,
                    hint: course.model.clone(),
                });
            }
        }
        turns
    }

    /// Shows an input to the mutants that are alive.
    fn meet(
        &mut self,
        original: &Rc<FollowedRun>,
        alive: &mut Vec<(usize, Alternative)>,
        claims: &mut [MutantKillers],
        added: &mut Vec<AugmentedTest>,
    ) {
        let mut still = Vec::new();
        let mut shown: Option<(usize, Rc<FollowedRun>)> = None;
        for (number, active) in std::mem::take(alive) {
            if !original.trail.points.contains(active.point as usize) {
                still.push((number, active));
                continue;
            }
            // The test that this input has become for another mutant.
            if let Some((test, course)) = &shown {
                let mutant = self.run_mutant(course, active);
                if compare(course, &mutant) == Compared::Killed {
                    claims[number].certain = Some(*test);
                    continue;
                }
            }
            let mutant = self.run_mutant(original, active);
            let killed = compare(original, &mutant) == Compared::Killed;
            let pair = RunPair {
                original: original.clone(),
                mutant,
            };
            let new = match killed {
                true => Some(self.add_nicer(pair, active)),
                false => self.by_outputs(&pair, active),
            };
            match new {
                Some(new) => {
                    shown = self.newest().map(|course| (new.number, course));
                    claims[number].certain = Some(new.number);
                    added.push(new.made_for(number));
                }
                None => still.push((number, active)),
            }
        }
        *alive = still;
    }
}
