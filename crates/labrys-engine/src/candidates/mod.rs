//! Candidates: ways that a path could have gone. Here they wait, leaves of labels apart from the
//! others, and the agenda says which is taken next. What orders them ([`Strategy`], in `search`)
//! and what knows whether they can still cover anything ([`CoverageStructure`], in `structure`) is
//! given to the agenda from outside.

mod agenda;
mod budget;
mod candidate;
mod coverage_structure;
mod fault_checks;
mod leaves;
mod missed_outcome;
mod pool;
mod strategy;
mod thread_findings;
mod untested_prefixes;
mod wanted_states;

pub(crate) use agenda::{Agenda, ChosenCandidate};
pub(crate) use budget::{SnapshotBudget, SnapshotLimits, drop_all, nearly};
pub(crate) use candidate::{Candidate, FaultPlace, Leaf, Resume};
pub(crate) use coverage_structure::{ALWAYS, CoverageStructure, Rank, SpotId};
pub(crate) use leaves::Leaves;
pub(crate) use missed_outcome::MissedOutcome;
pub(crate) use pool::{Pool, Ticket};
pub(crate) use strategy::{InputValues, SearchView, Strategy};
pub(crate) use thread_findings::{BranchDistance, BranchDistances, ThreadFindings};
pub(crate) use wanted_states::{StateValue, WantedState, WantedWord};
