//! Concolic execution with copy-on-write snapshots.
//!
//! There is always one concrete input, the model. The executor runs it and builds expressions
//! where values depend on inputs. At a branch on an expression the model's side is followed and
//! the other side becomes a candidate: a snapshot, the path condition and the flipped condition.
//! Taking a candidate means solving its condition and going on from its snapshot; nothing before
//! it is executed again.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod augment;
mod bitset;
mod candidates;
mod config;
mod end;
mod error;
mod exec;
mod explore;
mod fact_source;
mod frontier;
mod inputs;
mod kill;
mod mcdc;
mod memory;
mod objectives;
mod parallel;
mod program;
mod proof_source;
mod random;
mod report;
mod search;
mod splices;
mod state;
mod states;
mod structure;
mod values;

pub use augment::{
    Alternative, AugmentStyle, Augmented, AugmentedTest, MutantKillers, augment_labels,
    augment_mutants, predict,
};
pub use config::{
    Config, DEFAULT_TIME, FIRST_LOOK_AT_CASES, FIRST_LOOK_AT_FRONTIER, FIRST_LOOK_AT_LOOPS,
    FIRST_LOOK_AT_STATES, Instrumentation, Search, WorkAmount,
};
pub use end::{FaultKind, PathEnd, StackLine};
pub use error::EngineError;
pub use exec::MAX_OUTPUT;
pub use explore::explore;
pub use fact_source::FactSource;
pub use inputs::{InputKind, InputValue, Scalar};
pub use kill::{
    KillOptions, KillReport, KillStrategy, KillingTest, MutantChanges, MutantFinding, NativeKills,
    Selection, SemuParameters, UnkilledReason, kill_mutants,
};
pub use objectives::ObjectiveMap;
pub use program::{compact, faulty_functions, library_functions};
pub use proof_source::{FoundInfeasible, ProofSource};
pub use report::{
    ArgumentStep, Claim, ClaimList, ClaimTopic, ClaimedCondition, Exclusion, Fault, FaultCheckWork,
    FrontierProof, LabelWork, LoopInvariant, LoopTurns, Observer, Report, Silent, Stop, StreamPart,
    Test, TestValues, Unproved, Work,
};
pub use search::{UpdateCost, update_cost};
