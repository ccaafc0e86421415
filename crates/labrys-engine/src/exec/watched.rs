//! Reads of watched bytes: which assumption a run rests on from here, and which one it will rest on if
//! it decides by what it has read.

use super::Machine;
use crate::memory::{Object, ObjectId, Slot, Watch, WatchKind};
use std::rc::Rc;
use std::sync::Arc;

/// What a run rests on if it decides by what it has read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TouchedFlag {
    flag: Rc<str>,
    /// Only these bits rest on it.
    bits: Option<u16>,
}

impl Machine<'_> {
    /// Bytes are read: the run rests on their limits. Returns what it rests on if it decides by them.
    pub(super) fn touch(&mut self, object: &Object, offset: u64, len: u64) -> Vec<TouchedFlag> {
        let touched: Vec<Watch> = object.touched(offset, len).cloned().collect();
        let mut flags = Vec::new();
        for watch in touched {
            let bits = match watch.kind {
                WatchKind::Reading => {
                    self.rest_on(&watch.flag);
                    continue;
                }
                WatchKind::DecidingBits(bits) if len == 2 => Some(bits),
                WatchKind::DecidingBits(_) | WatchKind::Deciding => None,
            };
            if self.is_new_assumption(&watch.flag) {
                let flag = watch.flag;
                flags.push(TouchedFlag { flag, bits });
            }
        }
        flags
    }

    /// Would it say more of this path that it rests on this?
    fn is_new_assumption(&self, flag: &Rc<str>) -> bool {
        !self.state.extra_call && !self.state.rests_on.contains(flag)
    }

    /// The same value, which rests on these assumptions.
    pub(super) fn assuming(&mut self, slot: Slot, width: u8, flags: &[TouchedFlag]) -> Slot {
        if flags.is_empty() {
            return slot;
        }
        if slot.expr.is_some_and(|e| self.arena.is_uninit(e)) {
            // Here the run ends if it uses the value; somebody else may have written another one.
            for touched in flags {
                self.rest_on(&touched.flag);
            }
            return slot;
        }
        let mut value = match slot.expr {
            Some(value) => value,
            None => self.arena.constant(width, slot.bits.into()),
        };
        for touched in flags {
            let text: Arc<str> = Arc::from(&*touched.flag);
            value = match touched.bits {
                Some(bits) => self.arena.assumed_bits(value, bits.into(), &text),
                None => self.arena.assumed(value, &text),
            };
        }
        self.slot_of(value)
    }

    /// Memory that is not watched is faster: what was read there is put back with its assumptions, and
    /// assumptions that say nothing more of this path are forgotten.
    pub(super) fn keep_read(
        &mut self,
        id: ObjectId,
        object: &Object,
        (offset, len): (u64, u64),
        slot: Slot,
    ) {
        if !object.is_watched() || self.state.speculation.is_some() {
            return;
        }
        let assumed = slot.expr.filter(|e| self.arena.is_assumed(*e));
        let touched = object.touched(offset, len).map(|watch| &watch.flag);
        let old: Vec<Rc<str>> = touched
            .filter(|f| !self.is_new_assumption(f))
            .cloned()
            .collect();
        let Some(object) = self.state.memory.object_mut(id) else {
            return;
        };
        if !old.is_empty() {
            object.forget_watches(&old);
        }
        if let Some(value) = assumed {
            let value = self.arena.zext(value, (len * 8) as u8);
            object.put_expr(&mut self.arena, offset, value);
        }
    }

    /// What is copied is watched where it comes to lie, but for limits: they are read.
    pub(super) fn watches_to_copy(
        &mut self,
        source: &Object,
        from: u64,
        to: u64,
        len: u64,
    ) -> Vec<Watch> {
        self.touch(source, from, len);
        let deciding = source.touched(from, len);
        let deciding = deciding.filter(|watch| watch.kind != WatchKind::Reading);
        let moved = |at: u64| (at.clamp(from, from + len) - from + to) as u32;
        let copies = deciding.map(|watch| Watch {
            start: moved(watch.start.into()),
            end: moved(watch.end.into()),
            ..watch.clone()
        });
        copies.collect()
    }
}
