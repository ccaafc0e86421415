//! Augmented symbolic execution (paper on augmentation in `docs/papers.md`): more tests from the
//! paths of tests that are there.
//!
//! A test's input is run again along its path. Where the path passes a place of interest, the
//! conditions up to there and another condition are asked of the solver: the augmented path
//! condition. Its solution is run in turn, so that a condition which any test meets already is
//! never asked about.

mod difference;
mod followed_run;
mod labels;
mod mutants;
mod neighbours;
mod predict;

pub use crate::exec::trail::Alternative;
pub(crate) use difference::{Compared, compare, is_visible};
pub(crate) use followed_run::{FollowedRun, RunInput, Runner};
pub use labels::augment_labels;
pub use mutants::augment_mutants;
pub use predict::predict;

use crate::inputs::InputValue;
use labrys_solver::SolverStats;
use std::collections::BTreeSet;

/// How path conditions are augmented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AugmentStyle {
    /// Keep the whole path of a test, not only the part before the augmented condition.
    pub strict: bool,
    /// Every turn of a loop counts on its own.
    pub per_unrolling: bool,
}

/// A test that an augmented condition asked for.
#[derive(Clone, Debug)]
pub struct AugmentedTest {
    pub inputs: Vec<InputValue>,
    /// What it was made for: an objective, or the number of a mutant.
    pub made_for: usize,
}

/// What became of the augmented conditions.
#[derive(Clone, Debug, Default)]
pub struct Augmented {
    pub added: Vec<AugmentedTest>,
    /// Objectives whose label's predicate may fault, and that no run has met: what the compiled
    /// program evaluates it to may mean nothing.
    pub doubtful: BTreeSet<usize>,
    /// Questions asked, by answer.
    pub solver: SolverStats,
    /// For each mutant, the tests that tell it from the original: the given ones by number, then
    /// those that were added.
    pub claims: Vec<MutantKillers>,
}

/// Who kills a mutant.
#[derive(Clone, Debug, Default)]
pub struct MutantKillers {
    pub certain: Option<usize>,
    /// Tests whose runs cannot be compared without being seen natively.
    pub doubtful: Vec<usize>,
}
