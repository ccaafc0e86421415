//! Calls: direct, through pointers and aliases, with arguments passed by value, and calls whose
//! type is not that of the function (K&R declarations).

use crate::error::{LiftResult, UnsupportedConstruct};
use crate::function::{FunctionLifter, ScalarRegs};
use crate::llvm::{LlvmType, LlvmValue, ValueKind};
use crate::program::Signature;
use labrys_ir::{CmpOp, FuncId, Inst, IntrinsicOp, Reg};
use smallvec::smallvec;

/// An argument of a call.
pub(crate) struct CallArgument<'m> {
    pub(crate) regs: ScalarRegs,
    pub(crate) ty: LlvmType<'m>,
    /// The pointed-to type and its alignment if the object itself is passed.
    pub(crate) by_value: Option<(LlvmType<'m>, u64)>,
}

impl<'m> FunctionLifter<'_, 'm> {
    pub(crate) fn call(&mut self, inst: LlvmValue<'m>) -> LiftResult<()> {
        let called = self.behind_aliases(inst.called());
        match called.kind() {
            // What is not certain is called as what a pointer leads to.
            _ if self.may_be_replaced(called) => self.indirect_call(inst, called),
            ValueKind::LLVMInlineAsmValueKind => self.inline_assembly(inst, called),
            ValueKind::LLVMFunctionValueKind => {
                if let Some(name) = called.intrinsic() {
                    return self.llvm_intrinsic(inst, name);
                }
                if called.is_declaration() && self.non_local_jump(inst, &called.name())? {
                    return Ok(());
                }
                let id = self.program.function(called);
                self.direct_call(inst, id, called.content_type())?;
                if let Some(regs) = self.values.remove(&inst) {
                    let regs = self.unless_unsure(inst, called, regs);
                    self.values.insert(inst, regs);
                }
                Ok(())
            }
            _ => self.indirect_call(inst, called),
        }
    }

    fn behind_aliases(&mut self, mut called: LlvmValue<'m>) -> LlvmValue<'m> {
        while called.kind() == ValueKind::LLVMGlobalAliasValueKind && !self.may_be_replaced(called)
        {
            called = called.aliasee();
        }
        called
    }

    /// `setjmp` and `longjmp` in all their names.
    fn non_local_jump(&mut self, inst: LlvmValue<'m>, name: &str) -> LiftResult<bool> {
        match name {
            "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" if inst.argument_count() >= 1 => {
                let buffer = self.scalar_operand(inst.operand(0))?;
                let result = self.intrinsic(IntrinsicOp::SetJmp, &[buffer], 32);
                self.values.insert(inst, smallvec![result]);
                Ok(true)
            }
            "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk"
                if inst.argument_count() == 2 =>
            {
                let buffer = self.scalar_operand(inst.operand(0))?;
                let value = self.scalar_operand(inst.operand(1))?;
                let value = self.resize(value, 32);
                // `longjmp(b, 0)` makes `setjmp` return 1.
                let (zero, one) = (self.int(32, 0), self.int(32, 1));
                let is_zero = self.cmp(CmpOp::Eq, 32, value, zero);
                let value = self.select(is_zero, one, value);
                self.long_jump(buffer, value);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    pub(crate) fn long_jump(&mut self, buffer: Reg, value: Reg) {
        let args = self.out.add_list(&[buffer, value]);
        let results = self.out.add_list(&[]);
        self.emit(Inst::Intrinsic {
            op: IntrinsicOp::LongJmp,
            args,
            results,
        });
    }

    fn arguments(&mut self, inst: LlvmValue<'m>) -> LiftResult<Vec<CallArgument<'m>>> {
        let by_value = self.program.attributes.by_value;
        let align = self.program.attributes.align;
        let mut arguments = Vec::new();
        for i in 0..inst.argument_count() {
            let operand = inst.operand(i);
            let object = inst.by_value(i, by_value).map(|ty| {
                let align = inst.call_attribute(i, align).unwrap_or(1);
                (ty, align)
            });
            arguments.push(CallArgument {
                regs: self.get(operand)?,
                ty: operand.ty(),
                by_value: object,
            });
        }
        Ok(arguments)
    }

    fn direct_call(&mut self, inst: LlvmValue<'m>, id: FuncId, ty: LlvmType<'m>) -> LiftResult<()> {
        let signature = self.program.signature(ty)?;
        let fixed = ty.params().len();
        let written = inst.called_type();
        let mut args = self.passed_registers(inst, &signature, fixed)?;
        if written != ty {
            args = self.adapted_arguments(&args, &signature);
        }
        let results: ScalarRegs = signature.results.iter().map(|w| self.reg(*w)).collect();
        let arg_list = self.out.add_list(&args);
        let result_list = self.out.add_list(&results);
        self.emit(Inst::Call {
            callee: id,
            args: arg_list,
            results: result_list,
        });
        let results = if written.result() == ty.result() {
            results
        } else {
            self.adapt_results(&results, written.result())?
        };
        self.values.insert(inst, results);
        Ok(())
    }

    fn indirect_call(&mut self, inst: LlvmValue<'m>, called: LlvmValue<'m>) -> LiftResult<()> {
        let ty = inst.called_type();
        let signature = self.program.signature(ty)?;
        let args = self.passed_registers(inst, &signature, ty.params().len())?;
        let target = self.scalar_operand(called)?;
        let results: ScalarRegs = signature.results.iter().map(|w| self.reg(*w)).collect();
        let args = self.out.add_list(&args);
        let list = self.out.add_list(&results);
        self.emit(Inst::CallPointer {
            target,
            args,
            results: list,
        });
        self.values.insert(inst, results);
        Ok(())
    }

    /// Registers to be passed: the fixed arguments, then the area of the variable ones if the
    /// signature has one.
    fn passed_registers(
        &mut self,
        inst: LlvmValue<'m>,
        signature: &Signature,
        fixed: usize,
    ) -> LiftResult<Vec<Reg>> {
        let arguments = self.arguments(inst)?;
        let fixed = if signature.variadic {
            fixed.min(arguments.len())
        } else {
            arguments.len()
        };
        let (fixed, variable) = arguments.split_at(fixed);
        let mut args = Vec::new();
        for argument in fixed {
            match argument.by_value {
                Some((ty, align)) => args.push(self.copy_of(argument.regs[0], ty, align)?),
                None => args.extend_from_slice(&argument.regs),
            }
        }
        if signature.variadic {
            args.push(self.variable_area(variable)?);
        }
        Ok(args)
    }

    /// A copy of an object that is passed by value.
    fn copy_of(&mut self, object: Reg, ty: LlvmType<'m>, align: u64) -> LiftResult<Reg> {
        let size = self.program.layout.size(ty);
        let size32 = u32::try_from(size)
            .map_err(|_| UnsupportedConstruct(format!("an argument of {size} bytes")))?;
        let element = crate::scalar_parts::uniform_element(self.program.layout, ty);
        let align = u16::try_from(align.max(1)).unwrap_or(16);
        let copy = self.entry_object(size32, align, u16::try_from(element).unwrap_or(0));
        self.copy_bytes(copy, object, size);
        Ok(copy)
    }

    /// Arguments of a call that does not know the function's type: missing ones are undefined,
    /// others are cut or extended.
    fn adapted_arguments(&mut self, args: &[Reg], signature: &Signature) -> Vec<Reg> {
        let mut args = args;
        let mut fitted = Vec::new();
        let mut hidden = None;
        if signature.variadic
            && let Some((last, rest)) = args.split_last()
        {
            hidden = Some(*last);
            args = rest;
        }
        for (i, width) in signature.params.iter().enumerate() {
            fitted.push(match args.get(i) {
                Some(reg) => self.resize(*reg, *width),
                None => self.undef(*width),
            });
        }
        fitted.extend(hidden);
        fitted
    }

    fn adapt_results(&mut self, results: &[Reg], ty: LlvmType<'m>) -> LiftResult<ScalarRegs> {
        let shape = self.program.shape(ty)?;
        Ok(shape
            .parts
            .iter()
            .enumerate()
            .map(|(i, leaf)| match results.get(i) {
                Some(reg) => self.resize(*reg, leaf.width),
                None => self.undef(leaf.width),
            })
            .collect())
    }
}
