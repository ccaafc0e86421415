//! Proofs by cases: an analysis of values that tells states apart by what a few places and registers
//! hold. Which ones is found for each event from what it compares.
//!
//! In comes the program written out and the events that nothing else has refuted; out come those that
//! happen in no case, with what was told apart.

mod analysis;
mod attempts;
mod behind;
mod calls;
mod growth;
mod interest;
mod judge;
mod keys;
mod looks;
mod narrow;
mod setting;
mod state;
mod step;

pub(crate) use growth::CaseBounds;
pub use looks::{CaseFindings, CaseLooks};
