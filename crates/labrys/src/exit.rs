//! The exit codes of every command.

use labrys_budget::EndCause;
use labrys_driver::{Failure, FailureKind};
use std::process::ExitCode;

/// The exit codes of every command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Done = 0,
    /// The request could not be met: `--fail-under`, `--fail-on-error`, a failing replay, too little
    /// time or memory to find anything.
    NotMet = 1,
    /// Wrong usage or input.
    Usage = 2,
    /// An error of Labrys itself.
    Internal = 3,
    /// The tests of a project fail or flicker without any mutant.
    Baseline = 4,
    /// Stopped by SIGINT, SIGTERM or SIGHUP; everything found so far is written.
    Interrupted = 130,
}

/// How a command ends.
pub type CommandResult = Result<Exit, Failure>;

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

impl From<FailureKind> for Exit {
    fn from(kind: FailureKind) -> Exit {
        match kind {
            FailureKind::Usage => Exit::Usage,
            FailureKind::Internal => Exit::Internal,
            FailureKind::Baseline => Exit::Baseline,
            FailureKind::Ended(EndCause::Time | EndCause::Memory) => Exit::NotMet,
            FailureKind::Ended(EndCause::Interrupted | EndCause::Cancelled) => Exit::Interrupted,
        }
    }
}
