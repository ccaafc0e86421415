//! From an address to a place in an object.
//!
//! An address keeps the object it was computed from: in `base + i * 4` the base decides, and
//! whatever lies outside that object is out of bounds, not inside another object. A choice between
//! pointers (`c ? p : q`) splits the path on its condition.

use super::{Machine, Step};
use crate::address::{ObjectId, split};
use crate::end::{FaultKind, PathEnd};
use crate::memory::Entry;
use labrys_expr::{ExprId, Kind, Op};

/// Bytes of an object, in bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) object: ObjectId,
    pub(super) offset: Offset,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Offset {
    Concrete(u64),
    Symbolic(ExprId),
}

impl Machine<'_> {
    /// Fixes a pointer to its current value; the others become candidates.
    pub(super) fn pin_pointer(&mut self, e: ExprId) -> Step<u64> {
        self.pin(e)
    }

    /// The place of `len` bytes at an address. Faults unless they are all in one live object.
    pub(super) fn resolve(&mut self, address: ExprId, len: u64) -> Step<Place> {
        let address = self.initialised(address)?;
        let (address, base) = self.find_base(address)?;
        let object = split(base).0;
        let size = self.live_size(object)?;
        let start = self.arena.constant(64, object.base().into());
        let offset = self.arena.sub(address, start);
        self.require_in_bounds(object, offset, len, size)?;
        let offset = match self.arena.as_const(offset) {
            Some(value) => Offset::Concrete(value as u64),
            None => Offset::Symbolic(offset),
        };
        Ok(Place { object, offset })
    }

    /// As `resolve` for a range whose length is not part of an instruction: the offset is pinned.
    pub(super) fn resolve_range(&mut self, address: ExprId, len: u64) -> Step<(ObjectId, u64)> {
        let place = self.resolve(address, len)?;
        let offset = match place.offset {
            Offset::Concrete(offset) => offset,
            Offset::Symbolic(e) => self.pin(e)?,
        };
        Ok((place.object, offset))
    }

    /// Takes choices out of an address until one base is left; returns the address without
    /// them, and the base as a number.
    fn find_base(&mut self, mut address: ExprId) -> Step<(ExprId, u64)> {
        loop {
            if let Some(value) = self.arena.as_const(address) {
                return Ok((address, value as u64));
            }
            let terms = self.terms(address);
            let constant = terms
                .iter()
                .find_map(|t| self.arena.as_const(*t))
                .unwrap_or(0) as u64;
            let choice = terms.iter().copied().find(|t| self.arena.op(*t) == Op::Ite);
            if let Some(choice) = choice
                && let Kind::Ite(c, x, y) = self.arena.kind(choice)
            {
                let chosen = if self.split_on(c)? { x } else { y };
                address = self.replace_term(&terms, choice, chosen);
                continue;
            }
            if split(constant).0 != ObjectId::NULL {
                return Ok((address, constant));
            }
            // A pointer out of a table of pointers, or one that is wholly an input.
            let widest = terms
                .iter()
                .copied()
                .find(|t| self.arena.op(*t) == Op::Table);
            if let Some(table) = widest {
                let value = self.pin(table)?;
                let value = self.arena.constant(64, value.into());
                address = self.replace_term(&terms, table, value);
                continue;
            }
            return self.wild_base(address);
        }
    }

    /// A pointer made of input bytes: nothing says which object is meant.
    fn wild_base(&mut self, address: ExprId) -> Step<(ExprId, u64)> {
        let value = self.current.value(&self.arena, address) as u64;
        if !matches!(self.state.memory.entry(split(value).0), Entry::Live(_)) {
            // Any other invalid address would be one more error of the same kind; a valid one
            // cannot be guessed. Nothing is proved beyond this point.
            self.work.wild_pointers += 1;
            let null = split(value).0 == ObjectId::NULL;
            let kind = if null {
                FaultKind::NullDereference
            } else {
                FaultKind::OutOfBounds
            };
            return Err(self.fault(kind));
        }
        self.work.wild_pointers += 1;
        let value = self.pin(address)?;
        Ok((self.arena.constant(64, value.into()), value))
    }

    /// The summands of an address.
    fn terms(&self, address: ExprId) -> Vec<ExprId> {
        let mut terms = Vec::new();
        let mut open = vec![address];
        while let Some(e) = open.pop() {
            match self.arena.kind(e) {
                Kind::Binary(Op::Add, a, b) => open.extend([a, b]),
                _ => terms.push(e),
            }
        }
        terms
    }

    fn replace_term(&mut self, terms: &[ExprId], old: ExprId, new: ExprId) -> ExprId {
        let mut replaced = false;
        let mut sum = new;
        for &term in terms {
            if term == old && !replaced {
                replaced = true;
            } else {
                sum = self.arena.add(sum, term);
            }
        }
        sum
    }

    /// The size of an object that may be accessed.
    fn live_size(&mut self, object: ObjectId) -> Step<u64> {
        let kind = match self.state.memory.entry(object) {
            Entry::Live(object) => return Ok(object.size()),
            Entry::Freed | Entry::Gone => FaultKind::UseAfterFree,
            Entry::Empty if object == ObjectId::NULL => FaultKind::NullDereference,
            Entry::Empty => FaultKind::OutOfBounds,
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
                if self.split_on(ok)? {
                    return Ok(());
                }
                self.touch(&flag);
                Err(PathEnd::HarnessLimit {
                    flag: flag.to_string(),
                })
            }
        }
    }

    /// Notes that the run has touched a limit of the harness.
    pub(super) fn touch(&mut self, flag: &std::rc::Rc<str>) {
        if !self.limits.contains(flag) {
            self.limits.push(flag.clone());
        }
    }
}
