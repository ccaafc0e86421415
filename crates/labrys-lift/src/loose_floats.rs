//! Floating-point operations that the flags of a build let a compiler change: `-ffast-math` and its
//! parts, and fused instructions, by which GCC rounds `a * b + c` once. What they give rests on the
//! compiler.

use crate::function::{FunctionLifter, ScalarRegs};
use crate::llvm::{LlvmValue, Opcode, ValueKind};

/// The assumption that a compiler computes as the C standard and IEEE 754 have it.
const TEXT: &str = "environment: floating-point flags";

impl<'m> FunctionLifter<'_, 'm> {
    /// What an operation gave, which is an assumption if a compiler may compute it in another way.
    pub(crate) fn unless_loose(&mut self, inst: LlvmValue<'m>, regs: ScalarRegs) -> ScalarRegs {
        if !is_loose(inst) {
            return regs;
        }
        regs.into_iter()
            .map(|reg| self.assumed(reg, TEXT))
            .collect()
    }
}

fn is_loose(inst: LlvmValue<'_>) -> bool {
    if inst.kind() != ValueKind::LLVMInstructionValueKind {
        return false;
    }
    inst.has_fast_math() || may_be_fused(inst.opcode()) && has_fused_instructions(inst)
}

/// A sum, whose operands may be products; calls are those of `llvm.fmuladd`.
fn may_be_fused(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::LLVMFAdd | Opcode::LLVMFSub | Opcode::LLVMCall
    )
}

fn has_fused_instructions(inst: LlvmValue<'_>) -> bool {
    let features = inst.own_function().text_attribute("target-features");
    features.is_some_and(|list| list.split(',').any(|f| matches!(f, "+fma" | "+fma4")))
}
