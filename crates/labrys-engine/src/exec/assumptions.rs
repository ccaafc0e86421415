//! Values and objects that rest on an assumption about the surroundings: a call that may fail, a
//! volatile object, an allocation. A run rests on the assumption from where it decides by the value.

use super::{Machine, Step, fill_registers};
use crate::end::{FaultKind, PathEnd};
use crate::memory::{ObjectEntry, ObjectId, Slot, split};
use labrys_expr::{ExprId, ExprKind, ExprOp};
use labrys_ir::{Reg, RegList, TextId};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::Arc;

/// Numbers of signals on Linux.
pub(super) const SIGABRT: u8 = 6;
const SIGFPE: u8 = 8;
const SIGSEGV: u8 = 11;

impl Machine<'_> {
    /// The value without its assumptions, which the run rests on from here.
    pub(super) fn rest_on_assumptions(&mut self, e: ExprId) -> ExprId {
        if !self.arena.is_assumed(e) {
            return e;
        }
        let (plain, texts) = self.arena.without_assumptions(e);
        for text in texts {
            let text = self.text(&text);
            self.rest_on(&text);
        }
        plain
    }

    /// `Assumed(value, text)`: a value that something outside of the program may change.
    pub(super) fn assume_value(&mut self, value: Reg, text: Reg, results: RegList) {
        let number = TextId(self.value(text) as u32);
        let text: Arc<str> = self.program.module.text(number).into();
        self.set_assumed(value, &text, results);
    }

    /// `RestOn(text)`: the run rests on an assumption from here.
    pub(super) fn rest_on_text(&mut self, text: Reg) {
        let number = TextId(self.value(text) as u32);
        let text = self.text(self.program.module.text(number));
        self.rest_on(&text);
    }

    /// `long labrys_assumed(long value, const char *text)`
    pub(super) fn assumed_result(&mut self, value: Reg, text: Reg, results: RegList) -> Step {
        let text: Arc<str> = self.c_string(text)?.into();
        self.set_assumed(value, &text, results);
        Ok(())
    }

    /// `int labrys_compiler_knows(int value)`
    pub(super) fn known_to_compiler(&mut self, value: Reg, results: RegList) {
        self.set_assumed(value, &"environment: compiler".into(), results);
    }

    fn set_assumed(&mut self, value: Reg, text: &Arc<str>, results: RegList) {
        let value = self.expr(value);
        let assumed = self.arena.assumed(value, text);
        let slot = self.slot_of(assumed);
        self.set_results(results, &[slot]);
    }

    /// The object at this address was allocated, which may fail.
    pub(super) fn may_fail(&mut self, address: u64, text: &str) {
        let text = self.text(text);
        if self.state.speculation.is_none()
            && let Some(object) = self.state.memory.object_mut(split(address).0)
        {
            let filled = !object.is_blank();
            let info = Rc::make_mut(&mut object.info);
            info.allocated_by = Some(text);
            info.filled = filled;
        }
    }

    /// The program compares two pointers. Where an allocation has failed, one of them would be null;
    /// the distance of two places in the same object would be the same.
    pub(super) fn compare_pointers(&mut self, a: Reg, b: Reg) {
        let [a, b] = [a, b].map(|reg| self.objects_of(reg));
        if a == b && a.len() == 1 {
            return;
        }
        for id in a.into_iter().chain(b) {
            self.test_allocation(id);
        }
    }

    /// The objects that a pointer may point into.
    fn objects_of(&mut self, pointer: Reg) -> Vec<ObjectId> {
        let slot = self.get(pointer);
        let Some(e) = slot.expr else {
            return vec![split(slot.bits).0];
        };
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut open = vec![e];
        while let Some(e) = open.pop() {
            if !seen.insert(e) {
                continue;
            }
            match self.arena.kind(e) {
                ExprKind::Const(value) => found.push(split(value as u64).0),
                ExprKind::Binary(ExprOp::Add | ExprOp::Xor, a, b) | ExprKind::Ite(_, a, b) => {
                    open.extend([a, b]);
                }
                ExprKind::Table(table, _) => open.extend(self.arena.table_entries(table)),
                _ => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Something depends on whether the object was allocated. Where the program has written to it,
    /// it was: else the run would have ended there.
    fn test_allocation(&mut self, id: ObjectId) {
        let ObjectEntry::Live(object) = self.state.memory.entry(id) else {
            return;
        };
        let Some(text) = object.info.allocated_by.clone() else {
            return;
        };
        if object.is_blank() || object.info.filled {
            self.rest_on(&text);
        }
        if self.state.speculation.is_none()
            && let Some(object) = self.state.memory.object_mut(id)
        {
            Rc::make_mut(&mut object.info).allocated_by = None;
        }
    }

    /// `labrys_handle_faults(signals, function)`
    pub(super) fn handle_faults(&mut self, signals: Reg, function: Reg) {
        self.state.handled_faults = self.value(signals);
        let function = split(self.value(function)).0;
        self.state.fault_handler = self.program.function_at(function);
    }

    /// Does the program have a handler for the signal of this fault?
    pub(super) fn is_handled(&self, kind: FaultKind) -> bool {
        self.state.handled_faults != 0 && signal_of(kind).is_some_and(|number| self.handles(number))
    }

    pub(super) fn handles(&self, signal: u8) -> bool {
        self.state.handled_faults >> signal & 1 == 1
    }

    /// A fault for which the program has a handler is no end: the handler is called.
    pub(super) fn enter_handler(&mut self, end: PathEnd) -> Step {
        let PathEnd::Fault(kind) = end else {
            return Err(end);
        };
        let module = self.program.module;
        let (Some(number), Some(callee)) = (signal_of(kind), self.state.fault_handler) else {
            return Err(end);
        };
        if !self.is_handled(kind) || self.stack_bytes_in(callee) > self.config.stack {
            return Err(end);
        }
        let mut regs = self.spare_registers.pop().unwrap_or_default();
        fill_registers(self.program, &mut self.arena, callee, &mut regs);
        if let Some(param) = module.functions[callee.index()].params.first() {
            regs[param.index()] = Slot::concrete(number.into());
        }
        self.state.at_fork = false;
        self.push_frame(callee, regs, RegList::default());
        Ok(())
    }
}

/// The signal that a fault raises on x86-64 Linux, where it raises one for certain.
fn signal_of(kind: FaultKind) -> Option<u8> {
    match kind {
        FaultKind::DivisionByZero | FaultKind::DivisionOverflow => Some(SIGFPE),
        FaultKind::NullDereference | FaultKind::WriteToConstant => Some(SIGSEGV),
        _ => None,
    }
}
