//! What tells a mutant from the original: how the run of a test ends, what the harness recorded,
//! what was written to streams and files. Whatever two runs of the original do differently says
//! nothing.

use crate::score::Fate;
use labrys_suite::{End, Observation};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What a test observes without any mutant.
pub(crate) struct Baseline {
    seen: Observation,
    /// Outputs that are others in every run.
    unstable: BTreeSet<String>,
}

/// Why a test cannot tell anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    DoesNotFit(String),
    Timeout,
    /// Its runs end in different ways.
    NotDeterministic,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::DoesNotFit(why) => write!(f, "it does not fit the program: {why}"),
            Unusable::Timeout => f.write_str("it does not end without any mutant"),
            Unusable::NotDeterministic => f.write_str("it ends differently from run to run"),
        }
    }
}

impl Baseline {
    /// From two runs of the original.
    pub(crate) fn new(first: Observation, second: &Observation) -> Result<Self, Unusable> {
        match &first.end {
            end if !end.is_valid() => return Err(Unusable::DoesNotFit(end.to_string())),
            End::Timeout => return Err(Unusable::Timeout),
            end if *end != second.end => return Err(Unusable::NotDeterministic),
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

    pub(crate) fn unstable(&self) -> &BTreeSet<String> {
        &self.unstable
    }

    pub(crate) fn points(&self) -> &[u32] {
        &self.seen.points
    }

    pub(crate) fn steps(&self) -> u64 {
        self.seen.steps
    }

    /// How the run of a mutant differs, if it does, and where that shows.
    pub(crate) fn difference(&self, mutant: &Observation) -> Option<(Fate, String)> {
        if mutant.end != self.seen.end {
            return other_end(&mutant.end);
        }
        // After a fault a run does whatever lies in memory.
        let ends_well = matches!(self.seen.end, End::Returned | End::Exit { .. });
        if !ends_well || mutant.incomplete || self.seen.incomplete {
            return None;
        }
        let (one, other) = (outputs(&self.seen), outputs(mutant));
        let names = one.keys().chain(other.keys());
        let mut different = names
            .filter(|name| one.get(*name) != other.get(*name) && !self.unstable.contains(**name));
        let name = different.next()?;
        Some((Fate::Killed, format!("{name} differs")))
    }
}

/// An end that the original does not have.
fn other_end(end: &End) -> Option<(Fate, String)> {
    match end {
        End::Timeout => Some((Fate::Timeout, "does not end".to_owned())),
        End::Signal { .. } | End::Error { .. } => Some((Fate::Crashed, end.outcome())),
        // The run says nothing.
        End::AssumeViolated | End::NoHarness { .. } => None,
        End::OutOfInputs { detail } | End::InputMismatch { detail } => Some((
            Fate::Killed,
            format!("asks for other inputs: {}", detail.trim()),
        )),
        End::Returned => Some((Fate::Killed, "returns".to_owned())),
        End::Exit { .. } | End::OutputLimit => Some((Fate::Killed, end.outcome())),
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

    fn seen(end: End, outputs: &[(&str, u8)], stdout: &str) -> Observation {
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
            confined: true,
            padded: false,
            asked: vec![],
        }
    }

    fn baseline(end: End, outputs: &[(&str, u8)]) -> Baseline {
        Baseline::new(seen(end.clone(), outputs, "a"), &seen(end, outputs, "a")).unwrap()
    }

    #[test]
    fn what_differs_kills() {
        let original = baseline(End::Returned, &[("return", 1), ("*p", 2)]);
        let difference = |end, outputs: &[(&str, u8)], stdout: &str| {
            original.difference(&seen(end, outputs, stdout))
        };
        let same = [("return", 1), ("*p", 2)];
        assert_eq!(difference(End::Returned, &same, "a"), None);
        let killed = |how: &str| Some((Fate::Killed, how.to_owned()));
        assert_eq!(
            difference(End::Returned, &[("return", 1), ("*p", 3)], "a"),
            killed("*p differs")
        );
        assert_eq!(
            difference(End::Returned, &[("return", 1)], "a"),
            killed("*p differs")
        );
        assert_eq!(
            difference(End::Returned, &same, "b"),
            killed("stdout differs")
        );
        assert_eq!(
            difference(End::Exit { code: 3 }, &same, "a"),
            killed("exit 3")
        );
        let crash = difference(End::Signal { number: 11 }, &[], "").unwrap();
        assert_eq!(crash.0, Fate::Crashed);
        let endless = difference(End::Timeout, &[], "").unwrap();
        assert_eq!(endless.0, Fate::Timeout);
        assert_eq!(difference(End::AssumeViolated, &[], ""), None);
    }

    #[test]
    fn what_changes_by_itself_says_nothing() {
        let first = seen(End::Returned, &[("return", 1), ("clock", 2)], "a");
        let second = seen(End::Returned, &[("return", 1), ("clock", 3)], "a");
        let original = Baseline::new(first, &second).unwrap();
        assert!(original.unstable().contains("clock"));
        let other = seen(End::Returned, &[("return", 1), ("clock", 9)], "a");
        assert_eq!(original.difference(&other), None);
        let other = seen(End::Returned, &[("return", 2), ("clock", 2)], "a");
        assert!(original.difference(&other).is_some());
    }

    #[test]
    fn a_fault_of_the_original_is_all_that_is_compared() {
        let original = baseline(End::Signal { number: 11 }, &[("*p", 1)]);
        let same_end = seen(End::Signal { number: 11 }, &[("*p", 7)], "");
        assert_eq!(original.difference(&same_end), None);
        let survives = seen(End::Returned, &[("*p", 1)], "a");
        assert_eq!(
            original.difference(&survives),
            Some((Fate::Killed, "returns".to_owned()))
        );
    }

    #[test]
    fn tests_that_say_nothing_are_named() {
        let of = |first, second| {
            Baseline::new(seen(first, &[], ""), &seen(second, &[], ""))
                .err()
                .unwrap()
        };
        assert_eq!(of(End::Timeout, End::Timeout), Unusable::Timeout);
        assert_eq!(
            of(End::Returned, End::Exit { code: 1 }),
            Unusable::NotDeterministic
        );
        assert!(matches!(
            of(End::AssumeViolated, End::AssumeViolated),
            Unusable::DoesNotFit(_)
        ));
    }
}
