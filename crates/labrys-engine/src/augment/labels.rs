//! Augmentation by labels: boundary values, logic and errors are predicates at the conditions and
//! operations of the source, so a condition that a loop unrolls is known to be the same.

use super::followed_run::{FollowedRun, RunInput, Runner};
use super::{AugmentStyle, Augmented, AugmentedTest};
use crate::config::Config;
use crate::error::EngineError;
use crate::exec::trail::Passage;
use crate::inputs::InputValue;
use crate::objectives::ObjectiveMap;
use crate::program::{Program, entry_of};
use labrys_ir::Module;
use labrys_ledger::Trigger;
use labrys_solver::PathCondition;
use std::collections::{BTreeMap, BTreeSet};

/// At most this many turns of a loop are asked about for one label and one test, unless each counts.
const TURNS: u32 = 8;

/// A label in a turn of its loop; all turns are the first where they count once.
type LabelTurn = (u32, u32);

/// Asks for tests that meet the labels among the objectives, on the paths of the given tests.
pub fn augment_labels(
    module: &Module,
    entry: &str,
    objectives: &ObjectiveMap,
    tests: &[Vec<InputValue>],
    how: AugmentStyle,
    config: &Config,
) -> Result<Augmented, EngineError> {
    let entry = entry_of(module, entry)?;
    let program = Program::new(module);
    let runner = Runner::new(&program, entry, objectives, config)?;
    let mut work = LabelSearch {
        runner,
        how,
        met: BTreeSet::new(),
        added: Vec::new(),
    };
    let mut courses = Vec::new();
    for inputs in tests {
        if work.runner.should_stop() {
            break;
        }
        let course = work.runner.run(RunInput::Inputs(inputs), &[], None);
        work.take_in(&course);
        courses.push(Some(course));
    }
    for (inputs, course) in tests.iter().zip(0..) {
        if work.runner.should_stop() {
            break;
        }
        let course = courses.get_mut(course).and_then(Option::take);
        let course = course.unwrap_or_else(|| work.runner.run(RunInput::Inputs(inputs), &[], None));
        work.augment(&course);
        if work.runner.collect() {
            courses.iter_mut().for_each(|course| *course = None);
        }
    }
    let first_objective = |label: u32| objectives.covered_by(Trigger::Label { id: label }).first();
    let added = std::mem::take(&mut work.added);
    let added = added.into_iter().filter_map(|(label, inputs)| {
        let made_for = *first_objective(label)? as usize;
        Some(AugmentedTest { inputs, made_for })
    });
    let met: BTreeSet<u32> = work.met.iter().map(|(label, _)| *label).collect();
    let mut doubtful = std::mem::take(&mut work.runner.machine.labels.faulted);
    doubtful.retain(|o| {
        objectives
            .label_of(*o)
            .is_some_and(|label| !met.contains(&label))
    });
    Ok(Augmented {
        added: added.collect(),
        doubtful,
        solver: work.runner.machine.solver.stats().clone(),
        claims: Vec::new(),
    })
}

struct LabelSearch<'m> {
    runner: Runner<'m>,
    how: AugmentStyle,
    met: BTreeSet<LabelTurn>,
    /// The label that each new test was made for, and its inputs.
    added: Vec<(u32, Vec<InputValue>)>,
}

impl LabelSearch<'_> {
    /// The labels of a run, each with its turn.
    fn turns(&self, course: &FollowedRun) -> Vec<LabelTurn> {
        let mut turns: BTreeMap<u32, u32> = BTreeMap::new();
        let number = |passage: &Passage| {
            let turn = turns.entry(passage.label).or_default();
            *turn += 1;
            (passage.label, *turn)
        };
        course.trail.passages.iter().map(number).collect()
    }

    fn key(&self, (label, turn): LabelTurn) -> LabelTurn {
        (label, if self.how.per_unrolling { turn } else { 1 })
    }

    /// Notes what a run meets.
    fn take_in(&mut self, course: &FollowedRun) -> bool {
        let before = self.met.len();
        for (turn, passage) in self.turns(course).into_iter().zip(&course.trail.passages) {
            let key = self.key(turn);
            if self.runner.holds(&course.model, passage.holds) {
                self.met.insert(key);
            }
        }
        self.met.len() > before
    }

    /// Augments the path of one test.
    fn augment(&mut self, course: &FollowedRun) {
        for (turn, passage) in self.turns(course).into_iter().zip(&course.trail.passages) {
            let asked_enough = !self.how.per_unrolling && turn.1 > TURNS;
            if asked_enough || self.met.contains(&self.key(turn)) || self.runner.should_stop() {
                continue;
            }
            let path = self.augmented(course, passage);
            let Some(model) = self.runner.solve(&path, passage.holds, &course.model) else {
                continue;
            };
            let next = self.runner.run(RunInput::Model(model), &[], None);
            if !next.is_valid() {
                continue;
            }
            let next = self.nicer(next, passage.label);
            if self.take_in(&next) {
                let inputs = self.runner.inputs(&next);
                self.added.push((passage.label, inputs));
            }
        }
    }

    /// The same with values that are easier to read, if they meet the label.
    fn nicer(&mut self, course: FollowedRun, label: u32) -> FollowedRun {
        let passages = course.trail.passages.iter();
        let mut own = passages.filter(|passage| passage.label == label);
        let Some(met) = own.find(|passage| self.runner.holds(&course.model, passage.holds)) else {
            return course;
        };
        self.runner.nicer(&course, &met.reason).unwrap_or(course)
    }

    /// The conditions beside the label's own: those before it, or those of the whole path.
    fn augmented(&mut self, course: &FollowedRun, passage: &Passage) -> PathCondition {
        if !self.how.strict {
            return passage.path.clone();
        }
        let mut path = course.state.path.clone();
        for condition in passage.reason.iter() {
            path.push(&mut self.runner.machine.arena, *condition);
        }
        path
    }
}
