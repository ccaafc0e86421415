//! The settings of the solver, each with its default: which stages are on, limits, logging,
//! recording.

use crate::recording::Recording;
use labrys_budget::Deadline;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Settings of a [`crate::Solver`]. Switching a stage off never changes an answer, only the time.
#[derive(Clone, Debug)]
pub struct SolverOptions {
    /// Use only the constraints that share variables with the goal.
    pub slice: bool,
    /// Answer single-variable questions by sets of values.
    pub domains: bool,
    /// Look for contradictions in the order of terms.
    pub order: bool,
    /// Try to satisfy the goal by changing one variable of the hint.
    pub local: bool,
    /// Remember answers and unsatisfiable cores.
    pub cache: bool,
    /// Answer by the bit-blaster and the incremental SAT solver.
    pub blast: bool,
    /// Answer by Bitwuzla what the blaster does not.
    pub bitwuzla: bool,
    /// Time for one query in the SAT solver, and again in Bitwuzla or the external solver.
    /// Default 10 s.
    pub timeout: Duration,
    /// No query runs longer than this: the end of the run.
    pub deadline: Deadline,
    /// Conflicts that the SAT solver may use for one query before Bitwuzla is asked. Default
    /// 20,000.
    pub conflicts: u64,
    /// What needs more conflicts is unknown: Bitwuzla is asked only what the blaster cannot say.
    pub give_up: bool,
    /// Ask Bitwuzla about every answer again and note where it disagrees.
    pub validate: bool,
    /// Write every query as an SMT-LIB file into this directory.
    pub log_queries: Option<PathBuf>,
    /// Every query is added here; a recording serves one solver with one arena.
    pub recording: Option<Arc<Mutex<Recording>>>,
    /// Command of an SMT-LIB solver that replaces the blaster and Bitwuzla, such as `z3`.
    pub external: Option<String>,
    /// Seed of Bitwuzla's heuristics.
    pub seed: u32,
}

impl Default for SolverOptions {
    fn default() -> Self {
        SolverOptions {
            slice: true,
            domains: true,
            order: true,
            local: true,
            cache: true,
            blast: true,
            bitwuzla: true,
            timeout: Duration::from_secs(10),
            deadline: Deadline::never(),
            conflicts: 20_000,
            give_up: false,
            validate: false,
            log_queries: None,
            recording: None,
            external: None,
            seed: 0,
        }
    }
}
