//! What finished runs have shown, for those who choose among the candidates.

use super::wanted_states::WantedStates;
use crate::bitset::BitSet;
use crate::mcdc::{Pairs, SeenVectors};
use labrys_expr::Model;
use labrys_ledger::Trigger;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a thread knows from its finished runs, and from those of other threads.
#[derive(Debug, Default)]
pub(crate) struct ThreadFindings {
    /// The objectives that need no test any more.
    pub(crate) covered: BitSet,
    /// What runs have shown of decisions with pairs.
    pub(crate) pairs: Pairs,
    pub(crate) vectors: SeenVectors,
    /// How near the last run came to open outcomes.
    pub(crate) distances: BranchDistances,
    /// The input of the last run.
    pub(crate) input: Rc<Model>,
    /// What memory would have to hold for open outcomes.
    pub(crate) wanted: WantedStates,
}

/// How near a run came to an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BranchDistance {
    /// By how much the operands miss it; never 0.
    pub(crate) distance: u64,
    /// After how many forks the condition was evaluated first.
    pub(crate) first: u32,
}

/// By outcome.
pub(crate) type BranchDistances = BTreeMap<Trigger, BranchDistance>;
