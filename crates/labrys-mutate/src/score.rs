//! How many mutants there are and what became of them: the counts of `summary.json`.

use crate::verdict::MutantFate;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The counts of a set of mutants. Each mutant is in one of `duplicates`, `equivalent`,
/// `killed_before`, `killed`, `survived` and `no_coverage`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutationScore {
    pub total: usize,
    pub duplicates: usize,
    /// Killed by the suite.
    pub killed_before: usize,
    /// Killed by new tests only.
    pub killed: usize,
    pub equivalent: usize,
    pub survived: usize,
    pub no_coverage: usize,
    /// Those of the kills in which a run crashed, or did not end.
    pub crashed: usize,
    pub timeout: usize,
}

impl MutationScore {
    /// Counts one mutant; `new` says whether only a new test kills it.
    pub fn add(&mut self, fate: MutantFate, new: bool) {
        self.total += 1;
        match fate {
            MutantFate::Killed | MutantFate::Crashed | MutantFate::Timeout => {
                self.crashed += usize::from(fate == MutantFate::Crashed);
                self.timeout += usize::from(fate == MutantFate::Timeout);
                match new {
                    true => self.killed += 1,
                    false => self.killed_before += 1,
                }
            }
            MutantFate::Equivalent => self.equivalent += 1,
            MutantFate::Duplicate => self.duplicates += 1,
            MutantFate::Survived => self.survived += 1,
            MutantFate::NoCoverage => self.no_coverage += 1,
        }
    }

    /// Counts mutants by what became of them, and whether only a new test kills them.
    pub fn of(mutants: impl IntoIterator<Item = (MutantFate, bool)>) -> Self {
        let mut score = MutationScore::default();
        let mutants = mutants.into_iter();
        mutants.for_each(|(fate, new)| score.add(fate, new));
        score
    }

    /// Killed by any test.
    pub fn all_killed(&self) -> usize {
        self.killed_before + self.killed
    }

    /// Those that a test could kill, as far as is known.
    pub fn counted(&self) -> usize {
        self.total - self.duplicates - self.equivalent
    }

    /// The killed over those that count; 1 if there are none.
    pub fn score(&self) -> f64 {
        match self.counted() {
            0 => 1.0,
            counted => self.all_killed() as f64 / counted as f64,
        }
    }
}

/// The counts of each mutation operator.
pub fn by_operator<'a>(
    mutants: impl IntoIterator<Item = (&'a str, MutantFate, bool)>,
) -> BTreeMap<String, MutationScore> {
    let mut all: BTreeMap<String, MutationScore> = BTreeMap::new();
    for (operator, fate, new) in mutants {
        all.entry(operator.to_owned()).or_default().add(fate, new);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_proved_does_not_count() {
        let score = MutationScore::of([
            (MutantFate::Killed, false),
            (MutantFate::Timeout, true),
            (MutantFate::Crashed, false),
            (MutantFate::Equivalent, false),
            (MutantFate::Duplicate, false),
            (MutantFate::Survived, false),
            (MutantFate::NoCoverage, false),
        ]);
        assert_eq!(score.total, 7);
        assert_eq!((score.killed_before, score.killed), (2, 1));
        assert_eq!((score.crashed, score.timeout), (1, 1));
        assert_eq!(score.counted(), 5);
        assert!((score.score() - 0.6).abs() < 1e-9);
        assert!((MutationScore::default().score() - 1.0).abs() < 1e-9);
    }
}
