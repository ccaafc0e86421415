//! What a call of the C library has written through its pointers, or could have written: it rests on
//! the same assumptions as the call.

use super::Machine;
use crate::memory::{ObjectId, Watch, WatchKind, split};
use crate::program::fallible::FallibleCall;
use crate::program::written::{Extent, Written};
use labrys_ir::Reg;
use std::sync::Arc;

/// Bytes of an object.
struct WrittenPart {
    object: ObjectId,
    start: u64,
    end: u64,
}

impl Machine<'_> {
    /// A call has returned to the current function, whose registers still hold its arguments.
    pub(super) fn rest_written(&mut self, call: &FallibleCall, texts: &[Arc<str>]) {
        if call.written.is_empty() || texts.is_empty() || self.state.speculation.is_some() {
            return;
        }
        let Some(args) = self.arguments_of_call() else {
            return;
        };
        for written in &call.written {
            if written.extent == Extent::NewObject {
                self.rest_new_object(call, *written, args);
                continue;
            }
            for part in self.parts_written(*written, args) {
                self.watch_part(&part, texts);
            }
        }
    }

    fn watch_part(&mut self, part: &WrittenPart, texts: &[Arc<str>]) {
        let flags: Vec<_> = texts.iter().map(|text| self.text(text)).collect();
        let Some(object) = self.state.memory.object_mut(part.object) else {
            return;
        };
        let end = part.end.min(object.size());
        if object.is_constant() {
            return;
        }
        for flag in flags {
            object.watch(Watch {
                start: u32::try_from(part.start).unwrap_or(u32::MAX),
                end: u32::try_from(end).unwrap_or(u32::MAX),
                flag,
                kind: WatchKind::Deciding,
            });
        }
    }

    /// The bytes that a call may have written. Where the place depends on inputs, every object that
    /// it may lie in counts as a whole.
    fn parts_written(&mut self, written: Written, args: &[Reg]) -> Vec<WrittenPart> {
        let Some(&pointer) = args.get(written.param) else {
            return Vec::new();
        };
        let slot = self.get(pointer);
        let places = match slot.expr {
            None => vec![split(slot.bits)],
            Some(_) => self
                .objects_of(pointer)
                .into_iter()
                .map(|id| (id, 0))
                .collect(),
        };
        let most = match written.extent {
            _ if slot.is_symbolic() => u64::MAX,
            Extent::Bytes(bytes) => bytes,
            Extent::Counted { param, each } => match args.get(param).map(|reg| self.get(*reg)) {
                Some(count) if !count.is_symbolic() => count.bits.saturating_mul(each),
                _ => u64::MAX,
            },
            Extent::Rest | Extent::Behind | Extent::NewObject => u64::MAX,
        };
        let parts = places.into_iter().map(|(object, start)| WrittenPart {
            object,
            start,
            end: start.saturating_add(most),
        });
        match written.extent {
            Extent::Behind => parts.flat_map(|part| self.parts_behind(&part)).collect(),
            _ => parts.collect(),
        }
    }

    /// The objects to which pointers in these bytes lead.
    fn parts_behind(&self, part: &WrittenPart) -> Vec<WrittenPart> {
        let Some(object) = self.state.memory.object(part.object) else {
            return Vec::new();
        };
        let behind = self.pointers_in(object, part.start.min(object.size()), object.size());
        let whole = behind.into_iter().map(|object| WrittenPart {
            object,
            start: 0,
            end: u64::MAX,
        });
        whole.collect()
    }

    /// The call has allocated an object, to which a pointer leads that it has written.
    fn rest_new_object(&mut self, call: &FallibleCall, written: Written, args: &[Reg]) {
        for part in self.parts_written(written, args) {
            let object = self.state.memory.object(part.object);
            let object = object.filter(|object| part.start + 8 <= object.size());
            let made = object.and_then(|object| object.plain(part.start, 8));
            if let (Some(made), Some((text, _))) = (made, call.assumptions.first()) {
                self.may_fail(made, text);
            }
        }
    }
}
