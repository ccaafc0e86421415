//! Calls, returns and stack objects.

use super::{Machine, Step, fill_registers};
use crate::end::{FaultKind, PathEnd};
use crate::memory::{Object, ObjectEntry, ObjectId, ObjectInfo, Region, Slot, low_mask, split};
use crate::program::Target;
use crate::state::Frame;
use labrys_ir::{FuncId, Reg, RegList};
use labrys_ledger::Assumption;
use std::rc::Rc;

/// A frame holds at least the place to return to and the caller's frame pointer.
const LEAST_FRAME: u32 = 16;

/// A frame of the compiled program may be so many times larger than its locals.
const MOST_FRAME_GROWTH: u64 = 4;

/// The ABI aligns arrays of variable length and the results of `alloca` to 16 bytes.
const ARRAY_ALIGNMENT: u32 = 16;

/// Of so many shapes of stack objects one object is kept.
const MOST_SHAPES: usize = 4096;

impl Machine<'_> {
    pub(super) fn call(&mut self, callee: FuncId, args: RegList, results: RegList) -> Step<bool> {
        match self.program.targets[callee.index()] {
            Target::Body => {
                self.check_predicate_call(callee)?;
                self.check_limits()?;
                if self.config.faults_of_environment {
                    return self.enter_fallible(callee, args, results);
                }
                self.enter(callee, args, results)?;
                Ok(true)
            }
            Target::Builtin(builtin) => self.builtin(builtin, args, results),
            Target::Math(math) => {
                self.exact_math(math, args, results)?;
                Ok(false)
            }
            Target::Native(index) => {
                let program = self.program;
                self.native_call(&program.natives[index as usize], args, results)?;
                Ok(false)
            }
            Target::Missing => {
                let name = &self.program.module.functions[callee.index()].name;
                self.unsupported(format_args!(
                    "call of '{name}', which has no body and no model"
                ))
            }
        }
    }

    pub(super) fn call_pointer(
        &mut self,
        target: Reg,
        args: RegList,
        results: RegList,
    ) -> Step<bool> {
        let e = self.expr(target);
        let null = self.arena.constant(64, 0);
        let is_null = self.arena.eq(e, null);
        self.check_before_pin(is_null, FaultKind::NullDereference)?;
        let address = self.pin_pointer(e)?;
        let (object, offset) = split(address);
        if object == ObjectId::NULL {
            return Err(self.fault(FaultKind::NullDereference));
        }
        match self.program.function_at(object) {
            Some(function) if offset == 0 => self.call(function, args, results),
            _ => Err(self.fault(FaultKind::InvalidCall)),
        }
    }

    /// The stack would be full. Only a native run can say that for certain, so a proof that needs it
    /// stands on an assumption.
    fn stack_overflow(&mut self) -> PathEnd {
        let text = self.text(&Assumption::Resource("stack".into()).to_string());
        self.rest_on(&text);
        self.fault(FaultKind::StackOverflow)
    }

    pub(super) fn enter(&mut self, callee: FuncId, args: RegList, results: RegList) -> Step {
        let caller = self.function();
        let function = &self.program.module.functions[callee.index()];
        let stack_bytes = self.stack_bytes_in(callee);
        if stack_bytes > self.config.stack {
            return Err(self.stack_overflow());
        }
        self.state.doubts.deep_stack |= stack_bytes > self.config.stack / MOST_FRAME_GROWTH;
        let mut regs = self.spare_registers.pop().unwrap_or_default();
        fill_registers(self.program, &mut self.arena, callee, &mut regs);
        let args = caller.list(args);
        for (i, param) in function.params.iter().enumerate() {
            let width = function.width(*param);
            regs[param.index()] = match args.get(i) {
                Some(arg) => self.fit(*arg, width),
                // Called with too few arguments: the rest is indeterminate.
                None => Slot::symbolic(self.arena.uninit(width)),
            };
        }
        self.note_stub_call(callee, &regs);
        if self.readings.is_some() {
            self.note_comparison(callee, &regs);
        }
        self.push_frame(callee, regs, results);
        Ok(())
    }

    /// The bytes of stack in use once this function has been called.
    pub(super) fn stack_bytes_in(&self, callee: FuncId) -> u64 {
        let function = &self.program.module.functions[callee.index()];
        self.state.frame.stack_bytes + u64::from(function.frame.max(LEAST_FRAME))
    }

    /// A call that returns behind the current instruction.
    pub(super) fn push_frame(&mut self, callee: FuncId, regs: Vec<Slot>, results: RegList) {
        self.state.calls += 1;
        let frame = Frame {
            function: callee,
            pc: 0,
            regs,
            results,
            objects: Vec::new(),
            depth: self.state.frame.depth + 1,
            stack_bytes: self.stack_bytes_in(callee),
            serial: self.state.calls,
            parent: None,
        };
        let mut parent = std::mem::replace(&mut self.state.frame, frame);
        parent.pc += 1;
        self.state.frame.parent = Some(Rc::new(parent));
    }

    /// An argument in the width of its parameter; they differ only in calls without prototype.
    fn fit(&mut self, arg: Reg, width: u8) -> Slot {
        let slot = self.get(arg);
        let given = self.function().width(arg);
        if given == width {
            return slot;
        }
        match slot.expr {
            None if width <= 64 => Slot::concrete(slot.bits & low_mask(width)),
            _ => {
                let e = self.expr(arg);
                let fitted = if width < given {
                    self.arena.extract(e, 0, width)
                } else {
                    self.arena.zext(e, width)
                };
                self.slot_of(fitted)
            }
        }
    }

    pub(super) fn return_from_call(&mut self, values: RegList) -> Step {
        let values: Vec<Slot> = self
            .function()
            .list(values)
            .iter()
            .map(|r| self.get(*r))
            .collect();
        let Some(left) = self.pop_frame() else {
            return Err(PathEnd::Returned);
        };
        let results = left.results;
        let values = self.rested(left.function, values);
        let caller = self.function();
        for (i, dst) in caller.list(results).iter().enumerate() {
            let slot = match values.get(i) {
                Some(slot) => *slot,
                None => Slot::symbolic(self.arena.uninit(caller.width(*dst))),
            };
            self.set(*dst, slot);
        }
        Ok(())
    }

    /// Leaves the current frame and frees its objects; the frame that was left, or `None` at the
    /// outermost one.
    pub(super) fn pop_frame(&mut self) -> Option<Frame> {
        let parent = self.state.frame.parent.take()?;
        let parent = Rc::try_unwrap(parent).unwrap_or_else(|shared| (*shared).clone());
        let mut left = std::mem::replace(&mut self.state.frame, parent);
        self.end_evaluations(left.depth);
        for object in &left.objects {
            self.state.memory.set(*object, ObjectEntry::Gone);
        }
        if self.spare_registers.len() < 64 {
            self.spare_registers.push(std::mem::take(&mut left.regs));
        }
        Some(left)
    }

    /// A stack object of fixed size. Its number depends on the place and the depth of the call,
    /// so loops of calls use the same numbers again.
    pub(super) fn alloca(&mut self, dst: Reg, size: u64, align: u32, element: u32) -> Step {
        let place = self.place();
        let depth = self.state.frame.depth;
        let id = self.object_number(place, depth)?;
        self.make_stack_object(dst, id, size, (align, element));
        Ok(())
    }

    pub(super) fn alloca_dynamic(&mut self, dst: Reg, count: Reg, element: u32) -> Step {
        let e = self.expr(count);
        let count = self.pin(e)?;
        let Some(size) = count
            .checked_mul(element.into())
            .filter(|s| *s <= self.config.max_object)
        else {
            return Err(self.stack_overflow());
        };
        self.state.frame.stack_bytes += size;
        if self.state.frame.stack_bytes > self.config.stack {
            return Err(self.stack_overflow());
        }
        let id = self.next_number()?;
        self.make_stack_object(dst, id, size, (ARRAY_ALIGNMENT, element));
        Ok(())
    }

    fn make_stack_object(
        &mut self,
        dst: Reg,
        id: ObjectId,
        size: u64,
        (align, element): (u32, u32),
    ) {
        // All of one shape are the same object until they are written.
        if self.stack_objects.len() >= MOST_SHAPES {
            self.stack_objects.clear();
        }
        let shape = (size, align, element);
        let object = self.stack_objects.entry(shape).or_insert_with(|| {
            let info = ObjectInfo {
                region: Region::Stack,
                constant: false,
                align,
                element,
                guess: None,
                allocated_by: None,
                filled: false,
                watches: Vec::new(),
            };
            Rc::new(Object::new(size, Rc::new(info)))
        });
        let object = object.clone();
        self.state.memory.set(id, ObjectEntry::Live(object));
        self.state.frame.objects.push(id);
        self.set(dst, Slot::concrete(id.base()));
    }

    /// The current instruction as a number.
    pub(super) fn place(&self) -> u64 {
        u64::from(self.state.frame.function.0) << 32 | u64::from(self.state.frame.pc)
    }

    /// The next object number for the current instruction, as often as it allocates.
    pub(super) fn next_number(&mut self) -> Step<ObjectId> {
        let place = self.place();
        let count = Rc::make_mut(&mut self.state.allocations)
            .entry(place)
            .or_insert(0);
        *count += 1;
        let occurrence = *count;
        self.object_number(place | 1 << 63, occurrence)
    }

    /// The number of an object is named by its place and its occurrence there, so that two
    /// paths, or two versions of a program, give the same object the same address.
    fn object_number(&mut self, place: u64, occurrence: u32) -> Step<ObjectId> {
        match self.object_numbers.of(place, occurrence) {
            Some(id) => Ok(id),
            None => self.unsupported("the program makes too many objects"),
        }
    }
}
