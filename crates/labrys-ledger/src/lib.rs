//! The data types that the front end, the engine and the suite share: objectives of coverage
//! criteria with their status, decisions, mutants, and the types of inputs.
//!
//! A criterion turns a program into objectives. Each objective has a [`Trigger`]: the
//! annotation event that covers it. The front end makes them, the engine and the native
//! replay report the events, and the [`Ledger`] alone keeps their status.

mod assumption;
pub mod decision;
mod input;
mod ledger;
mod mutant;
mod objective;
mod point_nesting;
mod proof;
pub mod protocol;
mod trace;
pub mod world;

pub use assumption::{Assumption, AssumptionClass, Trust};
pub use decision::{
    Decision, DecisionPairs, Formula, OutcomeVector, PairHalves, Relevance, ShownEvaluations,
    WitnessPair,
};
pub use input::{InputField, InputType};
pub use ledger::{Ledger, ProofContradiction, StatusTotals};
pub use mutant::Mutant;
pub use objective::{Criterion, Objective, Status, Trigger};
pub use point_nesting::PointNesting;
pub use proof::{
    ClaimReference, InvariantRecord, Need, NeededAssumption, Proof, ProofKind, ProofStep,
};
pub use trace::{TraceEvent, TraceHash};
pub use world::World;
