//! LLVM bitcode to the Labrys IR; the only crate that links LLVM.
//!
//! [`lift`] reads and links bitcode files, keeps what the entry symbols need, and translates it
//! function by function. A construct that has no translation becomes an `Unsupported`
//! instruction with a message, so one such line does not stop the whole program.

mod address_numbers;
mod asm_instructions;
mod assembly;
mod assumptions;
mod atomics;
mod blocks;
mod calls;
mod changeable;
mod constants;
pub mod equivalence;
mod error;
mod exposure;
mod fold;
mod function;
mod globals;
mod instructions;
mod intrinsics;
mod libm;
mod llvm;
mod locals;
mod loose_floats;
mod math;
mod memory;
mod pointer_bytes;
mod pointer_pairs;
mod prepare;
mod program;
mod replaceable;
mod scalar_parts;
mod settled;
mod symbols;
mod unsure_results;
mod variadic;
mod vectors;

pub use asm_instructions::is_known_template;
pub use error::LiftError;
pub use symbols::{FileSymbols, MissingFunction, symbols};

use labrys_ir::Module;
use std::path::{Path, PathBuf};

/// What to lift.
#[derive(Clone, Debug, Default)]
pub struct LiftOptions {
    /// Entry symbols. Everything that they do not need is dropped; if there are none, everything
    /// is kept.
    pub keep: Vec<String>,
}

/// Lifts the user's units, followed by the run-time models, to one program.
pub fn lift(bitcode: &[PathBuf], options: &LiftOptions) -> Result<Module, LiftError> {
    let session = llvm::LlvmContext::new();
    let (unit, variables) = prepare::prepare(&session, bitcode, &options.keep)?;
    unit.put_debug_info_into_calls();
    let module = program::ProgramLifter::new(&unit, variables).lift(&options.keep);
    #[cfg(debug_assertions)]
    labrys_ir::verify(&module).map_err(|error| LiftError::Malformed {
        reason: error.to_string(),
    })?;
    Ok(module)
}

/// The form of the files that [`merge`] writes. It changes with the passes of `merge`, so that
/// files of an older form can be told apart.
pub const MERGED_FORM: u32 = 3;

/// Links the bitcode of several run-time models to one file. [`lift`] takes from one such file
/// only the functions that the program can reach, which is much faster than reading many files.
pub fn merge(bitcode: &[PathBuf], out: &Path) -> Result<(), LiftError> {
    prepare::merge(bitcode, out)
}
