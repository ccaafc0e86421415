//! How a path ends. What the program did ([`PathEnd`]) is never mixed with what Labrys could not
//! do for the whole run ([`crate::EngineError`]).

use labrys_ir::SourceLoc;
use serde::Serialize;

/// A run-time error of the program under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    NullDereference,
    OutOfBounds,
    UseAfterFree,
    DoubleFree,
    InvalidFree,
    WriteToConstant,
    DivisionByZero,
    DivisionOverflow,
    ShiftRange,
    UninitialisedRead,
    Assertion,
    Abort,
    ReachError,
    StackOverflow,
    InvalidCall,
    Unreachable,
}

impl FaultKind {
    /// May a run go on in any way from such an error on? The others end every run.
    pub fn is_undefined_behaviour(self) -> bool {
        !matches!(
            self,
            FaultKind::Assertion | FaultKind::Abort | FaultKind::ReachError
        )
    }

    pub fn name(self) -> &'static str {
        match self {
            FaultKind::NullDereference => "null-dereference",
            FaultKind::OutOfBounds => "out-of-bounds",
            FaultKind::UseAfterFree => "use-after-free",
            FaultKind::DoubleFree => "double-free",
            FaultKind::InvalidFree => "invalid-free",
            FaultKind::WriteToConstant => "write-to-constant",
            FaultKind::DivisionByZero => "division-by-zero",
            FaultKind::DivisionOverflow => "division-overflow",
            FaultKind::ShiftRange => "shift-range",
            FaultKind::UninitialisedRead => "uninitialised-read",
            FaultKind::Assertion => "assertion",
            FaultKind::Abort => "abort",
            FaultKind::ReachError => "reach-error",
            FaultKind::StackOverflow => "stack-overflow",
            FaultKind::InvalidCall => "invalid-call",
            FaultKind::Unreachable => "unreachable",
        }
    }
}

/// Why a path ended; each variant has its own counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// The entry function returned.
    Returned,
    /// The program called `exit`.
    Exited {
        status: i32,
    },
    Fault(FaultKind),
    /// An assumption of the driver cannot hold on this path: the path is discarded.
    AssumptionFailed,
    /// The run left an object whose size is a guess of the generated harness.
    HarnessLimit {
        flag: String,
    },
    /// Something that Labrys cannot execute.
    Unsupported {
        message: String,
    },
    /// The limit of instructions per path.
    StepLimit,
    /// The solver gave up on a condition without which the path cannot go on.
    SolverUnknown,
    /// The run was stopped from outside.
    Interrupted,
    /// A replay has come to the place where its candidate branches off; not an end of a path.
    ForkReached,
    /// The path has run long while others wait: it goes on later. Not an end either.
    Suspended,
    /// The path has left much behind and shown nothing new: its own way on waits among the others.
    /// Not an end either.
    Rested,
    /// A leaf has covered its label, which others had covered before: the rest of its path is of
    /// no interest.
    LabelCovered,
    /// A leaf cannot cover its label on this way: the path is discarded.
    LabelMissed,
    /// A turn of a loop was gone through from any state, in a proof.
    LoopClosed,
}

impl PathEnd {
    pub const NAMES: [&'static str; 15] = [
        "returned",
        "exited",
        "fault",
        "assumption-failed",
        "harness-limit",
        "unsupported",
        "step-limit",
        "solver-unknown",
        "interrupted",
        "fork-reached",
        "suspended",
        "label-covered",
        "label-missed",
        "loop-closed",
        "rested",
    ];

    /// Position of its counter in [`PathEnd::NAMES`].
    pub fn number(&self) -> usize {
        match self {
            PathEnd::Returned => 0,
            PathEnd::Exited { .. } => 1,
            PathEnd::Fault(_) => 2,
            PathEnd::AssumptionFailed => 3,
            PathEnd::HarnessLimit { .. } => 4,
            PathEnd::Unsupported { .. } => 5,
            PathEnd::StepLimit => 6,
            PathEnd::SolverUnknown => 7,
            PathEnd::Interrupted => 8,
            PathEnd::ForkReached => 9,
            PathEnd::Suspended => 10,
            PathEnd::LabelCovered => 11,
            PathEnd::LabelMissed => 12,
            PathEnd::LoopClosed => 13,
            PathEnd::Rested => 14,
        }
    }

    pub fn name(&self) -> &'static str {
        PathEnd::NAMES[self.number()]
    }

    /// Did the path end because Labrys could not go on, so that something may lie behind it that
    /// was not seen?
    pub fn is_incomplete(&self) -> bool {
        matches!(
            self,
            PathEnd::Unsupported { .. } | PathEnd::SolverUnknown | PathEnd::Interrupted
        )
    }
}

/// One line of a call stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackLine {
    pub function: String,
    pub loc: SourceLoc,
}
