//! What is asked of Labrys, with every default applied. The command line, `labrys.toml` and Rust
//! programs make a [`Request`]; everything behind it reads the request and no flags.

pub mod augment;
mod names;
mod operators;
pub mod part;
mod proof_rule;
mod shard;
mod text_form;
pub mod units;
pub mod world;

pub use augment::{Augment, AugmentRequest};
pub use names::{instrumentation, search_strategy};
pub use operators::ChosenOperators;
pub use part::Part;
pub use proof_rule::ProofRule;
pub use shard::Shard;

use crate::failure::{Failure, Outcome};
use labrys_budget::Deadline;
use labrys_engine::{
    Config, FIRST_LOOK_AT_CASES, FIRST_LOOK_AT_FRONTIER, FIRST_LOOK_AT_LOOPS, FIRST_LOOK_AT_STATES,
    Instrumentation, Search,
};
use labrys_front::{EntryChoice, PointerShape, Uninitialised};
use labrys_ledger::{Criterion, Trust, World};
use labrys_suite::{HarnessSizes, ReplayLimits};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// A whole request. [`Request::new`] has the defaults of everything.
#[derive(Clone, Debug)]
pub struct Request {
    pub program: ProgramRequest,
    pub objectives: ObjectivesRequest,
    pub search: SearchRequest,
    pub harness: HarnessRequest,
    /// What surrounds a whole program; `None` where nothing was said about it.
    pub world: Option<World>,
    pub replay: ReplayRequest,
    pub report: ReportRequest,
}

/// Which program is looked at, and how it is read.
#[derive(Clone, Debug)]
pub struct ProgramRequest {
    /// C files, or an object or a program that `labrys cc` has built.
    pub sources: Vec<PathBuf>,
    pub compile_commands: Option<PathBuf>,
    /// Units from archives are tested too.
    pub annotate_libraries: bool,
    /// What is tested: one function, `main`, or what the program suggests.
    pub entry: EntryChoice,
    /// Flags for clang.
    pub flags: Vec<String>,
    /// C files with models of functions.
    pub models: Vec<PathBuf>,
    pub clang: String,
}

/// What is to be covered.
#[derive(Clone, Debug)]
pub struct ObjectivesRequest {
    /// Each once, in the order of [`Criterion`].
    pub criteria: Vec<Criterion>,
    pub operators: ChosenOperators,
    /// How many changes a mutant has: 1 or 2.
    pub order: u32,
    /// Size of the combinations of `multiple-condition`, if not all conditions.
    pub combination: Option<u32>,
    /// Blocks of `input-domain`, if not those of the types.
    pub partitions: Vec<String>,
    /// The part of the program that counts, if not all of it does.
    pub part: Option<Part>,
}

/// How inputs are searched for.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    pub strategy: Search,
    pub filter: bool,
    /// How many levels of conditions `pps` and `mix` look ahead.
    pub levels: u32,
    pub instrumentation: Instrumentation,
    /// Of everything that is done.
    pub time: Duration,
    pub max_paths: Option<u64>,
    /// Bytes of the whole process.
    pub memory: u64,
    /// At most so many snapshots are kept.
    pub snapshots: usize,
    /// Dead expressions are collected when there are more than this.
    pub expressions: usize,
    pub max_steps: u64,
    pub threads: usize,
    pub seed: u64,
    /// Go on when everything is covered.
    pub exhaust: bool,
    /// When everything is covered, ask whether the fault checks that the runs have met can fail.
    pub fault_checks: bool,
    /// Failures of the surroundings are inputs.
    pub faults_of_environment: bool,
    /// The process ends when the request is done: a search that has used up its time leaves its memory to
    /// the system.
    pub ends_process: bool,
    /// The rules by which something may be proved infeasible.
    pub proof_rules: Vec<ProofRule>,
    pub augment: AugmentRequest,
    /// Leave the inputs of tests as the solver has found them.
    pub raw_values: bool,
    /// Ask Bitwuzla again for every answer of the solver.
    pub validate: bool,
    pub log_queries: Option<PathBuf>,
    /// An external SMT-LIB solver.
    pub solver: Option<String>,
}

/// What a generated harness makes.
#[derive(Clone, Debug)]
pub struct HarnessRequest {
    pub sizes: HarnessSizes,
    /// Sizes that the user has fixed, which are not doubled.
    pub fixed: FixedSizes,
    pub assume: Vec<String>,
    /// What is said about pointers.
    pub shapes: Vec<PointerShape>,
    pub symbolic_globals: bool,
    pub uninitialised: Uninitialised,
    /// How often the function under test is called at most; decided for each function if not given.
    pub calls: Option<u32>,
    pub symbolic_clock: bool,
}

/// Which sizes of the harness the user has given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixedSizes {
    pub array_len: bool,
    pub depth: bool,
}

/// How tests are run natively.
#[derive(Clone, Debug)]
pub struct ReplayRequest {
    pub cc: String,
    /// Time limit of one run.
    pub time: Duration,
    /// Whether an incomplete sandbox is refused.
    pub require_sandbox: bool,
}

/// What is written, compared and demanded at the end.
#[derive(Clone, Debug)]
pub struct ReportRequest {
    /// The output directory of `gen`.
    pub out: PathBuf,
    pub minimise: Minimise,
    /// What a proof of infeasibility may rest on.
    pub trust: Trust,
    pub gcov: bool,
    pub llvm_cov: bool,
    /// Least percentage of the feasible objectives that must be covered.
    pub fail_under: Option<f64>,
    /// An error of the program is a failure.
    pub fail_on_error: bool,
    /// Counters and table sizes are shown.
    pub stats: bool,
}

/// How a suite is made smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Minimise {
    /// Not at all
    None,
    /// From the longest path to the shortest, by keeping a test that has something which none before it has
    Paper,
    /// By choosing again and again the test that covers most of what is left
    Greedy,
    /// To the smallest suite there is, by the SAT solver
    Exact,
}

impl Minimise {
    pub const ALL: [Minimise; 4] = [
        Minimise::None,
        Minimise::Paper,
        Minimise::Greedy,
        Minimise::Exact,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Minimise::None => "none",
            Minimise::Paper => "paper",
            Minimise::Greedy => "greedy",
            Minimise::Exact => "exact",
        }
    }
}

impl FromStr for Minimise {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Minimise::ALL.map(|method| (method.name(), method));
        names::by_name("unknown method", text, &named).map_err(|failure| failure.message)
    }
}

impl SearchRequest {
    /// May this rule prove something?
    pub fn proves_by(&self, rule: ProofRule) -> bool {
        self.proof_rules.contains(&rule)
    }
}

impl Request {
    /// The request for these sources with the default of everything. This is the only place
    /// where defaults are applied; those of the engine, the harness and the native runs are
    /// defined where they are used.
    pub fn new(sources: Vec<PathBuf>) -> Self {
        let engine = Config::default();
        Request {
            program: ProgramRequest {
                sources,
                compile_commands: None,
                annotate_libraries: false,
                entry: EntryChoice::Auto,
                flags: Vec::new(),
                models: Vec::new(),
                clang: labrys_front::CLANG.to_owned(),
            },
            objectives: ObjectivesRequest {
                criteria: vec![Criterion::Branch],
                operators: ChosenOperators::default(),
                order: 1,
                combination: None,
                partitions: Vec::new(),
                part: None,
            },
            search: SearchRequest {
                strategy: engine.search,
                filter: engine.filter,
                levels: engine.levels,
                instrumentation: engine.instrumentation,
                time: labrys_engine::DEFAULT_TIME,
                max_paths: None,
                memory: engine.memory,
                snapshots: engine.snapshots,
                expressions: engine.collect_at,
                max_steps: engine.max_steps,
                threads: engine.jobs,
                seed: engine.seed,
                exhaust: false,
                fault_checks: true,
                faults_of_environment: false,
                ends_process: false,
                proof_rules: ProofRule::ALL.to_vec(),
                augment: AugmentRequest::default(),
                raw_values: false,
                validate: false,
                log_queries: None,
                solver: None,
            },
            harness: HarnessRequest {
                sizes: HarnessSizes {
                    array_len: labrys_front::ARRAY_LEN,
                    depth: labrys_front::DEPTH,
                },
                fixed: FixedSizes::default(),
                assume: Vec::new(),
                shapes: Vec::new(),
                symbolic_globals: false,
                uninitialised: Uninitialised::default(),
                calls: None,
                symbolic_clock: false,
            },
            world: None,
            replay: ReplayRequest {
                cc: labrys_suite::CC.to_owned(),
                time: ReplayLimits::default().time,
                require_sandbox: ReplayLimits::default().require_sandbox,
            },
            report: ReportRequest {
                out: "labrys-out".into(),
                minimise: Minimise::None,
                trust: Trust::default(),
                gcov: false,
                llvm_cov: false,
                fail_under: None,
                fail_on_error: false,
                stats: false,
            },
        }
    }

    /// Tests one function.
    pub fn function(mut self, name: &str) -> Self {
        self.program.entry = EntryChoice::Function(name.to_owned());
        self
    }

    /// Refuses what contradicts itself.
    pub fn check(&self) -> Outcome<()> {
        if let (EntryChoice::Function(function), Some(_)) = (&self.program.entry, &self.world) {
            return Err(Failure::usage(format_args!(
                "arguments, files and environment belong to a whole program; give either --function {function} or these"
            )));
        }
        if let Some(part) = &self.objectives.part
            && self.objectives.criteria.contains(&Criterion::Path)
        {
            return Err(Failure::usage(format_args!(
                "{}: the criterion path is about whole runs and not about lines; leave one of them out",
                part.option()
            )));
        }
        let is_label = self.objectives.criteria.contains(&Criterion::WeakMutation);
        if is_label && !self.search.augment.kinds.contains(&Augment::Mutation) {
            self.objectives.operators.must_have_labels()?;
        }
        Ok(())
    }

    /// What is tested: whoever describes the surroundings of a whole program means its `main`.
    pub fn entry(&self) -> EntryChoice {
        match &self.program.entry {
            EntryChoice::Auto if self.world.is_some() => EntryChoice::Main,
            entry => entry.clone(),
        }
    }

    /// The engine's settings for one entry whose search ends with `deadline`, and all that follows it
    /// with `end`.
    pub fn engine_config(&self, deadline: &Deadline, end: &Deadline) -> Config {
        let search = &self.search;
        let mut config = Config {
            search: search.strategy,
            filter: search.filter,
            levels: search.levels,
            instrumentation: search.instrumentation,
            deadline: deadline.clone(),
            end: end.clone(),
            max_paths: search.max_paths,
            memory: search.memory,
            snapshots: search.snapshots,
            collect_at: search.expressions,
            max_steps: search.max_steps,
            exhaust: search.exhaust,
            fault_checks: search.fault_checks,
            faults_of_environment: search.faults_of_environment,
            raw_values: search.raw_values,
            every_path: self.objectives.criteria.contains(&Criterion::Path),
            seed: search.seed,
            jobs: search.threads,
            loop_proofs_after: self.proofs_after(ProofRule::Loops, FIRST_LOOK_AT_LOOPS),
            state_proofs_after: self.proofs_after(ProofRule::States, FIRST_LOOK_AT_STATES),
            frontier_after: self.proofs_after(ProofRule::Frontier, FIRST_LOOK_AT_FRONTIER),
            ask_proofs_after: self.proofs_after(ProofRule::Relations, FIRST_LOOK_AT_CASES),
            ..Config::default()
        };
        config.solver.validate = search.validate;
        config.solver.log_queries.clone_from(&search.log_queries);
        config.solver.external.clone_from(&search.solver);
        config.solver.seed = search.seed as u32;
        config
    }

    /// After how many paths proofs by a rule are looked for: where the paths prove nothing, at once.
    fn proofs_after(&self, rule: ProofRule, paths: u64) -> u64 {
        let by = |rule| self.search.proves_by(rule);
        match (by(rule), by(ProofRule::Exhausted)) {
            (false, _) => u64::MAX,
            (true, true) => paths,
            (true, false) => 1,
        }
    }

    /// What one native run may use, where tests of one suite run one after the other.
    pub fn replay_limits(&self) -> ReplayLimits {
        ReplayLimits {
            time: self.replay.time,
            require_sandbox: self.replay.require_sandbox,
            ..ReplayLimits::default()
        }
    }

    /// The same, with as many runs side by side as there are threads.
    pub fn parallel_replay_limits(&self) -> ReplayLimits {
        ReplayLimits {
            jobs: self.search.threads,
            ..self.replay_limits()
        }
    }
}

impl FixedSizes {
    /// Has the user fixed everything that could be doubled?
    pub fn all(self) -> bool {
        self.array_len && self.depth
    }
}
