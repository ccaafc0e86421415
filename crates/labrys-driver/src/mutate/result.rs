//! The results of `mutate`: the objects that `--format json` prints.

use crate::failure::Outcome;
use crate::output::OutDir;
use crate::output::mutants::{MutantRecord, MutantsFile, counts};
use labrys_ledger::Mutant;
use labrys_mutate::{MutationScore, by_operator};
use labrys_suite::{SCHEMA, SuiteTarget};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The mutants of a program.
#[derive(Debug, Serialize)]
pub struct MutantList {
    pub schema: &'static str,
    pub target: SuiteTarget,
    pub mutants: Vec<Mutant>,
    /// A pair is one of both of its operators.
    pub by_operator: BTreeMap<String, usize>,
    pub notes: Vec<String>,
}

impl MutantList {
    pub fn new(target: SuiteTarget, mutants: Vec<Mutant>, notes: Vec<String>) -> Self {
        let mut by_operator: BTreeMap<String, usize> = BTreeMap::new();
        for mutant in &mutants {
            let operators: BTreeSet<&String> = mutant.parts().map(|part| &part.operator).collect();
            for operator in operators {
                *by_operator.entry(operator.clone()).or_default() += 1;
            }
        }
        MutantList {
            schema: SCHEMA,
            target,
            mutants,
            by_operator,
            notes,
        }
    }
}

/// What a suite does to the mutants, in figures: `summary.json`.
#[derive(Debug, Serialize)]
pub struct SuiteMutation {
    pub schema: &'static str,
    pub target: SuiteTarget,
    pub mutants: MutationScore,
    /// A pair counts for both of its operators.
    pub by_operator: BTreeMap<String, MutationScore>,
    /// The killed over all that are not proved equivalent or duplicate.
    pub score: f64,
    /// With `--subsuming`: the killed mutants that are not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subsumed: Option<usize>,
    pub tests: Vec<MutationTest>,
    pub notes: Vec<String>,
    pub work: MutationWork,
    /// `done`, `time`, `memory`, `interrupted`, or `running` before the end.
    pub stop: &'static str,
}

#[derive(Debug, Serialize)]
pub struct MutationTest {
    pub id: u32,
    pub name: String,
    /// How many mutants it was the first to kill.
    pub kills: usize,
    /// Why it was not used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Outputs that are others in every run, and so are not looked at.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub unstable: BTreeSet<String>,
}

impl MutationTest {
    /// The test at this place, without any problem.
    pub fn new(place: usize, name: &str, kills: usize) -> Self {
        MutationTest {
            id: place as u32 + 1,
            name: name.to_owned(),
            kills,
            problem: None,
            unstable: BTreeSet::new(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct MutationWork {
    pub native_runs: usize,
    pub build_s: f64,
    pub run_s: f64,
    pub wall_s: f64,
    /// What the search of `kill` has done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<KillSearchWork>,
}

/// The search for killing tests, in figures.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct KillSearchWork {
    /// Paths of the original.
    pub paths: u64,
    pub mutant_runs: u64,
    /// Runs of mutants that came to the state of the original again, and such that were left out since
    /// another mutant had the same state.
    pub met_again: u64,
    pub subsumed: u64,
    pub instructions: u64,
    pub queries: u64,
    pub solver_unknown: u64,
    pub solver_s: f64,
    pub search_s: f64,
}

impl SuiteMutation {
    /// The figures of these mutants.
    pub fn new(target: SuiteTarget, mutants: &[MutantRecord]) -> Self {
        let all = counts(mutants);
        let operators = mutants
            .iter()
            .filter(|m| m.subsumed_by.is_none())
            .flat_map(|m| m.operators().into_iter().map(move |name| (name, m)))
            .map(|(name, m)| (name, m.status, m.newly_killed));
        SuiteMutation {
            schema: SCHEMA,
            target,
            mutants: all,
            by_operator: by_operator(operators),
            score: all.score(),
            subsumed: None,
            tests: Vec::new(),
            notes: Vec::new(),
            work: MutationWork::default(),
            stop: "done",
        }
    }
}

/// All that is known after the runs. `--format json` prints the figures with the mutants as `list`;
/// in an output directory these are two files.
#[derive(Debug, Serialize)]
pub struct MutationResults {
    #[serde(flatten)]
    pub summary: SuiteMutation,
    #[serde(rename = "list", serialize_with = "only_mutants")]
    pub file: MutantsFile,
}

fn only_mutants<S: serde::Serializer>(file: &MutantsFile, s: S) -> Result<S::Ok, S::Error> {
    file.mutants.serialize(s)
}

impl MutationResults {
    /// Writes `mutants.json` and `summary.json`.
    pub fn write(&self, out: &OutDir) -> Outcome<()> {
        self.file.write(out)?;
        out.write_json("summary.json", &self.summary)
    }
}
