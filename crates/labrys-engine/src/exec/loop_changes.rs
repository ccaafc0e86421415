//! Which memory the turns of a loop change: expected by the way the addresses are computed that its code
//! writes to, and found by comparing memory behind a turn with memory before it. What was not expected
//! has any value in the next round.

use super::Machine;
use super::loop_cut::LoopProof;
use crate::memory::{ObjectChange, ObjectId, split};
use crate::program::{AddressRoot, ExpectedWrite};
use crate::state::{MemoryRange, OpenLoop};

const OBJECTS: &str = "objects that a turn of a loop makes or frees live on";
const OTHER_STATE: &str = "a loop changes jumps or handlers of faults";

/// Of larger objects, and of more parts of one, it is found out what changes.
const MOST_BYTES: u64 = 1024;
const MOST_PARTS: usize = 256;

impl Machine<'_> {
    /// Believes that a turn changes what the code of its loop writes to, as far as that can be told.
    pub(super) fn expect_changes(&mut self, proof: &LoopProof, number: u32) {
        let loops = proof.loops.clone();
        for written in &loops[number as usize].writes {
            let Some((object, start)) = self.root_of(written) else {
                continue;
            };
            let mut facts = proof.facts.borrow_mut();
            let belief = facts.beliefs.entry(number).or_default();
            if !belief.expected.insert((object, start, *written)) {
                continue;
            }
            drop(facts);
            let ranges = self.ranges_of(object, start, written);
            let mut facts = proof.facts.borrow_mut();
            let belief = facts.beliefs.entry(number).or_default();
            for range in ranges {
                if !belief.memory.iter().any(|known| known.overlaps(&range)) {
                    belief.memory.insert(range);
                }
            }
        }
    }

    /// The object and the first distance that are meant here.
    fn root_of(&mut self, written: &ExpectedWrite) -> Option<(ObjectId, i64)> {
        match written.root {
            AddressRoot::Global(global) => {
                let object = self.program.global_object(global);
                Some((object, written.distance.start))
            }
            AddressRoot::Register(reg) => {
                let slot = self.state.frame.regs[reg.index()];
                let value = match slot.expr {
                    Some(e) => {
                        let e = self.arena.defined(e)?;
                        self.current.value(&self.arena, e) as u64
                    }
                    None => slot.bits,
                };
                let (object, offset) = split(value);
                let start = (offset as i64).wrapping_add(written.distance.start);
                Some((object, start))
            }
        }
    }

    /// The scalars that may be written.
    fn ranges_of(&self, id: ObjectId, start: i64, written: &ExpectedWrite) -> Vec<MemoryRange> {
        let Some(object) = self.state.memory.object(id) else {
            return Vec::new();
        };
        let (size, step) = (object.size(), written.distance.step);
        let bytes = written.bytes.unwrap_or(size);
        if object.is_constant() || size > MOST_BYTES || bytes == 0 {
            return Vec::new();
        }
        let first = match step {
            0 => start,
            step => start.rem_euclid(i64::try_from(step).unwrap_or(i64::MAX)),
        };
        let Ok(first) = u64::try_from(first) else {
            return Vec::new();
        };
        let is_one_member = step != 0 && !written.distance.is_mixed;
        if is_one_member && let Ok(start) = u64::try_from(start) {
            let range = MemoryRange {
                object: id,
                offset: start,
                len: bytes as u32,
            };
            let members = self.same_members(range);
            if !members.is_empty() {
                return members;
            }
        }
        let mut ranges: Vec<MemoryRange> = Vec::new();
        let element = u64::from(object.info.element);
        let mut from = first;
        while from < size && ranges.len() <= MOST_PARTS {
            let end = (from + bytes).min(size);
            let mut at = ranges.last().map_or(from, |last| from.max(last.end()));
            while at < end {
                let range = self.scalar_of(id, (at, end), element, size);
                at = range.end();
                ranges.push(range);
            }
            match step {
                0 => break,
                step => from += step,
            }
        }
        match ranges.len() > MOST_PARTS {
            true => Vec::new(),
            false => ranges,
        }
    }

    /// A scalar of the source, or what the sizes say.
    fn scalar_of(
        &self,
        id: ObjectId,
        (at, end): (u64, u64),
        element: u64,
        size: u64,
    ) -> MemoryRange {
        let parts = self.program.global_at(id).map(|global| &global.parts);
        let mut parts = parts.into_iter().flatten();
        match parts.find(|part| part.offset == at && part.size <= 8) {
            Some(part) => MemoryRange {
                object: id,
                offset: at,
                len: part.size as u32,
            },
            None => scalar_at(id, at, end, element, size),
        }
    }

    /// What a turn has changed and is not yet believed to change.
    pub(super) fn look_at_changes(&mut self, proof: &LoopProof, open: &OpenLoop) {
        let state = &self.state;
        if state.jumps.len() != open.jumps || state.handled_faults != open.handled_faults {
            self.give_up(proof, open.number, OTHER_STATE);
        }
        for (object, access) in state.known_to_stubs.iter() {
            let before = open.known_to_stubs.get(object);
            let is_new = before.is_none_or(|before| before < access);
            let lives_on = open.memory.object(*object).is_some();
            if is_new && lives_on {
                let mut facts = proof.facts.borrow_mut();
                facts.revealed.insert((open.number, *object), *access);
            }
        }
        for change in open.memory.changes(&self.state.memory) {
            let ObjectChange::Contents(id) = change else {
                self.give_up(proof, open.number, OBJECTS);
                continue;
            };
            let objects = (open.memory.object(id), self.state.memory.object(id));
            let (Some(before), Some(now)) = objects else {
                continue;
            };
            let element = u64::from(now.info.element);
            let size = now.size();
            let ranges = before.different_bytes(now, &mut self.arena);
            let mut facts = proof.facts.borrow_mut();
            for (start, end) in ranges {
                let mut at = start;
                while at < end {
                    let range = scalar_at(id, at, end, element, size);
                    let is_known = open.any.iter().any(|any| {
                        any.object == id && any.offset <= at && at < any.offset + u64::from(any.len)
                    });
                    if !is_known {
                        facts.changed.insert((open.number, range), size);
                    }
                    at = match is_known {
                        true => at + 1,
                        false => range.offset + u64::from(range.len),
                    };
                }
            }
        }
    }
}

/// The number that a changed byte is probably part of.
fn scalar_at(object: ObjectId, at: u64, end: u64, element: u64, size: u64) -> MemoryRange {
    let len = match element {
        1 | 2 | 4 | 8 => element,
        _ if end - at >= 8 && at.is_multiple_of(8) => 8,
        _ if at / 4 * 4 + 4 <= size => 4,
        _ => 1,
    };
    let offset = at / len * len;
    match offset + len <= size {
        true => MemoryRange {
            object,
            offset,
            len: len as u32,
        },
        false => MemoryRange {
            object,
            offset: at,
            len: 1,
        },
    }
}
