//! `setjmp`, `longjmp`, and the scope of dynamic stack objects.

use super::{Machine, Step};
use crate::end::FaultKind;
use crate::memory::{ObjectEntry, Slot};
use crate::state::JumpTarget;
use labrys_ir::{Reg, RegList};
use std::rc::Rc;

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
        Rc::make_mut(&mut self.state.jumps).push(target);
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
        let Some(target) = self.state.jumps.get(index).copied() else {
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
        let value = if value == 0 { 1 } else { value };
        self.set_results(target.results, &[Slot::concrete(value.into())]);
        self.state.frame.pc = target.pc;
        Ok(())
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
