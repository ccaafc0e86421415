//! Which accesses cannot fault: those inside of a local or global variable. All others are noted, so
//! that an access through a null pointer whose value nobody needs is still seen.

use crate::llvm::{
    Linkage, LlvmModule, LlvmType, LlvmTypeKind, LlvmValue, Opcode, TargetLayout, ValueKind,
};

/// Does an access of so many bytes stay inside of a variable?
pub(super) fn is_inside(module: &LlvmModule<'_>, pointer: LlvmValue<'_>, size: u64) -> bool {
    let layout = module.layout();
    let Some((base, offset)) = base_of(layout, pointer, 0) else {
        return false;
    };
    let whole = match base.kind() {
        ValueKind::LLVMInstructionValueKind if base.opcode() == Opcode::LLVMAlloca => {
            layout.size(base.allocated_type())
        }
        // What is weak may be missing.
        ValueKind::LLVMGlobalVariableValueKind
            if base.linkage() != Linkage::LLVMExternalWeakLinkage =>
        {
            layout.size(base.content_type())
        }
        _ => return false,
    };
    offset.checked_add(size).is_some_and(|end| end <= whole)
}

/// The object that a pointer leads into, and how far.
fn base_of<'m>(
    layout: TargetLayout<'m>,
    pointer: LlvmValue<'m>,
    offset: u64,
) -> Option<(LlvmValue<'m>, u64)> {
    let computed = matches!(
        pointer.kind(),
        ValueKind::LLVMInstructionValueKind | ValueKind::LLVMConstantExprValueKind
    );
    if !computed || pointer.opcode() != Opcode::LLVMGetElementPtr {
        return Some((pointer, offset));
    }
    let mut offset = offset;
    let mut inside: LlvmType<'m> = pointer.gep_type();
    for index in 1..pointer.operand_count() {
        let number = pointer.operand(index);
        if number.kind() != ValueKind::LLVMConstantIntValueKind {
            return None;
        }
        let number = u64::try_from(number.bits()).ok()?;
        let step = if index == 1 {
            number.checked_mul(layout.size(inside))?
        } else {
            match inside.kind() {
                LlvmTypeKind::Struct => {
                    let step = layout.field_offset(inside, number as u32);
                    inside = inside.field(number as u32);
                    step
                }
                LlvmTypeKind::Array(_) => {
                    inside = inside.element();
                    number.checked_mul(layout.size(inside))?
                }
                _ => return None,
            }
        };
        offset = offset.checked_add(step)?;
    }
    base_of(layout, pointer.operand(0), offset)
}
