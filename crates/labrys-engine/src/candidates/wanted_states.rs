//! What memory would have to hold so that an open outcome comes about where runs have come to its
//! condition: searches prefer states in which it does, long before they come there.

use crate::bitset::BitSet;
use crate::memory::{Memory, ObjectId, low_mask, sign_extend};
use crate::program::concrete::{concrete_bin, concrete_cmp};
use labrys_ir::{BinOp, CastOp, CmpOp};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// At most so many wait at a time.
const MOST_OPEN: usize = 256;

/// A word of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WantedWord {
    pub(crate) object: ObjectId,
    pub(crate) offset: u64,
    /// In bits.
    pub(crate) width: u8,
}

impl WantedWord {
    /// What a state holds there, unless that depends on the input.
    pub(crate) fn value(self, memory: &Memory) -> Option<u64> {
        let object = memory.object(self.object)?;
        let len = u64::from(self.width.div_ceil(8));
        if self.offset.checked_add(len)? > object.size() {
            return None;
        }
        Some(object.plain(self.offset, len)? & low_mask(self.width))
    }
}

/// A value that is computed from memory; everything else is what it was in the run that came to the
/// condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum StateValue {
    Number(u64),
    Word(WantedWord),
    Cast {
        op: CastOp,
        from: u8,
        to: u8,
        value: Box<StateValue>,
    },
    Bin {
        op: BinOp,
        width: u8,
        operands: Box<[StateValue; 2]>,
    },
    Cmp {
        op: CmpOp,
        width: u8,
        operands: Box<[StateValue; 2]>,
    },
}

impl StateValue {
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, StateValue::Number(_))
    }

    /// Are all its operands what they were in a run?
    pub(crate) fn is_computed_from_numbers(&self) -> bool {
        match self {
            StateValue::Number(_) | StateValue::Word(_) => false,
            StateValue::Cast { value, .. } => value.is_number(),
            StateValue::Bin { operands, .. } | StateValue::Cmp { operands, .. } => {
                operands.iter().all(StateValue::is_number)
            }
        }
    }

    fn value(&self, memory: &Memory) -> Option<u64> {
        Some(match self {
            StateValue::Number(number) => *number,
            StateValue::Word(word) => word.value(memory)?,
            StateValue::Cast {
                op,
                from,
                to,
                value,
            } => {
                let value = value.value(memory)?;
                match op {
                    CastOp::SExt => sign_extend(value, *from) as u64 & low_mask(*to),
                    _ => value & low_mask(*to),
                }
            }
            StateValue::Bin {
                op,
                width,
                operands,
            } => {
                let [a, b] = &**operands;
                concrete_bin(*op, *width, a.value(memory)?, b.value(memory)?)?
            }
            StateValue::Cmp {
                op,
                width,
                operands,
            } => {
                let [a, b] = &**operands;
                concrete_cmp(*op, *width, a.value(memory)?, b.value(memory)?).into()
            }
        })
    }

    pub(crate) fn for_each_word(&self, visit: &mut impl FnMut(WantedWord)) {
        match self {
            StateValue::Number(_) => {}
            StateValue::Word(word) => visit(*word),
            StateValue::Cast { value, .. } => value.for_each_word(visit),
            StateValue::Bin { operands, .. } | StateValue::Cmp { operands, .. } => {
                operands.iter().for_each(|value| value.for_each_word(visit));
            }
        }
    }
}

/// A state in which an open outcome could come about.
#[derive(Clone, Debug)]
pub(crate) struct WantedState {
    /// What it would cover.
    pub(crate) objectives: Box<[u32]>,
    /// Values, and whether they have to be true.
    conditions: Box<[(StateValue, bool)]>,
    /// The words that these read, with what they hold when the program starts.
    words: Box<[(WantedWord, Option<u64>)]>,
}

impl WantedState {
    /// None if memory does not decide.
    pub(crate) fn new(
        objectives: &[u32],
        conditions: Vec<(StateValue, bool)>,
        at_start: &Memory,
    ) -> Option<WantedState> {
        let mut words: Vec<(WantedWord, Option<u64>)> = Vec::new();
        for (value, _) in &conditions {
            value.for_each_word(&mut |word| words.push((word, word.value(at_start))));
        }
        words.sort_unstable();
        words.dedup();
        (!words.is_empty()).then(|| WantedState {
            objectives: objectives.into(),
            conditions: conditions.into(),
            words: words.into(),
        })
    }

    /// The objects on which it depends.
    pub(crate) fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.words.iter().map(|(word, _)| word.object)
    }

    /// Is it so in a state, and not just because nothing was written there yet?
    pub(crate) fn is_met(&self, memory: &Memory) -> bool {
        let holds = |(value, wanted): &(StateValue, bool)| {
            value.value(memory).is_some_and(|now| (now != 0) == *wanted)
        };
        self.conditions.iter().all(holds)
            && (self.words.iter()).any(|(word, first)| word.value(memory) != *first)
    }

    fn hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.conditions.hash(&mut hasher);
        hasher.finish()
    }

    pub(crate) fn is_open(&self, covered: &BitSet) -> bool {
        let mut objectives = self.objectives.iter();
        objectives.any(|o| !covered.contains(*o as usize))
    }
}

/// All that were found, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct WantedStates {
    pub(crate) all: Vec<WantedState>,
    /// Hashes of their conditions. Of two that fall on each other the second one is not wanted.
    known: FxHashSet<u64>,
    open: usize,
}

impl WantedStates {
    /// Adds one, unless it is known or there are too many.
    pub(crate) fn add(&mut self, new: WantedState, covered: &BitSet) {
        if self.open >= MOST_OPEN {
            self.open = self.all.iter().filter(|w| w.is_open(covered)).count();
        }
        if self.open < MOST_OPEN && self.known.insert(new.hash()) {
            self.all.push(new);
            self.open += 1;
        }
    }
}
