//! `mutants.json`: every mutant with what became of it, as `mutate` and `kill` write it.

use super::directory::OutDir;
use crate::failure::{Failure, Outcome};
use labrys_ledger::Mutant;
use labrys_mutate::{AliveReason, MutantFate, MutantProof, MutantVerdict, MutationScore};
use labrys_suite::{SCHEMA, SuiteTarget};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The name of the file in an output directory.
pub const MUTANTS: &str = "mutants.json";

/// `mutants.json`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MutantsFile {
    pub schema: String,
    pub target: SuiteTarget,
    /// The files of the program, as they were.
    pub sources: Vec<SourceState>,
    pub tests: Vec<TestState>,
    pub mutants: Vec<MutantRecord>,
}

/// A file of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceState {
    /// As mutants name it.
    pub file: String,
    /// As an absolute path.
    pub path: PathBuf,
    /// Of its bytes.
    pub hash: String,
}

/// A test that mutants have met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestState {
    pub name: String,
    /// Of its inputs.
    pub hash: String,
}

/// A mutant and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutantRecord {
    pub id: String,
    pub operator: String,
    #[serde(default)]
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub original: String,
    pub replacement: String,
    pub status: MutantFate,
    /// The tests that are known to kill it.
    #[serde(default)]
    pub killed_by: Vec<String>,
    /// Whether only tests kill it that were made for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub newly_killed: bool,
    /// What the first of these tests saw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
    /// Why it is alive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<AliveReason>,
    /// Why it need not be counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<MutantProof>,
    /// Whether a test comes to it.
    #[serde(default)]
    pub reached: bool,
    /// How many tests were run with it.
    #[serde(default)]
    pub runs: u32,
}

impl MutantRecord {
    /// With the names of the tests by their places.
    pub fn new(mutant: &Mutant, verdict: &MutantVerdict, names: &[String]) -> Self {
        let name = |place: &usize| names.get(*place).cloned();
        MutantRecord {
            id: mutant.id.clone(),
            operator: mutant.operator.clone(),
            function: mutant.function.clone(),
            file: mutant.file.clone(),
            line: mutant.line,
            column: mutant.column,
            original: mutant.original().to_owned(),
            replacement: mutant.replacement().to_owned(),
            status: verdict.fate,
            killed_by: verdict.killed_by.iter().filter_map(name).collect(),
            newly_killed: verdict.newly_killed,
            how: verdict.how.clone(),
            reason: verdict.reason.clone(),
            proof: verdict.proof.clone(),
            reached: verdict.reached,
            runs: verdict.runs,
        }
    }
}

/// The counts of mutants.
pub fn counts<'a>(mutants: impl IntoIterator<Item = &'a MutantRecord>) -> MutationScore {
    let mutants = mutants.into_iter();
    MutationScore::of(mutants.map(|m| (m.status, m.newly_killed)))
}

impl MutantsFile {
    pub fn new(target: SuiteTarget) -> Self {
        MutantsFile {
            schema: SCHEMA.to_owned(),
            target,
            sources: Vec::new(),
            tests: Vec::new(),
            mutants: Vec::new(),
        }
    }

    pub fn write(&self, out: &OutDir) -> Outcome<()> {
        out.write_json(MUTANTS, self)
    }

    pub fn read(out: &OutDir) -> Outcome<Self> {
        let file: MutantsFile = out.read_json(MUTANTS)?;
        match file.schema == SCHEMA {
            true => Ok(file),
            false => Err(Failure::usage(format_args!(
                "{} has the schema '{}', not '{SCHEMA}'",
                out.file(MUTANTS).display(),
                file.schema
            ))),
        }
    }
}
