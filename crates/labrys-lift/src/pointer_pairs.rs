//! Pairs of pointers that the program compares or subtracts. The comparison itself is one of numbers;
//! an operation before it tells the engine that its operands are pointers, so that it can see whether
//! the outcome rests on where objects lie.

use crate::function::FunctionLifter;
use crate::llvm::{LlvmTypeKind, LlvmValue, ValueKind};
use labrys_ir::{Inst, IntrinsicOp, Reg};

impl<'m> FunctionLifter<'_, 'm> {
    /// Tells of the operands `a` and `b` of a comparison or subtraction, if they are pointers and
    /// neither is a null pointer.
    pub(crate) fn pointer_pair(
        &mut self,
        value: LlvmValue<'m>,
        op: IntrinsicOp,
        a: &[Reg],
        b: &[Reg],
    ) {
        let operands = [value.operand(0), value.operand(1)];
        let (&[a], &[b]) = (a, b) else { return };
        if !operands.into_iter().all(|operand| self.is_address(operand))
            || [a, b].into_iter().any(|reg| self.out.width(reg) != 64)
        {
            return;
        }
        let args = self.out.add_list(&[a, b]);
        let results = self.out.add_list(&[]);
        self.emit(Inst::Intrinsic { op, args, results });
    }

    /// A pointer, or a pointer as a number.
    fn is_address(&self, value: LlvmValue<'m>) -> bool {
        match value.ty().kind() {
            LlvmTypeKind::Pointer => value.kind() != ValueKind::LLVMConstantPointerNullValueKind,
            LlvmTypeKind::Int(64) => self.program.address_numbers.contains(value),
            _ => false,
        }
    }
}
