//! What became of a mutant: killed and by what, alive and why, or proved to make no difference. The
//! words are those of `mutants.json` (`docs/output.md`).

use serde::{Deserialize, Serialize};
use std::fmt;

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MutantFate {
    /// A test observed something else.
    Killed,
    /// A run ended in a fault, where that of the original did not.
    Crashed,
    /// A run did not end.
    Timeout,
    /// Proved: no test can tell it from the original.
    Equivalent,
    /// Proved: it does what another mutant does.
    Duplicate,
    /// Tests come to it, and none tells it from the original; or there was no time.
    Survived,
    /// No test comes to it.
    NoCoverage,
}

impl MutantFate {
    pub fn name(self) -> &'static str {
        match self {
            MutantFate::Killed => "killed",
            MutantFate::Crashed => "crashed",
            MutantFate::Timeout => "timeout",
            MutantFate::Equivalent => "equivalent",
            MutantFate::Duplicate => "duplicate",
            MutantFate::Survived => "survived",
            MutantFate::NoCoverage => "no-coverage",
        }
    }

    /// Whether a test tells it from the original.
    pub fn is_kill(self) -> bool {
        matches!(
            self,
            MutantFate::Killed | MutantFate::Crashed | MutantFate::Timeout
        )
    }

    /// Whether a test may still kill it.
    pub fn is_alive(self) -> bool {
        matches!(self, MutantFate::Survived | MutantFate::NoCoverage)
    }

    /// Whether it is proved that it need not be counted.
    pub fn is_proved(self) -> bool {
        matches!(self, MutantFate::Equivalent | MutantFate::Duplicate)
    }
}

/// Why a mutant is alive. In files it is the text that people read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum AliveReason {
    /// No test comes to the changed place.
    NeverReached,
    /// Tests come to it, but the state behind it is always that of the original.
    NeverInfected,
    /// The state differs behind it, and the difference is gone at this line.
    Masked { line: u32 },
    /// All tests that come to it have been run; nothing more is known.
    SameOutputs,
    /// The time was over before all of that was tried which might kill it.
    Time,
    /// What a search says in its own words.
    Other(String),
}

const MASKED: &str = "infected but masked at line ";

impl fmt::Display for AliveReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AliveReason::NeverReached => f.write_str("never reached"),
            AliveReason::NeverInfected => f.write_str("never infected"),
            AliveReason::Masked { line } => write!(f, "{MASKED}{line}"),
            AliveReason::SameOutputs => f.write_str("reached, with the same outputs"),
            AliveReason::Time => f.write_str("time"),
            AliveReason::Other(text) => f.write_str(text),
        }
    }
}

impl From<String> for AliveReason {
    fn from(text: String) -> Self {
        let plain = [
            AliveReason::NeverReached,
            AliveReason::NeverInfected,
            AliveReason::SameOutputs,
            AliveReason::Time,
        ];
        let line = text.strip_prefix(MASKED).and_then(|n| n.parse().ok());
        match (plain.into_iter().find(|r| r.to_string() == text), line) {
            (Some(reason), _) => reason,
            (None, Some(line)) => AliveReason::Masked { line },
            (None, None) => AliveReason::Other(text),
        }
    }
}

impl From<AliveReason> for String {
    fn from(reason: AliveReason) -> String {
        reason.to_string()
    }
}

/// How it is known that a mutant need not be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MutantProofKind {
    /// The compiler makes the same code of both.
    SameCode,
    /// No run that comes to it has another state behind it.
    NoInfection,
    /// All pairs of runs were looked at, and no bound was hit.
    Exhausted,
}

impl MutantProofKind {
    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            MutantProofKind::SameCode => "the compiler makes the same code of both",
            MutantProofKind::NoInfection => "the state behind it is always the same",
            MutantProofKind::Exhausted => "all pairs of runs have the same outputs",
        }
    }
}

/// Why a mutant is equivalent to the original, or to another mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutantProof {
    pub kind: MutantProofKind,
    /// Of a duplicate: the id of the mutant that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// What was looked at, such as `-O2 of f` or `12 pairs`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// What it rests on, as in the proofs of objectives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumes: Vec<String>,
}

/// A mutant and all that is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutantVerdict {
    pub fate: MutantFate,
    /// Whether a test comes to the changed expression.
    pub reached: bool,
    /// The tests that are known to kill it, by their places among the tests: the first that did, or
    /// all of them where all were asked for.
    pub killed_by: Vec<usize>,
    /// Whether only a test kills it that was made for it.
    pub newly_killed: bool,
    /// What the first of them saw.
    pub how: Option<String>,
    /// Of one that is alive.
    pub reason: Option<AliveReason>,
    /// Of one that need not be counted.
    pub proof: Option<MutantProof>,
    /// How many tests were run with it.
    pub runs: u32,
}

impl MutantVerdict {
    /// A mutant before any run, with what is said of it if there is no time for more.
    pub fn open(reached: bool) -> Self {
        let (fate, reason) = match reached {
            true => (MutantFate::Survived, AliveReason::Time),
            false => (MutantFate::NoCoverage, AliveReason::NeverReached),
        };
        MutantVerdict {
            fate,
            reached,
            killed_by: Vec::new(),
            newly_killed: false,
            how: None,
            reason: Some(reason),
            proof: None,
            runs: 0,
        }
    }

    /// A mutant of which nothing is known, not even whether a test comes to it.
    pub fn no_time() -> Self {
        MutantVerdict {
            reached: false,
            ..MutantVerdict::open(true)
        }
    }

    /// One that need not be run.
    pub fn proved(proof: MutantProof) -> Self {
        let mut verdict = MutantVerdict::open(false);
        verdict.prove(proof);
        verdict
    }

    /// Notes a kill.
    pub fn kill(&mut self, fate: MutantFate, test: usize, how: String) {
        if !self.killed_by.contains(&test) {
            self.killed_by.push(test);
        }
        if !self.fate.is_kill() {
            self.fate = fate;
            self.how = Some(how);
        }
        self.reached = true;
        self.reason = None;
    }

    /// Notes that it need not be counted.
    pub fn prove(&mut self, proof: MutantProof) {
        self.fate = match proof.same_as {
            Some(_) => MutantFate::Duplicate,
            None => MutantFate::Equivalent,
        };
        self.reason = None;
        self.proof = Some(proof);
    }

    /// Notes that another test comes to it, and that nobody knows what it computes there.
    pub fn may_be_infected(&mut self) {
        if self.reason == Some(AliveReason::NeverInfected) {
            self.reason = Some(AliveReason::SameOutputs);
        }
    }

    /// Notes why it is alive, if it is.
    pub fn because(&mut self, reason: AliveReason) {
        if self.fate.is_alive() {
            self.reason = Some(reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_read_as_they_are_written() {
        let all = [
            AliveReason::NeverReached,
            AliveReason::NeverInfected,
            AliveReason::Masked { line: 12 },
            AliveReason::SameOutputs,
            AliveReason::Time,
            AliveReason::Other("the search hit a bound".to_owned()),
        ];
        for reason in all {
            assert_eq!(AliveReason::from(reason.to_string()), reason);
        }
        let odd = "infected but masked at line x".to_owned();
        assert_eq!(AliveReason::from(odd.clone()), AliveReason::Other(odd));
    }

    #[test]
    fn a_verdict_changes_with_what_is_found() {
        let mut verdict = MutantVerdict::open(true);
        assert_eq!(verdict.reason, Some(AliveReason::Time));
        verdict.because(AliveReason::SameOutputs);
        verdict.kill(MutantFate::Crashed, 3, "segmentation-fault".to_owned());
        verdict.kill(MutantFate::Killed, 5, "return differs".to_owned());
        verdict.because(AliveReason::Time);
        assert_eq!(verdict.fate, MutantFate::Crashed);
        assert_eq!(verdict.killed_by, [3, 5]);
        assert_eq!(verdict.how.as_deref(), Some("segmentation-fault"));
        assert_eq!(verdict.reason, None);
        let proof = MutantProof {
            kind: MutantProofKind::SameCode,
            same_as: Some("mutation:2".to_owned()),
            detail: String::new(),
            assumes: Vec::new(),
        };
        assert_eq!(MutantVerdict::proved(proof).fate, MutantFate::Duplicate);
    }
}
