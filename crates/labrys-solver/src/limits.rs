//! When a query has to end: after its own time, with the time of the run, or when the run is
//! stopped from outside.

use crate::options::SolverOptions;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Limits of all queries of a solver.
#[derive(Clone, Debug)]
pub(crate) struct QueryLimits {
    timeout: Duration,
    until: Option<Instant>,
    stop: Arc<AtomicBool>,
}

/// The limit of one query.
#[derive(Clone, Debug)]
pub(crate) struct QueryDeadline {
    at: Instant,
    stop: Arc<AtomicBool>,
}

impl QueryLimits {
    pub(crate) fn new(options: &SolverOptions) -> Self {
        QueryLimits {
            timeout: options.timeout,
            until: options.until,
            stop: options.stop.clone(),
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
        let at = Instant::now() + self.timeout;
        QueryDeadline {
            at: self.until.map_or(at, |until| until.min(at)),
            stop: self.stop.clone(),
        }
    }

    /// Is there no time left for a query?
    pub(crate) fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.until.is_some_and(|t| Instant::now() >= t)
    }
}

impl QueryDeadline {
    pub(crate) fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || Instant::now() >= self.at
    }

    pub(crate) fn left(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }
}
