//! What the program makes of addresses as numbers.
//!
//! Where the objects of this engine lie says nothing about where they lie in reality. A run notes the
//! assumption "addresses as numbers" where it begins to depend on that; what C promises of every
//! address is a fact: it is not null, and it is aligned as its type demands.

use super::heap::HEAP_ALIGNMENT;
use super::{Machine, Step};
use crate::memory::{ObjectEntry, ObjectId, split};
use labrys_expr::ExprId;
use labrys_ir::Reg;
use labrys_ledger::Assumption;
use rustc_hash::FxHashSet;

/// An expression of more parts than this is taken to depend on all bits of some address.
const MOST_PARTS: usize = 1_000;

/// Bytes of a pointer.
const POINTER: u64 = 8;

impl Machine<'_> {
    /// `address_bits`: what follows depends on the bits of an address that `mask` selects.
    pub(super) fn address_bits(&mut self, address: Reg, mask: Reg) -> Step {
        let slot = self.get(mask);
        let mask = match slot.expr {
            None => low_bits(slot.bits),
            Some(_) => u64::MAX,
        };
        let slot = self.get(address);
        let alignment = match slot.expr {
            None => self.known_alignment(slot.bits),
            Some(e) => self.least_alignment(e),
        };
        if alignment.is_some_and(|alignment| mask >= alignment) {
            self.touch_addresses();
        }
        Ok(())
    }

    /// `address_bytes`: the bytes there are read as a number, which depends on the address of an
    /// object if they belong to a pointer. Where the place is not known, any of its object may be read.
    pub(super) fn address_bytes(&mut self, address: Reg, size: Reg) {
        let size = self.value(size);
        let slot = self.get(address);
        let mut objects = Vec::new();
        let place = match slot.expr {
            None => {
                let (object, offset) = split(slot.bits);
                objects.push(object);
                Some(offset)
            }
            Some(e) => {
                self.pointers_of(e, &mut objects);
                None
            }
        };
        let holds_pointer = objects.into_iter().any(|object| {
            let object = self.state.memory.object(object);
            object.is_some_and(|object| {
                let (start, end) = place.map_or((0, object.size()), |offset| {
                    let end = offset.saturating_add(size + POINTER - 1);
                    (offset.saturating_sub(POINTER - 1), end.min(object.size()))
                });
                start < end && !self.pointers_in(object, start, end).is_empty()
            })
        });
        if holds_pointer {
            self.touch_addresses();
        }
    }

    /// Notes that the run depends on where objects lie.
    pub(super) fn touch_addresses(&mut self) {
        self.state.doubts.layout |= self.state.speculation.is_none();
        let text = self.text(&Assumption::Addresses.to_string());
        self.rest_on(&text);
    }

    /// What the start of the object is a multiple of, wherever it lies; `None` for a number that is
    /// no address.
    fn known_alignment(&self, address: u64) -> Option<u64> {
        let object = split(address).0;
        if object == ObjectId::NULL {
            return None;
        }
        Some(match self.state.memory.entry(object) {
            ObjectEntry::Live(object) => object.info.align.max(1).into(),
            ObjectEntry::Freed => HEAP_ALIGNMENT.into(),
            ObjectEntry::Gone | ObjectEntry::Empty => 1,
        })
    }

    /// The least of that over all addresses in an expression.
    fn least_alignment(&self, e: ExprId) -> Option<u64> {
        let mut least: Option<u64> = None;
        let mut open = vec![e];
        let mut seen = FxHashSet::default();
        while let Some(part) = open.pop() {
            if !seen.insert(part) {
                continue;
            }
            if seen.len() > MOST_PARTS {
                return Some(1);
            }
            match self.arena.as_const(part) {
                Some(value) => {
                    let here = self.known_alignment(value as u64);
                    least = least.into_iter().chain(here).min();
                }
                None => self
                    .arena
                    .for_each_operand(part, |operand| open.push(operand)),
            }
        }
        least
    }
}

/// The low bits on which the result of a mask depends: those that it selects or those that it clears.
fn low_bits(mask: u64) -> u64 {
    match mask >> 63 {
        0 => mask,
        _ => !mask,
    }
}
