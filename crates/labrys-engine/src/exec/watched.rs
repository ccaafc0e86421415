//! Reads of watched bytes: which assumption a run rests on from here, and which one it will rest on if
//! it decides by what it has read.

use super::Machine;
use crate::memory::{Object, ObjectId, Slot, Watch, WatchKind};
use labrys_expr::ExprId;
use std::ops::Range;
use std::rc::Rc;

/// What a run rests on if it decides by what it has read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TouchedFlag {
    flag: Rc<str>,
    /// Only these bits rest on it.
    bits: Option<u16>,
}

/// What may be read at a place that depends on inputs: what each place rests on, by its number.
#[derive(Debug, Default)]
pub(super) struct TouchedPlaces {
    flags: Vec<(TouchedFlag, Vec<Range<u64>>)>,
}

impl TouchedPlaces {
    pub(super) fn add(&mut self, place: u64, flags: Vec<TouchedFlag>) {
        for flag in flags {
            let known = self.flags.iter().position(|(known, _)| *known == flag);
            let at = known.unwrap_or_else(|| {
                self.flags.push((flag, Vec::new()));
                self.flags.len() - 1
            });
            let ranges = &mut self.flags[at].1;
            match ranges.last_mut() {
                Some(last) if last.end == place => last.end += 1,
                _ => ranges.push(place..place + 1),
            }
        }
    }
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
        let mut texts: Vec<&str> = Vec::new();
        for touched in flags {
            match touched.bits {
                Some(bits) => {
                    let always = self.arena.yes();
                    let why = (&*touched.flag, &mut self.state.assumed);
                    value = (self.arena).assumed_bits(value, bits.into(), always, why);
                }
                None => texts.push(&touched.flag),
            }
        }
        value = (self.arena).assumed_all(value, &texts, &mut self.state.assumed);
        self.slot_of(value)
    }

    /// The value that was read at the place with the number `index`, one of `count`: it rests on what
    /// that place rests on.
    pub(super) fn assuming_places(
        &mut self,
        value: ExprId,
        (index, count): (ExprId, u64),
        places: TouchedPlaces,
    ) -> ExprId {
        let width = self.arena.width(index);
        let mut value = value;
        for (touched, ranges) in places.flags {
            let is_everywhere = ranges.first().is_some_and(|range| *range == (0..count));
            let mut is_there = match is_everywhere {
                true => self.arena.yes(),
                false => self.arena.no(),
            };
            for range in ranges {
                let start = self.arena.constant(width, range.start.into());
                let count = self.arena.constant(width, (range.end - range.start).into());
                let distance = self.arena.sub(index, start);
                let is_in = self.arena.ult(distance, count);
                is_there = self.arena.or(is_there, is_in);
            }
            let bits = touched.bits.map_or(u128::MAX, u128::from);
            let why = (&*touched.flag, &mut self.state.assumed);
            value = self.arena.assumed_bits(value, bits, is_there, why);
        }
        value
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
