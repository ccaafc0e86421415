//! How two memories differ: what one path has written and another has not. What snapshots share is the
//! same for certain and is not looked at.

use super::{Memory, ObjectEntry, ObjectId, PAGE};
use std::rc::Rc;

/// An object that is not the same in two memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectChange {
    /// It is there in both.
    Contents(ObjectId),
    /// It is alive in one of them only.
    Lifetime(ObjectId),
}

impl Memory {
    /// The objects that may differ, in the order of their numbers. An object that is gone or freed is like
    /// one that never was.
    pub(crate) fn changes(&self, other: &Memory) -> Vec<ObjectChange> {
        let mut changes = Vec::new();
        let pages = self.pages.len().max(other.pages.len());
        for number in 0..pages {
            let (a, b) = (self.pages.get(number), other.pages.get(number));
            if let (Some(a), Some(b)) = (a, b)
                && Rc::ptr_eq(a, b)
            {
                continue;
            }
            for place in 0..PAGE {
                let id = ObjectId((number * PAGE + place) as u32);
                changes.extend(changed(id, self.entry(id), other.entry(id)));
            }
        }
        changes
    }
}

fn changed(
    id: ObjectId,
    a: ObjectEntry<&Rc<super::Object>>,
    b: ObjectEntry<&Rc<super::Object>>,
) -> Option<ObjectChange> {
    use ObjectEntry::{Empty, Freed, Gone, Live};
    match (a, b) {
        (Live(a), Live(b)) => (!Rc::ptr_eq(a, b)).then_some(ObjectChange::Contents(id)),
        // Nobody can use it, and no pointer to it is left that the other does not have.
        (Freed | Empty | Gone, Freed | Empty | Gone) => None,
        _ => Some(ObjectChange::Lifetime(id)),
    }
}
