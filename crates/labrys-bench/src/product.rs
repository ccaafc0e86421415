//! The program under measurement.

use labrys_driver::{Failure, Outcome};
use std::path::PathBuf;

/// The path of `labrys`: what the variable LABRYS says, or the one that was built beside this one.
pub fn labrys() -> Outcome<PathBuf> {
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
