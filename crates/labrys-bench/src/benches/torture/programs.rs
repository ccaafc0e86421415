//! Whole programs with signals and failing system calls. The truth is what many native runs show,
//! each in another world: other inputs, other failures, other signals from outside.

use super::super::clock::run_child;
use super::examine::{Examination, Examined};
use super::native::{Batch, Marks};
use super::write::program;
use crate::draw::Draw;
use crate::product::labrys;
use labrys_driver::{Failure, Outcome};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

const WORLD: &str = include_str!("c/world.c");

/// A script has no power over the clock, which stands still for a test of Labrys.
const MACHINE: &str = include_str!("../../../../../runtime/machine.h");
const STILL: &str = "#include <time.h>\n\
                     static time_t still(time_t *to) { if (to) *to = FIXED_SECONDS; return FIXED_SECONDS; }\n\
                     #define time still\n";

/// What the program asks the world instead of the C library.
const ASKED: [&str; 17] = [
    "read", "write", "open", "close", "dup", "pipe", "mkdir", "rmdir", "unlink", "malloc",
    "realloc", "fopen", "puts", "fflush", "time", "getenv", "rand",
];

/// Native runs of a program.
const RUNS: usize = 120;

/// Options for the world of a program: a part of it as inputs.
pub const WORLDS: [&[&str]; 4] = [
    &["--main"],
    &["--main", "--sym-stdin", "3"],
    &["--main", "--sym-stdin", "2", "--sym-args", "0..2:2"],
    &["--main", "--sym-stdin", "2", FAULTS],
];
const FAULTS: &str = "--faults-of-environment";

/// Writes the program of a seed and examines it.
pub fn examine(examination: &Examination<'_>, dir: &Path, seed: u64) -> Outcome<Examined> {
    let (text, marks) = program::program(seed);
    let batch = Batch::of_program(dir, &text, marks)?;
    let asked: String = ASKED
        .iter()
        .map(|name| format!("#define {name} t_{name}\n"))
        .collect();
    batch.file("drive.c", &format!("{WORLD}{asked}#include \"native.c\"\n"))?;
    let truth = truth(&batch, examination.record, seed)?;
    let mut examined = examination.examine_against(&batch, &truth, |_| None)?;
    // A world that fails by input is more than a shell can make.
    if examined.complaints.is_empty() && !examination.arguments.contains(&FAULTS) {
        confirm(&batch, examination.record, &mut examined)?;
    }
    Ok(examined)
}

/// Exports the tests as a shell script and runs them with the recording form of the program: all
/// must pass and together show what is called covered.
fn confirm(batch: &Batch, record: &Path, examined: &mut Examined) -> Outcome<()> {
    let mut export = Command::new(labrys()?);
    export.args(["export", "out", "--format", "sh", "--out", "tests.sh"]);
    run_child(export.current_dir(&batch.dir))?;
    batch.file(
        "still.c",
        &format!("{MACHINE}{STILL}#include \"native.c\"\n"),
    )?;
    compile(batch, "still.c", "recording", record)?;
    let marks = batch.new_marks("recording")?;
    // The tests have an environment of their own.
    let (marks, dir) = (marks.display(), batch.dir.display());
    let text = format!("#!/bin/sh\nTORTURE_MARKS='{marks}' exec '{dir}/recording' \"$@\"\n");
    let program = batch.file("program", &text)?;
    std::fs::set_permissions(&program, Permissions::from_mode(0o755)).map_err(Failure::usage)?;
    let mut tests = Command::new("sh");
    tests.arg("tests.sh").env("PROGRAM", &program);
    let output = tests.current_dir(&batch.dir).stdin(Stdio::null()).output();
    let output = output.map_err(Failure::usage)?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    examined.confirm(
        batch,
        &printed,
        &Marks::read(&batch.dir.join("recording.marks"))?,
    )
}

fn compile(batch: &Batch, source: &str, program: &str, record: &Path) -> Outcome<()> {
    let mut command = Command::new("cc");
    command.args(["-O0", "-w", "-fwrapv", "-o", program, source]);
    run_child(command.arg(record).current_dir(&batch.dir)).map(|_| ())
}

fn truth(batch: &Batch, record: &Path, seed: u64) -> Outcome<Marks> {
    compile(batch, "drive.c", "native", record)?;
    let marks = batch.new_marks("native")?;
    let mut draw = Draw::new(seed);
    for number in 0..RUNS {
        let arguments = ["a", "-q", "x"];
        // A program may wait for itself, at the end of a pipe that it has opened as standard input.
        let mut native = Command::new("timeout");
        native
            .args(["-s", "KILL", "1", "./native"])
            .args(&arguments[..draw.below(4)])
            .env("TORTURE_MARKS", &marks)
            .env("TORTURE_SEED", (seed as usize * RUNS + number).to_string())
            .current_dir(&batch.dir)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // However it ends: what it did is in the marks.
        native
            .status()
            .map_err(|e| Failure::usage(format_args!("cannot run {native:?}: {e}")))?;
    }
    Marks::read(&marks)
}
