//! The workloads, and how their instructions are counted.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A command of Labrys that always does the same work. `SOURCE` stands for the directory
/// `tests/guard`, `OUT` for an output directory of its own.
pub struct Workload {
    pub name: &'static str,
    /// What must be there first; not counted.
    before: &'static [&'static str],
    command: &'static [&'static str],
}

/// Searches are exhaustive, so that they end after the same work and never by the clock. The
/// values of tests are those of the solver where other work is measured.
pub const WORKLOADS: [Workload; 6] = [
    Workload {
        name: "front",
        before: &[],
        command: &[
            "label",
            "SOURCE/front.c",
            "--criterion",
            "branch,mcdc,weak-mutation,boundary",
        ],
    },
    Workload {
        name: "function",
        before: &[],
        command: &["gen", "SOURCE/function.c", "--out", "OUT", "--quiet"],
    },
    Workload {
        name: "interpreter",
        before: &[],
        command: &[
            "gen",
            "SOURCE/interpreter.c",
            "--main",
            "--raw-values",
            "--time",
            "600s",
            "--out",
            "OUT",
            "--quiet",
        ],
    },
    Workload {
        name: "search",
        before: &[],
        command: &[
            "gen",
            "SOURCE/search.c",
            "--main",
            "--exhaust",
            "--raw-values",
            "--time",
            "600s",
            "--out",
            "OUT",
            "--quiet",
        ],
    },
    Workload {
        name: "solver",
        before: &[],
        command: &[
            "gen",
            "SOURCE/solver.c",
            "--main",
            "--exhaust",
            "--raw-values",
            "--time",
            "600s",
            "--out",
            "OUT",
            "--quiet",
        ],
    },
    Workload {
        name: "replay",
        before: &[
            "gen",
            "SOURCE/search.c",
            "--main",
            "--criterion",
            "branch,path",
            "--paths",
            "600",
            "--raw-values",
            "--out",
            "OUT",
            "--quiet",
        ],
        command: &["replay", "OUT", "--quiet"],
    },
];

/// The instructions that Labrys itself executes for a workload.
pub fn count(workload: &Workload) -> Result<u64, String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let labrys = env!("CARGO_BIN_EXE_labrys");
    // Builds the cache of the library models, too, if there is none.
    let before = match workload.before {
        [] => &["gen", "SOURCE/function.c", "--out", "OUT-before", "--quiet"],
        before => before,
    };
    run(Command::new(labrys).args(words(before, dir.path())))?;
    let counts = dir.path().join("counts");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--quiet", "--trace-children=no"]);
    valgrind.arg(format!("--callgrind-out-file={}", counts.display()));
    valgrind
        .arg(labrys)
        .args(words(workload.command, dir.path()));
    // Addresses that do not depend on which thread allocates first.
    valgrind.env("GLIBC_TUNABLES", "glibc.malloc.arena_max=1");
    run(&mut valgrind)?;
    let text = std::fs::read_to_string(&counts)
        .map_err(|e| format!("callgrind has written no counts: {e}"))?;
    total(&text).ok_or_else(|| "callgrind has written no total".to_owned())
}

fn words(command: &[&str], dir: &Path) -> Vec<String> {
    let source = super::record::folder();
    let out = dir.join("out");
    let path = |path: &PathBuf| path.display().to_string();
    command
        .iter()
        .map(|word| {
            word.replace("SOURCE", &path(&source))
                .replace("OUT", &path(&out))
        })
        .collect()
}

fn run(command: &mut Command) -> Result<(), String> {
    command.env_remove("RUST_LOG").env_remove("LABRYS_LOG");
    let ended = command
        .output()
        .map_err(|e| format!("{}: {e}", command.get_program().display()))?;
    match ended.status.success() {
        true => Ok(()),
        false => Err(format!(
            "{command:?}: {}",
            String::from_utf8_lossy(&ended.stderr)
        )),
    }
}

/// The total of a file of callgrind: `summary: N` or `totals: N`.
fn total(text: &str) -> Option<u64> {
    let mut lines = text.lines();
    lines.find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok())
}
