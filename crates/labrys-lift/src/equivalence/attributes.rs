//! What LLVM may believe of functions: how they are called, and nothing of what they do. That a
//! function is pure, never returns or gets no null pointers is a promise that a program can break.

use super::events::is_event;
use crate::llvm::{AttributeName, LlvmContext, LlvmModule, LlvmValue, Opcode, ValueKind};

/// Attributes that say how values are passed and how code is written.
const KEPT: [&str; 17] = [
    "byval",
    "sret",
    "inreg",
    "zeroext",
    "signext",
    "byref",
    "nest",
    "elementtype",
    "inalloca",
    "preallocated",
    "naked",
    "strictfp",
    "noredzone",
    "uwtable",
    "ssp",
    "sspstrong",
    "sspreq",
];

/// The same for attributes that are texts: the processor, and that names mean nothing.
const KEPT_TEXTS: [&str; 5] = [
    "target-cpu",
    "target-features",
    "tune-cpu",
    "no-builtins",
    "min-legal-vector-width",
];

/// Forgets all promises about the function, about those that it calls, and about the calls.
pub(super) fn drop_promises(module: &LlvmModule<'_>, function: LlvmValue<'_>) {
    let kept = kinds(module.session());
    let keep = |_: bool, name: &AttributeName| match name {
        AttributeName::Known(kind) => kept.contains(kind),
        AttributeName::Text(text) => KEPT_TEXTS.contains(&text.as_str()),
    };
    for one in module.functions() {
        if one.intrinsic().is_none() && !is_event(&one.name()) {
            one.retain_attributes(&keep);
        }
    }
    for block in function.blocks() {
        for call in block.instructions().filter(|i| is_call(*i)) {
            call.retain_attributes(&keep);
        }
    }
    // Otherwise a pointer that was read is not null from there on.
    module.set_attribute(function, "null_pointer_is_valid");
}

pub(super) fn is_call(inst: LlvmValue<'_>) -> bool {
    inst.opcode() == Opcode::LLVMCall
}

/// The function that a call names.
pub(super) fn callee<'m>(call: LlvmValue<'m>) -> Option<LlvmValue<'m>> {
    let called = call.called();
    (called.kind() == ValueKind::LLVMFunctionValueKind).then_some(called)
}

fn kinds(session: &LlvmContext) -> Vec<u32> {
    KEPT.iter().map(|name| session.attribute(name)).collect()
}
