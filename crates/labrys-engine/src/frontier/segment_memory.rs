//! What a piece of code reads, copies and fills: parts of objects that are known, and what a pointer leads to.

use super::memory_effects::{AccessTarget, Effect};
use super::segment::{Segment, Terms};
use crate::memory::{ObjectId, split};
use labrys_expr::ExprId;
use labrys_ir::Reg;

/// A read at an unknown place of a known object looks at so many places at most.
const MOST_PLACES: u64 = 64;

/// More bytes are not followed when they are copied.
const MOST_COPIED: u64 = 64;

impl Segment<'_> {
    pub(super) fn load(&mut self, dst: Reg, addr: Reg, width: u8) {
        let len = u64::from(width).div_ceil(8);
        let value = match self.target(addr) {
            AccessTarget::Object { object, offset } => self.load_from(object, offset, len),
            AccessTarget::Pointer { address, reg, .. } => self.load_through(address, reg, len),
        };
        match value {
            Some(value) => {
                let value = self.terms.arena.extract(value, 0, width);
                self.set(dst, value);
            }
            None => self.set_any(dst),
        }
    }

    /// Bytes at a known or unknown place of an object; none if nothing can be said of them.
    fn load_from(&mut self, object: ObjectId, offset: ExprId, len: u64) -> Option<ExprId> {
        let shape = self.memory.shape(&self.terms.places, object)?;
        if let Some(offset) = self.terms.arena.as_const(offset) {
            return self.load_at(object, offset as u64, len);
        }
        let count = shape.size / len;
        if !len.is_power_of_two() || count == 0 || count > MOST_PLACES {
            return None;
        }
        let mut entries = Vec::new();
        for number in 0..count {
            entries.push(self.load_at(object, number * len, len)?);
        }
        let any = self.any((len * 8) as u8);
        let arena = &mut self.terms.arena;
        let shift = len.trailing_zeros() as u8;
        let index = arena.extract(offset, shift.into(), 64 - shift);
        let limit = arena.constant(64 - shift, count.into());
        let mut inside = arena.ult(index, limit);
        if shift > 0 {
            let low = arena.extract(offset, 0, shift);
            let zero = arena.constant(shift, 0);
            let aligned = arena.eq(low, zero);
            inside = arena.and(inside, aligned);
        }
        let bits = (64 - (count - 1).leading_zeros()).max(1) as u8;
        let index = arena.extract(index, 0, bits);
        let table = arena.table(&entries);
        let value = arena.select(table, index);
        Some(arena.ite(inside, value, any))
    }

    fn load_at(&mut self, object: ObjectId, offset: u64, len: u64) -> Option<ExprId> {
        let shape = self.memory.shape(&self.terms.places, object)?;
        if offset.checked_add(len)? > shape.size || len > 16 {
            return None;
        }
        let cells = shape.cells(object, offset, len);
        let first = cells[0].offset;
        let mut value: Option<ExprId> = None;
        for cell in cells {
            let Terms { arena, places } = &mut *self.terms;
            let part = self.memory.cell(arena, places, cell);
            value = Some(match value {
                Some(low) => arena.concat(part, low),
                None => part,
            });
        }
        let low = ((offset - first) * 8) as u32;
        value.map(|value| self.terms.arena.extract(value, low, (len * 8) as u8))
    }

    pub(super) fn known_len(&mut self, len: Reg) -> Option<u64> {
        let len = self.get(len);
        self.terms.arena.as_const(len).map(|len| len as u64)
    }

    /// The words of a known part of an object.
    pub(super) fn words(&mut self, src: Reg, len: u64) -> Option<Vec<ExprId>> {
        let AccessTarget::Object { object, offset } = self.target(src) else {
            return None;
        };
        let start = self.terms.arena.as_const(offset)? as u64;
        let words = words_of(len)?;
        let load = |(at, len)| self.load_at(object, start.checked_add(at)?, len);
        words.into_iter().map(load).collect()
    }

    /// Words that consist of one byte.
    pub(super) fn repeated(&mut self, byte: Reg, len: u64) -> Option<Vec<ExprId>> {
        let byte = self.get(byte);
        let arena = &mut self.terms.arena;
        let byte = arena.extract(byte, 0, 8);
        let words = words_of(len)?.into_iter();
        let word = |(_, len)| (1..len).fold(byte, |word, _| arena.concat(byte, word));
        Some(words.map(word).collect())
    }

    /// Writes words from a known place on; without them, anything may be there behind it.
    pub(super) fn write_words(&mut self, dst: Reg, values: Option<Vec<ExprId>>, len: Option<u64>) {
        let target = self.target(dst);
        let (Some(values), AccessTarget::Object { object, offset }) = (values, target) else {
            self.memory.add(Effect::Forget { target, len });
            return;
        };
        let mut offset = offset;
        for value in values {
            let target = AccessTarget::Object { object, offset };
            self.memory.add(Effect::Write {
                target,
                value,
                probably: None,
            });
            let arena = &mut self.terms.arena;
            let len = arena.constant(64, u128::from(arena.width(value) / 8));
            offset = arena.add(offset, len);
        }
    }

    /// What a pointer leads to if it leads into the object that was allocated for it, or where it led in a run
    /// that was seen, else anything (the α of DASH, Beckman et al. 2010).
    fn load_through(&mut self, address: ExprId, reg: Reg, len: u64) -> Option<ExprId> {
        let guess = self.guess(reg, true);
        let (object, offset) = match guess {
            Some(probably) => probably,
            None => split((self.seen)(&self.terms.arena, address)?),
        };
        let there = self.load_at(object, offset, len)?;
        let Terms { arena, places } = &mut *self.terms;
        let any = match guess {
            Some(_) => places.elsewhere(arena, (len * 8) as u8),
            None => places.any(arena, (len * 8) as u8),
        };
        let base = self.base(object);
        let arena = &mut self.terms.arena;
        let offset = arena.constant(64, offset.into());
        let led = arena.add(base, offset);
        let same = arena.eq(address, led);
        Some(arena.ite(same, there, any))
    }
}

/// So many bytes as words of up to 8 bytes: where each begins, and its size. None if there are too many.
fn words_of(len: u64) -> Option<Vec<(u64, u64)>> {
    (len <= MOST_COPIED).then_some(())?;
    let starts = (0..len).step_by(8);
    Some(starts.map(|at| (at, (len - at).min(8))).collect())
}
