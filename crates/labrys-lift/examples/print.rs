//! Prints the lifted form of bitcode files: `cargo run -p labrys-lift --example print -- x.bc`.
//! Arguments that start with `+` are entry symbols to keep.
#![allow(clippy::print_stdout)]

use labrys_lift::{LiftOptions, lift};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut options = LiftOptions::default();
    for argument in std::env::args().skip(1) {
        match argument.strip_prefix('+') {
            Some(symbol) => options.keep.push(symbol.to_owned()),
            None => files.push(argument.into()),
        }
    }
    let start = std::time::Instant::now();
    let module = lift(&files, &options)?;
    let took = start.elapsed();
    print!("{module}");
    println!("; lifted in {took:?}");
    labrys_ir::verify(&module)?;
    Ok(())
}
