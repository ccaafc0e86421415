//! The files between [`crate::Replayer`] and `runtime/replay.c`: the job (tests to run) and the
//! result (what each of them did). Both are little endian and read with every length checked,
//! since the replayed program is not trusted.
//!
//! A job begins with the limits and the mutants of tests that are split, none for plain tests. A test
//! in a job is the name of its harness, the changes of the active mutant, the mode of its inputs, their
//! number, and for each a name and bytes. Mode 0: name and bytes are those of the input. Mode 1: a number, in the
//! order of the questions; its name is its text, its bytes are the double, the float and, unless
//! it has a fraction, the integer of 128 bits. Mode 2: one input without a name, whose bytes are
//! handed out in order. In modes 1 and 2 the result tells what was asked for. A test that is split
//! also has the places of its mutants, and the end and outputs of the original.

use crate::replay::{ActiveMutant, ReplayCase, ReplayInputs, ReplayLimits};
use crate::sandbox::MissingProtections;
use crate::split::{SplitMutants, SplitObservation, SplitTest};
use labrys_ledger::protocol::{JOB_MAGIC, ending, event, flag, input_mode};
use labrys_ledger::{OutcomeVector, Trigger};
use std::fmt;
use std::path::Path;

/// How a replayed run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The harness returned.
    Returned,
    /// The program called `exit`, or its `main` returned.
    Exit {
        code: i32,
    },
    Signal {
        number: i32,
    },
    Timeout,
    /// The program wrote more than its limit to a file or stream.
    OutputLimit,
    /// `labrys_assume` was called with a false condition: the test is not valid.
    AssumeViolated,
    /// The program asked for more inputs than the test has.
    OutOfInputs {
        detail: String,
    },
    /// The program asked for another input than the test has at this place.
    InputMismatch {
        detail: String,
    },
    /// `labrys_error` was called with this kind.
    Error {
        kind: String,
    },
    /// The program has no such harness.
    NoHarness {
        detail: String,
    },
}

impl RunEnd {
    /// The name used for `outcome` in `suite.json`.
    pub fn outcome(&self) -> String {
        match self {
            RunEnd::Returned | RunEnd::Exit { code: 0 } => "ok".into(),
            RunEnd::Exit { code } => format!("exit {code}"),
            RunEnd::Signal { number } => signal_name(*number),
            RunEnd::Timeout => "timeout".into(),
            RunEnd::OutputLimit => "output-limit".into(),
            RunEnd::AssumeViolated => "assume-violated".into(),
            RunEnd::OutOfInputs { .. } => "out-of-inputs".into(),
            RunEnd::InputMismatch { .. } => "input-mismatch".into(),
            RunEnd::Error { kind } => kind.clone(),
            RunEnd::NoHarness { .. } => "no-harness".into(),
        }
    }

    /// Whether the run came to its end: the harness returned, or the program has exited.
    pub fn is_normal(&self) -> bool {
        matches!(self, RunEnd::Returned | RunEnd::Exit { .. })
    }

    /// Whether the run says anything about the program: the inputs were those asked for and no
    /// assumption was violated.
    pub fn is_valid(&self) -> bool {
        !matches!(
            self,
            RunEnd::AssumeViolated
                | RunEnd::OutOfInputs { .. }
                | RunEnd::InputMismatch { .. }
                | RunEnd::NoHarness { .. }
        )
    }
}

impl fmt::Display for RunEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.outcome())?;
        match self {
            RunEnd::OutOfInputs { detail }
            | RunEnd::InputMismatch { detail }
            | RunEnd::NoHarness { detail } => write!(f, ": {detail}"),
            _ => Ok(()),
        }
    }
}

fn signal_name(number: i32) -> String {
    match number {
        4 => "illegal-instruction".into(),
        6 => "abort".into(),
        7 => "bus-error".into(),
        8 => "arithmetic-fault".into(),
        11 => "segmentation-fault".into(),
        _ => format!("signal {number}"),
    }
}

/// What one native run did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Everything covered, sorted, each once.
    pub triggers: Vec<Trigger>,
    /// The evaluations of decisions whose pairs are measured, each once, sorted.
    pub vectors: Vec<(u32, OutcomeVector)>,
    /// The mutation points that the run came to, sorted, each once; and how often it came to any.
    pub points: Vec<u32>,
    pub steps: u64,
    /// The fold of all events, see [`labrys_ledger::TraceHash`].
    pub trace: u64,
    pub end: RunEnd,
    /// What the harness recorded by `labrys_output`, in order.
    pub outputs: Vec<(String, Vec<u8>)>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub inputs_used: usize,
    /// Some triggers, outputs or vectors did not fit into the bounds of the replay runtime.
    pub incomplete: bool,
    /// What the sandbox of the run should have had and did not.
    pub missing: MissingProtections,
    /// The bytes of the test were not enough: the rest of what was asked for is zero.
    pub padded: bool,
    /// The inputs with the names and sizes that the program asked for, where the test knows only
    /// their order.
    pub asked: Vec<(String, Vec<u8>)>,
}

/// Flags of a result that says less than the run has shown.
const LOST: u32 = flag::TRIGGERS_LOST | flag::OUTPUTS_LOST | flag::VECTORS_LOST;

/// A job of tests with one mutant each, or none.
pub(crate) fn job(
    tests: &[(ReplayCase<'_>, ActiveMutant<'_>)],
    limits: &ReplayLimits,
    sandbox_dir: &Path,
) -> Vec<u8> {
    let mut out = head(limits, sandbox_dir);
    (0..3).for_each(|_| put32(&mut out, 0));
    put32(&mut out, tests.len() as u32);
    for (test, active) in tests {
        put_test(&mut out, test, *active);
    }
    out
}

/// A job of tests with many mutants each.
pub(crate) fn split_job(
    mutants: &SplitMutants<'_>,
    tests: &[SplitTest<'_>],
    limits: &ReplayLimits,
    sandbox_dir: &Path,
) -> Vec<u8> {
    let mut out = head(limits, sandbox_dir);
    put32(&mut out, mutants.drop_different.into());
    put32(&mut out, mutants.second_shift);
    put32(&mut out, mutants.list.len() as u32);
    for changes in mutants.list {
        put_changes(&mut out, changes);
    }
    put32(&mut out, tests.len() as u32);
    for test in tests {
        let active = ActiveMutant {
            most_steps: test.most_steps,
            ..ActiveMutant::default()
        };
        put_test(&mut out, &test.case, active);
        put32(&mut out, test.mutants.len() as u32);
        test.mutants
            .iter()
            .for_each(|place| put32(&mut out, *place));
        put_original(&mut out, test);
    }
    out
}

/// The end and the outputs with which those of mutants are compared.
fn put_original(out: &mut Vec<u8>, test: &SplitTest<'_>) {
    let seen = test.original;
    let (ending, code, detail) = numbers(&seen.end);
    put32(out, ending);
    put32(out, code as u32);
    put32(out, (seen.end.is_normal() && !seen.incomplete).into());
    put_bytes(out, detail.as_bytes());
    let mut outputs = Vec::new();
    let stable = |(name, _): &&(String, Vec<u8>)| !test.unstable.contains(name);
    for (name, bytes) in seen.outputs.iter().filter(stable) {
        put32(&mut outputs, name.len() as u32);
        put32(&mut outputs, bytes.len() as u32);
        outputs.extend_from_slice(name.as_bytes());
        outputs.extend_from_slice(bytes);
    }
    put_bytes(out, &outputs);
    let unstable = test.unstable.iter().flat_map(|name| [name.as_str(), "\0"]);
    put_bytes(out, unstable.collect::<String>().as_bytes());
    put_bytes(out, &seen.stdout);
    put_bytes(out, &seen.stderr);
}

fn head(limits: &ReplayLimits, sandbox_dir: &Path) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend_from_slice(JOB_MAGIC.as_bytes());
    out.extend_from_slice(&limits.memory_bytes.to_le_bytes());
    out.extend_from_slice(&limits.output_bytes.to_le_bytes());
    let wall = u32::try_from(limits.time.as_millis()).unwrap_or(u32::MAX / 2);
    put32(&mut out, wall);
    put32(&mut out, limits.open_files);
    put32(&mut out, limits.address_shift);
    put32(&mut out, limits.buffers_output.into());
    put_bytes(&mut out, sandbox_dir.as_os_str().as_encoded_bytes());
    out
}

fn put_test(out: &mut Vec<u8>, test: &ReplayCase<'_>, active: ActiveMutant<'_>) {
    put_bytes(out, test.harness.as_bytes());
    put_changes(out, active.changes);
    out.extend_from_slice(&active.most_steps.to_le_bytes());
    put_inputs(out, test.inputs);
}

/// The changes of a mutant, none for the original.
fn put_changes(out: &mut Vec<u8>, changes: &[(u32, u32)]) {
    put32(out, changes.len() as u32);
    for (point, alternative) in changes {
        put32(out, *point);
        put32(out, *alternative);
    }
}

fn put_inputs(out: &mut Vec<u8>, inputs: ReplayInputs<'_>) {
    let mut head = |mode: u32, count: usize| {
        put32(out, mode);
        put32(out, count as u32);
    };
    match inputs {
        ReplayInputs::Named(inputs) => {
            head(input_mode::NAMED, inputs.len());
            for (name, bytes) in inputs {
                put_bytes(out, name.as_bytes());
                put_bytes(out, bytes);
            }
        }
        ReplayInputs::Numbers(numbers) => {
            head(input_mode::NUMBERS, numbers.len());
            for number in numbers {
                put_bytes(out, number.text.as_bytes());
                put_bytes(out, &number.bytes());
            }
        }
        ReplayInputs::Stream(bytes) => {
            head(input_mode::STREAM, 1);
            put_bytes(out, b"");
            put_bytes(out, bytes);
        }
    }
}

fn put32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put32(out, bytes.len() as u32);
    out.extend_from_slice(bytes);
}

/// Reads the observations that are complete in the result file; the rest was never written.
pub fn results(bytes: &[u8]) -> Vec<Observation> {
    let mut reader = WireReader { rest: bytes };
    std::iter::from_fn(|| reader.observation()).collect()
}

/// The same for tests with many mutants each.
pub fn split_results(bytes: &[u8]) -> Vec<SplitObservation> {
    let mut reader = WireReader { rest: bytes };
    std::iter::from_fn(|| reader.split_observation()).collect()
}

struct WireReader<'a> {
    rest: &'a [u8],
}

impl<'a> WireReader<'a> {
    fn take(&mut self, size: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.rest.split_at_checked(size)?;
        self.rest = tail;
        Some(head)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let size = self.u32()? as usize;
        self.take(size)
    }

    fn text(&mut self) -> Option<String> {
        Some(String::from_utf8_lossy(self.bytes()?).into_owned())
    }

    fn observation(&mut self) -> Option<Observation> {
        let ending = self.u32()?;
        let code = self.u32()? as i32;
        let flags = self.u32()?;
        let missing = MissingProtections::of_test(self.u32()?);
        let inputs_used = self.u32()? as usize;
        let trace = self.u64()?;
        let steps = self.u64()?;
        let detail = self.text()?;
        let words = self.words()?;
        let outputs = self.outputs()?;
        let stdout = self.bytes()?.to_vec();
        let stderr = self.bytes()?.to_vec();
        let asked = named(self.bytes()?, u32::MAX);
        let vectors = self.vectors()?;
        Some(Observation {
            triggers: sorted(words.iter().filter_map(|word| trigger(*word))),
            points: sorted(words.iter().filter_map(|word| point(*word))),
            steps,
            vectors,
            trace,
            end: end(ending, code, detail)?,
            outputs,
            stdout,
            stderr,
            inputs_used,
            incomplete: flags & LOST != 0,
            missing,
            padded: flags & flag::INPUTS_PADDED != 0,
            asked,
        })
    }

    fn split_observation(&mut self) -> Option<SplitObservation> {
        let usable = self.u32()? != 0;
        let processes = self.u32()?;
        let infected = self.places()?;
        let mut different = Vec::new();
        for _ in 0..self.u32()? {
            different.push((self.places()?, self.observation()?));
        }
        Some(SplitObservation {
            usable,
            processes,
            infected,
            different,
        })
    }

    fn places(&mut self) -> Option<Vec<u32>> {
        let count = self.u32()? as usize;
        let places = self.take(count.checked_mul(4)?)?;
        let place = |bytes: &[u8]| bytes.try_into().map(u32::from_le_bytes).ok();
        places.chunks_exact(4).map(place).collect()
    }

    fn words(&mut self) -> Option<Vec<u64>> {
        let count = self.u32()? as usize;
        let bytes = self.take(count.checked_mul(8)?)?;
        let word = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes).ok();
        bytes.chunks_exact(8).map(word).collect()
    }

    fn vectors(&mut self) -> Option<Vec<(u32, OutcomeVector)>> {
        let count = self.u32()? as usize;
        let bytes = self.take(count.checked_mul(24)?)?;
        let mut vectors: Vec<(u32, OutcomeVector)> = bytes
            .chunks_exact(24)
            .filter_map(|bytes| {
                let mut words = WireReader { rest: bytes };
                let decision = u32::try_from(words.u64()?).ok()?;
                let (seen, truth) = (words.u64()?, words.u64()?);
                Some((decision, OutcomeVector { seen, truth }))
            })
            .collect();
        vectors.sort_unstable();
        vectors.dedup();
        Some(vectors)
    }

    fn outputs(&mut self) -> Option<Vec<(String, Vec<u8>)>> {
        let count = self.u32()?;
        Some(named(self.bytes()?, count))
    }
}

/// At most so many named values; what is cut off is left out.
fn named(bytes: &[u8], most: u32) -> Vec<(String, Vec<u8>)> {
    let mut reader = WireReader { rest: bytes };
    let mut values = Vec::new();
    for _ in 0..most {
        let value = (|| {
            let name_size = reader.u32()? as usize;
            let size = reader.u32()? as usize;
            let name = String::from_utf8_lossy(reader.take(name_size)?).into_owned();
            Some((name, reader.take(size)?.to_vec()))
        })();
        match value {
            Some(value) => values.push(value),
            None => break,
        }
    }
    values
}

fn end(number: u32, code: i32, detail: String) -> Option<RunEnd> {
    Some(match number {
        ending::RETURNED => RunEnd::Returned,
        ending::ASSUME_VIOLATED => RunEnd::AssumeViolated,
        ending::OUT_OF_INPUTS => RunEnd::OutOfInputs { detail },
        ending::INPUT_MISMATCH => RunEnd::InputMismatch { detail },
        ending::ERROR_REPORTED => RunEnd::Error { kind: detail },
        ending::NO_HARNESS => RunEnd::NoHarness { detail },
        ending::EXITED => RunEnd::Exit { code },
        ending::SIGNALLED => RunEnd::Signal { number: code },
        ending::TIMED_OUT => RunEnd::Timeout,
        ending::OUTPUT_LIMIT => RunEnd::OutputLimit,
        _ => return None,
    })
}

/// The inverse of [`end`].
fn numbers(end: &RunEnd) -> (u32, i32, &str) {
    match end {
        RunEnd::Returned => (ending::RETURNED, 0, ""),
        RunEnd::AssumeViolated => (ending::ASSUME_VIOLATED, 0, ""),
        RunEnd::OutOfInputs { detail } => (ending::OUT_OF_INPUTS, 0, detail),
        RunEnd::InputMismatch { detail } => (ending::INPUT_MISMATCH, 0, detail),
        RunEnd::Error { kind } => (ending::ERROR_REPORTED, 0, kind),
        RunEnd::NoHarness { detail } => (ending::NO_HARNESS, 0, detail),
        RunEnd::Exit { code } => (ending::EXITED, *code, ""),
        RunEnd::Signal { number } => (ending::SIGNALLED, *number, ""),
        RunEnd::Timeout => (ending::TIMED_OUT, 0, ""),
        RunEnd::OutputLimit => (ending::OUTPUT_LIMIT, 0, ""),
    }
}

/// The kind of a word, one of [`event`].
fn kind(word: u64) -> u32 {
    (word >> 56) as u32
}

/// The inverse of the word that [`labrys_ledger::TraceHash`] folds; `None` for anything that a
/// program wrote over the record by accident.
fn trigger(word: u64) -> Option<Trigger> {
    let a = (word >> 24) as u32;
    let b = (word >> 1) as u32 & 0x7f_ffff;
    let value = word & 1 == 1;
    Some(match kind(word) {
        event::EVENT_CONDITION => Trigger::Condition {
            decision: a,
            index: b,
            value,
        },
        event::EVENT_DECISION => Trigger::Decision { decision: a, value },
        event::EVENT_CASE => Trigger::Case { switch: a, case: b },
        event::EVENT_REACH => Trigger::Reach { id: a },
        event::COVERED_LABEL => Trigger::Label { id: a },
        _ => return None,
    })
}

/// A mutation point that a run came to.
fn point(word: u64) -> Option<u32> {
    (kind(word) == event::MUTATION_POINT).then_some((word >> 24) as u32)
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items.dedup();
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_result_file_is_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            results(&bytes);
            split_results(&bytes);
        }
    }

    #[test]
    fn an_end_is_read_as_it_was_written() {
        let detail = || "x".to_owned();
        for written in [
            RunEnd::Returned,
            RunEnd::AssumeViolated,
            RunEnd::OutOfInputs { detail: detail() },
            RunEnd::InputMismatch { detail: detail() },
            RunEnd::Error { kind: detail() },
            RunEnd::NoHarness { detail: detail() },
            RunEnd::Exit { code: 3 },
            RunEnd::Signal { number: 11 },
            RunEnd::Timeout,
            RunEnd::OutputLimit,
        ] {
            let (number, code, detail) = numbers(&written);
            assert_eq!(end(number, code, detail.to_owned()), Some(written));
        }
    }

    #[test]
    fn a_trigger_word_is_decoded() {
        let word = (1u64 << 56) ^ (700_000 << 24) ^ (9 << 1) ^ 1;
        let expected = Trigger::Condition {
            decision: 700_000,
            index: 9,
            value: true,
        };
        assert_eq!(trigger(word), Some(expected));
    }
}
