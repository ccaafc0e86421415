//! Compiles C for the tests.
#![allow(clippy::unwrap_used, dead_code)]

use labrys_ir::{Module, verify};
use labrys_lift::{LiftError, LiftOptions, lift};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles one file as the front end does.
pub(crate) fn compile(source: &Path, out: &Path, flags: &[&str]) {
    let output = Command::new("clang-19")
        .args(["-O0", "-Xclang", "-disable-O0-optnone", "-g", "-w"])
        .args(["-emit-llvm", "-c"])
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(out)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}: {}",
        source.display(),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Writes and compiles one text.
pub(crate) fn compile_text(folder: &Path, name: &str, text: &str) -> PathBuf {
    let source = folder.join(format!("{name}.c"));
    let out = folder.join(format!("{name}.bc"));
    std::fs::write(&source, text).unwrap();
    compile(&source, &out, &[]);
    out
}

/// Lifts several texts as one program and verifies it.
pub(crate) fn lift_texts(texts: &[&str], keep: &[&str]) -> Result<Module, LiftError> {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = texts
        .iter()
        .enumerate()
        .map(|(i, text)| compile_text(folder.path(), &format!("unit{i}"), text))
        .collect();
    let options = LiftOptions {
        keep: keep.iter().map(|name| (*name).to_owned()).collect(),
    };
    let module = lift(&files, &options)?;
    verify(&module).unwrap();
    Ok(module)
}

pub(crate) fn lift_text(text: &str) -> Module {
    lift_texts(&[text], &[]).unwrap()
}

/// The messages of all unsupported instructions.
pub(crate) fn refusals(module: &Module) -> Vec<String> {
    module
        .functions
        .iter()
        .flat_map(|function| &function.code)
        .filter_map(|inst| match inst {
            labrys_ir::Inst::Unsupported { message } => Some(module.text(*message).to_owned()),
            _ => None,
        })
        .collect()
}
