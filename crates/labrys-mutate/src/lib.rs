//! Measures which mutants a suite kills.
//!
//! The front end puts all mutants of a program into one; `labrys-suite` compiles it once and runs a
//! test with any of them active. [`score`] runs tests until each mutant has been told from the
//! original or has survived all tests that come to it.

mod oracle;
mod rounds;
mod score;

pub use oracle::UnusableTest;
pub use rounds::{ScoredMutants, TestCase, score, score_among};
pub use score::{MutantFate, MutantVerdict, MutationScore, by_operator};
