//! Which object has which number: the same place of the program and the same occurrence there have the same
//! number on all paths.

use super::{MAX_OBJECT, ObjectId};
use rustc_hash::FxHashMap;

/// The numbers of the objects that the program has made, by place and occurrence there. They are the
/// same on all paths.
#[derive(Clone, Debug)]
pub(crate) struct ObjectNumbers {
    known: FxHashMap<(u64, u32), ObjectId>,
    next: u32,
}

impl ObjectNumbers {
    pub(crate) fn new(first: u32) -> Self {
        ObjectNumbers {
            known: FxHashMap::default(),
            next: first,
        }
    }

    /// The number of an object, a new one if it has none; `None` if there are too many.
    pub(crate) fn of(&mut self, place: u64, occurrence: u32) -> Option<ObjectId> {
        if let Some(&id) = self.known.get(&(place, occurrence)) {
            return Some(id);
        }
        if self.next > MAX_OBJECT {
            return None;
        }
        let id = ObjectId(self.next);
        self.next += 1;
        self.known.insert((place, occurrence), id);
        Some(id)
    }
}
