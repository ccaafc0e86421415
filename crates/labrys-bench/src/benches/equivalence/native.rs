//! The truth about the mutants of a small function: the program with all its mutants is compiled with
//! code that calls it on every input. Nothing of the engine takes part.

use super::write::SmallProgram;
use crate::benches::clock::run_child;
use labrys_driver::program::{ProgramForm, Project};
use labrys_driver::request::Request;
use labrys_driver::{Failure, Outcome};
use labrys_front::AnnotatedProgram;
use labrys_ledger::Mutant;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const DRIVE: &str = include_str!("c/drive.c");

/// A call that comes to mutation points more often than this has no end. The longest loops of the
/// originals take some hundred steps.
const MOST_STEPS: usize = 50_000;

/// What the calls on all inputs show of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// The first input that shows a difference.
    Killed {
        input: u32,
    },
    /// No input shows a difference without undefined behaviour of the mutant.
    Undefined,
    Equivalent,
}

/// The program with its mutants of this order.
pub fn load(source: &Path, dir: &Path, order: u32) -> Outcome<AnnotatedProgram> {
    let mut request = Request::new(vec![source.to_path_buf()]).function("f");
    request.objectives.order = order;
    let project = Project::open(request)?;
    let work = tempfile::tempdir_in(dir).map_err(Failure::usage)?;
    let sizes = project.request.harness.sizes;
    project.load(&ProgramForm::NativeMutants, sizes, work.path())
}

/// What is true of the mutants of the program, by their ids, and of those of which pairs were made.
pub fn truths(
    program: &SmallProgram,
    loaded: &AnnotatedProgram,
    dir: &Path,
) -> Outcome<BTreeMap<String, Truth>> {
    let [unit] = &loaded.units[..] else {
        return Err(Failure::internal("a small program has one unit"));
    };
    let pairs = loaded.mutants.iter().filter(|mutant| mutant.also.is_some());
    let parts = pairs.flat_map(Mutant::separate);
    let all: Vec<Mutant> = loaded.mutants.iter().cloned().chain(parts).collect();
    let text = drive(program, &unit.annotated, &all);
    let path = dir.join("drive.c");
    std::fs::write(&path, text).map_err(Failure::usage)?;
    compile(dir)?;
    let (said, _) = run_child(&mut Command::new(dir.join("drive")))?;
    let said = String::from_utf8_lossy(&said);
    let mut truths = BTreeMap::new();
    let mut lines = said.lines();
    for mutant in all {
        let line = lines.next().unwrap_or("nothing");
        truths.insert(mutant.id, truth(line, program)?);
    }
    Ok(truths)
}

fn truth(line: &str, program: &SmallProgram) -> Outcome<Truth> {
    match line.split_once(' ') {
        Some(("killed", input)) => Ok(Truth::Killed {
            input: input.parse().map_err(Failure::usage)?,
        }),
        None if line == "undefined" => Ok(Truth::Undefined),
        None if line == "equivalent" => Ok(Truth::Equivalent),
        _ => Err(Failure::usage(format_args!(
            "the native program of {} said '{line}'",
            program.name
        ))),
    }
}

/// The program with all its mutants and the code that calls it.
fn drive(program: &SmallProgram, annotated: &str, mutants: &[Mutant]) -> String {
    let mut text = annotated.to_owned();
    text += "\n#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\n#include <string.h>\n\
             #include <unistd.h>\n";
    let changes = mutants.iter().flat_map(Mutant::changes);
    let points = changes.map(|(point, _)| point + 1).max().unwrap_or(1);
    let _ = writeln!(
        text,
        "enum {{ INPUTS = {}, POINTS = {points}, MOST_STEPS = {MOST_STEPS} }};",
        program.shape.count()
    );
    text += "struct record {\n    int end, value, total;\n    unsigned char mode, table[4], behind[2];\n};\n";
    text += "static void reset_globals(void) {\n    static const unsigned char first[4] = {1, 5, 20, 90};\n    \
             mode = 3;\n    total = 0;\n    memcpy(table, first, sizeof table);\n}\n";
    let _ = writeln!(
        text,
        "static void call(unsigned n, struct record *seen) {{\n    {}\n    seen->total = total;\n    \
         seen->mode = mode;\n    memcpy(seen->table, table, sizeof table);\n}}",
        program.shape.call()
    );
    text += "static const unsigned mutants[][2][2] = {";
    for mutant in mutants {
        let changes = mutant.changes().into_iter();
        let changes = changes.map(|(point, chosen)| format!("{{{point}, {chosen}}}"));
        let changes: Vec<String> = changes.collect();
        let _ = write!(text, "{{{}}}, ", changes.join(", "));
    }
    text += "};\n";
    text + DRIVE
}

/// Arithmetic wraps as it does in Labrys. Accesses out of bounds, shifts that are too far and divisions by zero call
/// functions of `drive.c`, so no library of a sanitizer is linked. The harness is never called and
/// dropped by the linker, with all that it needs.
fn compile(dir: &Path) -> Outcome<()> {
    let mut compile = Command::new("cc");
    compile.args(["-O1", "-w", "-fwrapv", "-std=gnu17"]);
    compile.arg("-ffunction-sections");
    compile.arg("-fsanitize=bounds,shift-exponent,integer-divide-by-zero");
    compile.args(["-c", "drive.c", "-o", "drive.o"]);
    run_child(compile.current_dir(dir))?;
    let mut link = Command::new("cc");
    link.args(["-Wl,--gc-sections", "drive.o", "-o", "drive"]);
    run_child(link.current_dir(dir)).map(|_| ())
}
