//! Relations between two numbers: `±x ± y <= c` and `x = r mod m`, for registers, parameters, results
//! and what is in memory, as far as the program compares or adds them.
//!
//! A number is what a register means with a sign, or without one, and relations are between these
//! whole numbers: no arithmetic of relations wraps. What an instruction computes is related to its
//! operands only where it cannot wrap. The design is in `docs/design/112-relations.md`.

mod assume;
mod constraints;
mod pack;
mod passed;
mod stride;
mod terms;
mod transfer;
mod transfer_calls;

#[cfg(test)]
mod brute_force;

pub(crate) use constraints::Relations;
pub(crate) use pack::{Pack, PackedCells, PackedRegisters, choose};
pub(crate) use passed::PassedRelations;
pub(crate) use terms::{Atom, Literal};
