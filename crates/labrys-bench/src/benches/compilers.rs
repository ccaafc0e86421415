//! The compiler and linker processes of a run: recorded by stand-ins, to be run again by
//! themselves. What a run takes beyond them is Labrys' own.

use super::clock::run_child;
use labrys_driver::{Failure, Outcome};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Stand-ins for clang and cc that write down how they are called.
pub struct Recorder {
    log: PathBuf,
    pub clang: String,
    pub cc: String,
}

impl Recorder {
    pub fn new(dir: &Path, clang: &str, cc: &str) -> Outcome<Self> {
        std::fs::create_dir_all(dir).map_err(Failure::usage)?;
        let log = dir.join("compilers.log");
        let stand_in = |name: &str, compiler: &str| {
            let path = dir.join(name);
            let log = log.display();
            // An empty argument ends a command.
            let text = format!(
                "#!/bin/sh\nprintf '%s\\0' {compiler} \"$@\" '' >>'{log}'\nexec {compiler} \"$@\"\n"
            );
            write_script(&path, &text)?;
            Ok(path.display().to_string())
        };
        Ok(Recorder {
            clang: stand_in("recorded-clang", clang)?,
            cc: stand_in("recorded-cc", cc)?,
            log,
        })
    }

    /// The calls since the last time, in order.
    pub fn take(&self) -> Outcome<Vec<Vec<String>>> {
        let bytes = std::fs::read(&self.log).map_err(Failure::usage)?;
        std::fs::remove_file(&self.log).map_err(Failure::usage)?;
        let text = String::from_utf8_lossy(&bytes);
        let arguments: Vec<&str> = text.split('\0').collect();
        let commands = arguments.split(|argument| argument.is_empty());
        let owned = |command: &[&str]| command.iter().map(|a| (*a).to_owned()).collect();
        Ok(commands
            .filter(|command| !command.is_empty())
            .map(owned)
            .collect())
    }
}

fn write_script(path: &Path, text: &str) -> Outcome<()> {
    let cannot =
        |e: std::io::Error| Failure::usage(format_args!("cannot write {}: {e}", path.display()));
    std::fs::write(path, text).map_err(cannot)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).map_err(cannot)
}

/// Runs the commands one after the other: how long that takes.
pub fn run_alone(commands: &[Vec<String>]) -> Outcome<Duration> {
    let start = Instant::now();
    for command in commands {
        let [program, arguments @ ..] = &command[..] else {
            continue;
        };
        run_child(Command::new(program).args(arguments).stdin(Stdio::null()))?;
    }
    Ok(start.elapsed())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_recorded_and_run_again() {
        let dir = tempfile::tempdir().unwrap();
        let recorder = Recorder::new(dir.path(), "true", "false").unwrap();
        for arguments in [&["a b", "c"][..], &["d"]] {
            let mut call = Command::new(&recorder.clang);
            assert!(call.args(arguments).status().unwrap().success());
        }
        assert!(!Command::new(&recorder.cc).status().unwrap().success());
        let commands = recorder.take().unwrap();
        let expected: [&[&str]; 3] = [&["true", "a b", "c"], &["true", "d"], &["false"]];
        assert_eq!(commands, expected);
        assert!(run_alone(&commands[..2]).is_ok());
        assert!(run_alone(&commands).is_err());
    }
}
