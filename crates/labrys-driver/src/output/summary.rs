//! `summary.json`: what a run of `gen` has found, in figures.

use super::augmentation::Augmentation;
use labrys_ledger::{Criterion, ProofContradiction, StatusTotals};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `summary.json`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    pub schema: String,
    pub target: labrys_suite::SuiteTarget,
    pub criteria: Vec<Criterion>,
    pub totals: StatusTotals,
    pub by_criterion: BTreeMap<String, StatusTotals>,
    /// On what the proofs of infeasibility stand.
    #[serde(default)]
    pub proofs: ProofTotals,
    pub by_function: Vec<FunctionTotals>,
    pub score: f64,
    pub feasible_score: f64,
    pub tests: usize,
    pub errors: Vec<ErrorRecord>,
    pub work: WorkRecord,
    pub stop: String,
    /// Functions without a body, which return inputs.
    pub stubs: Vec<StubRecord>,
    /// What the search rested on beyond what C guarantees and the user has said: options of the
    /// generated harness that limited it, and assumptions.
    pub limits: Vec<String>,
    /// Why something may lie beyond what was seen.
    pub gaps: BTreeMap<String, u64>,
    /// Arguments of native calls that were fixed to one value at a time, by function.
    #[serde(default)]
    pub pinned: BTreeMap<String, u64>,
    /// Tests whose native run differed from what was predicted.
    pub divergences: Vec<String>,
    /// Objectives that a test covers although they were proved infeasible: errors of Labrys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<ProofContradiction>,
    pub notes: Vec<String>,
    /// What `--augment` has added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub augmentation: Option<Augmentation>,
    /// Second opinions: `--llvm-cov`, `--gcov`.
    #[serde(default)]
    pub checks: Vec<CoverageCheck>,
}

/// How many objectives are proved infeasible, and by which kinds of assumptions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ProofTotals {
    pub infeasible: u64,
    /// Those that assume nothing.
    pub unconditional: u64,
    /// By the kind of assumption; a proof with several kinds counts for each.
    pub by_assumption: BTreeMap<String, u64>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FunctionTotals {
    pub function: String,
    #[serde(flatten)]
    pub totals: StatusTotals,
    pub tests: usize,
    pub paths: u64,
    pub stop: String,
}

/// A fault of the program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ErrorRecord {
    pub kind: String,
    pub file: String,
    pub line: u32,
    pub test: u32,
    pub function: String,
    /// `function at file:line`, innermost first.
    pub stack: Vec<String>,
    /// Inputs as `name = value`.
    pub inputs: Vec<String>,
    /// How the native run of the test ended.
    pub native: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WorkRecord {
    pub paths: u64,
    pub instructions: u64,
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub solver_unknown: u64,
    pub solver_s: f64,
    pub wall_s: f64,
    pub peak_rss_mb: u64,
    /// Paths with different traces.
    pub distinct_paths: u64,
    /// The largest number of candidates that waited at the same time.
    #[serde(default)]
    pub most_candidates: u64,
    /// Candidates that could cover nothing: when they were made, and later.
    #[serde(default)]
    pub filtered: u64,
    #[serde(default)]
    pub filtered_later: u64,
    /// Snapshots dropped for want of memory, and paths replayed because of that.
    #[serde(default)]
    pub dropped: u64,
    #[serde(default)]
    pub replayed: u64,
    /// Queries for values that are easier to read, beside those of the search.
    #[serde(default)]
    pub value_queries: u64,
    /// Seconds in which these values were chosen.
    #[serde(default)]
    pub values_s: f64,
    /// Leaves of labels.
    #[serde(default)]
    pub labels: LabelRecord,
    /// Fault checks that were asked when everything was covered.
    #[serde(default)]
    pub fault_checks: FaultCheckRecord,
    /// Ends of paths by kind.
    pub ends: BTreeMap<String, u64>,
}

/// Fault checks by the solver's answer: those that can fail are faults with a test.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct FaultCheckRecord {
    pub asked: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
}

/// Candidates that were there to cover a label.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct LabelRecord {
    pub tried: u64,
    pub infeasible: u64,
    /// Paths that have covered their label as its leaf.
    pub covered: u64,
    pub dropped: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StubRecord {
    pub name: String,
    pub declared: Option<String>,
    pub calls: Vec<String>,
    /// How to say what it does.
    pub hint: String,
}

/// What another coverage tool said.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CoverageCheck {
    pub tool: String,
    /// How many places were compared.
    pub compared: usize,
    pub differences: Vec<String>,
    /// What is no difference, but worth knowing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}
