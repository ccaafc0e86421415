//! How a request can fail: one message, and whose mistake it is.

use labrys_budget::EndCause;
use std::fmt;

/// Whose mistake a failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// Wrong usage or input, or surroundings that do not allow the work.
    Usage,
    /// An error of Labrys itself.
    Internal,
    /// The time or the memory of the command was used up before there was any result, or the user
    /// has stopped it.
    Ended(EndCause),
    /// A project's own tests fail or flicker without any mutant: there is nothing to compare with.
    Baseline,
}

/// A request that could not be carried out.
#[derive(Debug)]
pub struct Failure {
    pub kind: FailureKind,
    pub message: String,
}

/// A result whose error is a [`Failure`].
pub type Outcome<T> = Result<T, Failure>;

impl Failure {
    /// The user can do something about it.
    pub fn usage(message: impl fmt::Display) -> Self {
        Failure {
            kind: FailureKind::Usage,
            message: message.to_string(),
        }
    }

    /// The command has to end before `what` is done.
    pub fn ended(cause: EndCause, what: &str) -> Self {
        let message = match cause {
            EndCause::Time => {
                format!("the time was over before {what} was done; give more of it with --time")
            }
            EndCause::Memory => format!(
                "the memory was used up before {what} was done; give more of it with --memory"
            ),
            EndCause::Interrupted | EndCause::Cancelled => format!("stopped during {what}"),
        };
        Failure {
            kind: FailureKind::Ended(cause),
            message,
        }
    }

    /// Was the time over, or was the command stopped?
    pub fn is_end(&self) -> bool {
        matches!(self.kind, FailureKind::Ended(_))
    }

    /// Tests that say nothing.
    pub fn baseline(message: impl fmt::Display) -> Self {
        Failure {
            kind: FailureKind::Baseline,
            message: message.to_string(),
        }
    }

    /// Something that must not happen.
    pub fn internal(message: impl fmt::Display) -> Self {
        Failure {
            kind: FailureKind::Internal,
            message: message.to_string(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
