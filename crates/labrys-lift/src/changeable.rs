//! Which variables of a program can change while it runs. In comes the linked program before
//! anything is dropped from it, out come the names of the variables that somebody may write.
//!
//! A constant never changes. A variable that other units know may be written by code that is not
//! here. One that only its unit knows changes only if the unit stores something else than its initial
//! value to it or lets its address go somewhere else than into loads.

use crate::llvm::{Linkage, LlvmModule, LlvmValue, Opcode, ValueKind};
use crate::replaceable::is_replaceable;
use crate::settled;
use rustc_hash::FxHashSet;

/// Variables with names like this are of a harness, not of the program; but `main` has become
/// `labrys_main`, and the program's own library functions have other names, too.
const GENERATED: &str = "labrys_";
const RENAMED: [&str; 2] = ["labrys_main", "labrys_own_"];

/// The names of the variables that can change.
pub(crate) fn names(program: &LlvmModule<'_>) -> FxHashSet<String> {
    let variables = program.globals().filter(|v| !v.is_declaration());
    variables
        .filter(|variable| !variable.is_global_constant() && can_change(*variable))
        .map(LlvmValue::name)
        .filter(|name| !is_generated(name))
        .collect()
}

pub(crate) fn is_generated(name: &str) -> bool {
    name.starts_with(GENERATED) && !RENAMED.iter().any(|prefix| name.starts_with(prefix))
}

fn can_change(variable: LlvmValue<'_>) -> bool {
    let local = matches!(
        variable.linkage(),
        Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage
    );
    !local || is_written(variable) && !settled::holds_initial_value(variable)
}

/// Follows an address: is it stored to, or does it go where nobody looks?
fn is_written(variable: LlvmValue<'_>) -> bool {
    let mut seen = FxHashSet::from_iter([variable]);
    let mut open = vec![variable];
    while let Some(address) = open.pop() {
        for (user, operand) in address.uses() {
            match follow(user, operand) {
                AddressUse::Reads => {}
                AddressUse::Changes => return true,
                AddressUse::IsIn(others) => {
                    open.extend(others.into_iter().filter(|other| seen.insert(*other)));
                }
            }
        }
    }
    false
}

/// What somebody does with an address.
enum AddressUse<'m> {
    Reads,
    Changes,
    /// These values are, or may be, the address as well.
    IsIn(Vec<LlvmValue<'m>>),
}

fn follow(user: LlvmValue<'_>, operand: u32) -> AddressUse<'_> {
    let kind = user.kind();
    let expression = kind == ValueKind::LLVMConstantExprValueKind;
    if !expression && kind != ValueKind::LLVMInstructionValueKind {
        // In the initial value of something.
        return AddressUse::Changes;
    }
    match user.opcode() {
        Opcode::LLVMGetElementPtr if operand == 0 => AddressUse::IsIn(vec![user]),
        Opcode::LLVMBitCast | Opcode::LLVMPHI | Opcode::LLVMSelect => AddressUse::IsIn(vec![user]),
        Opcode::LLVMLoad | Opcode::LLVMICmp => AddressUse::Reads,
        Opcode::LLVMStore if operand == 0 => match kept_in_local(user.operand(1)) {
            Some(loads) => AddressUse::IsIn(loads),
            None => AddressUse::Changes,
        },
        Opcode::LLVMCall => follow_call(user, operand),
        _ => AddressUse::Changes,
    }
}

/// What is read from a local variable that is only read and written as a whole.
fn kept_in_local(place: LlvmValue<'_>) -> Option<Vec<LlvmValue<'_>>> {
    let is_local =
        place.kind() == ValueKind::LLVMInstructionValueKind && place.opcode() == Opcode::LLVMAlloca;
    if !is_local {
        return None;
    }
    let mut loads = Vec::new();
    for (user, operand) in place.uses() {
        match user.opcode() {
            Opcode::LLVMLoad => loads.push(user),
            Opcode::LLVMStore if operand == 1 => {}
            Opcode::LLVMCall if is_marker(user.called()) => {}
            _ => return None,
        }
    }
    Some(loads)
}

/// Markers of the life of a local, and debug information.
fn is_marker(callee: LlvmValue<'_>) -> bool {
    let is_function = callee.kind() == ValueKind::LLVMFunctionValueKind;
    let name = callee.intrinsic().filter(|_| is_function);
    name.is_some_and(|name| name.starts_with("llvm.lifetime.") || name.starts_with("llvm.dbg."))
}

fn follow_call(call: LlvmValue<'_>, operand: u32) -> AddressUse<'_> {
    let callee = call.called();
    if callee.kind() != ValueKind::LLVMFunctionValueKind {
        return AddressUse::Changes;
    }
    if let Some(intrinsic) = callee.intrinsic() {
        let copies = intrinsic.starts_with("llvm.memcpy") || intrinsic.starts_with("llvm.memmove");
        return match copies && operand == 1 {
            true => AddressUse::Reads,
            false => AddressUse::Changes,
        };
    }
    // A harness makes it an input, or an output. Stubs are defined, and are followed.
    if callee.is_declaration() && is_generated(&callee.name()) {
        return AddressUse::Reads;
    }
    let params = callee.params();
    let is_known = !callee.is_declaration() && !is_replaceable(callee);
    match params.get(operand as usize) {
        Some(param) if is_known => AddressUse::IsIn(vec![*param]),
        _ => AddressUse::Changes,
    }
}
