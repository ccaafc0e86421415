//! One file for each command.

pub mod check;
pub mod doctor;
pub mod explain;
pub mod export;
pub mod generate;
pub mod init;
pub mod kill;
pub mod label;
pub mod measure;
pub mod minimise;
pub mod mutate;
pub mod prove;
pub mod replay;
pub mod report;

use crate::cli::{Format, Options};
use crate::signals::stop_on_signal;
use labrys_budget::Deadline;
use labrys_driver::{Failure, Outcome};
use serde::Serialize;
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

/// The end of a command that runs existing tests: only if the user gives it a time, or stops it. The
/// time in labrys.toml is that of gen.
fn time_given(options: &Options) -> Deadline {
    let deadline = match options.time {
        Some(time) => Deadline::after(time.0),
        None => Deadline::never(),
    };
    deadline.stopped_by(&stop_on_signal())
}

/// Prints a result as JSON or as text.
fn show<T: Serialize>(format: Format, result: &T, text: impl Fn(&T) -> String) -> Outcome<()> {
    match format {
        Format::Json => {
            let text = serde_json::to_string_pretty(result).map_err(Failure::internal)?;
            print(&format!("{text}\n"))
        }
        Format::Text => print(&text(result)),
    }
}
