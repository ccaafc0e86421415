//! Measures coverage with clang and `llvm-cov`: compiles with its instrumentation, runs the tests,
//! and reads the outcomes of conditions and the MC/DC pairs.

use super::{CoverageSpec, absolute, build, files, is_users, output_of, remove_files};
use crate::compile::ReplayError;
use crate::replay::{ReplayCase, ReplayLimits};
use crate::wire::Observation;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

const CLANG: &str = "clang-19";
const LLVM_PROFDATA: &str = "llvm-profdata-19";
const LLVM_COV: &str = "llvm-cov-19";

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

/// A decision whose MC/DC pairs `llvm-cov` has counted: one of several conditions, none of which
/// holds a decision itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct McdcDecision {
    pub file: PathBuf,
    /// Where it begins and ends, as line and column.
    pub begin: (u32, u32),
    pub end: (u32, u32),
    /// For each condition whether it has a pair; in order of the text, unless macros hold some.
    /// Constants have none.
    pub covered: Vec<bool>,
}

/// What `llvm-cov` says.
#[derive(Clone, Debug)]
pub struct LlvmCoverage {
    /// The branches of the user's files, headers included, in order; two outcomes each.
    pub branches: Vec<BranchCount>,
    /// Empty if they were not asked for.
    pub decisions: Vec<McdcDecision>,
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

/// Measures the tests with clang's source-based coverage.
pub fn llvm_cov(
    spec: &CoverageSpec,
    tests: &[ReplayCase<'_>],
    limits: &ReplayLimits,
) -> Result<LlvmCoverage, ReplayError> {
    // Old C is accepted, as the front end accepts it.
    let mut flags = vec![
        "-fprofile-instr-generate",
        "-fcoverage-mapping",
        "-Wno-error=implicit-int",
        "-Wno-error=implicit-function-declaration",
        "-Wno-error=int-conversion",
        "-Wno-error=incompatible-function-pointer-types",
        "-Wno-error=return-type",
    ];
    if spec.mcdc {
        flags.push("-fcoverage-mcdc");
    }
    remove_files(&spec.work_dir, |name| {
        name.starts_with("llvm-") && name.ends_with(".profraw")
    })?;
    let replayer = build(spec, CLANG, &flags, "llvm-cov", &limits.deadline)?;
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
        &limits.deadline,
    )?;
    let mut export = Command::new(LLVM_COV);
    export
        .args(["export", "--format=text", "--instr-profile"])
        .arg(&merged);
    let text = output_of(export.arg(replayer.binary()), LLVM_COV, &limits.deadline)?;
    let (branches, decisions) = llvm_report(&text, &absolute(&spec.work_dir)?)?;
    Ok(LlvmCoverage {
        branches,
        decisions,
        observations,
    })
}

/// The branches and decisions of the user's files in what `llvm-cov` prints.
pub(crate) fn llvm_report(
    text: &[u8],
    work_dir: &Path,
) -> Result<(Vec<BranchCount>, Vec<McdcDecision>), ReplayError> {
    let export: LlvmExport =
        serde_json::from_slice(text).map_err(|error| unreadable(error.to_string()))?;
    Ok((branches(&export, work_dir)?, decisions(&export, work_dir)?))
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
    #[serde(default)]
    mcdc_records: Vec<Vec<serde_json::Value>>,
}

#[derive(Deserialize)]
struct LlvmExpansion {
    branches: Vec<Vec<u64>>,
    source_region: Vec<u64>,
}

fn unreadable(message: String) -> ReplayError {
    ReplayError::Tool {
        tool: LLVM_COV.to_owned(),
        message,
    }
}

/// The user's files, by their real names.
fn users_files<'e>(
    export: &'e LlvmExport,
    work_dir: &'e Path,
) -> impl Iterator<Item = (PathBuf, &'e LlvmFile)> {
    let files = export.data.iter().flat_map(|data| &data.files);
    files.filter_map(|file| {
        let name = file.filename.canonicalize();
        let name = name.unwrap_or_else(|_| file.filename.clone());
        is_users(&name, work_dir).then_some((name, file))
    })
}

fn decisions(export: &LlvmExport, work_dir: &Path) -> Result<Vec<McdcDecision>, ReplayError> {
    let mut decisions = Vec::new();
    for (name, file) in users_files(export, work_dir) {
        for record in &file.mcdc_records {
            // Begin, end, file, kind, pairs.
            let parts: Option<(Vec<u32>, Vec<bool>)> =
                record.split_last().and_then(|(last, places)| {
                    let number = |v: &serde_json::Value| Some(v.as_u64()? as u32);
                    let numbers = places.iter().map(number).collect::<Option<_>>()?;
                    let pairs = last.as_array()?.iter().map(serde_json::Value::as_bool);
                    Some((numbers, pairs.collect::<Option<_>>()?))
                });
            match parts {
                Some((numbers, covered)) if numbers.len() >= 4 => decisions.push(McdcDecision {
                    file: name.clone(),
                    begin: (numbers[0], numbers[1]),
                    end: (numbers[2], numbers[3]),
                    covered,
                }),
                _ => return Err(unreadable("an MC/DC record is not as expected".to_owned())),
            }
        }
    }
    decisions.sort();
    Ok(decisions)
}

fn branches(export: &LlvmExport, work_dir: &Path) -> Result<Vec<BranchCount>, ReplayError> {
    let mut branches = Vec::new();
    for (name, file) in users_files(export, work_dir) {
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
