//! The benchmarks of Labrys: `./bench NAME…` at the top of the tree builds and runs them. They are
//! not part of the product.

#![allow(unreachable_pub)]

mod arguments;
mod benches;
mod draw;
mod product;

use arguments::BenchArgs;
use clap::Parser;
use std::process::ExitCode;

/// All targets were met, one was missed, or something could not be measured.
const ALL_MET: u8 = 0;
const MISSED: u8 = 1;
const FAILED: u8 = 2;

#[allow(clippy::print_stderr)]
fn main() -> ExitCode {
    let args = BenchArgs::parse().shortened();
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
