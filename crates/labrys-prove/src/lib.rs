//! Infeasibility proofs that cost next to nothing: an abstract interpretation of the whole
//! program, before any search, with constants, intervals, known bits and orders of registers.
//!
//! In comes a module, its harness and the events that are asked for; out come the events that no
//! run can give, each with the reason. Nothing here knows of clang or of execution. What is used,
//! and what is not, stands in `docs/design/065-static-proofs.md`.

mod between;
#[cfg(test)]
mod brute_force;
mod compare;
mod definitions;
mod facts;
mod inverse;
mod library;
mod lookup;
mod program;
mod reason;
mod refine;
mod same;
mod scope;
mod sites;
mod state;
mod transfer;
mod value;
mod verdict;
mod walk;

pub use reason::{DecidedBranch, DecidedComparison, RefutationReason};
pub use scope::AnalysisScope;
pub use value::ValueSet;
pub use verdict::refute;
