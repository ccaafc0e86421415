//! What a search for killing inputs has found.

use crate::inputs::InputValue;
use labrys_ir::SourceLoc;
use labrys_solver::SolverStats;
use std::collections::{BTreeMap, BTreeSet};

/// An input that tells mutants from the original.
#[derive(Clone, Debug)]
pub struct KillingTest {
    pub inputs: Vec<InputValue>,
    /// The mutant that it was made for.
    pub made_for: usize,
}

/// Why nothing is known of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnkilledReason {
    /// No path that was run comes to it.
    NotReached,
    /// No path that was run has another state behind it.
    NotInfected,
    /// Another state was there, and nobody has seen it: this is where it was lost, if that is known.
    Masked(Option<SourceLoc>),
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MutantFinding {
    /// This of the new tests kills it, as far as the engine can tell.
    Killed {
        test: usize,
        /// By an error that C leaves undefined: a compiled program need not show it.
        undefined: bool,
    },
    /// No input tells it from the original, if these assumptions hold.
    Equivalent {
        assumes: BTreeSet<String>,
        /// Its state was another one in some run.
        infected: bool,
    },
    /// Nothing of this is shown. Some of the new tests may kill it all the same: only native runs can
    /// tell.
    Alive {
        reason: UnkilledReason,
        /// Why it is not shown to be equivalent.
        gaps: BTreeSet<String>,
        /// Nothing was left that could be tried.
        exhausted: bool,
        doubtful: Vec<usize>,
    },
}

impl MutantFinding {
    /// The new tests that may kill it.
    pub fn tests(&self) -> impl Iterator<Item = usize> + '_ {
        let (certain, doubtful) = match self {
            MutantFinding::Killed { test, .. } => (Some(*test), &[][..]),
            MutantFinding::Equivalent { .. } => (None, &[][..]),
            MutantFinding::Alive { doubtful, .. } => (None, &doubtful[..]),
        };
        certain.into_iter().chain(doubtful.iter().copied())
    }
}

/// All that a search has found.
#[derive(Clone, Debug, Default)]
pub struct KillReport {
    pub tests: Vec<KillingTest>,
    /// For each mutant, in their order.
    pub findings: Vec<MutantFinding>,
    /// The tests were made without a look at mutants: any of them may kill any mutant.
    pub try_all: bool,
    /// A kill that was expected is shown by no native run, though C says what happens there.
    pub is_refuted: bool,
    pub work: KillWork,
    pub solver: SolverStats,
}

/// What a search has done.
#[derive(Clone, Debug, Default)]
pub struct KillWork {
    /// Paths of the original, and runs of mutants.
    pub paths: u64,
    pub mutant_runs: u64,
    /// Runs of mutants that came to the state of the original again.
    pub met_again: u64,
    /// Runs of mutants that were left out, since another mutant had the same state.
    pub subsumed: u64,
    pub instructions: u64,
    /// Candidates that were left when the search ended.
    pub waiting: usize,
    /// Why runs ended before their time, each with how often.
    pub gaps: BTreeMap<String, u64>,
}
