//! Values and objects that rest on an assumption about the surroundings: a call that may fail, a
//! volatile object, an allocation. A run rests on the assumption from where it decides by the value.

use super::{Machine, Step, fill_registers};
use crate::end::{FaultKind, PathEnd};
use crate::memory::{ObjectEntry, ObjectId, Slot, split};
use labrys_expr::{Arena, AssumptionId, ExprId, ExprKind, ExprOp};
use labrys_ir::{EdgeId, Inst, IntrinsicOp, Reg, RegList, TextId};
use labrys_ledger::Assumption;
use labrys_solver::Answer;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::Arc;

/// What is assumed of values that compilers choose.
const COMPILER: &str = "environment: compiler";

/// Of more values with the same assumption it is not asked whether they could turn a decision round.
const MOST_FREE: usize = 32;

/// The width of `int`, in which annotations give truth values back.
const TRUTH_WIDTH: u8 = 32;

/// Numbers of signals on Linux.
pub(super) const SIGABRT: u8 = 6;
const SIGFPE: u8 = 8;
const SIGSEGV: u8 = 11;

/// The objects behind `stdin`, `stdout` and `stderr` in the models.
pub(super) const STANDARD_STREAMS: [&str; 3] = [
    "labrys_standard_input",
    "labrys_standard_output",
    "labrys_standard_error",
];

impl Machine<'_> {
    /// The value without its assumptions, which the run rests on from here.
    pub(super) fn rest_on_assumptions(&mut self, e: ExprId) -> ExprId {
        if !self.arena.is_assumed(e) {
            return e;
        }
        let (plain, ids) = self.arena.without_assumptions(e);
        for id in ids.iter() {
            let text = self.text(&self.arena.text_of_assumption(*id));
            self.rest_on(&text);
        }
        plain
    }

    /// `Assumed(value, text)`: a value that something outside of the program may change.
    pub(super) fn assume_value(&mut self, value: Reg, text: Reg, results: RegList) {
        let number = TextId(self.value(text) as u32);
        self.set_assumed(value, self.program.module.text(number), results);
    }

    /// `SignOnly(value, text)` and `TruthOnly(value, text)`: a value of which the C standard says no
    /// more.
    pub(super) fn unsure_value(
        &mut self,
        op: IntrinsicOp,
        value: Reg,
        text: Reg,
        results: RegList,
    ) {
        let number = TextId(self.value(text) as u32);
        let text = self.text(self.program.module.text(number));
        self.set_sure_only_of(op, value, &text, results);
    }

    /// `int labrys_truth(int value)`
    pub(super) fn truth_by_compiler(&mut self, value: Reg, results: RegList) {
        self.set_sure_only_of(IntrinsicOp::TruthOnly, value, COMPILER, results);
    }

    /// The value, which may also be another one of the same sign, or another one that is not 0.
    fn set_sure_only_of(&mut self, op: IntrinsicOp, value: Reg, text: &str, results: RegList) {
        let value = self.expr(value);
        let width = self.arena.width(value);
        let half = 1_u128 << (width - 1);
        let mut between = |low: u128, count: u128| {
            let why = (text, &mut self.state.assumed);
            self.arena.assumed_between(value, low, count, why)
        };
        let (above, below) = match op {
            IntrinsicOp::SignOnly => (between(1, half - 1), between(half, half)),
            _ => {
                let any = between(1, half + (half - 1));
                (any, any)
            }
        };
        let zero = self.arena.constant(width, 0);
        let is_above = self.arena.slt(zero, value);
        let not_zero = self.arena.ite(is_above, above, below);
        let is_zero = self.arena.eq(value, zero);
        let unsure = self.arena.ite(is_zero, zero, not_zero);
        let slot = self.slot_of(unsure);
        self.set_results(results, &[slot]);
    }

    /// `RestOn(text)`: the run rests on an assumption from here.
    pub(super) fn rest_on_text(&mut self, text: Reg) {
        let number = TextId(self.value(text) as u32);
        let text = self.text(self.program.module.text(number));
        self.rest_on(&text);
    }

    /// `long labrys_assumed(long value, const char *text)`
    pub(super) fn assumed_result(&mut self, value: Reg, text: Reg, results: RegList) -> Step {
        let text = self.c_string(text)?;
        self.set_assumed(value, &text, results);
        Ok(())
    }

    /// `int labrys_compiler_knows(int value)`
    pub(super) fn known_to_compiler(&mut self, value: Reg, results: RegList) {
        self.set_assumed(value, COMPILER, results);
    }

    fn set_assumed(&mut self, value: Reg, text: &str, results: RegList) {
        let value = self.expr(value);
        let assumed = self.assumed(value, text);
        let slot = self.slot_of(assumed);
        self.set_results(results, &[slot]);
    }

    /// The same value, which rests on an assumption with this text.
    pub(super) fn assumed(&mut self, value: ExprId, text: &str) -> ExprId {
        (self.arena).assumed(value, text, &mut self.state.assumed)
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

    /// A truth value by which the run decides where it goes: without its assumptions, and the texts
    /// of those that could only turn it round. These concern the other way, and what is computed from
    /// the value; here the run goes on as if they did not matter. On all others the run rests from
    /// here.
    pub(super) fn deciding(&mut self, c: ExprId) -> Step<(ExprId, Vec<Arc<str>>)> {
        let Some(c) = self.arena.defined(c) else {
            return Err(self.fault(FaultKind::UninitialisedRead));
        };
        if !self.arena.is_assumed(c) {
            return Ok((c, Vec::new()));
        }
        let (plain, ids) = self.arena.without_assumptions(c);
        let texts = self.texts_that_matter(c, plain, &ids);
        if self.can_defer() && (self.arena.as_const(plain).is_some() || self.known(plain).is_some())
        {
            return Ok((plain, texts));
        }
        for text in texts {
            let text = self.text(&text);
            self.rest_on(&text);
        }
        Ok((plain, Vec::new()))
    }

    /// The texts of assumptions that keep a truth value as it is: whatever becomes of all others, it
    /// does not turn round as long as these hold.
    fn texts_that_matter(
        &mut self,
        c: ExprId,
        plain: ExprId,
        ids: &[AssumptionId],
    ) -> Vec<Arc<str>> {
        let mut by_text: Vec<(Arc<str>, Vec<AssumptionId>)> = Vec::new();
        for id in ids {
            let text = self.arena.text_of_assumption(*id);
            match by_text.iter_mut().find(|(known, _)| *known == text) {
                Some((_, same)) => same.push(*id),
                None => by_text.push((text, vec![*id])),
            }
        }
        let mut open = Vec::new();
        let mut matter = Vec::new();
        for (text, ids) in by_text {
            // Where nothing is known of the other values, it matters.
            let can_be_asked = ids.len() <= MOST_FREE && ids.iter().all(|id| id.is_bounded());
            let before = open.len();
            open.extend(ids);
            if !can_be_asked || self.can_turn(c, plain, &open) {
                open.truncate(before);
                matter.push(text);
            }
        }
        matter
    }

    /// Can the truth value be another one if all of these assumptions do not hold?
    fn can_turn(&mut self, c: ExprId, plain: ExprId, ids: &[AssumptionId]) -> bool {
        let vars = &mut self.free_values;
        let mut free = |arena: &mut Arena, place: usize, width: u8| {
            let name = format!("any value of {width} bits ({place})");
            let var = *vars
                .entry((place, width))
                .or_insert_with(|| arena.new_var(&name, width));
            arena.var_expr(var)
        };
        let other = self.arena.without_these(c, ids, &mut free);
        let differs = self.arena.xor(other, plain);
        if let Some(value) = self.arena.as_const(differs) {
            return value != 0;
        }
        let path = &self.state.path;
        let hint = &self.current.model;
        let answer = self.solver.solve(&mut self.arena, path, differs, hint);
        !matches!(answer, Answer::Unsat)
    }

    /// If one of these assumptions does not hold, the run takes this edge instead.
    pub(super) fn rest_on_edge(&mut self, texts: &[Arc<str>], edge: EdgeId) {
        let function = self.function();
        let target = function.edges[edge.index()].target;
        let start = function.blocks[target.index()].start;
        for text in texts {
            let text = self.text(text);
            self.rest_at(&text, start);
        }
    }

    /// A truth value that rests on these assumptions.
    pub(super) fn assumed_truth(&mut self, truth: bool, texts: &[Arc<str>]) -> Slot {
        if texts.is_empty() {
            return Slot::concrete(truth.into());
        }
        let mut e = self.arena.constant(TRUTH_WIDTH, truth.into());
        for text in texts {
            e = self.assumed(e, text);
        }
        self.slot_of(e)
    }

    /// The program compares two pointers in the next instruction. Where an allocation has failed, one
    /// of them would be null: the outcome rests on that. The distance of two places in the same object
    /// would be the same. True if the comparison is made.
    pub(super) fn compare_pointers(&mut self, a: Reg, b: Reg) -> Step<bool> {
        let [a, b] = [a, b].map(|reg| self.objects_of(reg));
        if a == b && a.len() == 1 {
            return Ok(false);
        }
        let texts: Vec<Arc<str>> = a
            .into_iter()
            .chain(b)
            .filter_map(|id| {
                self.unsure_allocation(id)
                    .or_else(|| self.unsure_stream(id))
            })
            .collect();
        let next = self.function().code[self.state.frame.pc as usize + 1];
        if texts.is_empty() {
            return Ok(false);
        }
        let Inst::Cmp { dst, .. } = next else {
            // Several pointers are compared at once: nothing is known of a single outcome.
            for text in texts {
                let text = self.text(&text);
                self.rest_on(&text);
            }
            return Ok(false);
        };
        self.generic(&next)?;
        for text in texts {
            let value = self.expr(dst);
            let assumed = self.assumed(value, &text);
            let slot = self.slot_of(assumed);
            self.set(dst, slot);
        }
        self.state.frame.pc += 2;
        Ok(true)
    }

    /// The objects that a pointer may point into.
    pub(super) fn objects_of(&mut self, pointer: Reg) -> Vec<ObjectId> {
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

    /// The assumption that the object was allocated, if that is not certain. Where the program has
    /// written to it, it was: else the run would have ended there.
    fn unsure_allocation(&self, id: ObjectId) -> Option<Arc<str>> {
        let ObjectEntry::Live(object) = self.state.memory.entry(id) else {
            return None;
        };
        let text = object.info.allocated_by.as_ref()?;
        (object.is_blank() || object.info.filled).then(|| Arc::from(&**text))
    }

    /// The assumption that a standard stream is what it was at the start, where the program compares it
    /// in a function that may be called later.
    fn unsure_stream(&self, id: ObjectId) -> Option<Arc<str>> {
        if !self.state.called_later || !self.program.is_users_function(self.state.frame.function) {
            return None;
        }
        let name = &self.program.global_at(id)?.name;
        let is_stream = STANDARD_STREAMS.contains(&&**name);
        is_stream.then(|| {
            Assumption::InitialValue("a standard stream".into())
                .to_string()
                .into()
        })
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
