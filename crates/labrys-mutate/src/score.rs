//! The results of mutation: one verdict for each mutant, and their counts.

use labrys_ledger::Mutant;
use serde::Serialize;
use std::collections::BTreeMap;

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MutantFate {
    /// No test tells it from the original.
    Survived,
    /// A test observed something else.
    Killed,
    /// A run did not end.
    Timeout,
    /// A run ended in a fault, where that of the original did not.
    Crashed,
}

impl MutantFate {
    pub fn name(self) -> &'static str {
        match self {
            MutantFate::Survived => "survived",
            MutantFate::Killed => "killed",
            MutantFate::Timeout => "timeout",
            MutantFate::Crashed => "crashed",
        }
    }
}

/// A mutant after all runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutantVerdict {
    pub fate: MutantFate,
    /// Whether a test comes to the changed expression.
    pub reached: bool,
    /// The test that killed it, by its place among the tests, and what it saw.
    pub killer: Option<(usize, String)>,
    /// How many tests were run with it.
    pub runs: u32,
}

/// How many mutants there are and how many were killed, by kind of kill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MutationScore {
    pub mutants: usize,
    pub killed: usize,
    pub timeout: usize,
    pub crashed: usize,
    pub survived: usize,
    /// Those of the survivors that no test comes to.
    pub not_reached: usize,
}

impl MutationScore {
    fn add(&mut self, verdict: &MutantVerdict) {
        self.mutants += 1;
        match verdict.fate {
            MutantFate::Killed => self.killed += 1,
            MutantFate::Timeout => self.timeout += 1,
            MutantFate::Crashed => self.crashed += 1,
            MutantFate::Survived => {
                self.survived += 1;
                self.not_reached += usize::from(!verdict.reached);
            }
        }
    }

    pub fn of<'a>(verdicts: impl IntoIterator<Item = &'a MutantVerdict>) -> Self {
        let mut score = MutationScore::default();
        verdicts.into_iter().for_each(|verdict| score.add(verdict));
        score
    }

    /// All that did not survive, over all; 1 if there are none.
    pub fn score(&self) -> f64 {
        match self.mutants {
            0 => 1.0,
            all => (all - self.survived) as f64 / all as f64,
        }
    }
}

/// The numbers of each mutation operator.
pub fn by_operator(
    mutants: &[Mutant],
    verdicts: &[MutantVerdict],
) -> BTreeMap<String, MutationScore> {
    let mut all: BTreeMap<String, MutationScore> = BTreeMap::new();
    for (mutant, verdict) in mutants.iter().zip(verdicts) {
        all.entry(mutant.operator.clone()).or_default().add(verdict);
    }
    all
}
