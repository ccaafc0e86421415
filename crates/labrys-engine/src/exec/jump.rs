//! `setjmp`, `longjmp`, and the scope of dynamic stack objects.

use super::{Machine, Step};
use crate::end::FaultKind;
use crate::memory::{Object, ObjectEntry, ObjectId, Slot};
use crate::state::{JumpTarget, SavedJump};
use labrys_ir::{Reg, RegList};
use std::rc::Rc;

/// What is assumed of local variables that have changed between `setjmp` and `longjmp`.
const LOCALS: &str = "environment: local variables behind longjmp";

impl Machine<'_> {
    /// Remembers this place; the buffer gets its number.
    pub(super) fn set_jump(&mut self, buffer: Reg, results: RegList) -> Step {
        if self.state.speculation.is_some() {
            return self.unsupported("setjmp in a label's predicate");
        }
        let frame = &self.state.frame;
        let target = JumpTarget {
            depth: frame.depth,
            serial: frame.serial,
            pc: frame.pc + 1,
            results,
        };
        let number = self.state.jumps.len() as u64 + 1;
        let address = self.expr(buffer);
        self.store_value(address, Slot::concrete(number), 64)?;
        let locals = self.state.frame.objects.iter().filter_map(|id| {
            let object = self.state.memory.object(*id)?;
            Some((*id, object.clone()))
        });
        let locals = locals.collect();
        Rc::make_mut(&mut self.state.jumps).push(SavedJump { target, locals });
        self.set_results(results, &[Slot::concrete(0)]);
        Ok(())
    }

    pub(super) fn long_jump(&mut self, buffer: Reg, value: Reg) -> Step {
        if self.state.speculation.is_some() {
            return self.unsupported("longjmp in a label's predicate");
        }
        let address = self.expr(buffer);
        let number = self.load_value(address, 64)?;
        let value = self.expr(value);
        let value = self.pin(value)? as u32;
        let index = match number.expr {
            None => number.bits.wrapping_sub(1) as usize,
            Some(_) => usize::MAX,
        };
        let Some(SavedJump { target, locals }) = self.state.jumps.get(index).cloned() else {
            return Err(self.fault(FaultKind::InvalidCall));
        };
        if !self.frame_lives(target) {
            return Err(self.fault(FaultKind::InvalidCall));
        }
        while self.state.frame.serial != target.serial {
            if self.pop_frame().is_none() {
                return Err(self.fault(FaultKind::InvalidCall));
            }
        }
        self.forget_changed(&locals);
        let value = if value == 0 { 1 } else { value };
        self.set_results(target.results, &[Slot::concrete(value.into())]);
        self.state.frame.pc = target.pc;
        Ok(())
    }

    /// C does not say what a local variable holds that was changed since the `setjmp`: a compiler may
    /// keep it in a register, which gets its old value back.
    fn forget_changed(&mut self, locals: &[(ObjectId, Rc<Object>)]) {
        let flag = self.text(LOCALS);
        for (id, before) in locals {
            let now = self.state.memory.object(*id);
            if now.is_some_and(|now| !Rc::ptr_eq(now, before)) {
                self.watch_object(*id, &flag);
            }
        }
    }

    fn frame_lives(&self, target: JumpTarget) -> bool {
        let mut frame = Some(&self.state.frame);
        while let Some(f) = frame {
            if f.serial == target.serial {
                return f.depth == target.depth;
            }
            frame = f.parent.as_deref();
        }
        false
    }

    /// The token is the number of stack objects of this frame.
    pub(super) fn stack_save(&mut self, results: RegList) {
        let count = self.state.frame.objects.len() as u64;
        self.set_results(results, &[Slot::concrete(count)]);
    }

    pub(super) fn stack_restore(&mut self, token: Reg) {
        let keep = self.get(token).bits as usize;
        while self.state.frame.objects.len() > keep {
            if let Some(id) = self.state.frame.objects.pop() {
                let size = self.state.memory.object(id).map_or(0, |o| o.size());
                self.state.frame.stack_bytes -= size.min(self.state.frame.stack_bytes);
                self.state.memory.set(id, ObjectEntry::Gone);
            }
        }
    }
}
