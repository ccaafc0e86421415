//! What can be set for a run of the engine.

use crate::fact_source::FactSource;
use crate::proof_source::ProofSource;
use labrys_budget::Deadline;
use labrys_ledger::InputType;
use labrys_solver::SolverOptions;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// How candidates are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Newest first.
    Dfs,
    /// Oldest first.
    Bfs,
    /// A random walk from the root of the tree of paths.
    RandomPath,
    /// Random walks by turns with candidates that are near to something uncovered.
    RpMd2u,
    /// Predictive path search: where most is left to be covered.
    Pps,
    /// CFG-directed: the last fruitful run, where it is nearest to something uncovered.
    Cfg,
    /// Fitness-guided: paths that come nearer to an outcome that is open.
    Fitness,
    /// States that differ from all before in few variables first.
    Novelty,
    /// Predictive, fitness-guided and random path search by turns.
    Mix,
    /// Candidates that come nearer to a predicate from which something open follows, else random paths.
    Frontier,
    /// The same in the order in which the predicates were found.
    FrontierFirstCome,
}

impl Search {
    /// Does it ask the coverage structure?
    pub(crate) fn predicts(self) -> bool {
        matches!(self, Search::Pps | Search::Fitness | Search::Mix)
    }

    /// Does it want to know how near runs come?
    pub(crate) fn measures(self) -> bool {
        matches!(self, Search::Fitness | Search::Novelty | Search::Mix)
    }

    /// Do predicates that lead to objectives say which candidates are run?
    pub(crate) fn is_guided(self) -> bool {
        matches!(self, Search::Frontier | Search::FrontierFirstCome)
    }

    pub const NAMES: [(&'static str, Search); 11] = [
        ("dfs", Search::Dfs),
        ("bfs", Search::Bfs),
        ("random-path", Search::RandomPath),
        ("rp-md2u", Search::RpMd2u),
        ("pps", Search::Pps),
        ("cfg", Search::Cfg),
        ("fitness", Search::Fitness),
        ("novelty", Search::Novelty),
        ("mix", Search::Mix),
        ("frontier", Search::Frontier),
        ("frontier-first-come", Search::FrontierFirstCome),
    ];
}

/// How labels take part in the search (paper on label coverage, sections IV and V).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instrumentation {
    /// P': a label is a branch on its predicate, and both sides go on.
    Direct,
    /// P*: every passage of a label leaves a leaf behind, which asks whether it can hold there.
    Tight,
    /// P* with IDL-1: a label that a leaf has covered is deleted.
    TightIdl1,
    /// P* with IDL-2: a label that any run has covered is deleted.
    TightIdl2,
}

impl Instrumentation {
    pub const NAMES: [(&'static str, Instrumentation); 4] = [
        ("direct", Instrumentation::Direct),
        ("tight", Instrumentation::Tight),
        ("tight-idl1", Instrumentation::TightIdl1),
        ("tight-idl2", Instrumentation::TightIdl2),
    ];
}

#[derive(Clone, Debug)]
pub struct Config {
    pub search: Search,
    pub instrumentation: Instrumentation,
    /// Drop candidates that can cover nothing any more.
    pub filter: bool,
    /// How far predictive path search looks ahead.
    pub levels: u32,
    pub seed: u64,
    /// Threads. With one, the same seed gives the same result.
    pub jobs: usize,
    /// The end of the search.
    pub deadline: Deadline,
    /// The end of everything that follows it, such as the choice of values.
    pub end: Deadline,
    /// Stop after this many paths.
    pub max_paths: Option<u64>,
    /// Stop after this much work.
    pub most_work: Option<WorkAmount>,
    /// Stop if nothing new is found and one of these limits is in the way: the harness can grow.
    pub can_grow: &'static [&'static str],
    /// Look for proofs through loops without bounds after so many paths.
    pub loop_proofs_after: u64,
    /// Look for proofs over sets of states after so many paths.
    pub state_proofs_after: u64,
    /// Look backward from what is open after so many paths.
    pub frontier_after: u64,
    /// End a path after this many instructions.
    pub max_steps: u64,
    /// A path that ran for so many instructions waits until the other candidates are done.
    pub slice: u64,
    /// The same for a path that has made so many expressions.
    pub slice_expressions: usize,
    /// The same for a path that has asked for so many inputs.
    pub slice_inputs: usize,
    /// The same for a path that has left so many candidates behind since it was begun or gone on with.
    pub slice_candidates: usize,
    /// The size of the stack in bytes: more locals and calls than fit are a stack overflow.
    pub stack: u64,
    /// Bytes of the whole process; near it snapshots are dropped and their paths replayed.
    pub memory: u64,
    /// At most so many snapshots are kept; the paths of the others are replayed.
    pub snapshots: usize,
    /// Dead expressions are collected when there are more than this, or twice the live ones.
    pub collect_at: usize,
    /// The largest object that a program can make, in bytes.
    pub max_object: u64,
    /// Up to so many places a symbolic index is read as a table, beyond it is pinned.
    pub read_window: u64,
    /// The same for writes, which change every place.
    pub write_window: u64,
    /// At most this many of the places of a write may be symbolic already: their expressions grow with each
    /// write.
    pub mixed_window: u64,
    /// Keep a test for every path, not only for those that cover something new.
    pub every_path: bool,
    /// Go on when all objectives are covered.
    pub exhaust: bool,
    /// When all objectives are covered, ask the fault checks that the runs have met and whose
    /// failing side no run has taken.
    pub fault_checks: bool,
    /// Failures of the surroundings are inputs.
    pub faults_of_environment: bool,
    /// No search comes behind this one before the process ends: its memory is left to the system, which
    /// saves time for the native runs of what was found.
    pub ends_process: bool,
    /// Leave the inputs of tests as the solver has found them.
    pub raw_values: bool,
    /// The C types of the inputs by their names, as far as they are known.
    pub types: Arc<BTreeMap<String, InputType>>,
    pub solver: SolverOptions,
    /// Where the way backward asks what holds in all runs; nowhere if it is none.
    pub facts: Option<FactSource>,
    /// Who is asked about what the paths have left open; nobody if it is none.
    pub proofs: Option<ProofSource>,
    /// After so many paths.
    pub ask_proofs_after: u64,
}

/// A search that ends after fewer paths has no need of proofs through loops.
pub const FIRST_LOOK_AT_LOOPS: u64 = 256;

/// The same for proofs over sets of states, which cost more.
pub const FIRST_LOOK_AT_STATES: u64 = 1024;

/// The same for proofs by cases: cheap branches are covered by then.
pub const FIRST_LOOK_AT_CASES: u64 = 1_024;

/// The same for proofs by going backward.
pub const FIRST_LOOK_AT_FRONTIER: u64 = 512;

/// What a search has done, counted: the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkAmount {
    pub instructions: u64,
    pub queries: u64,
}

impl WorkAmount {
    pub(crate) fn exceeds(self, most: WorkAmount) -> bool {
        self.instructions > most.instructions || self.queries > most.queries
    }

    /// The same, or another amount where that is more.
    pub(crate) fn at_least(self, least: WorkAmount) -> WorkAmount {
        WorkAmount {
            instructions: self.instructions.max(least.instructions),
            queries: self.queries.max(least.queries),
        }
    }

    /// What is left of it behind some work.
    pub(crate) fn less(self, done: WorkAmount) -> WorkAmount {
        WorkAmount {
            instructions: self.instructions.saturating_sub(done.instructions),
            queries: self.queries.saturating_sub(done.queries),
        }
    }
}

/// The time of a search, if nothing else is said.
pub const DEFAULT_TIME: Duration = Duration::from_secs(60);

impl Default for Config {
    fn default() -> Self {
        Config {
            search: Search::Mix,
            instrumentation: Instrumentation::TightIdl2,
            filter: true,
            levels: 3,
            seed: 0,
            jobs: 1,
            deadline: Deadline::after(DEFAULT_TIME),
            end: Deadline::never(),
            max_paths: None,
            most_work: None,
            can_grow: &[],
            loop_proofs_after: FIRST_LOOK_AT_LOOPS,
            state_proofs_after: FIRST_LOOK_AT_STATES,
            frontier_after: FIRST_LOOK_AT_FRONTIER,
            max_steps: 200_000_000,
            slice: 2_000_000,
            slice_expressions: 150_000,
            slice_inputs: 1_000,
            slice_candidates: 2048,
            stack: 8 << 20,
            memory: 2 << 30,
            snapshots: usize::MAX,
            collect_at: 8_000_000,
            max_object: 1 << 28,
            read_window: 16_384,
            write_window: 16_384,
            mixed_window: 256,
            every_path: false,
            exhaust: false,
            fault_checks: false,
            faults_of_environment: false,
            ends_process: false,
            raw_values: false,
            types: Arc::default(),
            solver: SolverOptions::default(),
            facts: None,
            proofs: None,
            ask_proofs_after: FIRST_LOOK_AT_CASES,
        }
    }
}

impl Config {
    /// Are candidates dropped that can cover nothing? Not where all paths are wanted.
    pub(crate) fn filters(&self) -> bool {
        self.filter && !self.every_path && !self.exhaust
    }

    pub(crate) fn should_stop(&self) -> bool {
        self.deadline.is_over()
    }
}
