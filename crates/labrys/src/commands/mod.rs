//! One file for each command.

pub mod bench;
mod decision_table;
pub mod explain;
pub mod export;
pub mod generate;
pub mod init;
pub mod label;
pub mod measure;
pub mod minimise;
pub mod mutate;
pub mod prove;
pub mod replay;
pub mod report;

use crate::failure::{Failure, Outcome};
use std::io::Write;

/// Prints a result on stdout. A closed pipe is no error.
fn print(text: &str) -> Outcome<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::usage(
            format_args!("cannot write the result: {error}"),
        )),
        _ => Ok(()),
    }
}

/// Says something beside the result, on stderr.
#[allow(clippy::print_stderr)]
fn note(text: &str) {
    eprintln!("note: {text}");
}
