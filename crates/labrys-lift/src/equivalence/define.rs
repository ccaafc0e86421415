//! Makes everything that a function does defined or visible, so that an optimiser finds nothing to
//! take advantage of: the same code then does the same, whoever compiles it.
//!
//! Arithmetic wraps; a division that faults, an access that may fault, a turn of a loop and a call are
//! events that stay; undefined values are unknown ones; nothing is promised about functions, pointers
//! and alignment. What is not covered is said in `docs/design/102-compiler-equivalence.md`: what a
//! program does after it has written outside of its objects.

use super::attributes::{self, callee};
use super::events::{self, ENTER, NEVER, TOUCH, TURN};
use super::objects::is_inside;
use super::undefined::{define_locals, define_operands};
use super::{loops, supported};
use crate::llvm::{LlvmBlock, LlvmModule, LlvmTypeKind, LlvmValue, Opcode, ValueKind};
use std::cell::Cell;

/// Defines all that the function does, or says why that is not possible.
pub(super) fn define(module: &LlvmModule<'_>, function: &str) -> Result<(), String> {
    let body = module.function(function);
    let body = body.ok_or("the function has no body")?;
    supported::check(module, body)?;
    attributes::drop_promises(module, body);
    let places = Cell::new(0);
    let function = DefinedFunction {
        module,
        body,
        places,
    };
    function.define()?;
    module.verify()
}

struct DefinedFunction<'m, 's> {
    module: &'m LlvmModule<'s>,
    body: LlvmValue<'m>,
    /// How many places have an event of their own.
    places: Cell<u64>,
}

impl<'m> DefinedFunction<'m, '_> {
    fn define(&self) -> Result<(), String> {
        let blocks = self.body.blocks();
        let first = blocks.first().ok_or("the function has no body")?;
        let is_local = |inst: &LlvmValue<'m>| inst.opcode() == Opcode::LLVMAlloca;
        let start = first.instructions().find(|inst| !is_local(inst));
        let start = start.ok_or("a block has no end")?;
        let instructions: Vec<LlvmValue<'m>> = blocks
            .iter()
            .flat_map(|block| block.instructions())
            .collect();
        let locals: Vec<LlvmValue<'m>> = first.instructions().take_while(is_local).collect();
        if instructions.iter().filter(|inst| is_local(inst)).count() != locals.len() {
            return Err("a local variable is made late".to_owned());
        }
        for head in loops::heads(self.body) {
            self.mark_turn(head)?;
        }
        define_operands(self.module, start, &instructions)?;
        let entered = self.module.insert_call(start, self.event(ENTER)?, &[]);
        define_locals(self.module, entered, &locals);
        for inst in instructions {
            inst.drop_promises();
            self.define_instruction(inst)?;
        }
        Ok(())
    }

    fn event(&self, name: &str) -> Result<LlvmValue<'m>, String> {
        let found = self.module.function(name);
        found.ok_or_else(|| format!("no substitute is called {name}"))
    }

    /// Notes each turn of a loop behind the choices of values that its first block begins with.
    fn mark_turn(&self, head: LlvmBlock<'m>) -> Result<(), String> {
        let mut instructions = head.instructions();
        let first = instructions.find(|inst| inst.opcode() != Opcode::LLVMPHI);
        let first = first.ok_or("a block has no end")?;
        self.module.insert_call(first, self.event(TURN)?, &[]);
        Ok(())
    }

    fn define_instruction(&self, inst: LlvmValue<'m>) -> Result<(), String> {
        match inst.opcode() {
            Opcode::LLVMUDiv => self.divide(inst, "udiv"),
            Opcode::LLVMSDiv => self.divide(inst, "sdiv"),
            Opcode::LLVMURem => self.divide(inst, "urem"),
            Opcode::LLVMSRem => self.divide(inst, "srem"),
            Opcode::LLVMShl => self.shift(inst, "shl"),
            Opcode::LLVMLShr => self.shift(inst, "lshr"),
            Opcode::LLVMAShr => self.shift(inst, "ashr"),
            Opcode::LLVMLoad if inst.is_plain_access() => {
                self.touch(inst, inst.operand(0), self.size_of(inst))
            }
            Opcode::LLVMStore if inst.is_plain_access() => {
                self.touch(inst, inst.operand(1), self.size_of(inst.operand(0)))
            }
            Opcode::LLVMUnreachable => self.mark_never(inst),
            Opcode::LLVMCall => self.define_call(inst),
            _ => Ok(()),
        }
    }

    fn size_of(&self, value: LlvmValue<'m>) -> LlvmValue<'m> {
        self.module.number(self.module.layout().size(value.ty()))
    }

    fn width(value: LlvmValue<'_>) -> Result<u32, String> {
        match value.ty().kind() {
            LlvmTypeKind::Int(bits) => Ok(bits),
            _ => Err("an operation on no integer".to_owned()),
        }
    }

    /// Most divisors are constants, and no problem.
    fn divide(&self, inst: LlvmValue<'m>, name: &str) -> Result<(), String> {
        let bits = Self::width(inst)?;
        let divisor = inst.operand(1);
        let harmless = divisor.kind() == ValueKind::LLVMConstantIntValueKind
            && divisor.bits() != 0
            && divisor.bits() != u128::MAX >> (128 - bits);
        match harmless {
            true => Ok(()),
            false => self.substitute(inst, &events::operation(name, bits), 2),
        }
    }

    fn shift(&self, inst: LlvmValue<'m>, name: &str) -> Result<(), String> {
        let bits = Self::width(inst)?;
        let distance = inst.operand(1);
        let constant = distance.kind() == ValueKind::LLVMConstantIntValueKind;
        match constant && distance.bits() < u128::from(bits) {
            true => Ok(()),
            false => self.substitute(inst, &events::operation(name, bits), 2),
        }
    }

    /// Puts the call of a substitute in the place of an instruction; its last argument is the place.
    fn substitute(&self, inst: LlvmValue<'m>, name: &str, arguments: u32) -> Result<(), String> {
        let mut arguments: Vec<LlvmValue<'m>> = (0..arguments).map(|i| inst.operand(i)).collect();
        arguments.push(self.module.number(self.places.get()));
        self.places.set(self.places.get() + 1);
        let call = self.module.insert_call(inst, self.event(name)?, &arguments);
        inst.replace_by(call);
        inst.erase();
        Ok(())
    }

    /// Notes an access that may fault.
    fn touch(
        &self,
        inst: LlvmValue<'m>,
        pointer: LlvmValue<'m>,
        size: LlvmValue<'m>,
    ) -> Result<(), String> {
        let known = size.kind() == ValueKind::LLVMConstantIntValueKind;
        let bytes = known.then(|| u64::try_from(size.bits()).ok()).flatten();
        if bytes.is_some_and(|bytes| is_inside(self.module, pointer, bytes)) {
            return Ok(());
        }
        self.module
            .insert_call(inst, self.event(TOUCH)?, &[pointer, size]);
        Ok(())
    }

    /// A function that does not return, it is said, has returned.
    fn mark_never(&self, inst: LlvmValue<'m>) -> Result<(), String> {
        self.module.insert_call(inst, self.event(NEVER)?, &[]);
        self.module.loop_for_ever(inst);
        Ok(())
    }

    fn define_call(&self, call: LlvmValue<'m>) -> Result<(), String> {
        let Some(name) = callee(call).and_then(LlvmValue::intrinsic) else {
            return Ok(());
        };
        match name {
            "llvm.memcpy" | "llvm.memmove" => {
                self.touch(call, call.operand(0), call.operand(2))?;
                self.touch(call, call.operand(1), call.operand(2))
            }
            "llvm.memset" => self.touch(call, call.operand(0), call.operand(2)),
            "llvm.experimental.constrained.fptosi" => self.convert(call, "fptosi"),
            "llvm.experimental.constrained.fptoui" => self.convert(call, "fptoui"),
            _ => Ok(()),
        }
    }

    /// A float that may not fit into the integer.
    fn convert(&self, call: LlvmValue<'m>, name: &str) -> Result<(), String> {
        let bits = Self::width(call)?;
        let LlvmTypeKind::Float(kind) = call.operand(0).ty().kind() else {
            return Err("a conversion of no float".to_owned());
        };
        self.substitute(call, &events::conversion(name, bits, kind.width()), 1)
    }
}
