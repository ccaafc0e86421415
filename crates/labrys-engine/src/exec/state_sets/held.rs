//! What the places of a state hold: the registers that are read later, and memory.

use crate::exec::Machine;
use crate::memory::{Object, ObjectId, ReadValue, split};
use crate::state::{Frame, MemoryRange};
use crate::states::{LiveRegisters, SetPlace, StateGraph};
use labrys_expr::ExprId;
use labrys_ir::Reg;
use std::cell::RefCell;
use std::rc::Rc;

/// What a place holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum HeldValue {
    Number(u64),
    Expression(ExprId),
    Undefined,
}

impl Machine<'_> {
    pub(super) fn held_at(&mut self, place: SetPlace) -> HeldValue {
        match place {
            SetPlace::Register { below, reg } => self.held_in_register(below, reg),
            SetPlace::Memory(range) => match self.state.memory.object(range.object).cloned() {
                Some(object) => self.held_in_memory(&object, range),
                None => HeldValue::Undefined,
            },
        }
    }

    pub(super) fn held_in_register(&mut self, below: u32, reg: Reg) -> HeldValue {
        let slot = match self.frame_below(below) {
            Some(frame) => frame.regs[reg.index()],
            None => return HeldValue::Undefined,
        };
        match slot.expr {
            Some(e) => self.held(e),
            None => HeldValue::Number(slot.bits),
        }
    }

    pub(super) fn held_in_memory(&mut self, object: &Object, range: MemoryRange) -> HeldValue {
        if range.offset + u64::from(range.len) > object.size() {
            return HeldValue::Undefined;
        }
        match object.read(&mut self.arena, range.offset, range.len.into()) {
            ReadValue::Concrete(value) => HeldValue::Number(value),
            ReadValue::Symbolic(e) => self.held(e),
        }
    }

    /// From here on nobody knows any more which value this was: the run rests on what the value rests on.
    pub(super) fn held(&mut self, e: ExprId) -> HeldValue {
        let Some(e) = self.arena.defined(e) else {
            return HeldValue::Undefined;
        };
        let e = self.rest_on_assumptions(e);
        match self.arena.as_const(e) {
            Some(value) if self.arena.width(e) <= 64 => HeldValue::Number(value as u64),
            _ => HeldValue::Expression(e),
        }
    }

    /// The registers of a frame that are read later.
    pub(super) fn needed_registers(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        below: u32,
    ) -> Option<Rc<[Reg]>> {
        self.registers_needed(&mut graph.borrow_mut().live, below)
    }

    /// The same with what is known of the program's registers.
    pub(super) fn registers_needed(
        &self,
        live: &mut LiveRegisters,
        below: u32,
    ) -> Option<Rc<[Reg]>> {
        let module = self.program.module;
        let frame = self.frame_below(below)?;
        let (function, pc) = (frame.function, frame.pc);
        let live = live.at(module, function, pc);
        let callee = match below {
            0 => return Some(live),
            _ => self.frame_below(below - 1)?,
        };
        // What the call gives back is written when it returns.
        let results = module.functions[function.index()].list(callee.results);
        match results.iter().any(|result| live.contains(result)) {
            true => Some(
                live.iter()
                    .filter(|reg| !results.contains(reg))
                    .copied()
                    .collect(),
            ),
            false => Some(live),
        }
    }

    pub(super) fn frame_below(&self, below: u32) -> Option<&Frame> {
        let mut frame = &self.state.frame;
        for _ in 0..below {
            frame = frame.parent.as_deref()?;
        }
        Some(frame)
    }

    /// The start of the live object that a number leads into.
    pub(super) fn pointed_object(&self, value: u64) -> Option<u64> {
        let (object, _) = split(value);
        let is_live = object != ObjectId::NULL && self.state.memory.object(object).is_some();
        let is_function = self.program.function_at(object).is_some();
        (is_live || is_function).then(|| object.base())
    }
}
