//! What finished runs have shown, for those who choose among the candidates.

use crate::bitset::BitSet;
use crate::mcdc::{Pairs, Vectors};
use labrys_ledger::Trigger;
use std::collections::BTreeMap;

/// What finished runs have shown.
pub(crate) struct Found<'a> {
    /// The objectives that need no test any more.
    pub(crate) covered: &'a BitSet,
    pub(crate) pairs: &'a Pairs,
    pub(crate) vectors: &'a Vectors,
    /// How near the last run came to open outcomes.
    pub(crate) measured: &'a Measured,
}

/// How near a run came to an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nearest {
    /// By how much the operands miss it; never 0.
    pub(crate) distance: u64,
    /// After how many forks the condition was evaluated first.
    pub(crate) first: u32,
}

/// By outcome.
pub(crate) type Measured = BTreeMap<Trigger, Nearest>;
