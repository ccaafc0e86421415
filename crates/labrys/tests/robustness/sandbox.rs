//! A directory of its own for one test, and what a failed command must look like.

use crate::common::{Ended, labrys, run};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

pub const ABS: &str =
    "int absolute(int x) {\n    if (x < 0)\n        return -x;\n    return x;\n}\n";

pub struct Sandbox {
    dir: TempDir,
}

impl Sandbox {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        Sandbox { dir }
    }

    /// One with a file `x.c`.
    pub fn with(text: &str) -> Self {
        let sandbox = Sandbox::new();
        sandbox.write("x.c", text);
        sandbox
    }

    /// One with `x.c` and its finished suite in `labrys-out`.
    pub fn generated() -> Self {
        let sandbox = Sandbox::with(ABS);
        let ended = sandbox.run(&["gen", "x.c", "--quiet"]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        sandbox
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = labrys(self.dir.path());
        command.args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ended {
        run(&mut self.command(arguments))
    }

    /// Runs a command that must be refused as wrong usage, with one message that has these parts.
    pub fn refused(&self, arguments: &[&str], parts: &[&str]) -> Ended {
        let ended = self.run(arguments);
        refused(&ended, parts);
        ended
    }
}

/// Exit code 2, nothing on stdout, and these parts in the message.
pub fn refused(ended: &Ended, parts: &[&str]) {
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert_eq!(ended.stdout, "", "{ended:?}");
    for part in parts {
        assert!(ended.stderr.contains(part), "no '{part}' in {ended:?}");
    }
    assert!(!ended.stderr.contains("panicked"), "{ended:?}");
    let messages =
        ended.stderr.matches("labrys: ").count() + ended.stderr.matches("error: ").count();
    assert!(messages >= 1, "{ended:?}");
}

pub fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}
