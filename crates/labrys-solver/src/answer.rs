//! The answers of the solver: a model, a refutation, or unknown with the reason; and the error of a
//! solver that cannot be made.

use labrys_expr::Model;
use std::fmt;

/// The answer to a query. `Unknown` is never to be read as `Unsat`.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The model satisfies the path and the goal: checked by evaluation.
    Sat(Model),
    Unsat,
    Unknown(UnknownReason),
}

impl Answer {
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat)
    }
}

/// Why a query has no answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownReason {
    /// The time or work allowed for a query was used up.
    Limit,
    /// No enabled stage can express an operation of the query.
    Unsupported,
    /// The query depends on uninitialised memory, which has no value to reason about.
    Uninitialised,
    /// A model did not satisfy the query when evaluated: an inconsistency inside the solver.
    ModelRejected,
    /// The external solver failed or answered something else than sat or unsat.
    External,
    /// Every stage that could have answered is switched off.
    Disabled,
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnknownReason::Limit => "the limit of time or work for one query was reached",
            UnknownReason::Unsupported => "an operation that no solver stage supports",
            UnknownReason::Uninitialised => "the condition depends on uninitialised memory",
            UnknownReason::ModelRejected => "a model failed its check by evaluation",
            UnknownReason::External => "the external solver gave no answer",
            UnknownReason::Disabled => "all solver stages that could answer are switched off",
        })
    }
}

/// What keeps a solver from being made.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    #[error("cannot start the external solver `{command}`: {source}; install it or drop --solver")]
    External {
        command: String,
        source: std::io::Error,
    },
    #[error("cannot write queries to {path}: {source}; choose another directory for --log-queries")]
    Log {
        path: std::path::PathBuf,
        source: std::io::Error,
    },
}
