//! Hash-consed bit-vector and float expressions: build, simplify, evaluate, print.
//!
//! Expressions live in an [`Arena`] and are named by [`ExprId`]. The builder methods of the arena
//! fold constants and bring terms into a canonical form, so that equal meanings often have equal
//! ids. Nothing here knows of programs or solvers.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod arena;
mod assumed;
mod build;
mod c_text;
mod collect;
mod definedness;
mod eval;
pub mod float;
pub mod float_text;
mod model;
mod node;
pub mod smtlib;
mod substitute;
mod varset;

pub use arena::Arena;
pub use assumed::{AssumedPlaces, AssumptionId};
pub use c_text::c_text;
pub use collect::LiveMarks;
pub use eval::Evaluator;
pub use model::Model;
pub use node::{ExprId, ExprKind, ExprOp, Rounding, TableId, VarId, mask, signed};
pub use substitute::{substitute, transplant};
pub use varset::VarSetId;
