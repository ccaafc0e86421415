//! Counters of the solver, for `--stats` and for deciding which stages are worth their time.

use serde::Serialize;

/// What one stage did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StageStats {
    /// Queries that reached the stage.
    pub asked: u64,
    /// Queries that it answered.
    pub answered: u64,
    /// Time spent in it; only measured for the stages that take long enough to be worth it.
    pub seconds: f64,
}

/// Everything that the solver counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SolverStats {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Goals that were constant.
    pub constant: u64,
    /// Single-variable questions.
    pub domains: StageStats,
    /// Contradictions in the order.
    pub order: StageStats,
    /// Changes of one variable.
    pub local: StageStats,
    /// Exact answers and cores.
    pub cache: StageStats,
    /// The bit-blaster with the SAT solver.
    pub blast: StageStats,
    pub bitwuzla: StageStats,
    pub external: StageStats,
    /// Models that failed their check by evaluation.
    pub rejected_models: u64,
    /// How often the SAT instance was thrown away and begun anew.
    pub sat_rebuilds: u64,
    /// Clauses in the SAT instance now.
    pub sat_clauses: u64,
    /// Entries in the caches now.
    pub domain_entries: u64,
    pub cache_entries: u64,
    /// What `--validate` found: one line for each wrong answer.
    pub validation_errors: Vec<String>,
    /// Answers that `--validate` confirmed.
    pub validated: u64,
}

impl StageStats {
    fn add(&mut self, other: &StageStats) {
        self.asked += other.asked;
        self.answered += other.answered;
        self.seconds += other.seconds;
    }
}

impl SolverStats {
    /// Adds what another solver counted.
    pub fn add(&mut self, other: &SolverStats) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.constant += other.constant;
        self.domains.add(&other.domains);
        self.order.add(&other.order);
        self.local.add(&other.local);
        self.cache.add(&other.cache);
        self.blast.add(&other.blast);
        self.bitwuzla.add(&other.bitwuzla);
        self.external.add(&other.external);
        self.rejected_models += other.rejected_models;
        self.sat_rebuilds += other.sat_rebuilds;
        self.sat_clauses += other.sat_clauses;
        self.domain_entries += other.domain_entries;
        self.cache_entries += other.cache_entries;
        self.validation_errors
            .extend(other.validation_errors.iter().cloned());
        self.validated += other.validated;
    }
}
