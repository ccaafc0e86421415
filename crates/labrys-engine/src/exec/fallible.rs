//! Calls of library functions that may fail: what their results rest on, and, where failures are
//! inputs, the calls that fail.

use super::{Machine, Step};
use crate::inputs::{InputKind, Scalar};
use crate::memory::{Slot, low_mask};
use crate::program::fallible::FaultOfCall;
use crate::state::AskedFaults;
use labrys_expr::ExprId;
use labrys_ir::{FuncId, RegList};
use std::rc::Rc;

/// What is fixed although failures are inputs.
const PARTS: &str = "environment: sizes of partial reads and writes";
const ERROR_NUMBERS: &str = "environment: error numbers";

impl Machine<'_> {
    /// What a call of the function has returned to the current one, with what it rests on.
    pub(super) fn rested(&mut self, callee: FuncId, values: Vec<Slot>) -> Vec<Slot> {
        let program = self.program;
        let Some(call) = program.fallible(callee, self.state.frame.function) else {
            return values;
        };
        let asked = self.config.faults_of_environment && call.fault.is_some();
        let function = &program.module.functions[callee.index()];
        let mut rested = values;
        for (slot, width) in rested.iter_mut().zip(&function.results) {
            if call.allocates && asked {
                continue;
            }
            if call.allocates {
                if let (None, false) = (slot.expr, slot.bits == 0) {
                    self.may_fail(slot.bits, &call.assumptions[0].0);
                    self.errno_rests_on(&call.assumptions[0].0);
                }
                continue;
            }
            let mut value = match slot.expr {
                Some(e) => e,
                None => self.arena.constant(*width, slot.bits.into()),
            };
            let succeeded = !call.is_failure(slot, *width);
            for (text, is_success) in &call.assumptions {
                // Where it has failed in the model, it fails for a reason that the program has given.
                if !is_success || succeeded && !asked {
                    value = self.arena.assumed(value, text);
                }
                if *is_success && succeeded && !asked {
                    self.errno_rests_on(text);
                }
            }
            if asked && call.fault.is_some_and(|fault| fault.shortened.is_some()) {
                value = self.arena.assumed(value, &PARTS.into());
            }
            *slot = self.slot_of(value);
        }
        rested
    }

    /// A call where failures are inputs: it fails, or its body is executed. True if the loop must
    /// look at the frame again.
    pub(super) fn enter_fallible(
        &mut self,
        callee: FuncId,
        args: RegList,
        results: RegList,
    ) -> Step<bool> {
        let program = self.program;
        let call = program.fallible(callee, self.state.frame.function);
        let fault = call.and_then(|call| call.fault);
        let Some((call, fault)) = call.zip(fault).filter(|_| self.state.speculation.is_none())
        else {
            self.enter(callee, args, results)?;
            return Ok(true);
        };
        // The instruction is executed again for the other outcomes, with the same inputs.
        let asked = match self.state.asked_faults {
            Some(asked) => asked,
            None => self.ask_faults(callee, &call.name, fault)?,
        };
        self.state.asked_faults = Some(asked);
        if self.split_on(asked.fails)? {
            self.state.asked_faults = None;
            self.fail_call(callee, fault, results);
            return Ok(false);
        }
        let is_short = match asked.is_short {
            Some(e) => self.split_on(e)?,
            None => false,
        };
        self.state.asked_faults = None;
        self.enter(callee, args, results)?;
        if let (true, Some(param)) = (is_short, fault.shortened) {
            self.shorten(param);
        }
        Ok(true)
    }

    fn ask_faults(&mut self, callee: FuncId, name: &str, fault: FaultOfCall) -> Step<AskedFaults> {
        let calls = Rc::make_mut(&mut self.state.fallible_calls);
        let count = calls.entry(callee).or_insert(0);
        *count += 1;
        let number = *count;
        let fails = self.ask_bool(&format!("{name} fails (call {number})"))?;
        let is_short = match fault.shortened {
            Some(_) => Some(self.ask_bool(&format!("{name} is short (call {number})"))?),
            None => None,
        };
        Ok(AskedFaults { fails, is_short })
    }

    /// The truth of a new input of type `_Bool`.
    fn ask_bool(&mut self, name: &str) -> Step<ExprId> {
        let id = self.request(name, InputKind::Scalar(Scalar::Bool), 1, 8);
        let (var, _) = self.inputs.get(id).pieces[0];
        let value = self.arena.var_expr(var);
        let two = self.arena.constant(8, 2);
        let valid = self.arena.ult(value, two);
        self.assume(valid)?;
        let zero = self.arena.constant(8, 0);
        Ok(self.arena.ne(value, zero))
    }

    /// The call returns what it returns where it fails.
    fn fail_call(&mut self, callee: FuncId, fault: FaultOfCall, results: RegList) {
        let mut errno = self.arena.constant(32, fault.errno.into());
        if fault.result != 0 || !fault.is_allocation() {
            errno = self.arena.assumed(errno, &ERROR_NUMBERS.into());
        }
        self.set_errno(errno);
        let function = &self.program.module.functions[callee.index()];
        let slots: Vec<Slot> = function
            .results
            .iter()
            .map(|width| Slot::concrete(fault.result as u64 & low_mask(*width)))
            .collect();
        self.set_results(results, &slots);
    }

    /// The parameter of the call that has begun is 1 if it is more: a part is read or written.
    fn shorten(&mut self, param: usize) {
        let function = self.function();
        let Some(&reg) = function.params.get(param) else {
            return;
        };
        let size = self.expr(reg);
        let width = function.width(reg);
        let one = self.arena.constant(width, 1);
        let is_more = self.arena.ult(one, size);
        let part = self.arena.ite(is_more, one, size);
        let slot = self.slot_of(part);
        self.set(reg, slot);
    }
}
