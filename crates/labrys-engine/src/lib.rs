//! Concolic execution with copy-on-write snapshots.
//!
//! There is always one concrete input, the model. The executor runs it and builds expressions
//! where values depend on inputs. At a branch on an expression the model's side is followed and
//! the other side becomes a candidate: a snapshot, the path condition and the flipped condition.
//! Taking a candidate means solving its condition and going on from its snapshot; nothing before
//! it is executed again.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod address;
mod agenda;
mod aside;
mod augment;
mod budget;
mod builtins;
mod candidate;
mod commons;
mod compact;
mod config;
mod coverage;
mod end;
mod exec;
mod explore;
mod inputs;
mod leaves;
mod memory;
mod native;
mod owed;
mod pairs;
mod passes;
mod pool;
mod program;
mod report;
mod roots;
mod search;
mod state;
mod stats;
mod streams;
mod structure;
mod value;
mod values;
mod workers;

pub use augment::{
    Added, Alternative, Augmented, Claim, How, augment_labels, augment_mutants, predict,
};
pub use budget::resident_bytes;
pub use builtins::Scalar;
pub use compact::compact;
pub use config::{Config, Instrumentation, Search};
pub use coverage::ObjectiveMap;
pub use end::{FaultKind, PathEnd, StackLine};
pub use exec::MAX_OUTPUT;
pub use explore::explore;
pub use inputs::InputKind;
pub use program::library_functions;
pub use report::{EngineError, Fault, InputValue, Observer, Report, Silent, Stop, Test, Unproved};
pub use stats::{LabelWork, Work};
pub use streams::StreamPart;
pub use structure::{UpdateCost, update_cost};
