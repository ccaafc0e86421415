//! What can be compared: functions whose instructions are all known to be defined once [`super::define`]
//! has been over them. All others are left alone.

use super::attributes::{callee, is_call};
use crate::llvm::{FloatKind, LlvmModule, LlvmType, LlvmTypeKind, LlvmValue, Opcode, ValueKind};

/// Intrinsics that are defined for all arguments, and change only what they say.
const INTRINSICS: [&str; 30] = [
    "llvm.memcpy",
    "llvm.memmove",
    "llvm.memset",
    "llvm.va_start",
    "llvm.va_end",
    "llvm.va_copy",
    "llvm.trap",
    "llvm.debugtrap",
    "llvm.expect",
    "llvm.bswap",
    "llvm.bitreverse",
    "llvm.ctpop",
    "llvm.fshl",
    "llvm.fshr",
    "llvm.sadd.with.overflow",
    "llvm.ssub.with.overflow",
    "llvm.smul.with.overflow",
    "llvm.uadd.with.overflow",
    "llvm.usub.with.overflow",
    "llvm.umul.with.overflow",
    "llvm.smax",
    "llvm.smin",
    "llvm.umax",
    "llvm.umin",
    "llvm.fabs",
    "llvm.copysign",
    "llvm.is.fpclass",
    "llvm.prefetch",
    "llvm.threadlocal.address",
    "llvm.debugtrap",
];

/// Those whose second argument, if it is not zero, makes some results undefined.
const WITH_SWITCH: [&str; 3] = ["llvm.abs", "llvm.ctlz", "llvm.cttz"];

/// Floating-point operations in C's order and with C's exceptions.
const FLOATS: &str = "llvm.experimental.constrained.";

/// Those of them whose results are not defined for all arguments, and which have no substitute.
const ROUNDED: [&str; 4] = ["lrint", "llrint", "lround", "llround"];

/// Why a function cannot be compared, if so.
pub(super) fn check(module: &LlvmModule<'_>, function: LlvmValue<'_>) -> Result<(), String> {
    let twice = module.session().attribute("returns_twice");
    for (number, block) in function.blocks().into_iter().enumerate() {
        for inst in block.instructions() {
            check_opcode(inst, number)?;
            check_type(inst.ty())?;
            for index in 0..inst.operand_count() {
                check_type(inst.operand(index).ty())?;
            }
            if is_call(inst) {
                check_call(inst, twice)?;
            }
        }
    }
    Ok(())
}

fn check_opcode(inst: LlvmValue<'_>, block: usize) -> Result<(), String> {
    use Opcode::*;
    match inst.opcode() {
        LLVMAlloca => {
            let fixed = inst.operand(0).kind() == ValueKind::LLVMConstantIntValueKind;
            let one = fixed && inst.operand(0).bits() == 1;
            match block == 0 && one {
                true => Ok(()),
                false => Err("an array of variable length".to_owned()),
            }
        }
        // Compiled code goes on somewhere.
        LLVMUnreachable if !inst.previous().is_some_and(is_call) => {
            Err("a place that is said not to be reached".to_owned())
        }
        LLVMRet | LLVMBr | LLVMSwitch | LLVMUnreachable | LLVMCall | LLVMAdd | LLVMSub
        | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr
        | LLVMAnd | LLVMOr | LLVMXor | LLVMLoad | LLVMStore | LLVMGetElementPtr | LLVMTrunc
        | LLVMZExt | LLVMSExt | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast | LLVMICmp | LLVMPHI
        | LLVMSelect | LLVMExtractValue | LLVMInsertValue | LLVMFence | LLVMAtomicCmpXchg
        | LLVMAtomicRMW | LLVMFNeg | LLVMFreeze => Ok(()),
        other => Err(format!("an instruction of the kind {other:?}")),
    }
}

fn check_type(ty: LlvmType<'_>) -> Result<(), String> {
    match ty.kind() {
        LlvmTypeKind::Vector(_) => Err("a vector".to_owned()),
        LlvmTypeKind::Float(FloatKind::Half | FloatKind::Brain) => Err("a short float".to_owned()),
        LlvmTypeKind::Int(bits) if !matches!(bits, 1 | 8 | 16 | 32 | 64 | 128) => {
            Err(format!("an integer of {bits} bits"))
        }
        _ => Ok(()),
    }
}

fn check_call(call: LlvmValue<'_>, twice: u32) -> Result<(), String> {
    let Some(called) = callee(call) else {
        return Ok(());
    };
    let name = called.name();
    if called.has_attribute(twice) || name.contains("setjmp") || name == "vfork" {
        return Err(format!("a call of {name}"));
    }
    let Some(intrinsic) = called.intrinsic() else {
        return Ok(());
    };
    let float = intrinsic.strip_prefix(FLOATS);
    let known = INTRINSICS.contains(&intrinsic)
        || float.is_some_and(|kind| !ROUNDED.contains(&kind))
        || (WITH_SWITCH.contains(&intrinsic) && call.operand(1).is_null());
    match known {
        true => Ok(()),
        false => Err(format!("a call of {intrinsic}")),
    }
}
