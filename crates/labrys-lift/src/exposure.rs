//! Finds the global variables to which a pointer of a caller may lead, and the kinds of scalars in
//! them. In comes the user's program before the models of the library join it; out come names.
//!
//! Another file can take the address of a variable with external linkage. The address of a local one
//! is known outside only if the program does something else with it than to load and store.

use crate::llvm::{
    FloatKind, Linkage, LlvmModule, LlvmType, LlvmTypeKind, LlvmValue, Opcode, ValueKind,
};
use labrys_ir::ScalarKinds;
use rustc_hash::FxHashMap;

/// The function that a harness calls for each object that it makes. Where nobody calls it, nothing
/// is to be found out.
pub(crate) const OWN: &str = "labrys_own";

/// Functions of this prefix that are not defined here, unlike stubs, look at an object of the program
/// without telling anybody its address.
const HARNESS_PREFIX: &str = "labrys_";

/// Does the program have a harness that says which objects it makes?
pub(crate) fn has_harness(program: &LlvmModule<'_>) -> bool {
    program.function(OWN).is_some()
}

/// The kinds of scalars in each variable that a pointer from outside may lead to, by name.
pub(crate) fn exposed(program: &LlvmModule<'_>) -> FxHashMap<String, ScalarKinds> {
    if !has_harness(program) {
        return FxHashMap::default();
    }
    let variables = program
        .globals()
        .filter(|value| !value.is_global_constant());
    variables
        .filter(|value| !is_local(*value) || escapes(*value))
        .map(|value| (value.name(), kinds(value.content_type())))
        .collect()
}

fn is_local(value: LlvmValue<'_>) -> bool {
    matches!(
        value.linkage(),
        Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage
    )
}

/// Is an address used for something else than to access what is there?
pub(crate) fn escapes(address: LlvmValue<'_>) -> bool {
    address.users().into_iter().any(|user| {
        let Some(opcode) = user.operation() else {
            return true;
        };
        match opcode {
            Opcode::LLVMLoad => false,
            Opcode::LLVMStore => user.operand(0) == address,
            Opcode::LLVMGetElementPtr => user.operand(0) != address || escapes(user),
            Opcode::LLVMCall => {
                let called = user.called();
                called.kind() != ValueKind::LLVMFunctionValueKind
                    || !(called.intrinsic().is_some() || is_of_runtime(called))
            }
            _ => true,
        }
    })
}

fn is_of_runtime(function: LlvmValue<'_>) -> bool {
    function.is_declaration() && function.name().starts_with(HARNESS_PREFIX)
}

/// The kinds of scalars in a value of this type.
fn kinds(ty: LlvmType<'_>) -> ScalarKinds {
    match ty.kind() {
        LlvmTypeKind::Int(8) => ScalarKinds::BYTES,
        LlvmTypeKind::Int(16) => ScalarKinds::of('s'),
        LlvmTypeKind::Int(32) => ScalarKinds::of('i'),
        LlvmTypeKind::Int(64) => ScalarKinds::of('l'),
        LlvmTypeKind::Float(FloatKind::Single) => ScalarKinds::of('f'),
        LlvmTypeKind::Float(FloatKind::Double) => ScalarKinds::of('d'),
        LlvmTypeKind::Float(FloatKind::Extended) => ScalarKinds::of('x'),
        LlvmTypeKind::Pointer => ScalarKinds::of('p'),
        LlvmTypeKind::Array(_) => kinds(ty.element()),
        // LLVM's type of a union is the type of one member.
        LlvmTypeKind::Struct if !ty.text().starts_with("%union.") => {
            let fields = ty.fields().into_iter().map(kinds);
            fields.fold(ScalarKinds::NONE, ScalarKinds::with)
        }
        _ => ScalarKinds::UNKNOWN,
    }
}
