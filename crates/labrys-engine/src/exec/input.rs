//! Inputs, and what a harness says about the objects it makes.

use super::{Machine, Step};
use crate::inputs::{InputId, InputKind, Scalar};
use crate::memory::{ObjectId, Slot, Watch, WatchKind, split};
use crate::state::ProgramOutput;
use labrys_expr::ExprId;
use labrys_ir::{Reg, RegList};
use std::rc::Rc;

/// Longer outputs are cut.
pub const MAX_OUTPUT: usize = 4096;

impl Machine<'_> {
    /// `labrys_symbolic(ptr, size, name)`
    pub(super) fn make_symbolic(&mut self, pointer: Reg, size: Reg, name: Reg) -> Step {
        let size = self.expr(size);
        let size = self.pin(size)?;
        let name = self.c_string(name)?;
        if size == 0 {
            return Ok(());
        }
        let address = self.expr(pointer);
        let (object, offset) = self.resolve_range(address, size)?;
        self.put_input(object, offset, size, &name);
        Ok(())
    }

    /// Makes bytes of an object an input, in bounds.
    pub(super) fn put_input(&mut self, object: ObjectId, offset: u64, size: u64, name: &str) {
        let element = self
            .state
            .memory
            .object(object)
            .map_or(0, |o| o.info.element);
        let piece = match element {
            // Nothing is known of the elements: a single number, or bytes.
            0 if matches!(size, 2 | 4 | 8) => size as u32,
            0 => 1,
            // Numbers above 64 bits are two variables or more.
            element if element > 8 => 8,
            element if u64::from(element) > size || !offset.is_multiple_of(element.into()) => 1,
            element => element,
        };
        let id = self.request(name, InputKind::Memory, size, piece);
        let pieces = self.inputs.get(id).pieces.clone();
        self.note_text(object, offset, id);
        let mut at = offset;
        for (var, len) in pieces {
            let e = self.input_expr(var);
            if let Some(object) = self.state.memory.object_mut(object) {
                object.put_expr(&mut self.arena, at, e);
            }
            at += u64::from(len);
        }
    }

    /// `labrys_<type>(name)`
    pub(super) fn make_scalar(&mut self, scalar: Scalar, name: Reg, results: RegList) -> Step {
        let name = self.c_string(name)?;
        let id = self.request(&name, InputKind::Scalar(scalar), scalar.bytes(), 8);
        let (var, _) = self.inputs.get(id).pieces[0];
        let mut e = self.input_expr(var);
        if scalar == Scalar::Bool {
            let two = self.arena.constant(8, 2);
            let valid = self.arena.ult(e, two);
            self.assume(valid)?;
        }
        let function = self.function();
        if let Some(dst) = function.list(results).first() {
            let width = function.width(*dst);
            e = if width < self.arena.width(e) {
                self.arena.extract(e, 0, width)
            } else if scalar.is_signed() {
                self.arena.sext(e, width)
            } else {
                self.arena.zext(e, width)
            };
            self.set_expr(*dst, e);
        }
        Ok(())
    }

    /// `labrys_pick(name, count, choices)`: a choice without a branch.
    pub(super) fn pick(&mut self, args: RegList, results: RegList) -> Step {
        let name = self.argument(args, 0)?;
        let name = self.c_string(name)?;
        let count = self.argument(args, 1)?;
        let count = self.expr(count);
        let count = self.pin(count)?.clamp(1, 1 << 16) as u32;
        let choices = self.argument(args, 2)?;
        let choices = self.expr(choices);
        let id = self.request(&name, InputKind::Pick { count }, 4, 4);
        let (var, _) = self.inputs.get(id).pieces[0];
        let choice = self.input_expr(var);
        let limit = self.arena.constant(32, count.into());
        let valid = self.arena.ult(choice, limit);
        self.assume(valid)?;
        let mut value: Option<ExprId> = None;
        for i in (0..count).rev() {
            let offset = self.arena.constant(64, u128::from(i) * 8);
            let place = self.arena.add(choices, offset);
            let slot = self.load_value(place, 64)?;
            let pointer = match slot.expr {
                Some(e) => e,
                None => self.arena.constant(64, slot.bits.into()),
            };
            let number = self.arena.constant(32, i.into());
            let here = self.arena.eq(choice, number);
            value = Some(match value {
                Some(rest) => self.arena.ite(here, pointer, rest),
                None => pointer,
            });
        }
        if let Some(value) = value {
            let slot = self.slot_of(value);
            self.set_results(results, &[slot]);
        }
        Ok(())
    }

    pub(super) fn request(
        &mut self,
        name: &str,
        kind: InputKind,
        size: u64,
        piece: u32,
    ) -> InputId {
        let position = self.state.inputs.len() as u32;
        let id = self
            .inputs
            .request(&mut self.arena, position, name, kind, size, piece);
        Rc::make_mut(&mut self.state.inputs).push(id);
        self.give_input(position as usize, id);
        self.give_tried_input(id);
        if self.readings.is_some() {
            self.note_request(position);
        }
        id
    }

    /// `labrys_limit(ptr, size, flag)`
    pub(super) fn mark_limit(&mut self, pointer: Reg, size: Reg, flag: Reg) -> Step {
        let size = self.expr(size);
        let size = self.pin(size)?;
        let flag = self.c_string(flag)?;
        let flag = self.text(&flag);
        let address = self.expr(pointer);
        let (id, offset) = self.resolve_range(address, size)?;
        if let Some(object) = self.state.memory.object_mut(id) {
            object.watch(Watch {
                start: offset as u32,
                end: (offset + size) as u32,
                flag,
                kind: WatchKind::Reading,
            });
        }
        Ok(())
    }

    /// `labrys_guess(ptr, flag)`
    pub(super) fn mark_guess(&mut self, pointer: Reg, flag: Reg) -> Step {
        let flag = self.c_string(flag)?;
        let flag = self.text(&flag);
        let address = self.expr(pointer);
        let address = self.pin_pointer(address)?;
        if let Some(object) = self.state.memory.object_mut(split(address).0) {
            object.set_guess(&flag);
        }
        Ok(())
    }

    /// `labrys_output(name, ptr, size)`
    pub(super) fn output(&mut self, name: Reg, pointer: Reg, size: Reg) -> Step {
        let name = self.c_string(name)?;
        let size = self.expr(size);
        let size = self.pin(size)?.min(MAX_OUTPUT as u64);
        let address = self.expr(pointer);
        // The harness reads its own forced bytes here; the program has not touched them.
        let aliases = std::mem::take(&mut self.state.aliases);
        let bytes = self.without_resting(|m| m.bytes_at(address, size))?;
        self.state.aliases = aliases;
        Rc::make_mut(&mut self.state.outputs).push(ProgramOutput { name, bytes });
        Ok(())
    }

    /// The bytes of an output.
    fn bytes_at(&mut self, address: ExprId, size: u64) -> Step<Vec<Slot>> {
        let mut bytes = Vec::with_capacity(size as usize);
        if size > 0 {
            let (id, offset) = self.resolve_range(address, size)?;
            let base = id.base() + offset;
            for i in 0..size {
                let at = self.arena.constant(64, (base + i).into());
                bytes.push(self.load_value(at, 8)?);
            }
        }
        Ok(bytes)
    }

    /// The outputs of the path under the current model; `None` where a byte is indeterminate.
    pub(crate) fn predicted_outputs(&mut self) -> Vec<(String, Vec<Option<u8>>)> {
        let outputs = self.state.outputs.clone();
        let mut predicted = Vec::with_capacity(outputs.len());
        for output in outputs.iter() {
            let mut bytes = Vec::with_capacity(output.bytes.len());
            for slot in &output.bytes {
                bytes.push(self.known_byte(*slot));
            }
            predicted.push((output.name.clone(), bytes));
        }
        predicted
    }

    /// A concrete text of the program; symbolic bytes are read under the current model.
    pub(super) fn c_string(&mut self, pointer: Reg) -> Step<String> {
        let e = self.expr(pointer);
        let mut address = self.pin_pointer(e)?;
        if address == 0 {
            return Ok(String::new());
        }
        if let Some(text) = self.literal(address) {
            return Ok(text);
        }
        let mut bytes = Vec::new();
        loop {
            let at = self.arena.constant(64, address.into());
            let slot = self.load_value(at, 8)?;
            let byte = match slot.expr {
                Some(e) => self.current.value(&self.arena, e) as u8,
                None => slot.bits as u8,
            };
            if byte == 0 || bytes.len() >= 4096 {
                return Ok(String::from_utf8_lossy(&bytes).into_owned());
            }
            bytes.push(byte);
            address += 1;
        }
    }

    /// A text of the program, each byte pinned.
    pub(super) fn pinned_string(&mut self, pointer: Reg) -> Step<Vec<u8>> {
        let e = self.expr(pointer);
        let mut address = self.pin_pointer(e)?;
        let mut bytes = Vec::new();
        loop {
            let at = self.arena.constant(64, address.into());
            let slot = self.load_value(at, 8)?;
            let byte = match slot.expr {
                Some(e) => self.pin(e)? as u8,
                None => slot.bits as u8,
            };
            if byte == 0 {
                return Ok(bytes);
            }
            bytes.push(byte);
            address += 1;
        }
    }

    /// A string literal, which nearly all names are.
    fn literal(&self, address: u64) -> Option<String> {
        let (id, offset) = split(address);
        let object = self.state.memory.object(id).filter(|o| o.is_constant())?;
        let text = object.text(offset)?;
        Some(String::from_utf8_lossy(&text).into_owned())
    }
}
