//! Tests: the suite file, native replay, coverage measured by other
//! tools, export as C, import from other tools, minimisation.
//!
//! The engine hands over inputs; [`Replayer`] compiles the annotated program with the system's
//! compiler and runs each test in a process of its own, in a [`sandbox`]. What that run shows is the truth
//! that the suite records.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod compile;
pub mod coverage;
pub mod export;
pub mod import;
mod linked_parts;
mod minimise;
mod naming;
mod native_runtime;
mod original;
pub mod readers;
mod replay;
pub mod sandbox;
mod split;
mod suite;
mod value;
mod wire;

pub use compile::{BuildSpec, BuildUnit, CC, ReplayError};
pub use import::ParsedNumber;
pub use linked_parts::LinkedParts;
pub use minimise::{keep_first_in_order, minimise};
pub use naming::{UniqueNames, test_name};
pub use original::OriginalUnit;
pub use replay::{ActiveMutant, ReplayCase, ReplayInputs, ReplayLimits, Replayer};
pub use sandbox::MissingProtections;
pub use split::{SplitMutants, SplitObservation, SplitTest};
pub use suite::{
    HarnessSizes, SCHEMA, Suite, SuiteError, SuiteTarget, SuiteTest, THE_END, TestInput,
    TestOutput, ended_normally, harness_of,
};
pub use value::{hexadecimal, size, spelling, value};
pub use wire::{Observation, RunEnd, results as replay_results, split_results};
