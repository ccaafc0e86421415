//! What the tests of the front end share: options, and running compilers and programs.
#![allow(dead_code)]

use labrys_front::{AnnotatedProgram, EntryChoice, FrontError, FrontOptions, load};
use labrys_ledger::{Criterion, Trigger};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

pub(crate) fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

pub(crate) fn sample(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples")).join(name)
}

/// Branch coverage; the functions of the C library that samples use count as modelled.
pub(crate) fn options(work: &Path) -> FrontOptions {
    let mut options = FrontOptions::new(root().join("runtime"), work.to_owned());
    let known = [
        "printf",
        "puts",
        "strcmp",
        "strlen",
        "abs",
        "toupper",
        "setjmp",
        "_setjmp",
        "longjmp",
        "__ctype_b_loc",
        "malloc",
        "free",
        "exit",
        "abort",
        "memcpy",
        "setitimer",
        "atoi",
        "getenv",
    ];
    options.modelled = known.iter().map(|n| (*n).to_owned()).collect();
    options
}

pub(crate) fn run(command: &mut Command) -> Output {
    command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

/// Runs a command that must succeed.
pub(crate) fn must(command: &mut Command) -> Output {
    let output = run(command);
    assert!(
        output.status.success(),
        "{command:?}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Loads C text from a temporary file `x.c`.
pub(crate) fn load_text(
    text: &str,
    entry: &EntryChoice,
    change: impl FnOnce(&mut FrontOptions),
) -> Result<AnnotatedProgram, FrontError> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.c");
    std::fs::write(&path, text).unwrap();
    let mut options = options(dir.path());
    change(&mut options);
    load(&[path.into()], entry, &options)
}

pub(crate) fn function(name: &str) -> EntryChoice {
    EntryChoice::Function(name.to_owned())
}

/// All programs in `tests/samples`.
pub(crate) fn samples() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(sample(""))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|n| n.ends_with(".c") && n != "runtime.c")
        .collect();
    names.sort();
    names
}

/// The small runtime of the samples, compiled once.
pub(crate) fn runtime() -> &'static Path {
    static OBJECT: OnceLock<PathBuf> = OnceLock::new();
    OBJECT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let (object, own) = (
            folder.join("runtime.o"),
            folder.join(format!("runtime-{}.o", std::process::id())),
        );
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-O0", "-DLABRYS_NATIVE", "-c"]);
        must(gcc.arg(sample("runtime.c")).arg("-o").arg(&own));
        std::fs::rename(&own, &object).unwrap();
        object
    })
}

/// Compiles the annotated program natively with the small runtime and runs it; returns what it
/// printed and the triggers that fired.
pub(crate) fn run_annotated(
    program: &AnnotatedProgram,
    compiler: &str,
    dir: &Path,
) -> (Output, BTreeSet<Trigger>) {
    let binary = dir.join(format!("annotated-{compiler}"));
    let mut command = Command::new(compiler);
    command.args(["-w", "-O0", "-DLABRYS_NATIVE", "-x", "c"]);
    if compiler.starts_with("clang") {
        command.arg("-Wno-error=implicit-int");
    }
    command.args(program.units.iter().map(|u| &u.annotated_path));
    command
        .args(["-x", "none"])
        .arg(runtime())
        .args(["-lm", "-o"])
        .arg(&binary);
    must(&mut command);
    run_binary(&binary, dir)
}

pub(crate) fn run_binary(binary: &Path, dir: &Path) -> (Output, BTreeSet<Trigger>) {
    let events = dir.join("events");
    let output = run(Command::new(binary).env("LABRYS_EVENTS", &events));
    let text = std::fs::read_to_string(&events).unwrap_or_default();
    (
        output,
        text.lines().map(|l| trigger(l.parse().unwrap())).collect(),
    )
}

fn trigger(word: u64) -> Trigger {
    let (a, b) = ((word >> 24) as u32, (word >> 1) as u32 & 0x7f_ffff);
    let value = word & 1 == 1;
    match word >> 56 {
        1 => Trigger::Condition {
            decision: a,
            index: b,
            value,
        },
        2 => Trigger::Decision { decision: a, value },
        3 => Trigger::Case { switch: a, case: b },
        4 => Trigger::Reach { id: a },
        _ => Trigger::Label { id: a },
    }
}

pub(crate) fn texts(program: &AnnotatedProgram, criterion: Criterion) -> Vec<String> {
    let of = program
        .objectives
        .iter()
        .filter(|o| o.criterion == criterion);
    of.map(|o| o.text.clone()).collect()
}
