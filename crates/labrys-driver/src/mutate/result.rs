//! The results of `mutate`: the objects that `--format json` prints.

use labrys_ledger::Mutant;
use labrys_mutate::{MutantFate, MutantVerdict, MutationScore, ScoredMutants, by_operator};
use labrys_suite::{SCHEMA, SuiteTarget};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The mutants of a program.
#[derive(Debug, Serialize)]
pub struct MutantList {
    pub schema: &'static str,
    pub target: SuiteTarget,
    pub mutants: Vec<Mutant>,
    pub by_operator: BTreeMap<String, usize>,
    pub notes: Vec<String>,
}

impl MutantList {
    pub fn new(target: SuiteTarget, mutants: Vec<Mutant>, notes: Vec<String>) -> Self {
        let mut by_operator: BTreeMap<String, usize> = BTreeMap::new();
        for mutant in &mutants {
            *by_operator.entry(mutant.operator.clone()).or_default() += 1;
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

/// What a suite does to the mutants.
#[derive(Debug, Serialize)]
pub struct SuiteMutation {
    pub schema: &'static str,
    pub target: SuiteTarget,
    pub totals: MutationScore,
    pub by_operator: BTreeMap<String, MutationScore>,
    /// All that did not survive, over all.
    pub score: f64,
    pub mutants: Vec<MutantRecord>,
    pub tests: Vec<MutationTest>,
    pub notes: Vec<String>,
    pub work: MutationWork,
}

#[derive(Debug, Serialize)]
pub struct MutantRecord {
    #[serde(flatten)]
    pub mutant: Mutant,
    pub status: MutantFate,
    /// Whether a test comes to it.
    pub reached: bool,
    /// The test that killed it, and what it saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    killer: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    how: Option<String>,
    runs: u32,
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

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct MutationWork {
    pub native_runs: usize,
    pub build_s: f64,
    pub run_s: f64,
    pub wall_s: f64,
}

impl SuiteMutation {
    pub fn new(
        target: SuiteTarget,
        mutants: &[Mutant],
        scored: &ScoredMutants,
        work: MutationWork,
    ) -> Self {
        let record = |(mutant, verdict): (&Mutant, &MutantVerdict)| MutantRecord {
            mutant: mutant.clone(),
            status: verdict.fate,
            reached: verdict.reached,
            killer: verdict.killer.as_ref().map(|(test, _)| *test),
            how: verdict.killer.as_ref().map(|(_, how)| how.clone()),
            runs: verdict.runs,
        };
        let totals = MutationScore::of(&scored.verdicts);
        SuiteMutation {
            schema: SCHEMA,
            target,
            totals,
            by_operator: by_operator(mutants, &scored.verdicts),
            score: totals.score(),
            mutants: mutants.iter().zip(&scored.verdicts).map(record).collect(),
            tests: Vec::new(),
            notes: Vec::new(),
            work,
        }
    }

    /// Killers by the numbers of all tests, not of those that could be run.
    pub fn name_killers(&mut self, numbers: &[usize]) {
        for mutant in &mut self.mutants {
            mutant.killer = mutant.killer.map(|place| numbers[place] + 1);
        }
    }
}
