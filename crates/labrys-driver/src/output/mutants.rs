//! `mutants.json`: every mutant with what became of it, as `mutate` and `kill` write it.

use super::directory::OutDir;
use crate::failure::{Failure, Outcome};
use crate::request::Shard;
use labrys_ledger::Mutant;
use labrys_mutate::{AliveReason, MutantFate, MutantProof, MutantVerdict, MutationScore};
use labrys_suite::{SCHEMA, SuiteTarget};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The name of the file in an output directory.
pub const MUTANTS: &str = "mutants.json";

/// A source file of more bytes is not shown.
const MOST_BYTES: u64 = 64 << 20;

/// `mutants.json`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MutantsFile {
    pub schema: String,
    pub target: SuiteTarget,
    /// The part of the mutants that is here, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Of what the user says about the program and its harness.
    #[serde(default)]
    pub settings: String,
    /// The files of the program, as they were.
    #[serde(default)]
    pub sources: Vec<SourceState>,
    #[serde(default)]
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

impl SourceState {
    /// The file of this name as it is now.
    pub fn of(name: &str) -> Option<Self> {
        Some(SourceState {
            file: name.to_owned(),
            path: std::path::absolute(name).ok()?,
            hash: hash(&std::fs::read(name).ok()?),
        })
    }

    /// Its text, unless it has changed since.
    pub fn unchanged_text(&self) -> Option<String> {
        let known = std::fs::metadata(&self.path).ok()?;
        if !known.is_file() || known.len() > MOST_BYTES {
            return None;
        }
        let bytes = std::fs::read(&self.path).ok()?;
        let same = hash(&bytes) == self.hash;
        same.then(|| String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// FNV-1a, which stays the same on every machine and in every version.
pub fn hash(bytes: &[u8]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{hash:016x}")
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
    /// What a mutant of the second order changes, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<SecondChange>,
    /// A macro may have several mutants that look alike: their numbers.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub twin: u32,
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
    /// A mutant that dies only by tests that kill this one, too, with `--subsuming`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subsumed_by: Option<String>,
    /// Whether a test comes to it.
    #[serde(default)]
    pub reached: bool,
    /// How many tests were run with it.
    #[serde(default)]
    pub runs: u32,
}

/// The second change of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondChange {
    pub operator: String,
    #[serde(default)]
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub original: String,
    pub replacement: String,
}

impl SecondChange {
    fn of(mutant: &Mutant) -> Self {
        SecondChange {
            operator: mutant.operator.clone(),
            function: mutant.function.clone(),
            file: mutant.file.clone(),
            line: mutant.line,
            column: mutant.column,
            original: mutant.original().to_owned(),
            replacement: mutant.replacement().to_owned(),
        }
    }
}

/// One change of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordedChange<'a> {
    pub file: &'a str,
    pub line: u32,
    pub column: u32,
    pub operator: &'a str,
    pub original: &'a str,
    pub replacement: &'a str,
}

impl MutantRecord {
    /// All mutants of a program, of which nothing is known.
    pub fn all(mutants: &[Mutant]) -> Vec<Self> {
        let mut seen: BTreeMap<Vec<(&str, u32, u32, &str)>, u32> = BTreeMap::new();
        let mut records = Vec::new();
        for mutant in mutants {
            let parts = mutant.parts();
            let places = parts.map(|m| (m.file.as_str(), m.line, m.column, m.text.as_str()));
            let twin = seen.entry(places.collect()).or_default();
            *twin += 1;
            records.push(MutantRecord::open(mutant, *twin));
        }
        records
    }

    fn open(mutant: &Mutant, twin: u32) -> Self {
        let mut record = MutantRecord {
            id: mutant.id.clone(),
            operator: mutant.operator.clone(),
            function: mutant.function.clone(),
            file: mutant.file.clone(),
            line: mutant.line,
            column: mutant.column,
            original: mutant.original().to_owned(),
            replacement: mutant.replacement().to_owned(),
            also: mutant.also.as_deref().map(SecondChange::of),
            twin,
            status: MutantFate::Survived,
            killed_by: Vec::new(),
            newly_killed: false,
            how: None,
            reason: None,
            proof: None,
            subsumed_by: None,
            reached: false,
            runs: 0,
        };
        record.set(&MutantVerdict::no_time(), &[]);
        record
    }

    /// Enters what is known, with the names of the tests by their places.
    pub fn set(&mut self, verdict: &MutantVerdict, names: &[String]) {
        let name = |place: &usize| names.get(*place).cloned();
        self.status = verdict.fate;
        self.killed_by = verdict.killed_by.iter().filter_map(name).collect();
        self.newly_killed = verdict.newly_killed;
        self.how.clone_from(&verdict.how);
        self.reason.clone_from(&verdict.reason);
        self.proof.clone_from(&verdict.proof);
        self.reached = verdict.reached;
        self.runs = verdict.runs;
    }

    /// Its changes, one or two.
    pub fn changes(&self) -> Vec<RecordedChange<'_>> {
        let first = RecordedChange {
            file: &self.file,
            line: self.line,
            column: self.column,
            operator: &self.operator,
            original: &self.original,
            replacement: &self.replacement,
        };
        let second = self.also.as_ref().map(|also| RecordedChange {
            file: &also.file,
            line: also.line,
            column: also.column,
            operator: &also.operator,
            original: &also.original,
            replacement: &also.replacement,
        });
        [first].into_iter().chain(second).collect()
    }

    /// The operators of its changes, each once.
    pub fn operators(&self) -> BTreeSet<&str> {
        self.changes()
            .iter()
            .map(|change| change.operator)
            .collect()
    }

    /// What tells it from all others of its program, whatever its number.
    pub fn key(&self) -> MutantKey {
        let changes = self.changes().into_iter();
        let change = |change: RecordedChange<'_>| KeyOfChange {
            place: (change.file.to_owned(), change.line, change.column),
            operator: change.operator.to_owned(),
            texts: (change.original.to_owned(), change.replacement.to_owned()),
        };
        MutantKey {
            changes: changes.map(change).collect(),
            twin: self.twin,
        }
    }
}

/// See [`MutantRecord::key`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MutantKey {
    changes: Vec<KeyOfChange>,
    twin: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct KeyOfChange {
    place: (String, u32, u32),
    operator: String,
    texts: (String, String),
}

fn first() -> u32 {
    1
}

fn is_first(twin: &u32) -> bool {
    *twin == 1
}

/// The counts of mutants, without those that are subsumed.
pub fn counts<'a>(mutants: impl IntoIterator<Item = &'a MutantRecord>) -> MutationScore {
    let mutants = mutants.into_iter().filter(|m| m.subsumed_by.is_none());
    MutationScore::of(mutants.map(|m| (m.status, m.newly_killed)))
}

impl MutantsFile {
    pub fn new(target: SuiteTarget) -> Self {
        MutantsFile {
            schema: SCHEMA.to_owned(),
            target,
            shard: None,
            settings: String::new(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_every_machine() {
        assert_eq!(hash(b""), "cbf29ce484222325");
        assert_eq!(hash(b"a"), "af63dc4c8601ec8c");
    }
}
