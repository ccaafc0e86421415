//! One function of a unit as a module of its own. All other bodies become declarations: what they do
//! is not known. Variables become declarations, too, since other functions may change them; constants
//! keep their values.

use super::events;
use super::undefined::contains_undefined;
use crate::llvm::{Linkage, LlvmContext, LlvmModule, LlvmValue, Opcode, ValueKind};

/// The function that says which alternative is active.
pub(super) const CHOICE: &str = "labrys_mutant";

/// Variables that only list others.
const LISTS: [&str; 4] = [
    "llvm.used",
    "llvm.compiler.used",
    "llvm.global_ctors",
    "llvm.global_dtors",
];

/// The points of a unit with the functions that they are in. A unit whose functions cannot be taken
/// apart has none.
pub(super) fn points(unit: &LlvmModule<'_>) -> Vec<(u32, String)> {
    let jumps = |function: LlvmValue<'_>| {
        let blocks = function.blocks();
        blocks.into_iter().any(|block| block.has_address_taken())
    };
    let bound = unit.aliases().next().is_some()
        || unit.ifuncs().next().is_some()
        || unit.functions().any(jumps);
    if bound || !unit.is_for_x86_64() {
        return Vec::new();
    }
    let mut found: Vec<(u32, String)> = choices(unit)
        .into_iter()
        .filter_map(|(call, point)| Some((point, call.function()?.name())))
        .collect();
    found.sort();
    found.dedup();
    found
}

/// The calls that choose, with their points.
pub(super) fn choices<'m>(module: &'m LlvmModule<'_>) -> Vec<(LlvmValue<'m>, u32)> {
    let users = module.function(CHOICE).map(LlvmValue::users);
    let calls = users.unwrap_or_default().into_iter();
    let calls = calls.filter(|user| {
        user.kind() == ValueKind::LLVMInstructionValueKind && user.opcode() == Opcode::LLVMCall
    });
    calls
        .map(|call| (call, call.operand(0)))
        .filter(|(_, point)| point.kind() == ValueKind::LLVMConstantIntValueKind)
        .map(|(call, point)| (call, point.bits() as u32))
        .collect()
}

/// The module of one function.
pub(super) fn reduce<'s>(
    session: &'s LlvmContext,
    bytes: &[u8],
    function: &str,
) -> Result<LlvmModule<'s>, String> {
    // Bodies are read when they are linked: only one is.
    let mut unit = session.read(bytes, true)?;
    unit.drop_assembly();
    LISTS.iter().for_each(|name| unit.delete_global(name));
    for other in unit.functions().filter(|f| !f.is_declaration()) {
        other.make_plain();
        other.set_linkage(match other.name() == function {
            true => Linkage::LLVMExternalLinkage,
            false => Linkage::LLVMAvailableExternallyLinkage,
        });
    }
    unit.run_passes(c"elim-avail-extern")?;
    // First come the substitutes: their declarations say more than those of the program.
    let mut module = session.read_text(events::module_text())?;
    module.take_target(&unit);
    module.link(unit)?;
    for (number, global) in module.globals().enumerate() {
        if global.name().is_empty() {
            global.set_name(&format!("labrys.unnamed.{number}"));
        }
        if !global.is_declaration() {
            open(global);
        }
    }
    Ok(module)
}

/// Makes a variable one that others know, too.
fn open(global: LlvmValue<'_>) {
    let replaceable = matches!(
        global.linkage(),
        Linkage::LLVMWeakAnyLinkage
            | Linkage::LLVMLinkOnceAnyLinkage
            | Linkage::LLVMCommonLinkage
            | Linkage::LLVMAppendingLinkage
    );
    let fixed = global.is_global_constant()
        && !replaceable
        && !global.initializer().is_some_and(contains_undefined);
    global.make_plain();
    if fixed {
        global.set_linkage(Linkage::LLVMAvailableExternallyLinkage);
    } else {
        global.drop_initializer();
        global.set_linkage(Linkage::LLVMExternalLinkage);
    }
}
