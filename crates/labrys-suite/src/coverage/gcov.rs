//! Measures coverage with gcc and `gcov`: compiles with its instrumentation, runs the tests, and
//! reads how often each line was run.

use super::{CoverageSpec, absolute, build, files, is_users, output_of, remove_files};
use crate::compile::ReplayError;
use crate::replay::{ReplayCase, ReplayLimits};
use crate::wire::Observation;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

const GCC: &str = "gcc";
const GCOV: &str = "gcov";

/// What `gcov` says about a line. It knows no columns and does not tell true from false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcovLine {
    pub file: PathBuf,
    pub line: u32,
    pub count: u64,
    /// How often each jump out of the line was taken.
    pub branches: Vec<u64>,
}

/// What `gcov` says.
#[derive(Clone, Debug)]
pub struct GcovCoverage {
    pub lines: Vec<GcovLine>,
    pub observations: Vec<Observation>,
}

/// Measures the tests with gcc's coverage.
pub fn gcov(
    spec: &CoverageSpec,
    tests: &[ReplayCase<'_>],
    limits: &ReplayLimits,
) -> Result<GcovCoverage, ReplayError> {
    remove_files(&spec.work_dir, |name| {
        name.ends_with(".gcda") || name.ends_with(".gcno")
    })?;
    let flags = ["--coverage", "-Wl,-u,__gcov_dump"];
    let replayer = build(spec, GCC, &flags, "gcov", &limits.deadline)?;
    let observations = replayer.run_one_process(tests, limits)?;
    let counts = files(&spec.work_dir, |name| name.ends_with(".gcda"))?;
    let work_dir = absolute(&spec.work_dir)?;
    let mut lines = Vec::new();
    for file in counts {
        let mut command = Command::new(GCOV);
        command
            .args(["--json-format", "--stdout", "--branch-probabilities"])
            .arg(&file);
        let text = output_of(command.current_dir(&spec.work_dir), GCOV, &limits.deadline)?;
        lines.extend(gcov_report(&text, &work_dir)?);
    }
    Ok(GcovCoverage {
        lines,
        observations,
    })
}

#[derive(Deserialize)]
struct GcovReport {
    current_working_directory: PathBuf,
    files: Vec<GcovFile>,
}

#[derive(Deserialize)]
struct GcovFile {
    file: PathBuf,
    lines: Vec<GcovRow>,
}

#[derive(Deserialize)]
struct GcovRow {
    line_number: u32,
    count: u64,
    branches: Vec<GcovBranch>,
}

#[derive(Deserialize)]
struct GcovBranch {
    count: u64,
}

/// The lines of the user's files in what `gcov` prints.
pub(crate) fn gcov_report(text: &[u8], work_dir: &Path) -> Result<Vec<GcovLine>, ReplayError> {
    let report: GcovReport = serde_json::from_slice(text).map_err(|error| ReplayError::Tool {
        tool: GCOV.into(),
        message: error.to_string(),
    })?;
    let mut lines = Vec::new();
    for file in report.files {
        let path = report.current_working_directory.join(&file.file);
        let path = path.canonicalize().unwrap_or(path);
        if !is_users(&path, work_dir) {
            continue;
        }
        lines.extend(file.lines.into_iter().map(|row| GcovLine {
            file: path.clone(),
            line: row.line_number,
            count: row.count,
            branches: row.branches.iter().map(|branch| branch.count).collect(),
        }));
    }
    Ok(lines)
}
