//! `labrys-cc`: the compiler wrapper as a program of its own, for build systems that want one
//! path. It starts quickly, since it loads nothing that only the engine needs.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    ExitCode::from(labrys_build::wrapper::run(&arguments))
}
