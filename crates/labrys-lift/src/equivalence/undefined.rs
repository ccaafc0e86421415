//! Values that are not defined: constants that clang could not compute, and what locals hold before
//! they are written. Each becomes a value of its own that nobody knows, so that no compiler can choose
//! one that suits it.

use crate::llvm::{LlvmModule, LlvmValue, Opcode, ValueKind};

/// Does a constant have a part that is not defined?
pub(super) fn contains_undefined(constant: LlvmValue<'_>) -> bool {
    if constant.is_undefined() {
        return true;
    }
    let made_of_others = matches!(
        constant.kind(),
        ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantVectorValueKind
            | ValueKind::LLVMConstantExprValueKind
    );
    made_of_others && (0..constant.operand_count()).any(|i| contains_undefined(constant.operand(i)))
}

/// Gives undefined operands of the instructions values, at the start of the function.
pub(super) fn define_operands(
    module: &LlvmModule<'_>,
    start: LlvmValue<'_>,
    instructions: &[LlvmValue<'_>],
) -> Result<(), String> {
    let mut count = 0;
    for inst in instructions {
        for index in 0..inst.operand_count() {
            let operand = inst.operand(index);
            if !contains_undefined(operand) {
                continue;
            }
            // An aggregate is built from nothing, field by field.
            if inst.opcode() == Opcode::LLVMInsertValue && index == 0 {
                continue;
            }
            if !operand.is_undefined() {
                return Err("a constant is undefined in parts".to_owned());
            }
            let size = module.layout().size(operand.ty());
            let object = module.unknown_constant(&format!("labrys.any.{count}"), size);
            inst.set_operand(index, module.insert_load(start, operand, object));
            count += 1;
        }
    }
    Ok(())
}

/// Fills the locals with what lay there before.
pub(super) fn define_locals(
    module: &LlvmModule<'_>,
    start: LlvmValue<'_>,
    locals: &[LlvmValue<'_>],
) {
    for (number, local) in locals.iter().enumerate() {
        let size = module.layout().size(local.allocated_type());
        let old = module.unknown_constant(&format!("labrys.old.{number}"), size);
        module.insert_copy(start, *local, old, size);
    }
}
