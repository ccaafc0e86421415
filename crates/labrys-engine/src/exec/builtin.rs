//! Calls of the functions that the engine executes itself.

use super::{Machine, Step};
use crate::end::PathEnd;
use crate::memory::Slot;
use crate::program::Builtin;
use crate::program::fault_exits::error_kind;
use labrys_ir::{Reg, RegList};
use labrys_ledger::{TraceEvent, Trigger};
use std::rc::Rc;
use std::sync::Arc;

impl Machine<'_> {
    /// Executes a built-in function. True if the loop must look at the frame again.
    ///
    /// It is a dispatch table: one arm for each function, which reads its arguments.
    pub(super) fn builtin(
        &mut self,
        builtin: Builtin,
        args: RegList,
        results: RegList,
    ) -> Step<bool> {
        if self.state.speculation.is_some() && !builtin.leaves_no_trace() {
            return self.unsupported("a label's predicate does more than to compute a value");
        }
        let arg = |i| self.argument(args, i);
        match builtin {
            Builtin::Cond => {
                let (decision, index, value) = (arg(0)?, arg(1)?, arg(2)?);
                self.condition(decision, index, value, results)?;
            }
            Builtin::Decision => {
                let (decision, value) = (arg(0)?, arg(1)?);
                self.decision(decision, value, results)?;
            }
            Builtin::Vector => {
                let (decision, seen, truth) = (arg(0)?, arg(1)?, arg(2)?);
                self.vector(decision, seen, truth);
            }
            Builtin::Switch => {
                let (id, value) = (arg(0)?, arg(1)?);
                let number = self.value(id) as u32;
                self.note_wanted_cases(number, value);
                self.state.pending_switch = Some(number);
                let slot = self.get(value);
                self.set_results(results, &[slot]);
            }
            Builtin::Case => {
                let (switch, case) = (arg(0)?, arg(1)?);
                let (switch, case) = (self.value(switch) as u32, self.value(case) as u32);
                if self.state.pending_switch.take() == Some(switch) {
                    self.event(
                        TraceEvent::Case { switch, case },
                        Trigger::Case { switch, case },
                    );
                }
            }
            Builtin::Reach => {
                let id = arg(0)?;
                let id = self.value(id) as u32;
                self.event(TraceEvent::Reach { id }, Trigger::Reach { id });
            }
            Builtin::LabelOpen => {
                let id = arg(0)?;
                self.label_open(id, results);
            }
            Builtin::LabelBegin => {
                let id = arg(0)?;
                self.label_begin(id, results);
            }
            Builtin::Label => {
                let (id, predicate) = (arg(0)?, arg(1)?);
                self.label(id, predicate)?;
            }
            Builtin::Mutant => {
                let point = arg(0)?;
                let point = self.value(point) as u32;
                self.note_visit(point)?;
                let active = self.active_at(point);
                self.set_results(results, &[Slot::concrete(active.into())]);
            }
            Builtin::Joined => self.come_together()?,
            Builtin::LoopEnter => {
                let number = arg(0)?;
                self.enter_loop(number)?;
            }
            Builtin::LoopAgain => {
                let number = arg(0)?;
                self.turn_again(number)?;
            }
            Builtin::Cut => {
                let number = arg(0)?;
                self.reach_cut(number)?;
                self.reach_confluence()?;
            }
            Builtin::BlockBegins => {
                let number = arg(0)?;
                self.observe_block(number);
            }
            Builtin::Symbolic => {
                let (pointer, size, name) = (arg(0)?, arg(1)?, arg(2)?);
                self.make_symbolic(pointer, size, name)?;
            }
            Builtin::Scalar(scalar) => {
                let name = arg(0)?;
                self.make_scalar(scalar, name, results)?;
            }
            Builtin::Assume => {
                let condition = arg(0)?;
                let e = self.expr(condition);
                let zero = self.arena.constant(self.arena.width(e), 0);
                let c = self.arena.ne(e, zero);
                self.note_said(c);
                self.assume(c)?;
            }
            Builtin::Pick => self.pick(args, results)?,
            Builtin::Choose => {
                let (to, chosen, size) = (arg(0)?, arg(1)?, arg(2)?);
                self.choose_bytes(to, chosen, size)?;
            }
            Builtin::Limit => {
                let (pointer, size, flag) = (arg(0)?, arg(1)?, arg(2)?);
                self.mark_limit(pointer, size, flag)?;
            }
            Builtin::Guess => {
                let (pointer, flag) = (arg(0)?, arg(1)?);
                self.mark_guess(pointer, flag)?;
            }
            Builtin::Own => self.mark_own(args)?,
            Builtin::Offer => self.mark_offered(args)?,
            Builtin::InputsMade => self.inputs_made(),
            Builtin::Output => {
                let (name, pointer, size) = (arg(0)?, arg(1)?, arg(2)?);
                self.output(name, pointer, size)?;
            }
            Builtin::InitialState => self.watch_initial_values(),
            Builtin::ExtraCall => self.state.extra_call = true,
            Builtin::HasInput => self.set_results(results, &[Slot::concrete(1)]),
            Builtin::Reveal => {
                let (bytes, size, constant) = (arg(0)?, arg(1)?, arg(2)?);
                self.reveal(bytes, size, constant)?;
            }
            Builtin::Effects => {
                let flag = arg(0)?;
                self.stub_effects(flag)?;
            }
            Builtin::OtherThreads => self.other_threads(),
            Builtin::Fresh => {
                let size = arg(0)?;
                self.fresh_object(size, results)?;
            }
            Builtin::Havoc => self.havoc(args)?,
            Builtin::Assign => self.assign_pointer(args)?,
            Builtin::Interior => self.interior(args, results)?,
            Builtin::Write => self.write_stream(args)?,
            Builtin::WriteText => self.write_text(args)?,
            Builtin::Exact => self.state.streams.show_no_more(),
            Builtin::Touch => {
                let flag = arg(0)?;
                let flag = self.c_string(flag)?;
                let flag = self.text(&flag);
                self.rest_on(&flag);
            }
            Builtin::Assumed => {
                let (value, text) = (arg(0)?, arg(1)?);
                self.assumed_result(value, text, results)?;
            }
            Builtin::Truth => {
                let value = arg(0)?;
                self.truth_by_compiler(value, results);
            }
            Builtin::CompilerKnows => {
                let value = arg(0)?;
                self.known_to_compiler(value, results);
            }
            Builtin::IsAssumed => {
                let value = arg(0)?;
                let e = self.expr(value);
                let assumed = self.arena.is_assumed(e);
                self.set_results(results, &[Slot::concrete(assumed.into())]);
            }
            Builtin::Plain => {
                let value = arg(0)?;
                let e = self.expr(value);
                let (plain, _) = self.arena.without_assumptions(e);
                let slot = self.slot_of(plain);
                self.set_results(results, &[slot]);
            }
            Builtin::HandleFaults => {
                let (signals, function) = (arg(0)?, arg(1)?);
                self.handle_faults(signals, function);
            }
            Builtin::Unsupported => {
                let what = arg(0)?;
                let message = self.c_string(what)?;
                return Err(PathEnd::Unsupported { message });
            }
            Builtin::Select => {
                let (cond, yes, no) = (arg(0)?, arg(1)?, arg(2)?);
                let (cond, yes, no) = (self.expr(cond), self.expr(yes), self.expr(no));
                let zero = self.arena.constant(self.arena.width(cond), 0);
                let chosen = self.arena.ne(cond, zero);
                let value = self.arena.ite(chosen, yes, no);
                let slot = self.slot_of(value);
                self.set_results(results, &[slot]);
            }
            Builtin::Error => {
                let kind = arg(0)?;
                let kind = self.c_string(kind)?;
                return Err(self.fault(error_kind(kind.as_bytes())));
            }
            Builtin::Exit => {
                let status = arg(0)?;
                self.note_status(status);
                return Err(PathEnd::Exited {
                    status: self.value(status) as i32,
                });
            }
            Builtin::Malloc => {
                let size = arg(0)?;
                self.malloc(size, results)?;
            }
            // Every object starts at an address that is aligned to anything.
            Builtin::MallocAligned => {
                let size = arg(1)?;
                self.malloc(size, results)?;
            }
            Builtin::Free => {
                let pointer = arg(0)?;
                self.free(pointer)?;
            }
            Builtin::ObjectSize => {
                let pointer = arg(0)?;
                self.object_size(pointer, results)?;
            }
            Builtin::Current => {
                let value = arg(0)?;
                if let Some(shown) = self.get(value).expr {
                    self.state.streams.show(shown);
                }
                let value = self.value(value);
                self.set_results(results, &[Slot::concrete(value)]);
            }
            Builtin::IsSymbolic => {
                let value = arg(0)?;
                let e = self.expr(value);
                let symbolic = self.arena.as_const(e).is_none();
                self.set_results(results, &[Slot::concrete(symbolic.into())]);
            }
            Builtin::IsUninit => {
                let value = arg(0)?;
                let e = self.expr(value);
                let uninit = self.arena.is_uninit(e);
                self.set_results(results, &[Slot::concrete(uninit.into())]);
            }
            Builtin::Pin => {
                let value = arg(0)?;
                let e = self.expr(value);
                let value = self.pin(e)?;
                self.set_results(results, &[Slot::concrete(value)]);
            }
            Builtin::FormatDouble => self.format_double(args, results)?,
            Builtin::FormatLongDouble => self.format_long_double(args, results)?,
            Builtin::ParseFloat => self.parse_float(args, results)?,
            Builtin::WideProperty => self.wide_property(args, results)?,
        }
        Ok(false)
    }

    /// Notes an event of the path and the objectives that it covers. What happens in a label's
    /// predicate is none.
    fn event(&mut self, event: TraceEvent, trigger: Trigger) {
        if self.state.speculation.is_none() {
            self.state.trace.add(event);
            self.cover(trigger);
        }
    }

    /// The truth of a symbolic value on this path; splits the path where both are possible, so
    /// that the event has one meaning for the whole path. Also the assumptions without which it could
    /// be otherwise.
    fn truth(&mut self, value: Reg) -> Step<(bool, Vec<Arc<str>>)> {
        let slot = self.get(value);
        if slot.expr.is_none() {
            return Ok((slot.bits != 0, Vec::new()));
        }
        let e = self.expr(value);
        let zero = self.arena.constant(self.arena.width(e), 0);
        let c = self.arena.ne(e, zero);
        let (c, texts) = self.deciding(c)?;
        Ok((self.split_on(c)?, texts))
    }

    fn condition(&mut self, decision: Reg, index: Reg, value: Reg, results: RegList) -> Step {
        let (decision, index) = (self.value(decision) as u32, self.value(index) as u32);
        let left = self.left.candidates.len();
        let reg = value;
        let before = self.path_to_condition(reg);
        let (value, texts) = self.truth(value)?;
        self.measure(decision, index, reg, value);
        // What rests on an assumption has a value that no input gives.
        if let Some(before) = before.filter(|_| texts.is_empty()) {
            let is_possible = self.left.candidates.len() > left;
            self.note_outcome(before, (decision, index), (reg, value), is_possible);
        }
        let trigger = |value| Trigger::Condition {
            decision,
            index,
            value,
        };
        self.rest_on_trigger(&texts, trigger(!value));
        self.flip(left, !value);
        self.decide(left, decision, index, value);
        self.event(
            TraceEvent::Condition {
                decision,
                index,
                value,
            },
            trigger(value),
        );
        let result = self.assumed_truth(value, &texts);
        self.set_results(results, &[result]);
        Ok(())
    }

    fn decision(&mut self, decision: Reg, value: Reg, results: RegList) -> Step {
        let decision = self.value(decision) as u32;
        let left = self.left.candidates.len();
        let (value, texts) = self.truth(value)?;
        let trigger = |value| Trigger::Decision { decision, value };
        self.rest_on_trigger(&texts, trigger(!value));
        self.flip(left, !value);
        self.event(TraceEvent::Decision { decision, value }, trigger(value));
        let result = self.assumed_truth(value, &texts);
        self.set_results(results, &[result]);
        Ok(())
    }

    /// In the first step of the candidates from `first` on, the annotated value is this one.
    fn flip(&mut self, first: usize, value: bool) {
        for candidate in &mut self.left.candidates[first..] {
            candidate.flip = Some(value);
        }
    }

    pub(super) fn cover(&mut self, trigger: Trigger) {
        self.note_event(trigger);
        for &objective in self.objectives.covered_by(trigger) {
            let objective = objective as usize;
            if !self.state.hits.contains(objective) {
                Rc::make_mut(&mut self.state.hits).insert(objective);
            }
        }
    }
}
