//! What must be done with the locals of a function before `mem2reg` makes registers of them.
//!
//! `mem2reg` takes a local that was not written on every way for whatever suits it: `int x; if (c)
//! x = 0;` becomes the constant 0. So each such local is given an opaque value first, which the
//! lifter translates to an uninitialised one. And how many bytes the locals take on the stack of
//! the compiled program is written down, since afterwards they are gone.

use crate::llvm::{LlvmModule, LlvmType, LlvmTypeKind, LlvmValue, Opcode, ValueKind};
use rustc_hash::FxHashSet;

/// The attribute of a function that holds the bytes of its frame.
const FRAME: &str = "labrys-frame";

/// Every call pushes where to return to and the caller's frame pointer.
const CALL_BYTES: u64 = 16;

/// Stack frames are multiples of this many bytes.
const FRAME_ALIGNMENT: u64 = 16;

/// Prepares the locals of all functions.
pub(crate) fn prepare_locals(unit: &LlvmModule<'_>) {
    for function in unit.functions() {
        if function.is_declaration() || frame_bytes(function) != 0 {
            continue;
        }
        let locals = locals(function);
        let bytes: u64 = locals.iter().map(|local| bytes_of(unit, *local)).sum();
        let bytes = CALL_BYTES.saturating_add(bytes.next_multiple_of(FRAME_ALIGNMENT));
        unit.set_text_attribute(function, FRAME, &bytes.to_string());
        mark_uninitialised(unit, function, &locals);
    }
}

/// The bytes that a call of the function takes on the stack at least, if it is compiled without
/// optimisation; 0 if that was not worked out.
pub(crate) fn frame_bytes(function: LlvmValue<'_>) -> u64 {
    let text = function.text_attribute(FRAME);
    text.and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// The stack objects of fixed size.
fn locals<'m>(function: LlvmValue<'m>) -> Vec<LlvmValue<'m>> {
    let Some(entry) = function.blocks().into_iter().next() else {
        return Vec::new();
    };
    let is_fixed = |inst: &LlvmValue<'m>| {
        inst.opcode() == Opcode::LLVMAlloca
            && inst.operand(0).kind() == ValueKind::LLVMConstantIntValueKind
    };
    entry.instructions().filter(is_fixed).collect()
}

fn bytes_of(unit: &LlvmModule<'_>, local: LlvmValue<'_>) -> u64 {
    let count = local.operand(0).bits() as u64;
    unit.layout()
        .size(local.allocated_type())
        .saturating_mul(count)
}

/// Gives an opaque value to the locals that may be read before they are written.
fn mark_uninitialised(unit: &LlvmModule<'_>, function: LlvmValue<'_>, locals: &[LlvmValue<'_>]) {
    let Some(entry) = function.blocks().into_iter().next() else {
        return;
    };
    let mut written = FxHashSet::default();
    let mut read = FxHashSet::default();
    let mut first = None;
    for inst in entry.instructions() {
        match inst.opcode() {
            Opcode::LLVMAlloca => {}
            _ if first.is_none() => first = Some(inst),
            _ => {}
        }
        match inst.opcode() {
            Opcode::LLVMStore if !read.contains(&inst.operand(1)) => {
                written.insert(inst.operand(1));
            }
            Opcode::LLVMLoad => {
                read.insert(inst.operand(0));
            }
            _ => {}
        }
    }
    let Some(first) = first else { return };
    for local in locals {
        if !written.contains(local) && becomes_register(*local) {
            unit.store_opaque(*local, first);
        }
    }
}

/// Does `mem2reg` make a register of it? It is only loaded and stored, as a whole.
fn becomes_register(local: LlvmValue<'_>) -> bool {
    let ty = local.allocated_type();
    let is_whole = |value: LlvmType<'_>| value == ty;
    !matches!(ty.kind(), LlvmTypeKind::Array(_))
        && local.users().into_iter().all(|user| match user.opcode() {
            Opcode::LLVMLoad => is_whole(user.ty()) && !user.is_volatile(),
            Opcode::LLVMStore => {
                user.operand(0) != local && is_whole(user.operand(0).ty()) && !user.is_volatile()
            }
            _ => false,
        })
}
