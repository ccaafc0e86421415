//! Compares a native run with what the engine predicted: its trace, its end and its outputs.

use labrys_engine::{FaultKind, MAX_OUTPUT, PathEnd, StreamPart};
use labrys_suite::{Observation, RunEnd};
use std::collections::BTreeMap;

/// How a native run ended that has not noticed an error.
const WENT_ON: &str = "went on";

/// Whether a native run may go on after the engine's has ended, and then does whatever lies in
/// memory: what it reaches there says nothing about the program. Where the engine's stack is full,
/// the native one may have room: then the run goes on as the program says.
pub(super) fn is_undefined_after(end: &PathEnd) -> bool {
    match end {
        PathEnd::Fault(kind) => *kind != FaultKind::StackOverflow,
        PathEnd::HarnessLimit { .. } => true,
        _ => false,
    }
}

/// May a native run that ended so have used up its stack?
pub(super) fn is_out_of_stack(outcome: &str) -> bool {
    matches!(outcome, "segmentation-fault" | "bus-error")
}

/// What a native run did otherwise than predicted, by its trace, its end and its outputs.
pub(super) fn difference(test: &labrys_engine::Test, seen: &Observation) -> Option<String> {
    let counts = seen.end.is_valid() && !is_excused(test, seen) && has_ended(&test.end);
    if counts && seen.trace != test.trace {
        return Some("the native run took another path than predicted".into());
    }
    other_outcome(test, seen)
}

/// The same without its trace. Where objects lie and how large frames are is not predicted. A fault is
/// undefined behaviour: natively the program may run on, so only its prefix could be compared.
pub(crate) fn other_outcome(test: &labrys_engine::Test, seen: &Observation) -> Option<String> {
    if !seen.end.is_valid() {
        if went_on(test, &seen.end) {
            return None;
        }
        return Some(format!(
            "the native run ended with '{}'",
            seen.end.outcome()
        ));
    }
    match test.end {
        _ if is_excused(test, seen) => None,
        PathEnd::Returned if !seen.end.is_normal() => Some(format!(
            "the native run ended with '{}'",
            seen.end.outcome()
        )),
        PathEnd::Returned | PathEnd::Exited { .. } => {
            other_output(test, seen).or_else(|| other_result(test, seen))
        }
        _ => None,
    }
}

/// Does what the run did depend on where objects lie, or on how much stack there is?
fn is_excused(test: &labrys_engine::Test, seen: &Observation) -> bool {
    test.depends_on_layout || test.needs_much_stack && is_out_of_stack(&seen.end.outcome())
}

/// Has the engine run the program to its end?
fn has_ended(end: &PathEnd) -> bool {
    matches!(end, PathEnd::Returned | PathEnd::Exited { .. })
}

/// How a native run of the test has ended, for people. One that has not noticed the error in which the
/// engine ended the test comes to inputs that it does not have: those of the next call, for example.
pub(super) fn native_end(test: &labrys_engine::Test, end: &RunEnd) -> String {
    match went_on(test, end) {
        true => WENT_ON.to_owned(),
        false => end.outcome(),
    }
}

/// Did the native run go on where the engine stopped? Then it may ask for other inputs, or come to a
/// function that never returns.
fn went_on(test: &labrys_engine::Test, end: &RunEnd) -> bool {
    let stopped_early = !has_ended(&test.end);
    let is_beyond = matches!(
        end,
        RunEnd::OutOfInputs { .. } | RunEnd::InputMismatch { .. } | RunEnd::AssumeViolated
    );
    stopped_early && is_beyond
}

/// The first output that differs from the prediction.
fn other_output(test: &labrys_engine::Test, seen: &Observation) -> Option<String> {
    if seen.incomplete {
        return None;
    }
    let is_file = |name: &str| name.starts_with("file ");
    let mut turns: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, predicted) in &test.outputs {
        let turn = turns.entry(name).or_default();
        let mut same_name = seen.outputs.iter().filter(|(n, _)| n == name);
        let Some((_, bytes)) = same_name.nth(*turn) else {
            // A file that was written but is as before is no output.
            if is_file(name) {
                continue;
            }
            return Some(format!("the native run has no output '{name}'"));
        };
        *turn += 1;
        let same =
            (predicted.len() == bytes.len() || predicted.len() == MAX_OUTPUT || !is_file(name))
                && predicted
                    .iter()
                    .zip(bytes)
                    .all(|(p, b)| p.is_none_or(|p| p == *b));
        if !same {
            return Some(format!(
                "the native run gives another output '{name}' than predicted"
            ));
        }
    }
    None
}

/// What a whole program has produced otherwise than predicted: its exit status, what it wrote to
/// its streams, its files.
fn other_result(test: &labrys_engine::Test, seen: &Observation) -> Option<String> {
    let observed = |name: &str| seen.outputs.iter().find(|(n, _)| n == name);
    if seen.incomplete || observed("stdout").is_none() {
        return None;
    }
    if let PathEnd::Exited { status } = test.end {
        let expected = status & 0xff;
        if seen.end != (RunEnd::Exit { code: expected }) {
            return Some(format!(
                "the native run ended with '{}', predicted was exit {expected}",
                seen.end.outcome()
            ));
        }
    }
    for (name, parts) in ["stdout", "stderr"].iter().zip(&test.streams) {
        if observed(name).is_some_and(|(_, bytes)| !matches(parts, bytes)) {
            return Some(format!("the native run writes something else to {name}"));
        }
    }
    let files = seen.outputs.iter().filter(|(n, _)| n.starts_with("file "));
    let predicted = |name: &str| test.outputs.iter().any(|(n, _)| n == name);
    files
        .map(|(name, _)| name)
        .find(|name| !predicted(name))
        .map(|name| format!("only the native run writes the {name}"))
}

/// Whether bytes are what was predicted.
fn matches(parts: &[StreamPart], bytes: &[u8]) -> bool {
    let starts = |part: &[Option<u8>], bytes: &[u8]| {
        bytes.len() >= part.len()
            && part
                .iter()
                .zip(bytes)
                .all(|(p, b)| p.is_none_or(|p| p == *b))
    };
    match parts {
        [] => bytes.is_empty(),
        [StreamPart::Any] => true,
        // The last part ends with the bytes.
        [StreamPart::Any, StreamPart::Bytes(last)] => {
            bytes.len() >= last.len() && starts(last, &bytes[bytes.len() - last.len()..])
        }
        [StreamPart::Bytes(part), rest @ ..] => {
            starts(part, bytes) && matches(rest, &bytes[part.len()..])
        }
        // Any place that fits will do, so the first is taken: the bytes before it may be anything.
        [StreamPart::Any, rest @ ..] => match rest {
            [StreamPart::Bytes(part), ..] => (0..=bytes.len())
                .find(|at| starts(part, &bytes[*at..]))
                .is_some_and(|at| matches(rest, &bytes[at..])),
            _ => matches(rest, bytes),
        },
    }
}
