//! The benchmarks of Labrys: `./bench NAME…` at the top of the tree builds and runs them. They are
//! not part of the product.

#![allow(unreachable_pub)]

mod arguments;
mod benches;

use arguments::BenchArgs;
use clap::Parser;
use labrys_driver::{Failure, Outcome};
use std::path::PathBuf;
use std::process::ExitCode;

/// All targets were met, one was missed, or something could not be measured.
const ALL_MET: u8 = 0;
const MISSED: u8 = 1;
const FAILED: u8 = 2;

#[allow(clippy::print_stderr)]
fn main() -> ExitCode {
    let args = BenchArgs::parse();
    match benches::run(&args) {
        Ok(true) => ALL_MET,
        Ok(false) => MISSED,
        Err(failure) => {
            eprintln!("bench: {}", failure.message.trim_end());
            FAILED
        }
    }
    .into()
}

/// The program under measurement: LABRYS, or the one that was built beside this one.
fn labrys() -> Outcome<PathBuf> {
    if let Some(path) = std::env::var_os("LABRYS") {
        return Ok(path.into());
    }
    let this = std::env::current_exe().map_err(Failure::usage)?;
    // Test programs are one directory deeper.
    let mut dirs = this
        .ancestors()
        .skip(1)
        .take(2)
        .map(|dir| dir.join("labrys"));
    dirs.find(|path| path.is_file()).ok_or_else(|| {
        Failure::usage(
            "there is no labrys beside this program; build it, or set LABRYS to its path",
        )
    })
}
