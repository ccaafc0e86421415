//! Compares the run of a mutant with the run of the original: how it ends, what the harness
//! recorded, and what was written to streams and files. Outputs in which two runs of the original
//! differ are not compared.

use crate::verdict::MutantFate;
use labrys_suite::{Observation, RunEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What a test observes without any mutant.
pub(crate) struct Baseline {
    seen: Observation,
    /// Outputs that are others in every run.
    unstable: BTreeSet<String>,
}

/// Why a test cannot tell mutants from the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnusableTest {
    DoesNotFit(String),
    Timeout,
    /// Its runs end in different ways.
    NotDeterministic,
}

impl fmt::Display for UnusableTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnusableTest::DoesNotFit(why) => write!(f, "it does not fit the program: {why}"),
            UnusableTest::Timeout => f.write_str("it does not end without any mutant"),
            UnusableTest::NotDeterministic => f.write_str("it ends differently from run to run"),
        }
    }
}

impl Baseline {
    /// From two runs of the original.
    pub(crate) fn new(first: Observation, second: &Observation) -> Result<Self, UnusableTest> {
        match &first.end {
            end if !end.is_valid() => return Err(UnusableTest::DoesNotFit(end.to_string())),
            RunEnd::Timeout => return Err(UnusableTest::Timeout),
            end if *end != second.end => return Err(UnusableTest::NotDeterministic),
            _ => {}
        }
        let (one, other) = (outputs(&first), outputs(second));
        let names = one.keys().chain(other.keys());
        let unstable = names.filter(|name| one.get(*name) != other.get(*name));
        let unstable = unstable.map(|name| (*name).to_owned()).collect();
        Ok(Baseline {
            seen: first,
            unstable,
        })
    }

    /// From one run, which a second one will confirm or complete ([`Self::with`]).
    pub(crate) fn of_one(first: Observation) -> Result<Self, UnusableTest> {
        let second = first.clone();
        Baseline::new(first, &second)
    }

    /// The same with another run of the original.
    pub(crate) fn with(&self, second: &Observation) -> Result<Self, UnusableTest> {
        Baseline::new(self.seen.clone(), second)
    }

    pub(crate) fn unstable(&self) -> &BTreeSet<String> {
        &self.unstable
    }

    pub(crate) fn seen(&self) -> &Observation {
        &self.seen
    }

    /// A fault of the original may come before the mutants of its expression are tried.
    pub(crate) fn can_be_split(&self) -> bool {
        self.seen.end.is_normal()
    }

    pub(crate) fn points(&self) -> &[u32] {
        &self.seen.points
    }

    pub(crate) fn steps(&self) -> u64 {
        self.seen.steps
    }

    /// How the run of a mutant differs, if it does, and where that shows.
    pub(crate) fn difference(&self, mutant: &Observation) -> Option<(MutantFate, String)> {
        if mutant.end != self.seen.end {
            return new_ending(&mutant.end);
        }
        // Only the end is compared: what a run has written before a fault may depend on stray memory.
        let ends_well = self.seen.end.is_normal();
        if !ends_well || mutant.incomplete || self.seen.incomplete {
            return None;
        }
        let (one, other) = (outputs(&self.seen), outputs(mutant));
        let names = one.keys().chain(other.keys());
        let mut different = names
            .filter(|name| one.get(*name) != other.get(*name) && !self.unstable.contains(**name));
        let name = different.next()?;
        Some((MutantFate::Killed, format!("{name} differs")))
    }
}

/// An end that the original does not have.
fn new_ending(end: &RunEnd) -> Option<(MutantFate, String)> {
    match end {
        RunEnd::Timeout => Some((MutantFate::Timeout, "does not end".to_owned())),
        RunEnd::Signal { .. } | RunEnd::Error { .. } => Some((MutantFate::Crashed, end.outcome())),
        // The run says nothing.
        RunEnd::AssumeViolated | RunEnd::NoHarness { .. } => None,
        RunEnd::OutOfInputs { detail } | RunEnd::InputMismatch { detail } => Some((
            MutantFate::Killed,
            format!("asks for other inputs: {}", detail.trim()),
        )),
        RunEnd::Returned => Some((MutantFate::Killed, "returns".to_owned())),
        RunEnd::Exit { .. } | RunEnd::OutputLimit => Some((MutantFate::Killed, end.outcome())),
    }
}

/// Everything that a run has produced, in order for each name.
fn outputs(seen: &Observation) -> BTreeMap<&str, Vec<&[u8]>> {
    let mut all: BTreeMap<&str, Vec<&[u8]>> = BTreeMap::new();
    for (name, bytes) in &seen.outputs {
        all.entry(name).or_default().push(bytes);
    }
    for (name, bytes) in [("stdout", &seen.stdout), ("stderr", &seen.stderr)] {
        if !bytes.is_empty() {
            all.entry(name).or_default().push(bytes);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn seen(end: RunEnd, outputs: &[(&str, u8)], stdout: &str) -> Observation {
        Observation {
            triggers: vec![],
            vectors: vec![],
            points: vec![1],
            steps: 1,
            trace: 0,
            end,
            outputs: outputs
                .iter()
                .map(|(name, byte)| ((*name).to_owned(), vec![*byte]))
                .collect(),
            stdout: stdout.as_bytes().to_vec(),
            stderr: vec![],
            inputs_used: 0,
            incomplete: false,
            missing: labrys_suite::MissingProtections::default(),
            padded: false,
            asked: vec![],
        }
    }

    fn baseline(end: RunEnd, outputs: &[(&str, u8)]) -> Baseline {
        Baseline::new(seen(end.clone(), outputs, "a"), &seen(end, outputs, "a")).unwrap()
    }

    #[test]
    fn what_differs_kills() {
        let original = baseline(RunEnd::Returned, &[("return", 1), ("*p", 2)]);
        let difference = |end, outputs: &[(&str, u8)], stdout: &str| {
            original.difference(&seen(end, outputs, stdout))
        };
        let same = [("return", 1), ("*p", 2)];
        assert_eq!(difference(RunEnd::Returned, &same, "a"), None);
        let killed = |how: &str| Some((MutantFate::Killed, how.to_owned()));
        assert_eq!(
            difference(RunEnd::Returned, &[("return", 1), ("*p", 3)], "a"),
            killed("*p differs")
        );
        assert_eq!(
            difference(RunEnd::Returned, &[("return", 1)], "a"),
            killed("*p differs")
        );
        assert_eq!(
            difference(RunEnd::Returned, &same, "b"),
            killed("stdout differs")
        );
        assert_eq!(
            difference(RunEnd::Exit { code: 3 }, &same, "a"),
            killed("exit 3")
        );
        let crash = difference(RunEnd::Signal { number: 11 }, &[], "").unwrap();
        assert_eq!(crash.0, MutantFate::Crashed);
        let endless = difference(RunEnd::Timeout, &[], "").unwrap();
        assert_eq!(endless.0, MutantFate::Timeout);
        assert_eq!(difference(RunEnd::AssumeViolated, &[], ""), None);
    }

    #[test]
    fn what_changes_by_itself_says_nothing() {
        let first = seen(RunEnd::Returned, &[("return", 1), ("clock", 2)], "a");
        let second = seen(RunEnd::Returned, &[("return", 1), ("clock", 3)], "a");
        let original = Baseline::new(first, &second).unwrap();
        assert!(original.unstable().contains("clock"));
        let other = seen(RunEnd::Returned, &[("return", 1), ("clock", 9)], "a");
        assert_eq!(original.difference(&other), None);
        let other = seen(RunEnd::Returned, &[("return", 2), ("clock", 2)], "a");
        assert!(original.difference(&other).is_some());
    }

    #[test]
    fn a_fault_of_the_original_is_all_that_is_compared() {
        let original = baseline(RunEnd::Signal { number: 11 }, &[("*p", 1)]);
        let same_end = seen(RunEnd::Signal { number: 11 }, &[("*p", 7)], "");
        assert_eq!(original.difference(&same_end), None);
        let survives = seen(RunEnd::Returned, &[("*p", 1)], "a");
        assert_eq!(
            original.difference(&survives),
            Some((MutantFate::Killed, "returns".to_owned()))
        );
    }

    #[test]
    fn tests_that_say_nothing_are_named() {
        let of = |first, second| {
            Baseline::new(seen(first, &[], ""), &seen(second, &[], ""))
                .err()
                .unwrap()
        };
        assert_eq!(of(RunEnd::Timeout, RunEnd::Timeout), UnusableTest::Timeout);
        assert_eq!(
            of(RunEnd::Returned, RunEnd::Exit { code: 1 }),
            UnusableTest::NotDeterministic
        );
        assert!(matches!(
            of(RunEnd::AssumeViolated, RunEnd::AssumeViolated),
            UnusableTest::DoesNotFit(_)
        ));
    }
}
