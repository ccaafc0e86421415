//! From bitcode files to one linked LLVM module that holds only what the kept symbols need.
//!
//! Only passes that keep every annotation call and every run-time error are run. `mem2reg` is
//! such a pass, since it touches only locals whose address is never computed with; `sroa` is not
//! (it drops accesses outside of a local array), and neither is dead code elimination (it drops
//! loads through null pointers whose value is not used).

use crate::changeable;
use crate::error::LiftError;
use crate::exposure;
use crate::llvm::{Linkage, LlvmContext, LlvmModule, LlvmValue, Opcode, ValueKind};
use crate::locals::prepare_locals;
use crate::replaceable;
use labrys_ir::ScalarKinds;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ffi::CStr;
use std::path::{Path, PathBuf};

/// How a merged library marks what its files share with each other. Unlike a weak definition, a
/// program may not replace it; like one, it is taken only where something refers to it.
const SHARED_BY_MODELS: Linkage = Linkage::LLVMLinkOnceODRLinkage;

/// What is known of the variables and functions of the program, by name.
#[derive(Default)]
pub(crate) struct ProgramVariables {
    /// Those that a caller may point to, with the kinds of scalars in them.
    pub(crate) exposed: FxHashMap<String, ScalarKinds>,
    /// Those that can change.
    pub(crate) changeable: FxHashSet<String>,
    /// Variables and functions that another unit may define.
    pub(crate) replaceable: FxHashSet<String>,
    /// Functions that the program defines, and not the models.
    pub(crate) own_functions: FxHashSet<String>,
}

/// Reads, links and prunes. Units of weak definitions form a library, of which only what is
/// needed is taken. Comes with what is known of the variables of the program: pruning may drop the
/// functions that write them.
pub(crate) fn prepare<'s>(
    session: &'s LlvmContext,
    files: &[PathBuf],
    keep: &[String],
) -> Result<(LlvmModule<'s>, ProgramVariables), LiftError> {
    let keep: FxHashSet<&str> = keep.iter().map(String::as_str).collect();
    let (mut linked, variables) = link(session, files, &keep)?;
    if !linked.layout().is_supported() {
        return Err(LiftError::Target);
    }
    if linked.has_assembly() {
        tracing::warn!("assembly outside of functions is ignored");
    }
    linked.delete_global("llvm.used");
    linked.delete_global("llvm.compiler.used");
    if !keep.is_empty() {
        make_local(&linked, &keep);
    }
    run_passes(&mut linked, c"globaldce")?;
    run_function_passes(&mut linked)?;
    // The user's units were checked when they were read; the rest comes from Labrys itself.
    #[cfg(debug_assertions)]
    linked
        .verify()
        .map_err(|reason| LiftError::Prepare { reason })?;
    Ok((linked, variables))
}

/// Links several libraries of models to one file, from which [`crate::lift`] takes only the
/// functions that a program can reach. What can be done to them once is done here.
pub(crate) fn merge(files: &[PathBuf], out: &Path) -> Result<(), LiftError> {
    let session = LlvmContext::new();
    let mut merged: Option<LlvmModule<'_>> = None;
    for path in files {
        let unit = read_checked(&session, path)?;
        merged = Some(match merged {
            None => unit,
            Some(merged) => append(merged, unit, path)?,
        });
    }
    let mut merged = merged.ok_or(LiftError::Nothing)?;
    for value in definitions(&merged) {
        if value.linkage() == Linkage::LLVMExternalLinkage {
            value.set_linkage(SHARED_BY_MODELS);
        }
        // A definition that is not taken on demand would make every program read the whole library.
        if !is_on_demand(value) {
            let name = value.name();
            let reason = format!("the models must be taken on demand, which '{name}' cannot be");
            return Err(LiftError::Prepare { reason });
        }
    }
    run_function_passes(&mut merged)?;
    merged.write(out).map_err(|()| LiftError::Write {
        path: out.to_owned(),
    })
}

fn link<'s>(
    session: &'s LlvmContext,
    files: &[PathBuf],
    keep: &FxHashSet<&str>,
) -> Result<(LlvmModule<'s>, ProgramVariables), LiftError> {
    let mut defined: FxHashMap<String, PathBuf> = FxHashMap::default();
    let mut program: Option<LlvmModule<'s>> = None;
    let mut libraries: Vec<(&PathBuf, LlvmModule<'s>)> = Vec::new();
    for path in files {
        // The first file is the user's and is taken whole.
        if program.is_some() {
            let unit = read(session, path, true)?;
            if definitions(&unit).all(is_on_demand) {
                libraries.push((path, unit));
                continue;
            }
        }
        let mut unit = read_checked(session, path)?;
        if unit.global("llvm.global_dtors").is_some() {
            // Destructors become functions that constructors give to `__cxa_atexit`.
            run_passes(&mut unit, c"lower-global-dtors")?;
        }
        check_duplicates(&unit, path, &mut defined)?;
        program = Some(match program {
            None => unit,
            Some(program) => append(program, unit, path)?,
        });
    }
    let program = program.ok_or(LiftError::Nothing)?;
    // Before the library comes in: its variables are its own business.
    let variables = ProgramVariables {
        exposed: exposure::exposed(&program),
        changeable: changeable::names(&program),
        replaceable: replaceable::names(&program),
        own_functions: own_functions(&program),
    };
    let linked = match library(session, libraries)? {
        None => program,
        Some((path, library)) => {
            check_replaced(&library, path, &defined)?;
            take_on_demand(&library, keep);
            append(program, library, path)?
        }
    };
    Ok((linked, variables))
}

fn own_functions(program: &LlvmModule<'_>) -> FxHashSet<String> {
    let defined = program.functions().filter(|f| !f.is_declaration());
    defined.map(LlvmValue::name).collect()
}

/// One library is read function by function, on demand. Several may need each other, so they are
/// read in full and linked first.
fn library<'s, 'f>(
    session: &'s LlvmContext,
    mut units: Vec<(&'f PathBuf, LlvmModule<'s>)>,
) -> Result<Option<(&'f PathBuf, LlvmModule<'s>)>, LiftError> {
    if units.len() <= 1 {
        return Ok(units.pop());
    }
    let mut library: Option<(&'f PathBuf, LlvmModule<'s>)> = None;
    for (path, _) in units {
        let unit = read(session, path, false)?;
        library = Some(match library {
            None => (path, unit),
            Some((_, library)) => (path, append(library, unit, path)?),
        });
    }
    Ok(library)
}

fn append<'s>(
    mut unit: LlvmModule<'s>,
    other: LlvmModule<'s>,
    path: &Path,
) -> Result<LlvmModule<'s>, LiftError> {
    unit.link(other).map_err(|reason| LiftError::Link {
        path: path.to_owned(),
        reason,
    })?;
    Ok(unit)
}

pub(crate) fn read<'s>(
    session: &'s LlvmContext,
    path: &Path,
    lazy: bool,
) -> Result<LlvmModule<'s>, LiftError> {
    let bytes = std::fs::read(path).map_err(|source| LiftError::Read {
        path: path.to_owned(),
        source,
    })?;
    session
        .read(&bytes, lazy)
        .map_err(|reason| LiftError::Bitcode {
            path: path.to_owned(),
            reason,
        })
}

/// Reads a unit in full and checks it with LLVM's verifier.
fn read_checked<'s>(session: &'s LlvmContext, path: &Path) -> Result<LlvmModule<'s>, LiftError> {
    let unit = read(session, path, false)?;
    unit.verify().map_err(|reason| LiftError::Bitcode {
        path: path.to_owned(),
        reason,
    })?;
    Ok(unit)
}

pub(crate) fn definitions<'u>(unit: &'u LlvmModule<'_>) -> impl Iterator<Item = LlvmValue<'u>> {
    unit.functions()
        .chain(unit.globals())
        .chain(unit.aliases())
        .chain(unit.ifuncs())
        .filter(|value| !value.is_declaration())
}

/// Need the linker take it only if something refers to it?
fn is_on_demand(value: LlvmValue<'_>) -> bool {
    is_weak(value) || is_local(value)
}

fn is_weak(value: LlvmValue<'_>) -> bool {
    matches!(
        value.linkage(),
        Linkage::LLVMWeakAnyLinkage
            | Linkage::LLVMWeakODRLinkage
            | Linkage::LLVMLinkOnceAnyLinkage
            | Linkage::LLVMLinkOnceODRLinkage
    )
}

fn is_local(value: LlvmValue<'_>) -> bool {
    matches!(
        value.linkage(),
        Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage
    )
}

fn check_duplicates(
    unit: &LlvmModule<'_>,
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

/// A program may replace the weak definitions of a library, but not what its files share.
fn check_replaced(
    library: &LlvmModule<'_>,
    path: &Path,
    defined: &FxHashMap<String, PathBuf>,
) -> Result<(), LiftError> {
    let shared = definitions(library).filter(|value| value.linkage() == SHARED_BY_MODELS);
    for symbol in shared.map(|value| value.name()) {
        if let Some(first) = defined.get(&symbol) {
            return Err(LiftError::Duplicate {
                symbol,
                first: first.clone(),
                second: path.to_owned(),
            });
        }
    }
    Ok(())
}

/// The linker copies `linkonce` definitions only where something refers to them.
fn take_on_demand(unit: &LlvmModule<'_>, keep: &FxHashSet<&str>) {
    for value in definitions(unit) {
        if is_weak(value) && !keep.contains(value.name().as_str()) {
            value.set_linkage(Linkage::LLVMLinkOnceAnyLinkage);
        }
    }
}

/// Makes every definition that is not kept local, so that it can be dropped if unused.
fn make_local(unit: &LlvmModule<'_>, keep: &FxHashSet<&str>) {
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

/// The passes that look at one function at a time.
fn run_function_passes(unit: &mut LlvmModule<'_>) -> Result<(), LiftError> {
    protect_setjmp(unit);
    prepare_locals(unit);
    run_passes(unit, c"function(mem2reg)")
}

fn run_passes(unit: &mut LlvmModule<'_>, pipeline: &CStr) -> Result<(), LiftError> {
    unit.run_passes(pipeline)
        .map_err(|reason| LiftError::Prepare { reason })
}

/// The locals of a function that calls `setjmp` stay in memory, where the compiled program has
/// them too: after a `longjmp` they hold their latest values.
fn protect_setjmp(unit: &LlvmModule<'_>) {
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
