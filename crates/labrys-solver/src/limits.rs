//! When a query has to end: after its own time, or with the run.

use crate::options::SolverOptions;
use labrys_budget::Deadline;
use std::time::Duration;

/// Limits of all queries of a solver.
#[derive(Clone, Debug)]
pub(crate) struct QueryLimits {
    timeout: Duration,
    run: Deadline,
}

/// The limit of one query.
#[derive(Clone, Debug)]
pub(crate) struct QueryDeadline(Deadline);

impl QueryLimits {
    pub(crate) fn new(options: &SolverOptions) -> Self {
        QueryLimits {
            timeout: options.timeout,
            run: options.deadline.clone(),
        }
    }

    /// The same with less time for a query.
    pub(crate) fn within(&self, timeout: Duration) -> Self {
        QueryLimits {
            timeout: self.timeout.min(timeout),
            ..self.clone()
        }
    }

    /// The limit of a query that starts now.
    pub(crate) fn start(&self) -> QueryDeadline {
        QueryDeadline(self.run.within(self.timeout))
    }

    /// Is there no time left for a query?
    pub(crate) fn is_over(&self) -> bool {
        self.run.is_over()
    }
}

impl QueryDeadline {
    pub(crate) fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// The time that is left, if there is an end.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.0.left()
    }
}
