//! Values that something outside of the program decides, which the IR marks as assumed: what volatile
//! objects hold, where a function returns to, whether an allocation has succeeded.

use crate::function::{FunctionLifter, ScalarRegs};
use crate::llvm::{LlvmTypeKind, LlvmValue, Opcode, ValueKind};
use labrys_ir::{Inst, IntrinsicOp, Reg};

/// What all models that allocate call; without it no allocation is in the program.
const ALLOCATION: [&str; 2] = ["labrys_malloc", "labrys_malloc_aligned"];

/// The standard streams, which a program may set.
const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

impl<'m> FunctionLifter<'_, 'm> {
    /// The value, which rests on the assumption of this text.
    pub(crate) fn assumed(&mut self, value: Reg, text: &str) -> Reg {
        let text = self.program.text(text);
        let text = self.int(32, u128::from(text.0));
        let width = self.out.width(value);
        self.intrinsic(IntrinsicOp::Assumed, &[value, text], width)
    }

    /// What was read by an instruction, which is an assumption if it is volatile.
    pub(crate) fn unless_volatile(
        &mut self,
        inst: LlvmValue<'m>,
        place: LlvmValue<'m>,
        regs: ScalarRegs,
    ) -> ScalarRegs {
        if !inst.is_volatile() {
            return regs;
        }
        let text = format!("environment: volatile {}", object_name(place));
        regs.into_iter()
            .map(|reg| self.assumed(reg, &text))
            .collect()
    }

    /// A volatile object was copied as a whole: the bytes themselves cannot be marked, so the run
    /// rests on the assumption from here.
    pub(crate) fn copied_from_volatile(&mut self, place: LlvmValue<'m>) {
        let text = format!("environment: volatile {}", object_name(place));
        let text = self.program.text(&text);
        let text = self.int(32, u128::from(text.0));
        let args = self.out.add_list(&[text]);
        let results = self.out.add_list(&[]);
        self.emit(Inst::Intrinsic {
            op: IntrinsicOp::RestOn,
            args,
            results,
        });
    }

    /// Two addresses are about to be compared.
    pub(crate) fn pointers_are_compared(&mut self, inst: LlvmValue<'m>, a: &[Reg], b: &[Reg]) {
        let operands = [inst.operand(0), inst.operand(1)];
        let is_pointer = operands[0].ty().kind() == LlvmTypeKind::Pointer;
        let is_unsure = is_pointer && operands.iter().any(|operand| !is_fixed(*operand));
        let unit = self.program.unit;
        let allocates = || ALLOCATION.iter().any(|name| unit.function(name).is_some());
        let has_streams = || STREAMS.iter().any(|name| unit.global(name).is_some());
        if !is_unsure || !(allocates() || has_streams()) {
            return;
        }
        for (a, b) in a.iter().zip(b) {
            let args = self.out.add_list(&[*a, *b]);
            let results = self.out.add_list(&[]);
            self.emit(Inst::Intrinsic {
                op: IntrinsicOp::ComparePointers,
                args,
                results,
            });
        }
    }
}

/// Null, or the address of something that was not allocated.
fn is_fixed(pointer: LlvmValue<'_>) -> bool {
    match pointer.kind() {
        ValueKind::LLVMInstructionValueKind => pointer.opcode() == Opcode::LLVMAlloca,
        ValueKind::LLVMArgumentValueKind => false,
        _ => true,
    }
}

/// The variable that an address belongs to, if it has a name.
fn object_name(mut place: LlvmValue<'_>) -> String {
    while matches!(
        place.kind(),
        ValueKind::LLVMInstructionValueKind | ValueKind::LLVMConstantExprValueKind
    ) && place.opcode() == Opcode::LLVMGetElementPtr
    {
        place = place.operand(0);
    }
    match place.name() {
        name if name.is_empty() || !is_variable(place) => "object".to_owned(),
        name => name,
    }
}

fn is_variable(place: LlvmValue<'_>) -> bool {
    place.kind() == ValueKind::LLVMGlobalVariableValueKind
        || place.kind() == ValueKind::LLVMInstructionValueKind
            && place.opcode() == Opcode::LLVMAlloca
}
