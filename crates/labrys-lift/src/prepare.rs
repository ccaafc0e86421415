//! From bitcode files to one linked LLVM module that holds only what the kept symbols need.
//!
//! Only passes that keep every annotation call and every run-time error are run. `mem2reg` is
//! such a pass, since it touches only locals whose address is never computed with; `sroa` is not
//! (it drops accesses outside of a local array), and neither is dead code elimination (it drops
//! loads through null pointers whose value is not used).

use crate::error::LiftError;
use crate::llvm::{Linkage, Opcode, Session, Unit, Value, ValueKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};

/// Reads, links and prunes. Later files may hold weak definitions, which are taken only where
/// they are needed.
pub(crate) fn prepare<'s>(
    session: &'s Session,
    files: &[PathBuf],
    keep: &[String],
) -> Result<Unit<'s>, LiftError> {
    let keep: FxHashSet<&str> = keep.iter().map(String::as_str).collect();
    let mut defined: FxHashMap<String, PathBuf> = FxHashMap::default();
    let mut linked: Option<Unit<'s>> = None;
    for path in files {
        let unit = read(session, path, linked.is_some())?;
        check_duplicates(&unit, path, &mut defined)?;
        match &mut linked {
            None => linked = Some(unit),
            Some(linked) => {
                take_on_demand(&unit, &keep);
                linked.link(unit).map_err(|reason| LiftError::Link {
                    path: path.clone(),
                    reason,
                })?;
            }
        }
    }
    let mut linked = linked.ok_or(LiftError::Nothing)?;
    if !linked.layout().is_supported() {
        return Err(LiftError::Target);
    }
    if linked.has_assembly() {
        tracing::warn!("assembly outside of functions is ignored");
    }
    linked.delete_global("llvm.used");
    linked.delete_global("llvm.compiler.used");
    if !keep.is_empty() {
        hide(&linked, &keep);
    }
    protect_setjmp(&linked);
    linked
        .run_passes(c"globaldce,function(mem2reg)")
        .map_err(|reason| LiftError::Prepare { reason })?;
    linked
        .verify()
        .map_err(|reason| LiftError::Prepare { reason })?;
    Ok(linked)
}

/// A unit with strong definitions is the user's and is checked in full. A library of weak
/// definitions is read on demand, function by function, if it is to be linked into another.
fn read<'s>(session: &'s Session, path: &Path, on_demand: bool) -> Result<Unit<'s>, LiftError> {
    let bytes = std::fs::read(path).map_err(|source| LiftError::Read {
        path: path.to_owned(),
        source,
    })?;
    let invalid = |reason: String| LiftError::Bitcode {
        path: path.to_owned(),
        reason,
    };
    if on_demand {
        let unit = session.read(&bytes, true).map_err(invalid)?;
        if definitions(&unit).all(|value| is_weak(value) || is_local(value)) {
            return Ok(unit);
        }
    }
    let unit = session.read(&bytes, false).map_err(invalid)?;
    unit.verify().map_err(invalid)?;
    Ok(unit)
}

fn definitions<'u>(unit: &'u Unit<'_>) -> impl Iterator<Item = Value<'u>> {
    unit.functions()
        .chain(unit.globals())
        .chain(unit.aliases())
        .chain(unit.ifuncs())
        .filter(|value| !value.is_declaration())
}

fn is_weak(value: Value<'_>) -> bool {
    matches!(
        value.linkage(),
        Linkage::LLVMWeakAnyLinkage
            | Linkage::LLVMWeakODRLinkage
            | Linkage::LLVMLinkOnceAnyLinkage
            | Linkage::LLVMLinkOnceODRLinkage
    )
}

fn is_local(value: Value<'_>) -> bool {
    matches!(
        value.linkage(),
        Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage
    )
}

fn check_duplicates(
    unit: &Unit<'_>,
    path: &Path,
    defined: &mut FxHashMap<String, PathBuf>,
) -> Result<(), LiftError> {
    for value in definitions(unit) {
        if value.linkage() != Linkage::LLVMExternalLinkage {
            continue;
        }
        let symbol = value.name();
        if let Some(first) = defined.insert(symbol.clone(), path.to_owned()) {
            return Err(LiftError::Duplicate {
                symbol,
                first,
                second: path.to_owned(),
            });
        }
    }
    Ok(())
}

/// The linker copies `linkonce` definitions only where something refers to them.
fn take_on_demand(unit: &Unit<'_>, keep: &FxHashSet<&str>) {
    for value in definitions(unit) {
        if is_weak(value) && !keep.contains(value.name().as_str()) {
            value.set_linkage(Linkage::LLVMLinkOnceAnyLinkage);
        }
    }
}

/// Makes every definition that is not kept local, so that it can be dropped if unused.
fn hide(unit: &Unit<'_>, keep: &FxHashSet<&str>) {
    for value in definitions(unit) {
        let special = matches!(
            value.linkage(),
            Linkage::LLVMAppendingLinkage | Linkage::LLVMPrivateLinkage
        );
        if !special && !keep.contains(value.name().as_str()) {
            value.set_linkage(Linkage::LLVMInternalLinkage);
        }
    }
}

/// The locals of a function that calls `setjmp` stay in memory, where the compiled program has
/// them too: after a `longjmp` they hold their latest values.
fn protect_setjmp(unit: &Unit<'_>) {
    let twice = unit.session().attribute("returns_twice");
    for function in unit.functions() {
        let jumps = function.blocks().into_iter().any(|block| {
            block.instructions().any(|inst| {
                inst.opcode() == Opcode::LLVMCall && {
                    let called = inst.called();
                    called.kind() == ValueKind::LLVMFunctionValueKind
                        && (called.has_attribute(twice)
                            || called.intrinsic() == Some("llvm.eh.sjlj.setjmp"))
                }
            })
        });
        if jumps {
            unit.disable_passes(function);
        }
    }
}
