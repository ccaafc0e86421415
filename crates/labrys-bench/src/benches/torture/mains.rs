//! Whole programs with `main` and a few inputs of two bits: the truth is what all of their sequences
//! show.

use super::super::clock::run_child;
use super::examine::{Examination, Examined};
use super::native::{Batch, Marks, compiler};
use super::write::flags;
use labrys_driver::{Failure, Outcome};
use std::path::Path;
use std::process::{Command, Stdio};

const EVENTS: &str = include_str!("c/events.c");

/// Sequences of four inputs of two bits.
const SEQUENCES: usize = 256;

/// Writes the program of a seed and examines it.
pub fn examine(examination: &Examination<'_>, dir: &Path, seed: u64) -> Outcome<Examined> {
    let (text, marks, has_loop) = flags::program(seed);
    let batch = Batch::of_program(dir, &text, marks)?;
    batch.file("drive.c", &format!("{EVENTS}#include \"native.c\"\n"))?;
    let mut compile = compiler();
    compile.args(["-o", "native", "drive.c"]);
    compile.arg(examination.record);
    run_child(compile.current_dir(&batch.dir))?;
    let marks = batch.new_marks("native")?;
    for sequence in 0..SEQUENCES {
        let mut native = Command::new("./native");
        native
            .env("TORTURE_MARKS", &marks)
            .env("TORTURE_SEQUENCE", sequence.to_string())
            .current_dir(&batch.dir)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // However it ends: what it did is in the marks.
        native
            .status()
            .map_err(|e| Failure::usage(format_args!("cannot run {native:?}: {e}")))?;
    }
    examination.examine_against(&batch, &Marks::read(&marks)?, |_| Some(has_loop))
}
