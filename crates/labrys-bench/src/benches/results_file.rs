//! The file in which a benchmark keeps what is done, a line each, so that a run that was stopped goes on.

use labrys_driver::{Failure, Outcome};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::Write;
use std::path::Path;

/// The results of an earlier run.
pub fn read<T: DeserializeOwned>(file: &Path) -> Outcome<Vec<T>> {
    if !file.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(file).map_err(Failure::usage)?;
    let lines = text.lines();
    let results: Result<Vec<T>, _> = lines.map(serde_json::from_str).collect();
    results.map_err(|error| {
        Failure::usage(format_args!(
            "{} has other results: {error}",
            file.display()
        ))
    })
}

/// Adds a result to the file at once, so that a run that is stopped goes on where it was.
pub fn append(file: &Path, result: &impl Serialize) -> Outcome<()> {
    let line = serde_json::to_string(result).map_err(Failure::internal)?;
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(file)
        .map_err(Failure::usage)?;
    writeln!(file, "{line}").map_err(Failure::usage)
}
