//! Candidates: ways that a path could have gone. Here they wait, leaves of labels apart from the
//! others, and the agenda says which is taken next. What orders them ([`Strategy`], in `search`)
//! and what knows whether they can still cover anything ([`CoverageStructure`], in `structure`) is
//! given to the agenda from outside.

mod agenda;
mod budget;
mod candidate;
mod coverage;
mod fault_checks;
mod found;
mod leaves;
mod owed;
mod pool;
mod strategy;

pub(crate) use agenda::{Agenda, Choice};
pub(crate) use budget::Budget;
pub use budget::resident_bytes;
pub(crate) use candidate::{Candidate, FaultPlace, Leaf, Resume};
pub(crate) use coverage::{ALWAYS, CoverageStructure, Rank, SpotId};
pub(crate) use found::{Measured, Nearest, ThreadFindings};
pub(crate) use leaves::Leaves;
pub(crate) use pool::{Pool, Ticket};
pub(crate) use strategy::{Strategy, View};
