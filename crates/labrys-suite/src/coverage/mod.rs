//! Measures coverage with other tools, to check the counts of Labrys: the original sources are
//! compiled with the coverage instrumentation of clang or gcc, the tests are run, and the counts of
//! `llvm-cov` or `gcov` are read. A run that is killed for its time leaves no counts.

mod gcov;
mod llvm;

pub(crate) use gcov::gcov_report;
pub use gcov::{GcovCoverage, GcovLine, gcov};
pub(crate) use llvm::llvm_report;
pub use llvm::{BranchCount, LlvmCoverage, McdcDecision, llvm_cov};

use crate::compile::{BuildSpec, BuildUnit, ReplayError};
use crate::linked_parts::LinkedParts;
use crate::native_runtime::LINKED;
use crate::original::OriginalUnit;
use crate::replay::Replayer;
use labrys_budget::{ChildError, Deadline, run_child};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What to measure.
#[derive(Clone, Debug)]
pub struct CoverageSpec {
    pub units: Vec<OriginalUnit>,
    /// What is linked beside them.
    pub linked_parts: LinkedParts,
    /// Where `labrys.h`, `replay.c` and `dialects.c` are.
    pub runtime_dir: PathBuf,
    /// An existing directory for everything that is built and measured; none of the sources is
    /// in it.
    pub work_dir: PathBuf,
    /// As in [`BuildSpec`].
    pub cache_dir: Option<PathBuf>,
    /// Whether `llvm-cov` counts MC/DC pairs, too.
    pub mcdc: bool,
}

/// Compiles the original sources, each with its harnesses behind it in the same unit.
fn build(
    spec: &CoverageSpec,
    compiler: &str,
    flags: &[&str],
    name: &str,
    deadline: &Deadline,
) -> Result<Replayer, ReplayError> {
    let mut units = Vec::new();
    let mut runtime = String::new();
    let calls_system = |name: &&&str| !["overrides", "dialects"].contains(name);
    for name in LINKED.iter().filter(calls_system) {
        let file = spec.runtime_dir.join(format!("{name}.c"));
        let text = std::fs::read_to_string(&file)
            .map_err(|error| ReplayError::io("read", &file, error))?;
        runtime.push_str(&text);
    }
    for (number, (unit, source)) in spec.units.iter().zip(sources(spec)?).enumerate() {
        let path = spec.work_dir.join(format!("{name}-unit-{number}.c"));
        let whole = unit.harness.contains("labrys_main");
        let (rename, back) = (
            unit.defines(whole, &runtime),
            unit.undefines(whole, &runtime),
        );
        let text = format!(
            "{rename}#include \"{}\"\n{back}#include \"labrys.h\"\n{rename}{}\n",
            source.display(),
            unit.harness
        );
        std::fs::write(&path, text).map_err(|error| ReplayError::io("write", &path, error))?;
        units.push(BuildUnit {
            path: absolute(&path)?,
            flags: unit.flags.clone(),
            directory: unit.directory.clone(),
        });
    }
    let work_dir = absolute(&spec.work_dir)?;
    let mut build = BuildSpec::new(Vec::new(), spec.runtime_dir.clone(), work_dir.join(name));
    build.cc = compiler.to_owned();
    build.units = units;
    build.linked_parts = spec.linked_parts.clone();
    build.flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
    // The headers of other tools, where the user's flags lead to none.
    let headers = spec.runtime_dir.join("include");
    build.flags.push("-idirafter".to_owned());
    build.flags.push(headers.display().to_string());
    build.cache_dir.clone_from(&spec.cache_dir);
    build.deadline = deadline.clone();
    let replayer = Replayer::build(&build)?;
    // The counts of another compiler would be in another format.
    match replayer.notes.first() {
        Some(note) => Err(ReplayError::Tool {
            tool: compiler.to_owned(),
            message: note.clone(),
        }),
        None => Ok(replayer.with_counters(work_dir)),
    }
}

/// The user's own files, headers included: neither the system's nor the unit around them.
fn is_users(file: &Path, work_dir: &Path) -> bool {
    let foreign = [Path::new("/usr/include"), Path::new("/usr/lib"), work_dir];
    !foreign.iter().any(|dir| file.starts_with(dir))
}

fn absolute(path: &Path) -> Result<PathBuf, ReplayError> {
    path.canonicalize()
        .map_err(|error| ReplayError::io("find", path, error))
}

fn sources(spec: &CoverageSpec) -> Result<Vec<PathBuf>, ReplayError> {
    spec.units
        .iter()
        .map(|unit| absolute(&unit.source))
        .collect()
}

fn files(dir: &Path, keep: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, ReplayError> {
    let failed = |error| ReplayError::io("read", dir, error);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.file_name().to_str().is_some_and(&keep) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

fn remove_files(dir: &Path, which: impl Fn(&str) -> bool) -> Result<(), ReplayError> {
    for file in files(dir, which)? {
        std::fs::remove_file(&file).map_err(|error| ReplayError::io("remove", &file, error))?;
    }
    Ok(())
}

fn output_of(
    command: &mut Command,
    tool: &str,
    deadline: &Deadline,
) -> Result<Vec<u8>, ReplayError> {
    let failed = |message: String| ReplayError::Tool {
        tool: tool.to_owned(),
        message,
    };
    let output = run_child(command, deadline).map_err(|error| match error {
        ChildError::Ended(cause) => ReplayError::Ended(cause),
        ChildError::Io(error) => failed(error.to_string()),
    })?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(failed(
            String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        ))
    }
}
