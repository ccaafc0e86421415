//! Captured output: what the models of the library write to standard output and standard error,
//! and what it will be natively.

use super::{Machine, Step};
use crate::end::FaultKind;
use crate::memory::{Slot, split};
use crate::report::StreamPart;
use crate::state::{StreamChunk, Streams};
use labrys_ir::{Reg, RegList};

impl Machine<'_> {
    /// `labrys_write(descriptor, bytes, size)`
    pub(super) fn write_stream(&mut self, args: RegList) -> Step {
        let descriptor = self.argument(args, 0)?;
        let size = self.argument(args, 2)?;
        let size = self.expr(size);
        let size = self.pin(size)?;
        let Some(stream) = Streams::index(self.value(descriptor)) else {
            return Ok(());
        };
        if size == 0 {
            return Ok(());
        }
        let pointer = self.argument(args, 1)?;
        let address = self.expr(pointer);
        let (id, offset) = self.resolve_range(address, size)?;
        let mut bytes = Vec::with_capacity(size as usize);
        for i in 0..size {
            bytes.push(self.byte_at(id.base() + offset + i)?);
        }
        self.state.streams.write(stream, bytes);
        Ok(())
    }

    /// `labrys_write_text(descriptor, text, most)`: a string, whose length costs no path.
    pub(super) fn write_text(&mut self, args: RegList) -> Step {
        let descriptor = self.argument(args, 0)?;
        let Some(stream) = Streams::index(self.value(descriptor)) else {
            return Ok(());
        };
        let text: Reg = self.argument(args, 1)?;
        let text = self.expr(text);
        let start = self.pin_pointer(text)?;
        let most = self.argument(args, 2)?;
        let most = self.expr(most);
        let most = self.pin(most)?;
        let size = self
            .state
            .memory
            .object(split(start).0)
            .map_or(0, |o| o.size());
        let zero = self.arena.constant(8, 0);
        let mut ended = self.arena.no();
        let mut bytes = Vec::new();
        for i in 0..most {
            if split(start).1 + i >= size {
                // The string may have no end within its object.
                self.require(ended, FaultKind::OutOfBounds)?;
                break;
            }
            let slot = self.byte_at(start + i)?;
            match slot.expr {
                None if slot.bits == 0 => break,
                Some(e) => {
                    let is_end = self.arena.eq(e, zero);
                    ended = self.arena.or(ended, is_end);
                }
                None => {}
            }
            bytes.push(slot);
        }
        self.state.streams.write_text(stream, bytes);
        Ok(())
    }

    fn byte_at(&mut self, address: u64) -> Step<Slot> {
        let at = self.arena.constant(64, address.into());
        self.load_value(at, 8)
    }

    /// What a native run of this path will write, under the current model.
    pub(crate) fn predicted_stream(&mut self, stream: usize) -> Vec<StreamPart> {
        let chunks = self.state.streams.chunks(stream);
        let mut parts = Vec::new();
        for chunk in chunks.iter() {
            let (slots, is_text) = match &**chunk {
                StreamChunk::Shown(_) => {
                    parts.push(StreamPart::Any);
                    continue;
                }
                StreamChunk::Bytes(slots) => (slots, false),
                StreamChunk::Text(slots) => (slots, true),
            };
            let mut bytes: Vec<Option<u8>> = slots.iter().map(|s| self.known_byte(*s)).collect();
            if is_text {
                bytes.truncate(
                    bytes
                        .iter()
                        .position(|b| *b == Some(0))
                        .unwrap_or(bytes.len()),
                );
            }
            match parts.last_mut() {
                Some(StreamPart::Bytes(before)) => before.append(&mut bytes),
                _ => parts.push(StreamPart::Bytes(bytes)),
            }
        }
        parts
    }

    /// The value of a byte under the current model, `None` if it is indeterminate.
    pub(super) fn known_byte(&mut self, slot: Slot) -> Option<u8> {
        match slot.expr {
            None => Some(slot.bits as u8),
            Some(e) if self.arena.is_uninit(e) => None,
            Some(e) => Some(self.current.value(&self.arena, e) as u8),
        }
    }
}
