//! A second opinion on coverage: the original sources, without our annotations, are compiled
//! with the coverage instrumentation of clang or gcc, the tests are run, and the counts of
//! `llvm-cov` or `gcov` are read. A run that is killed for its time leaves no counts.

use crate::beside::Beside;
use crate::compile::{BuildSpec, BuildUnit, ReplayError};
use crate::original::OriginalUnit;
use crate::replay::{Case, Limits, Replayer};
use crate::wire::Observation;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

const CLANG: &str = "clang-19";
const LLVM_PROFDATA: &str = "llvm-profdata-19";
const LLVM_COV: &str = "llvm-cov-19";
const GCC: &str = "gcc";
const GCOV: &str = "gcov";

/// What to measure.
#[derive(Clone, Debug)]
pub struct CoverageSpec {
    pub units: Vec<OriginalUnit>,
    /// What is linked beside them.
    pub beside: Beside,
    /// Where `labrys.h`, `replay.c` and `dialects.c` are.
    pub runtime_dir: PathBuf,
    /// An existing directory for everything that is built and measured; none of the sources is
    /// in it.
    pub work_dir: PathBuf,
    /// As in [`BuildSpec`].
    pub cache_dir: Option<PathBuf>,
}

/// How often a condition was true and false, by `llvm-cov`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BranchCount {
    pub file: PathBuf,
    /// The place of the condition; inside a macro, that in the macro's definition.
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    /// Where the macro was used that holds the condition.
    pub expanded_at: Option<(u32, u32)>,
    pub true_count: u64,
    pub false_count: u64,
}

/// What `llvm-cov` says.
#[derive(Clone, Debug)]
pub struct LlvmCoverage {
    /// The branches of the user's files, headers included, in order; two outcomes each.
    pub branches: Vec<BranchCount>,
    pub observations: Vec<Observation>,
}

impl LlvmCoverage {
    /// Outcomes of all branches.
    pub fn outcomes(&self) -> usize {
        self.branches.len() * 2
    }

    pub fn covered(&self) -> usize {
        let taken =
            |b: &BranchCount| usize::from(b.true_count > 0) + usize::from(b.false_count > 0);
        self.branches.iter().map(taken).sum()
    }
}

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

/// Measures the tests with clang's source-based coverage.
pub fn llvm_cov(
    spec: &CoverageSpec,
    tests: &[Case<'_>],
    limits: &Limits,
) -> Result<LlvmCoverage, ReplayError> {
    // Old C is accepted, as the front end accepts it.
    let flags = [
        "-fprofile-instr-generate",
        "-fcoverage-mapping",
        "-Wno-error=implicit-int",
        "-Wno-error=implicit-function-declaration",
        "-Wno-error=int-conversion",
        "-Wno-error=incompatible-function-pointer-types",
        "-Wno-error=return-type",
    ];
    // %m: all runs are merged into one file as they end.
    let profile = spec.work_dir.join("llvm-%m.profraw");
    remove_files(&spec.work_dir, |name| {
        name.starts_with("llvm-") && name.ends_with(".profraw")
    })?;
    let replayer =
        build(spec, CLANG, &flags, "llvm-cov")?.with_environment("LLVM_PROFILE_FILE", profile);
    let observations = replayer.run_one_process(tests, limits)?;
    let raw = files(&spec.work_dir, |name| {
        name.starts_with("llvm-") && name.ends_with(".profraw")
    })?;
    let merged = spec.work_dir.join("llvm.profdata");
    let mut merge = Command::new(LLVM_PROFDATA);
    output_of(
        merge
            .args(["merge", "-sparse", "-o"])
            .arg(&merged)
            .args(raw),
        LLVM_PROFDATA,
    )?;
    let mut export = Command::new(LLVM_COV);
    export
        .args(["export", "--format=text", "--instr-profile"])
        .arg(&merged);
    let text = output_of(export.arg(replayer.binary()), LLVM_COV)?;
    Ok(LlvmCoverage {
        branches: llvm_branches(&text, &absolute(&spec.work_dir)?)?,
        observations,
    })
}

/// Measures the tests with gcc's coverage.
pub fn gcov(
    spec: &CoverageSpec,
    tests: &[Case<'_>],
    limits: &Limits,
) -> Result<GcovCoverage, ReplayError> {
    remove_files(&spec.work_dir, |name| {
        name.ends_with(".gcda") || name.ends_with(".gcno")
    })?;
    let flags = ["--coverage", "-Wl,-u,__gcov_dump"];
    let replayer = build(spec, GCC, &flags, "gcov")?;
    let observations = replayer.run_one_process(tests, limits)?;
    let counts = files(&spec.work_dir, |name| name.ends_with(".gcda"))?;
    let work_dir = absolute(&spec.work_dir)?;
    let mut lines = Vec::new();
    for file in counts {
        let mut command = Command::new(GCOV);
        command
            .args(["--json-format", "--stdout", "--branch-probabilities"])
            .arg(&file);
        let text = output_of(command.current_dir(&spec.work_dir), GCOV)?;
        gcov_lines(&text, &work_dir, &mut lines)?;
    }
    Ok(GcovCoverage {
        lines,
        observations,
    })
}

/// Compiles the original sources, each with its harnesses behind it in the same unit.
fn build(
    spec: &CoverageSpec,
    compiler: &str,
    flags: &[&str],
    name: &str,
) -> Result<Replayer, ReplayError> {
    let mut units = Vec::new();
    let mut runtime = String::new();
    for file in ["replay.c", "inputs.c", "world.c"] {
        let file = spec.runtime_dir.join(file);
        let text = std::fs::read_to_string(&file)
            .map_err(|error| ReplayError::io("read", &file, error))?;
        runtime.push_str(&text);
    }
    for (number, (unit, source)) in spec.units.iter().zip(sources(spec)?).enumerate() {
        let path = spec.work_dir.join(format!("{name}-unit-{number}.c"));
        let whole = unit.harness.contains("labrys_main");
        let (rename, back) = (
            unit.defines(whole, &runtime),
            unit.undefines(whole, &runtime),
        );
        let text = format!(
            "{rename}#include \"{}\"\n{back}#include \"labrys.h\"\n{rename}{}\n",
            source.display(),
            unit.harness
        );
        std::fs::write(&path, text).map_err(|error| ReplayError::io("write", &path, error))?;
        units.push(BuildUnit {
            path: absolute(&path)?,
            flags: unit.flags.clone(),
            directory: unit.directory.clone(),
        });
    }
    let work_dir = absolute(&spec.work_dir)?;
    let mut build = BuildSpec::new(Vec::new(), spec.runtime_dir.clone(), work_dir.join(name));
    build.cc = compiler.to_owned();
    build.units = units;
    build.beside = spec.beside.clone();
    build.flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
    // The headers of other tools, where the user's flags lead to none.
    let headers = spec.runtime_dir.join("include");
    build.flags.push("-idirafter".to_owned());
    build.flags.push(headers.display().to_string());
    build.cache_dir.clone_from(&spec.cache_dir);
    let replayer = Replayer::build(&build)?;
    // The counts of another compiler would be in another format.
    match replayer.notes.first() {
        Some(note) => Err(ReplayError::Tool {
            tool: compiler.to_owned(),
            message: note.clone(),
        }),
        None => Ok(replayer),
    }
}

/// The user's own files, headers included: neither the system's nor the unit around them.
fn is_users(file: &Path, work_dir: &Path) -> bool {
    let foreign = [Path::new("/usr/include"), Path::new("/usr/lib"), work_dir];
    !foreign.iter().any(|dir| file.starts_with(dir))
}

fn absolute(path: &Path) -> Result<PathBuf, ReplayError> {
    path.canonicalize()
        .map_err(|error| ReplayError::io("find", path, error))
}

fn sources(spec: &CoverageSpec) -> Result<Vec<PathBuf>, ReplayError> {
    spec.units
        .iter()
        .map(|unit| absolute(&unit.source))
        .collect()
}

fn files(dir: &Path, keep: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, ReplayError> {
    let failed = |error| ReplayError::io("read", dir, error);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.file_name().to_str().is_some_and(&keep) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

fn remove_files(dir: &Path, which: impl Fn(&str) -> bool) -> Result<(), ReplayError> {
    for file in files(dir, which)? {
        std::fs::remove_file(&file).map_err(|error| ReplayError::io("remove", &file, error))?;
    }
    Ok(())
}

fn output_of(command: &mut Command, tool: &str) -> Result<Vec<u8>, ReplayError> {
    let failed = |message: String| ReplayError::Tool {
        tool: tool.to_owned(),
        message,
    };
    let output = command
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(failed(
            String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        ))
    }
}

#[derive(Deserialize)]
struct LlvmExport {
    data: Vec<LlvmData>,
}

#[derive(Deserialize)]
struct LlvmData {
    files: Vec<LlvmFile>,
}

#[derive(Deserialize)]
struct LlvmFile {
    filename: PathBuf,
    branches: Vec<Vec<u64>>,
    #[serde(default)]
    expansions: Vec<LlvmExpansion>,
}

#[derive(Deserialize)]
struct LlvmExpansion {
    branches: Vec<Vec<u64>>,
    source_region: Vec<u64>,
}

fn llvm_branches(text: &[u8], work_dir: &Path) -> Result<Vec<BranchCount>, ReplayError> {
    let unreadable = |message: String| ReplayError::Tool {
        tool: LLVM_COV.to_owned(),
        message,
    };
    let export: LlvmExport =
        serde_json::from_slice(text).map_err(|error| unreadable(error.to_string()))?;
    let mut branches = Vec::new();
    for file in export.data.iter().flat_map(|data| &data.files) {
        let name = file
            .filename
            .canonicalize()
            .unwrap_or_else(|_| file.filename.clone());
        if !is_users(&name, work_dir) {
            continue;
        }
        let mut add = |row: &[u64], expanded_at| match row {
            [
                line,
                column,
                end_line,
                end_column,
                true_count,
                false_count,
                ..,
            ] => {
                branches.push(BranchCount {
                    file: name.clone(),
                    line: *line as u32,
                    column: *column as u32,
                    end_line: *end_line as u32,
                    end_column: *end_column as u32,
                    expanded_at,
                    true_count: *true_count,
                    false_count: *false_count,
                });
                Ok(())
            }
            _ => Err(unreadable("a branch has fewer than six numbers".to_owned())),
        };
        for row in &file.branches {
            add(row, None)?;
        }
        for expansion in &file.expansions {
            let at = match expansion.source_region[..] {
                [line, column, ..] => Some((line as u32, column as u32)),
                _ => None,
            };
            for row in &expansion.branches {
                add(row, at)?;
            }
        }
    }
    branches.sort();
    Ok(branches)
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

fn gcov_lines(text: &[u8], work_dir: &Path, lines: &mut Vec<GcovLine>) -> Result<(), ReplayError> {
    let report: GcovReport = serde_json::from_slice(text).map_err(|error| ReplayError::Tool {
        tool: GCOV.into(),
        message: error.to_string(),
    })?;
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
    Ok(())
}
