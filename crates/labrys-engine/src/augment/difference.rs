//! What tells a mutant from the original: in one pair of runs, and as a condition on the input.

use super::course::Course;
use crate::end::{FaultKind, PathEnd};
use crate::exec::Machine;
use crate::state::Output;
use crate::streams::StreamPart;
use crate::value::Slot;
use labrys_expr::ExprId;

/// So many bytes of an output are compared at once.
const PIECE: usize = 8;

/// Would a native run show that these two are not the same program?
pub(super) fn is_killed(original: &Course, mutant: &Course) -> bool {
    match (&original.end, &mutant.end) {
        (_, PathEnd::Suspended | PathEnd::StepLimit) => true,
        (PathEnd::Returned, PathEnd::Returned) => other_results(original, mutant),
        (PathEnd::Exited { status: a }, PathEnd::Exited { status: b }) => {
            a & 0xff != b & 0xff || other_results(original, mutant)
        }
        (PathEnd::Fault(a), PathEnd::Fault(b)) => is_visible(*a) != is_visible(*b),
        (PathEnd::Fault(kind), _) | (_, PathEnd::Fault(kind)) => is_visible(*kind),
        (PathEnd::Returned, PathEnd::Exited { .. }) => true,
        (PathEnd::Exited { .. }, PathEnd::Returned) => true,
        _ => false,
    }
}

/// Does the compiled program end at this fault for certain?
fn is_visible(kind: FaultKind) -> bool {
    !matches!(
        kind,
        FaultKind::OutOfBounds
            | FaultKind::UseAfterFree
            | FaultKind::UninitialisedRead
            | FaultKind::ShiftRange
            | FaultKind::Unreachable
    )
}

fn other_results(original: &Course, mutant: &Course) -> bool {
    original.state.inputs.len() < mutant.state.inputs.len()
        || other_outputs(original, mutant)
        || (original.streams.iter().zip(&mutant.streams)).any(|(a, b)| other_text(a, b))
}

fn other_outputs(original: &Course, mutant: &Course) -> bool {
    let pairs = original.outputs.iter().zip(&mutant.outputs);
    original.outputs.len() != mutant.outputs.len()
        || pairs
            .into_iter()
            .any(|((a, before), (b, after))| a != b || !same_bytes(before, after))
}

/// Indeterminate bytes are like any others.
fn same_bytes(a: &[Option<u8>], b: &[Option<u8>]) -> bool {
    let same = |(a, b): (&Option<u8>, &Option<u8>)| a.is_none() || b.is_none() || a == b;
    a.len() == b.len() && a.iter().zip(b).all(same)
}

fn other_text(a: &[StreamPart], b: &[StreamPart]) -> bool {
    match (a, b) {
        ([], []) => false,
        ([StreamPart::Bytes(a)], [StreamPart::Bytes(b)]) => !same_bytes(a, b),
        ([], [StreamPart::Bytes(_)]) | ([StreamPart::Bytes(_)], []) => true,
        // What shows the values of a model cannot be compared.
        _ => false,
    }
}

impl Machine<'_> {
    /// The condition under which the outputs of two runs are not the same, both on their paths.
    pub(super) fn outputs_differ(&mut self, original: &Course, mutant: &Course) -> ExprId {
        let mut differ = self.arena.no();
        let pairs = original.state.outputs.iter().zip(&*mutant.state.outputs);
        for (before, after) in pairs {
            let other = self.output_differs(before, after);
            differ = self.arena.or(differ, other);
        }
        differ
    }

    fn output_differs(&mut self, before: &Output, after: &Output) -> ExprId {
        let mut differ = self.arena.no();
        if before.name != after.name || before.bytes.len() != after.bytes.len() {
            return differ;
        }
        let pieces = before.bytes.chunks(PIECE).zip(after.bytes.chunks(PIECE));
        for (before, after) in pieces {
            let (a, b) = (self.joined(before), self.joined(after));
            let other = self.arena.ne(a, b);
            if let Some(other) = self.arena.defined(other) {
                differ = self.arena.or(differ, other);
            }
        }
        differ
    }

    /// Bytes as one number.
    fn joined(&mut self, bytes: &[Slot]) -> ExprId {
        let mut joined: Option<ExprId> = None;
        for slot in bytes {
            let byte = match slot.expr {
                Some(e) => e,
                None => self.arena.constant(8, slot.bits.into()),
            };
            joined = Some(match joined {
                Some(low) => self.arena.concat(byte, low),
                None => byte,
            });
        }
        joined.unwrap_or_else(|| self.arena.no())
    }
}
