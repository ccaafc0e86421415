//! Measures which mutants a suite kills.
//!
//! The front end puts all mutants of a program into one; `labrys-suite` compiles it once and runs a
//! test with any of them active. [`score`] runs tests until each mutant has been told from the
//! original or has survived all tests that come to it.

mod oracle;
mod rounds;
mod score;
mod verdict;

pub use oracle::UnusableTest;
pub use rounds::{ScoredMutants, ScoringProgress, TestCase, score, score_among};
pub use score::{MutationScore, by_operator};
pub use verdict::{AliveReason, MutantFate, MutantProof, MutantProofKind, MutantVerdict};
