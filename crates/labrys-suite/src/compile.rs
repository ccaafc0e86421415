//! Compiles an annotated program and the replay runtime to one executable with the system's C
//! compiler. The objects of the runtime are kept in a cache, so that usually only the user's own
//! units are compiled; those are compiled side by side.

use crate::linked_parts::LinkedParts;
use crate::native_runtime::{NativeRuntime, build_launcher};
use crate::sandbox::MissingProtections;
use labrys_budget::{ChildError, Deadline, EndCause, ToolTrouble, run_child, tool_trouble};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiler that is used when the system's own rejects the program.
const FALLBACK_COMPILER: &str = "clang-19";

/// A C file to compile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildUnit {
    pub path: PathBuf,
    /// Flags of this file alone.
    pub flags: Vec<String>,
    /// Where the compiler is called, if its flags are meant there; the path is then absolute.
    pub directory: Option<PathBuf>,
}

impl From<PathBuf> for BuildUnit {
    fn from(path: PathBuf) -> Self {
        BuildUnit {
            path,
            ..BuildUnit::default()
        }
    }
}

/// What to compile and how.
#[derive(Clone, Debug)]
pub struct BuildSpec {
    /// The annotated C files, harness included.
    pub units: Vec<BuildUnit>,
    /// What is linked beside them.
    pub linked_parts: LinkedParts,
    /// Where `labrys.h`, `replay.c` and `dialects.c` are.
    pub runtime_dir: PathBuf,
    /// The C compiler, by name or path.
    pub cc: String,
    /// Flags for all units and, where they start with `-l`, `-L` or `-Wl,`, for the linker.
    pub flags: Vec<String>,
    /// The executable to write.
    pub out: PathBuf,
    /// Where compiled runtime objects are kept; `None` for the user's cache directory.
    pub cache_dir: Option<PathBuf>,
    /// The compilers are ended with it.
    pub deadline: Deadline,
}

/// The C compiler that is used if no other is named.
pub const CC: &str = "cc";

impl BuildSpec {
    /// The defaults: the system's `cc`, no flags, the user's cache directory.
    pub fn new(units: Vec<PathBuf>, runtime_dir: PathBuf, out: PathBuf) -> Self {
        BuildSpec {
            units: units.into_iter().map(BuildUnit::from).collect(),
            linked_parts: LinkedParts::default(),
            runtime_dir,
            cc: CC.into(),
            flags: Vec::new(),
            out,
            cache_dir: None,
            deadline: Deadline::never(),
        }
    }
}

/// What Labrys could not do; never a fault of the program under test.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("cannot {action} {path}: {source}")]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("cannot start the C compiler '{compiler}': {source}; name another one with --cc")]
    NoCompiler { compiler: String, source: io::Error },
    #[error("{compiler} cannot compile {unit}:\n{message}")]
    Compile {
        compiler: String,
        unit: PathBuf,
        message: String,
    },
    #[error("{compiler} cannot link {out}:\n{message}")]
    Link {
        compiler: String,
        out: PathBuf,
        message: String,
    },
    #[error("the replay ended after {done} of {total} tests: {why}")]
    Incomplete {
        done: usize,
        total: usize,
        why: String,
    },
    #[error(
        "--require-sandbox: this machine does not confine native runs completely; missing: {0}. \
         `labrys doctor` says why and what to do"
    )]
    NotConfined(MissingProtections),
    #[error("{compiler} has crashed ({status}); name another compiler with --cc")]
    CompilerCrashed {
        compiler: String,
        status: std::process::ExitStatus,
    },
    #[error("no space left in {directory}; free some, or name another directory with TMPDIR")]
    DiskFull { directory: PathBuf },
    /// The command's time or memory is used up, or the user has stopped it.
    #[error("the native program was not finished")]
    Ended(EndCause),
    #[error("a worker of the replay failed; this is an internal error")]
    WorkerFailed,
    #[error("{tool} failed: {message}")]
    Tool { tool: String, message: String },
}

impl ReplayError {
    pub(crate) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        ReplayError::Io {
            action,
            path: path.to_owned(),
            source,
        }
    }
}

pub(crate) struct BuiltProgram {
    pub(crate) binary: PathBuf,
    /// What starts it in a sandbox.
    pub(crate) launcher: PathBuf,
    pub(crate) notes: Vec<String>,
}

/// Compiles and links, with the fallback compiler where the first one rejects a unit or leaves a
/// builtin of the other undefined.
pub(crate) fn build(spec: &BuildSpec) -> Result<BuiltProgram, ReplayError> {
    let error = match build_with(spec, &spec.cc) {
        Ok(built) => return Ok(built),
        Err(error) => error,
    };
    let (ReplayError::Compile { message, .. } | ReplayError::Link { message, .. }) = &error else {
        return Err(error);
    };
    if spec.cc == FALLBACK_COMPILER {
        return Err(error);
    }
    let Ok(built) = build_with(spec, FALLBACK_COMPILER) else {
        return Err(error);
    };
    let is_reason = |line: &&str| line.contains("error") || line.contains("undefined");
    let reason = message.lines().find(is_reason).unwrap_or("no reason");
    let note = format!(
        "{} does not compile the program ({reason}); replayed with {FALLBACK_COMPILER}",
        spec.cc
    );
    Ok(BuiltProgram {
        notes: vec![note],
        ..built
    })
}

fn build_with(spec: &BuildSpec, compiler: &str) -> Result<BuiltProgram, ReplayError> {
    let only_link = |flag: &&String| is_link_flag(flag);
    let unit_flags: Vec<String> = spec
        .flags
        .iter()
        .filter(|f| !only_link(f))
        .cloned()
        .collect();
    let of_units = spec.units.iter().flat_map(|unit| &unit.flags);
    let of_units = of_units.filter(|f| is_link_flag(f));
    let link_flags: Vec<String> = spec
        .flags
        .iter()
        .filter(|f| only_link(f) || is_profile_flag(f))
        .chain(of_units)
        .cloned()
        .collect();
    let count = spec.units.len() + spec.linked_parts.units.len();
    let objects: Vec<PathBuf> = (0..count)
        .map(|n| spec.out.with_extension(format!("{n}.o")))
        .collect();
    let runtime = NativeRuntime::find(&spec.runtime_dir, spec.cache_dir.as_deref(), compiler)?;
    let mut jobs: Vec<CompileJob<'_>> = Vec::new();
    let units = spec.units.iter().map(|unit| (unit, true));
    let units = units.chain(spec.linked_parts.units.iter().map(|unit| (unit, false)));
    for ((unit, tested), object) in units.zip(&objects) {
        let common: &[String] = if tested { &unit_flags } else { &[] };
        jobs.push(Box::new(move || {
            let mut flags = BASE_FLAGS.map(str::to_owned).to_vec();
            flags.extend_from_slice(common);
            flags.extend(spec.linked_parts.flags());
            flags.extend(unit.flags.iter().filter(|f| !is_link_flag(f)).cloned());
            compile(spec, compiler, unit, object, &flags)
        }));
    }
    let missing = runtime
        .objects
        .iter()
        .filter(|(_, object)| !object.exists());
    for (source, object) in missing {
        jobs.push(Box::new(|| compile_cached(spec, compiler, source, object)));
    }
    jobs.push(Box::new(|| {
        build_launcher(&runtime, compiler, &spec.deadline)
    }));
    run_in_parallel(jobs)?;
    let linked = spec
        .linked_parts
        .renamed(&objects, &spec.out, &spec.deadline)?;
    let result = link(spec, compiler, &linked, &runtime.objects, &link_flags);
    for object in &objects {
        // An object that cannot be removed does no harm.
        let _ = std::fs::remove_file(object);
    }
    Ok(BuiltProgram {
        binary: result?,
        launcher: runtime.launcher,
        notes: Vec::new(),
    })
}

fn is_link_flag(flag: &str) -> bool {
    ["-l", "-L", "-Wl,", "-fuse-ld="]
        .iter()
        .any(|prefix| flag.starts_with(prefix))
}

/// Flags that the compiler and the linker must both see.
fn is_profile_flag(flag: &str) -> bool {
    flag == "--coverage" || flag.starts_with("-fprofile") || flag.starts_with("-fsanitize")
}

/// Signed arithmetic wraps, as it does for the engine: a label's predicate may overflow.
const BASE_FLAGS: [&str; 5] = ["-O0", "-fwrapv", "-g0", "-x", "c"];

type CompileJob<'a> = Box<dyn FnOnce() -> Result<(), ReplayError> + Send + 'a>;

/// Runs the jobs on as many threads as there are cores; the first error in order counts.
fn run_in_parallel(jobs: Vec<CompileJob<'_>>) -> Result<(), ReplayError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut jobs = jobs.into_iter().peekable();
    while jobs.peek().is_some() {
        let batch: Vec<_> = jobs.by_ref().take(cores.max(2)).collect();
        let ends: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = batch.into_iter().map(|job| scope.spawn(job)).collect();
            threads.into_iter().map(|thread| thread.join()).collect()
        });
        for end in ends {
            end.map_err(|_| ReplayError::WorkerFailed)??;
        }
    }
    Ok(())
}

fn compile(
    spec: &BuildSpec,
    compiler: &str,
    unit: &BuildUnit,
    object: &Path,
    flags: &[String],
) -> Result<(), ReplayError> {
    let mut command = Command::new(compiler);
    command
        .args(["-c", "-w", "-DLABRYS_NATIVE", "-I"])
        .arg(&spec.runtime_dir);
    command.args(accept_old_c(compiler));
    command.args(flags).arg(&unit.path).arg("-o").arg(object);
    if let Some(directory) = &unit.directory {
        command.current_dir(directory);
    }
    run(command, compiler, &spec.deadline, |message| {
        ReplayError::Compile {
            compiler: compiler.to_owned(),
            unit: unit.path.clone(),
            message,
        }
    })
}

/// Flags with which a compiler accepts old C, such as `return;` in a function that has a result: what
/// the front end has accepted is compiled natively, too.
fn accept_old_c(compiler: &str) -> &'static [&'static str] {
    let name = Path::new(compiler).file_name().unwrap_or_default();
    match name.to_string_lossy().contains("clang") {
        true => &[
            "-Wno-error=implicit-int",
            "-Wno-error=implicit-function-declaration",
            "-Wno-error=int-conversion",
            "-Wno-error=incompatible-function-pointer-types",
            "-Wno-error=return-type",
            "-Wno-error=return-mismatch",
        ],
        // GCC 14 and newer; for C, older ones ignore it.
        false => &["-fpermissive"],
    }
}

/// Compiles into the cache under a temporary name, so that no other process sees half a file.
fn compile_cached(
    spec: &BuildSpec,
    compiler: &str,
    source: &Path,
    object: &Path,
) -> Result<(), ReplayError> {
    let part = object.with_extension(format!("{}.part", std::process::id()));
    let unit = BuildUnit::from(source.to_owned());
    compile(spec, compiler, &unit, &part, &["-O2".to_owned()])?;
    std::fs::rename(&part, object).map_err(|error| ReplayError::io("write", object, error))
}

/// Functions of the program and of the C library that the runtime stands before.
const WRAPPED: &str = "-Wl,--wrap=main,--wrap=fork,--wrap=vfork,--wrap=pthread_create,\
    --wrap=thrd_create,--wrap=mmap,--wrap=sigaction,--wrap=signal";

/// Symbols are looked up once at the start, not by each process of a test again, and the program has
/// few segments: a fork copies them all.
const LAYOUT: &str = "-Wl,-z,now,-z,noseparate-code";

fn link(
    spec: &BuildSpec,
    compiler: &str,
    objects: &[PathBuf],
    runtime: &[(PathBuf, PathBuf)],
    flags: &[String],
) -> Result<PathBuf, ReplayError> {
    let mut command = Command::new(compiler);
    command
        .args(["-rdynamic", WRAPPED, LAYOUT, "-o"])
        .arg(&spec.out)
        .args(objects);
    command
        .args(runtime.iter().map(|(_, object)| object))
        .args(flags)
        .arg("-lm");
    run(command, compiler, &spec.deadline, |message| {
        ReplayError::Link {
            compiler: compiler.to_owned(),
            out: spec.out.clone(),
            message,
        }
    })?;
    Ok(spec.out.clone())
}

/// Runs a tool; what it prints becomes part of the error if it fails.
pub(crate) fn run(
    mut command: Command,
    compiler: &str,
    deadline: &Deadline,
    failed: impl FnOnce(String) -> ReplayError,
) -> Result<(), ReplayError> {
    tracing::debug!(?command, "run");
    let output = run_child(&mut command, deadline).map_err(|error| match error {
        ChildError::Ended(cause) => ReplayError::Ended(cause),
        ChildError::Io(source) => ReplayError::NoCompiler {
            compiler: compiler.to_owned(),
            source,
        },
    })?;
    if output.status.success() {
        return Ok(());
    }
    match tool_trouble(&output) {
        Some(ToolTrouble::DiskFull) => Err(ReplayError::DiskFull {
            directory: std::env::temp_dir(),
        }),
        Some(ToolTrouble::Crashed) => Err(ReplayError::CompilerCrashed {
            compiler: compiler.to_owned(),
            status: output.status,
        }),
        None => {
            let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            Err(failed(match message.is_empty() {
                true => output.status.to_string(),
                false => message,
            }))
        }
    }
}
