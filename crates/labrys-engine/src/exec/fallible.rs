//! Calls of library functions that may fail: what their results rest on, and, where failures are
//! inputs, the calls that fail.

use super::{Machine, Step};
use crate::inputs::{InputKind, Scalar};
use crate::memory::{Slot, low_mask};
use crate::program::fallible::{About, FallibleCall, FaultOfCall, OtherResults};
use crate::state::AskedFaults;
use labrys_expr::{ExprId, mask};
use labrys_ir::{FuncId, Inst, Reg, RegList};
use std::rc::Rc;
use std::sync::Arc;

/// What is fixed although failures are inputs.
const PARTS: &str = "environment: sizes of partial reads and writes";
const ERROR_NUMBERS: &str = "environment: error numbers";

/// Linux reads and writes at most so many bytes at once.
const MOST_BYTES: u64 = 0x7fff_f000;

/// An assumption that the result of a call rests on.
struct AssumedResult {
    text: Arc<str>,
    /// What the result could be otherwise, where that is known: the first number, and how many.
    others: Option<(i64, u64)>,
}

impl<'m> Machine<'m> {
    /// What a call of the function has returned to the current one, with what it rests on.
    pub(super) fn rested(&mut self, callee: FuncId, values: Vec<Slot>) -> Vec<Slot> {
        let program = self.program;
        let Some(call) = program.fallible(callee, self.state.frame.function) else {
            return values;
        };
        let asked = self.config.faults_of_environment && call.fault.is_some();
        let function = &program.module.functions[callee.index()];
        if call.allocates {
            if let (
                [
                    Slot {
                        bits: 1..,
                        expr: None,
                    },
                ],
                false,
            ) = (&values[..], asked)
            {
                self.may_fail(values[0].bits, &call.assumptions[0].0);
                self.errno_rests_on(&call.assumptions[0].0);
            }
            return values;
        }
        let result = values.first().zip(function.results.first());
        let succeeded = !result.is_some_and(|(slot, width)| call.is_failure(slot, *width));
        let assumed = self.assumptions_of_call(call, succeeded, asked);
        let texts: Vec<Arc<str>> = assumed.iter().map(|a| a.text.clone()).collect();
        self.rest_written(call, &texts);
        let widths = function.results.iter();
        let rested = values.into_iter().zip(widths).map(|(slot, width)| {
            let value = match slot.expr {
                Some(e) => e,
                None => self.arena.constant(*width, slot.bits.into()),
            };
            let assumed = assumed.iter().fold(value, |value, a| match a.others {
                Some((low, count)) => {
                    let low = low as u128 & mask(*width);
                    let why = (&*a.text, &mut self.state.assumed);
                    self.arena.assumed_between(value, low, count.into(), why)
                }
                None => self.assumed(value, &a.text),
            });
            self.slot_of(assumed)
        });
        rested.collect()
    }

    /// What a call rests on that has had this outcome; `asked` if its failures are inputs. Those of
    /// which less is known come first.
    fn assumptions_of_call(
        &mut self,
        call: &FallibleCall,
        succeeded: bool,
        asked: bool,
    ) -> Vec<AssumedResult> {
        let mut assumed = Vec::new();
        let others = self.other_results(call);
        for (text, about) in &call.assumptions {
            // Where it has failed in the model, it fails for a reason that the program has given.
            let (applies, others) = match about {
                About::Surroundings => (true, None),
                About::Locale => (self.state.called_later, None),
                About::Character => {
                    let everywhere = self.is_ascii() && !self.may_change_case(call);
                    (self.state.called_later && !everywhere, None)
                }
                About::Number => (succeeded, Some((0, 1 << 31))),
                About::Success => (succeeded && !asked, others),
            };
            if applies {
                let text = text.clone();
                assumed.push(AssumedResult { text, others });
            }
            if applies && matches!(about, About::Success | About::Surroundings) {
                self.errno_rests_on(text);
            }
        }
        if asked && call.fault.is_some_and(|fault| fault.shortened.is_some()) {
            let text = PARTS.into();
            assumed.push(AssumedResult { text, others });
        }
        assumed.sort_by_key(|a| a.others.is_some());
        assumed
    }

    /// Is the first argument of the call that has returned a character of ASCII, or the end of a file?
    fn is_ascii(&mut self) -> bool {
        let args = self.arguments_of_call();
        let Some(&character) = args.and_then(|args| args.first()) else {
            return false;
        };
        let value = self.expr(character);
        let one = self.arena.constant(self.arena.width(value), 1);
        let end = self.arena.constant(self.arena.width(value), 129);
        let next = self.arena.add(value, one);
        let is_ascii = self.arena.ult(next, end);
        self.arena.as_const(is_ascii) == Some(1) || self.known(is_ascii) == Some(true)
    }

    /// Did the call that has returned ask for the other case of the letter i? In Turkish that is no
    /// letter of ASCII.
    fn may_change_case(&mut self, call: &FallibleCall) -> bool {
        if !["toupper", "tolower", "towupper", "towlower"].contains(&&*call.name) {
            return false;
        }
        let args = self.arguments_of_call();
        let Some(&character) = args.and_then(|args| args.first()) else {
            return true;
        };
        let value = self.expr(character);
        [b'i', b'I'].into_iter().any(|letter| {
            let letter = self.arena.constant(self.arena.width(value), letter.into());
            let is_letter = self.arena.eq(value, letter);
            self.arena.as_const(is_letter) != Some(0) && self.known(is_letter) != Some(false)
        })
    }

    /// What the call that has returned could have returned instead: the first number, and how many.
    fn other_results(&mut self, call: &FallibleCall) -> Option<(i64, u64)> {
        let param = match call.other_results? {
            OtherResults::MinusOne => return Some((-1, 1)),
            OtherResults::UpTo(param) => param,
        };
        let args = self.arguments_of_call()?;
        let count = self.get(*args.get(param)?);
        let most = match count.is_symbolic() {
            true => MOST_BYTES,
            false => count.bits.min(MOST_BYTES),
        };
        Some((-1, most + 2))
    }

    /// The arguments of the call that has returned to the current function.
    pub(super) fn arguments_of_call(&self) -> Option<&'m [Reg]> {
        let function = self.function();
        match function.code[self.state.frame.pc as usize - 1] {
            Inst::Call { args, .. } | Inst::CallPointer { args, .. } => Some(function.list(args)),
            _ => None,
        }
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
            errno = self.assumed(errno, ERROR_NUMBERS);
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
