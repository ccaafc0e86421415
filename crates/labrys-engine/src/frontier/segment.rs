//! A piece of code between two places where control can come together or go apart, executed forward from
//! any state: registers and memory begin as variables. What comes out are the values behind it, the
//! conditions under which it is left, and what that rests on.
//!
//! Faults are no facts here, as in `labrys-prove`: a division by zero gives any value. But a write outside of
//! its object ends the run, so everything rests on "ends at first error".

use super::call_strings::CallStringId;
use super::callees::Callee;
use super::facts::Facts;
use super::heap::NewObject;
use super::memory_effects::{AccessTarget, Effect, MemoryEffects, Outside};
use super::places::{StatePlace, StatePlaces};
use crate::memory::ObjectId;
use crate::program::{Builtin, Program};
use labrys_expr::{Arena, ExprId, ExprOp};
use labrys_ir::{
    BinOp, CastOp, CmpOp, Const, Function, Inst, IntrinsicOp, Reg, RegList, SymbolRef,
};
use labrys_ledger::Assumption;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// No switch has just jumped.
const NO_SWITCH: u128 = u32::MAX as u128;

/// The expressions and variables of all predicates.
pub(super) struct Terms {
    pub(super) arena: Arena,
    pub(super) places: StatePlaces,
}

pub(super) struct Segment<'a> {
    pub(super) terms: &'a mut Terms,
    pub(super) program: &'a Program<'a>,
    pub(super) facts: &'a Facts,
    pub(super) frame: CallStringId,
    function: &'a Function,
    registers: FxHashMap<(CallStringId, Reg), ExprId>,
    /// The object that a register points into for certain, and the distance from its start.
    into: FxHashMap<Reg, (ObjectId, ExprId)>,
    pub(super) memory: MemoryEffects<'a>,
    /// Where the objects lie that the piece has made.
    pub(super) bases: FxHashMap<ObjectId, ExprId>,
    pub(super) allocated: Vec<NewObject>,
    switch: Option<ExprId>,
    /// What must hold for control to get here.
    pub(super) conditions: Vec<ExprId>,
    /// The texts of what it rests on.
    pub(super) rests_on: BTreeSet<String>,
    /// Control does not get to the end.
    pub(super) ends: bool,
    /// Where a pointer led in a run that was seen: the address by register.
    pub(super) seen: &'a dyn Fn(&Arena, ExprId) -> Option<u64>,
}

impl<'a> Segment<'a> {
    pub(super) fn new(
        terms: &'a mut Terms,
        program: &'a Program<'a>,
        facts: &'a Facts,
        frame: CallStringId,
        seen: &'a dyn Fn(&Arena, ExprId) -> Option<u64>,
    ) -> Self {
        let function = terms.places.function_of(frame);
        Segment {
            function: &program.module.functions[function.index()],
            terms,
            program,
            facts,
            frame,
            registers: FxHashMap::default(),
            into: FxHashMap::default(),
            memory: MemoryEffects::new(program, facts),
            bases: FxHashMap::default(),
            allocated: Vec::new(),
            switch: None,
            conditions: Vec::new(),
            rests_on: BTreeSet::new(),
            ends: false,
            seen,
        }
    }

    /// Executes the instructions `from..to`.
    pub(super) fn run(&mut self, from: u32, to: u32) {
        for pc in from..to {
            self.step(pc);
            if self.ends {
                return;
            }
        }
    }

    pub(super) fn function(&self) -> &'a Function {
        self.function
    }

    pub(super) fn get(&mut self, reg: Reg) -> ExprId {
        self.register(self.frame, reg)
    }

    /// What a register of any frame holds.
    pub(super) fn register(&mut self, frame: CallStringId, reg: Reg) -> ExprId {
        if let Some(known) = self.registers.get(&(frame, reg)) {
            return *known;
        }
        let id = self.terms.places.function_of(frame);
        let function = &self.program.module.functions[id.index()];
        let width = function.width(reg);
        let mut constants = function.constants.iter();
        let constant = constants.find(|(known, _)| *known == reg);
        let pointers = self.facts.pointers(id);
        if let Some((pc, at)) = pointers.and_then(|pointers| pointers.local_address(reg)) {
            let object = self.terms.places.local((frame, pc));
            return (self.terms.places).address(&mut self.terms.arena, object, at);
        }
        let arena = &mut self.terms.arena;
        let value = match constant {
            Some((_, Const::Int(value))) => arena.constant(width, *value),
            Some((_, Const::Symbol(SymbolRef::Global { global, addend }))) => {
                let object = self.program.global_object(*global);
                (self.terms.places).address(arena, object, *addend as u64)
            }
            Some((_, Const::Symbol(SymbolRef::Function(id)))) => {
                (self.terms.places).address(arena, Program::function_object(*id), 0)
            }
            Some((_, Const::Symbol(SymbolRef::Block { .. }))) => {
                self.terms.places.any(arena, width)
            }
            Some((_, Const::Undef)) => self.terms.places.undefined(arena, width),
            None if width > 64 => self.terms.places.any(arena, width),
            None => (self.terms.places).of(arena, StatePlace::Register { frame, reg }, width),
        };
        self.registers.insert((frame, reg), value);
        value
    }

    pub(super) fn set(&mut self, reg: Reg, value: ExprId) {
        self.into.remove(&reg);
        self.registers.insert((self.frame, reg), value);
    }

    /// Gives a register of another frame a value, where control goes there.
    pub(super) fn hand_over(&mut self, frame: CallStringId, reg: Reg, value: ExprId) {
        self.registers.insert((frame, reg), value);
    }

    pub(super) fn any(&mut self, width: u8) -> ExprId {
        self.terms.places.any(&mut self.terms.arena, width)
    }

    fn set_or_any(&mut self, reg: Reg, value: Option<ExprId>) {
        match value {
            Some(value) => self.set(reg, value),
            None => self.set_any(reg),
        }
    }

    pub(super) fn set_any(&mut self, reg: Reg) {
        let value = self.any(self.function.width(reg));
        self.set(reg, value);
    }

    pub(super) fn forget_results(&mut self, results: RegList) {
        for reg in self.function.list(results) {
            self.set_any(*reg);
        }
    }

    /// The value of a place behind the piece of code.
    pub(super) fn value(&mut self, place: StatePlace) -> ExprId {
        match place {
            StatePlace::Register { frame, reg } => self.register(frame, reg),
            StatePlace::ObjectPart(cell) => {
                let Terms { arena, places } = &mut *self.terms;
                self.memory.cell(arena, places, cell)
            }
            StatePlace::Base(object) => self.base(object),
            StatePlace::PendingSwitch => match self.switch {
                Some(number) => number,
                None => (self.terms.places).of(&mut self.terms.arena, place, 32),
            },
        }
    }

    /// A variable begins with what it is initialised with, if that is known.
    pub(super) fn initial(&mut self, place: StatePlace) -> Option<ExprId> {
        match place {
            StatePlace::ObjectPart(cell) => {
                let global = self.memory.global_of(cell.object)?;
                let known = self.facts.begins_as_written(global);
                let Terms { arena, places } = &mut *self.terms;
                known.then(|| self.memory.initial(arena, places, cell))?
            }
            StatePlace::PendingSwitch => Some(self.terms.arena.constant(32, NO_SWITCH)),
            StatePlace::Register { .. } | StatePlace::Base(_) => None,
        }
    }

    /// One instruction. It is a dispatch table with one arm for each.
    fn step(&mut self, pc: u32) {
        let inst = self.function.code[pc as usize];
        match inst {
            Inst::Bin {
                op,
                width,
                dst,
                a,
                b,
                ..
            } => self.arithmetic(op, width, dst, a, b),
            Inst::Cmp { op, dst, a, b, .. } => self.compare(op, dst, a, b),
            Inst::Cast {
                op, to, dst, src, ..
            } => self.cast(op, to, dst, src),
            Inst::Select { dst, cond, a, b } => {
                let (c, x, y) = (self.get(cond), self.get(a), self.get(b));
                let value = self.terms.arena.ite(c, x, y);
                self.set(dst, value);
            }
            Inst::Copy { dst, src } => self.copy(dst, src),
            Inst::Offset { dst, base, offset } => {
                let distance = self.terms.arena.constant(64, offset as i64 as u64 as u128);
                self.step_from(dst, base, distance);
            }
            Inst::Index {
                dst,
                base,
                index,
                scale,
            } => {
                let index = self.get(index);
                let scale = self.terms.arena.constant(64, scale.into());
                let distance = self.terms.arena.mul(index, scale);
                self.step_from(dst, base, distance);
            }
            Inst::Alloca { dst, .. } => {
                let object = self.terms.places.local((self.frame, pc));
                self.memory.add(Effect::Begin(object));
                let address = (self.terms.places).address(&mut self.terms.arena, object, 0);
                self.set(dst, address);
            }
            Inst::Load { dst, addr, width } => self.load(dst, addr, width),
            Inst::Store { addr, src, width } => {
                let value = self.get(src);
                let bytes = u64::from(width).div_ceil(8);
                let value = self.terms.arena.zext(value, (bytes * 8) as u8);
                let target = self.target(addr);
                let probably = match target {
                    AccessTarget::Pointer { .. } => self.guess(addr, false),
                    AccessTarget::Object { .. } => None,
                };
                self.memory.add(Effect::Write {
                    target,
                    value,
                    probably,
                });
            }
            Inst::MemCopy { dst, src, len, .. } => {
                let len = self.known_len(len);
                let values = len.and_then(|len| self.words(src, len));
                self.write_words(dst, values, len);
            }
            Inst::MemSet { dst, byte, len } => {
                let len = self.known_len(len);
                let values = len.and_then(|len| self.repeated(byte, len));
                self.write_words(dst, values, len);
            }
            Inst::Call {
                callee,
                args,
                results,
            } => {
                if !self.allocate(pc, results) {
                    self.call_over(self.facts.callees[callee.index()], args, results);
                }
            }
            Inst::Intrinsic { op, args, results } => self.intrinsic(op, args, results),
            Inst::Unreachable => self.ends = true,
            // Ways out of a piece are taken by who asks for it.
            Inst::Jump { .. }
            | Inst::Branch { .. }
            | Inst::Switch { .. }
            | Inst::JumpIndirect { .. }
            | Inst::Return { .. }
            | Inst::CallPointer { .. } => {}
            Inst::FBin {
                op,
                width,
                dst,
                a,
                b,
            } => {
                let value = self.float_bin(op, width, a, b);
                self.set_or_any(dst, value);
            }
            Inst::FUn {
                op,
                width,
                dst,
                src,
            } => {
                let value = self.float_un(op, width, src);
                self.set_or_any(dst, value);
            }
            Inst::FCmp {
                op,
                width,
                dst,
                a,
                b,
            } => {
                let value = self.float_cmp(op, width, a, b);
                self.set_or_any(dst, value);
            }
            Inst::AllocaDynamic { .. } | Inst::Unsupported { .. } => self.write_any(&inst),
        }
    }

    fn write_any(&mut self, inst: &Inst) {
        let mut written = Vec::new();
        inst.for_each_write(self.function, &mut |reg| written.push(reg));
        written.into_iter().for_each(|reg| self.set_any(reg));
    }

    pub(super) fn copy(&mut self, dst: Reg, src: Reg) {
        let value = self.get(src);
        let into = self.object_of(src);
        self.set(dst, value);
        self.into.extend(into.map(|into| (dst, into)));
    }

    /// The object that a register points into, by C's rule that a pointer does not leave its object.
    fn object_of(&mut self, reg: Reg) -> Option<(ObjectId, ExprId)> {
        if let Some(known) = self.into.get(&reg) {
            return Some(*known);
        }
        if self.function.width(reg) != 64 {
            return None;
        }
        let value = self.get(reg);
        let Terms { arena, places } = &mut *self.terms;
        let found = places.split(arena, value)?;
        let is_local = places.local_of(found.0).is_some();
        (is_local || self.memory.global_of(found.0).is_some()).then_some(found)
    }

    fn step_from(&mut self, dst: Reg, base: Reg, distance: ExprId) {
        let start = self.get(base);
        let into = self.object_of(base);
        let arena = &mut self.terms.arena;
        let value = arena.add(start, distance);
        let into = into.map(|(object, offset)| (dst, (object, arena.add(offset, distance))));
        self.set(dst, value);
        self.into.extend(into);
    }

    fn arithmetic(&mut self, op: BinOp, width: u8, dst: Reg, a: Reg, b: Reg) {
        let (x, y) = (self.get(a), self.get(b));
        let arena = &mut self.terms.arena;
        let (op, fits) = match op {
            BinOp::Add => (ExprOp::Add, None),
            BinOp::Sub => (ExprOp::Sub, None),
            BinOp::Mul => (ExprOp::Mul, None),
            BinOp::And => (ExprOp::And, None),
            BinOp::Or => (ExprOp::Or, None),
            BinOp::Xor => (ExprOp::Xor, None),
            BinOp::UDiv => (ExprOp::UDiv, Some(divides(arena, width, x, y, false))),
            BinOp::URem => (ExprOp::URem, Some(divides(arena, width, x, y, false))),
            BinOp::SDiv => (ExprOp::SDiv, Some(divides(arena, width, x, y, true))),
            BinOp::SRem => (ExprOp::SRem, Some(divides(arena, width, x, y, true))),
            BinOp::Shl => (ExprOp::Shl, Some(shifts(arena, width, y))),
            BinOp::LShr => (ExprOp::LShr, Some(shifts(arena, width, y))),
            BinOp::AShr => (ExprOp::AShr, Some(shifts(arena, width, y))),
        };
        let mut value = arena.binary(op, x, y);
        if let Some(fits) = fits
            && arena.as_const(fits) != Some(1)
        {
            let any = self.any(width);
            value = self.terms.arena.ite(fits, value, any);
        }
        self.set(dst, value);
    }

    fn compare(&mut self, op: CmpOp, dst: Reg, a: Reg, b: Reg) {
        let (x, y) = (self.get(a), self.get(b));
        let m = &mut self.terms.arena;
        let value = match op {
            CmpOp::Eq => m.eq(x, y),
            CmpOp::Ne => m.ne(x, y),
            CmpOp::Ult => m.ult(x, y),
            CmpOp::Ule => m.ule(x, y),
            CmpOp::Ugt => m.ugt(x, y),
            CmpOp::Uge => m.uge(x, y),
            CmpOp::Slt => m.slt(x, y),
            CmpOp::Sle => m.sle(x, y),
            CmpOp::Sgt => m.sgt(x, y),
            CmpOp::Sge => m.sge(x, y),
        };
        self.set(dst, value);
    }

    fn cast(&mut self, op: CastOp, to: u8, dst: Reg, src: Reg) {
        let x = self.get(src);
        let m = &mut self.terms.arena;
        let value = match op {
            CastOp::Trunc => m.extract(x, 0, to),
            CastOp::ZExt => m.zext(x, to),
            CastOp::SExt => m.sext(x, to),
            CastOp::FToF | CastOp::FToS | CastOp::FToU | CastOp::SToF | CastOp::UToF => {
                return self.set_any(dst);
            }
        };
        self.set(dst, value);
    }

    pub(super) fn target(&mut self, reg: Reg) -> AccessTarget {
        match self.object_of(reg) {
            Some((object, offset)) => AccessTarget::Object { object, offset },
            None => AccessTarget::Pointer {
                address: self.get(reg),
                frame: self.frame,
                reg,
            },
        }
    }

    /// A call that is not gone through.
    pub(super) fn call_over(&mut self, callee: Callee, args: RegList, results: RegList) {
        match callee {
            Callee::Builtin(builtin) => self.builtin(builtin, args, results),
            Callee::Quiet => self.forget_results(results),
            Callee::Loud => self.outside(Outside::Callbacks, results),
            Callee::Unknown => self.outside(Outside::Changeable, results),
            // Somebody asks for a piece that ends at the call.
            Callee::Body => self.outside(Outside::Everything, results),
        }
    }

    pub(super) fn outside(&mut self, outside: Outside, results: RegList) {
        self.memory.add(Effect::Outside(outside));
        self.forget_results(results);
    }

    fn builtin(&mut self, builtin: Builtin, args: RegList, results: RegList) {
        let args = self.function.list(args);
        let result = self.function.list(results).first().copied();
        match (builtin, args, result) {
            (Builtin::Cond, &[_, _, value], Some(dst))
            | (Builtin::Decision, &[_, value], Some(dst)) => self.copy(dst, value),
            (Builtin::Switch, &[number, value], Some(dst)) => {
                self.switch = Some(self.get(number));
                self.copy(dst, value);
            }
            (Builtin::Case, ..) => {
                self.switch = Some(self.terms.arena.constant(32, NO_SWITCH));
            }
            (Builtin::Assume, &[condition], _) => {
                let value = self.get(condition);
                let arena = &mut self.terms.arena;
                let zero = arena.constant(arena.width(value), 0);
                let holds = arena.ne(value, zero);
                self.conditions.push(holds);
            }
            (Builtin::Exit | Builtin::Error, ..) => self.ends = true,
            (Builtin::Symbolic, &[pointer, size, _], _) => {
                let target = self.target(pointer);
                let len = self.get(size);
                let len = self.terms.arena.as_const(len).map(|len| len as u64);
                self.memory.add(Effect::Forget { target, len });
                self.forget_results(results);
            }
            (
                Builtin::Vector
                | Builtin::Reach
                | Builtin::LabelOpen
                | Builtin::LabelBegin
                | Builtin::Label
                | Builtin::Mutant
                | Builtin::Joined
                | Builtin::Scalar(_)
                | Builtin::Output,
                ..,
            ) => self.forget_results(results),
            (Builtin::Touch, &[text], _) => {
                let text = self.text_at(text);
                self.rests_on.insert(text);
                self.outside(Outside::Changeable, results);
            }
            // Code of the program does not call these by itself, so a limit of ours may be behind it.
            _ => {
                self.rests_on.insert(format!("{builtin:?}"));
                self.outside(Outside::Changeable, results);
            }
        }
    }

    /// The text that a register points to, as far as it is known.
    fn text_at(&mut self, reg: Reg) -> String {
        let object = self.object_of(reg).map(|(object, _)| object);
        let global = object.and_then(|object| self.program.global_at(object));
        let bytes = global.map_or(&[][..], |global| &global.init[..]);
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(text).into_owned()
    }

    fn intrinsic(&mut self, op: IntrinsicOp, args: RegList, results: RegList) {
        let args: Vec<ExprId> = {
            let regs = self.function.list(args);
            regs.iter().map(|reg| self.get(*reg)).collect()
        };
        match (op, &args[..]) {
            (IntrinsicOp::Trap, _) => self.ends = true,
            (IntrinsicOp::RestOn, &[text]) => {
                let text = self.terms.arena.as_const(text).unwrap_or(0) as u32;
                let text = self.program.module.text(labrys_ir::TextId(text));
                self.rests_on.insert(text.to_owned());
            }
            // Which literals share their bytes is not known.
            (
                IntrinsicOp::PointersEqual
                | IntrinsicOp::PointersOrdered
                | IntrinsicOp::PointersSubtracted,
                &[a, b],
            ) if self.is_literal(a) && self.is_literal(b) => {
                self.rests_on.insert(Assumption::Addresses.to_string());
            }
            (
                IntrinsicOp::SMin | IntrinsicOp::SMax | IntrinsicOp::UMin | IntrinsicOp::UMax,
                &[a, b],
            ) => {
                let m = &mut self.terms.arena;
                let less = match op {
                    IntrinsicOp::SMin | IntrinsicOp::SMax => m.slt(a, b),
                    _ => m.ult(a, b),
                };
                let value = match op {
                    IntrinsicOp::SMin | IntrinsicOp::UMin => m.ite(less, a, b),
                    _ => m.ite(less, b, a),
                };
                self.first_result(results, value);
            }
            (IntrinsicOp::Abs, &[a]) => {
                let m = &mut self.terms.arena;
                let zero = m.constant(m.width(a), 0);
                let negative = m.slt(a, zero);
                let minus = m.neg(a);
                let value = m.ite(negative, minus, a);
                self.first_result(results, value);
            }
            _ => self.forget_results(results),
        }
    }

    /// Does an address lie in an object that may share its bytes with others?
    fn is_literal(&self, e: ExprId) -> bool {
        let Terms { arena, places } = &*self.terms;
        let mut vars = arena.vars_iter(arena.vars(e));
        vars.any(|var| match places.place(var) {
            Some(StatePlace::Base(object)) => {
                let global = self.program.global_at(object);
                global.is_some_and(|global| global.mergeable)
            }
            _ => false,
        })
    }

    fn first_result(&mut self, results: RegList, value: ExprId) {
        if let Some(dst) = self.function.list(results).first() {
            self.set(*dst, value);
        }
    }
}

/// Does a division have a result?
fn divides(arena: &mut Arena, width: u8, x: ExprId, y: ExprId, signed: bool) -> ExprId {
    let zero = arena.constant(width, 0);
    let fits = arena.ne(y, zero);
    if !signed {
        return fits;
    }
    let minus_one = arena.constant(width, u128::MAX);
    let smallest = arena.constant(width, 1 << (width - 1));
    let divisor = arena.ne(y, minus_one);
    let dividend = arena.ne(x, smallest);
    let in_range = arena.or(divisor, dividend);
    arena.and(fits, in_range)
}

/// Is a shift by less than the width?
fn shifts(arena: &mut Arena, width: u8, y: ExprId) -> ExprId {
    let limit = arena.constant(width, width.into());
    match arena.as_const(limit) == Some(width.into()) {
        true => arena.ult(y, limit),
        false => arena.yes(),
    }
}
