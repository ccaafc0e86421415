//! What tells a mutant from the original: in one pair of runs, and as a condition on the input.

use super::followed_run::FollowedRun;
use crate::end::{FaultKind, PathEnd};
use crate::exec::Machine;
use crate::memory::Slot;
use crate::report::StreamPart;
use crate::state::ProgramOutput;
use labrys_expr::ExprId;

/// The number of bytes of an output that are compared at once.
const PIECE: usize = 8;

/// What two runs say of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    Same,
    /// A native run would show that these two are not the same program.
    Killed,
    /// Only a native run can tell.
    Unclear,
}

pub(crate) fn compare(original: &FollowedRun, mutant: &FollowedRun) -> Compared {
    match (&original.end, &mutant.end) {
        (_, PathEnd::Suspended | PathEnd::StepLimit) => Compared::Killed,
        (PathEnd::Returned, PathEnd::Returned) => results(original, mutant),
        (PathEnd::Exited { status: a }, PathEnd::Exited { status: b }) if a & 0xff == b & 0xff => {
            results(original, mutant)
        }
        (
            PathEnd::Returned | PathEnd::Exited { .. },
            PathEnd::Returned | PathEnd::Exited { .. },
        ) => Compared::Killed,
        (PathEnd::Fault(a), PathEnd::Fault(b)) if is_visible(*a) && is_visible(*b) => {
            Compared::Same
        }
        (PathEnd::Fault(kind), PathEnd::Returned | PathEnd::Exited { .. })
        | (PathEnd::Returned | PathEnd::Exited { .. }, PathEnd::Fault(kind))
            if is_visible(*kind) =>
        {
            Compared::Killed
        }
        _ => Compared::Unclear,
    }
}

/// Does the compiled program end at this fault for certain?
pub(crate) fn is_visible(kind: FaultKind) -> bool {
    !matches!(
        kind,
        FaultKind::OutOfBounds
            | FaultKind::UseAfterFree
            | FaultKind::UninitialisedRead
            | FaultKind::ShiftRange
            | FaultKind::Unreachable
    )
}

fn results(original: &FollowedRun, mutant: &FollowedRun) -> Compared {
    let streams = || original.streams.iter().zip(&mutant.streams);
    if original.state.inputs.len() < mutant.state.inputs.len()
        || other_outputs(original, mutant)
        || streams().any(|(a, b)| other_text(a, b))
    {
        return Compared::Killed;
    }
    let is_known = |(a, b): (&Vec<_>, &Vec<_>)| !a.contains(&StreamPart::Any) && a.len() == b.len();
    match streams().all(is_known) {
        true => Compared::Same,
        false => Compared::Unclear,
    }
}

fn other_outputs(original: &FollowedRun, mutant: &FollowedRun) -> bool {
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
    pub(crate) fn outputs_differ(
        &mut self,
        original: &FollowedRun,
        mutant: &FollowedRun,
    ) -> ExprId {
        let mut differ = self.arena.no();
        let pairs = original.state.outputs.iter().zip(&*mutant.state.outputs);
        for (before, after) in pairs {
            let other = self.output_differs(before, after);
            differ = self.arena.or(differ, other);
        }
        differ
    }

    fn output_differs(&mut self, before: &ProgramOutput, after: &ProgramOutput) -> ExprId {
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
