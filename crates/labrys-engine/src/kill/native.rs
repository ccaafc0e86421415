//! The compiled program decides: what a search proposes is run natively at once, and what these runs kill
//! is not looked for any more.

use super::killer::Killer;
use super::mutant_task::TaskStatus;
use crate::augment::{Compared, FollowedRun, RunInput};
use crate::inputs::InputValue;
use labrys_expr::Model;
use std::rc::Rc;

/// So many tests are kept that do not kill the mutant which they were made for.
const MOST_BLIND_TESTS: usize = 100;

/// Runs inputs on the compiled program.
pub trait NativeKills {
    /// Which of these mutants an input kills, by their numbers; `None` if that cannot be said.
    fn killed_by(&mut self, inputs: &[InputValue], mutants: &[usize]) -> Option<Vec<usize>>;
}

/// What native runs say of a mutant and a test.
pub(super) enum ShownNatively {
    Killed,
    Alive,
    /// There was no run.
    Unknown,
}

impl Killer<'_> {
    /// A test that a strategy has made for a mutant, whatever it shows: others may die by it.
    pub(super) fn propose(&mut self, number: usize, model: Rc<Model>) {
        let found = self.confirm(number, model.clone());
        if found != Compared::Killed && self.blind_tests < MOST_BLIND_TESTS {
            let original = self.runner.run(RunInput::Model(model), &[], None);
            if original.is_valid() {
                self.blind_tests += 1;
                let inputs = self.runner.inputs(&original);
                self.add_test(inputs, number);
            }
        }
    }

    /// The open mutants that a run of the original comes to.
    pub(super) fn open_at(&self, original: &FollowedRun) -> Vec<usize> {
        let points = self.at_point.iter();
        let points = points.filter(|(point, _)| original.trail.points.contains(**point as usize));
        self.open_among(points.flat_map(|(_, mutants)| mutants.iter().copied()))
    }

    /// A mutant and those others that meet a test which was made for it. One that has survived several
    /// such tests meets fewer and fewer: each costs a native run, and it will hardly die by accident.
    pub(super) fn bystanders(&mut self, number: usize, reached: Vec<usize>) -> Vec<usize> {
        let mut beside = reached;
        if self.meets_all {
            return beside;
        }
        beside.retain(|mutant| self.mutants[*mutant].meets_next_test() || *mutant == number);
        beside
    }

    /// Those that are open, each once.
    pub(super) fn open_among(&self, mutants: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut open: Vec<usize> = mutants.filter(|m| self.mutants[*m].is_open()).collect();
        open.sort_unstable();
        open.dedup();
        open
    }

    /// Runs an input natively with mutants; those that it kills are closed. Says what became of one of
    /// them.
    pub(super) fn run_natively(
        &mut self,
        number: usize,
        mutants: &[usize],
        inputs: &[InputValue],
    ) -> ShownNatively {
        let Some(killed) = self.native.killed_by(inputs, mutants) else {
            return ShownNatively::Unknown;
        };
        let is_killed = killed.contains(&number);
        let made_for = if is_killed {
            Some(&number)
        } else {
            killed.first()
        };
        if let Some(made_for) = made_for {
            let test = self.add_test(inputs.to_vec(), *made_for);
            for mutant in killed {
                self.mutants[mutant].close(TaskStatus::Killed {
                    test,
                    undefined: false,
                });
            }
        }
        match is_killed {
            true => ShownNatively::Killed,
            false => ShownNatively::Alive,
        }
    }
}
