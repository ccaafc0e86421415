//! From an address to a place in an object.
//!
//! An address keeps the object it was computed from: in `base + i * 4` the base decides, and
//! whatever lies outside that object is out of bounds, not inside another object. A choice between
//! pointers (`c ? p : q`) splits the path on its condition.

use super::{Machine, Step};
use crate::end::{FaultKind, PathEnd};
use crate::memory::{HALF, ObjectEntry, ObjectId, split};
use crate::report::Unproved;
use labrys_expr::{ExprId, ExprKind, ExprOp};
use labrys_ledger::protocol::limit;

/// Nothing says which object such a pointer means.
pub(crate) const WILD_POINTER: &str = "pointer out of input bytes";

/// Bytes of an object, in bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResolvedBytes {
    pub(super) object: ObjectId,
    pub(super) offset: ByteOffset,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum ByteOffset {
    Concrete(u64),
    Symbolic(ExprId),
}

impl Machine<'_> {
    /// Fixes a pointer to its current value; the others become candidates.
    pub(super) fn pin_pointer(&mut self, e: ExprId) -> Step<u64> {
        let e = self.pointer_member(e)?;
        self.pin(e)
    }

    /// The place of `len` bytes at an address. Faults unless they are all in one live object.
    pub(super) fn resolve(&mut self, address: ExprId, len: u64) -> Step<ResolvedBytes> {
        let address = self.initialised(address)?;
        let (address, base) = self.find_base(address)?;
        let object = split(base).0;
        let size = self.live_size(object)?;
        let start = self.arena.constant(64, object.base().into());
        let offset = self.arena.sub(address, start);
        self.require_in_bounds(object, offset, len, size)?;
        let offset = match self.arena.as_const(offset) {
            Some(value) => ByteOffset::Concrete(value as u64),
            None => ByteOffset::Symbolic(offset),
        };
        Ok(ResolvedBytes { object, offset })
    }

    /// As `resolve` for a range whose length is not part of an instruction: the offset is pinned.
    pub(super) fn resolve_range(&mut self, address: ExprId, len: u64) -> Step<(ObjectId, u64)> {
        let place = self.resolve(address, len)?;
        let offset = match place.offset {
            ByteOffset::Concrete(offset) => offset,
            ByteOffset::Symbolic(e) => self.pin(e)?,
        };
        Ok((place.object, offset))
    }

    /// Takes choices out of an address until one base is left; returns the address without
    /// them, and the base as a number.
    pub(super) fn find_base(&mut self, address: ExprId) -> Step<(ExprId, u64)> {
        if let Some(value) = self.arena.as_const(address) {
            return Ok((address, value as u64));
        }
        // An address may have a choice for each turn of a loop: it is put together once, at the
        // end.
        let mut open = vec![address];
        let mut rest = Vec::new();
        let mut table = None;
        let mut constant = 0u64;
        let mut choices = Vec::new();
        while let Some(term) = open.pop() {
            match self.arena.kind(term) {
                ExprKind::Binary(ExprOp::Add, a, b) => open.extend([b, a]),
                ExprKind::Ite(c, x, y) => {
                    if let Some(member) = self.used_as_pointer(c, x, y)? {
                        open.push(member);
                        continue;
                    }
                    self.mark_label_doubtful();
                    let first = self.left.candidates.len();
                    let (here, there) = if self.split_once(c)? { (x, y) } else { (y, x) };
                    open.push(here);
                    if self.left.candidates.len() > first {
                        choices.push((first, here, there));
                    }
                }
                ExprKind::Const(value) => constant = constant.wrapping_add(value as u64),
                // Perhaps a pointer out of a table of pointers.
                ExprKind::Table(..) if table.is_none() => table = Some(term),
                _ => rest.push(term),
            }
        }
        self.mark_null_choices(&choices, constant);
        if let Some(table) = table {
            if split(constant).0 == ObjectId::NULL {
                constant = constant.wrapping_add(self.pin(table)?);
            } else {
                rest.push(table);
            }
        }
        let mut sum = self.arena.constant(64, constant.into());
        for term in rest {
            sum = self.arena.add(sum, term);
        }
        if split(constant).0 != ObjectId::NULL || self.arena.as_const(sum).is_some() {
            return Ok((sum, constant));
        }
        self.wild_base(sum)
    }

    /// Marks the candidates of choices in an address whose other side makes it a null pointer. Each
    /// choice is given by its candidate, what was chosen and what was not; `constant` is the sum of
    /// the constants that were chosen.
    fn mark_null_choices(&mut self, choices: &[(usize, ExprId, ExprId)], constant: u64) {
        for (candidate, here, there) in choices.iter().rev() {
            let sides = [here, there].map(|side| self.arena.as_const(*side));
            if let [Some(here), Some(there)] = sides {
                let other = constant
                    .wrapping_sub(here as u64)
                    .wrapping_add(there as u64);
                let is_end = self.state.speculation.is_none()
                    && !self.is_handled(FaultKind::NullDereference);
                if split(other).0 == ObjectId::NULL && is_end {
                    let place = self.fault_place(FaultKind::NullDereference);
                    self.left.candidates[*candidate].fault = Some(place);
                }
            }
        }
    }

    /// A pointer made of input bytes: nothing says which object is meant.
    fn wild_base(&mut self, address: ExprId) -> Step<(ExprId, u64)> {
        // Null and a distance: wherever that is near null, it is a null pointer.
        let half = self.arena.constant(64, HALF.into());
        let whole = self.arena.constant(64, u128::from(HALF) * 2);
        let moved = self.arena.add(address, half);
        let near_null = self.arena.ult(moved, whole);
        if self.split_on_fault(near_null, FaultKind::NullDereference)? {
            return Err(self.fault(FaultKind::NullDereference));
        }
        let value = self.current.value(&self.arena, address) as u64;
        if !matches!(
            self.state.memory.entry(split(value).0),
            ObjectEntry::Live(_)
        ) {
            // Any other invalid address would be one more error of the same kind; a valid one
            // cannot be guessed. Nothing is proved beyond this point.
            return Err(match self.note_wild_pointer() {
                true => PathEnd::HarnessLimit {
                    flag: limit::MODEL.to_owned(),
                },
                false => self.fault(FaultKind::OutOfBounds),
            });
        }
        self.note_wild_pointer();
        let value = self.pin(address)?;
        Ok((self.arena.constant(64, value.into()), value))
    }

    /// Nothing is proved where a pointer comes out of input bytes. If a generated harness has made these
    /// bytes, it did not know that there is a pointer: true.
    fn note_wild_pointer(&mut self) -> bool {
        if self.state.called_later {
            let flag = self.text(limit::MODEL);
            self.rest_on(&flag);
            return true;
        }
        if !self.label_gap(|| Unproved::Gap(WILD_POINTER.into())) {
            self.work.wild_pointers += 1;
            self.gap_here(WILD_POINTER);
        }
        false
    }

    /// The size of an object that may be accessed.
    fn live_size(&mut self, object: ObjectId) -> Step<u64> {
        let kind = match self.state.memory.entry(object) {
            ObjectEntry::Live(object) => return Ok(object.size()),
            ObjectEntry::Freed | ObjectEntry::Gone => FaultKind::UseAfterFree,
            ObjectEntry::Empty if object == ObjectId::NULL => FaultKind::NullDereference,
            ObjectEntry::Empty => FaultKind::OutOfBounds,
        };
        Err(self.fault(kind))
    }

    fn require_in_bounds(&mut self, id: ObjectId, offset: ExprId, len: u64, size: u64) -> Step {
        let ok = if size < len {
            self.arena.no()
        } else {
            let limit = self.arena.constant(64, (size - len + 1).into());
            self.arena.ult(offset, limit)
        };
        let guess = self
            .state
            .memory
            .object(id)
            .and_then(|o| o.info.guess.clone());
        match guess {
            None => self.require(ok, FaultKind::OutOfBounds),
            Some(flag) => {
                self.mark_label_doubtful();
                if self.split_on(ok)? {
                    return Ok(());
                }
                // In a proof, what lies there has any value.
                if !self.looks_at_sets() {
                    self.rest_on(&flag);
                }
                Err(PathEnd::HarnessLimit {
                    flag: flag.to_string(),
                })
            }
        }
    }
}
