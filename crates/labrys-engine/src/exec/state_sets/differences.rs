//! Where a state differs from the states of a node, and whether it can belong to them.

use super::held::HeldValue;
use crate::exec::Machine;
use crate::memory::{Object, ObjectChange, ObjectId, ReadValue, Slot};
use crate::state::{MemoryRange, State};
use crate::states::{SetPlace, StateGraph};
use labrys_ir::GlobalPart;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A place where the states of a node differ, or where its first state has an expression.
pub(super) struct PlaceDifference {
    pub(super) place: SetPlace,
    pub(super) width: u8,
    pub(super) base: u64,
    /// What the first state of the node holds there.
    pub(super) known: u64,
    /// Whatever the inputs are.
    pub(super) is_number: bool,
    /// In one of the states it was never written, so it can be anything.
    pub(super) is_anything: bool,
}

impl Machine<'_> {
    /// Where the current state differs from those of a node; none if it cannot belong to that node.
    pub(super) fn differences(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        node: usize,
    ) -> Option<Vec<PlaceDifference>> {
        let image = graph.borrow().nodes[node].image.clone();
        if !is_like(&self.state, &image) {
            return None;
        }
        let open: BTreeSet<SetPlace> = (graph.borrow().nodes[node].open.iter())
            .map(|open| open.place)
            .collect();
        for place in &open {
            let is_register = matches!(place, SetPlace::Register { .. });
            if is_register && matches!(self.held_at(*place), HeldValue::Undefined) {
                return None;
            }
        }
        let mut differences = Vec::new();
        let mut below = 0;
        let mut frame = Some(&image.frame);
        while let Some(known) = frame {
            let function = known.function;
            for reg in self.needed_registers(graph, below)?.iter() {
                let place = SetPlace::Register { below, reg: *reg };
                if open.contains(&place) {
                    continue;
                }
                let slot = known.regs[reg.index()];
                let width = self.program.module.functions[function.index()].width(*reg);
                let held = self.held_in_register(below, *reg);
                if let Some(e) = slot.expr {
                    // Parts of it were never written, or it has more than 64 bits: nothing but the same is
                    // like it.
                    let now = self.frame_below(below)?.regs[reg.index()].expr;
                    if now != Some(e) {
                        return None;
                    }
                    continue;
                }
                differences.extend(self.difference(place, width, slot, held)?);
            }
            frame = known.parent.as_deref();
            below += 1;
        }
        for change in image.memory.changes(&self.state.memory) {
            let ObjectChange::Contents(id) = change else {
                return None;
            };
            let before = image.memory.object(id)?;
            let now = self.state.memory.object(id)?.clone();
            if !before.is_of_the_same_kind(&now) {
                return None;
            }
            self.memory_differences(&open, (id, before, &now), &mut differences)?;
        }
        Some(differences)
    }

    /// The difference in one place, if there is one; none if the states cannot be in one node.
    pub(super) fn difference(
        &mut self,
        place: SetPlace,
        width: u8,
        known: Slot,
        held: HeldValue,
    ) -> Option<Option<PlaceDifference>> {
        match held {
            HeldValue::Undefined => None,
            HeldValue::Number(value) if value == known.bits => Some(None),
            HeldValue::Expression(_) if width > 64 => None,
            HeldValue::Number(_) | HeldValue::Expression(_) => {
                let base = self.pointed_object(known.bits).filter(|_| width == 64);
                let now = match held {
                    HeldValue::Number(value) => value,
                    HeldValue::Expression(e) => self.current.value(&self.arena, e) as u64,
                    HeldValue::Undefined => 0,
                };
                let other = self.pointed_object(now).filter(|_| width == 64);
                (base == other).then_some(Some(PlaceDifference {
                    place,
                    width,
                    base: base.unwrap_or(0),
                    known: known.bits,
                    is_number: true,
                    is_anything: false,
                }))
            }
        }
    }

    /// The difference in a place of memory that was never written in one of the states: a program that
    /// reads it nevertheless gets anything. None if there is a pointer in the other one.
    fn unwritten_difference(
        &mut self,
        range: MemoryRange,
        known: Slot,
        held: HeldValue,
    ) -> Option<PlaceDifference> {
        let width = (range.len * 8) as u8;
        let now = match held {
            HeldValue::Number(value) => Some(value),
            HeldValue::Expression(e) => Some(self.current.value(&self.arena, e) as u64),
            HeldValue::Undefined => None,
        };
        let before = known.expr.is_none().then_some(known.bits);
        let mut values = now.into_iter().chain(before);
        let has_pointer = width == 64 && values.any(|v| self.pointed_object(v).is_some());
        (!has_pointer).then_some(PlaceDifference {
            place: SetPlace::Memory(range),
            width,
            base: 0,
            known: 0,
            is_number: false,
            is_anything: true,
        })
    }

    pub(super) fn memory_differences(
        &mut self,
        open: &BTreeSet<SetPlace>,
        (id, before, now): (ObjectId, &Object, &Object),
        differences: &mut Vec<PlaceDifference>,
    ) -> Option<()> {
        let ranges = before.different_bytes(now, &mut self.arena);
        let is_open = |at: u64| {
            let start = at.saturating_sub(7);
            let low = SetPlace::Memory(MemoryRange {
                object: id,
                offset: start,
                len: 0,
            });
            let high = SetPlace::Memory(MemoryRange {
                object: id,
                offset: at + 1,
                len: 0,
            });
            open.range(low..high).any(|place| match place {
                SetPlace::Memory(range) => {
                    range.offset <= at && at < range.offset + u64::from(range.len)
                }
                SetPlace::Register { .. } => false,
            })
        };
        let mut taken = 0;
        for (start, end) in ranges {
            let mut at = start.max(taken);
            while at < end {
                if is_open(at) {
                    at += 1;
                    continue;
                }
                let mut range = self.scalar_around(id, now, at, end, &is_open);
                if !self.is_written(before, range) || !self.is_written(now, range) {
                    range = MemoryRange {
                        object: id,
                        offset: at,
                        len: 1,
                    };
                }
                differences.extend(self.memory_difference(before, now, range)?);
                at = range.offset + u64::from(range.len);
                taken = at;
            }
        }
        Some(())
    }

    pub(super) fn is_written(&mut self, object: &Object, range: MemoryRange) -> bool {
        match object.read(&mut self.arena, range.offset, range.len.into()) {
            ReadValue::Concrete(_) => true,
            ReadValue::Symbolic(e) => self.arena.defined(e).is_some(),
        }
    }

    /// The difference in some bytes of an object, if there is one; none if the states cannot be in one
    /// node.
    fn memory_difference(
        &mut self,
        before: &Object,
        now: &Object,
        range: MemoryRange,
    ) -> Option<Option<PlaceDifference>> {
        let known = match before.read(&mut self.arena, range.offset, range.len.into()) {
            ReadValue::Concrete(value) => Slot::concrete(value),
            ReadValue::Symbolic(e) => Slot::symbolic(e),
        };
        let held = self.held_in_memory(now, range);
        let is_written = self.is_written(before, range) && !matches!(held, HeldValue::Undefined);
        match known.expr {
            _ if !is_written => self.unwritten_difference(range, known, held).map(Some),
            // A part of it is open already, at other borders.
            Some(_) => None,
            None => {
                let width = (range.len * 8) as u8;
                self.difference(SetPlace::Memory(range), width, known, held)
            }
        }
    }

    /// The number that a byte is probably part of, without bytes that are open already.
    pub(super) fn scalar_around(
        &self,
        object: ObjectId,
        now: &Object,
        at: u64,
        end: u64,
        is_open: &impl Fn(u64) -> bool,
    ) -> MemoryRange {
        let size = now.size();
        let parts = self.program.global_at(object).map(|global| &global.parts);
        let within = |part: &&GlobalPart| part.offset <= at && at < part.offset + part.size;
        let part = parts.and_then(|parts| parts.iter().find(within));
        if let Some(part) = part
            && part.size <= 8
            && !(part.offset..part.offset + part.size).any(is_open)
        {
            return MemoryRange {
                object,
                offset: part.offset,
                len: part.size as u32,
            };
        }
        let wide = at / 8 * 8;
        let is_pointer = wide + 8 <= size
            && now
                .plain(wide, 8)
                .is_some_and(|value| self.pointed_object(value).is_some());
        let element = u64::from(now.info.element);
        let len = match element {
            _ if is_pointer => 8,
            1 | 2 | 4 | 8 => element,
            _ if end - at >= 8 && at.is_multiple_of(8) => 8,
            _ if at / 4 * 4 + 4 <= size => 4,
            _ => 1,
        };
        let offset = at / len * len;
        let fits = offset + len <= size && !(offset..offset + len).any(is_open);
        match fits {
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
}

/// Can two states at the same place be in one node, as far as it is not a question of values?
fn is_like(state: &State, image: &State) -> bool {
    state.rests_on == image.rests_on && has_same_surroundings(state, image)
}

/// Do two paths differ in nothing but what they rest on and what they hold?
pub(super) fn has_same_surroundings(state: &State, image: &State) -> bool {
    state.known_to_stubs == image.known_to_stubs
        && state.handled_faults == image.handled_faults
        && state.fault_handler == image.fault_handler
        && state.extra_call == image.extra_call
        && state.called_later == image.called_later
        && state.aliases.is_same(&image.aliases)
}
