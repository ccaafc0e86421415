//! The loops that a path is in, where a proof goes through one turn of each from any state.

use super::StubAccess;
use crate::memory::{Memory, ObjectId};
use labrys_expr::ExprId;
use labrys_ir::Reg;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Something that a turn of a loop may change, or compare with what it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum LoopPlace {
    Register(Reg),
    Memory(MemoryRange),
}

/// Bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MemoryRange {
    pub(crate) object: ObjectId,
    pub(crate) offset: u64,
    pub(crate) len: u32,
}

impl MemoryRange {
    pub(crate) fn end(&self) -> u64 {
        self.offset + u64::from(self.len)
    }

    pub(crate) fn overlaps(&self, other: &MemoryRange) -> bool {
        self.object == other.object && self.offset < other.end() && other.offset < self.end()
    }
}

/// A loop whose turn is gone through from any state that its relations allow.
#[derive(Clone, Debug)]
pub(crate) struct OpenLoop {
    pub(crate) number: u32,
    /// The call that it is in.
    pub(crate) serial: u64,
    /// Tells it apart from all other times that a loop was entered.
    pub(crate) entry: u64,
    /// What the turn begins with.
    pub(crate) memory: Memory,
    /// The bytes that have any value there.
    pub(crate) any: Vec<MemoryRange>,
    /// The relations that hold there, by their numbers.
    pub(crate) relations: Vec<usize>,
    /// So many turns were gone through since, where several in a row are looked at.
    pub(crate) turns: u32,
    /// Then: the first of them begins with what the places held when the loop was entered.
    pub(crate) is_first: Option<ExprId>,
    /// What else a turn must not change.
    pub(crate) jumps: usize,
    pub(crate) handled_faults: u64,
    pub(crate) known_to_stubs: Rc<BTreeMap<ObjectId, StubAccess>>,
}
