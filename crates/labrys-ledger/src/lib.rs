//! Objectives of coverage criteria and their status.
//!
//! A criterion turns a program into objectives. Each objective has a [`Trigger`]: the
//! annotation event that covers it. The front end makes them, the engine and the native
//! replay report the events, and the [`Ledger`] keeps the one truth about their status.

mod ledger;
mod objective;

pub use ledger::{Contradiction, Ledger, Totals};
pub use objective::{Criterion, Objective, Proof, Status, Trigger};
