//! Threads: each explores on its own; what they share is kept here, and their reports are put
//! together at the end.

mod commons;
mod workers;

pub(crate) use commons::{Commons, Covered, Job, Seen};
pub(crate) use workers::run_threads;
