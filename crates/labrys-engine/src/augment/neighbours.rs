//! Paths next to those of the tests: one condition turned around. A mutant that shows on none of
//! the paths of the tests may show there.

use super::course::{Course, Start};
use super::difference::is_killed;
use super::mutants::{Pair, Work};
use crate::exec::trail::{Active, Place};
use crate::report::InputValue;
use labrys_expr::{ExprId, Model};
use labrys_solver::PathCondition;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// So many neighbours are run, and so many of them turn the same place around.
const NEIGHBOURS: usize = 128;
const TURNS: usize = 8;

/// A condition to turn around: the path before it, what is to hold, an input of the path.
struct Turn {
    before: PathCondition,
    goal: ExprId,
    hint: Rc<Model>,
}

impl Work<'_> {
    /// Runs the neighbours as long as there are mutants that nothing kills, and takes those out
    /// that are killed now: their numbers, with the inputs of new tests.
    pub(super) fn neighbours(
        &mut self,
        alive: &mut Vec<(usize, Active)>,
    ) -> Vec<(usize, Vec<InputValue>)> {
        let mut added = Vec::new();
        let mut left = NEIGHBOURS;
        let mut turned = FxHashMap::default();
        for test in 0..self.tests.len() {
            let course = self.course(test);
            for turn in self.turns(&course, &mut turned) {
                if left == 0 || alive.is_empty() || self.runner.should_stop() {
                    return added;
                }
                left -= 1;
                let model = self.runner.solve(&turn.before, turn.goal, &turn.hint);
                let Some(model) = model else { continue };
                let next = self.runner.run(Start::Model(model), None, None);
                if next.is_valid() {
                    self.meet(Rc::new(next), alive, &mut added);
                }
            }
        }
        added
    }

    /// The conditions of a path that were not turned around often.
    fn turns(
        &mut self,
        course: &Course,
        turned: &mut FxHashMap<Place, usize>,
    ) -> Vec<Turn> {
        let arena = &mut self.runner.machine.arena;
        let mut turns = Vec::new();
        for condition in &course.trail.conditions {
            let goal = arena.not(condition.holds);
            let count = turned.entry(condition.place).or_default();
            if *count < TURNS {
                *count += 1;
                turns.push(Turn {
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
        original: Rc<Course>,
        alive: &mut Vec<(usize, Active)>,
        added: &mut Vec<(usize, Vec<InputValue>)>,
    ) {
        let mut kept = false;
        let mut still = Vec::new();
        for (number, active) in std::mem::take(alive) {
            if !original.trail.points.contains(active.point as usize) {
                still.push((number, active));
                continue;
            }
            let mutant = self.run_mutant(&original, active);
            if is_killed(&original, &mutant) {
                if !kept {
                    kept = true;
                    added.push((number, self.runner.inputs(&original)));
                }
                continue;
            }
            let pair = Pair {
                original: original.clone(),
                mutant,
            };
            match self.by_outputs(&pair, active) {
                Some(inputs) => added.push((number, inputs)),
                None => still.push((number, active)),
            }
        }
        *alive = still;
    }
}
