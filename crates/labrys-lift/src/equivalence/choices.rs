//! The code of one function with some of its choices: the calls that choose become constants, then
//! the function is optimised. What is compared is the form from which a compiler selects the
//! instructions of the machine, without names: that costs half of what comparing objects does.

use super::define::define;
use super::reduce::{choices, reduce};
use crate::llvm::{LlvmContext, LlvmModule};
use std::cell::RefCell;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;

/// What stands for the code of a function: two hashes and its length.
pub(super) type CodeKey = (u64, u64, usize);

/// Substitutes are inlined and locals become values once for all mutants.
const PREPARE: &std::ffi::CStr = c"always-inline,globaldce,function(sroa,early-cse)";

/// What a choice leaves over is dropped once for all mutants of a point. This pass gives the same
/// whether choices are fixed at once or one after the other; others do not, and then the code of an
/// equivalent mutant would be another.
const CLEAN: &std::ffi::CStr = c"function(sccp)";

const OPTIMISE: &std::ffi::CStr = c"function(sccp),default<O2>";

/// A function with all its mutants, all that it does defined.
pub(super) struct FunctionCode<'s> {
    all: LlvmModule<'s>,
    /// The last point that was asked for, and the function in which only that point is open.
    last: RefCell<Option<(u32, LlvmModule<'s>)>>,
}

impl<'s> FunctionCode<'s> {
    pub(super) fn new(
        session: &'s LlvmContext,
        unit: &[u8],
        function: &str,
    ) -> Result<FunctionCode<'s>, String> {
        let mut all = reduce(session, unit, function)?;
        define(&all, function)?;
        session.discard_names();
        all.run_passes(PREPARE)?;
        Ok(FunctionCode {
            all,
            last: RefCell::new(None),
        })
    }

    /// The code with these alternatives active.
    pub(super) fn of(&self, active: &[(u32, u32)]) -> Result<CodeKey, String> {
        let mut module = match active {
            [(point, _)] => self.only(*point)?,
            _ => self.all.copy(),
        };
        fix(&module, |point| {
            let chosen = active.iter().find(|(active, _)| *active == point);
            Some(chosen.map_or(0, |(_, alternative)| *alternative))
        });
        module.run_passes(OPTIMISE)?;
        Ok(key(&module.bytes()))
    }

    /// The function in which only one point is open.
    fn only(&self, point: u32) -> Result<LlvmModule<'s>, String> {
        let mut last = self.last.borrow_mut();
        if let Some((_, module)) = last.as_ref().filter(|(known, _)| *known == point) {
            return Ok(module.copy());
        }
        let mut module = self.all.copy();
        fix(&module, |other| (other != point).then_some(0));
        module.run_passes(CLEAN)?;
        let copy = module.copy();
        *last = Some((point, module));
        Ok(copy)
    }
}

/// Puts constants in the place of choices.
fn fix(module: &LlvmModule<'_>, value: impl Fn(u32) -> Option<u32>) {
    for (call, point) in choices(module) {
        if let Some(value) = value(point) {
            call.replace_by(call.same_type_number(u64::from(value)));
            call.erase();
        }
    }
}

fn key(code: &[u8]) -> CodeKey {
    let hash = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(salt);
        hasher.write(code);
        hasher.finish()
    };
    (hash(0), hash(1), code.len())
}
