//! What Labrys says about the mutants of a small function: a branch suite by `gen`, then `kill`, each in
//! a process of its own.

use super::write::SmallProgram;
use crate::product::labrys;
use labrys_driver::output::mutants::{MutantRecord, MutantsFile};
use labrys_driver::{Failure, Outcome};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The mutants with what became of them.
pub fn verdicts(
    program: &SmallProgram,
    source: &Path,
    dir: &Path,
    (time, order): (Duration, u32),
) -> Outcome<Vec<MutantRecord>> {
    let (suite, killed) = (dir.join("suite"), dir.join("killed"));
    let flags = program.shape.flags();
    let mut generate = Command::new(labrys()?);
    generate.arg("gen").arg(source).args(&flags);
    generate
        .args(["--time", "20s", "--quiet", "--out"])
        .arg(&suite);
    run(&mut generate)?;
    let mut kill = Command::new(labrys()?);
    kill.arg("kill").arg(source).args(&flags);
    // Global variables have the values that the source gives them, and so they do natively.
    kill.args(["--trust", "all", "--tests"]).arg(&suite);
    kill.arg("--time").arg(format!("{}ms", time.as_millis()));
    kill.arg("--order").arg(order.to_string());
    kill.args(["--quiet", "--out"]).arg(&killed);
    run(&mut kill)?;
    let file = killed.join("mutants.json");
    let text = std::fs::read(&file).map_err(Failure::usage)?;
    let file: MutantsFile = serde_json::from_slice(&text).map_err(Failure::usage)?;
    Ok(file.mutants)
}

fn run(command: &mut Command) -> Outcome<()> {
    let said = command
        .stdin(Stdio::null())
        .output()
        .map_err(Failure::usage)?;
    match said.status.success() {
        true => Ok(()),
        false => Err(Failure::usage(format_args!(
            "{command:?} failed: {}\n{}",
            said.status,
            String::from_utf8_lossy(&said.stderr)
        ))),
    }
}
