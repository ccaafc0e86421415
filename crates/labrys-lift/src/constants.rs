//! Constant operands as registers: scalars directly, aggregates scalar by scalar, and the rest
//! as instructions right before the use.

use crate::error::{LiftResult, unsupported};
use crate::function::{FunctionLifter, ScalarRegs};
use crate::llvm::{LlvmTypeKind, LlvmValue, ValueKind};
use labrys_ir::{Const, Inst};
use smallvec::smallvec;

impl<'m> FunctionLifter<'_, 'm> {
    pub(crate) fn constant_regs(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let ty = value.ty();
        match value.kind() {
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => {
                return self.undef_of(ty);
            }
            ValueKind::LLVMConstantAggregateZeroValueKind => {
                let shape = self.program.shape(ty)?;
                return Ok(shape
                    .parts
                    .iter()
                    .map(|leaf| self.constant(leaf.width, Const::Int(0)))
                    .collect());
            }
            ValueKind::LLVMConstantExprValueKind => {
                if let Some(regs) = self.folded(value)? {
                    return Ok(regs);
                }
                return self.operation(value);
            }
            _ => {}
        }
        let count = match ty.kind() {
            LlvmTypeKind::Array(length) => length as u32,
            LlvmTypeKind::Vector(length) => length,
            LlvmTypeKind::Struct => ty.fields().len() as u32,
            _ => return self.constant_scalar(value),
        };
        // Also refuses what is too long to be expanded.
        self.program.shape(ty)?;
        let mut regs = ScalarRegs::new();
        for i in 0..count {
            if let Some(element) = value.element(i) {
                regs.extend(self.get(element)?);
            }
        }
        Ok(regs)
    }

    fn folded(&mut self, value: LlvmValue<'m>) -> LiftResult<Option<ScalarRegs>> {
        let shape = self.program.shape(value.ty())?;
        let [leaf] = shape.parts.as_slice() else {
            return Ok(None);
        };
        let folded = self.program.fold(value);
        Ok(folded.map(|folded| smallvec![self.constant(leaf.width, folded.constant())]))
    }

    fn constant_scalar(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        if let Some(regs) = self.folded(value)? {
            return Ok(regs);
        }
        if let Some(address) = self.replaceable_address(value) {
            return Ok(address);
        }
        match value.kind() {
            ValueKind::LLVMGlobalAliasValueKind => self.get(value.aliasee()),
            // Which function an ifunc stands for is asked each time it is used.
            ValueKind::LLVMGlobalIFuncValueKind => {
                let Some(resolver) = value.resolver() else {
                    return unsupported(format!("the ifunc {}", value.name()));
                };
                let callee = self.program.function(resolver);
                let address = self.reg(64);
                let args = self.out.add_list(&[]);
                let results = self.out.add_list(&[address]);
                self.emit(Inst::Call {
                    callee,
                    args,
                    results,
                });
                Ok(smallvec![address])
            }
            _ => unsupported(format!("the constant {}", value.text())),
        }
    }
}
