//! The primitives under `malloc` and family.

use super::{Machine, Step};
use crate::end::FaultKind;
use crate::memory::{Object, ObjectEntry, ObjectInfo, Region, Slot, split};
use labrys_ir::{Reg, RegList};
use std::rc::Rc;

/// `malloc` returns memory that fits every type.
pub(super) const HEAP_ALIGNMENT: u32 = 16;

impl Machine<'_> {
    /// `void *labrys_malloc(size_t)`: never null.
    pub(super) fn malloc(&mut self, size: Reg, results: RegList) -> Step {
        let e = self.expr(size);
        let size = self.pin(e)?;
        if size > self.config.max_object {
            // Natively it may succeed or fail: what lies behind it is not seen here.
            let most = self.config.max_object;
            return self.unsupported(format_args!("an allocation of more than {most} bytes"));
        }
        self.allocate(Object::new(size, heap_object()), results)
    }

    /// `void *labrys_fresh(size_t)`: an object of zero bytes that nobody else has.
    pub(super) fn fresh_object(&mut self, size: Reg, results: RegList) -> Step {
        let size = self.expr(size);
        let size = self.pin(size)?;
        self.allocate(Object::with_bytes(size, &[], heap_object()), results)
    }

    fn allocate(&mut self, object: Object, results: RegList) -> Step {
        let id = self.next_number()?;
        self.state
            .memory
            .set(id, ObjectEntry::Live(Rc::new(object)));
        self.set_results(results, &[Slot::concrete(id.base())]);
        Ok(())
    }

    pub(super) fn free(&mut self, pointer: Reg) -> Step {
        let e = self.expr(pointer);
        let address = self.pin_pointer(e)?;
        if address == 0 {
            return Ok(());
        }
        let (id, offset) = split(address);
        let kind = match self.state.memory.entry(id) {
            ObjectEntry::Live(object) if object.info.region == Region::Heap && offset == 0 => {
                self.state.memory.set(id, ObjectEntry::Freed);
                return Ok(());
            }
            ObjectEntry::Freed => FaultKind::DoubleFree,
            _ => FaultKind::InvalidFree,
        };
        Err(self.fault(kind))
    }

    /// `size_t labrys_object_size(const void *)`: bytes from here to the end of the object, 0 for
    /// what is no live object.
    pub(super) fn object_size(&mut self, pointer: Reg, results: RegList) -> Step {
        let e = self.expr(pointer);
        let address = self.pin_pointer(e)?;
        let (id, offset) = split(address);
        let size = self
            .state
            .memory
            .object(id)
            .map_or(0, |o| o.size().saturating_sub(offset));
        self.set_results(results, &[Slot::concrete(size)]);
        Ok(())
    }
}

fn heap_object() -> Rc<ObjectInfo> {
    Rc::new(ObjectInfo {
        region: Region::Heap,
        constant: false,
        align: HEAP_ALIGNMENT,
        element: 0,
        guess: None,
        allocated_by: None,
        filled: false,
        watches: Vec::new(),
    })
}
