//! One evaluation of a decision as two bit sets: which conditions were evaluated, and which of
//! them were true.

use serde::{Deserialize, Serialize};

/// A decision has at most 64 conditions: a vector has one bit for each in a `u64`.
pub const MAX_CONDITIONS: usize = 64;

/// One evaluation of a decision, or the part of one that has happened so far: which conditions
/// were evaluated, and which of these were true. The result follows from the formula.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct OutcomeVector {
    pub seen: u64,
    pub truth: u64,
}

impl OutcomeVector {
    /// The value of a condition, if it was evaluated.
    #[inline]
    pub fn get(self, condition: usize) -> Option<bool> {
        (self.seen >> condition & 1 == 1).then_some(self.truth >> condition & 1 == 1)
    }

    /// The same with one more condition evaluated.
    #[must_use]
    pub fn with(self, condition: usize, value: bool) -> OutcomeVector {
        let bit = 1 << condition;
        OutcomeVector {
            seen: self.seen | bit,
            truth: if value {
                self.truth | bit
            } else {
                self.truth & !bit
            },
        }
    }

    /// Does this evaluation begin with that part of one?
    pub fn extends(self, prefix: OutcomeVector) -> bool {
        self.seen & prefix.seen == prefix.seen && self.truth & prefix.seen == prefix.truth
    }
}
