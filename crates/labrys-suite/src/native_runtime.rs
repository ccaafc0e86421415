//! The C sources of the native runtime, and what they are compiled to: objects that are linked with
//! each program under test, and the launcher that runs it in a sandbox. Both are kept in a cache.

use crate::compile::{ReplayError, run};
use labrys_budget::Deadline;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is linked with a program under test, behind it and in this order.
pub(crate) const LINKED: [&str; 16] = [
    "apart",
    "replay",
    "result",
    "mutants",
    "split",
    "isolate",
    "guarded",
    "inputs",
    "world",
    "place",
    "counters",
    "overrides",
    "faults",
    "dialects",
    "sandbox/confine",
    "sandbox/landlock",
];

/// What the launcher is made of.
const LAUNCHER: [&str; 8] = [
    "sandbox/launch",
    "sandbox/namespaces",
    "sandbox/mounts",
    "sandbox/privileges",
    "sandbox/filter",
    "sandbox/collect",
    "sandbox/confine",
    "sandbox/landlock",
];

const HEADERS: [&str; 7] = [
    "labrys.h",
    "replay.h",
    "split.h",
    "protocol.h",
    "clock.h",
    "machine.h",
    "sandbox/sandbox.h",
];

/// Where the compiled runtime is, or will be. The names of the places are made from everything that
/// the files depend on.
pub(crate) struct NativeRuntime {
    /// Sources and their objects.
    pub(crate) objects: Vec<(PathBuf, PathBuf)>,
    pub(crate) launcher: PathBuf,
    launcher_sources: Vec<PathBuf>,
}

impl NativeRuntime {
    /// `cache` is `None` for the user's cache directory, which is made if needed.
    pub(crate) fn find(
        runtime_dir: &Path,
        cache: Option<&Path>,
        compiler: &str,
    ) -> Result<NativeRuntime, ReplayError> {
        let cache = cache.map_or_else(default_cache, Path::to_owned);
        std::fs::create_dir_all(&cache)
            .map_err(|error| ReplayError::io("create", &cache, error))?;
        let source = |name: &str| runtime_dir.join(format!("{name}.c"));
        let mut key = DefaultHasher::new();
        compiler_identity(compiler).hash(&mut key);
        let headers = HEADERS.iter().map(|name| runtime_dir.join(name));
        let sources = LINKED.iter().chain(&LAUNCHER).map(|name| source(name));
        for path in headers.chain(sources) {
            std::fs::read(&path)
                .map_err(|error| ReplayError::io("read", &path, error))?
                .hash(&mut key);
        }
        let key = key.finish();
        let object = |name: &str| {
            let flat = name.replace('/', "-");
            (source(name), cache.join(format!("{flat}-{key:016x}.o")))
        };
        Ok(NativeRuntime {
            objects: LINKED.map(object).to_vec(),
            launcher: cache.join(format!("sandbox-{key:016x}")),
            launcher_sources: LAUNCHER.map(source).to_vec(),
        })
    }
}

/// Compiles the launcher unless the cache has it, under a temporary name, so that no other process
/// sees half a file.
pub(crate) fn build_launcher(
    runtime: &NativeRuntime,
    compiler: &str,
    deadline: &Deadline,
) -> Result<(), ReplayError> {
    let launcher = &runtime.launcher;
    if launcher.exists() {
        return Ok(());
    }
    let part = launcher.with_extension(format!("{}.part", std::process::id()));
    let mut command = Command::new(compiler);
    command.args(["-w", "-O2", "-o"]).arg(&part);
    command.args(&runtime.launcher_sources);
    run(command, compiler, deadline, |message| ReplayError::Link {
        compiler: compiler.to_owned(),
        out: launcher.clone(),
        message,
    })?;
    std::fs::rename(&part, launcher).map_err(|error| ReplayError::io("write", launcher, error))
}

/// What tells one version of a compiler from another without running it, which would cost as
/// much as compiling a small file: the resolved path, size and time of the executable.
fn compiler_identity(compiler: &str) -> String {
    let found = if compiler.contains('/') {
        Some(PathBuf::from(compiler))
    } else {
        std::env::var_os("PATH").and_then(|path| {
            std::env::split_paths(&path)
                .map(|dir| dir.join(compiler))
                .find(|file| file.is_file())
        })
    };
    let resolved = found.and_then(|file| file.canonicalize().ok());
    let state = resolved.as_ref().and_then(|file| file.metadata().ok());
    let time = state.as_ref().and_then(|state| state.modified().ok());
    format!(
        "{compiler} {resolved:?} {:?} {time:?}",
        state.map(|state| state.len())
    )
}

fn default_cache() -> PathBuf {
    let base = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))
        .unwrap_or_else(std::env::temp_dir);
    base.join("labrys")
}
