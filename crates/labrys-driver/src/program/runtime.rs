//! The C sources that come with Labrys: header, replay runtime, library models. They are part of
//! the program and unpacked once into the cache directory; the models are compiled there once.

use crate::failure::{Failure, Outcome};
use include_dir::{Dir, include_dir};
use labrys_budget::{ChildError, Deadline, ToolTrouble, run_child, tool_trouble};
use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

static SOURCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../runtime");

/// Functions that the engine or the lifter understand without a model.
const NATIVE: [&str; 11] = [
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "__builtin_trap",
    "alloca",
    "labrys_error",
];

/// What the models' files are called in messages; the engine knows them by it.
pub const MODEL_FILES: &str = "labrys-runtime";

/// The file that lists what the models define.
const LIST: &str = "symbols.txt";

/// What takes time here.
const COMPILING: &str = "compiling the models of the C library";

/// How the models are compiled.
const MODEL_FLAGS: [&str; 9] = [
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    // The lifter asks only for files and lines; types and variables would be read in every run.
    "-gline-tables-only",
    "-fno-builtin",
    "-w",
    "-U_FORTIFY_SOURCE",
    "-emit-llvm",
    "-c",
];

/// The unpacked runtime.
#[derive(Clone, Debug)]
pub struct Runtime {
    pub dir: PathBuf,
    pub cache: PathBuf,
    /// All models as one bitcode file.
    pub models: PathBuf,
    /// The functions that have a model.
    pub modelled: BTreeSet<String>,
}

/// Unpacks and compiles the runtime, unless the cache has it.
pub fn install(clang: &str, deadline: &Deadline) -> Outcome<Runtime> {
    let cache = cache_dir();
    let dir = cache.join(format!("labrys-runtime-{:016x}", fingerprint(clang)));
    let models = dir.join("models.bc");
    let list = dir.join(LIST);
    if !list.exists() {
        build(&dir, clang, deadline)?;
    }
    let names = std::fs::read_to_string(&list).map_err(|e| cannot("read", &list, &e))?;
    let mut modelled: BTreeSet<String> = names.lines().map(str::to_owned).collect();
    modelled.extend(NATIVE.map(str::to_owned));
    modelled.extend(labrys_engine::library_functions());
    Ok(Runtime {
        dir,
        cache,
        models,
        modelled,
    })
}

/// Where what is made once is kept.
pub fn cache_dir() -> PathBuf {
    let home = |name: &str| std::env::var_os(name).map(PathBuf::from);
    home("LABRYS_CACHE")
        .or_else(|| home("XDG_CACHE_HOME").map(|dir| dir.join("labrys")))
        .or_else(|| home("HOME").map(|dir| dir.join(".cache/labrys")))
        .unwrap_or_else(|| std::env::temp_dir().join("labrys-cache"))
}

fn fingerprint(clang: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    clang.hash(&mut hasher);
    MODEL_FLAGS.hash(&mut hasher);
    MODEL_FILES.hash(&mut hasher);
    LIST.hash(&mut hasher);
    labrys_lift::MERGED_FORM.hash(&mut hasher);
    hash_dir(&SOURCES, &mut hasher);
    hasher.finish()
}

fn hash_dir(dir: &Dir<'_>, hasher: &mut DefaultHasher) {
    for file in dir.files() {
        file.path().hash(hasher);
        file.contents().hash(hasher);
    }
    for sub in dir.dirs() {
        hash_dir(sub, hasher);
    }
}

/// Writes the sources to a directory.
pub fn unpack(dir: &Path) -> Outcome<()> {
    SOURCES.extract(dir).map_err(|e| cannot("write", dir, &e))
}

/// Builds in a directory of its own and renames it, so that two processes never meet half a cache.
fn build(dir: &Path, clang: &str, deadline: &Deadline) -> Outcome<()> {
    let parent = dir.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).map_err(|e| cannot("create", parent, &e))?;
    let fresh = tempfile::Builder::new()
        .prefix("labrys-runtime-")
        .tempdir_in(parent)
        .map_err(|e| cannot("create a directory in", parent, &e))?;
    unpack(fresh.path())?;
    let mut sources: Vec<PathBuf> = vec![fresh.path().join("dialects.c")];
    let libc = fresh.path().join("libc");
    let entries = std::fs::read_dir(&libc).map_err(|e| cannot("read", &libc, &e))?;
    sources.extend(
        entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|e| e == "c")),
    );
    sources.sort();
    let bitcode: Vec<PathBuf> = sources.iter().map(|s| s.with_extension("bc")).collect();
    let compile =
        |(source, out): (&PathBuf, &PathBuf)| compile(clang, fresh.path(), source, out, deadline);
    std::thread::scope(|scope| {
        let jobs: Vec<_> = sources
            .iter()
            .zip(&bitcode)
            .map(|job| scope.spawn(move || compile(job)))
            .collect();
        jobs.into_iter().try_for_each(|job| {
            job.join()
                .unwrap_or_else(|_| Err(Failure::internal("compiling the models panicked")))
        })
    })?;
    let models = fresh.path().join("models.bc");
    labrys_lift::merge(&bitcode, &models).map_err(Failure::internal)?;
    // What is static in the models is none of the program's business.
    let symbols = labrys_lift::symbols(&models).map_err(Failure::internal)?;
    let names: Vec<&str> = symbols.defined.iter().map(String::as_str).collect();
    let list = fresh.path().join(LIST);
    std::fs::write(&list, names.join("\n")).map_err(|e| cannot("write", &list, &e))?;
    // Somebody else may have been faster, which is just as good.
    let _ = std::fs::rename(fresh.path(), dir);
    if dir.join(LIST).exists() {
        Ok(())
    } else {
        Err(Failure::internal(format_args!(
            "cannot write the cache directory {}; set LABRYS_CACHE to another one",
            dir.display()
        )))
    }
}

fn compile(
    clang: &str,
    root: &Path,
    source: &Path,
    out: &Path,
    deadline: &Deadline,
) -> Outcome<()> {
    let mut command = Command::new(clang);
    command
        .args(MODEL_FLAGS)
        // Faults in a model are recognised by this name.
        .arg(format!(
            "-ffile-prefix-map={}={MODEL_FILES}",
            root.display()
        ))
        .arg("-I")
        .arg(root)
        .arg("-I")
        .arg(root.join("include"))
        .arg(source)
        .arg("-o")
        .arg(out);
    let result = run_child(&mut command, deadline).map_err(|error| match error {
        ChildError::Ended(cause) => Failure::ended(cause, COMPILING),
        ChildError::Io(error) => no_clang(clang, &error),
    })?;
    match tool_trouble(&result) {
        Some(ToolTrouble::Crashed) => Err(Failure::usage(format_args!(
            "the C compiler '{clang}' has crashed ({}); name another one with --clang",
            result.status
        ))),
        Some(ToolTrouble::DiskFull) => Err(cannot("write", out, &"no space left on device")),
        None if result.status.success() => Ok(()),
        None => Err(Failure::internal(format_args!(
            "{clang} rejects the model {}: {}",
            source.display(),
            String::from_utf8_lossy(&result.stderr)
        ))),
    }
}

/// The message for a compiler that cannot be started.
pub fn no_clang(clang: &str, error: &std::io::Error) -> Failure {
    Failure::usage(format_args!(
        "cannot run {clang}: {error}; install the Debian package clang-19 or name another one with --clang"
    ))
}

fn cannot(what: &str, path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::usage(format_args!("cannot {what} {}: {error}", path.display()))
}
