//! Tests by search: the engine proposes them, native runs decide what they cover, and what no test
//! covers is concluded to be infeasible or unknown.

mod conclude;
mod exploration;
#[cfg(test)]
mod fixtures;
pub mod judge;
mod later_proofs;
mod needs;
mod pair_tests;
pub(crate) mod prediction;
pub(crate) mod proof_steps;
pub mod proofs;
mod runs_ahead;
mod session;
pub mod stability;
mod static_steps;
mod summarise;
mod time_notes;
pub(crate) mod trusted;

pub use session::{SearchResults, SearchSession, SearchedEntry, name_pairs};
pub use summarise::summarise;
