//! How a command can fail, and the exit code that goes with it.

use std::fmt;
use std::process::ExitCode;

/// The exit codes of every command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Done = 0,
    /// The request could not be met: `--fail-under`, `--fail-on-error`, a failing replay.
    NotMet = 1,
    /// Wrong usage or input.
    Usage = 2,
    /// An error of Labrys itself.
    Internal = 3,
    /// Stopped by SIGINT; everything found so far is written.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// A command that could not be carried out: one message and the exit code.
#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    pub message: String,
}

pub type Outcome<T = Exit> = Result<T, Failure>;

impl Failure {
    pub fn usage(message: impl fmt::Display) -> Self {
        Failure {
            exit: Exit::Usage,
            message: message.to_string(),
        }
    }

    pub fn internal(message: impl fmt::Display) -> Self {
        Failure {
            exit: Exit::Internal,
            message: message.to_string(),
        }
    }
}
