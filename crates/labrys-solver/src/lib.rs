//! The solver: finds values of the input variables that satisfy a path condition and a goal, or says
//! that there are none.
//!
//! A [`PathCondition`] holds what a path has assumed, partitioned into groups that share no
//! variable. [`Solver::solve`] asks whether a goal can hold on that path and gives a model that is
//! the hint with only the variables of the goal's slice changed. The stages are tried cheapest
//! first; each is one file and can be switched off in [`SolverOptions`].

#![cfg_attr(test, allow(clippy::unwrap_used))]

#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod common;

mod answer;
mod bitwuzla;
mod blast;
mod cache;
mod chain;
mod cheap;
mod claim;
mod domain;
mod external;
mod hitting_set;
mod limits;
mod local;
mod log;
mod options;
mod order;
mod path;
mod persistent_vec;
mod possible_values;
mod query;
mod recheck;
mod recording;
mod stats;
mod validate;

pub use answer::{Answer, SolverError, UnknownReason};
pub use chain::{Solver, WatchedGoals};
pub use claim::Contradiction;
pub use external::parse_value as external_value;
pub use hitting_set::{HittingSet, smallest_hitting_set};
pub use options::SolverOptions;
pub use path::{PathCondition, for_each_conjunct};
pub use possible_values::PossibleValues;
pub use recheck::{Rechecked, Verdict, has_no_solution, recheck};
pub use recording::{RecordedQuery, Recording};
pub use stats::{SolverStats, StageStats};
