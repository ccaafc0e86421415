//! The pool: owns the candidates that wait. Search strategies only order their tickets, so several
//! of them can rank the same candidates, and one can be dropped without asking any of them.

use super::candidate::Candidate;
use super::coverage_structure::SpotId;

/// Names a candidate of the pool. It stays good until the candidate is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticket {
    /// Tells the candidates apart that have the same slot one after the other; younger ones have
    /// larger numbers.
    serial: u32,
    slot: u32,
}

impl Ticket {
    /// A small number that no other waiting candidate has.
    pub(crate) fn slot(self) -> usize {
        self.slot as usize
    }
}

#[derive(Default)]
struct PoolSlot {
    serial: u32,
    /// Where it waits in the coverage structure.
    spot: SpotId,
    /// It waits for the sake of its beginning, too.
    kept: bool,
    candidate: Option<Candidate>,
}

#[derive(Default)]
pub(crate) struct Pool {
    slots: Vec<PoolSlot>,
    free: Vec<u32>,
    serial: u32,
    len: usize,
}

impl Pool {
    pub(crate) fn insert(&mut self, candidate: Candidate, spot: SpotId) -> Ticket {
        self.serial = self.serial.wrapping_add(1);
        self.len += 1;
        let full = PoolSlot {
            serial: self.serial,
            spot,
            kept: false,
            candidate: Some(candidate),
        };
        let slot = match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize] = full;
                slot
            }
            None => {
                self.slots.push(full);
                self.slots.len() as u32 - 1
            }
        };
        Ticket {
            serial: self.serial,
            slot,
        }
    }

    /// Takes a candidate out, if it still waits.
    pub(crate) fn take(&mut self, ticket: Ticket) -> Option<Candidate> {
        let slot = self.slots.get_mut(ticket.slot())?;
        if slot.serial != ticket.serial {
            return None;
        }
        let candidate = slot.candidate.take()?;
        self.free.push(ticket.slot);
        self.len -= 1;
        Some(candidate)
    }

    pub(crate) fn get(&self, ticket: Ticket) -> Option<&Candidate> {
        let slot = self.slots.get(ticket.slot())?;
        let candidate = slot.candidate.as_ref();
        candidate.filter(|_| slot.serial == ticket.serial)
    }

    /// Where a candidate waits in the coverage structure.
    pub(crate) fn spot(&self, ticket: Ticket) -> SpotId {
        self.slots[ticket.slot()].spot
    }

    /// Is a candidate kept whatever lies ahead of it?
    pub(crate) fn is_kept(&self, ticket: Ticket) -> bool {
        self.slots[ticket.slot()].kept
    }

    pub(crate) fn keep(&mut self, ticket: Ticket, kept: bool) {
        if self.contains(ticket) {
            self.slots[ticket.slot()].kept = kept;
        }
    }

    pub(crate) fn contains(&self, ticket: Ticket) -> bool {
        self.get(ticket).is_some()
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// All that wait, in no order that means anything but always the same.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Ticket, &Candidate)> {
        self.slots.iter().enumerate().filter_map(|(at, slot)| {
            let ticket = Ticket {
                serial: slot.serial,
                slot: at as u32,
            };
            Some((ticket, slot.candidate.as_ref()?))
        })
    }

    /// All that wait, the oldest or the newest first.
    pub(crate) fn by_age(&mut self, newest_first: bool) -> impl Iterator<Item = &mut Candidate> {
        let slots = self.slots.iter_mut();
        let full = slots.filter_map(|slot| Some((slot.serial, slot.candidate.as_mut()?)));
        let mut all: Vec<_> = full.collect();
        all.sort_unstable_by_key(|(serial, _)| *serial);
        if newest_first {
            all.reverse();
        }
        all.into_iter().map(|(_, candidate)| candidate)
    }

    /// The oldest or the newest candidate that another thread can find again.
    pub(crate) fn movable(&self, newest: bool) -> Option<Ticket> {
        let can_move = |c: &Candidate| c.portable && c.snapshot.is_some();
        let movable = self.iter().filter(|(_, c)| can_move(c)).map(|(t, _)| t);
        if newest { movable.max() } else { movable.min() }
    }
}
