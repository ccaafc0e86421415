//! Measures which mutants a suite kills.
//!
//! The front end puts all mutants of a program into one; `labrys-suite` compiles it once and runs a
//! test with any of them active, or with all of them at once. [`score`] runs tests until each mutant
//! has been told from the original or has survived all tests that come to it; [`score_with`] can
//! also look for every test that kills a mutant.

mod oracle;
mod rounds;
mod score;
mod scoring;
mod second_order;
mod splits;
mod verdict;

pub use oracle::UnusableTest;
pub use score::{MutationScore, by_operator};
pub use scoring::{
    ScoredMutants, ScoringOptions, ScoringProgress, ScoringWay, TestCase, score, score_among,
    score_with, step_limit,
};
pub use second_order::second_order;
pub use verdict::{AliveReason, MutantFate, MutantProof, MutantProofKind, MutantVerdict};
