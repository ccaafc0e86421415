//! Code that ends in a fault for certain: calls of `labrys_error`, and of functions such as `abort`
//! and `__assert_fail`, which call it and never return.

use super::{Builtin, Target};
use crate::end::FaultKind;
use labrys_ir::{BlockId, Const, FuncId, Function, Inst, Module, Reg, SymbolRef};

/// For every function the fault in which a call of it ends, if it does so for certain.
pub(crate) struct FaultExits {
    kinds: Vec<Option<FaultKind>>,
}

impl FaultExits {
    pub(super) fn new(module: &Module, targets: &[Target]) -> Self {
        let kind = |function: &Function| {
            let returns = |inst: &Inst| matches!(inst, Inst::Return { .. });
            let mut calls = function.code.iter();
            let kind = calls.find_map(|inst| error_call(module, targets, function, inst))?;
            (!function.code.iter().any(returns)).then_some(kind)
        };
        FaultExits {
            kinds: module.functions.iter().map(kind).collect(),
        }
    }

    /// The instruction of a block that ends the path in a fault, whatever comes before it there.
    pub(crate) fn in_block(
        &self,
        module: &Module,
        targets: &[Target],
        function: &Function,
        block: BlockId,
    ) -> Option<(u32, FaultKind)> {
        let block = function.blocks.get(block.index())?;
        (block.start..block.end).find_map(|pc| {
            let inst = function.code.get(pc as usize)?;
            let kind = match callee(inst).map(FuncId::index) {
                Some(callee) => self.kinds.get(callee).copied().flatten(),
                None => None,
            };
            let kind = kind.or_else(|| error_call(module, targets, function, inst));
            kind.map(|kind| (pc, kind))
        })
    }
}

fn callee(inst: &Inst) -> Option<FuncId> {
    match inst {
        Inst::Call { callee, .. } => Some(*callee),
        _ => None,
    }
}

/// The fault that a call of `labrys_error` reports, if the instruction is one.
fn error_call(
    module: &Module,
    targets: &[Target],
    function: &Function,
    inst: &Inst,
) -> Option<FaultKind> {
    let Inst::Call { callee, args, .. } = inst else {
        return None;
    };
    if targets.get(callee.index()) != Some(&Target::Builtin(Builtin::Error)) {
        return None;
    }
    let name = function.list(*args).first();
    let name = name.and_then(|reg| literal(module, function, *reg));
    Some(error_kind(name.unwrap_or_default()))
}

/// The text that a constant register points to, up to its zero byte.
fn literal<'m>(module: &'m Module, function: &Function, reg: Reg) -> Option<&'m [u8]> {
    let mut constants = function.constants.iter();
    let (_, value) = constants.find(|(constant, _)| *constant == reg)?;
    let Const::Symbol(SymbolRef::Global { global, addend }) = value else {
        return None;
    };
    let bytes = &module.globals.get(global.index())?.init;
    let text = bytes.get(usize::try_from(*addend).ok()?..)?;
    text.split(|byte| *byte == 0).next()
}

/// The fault that `labrys_error` reports under this name.
pub(crate) fn error_kind(name: &[u8]) -> FaultKind {
    match name {
        b"assertion" => FaultKind::Assertion,
        b"reach-error" => FaultKind::ReachError,
        _ => FaultKind::Abort,
    }
}
