//! Threads: each explores on its own; what they share is kept here, and their reports are put
//! together at the end.

mod shared_findings;
mod workers;

pub(crate) use shared_findings::{Job, NewCoverage, SharedFindings, SyncPoint};
pub(crate) use workers::run_threads;
