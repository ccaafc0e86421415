//! Weak symbols of a program of which only a part is here: another unit may define a function that
//! has only a weak definition here, or none. What stands at such an address is then an assumption.
//!
//! Code that Labrys generates calls what it tests, so there the address is that of the definition.

use crate::function::{FunctionLifter, ScalarRegs};
use crate::llvm::{Linkage, LlvmModule, LlvmValue, ValueKind, Visibility};
use crate::{changeable, prepare};
use rustc_hash::FxHashSet;
use smallvec::smallvec;

/// Called where a function is tested, which other units call.
const CALLED_LATER: &str = "labrys_initial_state";
/// The definitions of functions that are not here.
const STUBS: &str = "labrys_stub_";

/// The names of the symbols of a program that another unit may define. A whole program has none.
pub(crate) fn names(program: &LlvmModule<'_>) -> FxHashSet<String> {
    let is_stub = |function: LlvmValue<'_>| function.name().starts_with(STUBS);
    let is_part = program.function(CALLED_LATER).is_some() || program.functions().any(is_stub);
    if !is_part {
        return FxHashSet::default();
    }
    let missing = program.functions().chain(program.globals());
    let missing = missing.filter(|v| v.linkage() == Linkage::LLVMExternalWeakLinkage);
    let weak = prepare::definitions(program).filter(|value| is_replaceable(*value));
    let names = missing.chain(weak).map(LlvmValue::name);
    names
        .filter(|name| !changeable::is_generated(name))
        .collect()
}

/// May the linker take another definition? Inline functions are weak only to Labrys, which makes
/// them protected and not to be profiled, too: all their definitions do the same.
pub(crate) fn is_replaceable(value: LlvmValue<'_>) -> bool {
    let is_weak = matches!(
        value.linkage(),
        Linkage::LLVMWeakAnyLinkage | Linkage::LLVMWeakODRLinkage
    );
    let is_made_weak = || {
        value.visibility() == Visibility::LLVMProtectedVisibility
            && value.kind() == ValueKind::LLVMFunctionValueKind
            && value.is_not_profiled()
    };
    is_weak && !is_made_weak()
}

impl<'m> FunctionLifter<'_, 'm> {
    /// Does this code rest on what the linker takes for the symbol?
    pub(crate) fn may_be_replaced(&self, symbol: LlvmValue<'m>) -> bool {
        !changeable::is_generated(&self.out.name) && self.program.is_replaceable(symbol)
    }

    /// The address of a symbol that another unit may define.
    pub(crate) fn replaceable_address(&mut self, symbol: LlvmValue<'m>) -> Option<ScalarRegs> {
        if !self.program.is_replaceable(symbol) {
            return None;
        }
        let here = self.program.fold_definition(symbol)?.constant();
        let here = self.constant(64, here);
        if !self.may_be_replaced(symbol) {
            return Some(smallvec![here]);
        }
        let text = format!("environment: weak {}", symbol.name());
        Some(smallvec![self.assumed(here, &text)])
    }
}
