//! `labrys init`: the harness of a function as C.

use super::print;
use crate::cli::InitArgs;
use crate::exit::{CommandResult, Exit};
use crate::resolve::resolve;
use labrys_driver::{Failure, harness_text};

pub fn run(args: &InitArgs) -> CommandResult {
    let text = harness_text(resolve(&args.options, &args.program)?)?;
    match &args.options.out {
        None => print(&text)?,
        Some(path) if path.exists() => {
            return Err(Failure::usage(format_args!(
                "{} exists already; labrys overwrites nothing",
                path.display()
            )));
        }
        Some(path) => std::fs::write(path, text).map_err(|error| {
            Failure::usage(format_args!("cannot write {}: {error}", path.display()))
        })?,
    }
    Ok(Exit::Done)
}
