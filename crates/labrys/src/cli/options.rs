//! The options that most commands share. All of them can also stand in `labrys.toml`, with the same
//! names. Their defaults and the names that they know are added to the help by [`super::defaults`].

use clap::Args;
use labrys_driver::request::part::lines::LineRange;
use labrys_driver::request::units::{ByteCount, TimeSpan};
use labrys_driver::request::world::{ArgumentOption, NamedSize, NamedValue, SymArgs};
use labrys_driver::request::{Augment, Minimise, ProofRule};
use labrys_ledger::{Criterion, Trust};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Everything that can also stand in `labrys.toml`, with the same names.
#[derive(Args, Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// Criteria, separated by commas
    #[arg(
        help_heading = "Objectives",
        long,
        value_delimiter = ',',
        value_name = "C,…"
    )]
    pub criterion: Vec<Criterion>,
    /// Mutants and weak-mutation: mutation operators and sets of them, separated by commas
    #[arg(
        help_heading = "Objectives",
        long,
        value_delimiter = ',',
        value_name = "O,…"
    )]
    pub operators: Vec<String>,
    /// multiple-condition: combinations of every N conditions of a decision
    #[arg(help_heading = "Objectives", long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub n: Option<u32>,
    /// input-domain: blocks of the inputs, C expressions over the parameters, separated by semicolons (repeatable)
    #[arg(help_heading = "Objectives", long, value_name = "EXPR;…")]
    pub partition: Vec<String>,
    /// Only objectives in these lines count; FILE alone is all of it (repeatable)
    #[arg(help_heading = "Objectives", long, value_name = "FILE[:FROM-TO]")]
    pub only: Vec<LineRange>,
    /// Only objectives in the lines that this unified diff adds or changes count; - reads it from
    /// standard input
    #[arg(help_heading = "Objectives", long, value_name = "PATCH")]
    pub in_diff: Option<PathBuf>,
    /// Search strategy
    #[arg(help_heading = "Search", long, value_name = "S")]
    pub search: Option<String>,
    /// Keep candidates that can cover nothing any more
    #[arg(help_heading = "Search", long)]
    pub no_filter: bool,
    /// pps, mix: how many levels of conditions to look ahead
    #[arg(help_heading = "Search", long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub levels: Option<u32>,
    /// How labels take part in the search
    #[arg(help_heading = "Search", long, value_name = "I")]
    pub instrumentation: Option<String>,
    /// Time for everything that is done: reading the program, the search, native runs, files
    #[arg(help_heading = "Search", long)]
    pub time: Option<TimeSpan>,
    /// Stop the search after so many paths
    #[arg(help_heading = "Search", long, value_name = "N")]
    pub paths: Option<u64>,
    /// Memory of the process; near it snapshots are dropped and their paths replayed, beyond it
    /// the run stops
    #[arg(help_heading = "Search", long, value_name = "SIZE")]
    pub memory: Option<ByteCount>,
    /// Keep at most so many snapshots of paths; the others are replayed
    #[arg(help_heading = "Search", long, value_name = "N")]
    pub snapshots: Option<usize>,
    /// Collect dead expressions when there are more than this
    #[arg(help_heading = "Search", long, value_name = "N")]
    pub expressions: Option<usize>,
    /// End a path after so many instructions
    #[arg(help_heading = "Search", long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Threads
    #[arg(help_heading = "Search", short = 'j', long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Seed of everything that is random
    #[arg(help_heading = "Search", long, value_name = "N")]
    pub seed: Option<u64>,
    /// Go on when everything is covered
    #[arg(help_heading = "Search", long)]
    pub exhaust: bool,
    /// Stop as soon as everything is covered, without asking whether the fault checks that the
    /// tests have passed can fail
    #[arg(help_heading = "Search", long)]
    pub no_faults: bool,
    /// No proofs but by the search itself, for measurements
    #[arg(help_heading = "Search", long)]
    pub no_static: bool,
    /// Precondition on the parameters, a C expression (repeatable)
    #[arg(help_heading = "Harness", long, value_name = "EXPR")]
    pub assume: Vec<String>,
    /// What you know about a pointer, as NAME: WORDS, where NAME is a parameter or a path such as
    /// list->next; alone: nothing else leads to its object (repeatable)
    #[arg(help_heading = "Harness", long, value_name = "NAME: WORDS")]
    pub shape: Vec<String>,
    /// Elements behind a pointer parameter; twice as many characters behind a char *
    #[arg(help_heading = "Harness", long, value_name = "N")]
    pub array_len: Option<u32>,
    /// How many pointers deep structures are made
    #[arg(help_heading = "Harness", long, value_name = "N")]
    pub depth: Option<u32>,
    /// Defined global variables are inputs too
    #[arg(help_heading = "Harness", long)]
    pub symbolic_globals: bool,
    /// What reading memory means that was not written
    #[arg(help_heading = "Harness", long, value_name = "WHAT")]
    pub uninitialised: Option<String>,
    /// Call the function under test up to N times, so that later calls see the state that earlier
    /// ones left; and once before it a function that writes the same state, unless N is 1. By
    /// default 2 where the function keeps state, else 1
    #[arg(help_heading = "Harness", long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub calls: Option<u32>,
    /// C file with models of functions that the program calls but does not define; they replace
    /// those of the C library too (repeatable)
    #[arg(help_heading = "Harness", long, value_name = "FILE.c")]
    pub model: Vec<PathBuf>,
    /// Argument of the whole program (repeatable, in order with --sym-args); implies --main
    #[arg(
        help_heading = "Whole programs",
        long,
        value_name = "TEXT",
        allow_hyphen_values = true
    )]
    pub arg: Vec<String>,
    /// From MIN to MAX arguments of at most LEN bytes are inputs (repeatable); implies --main
    #[arg(help_heading = "Whole programs", long, value_name = "MIN..MAX:LEN")]
    pub sym_args: Vec<SymArgs>,
    /// Standard input of at most N bytes is an input; implies --main
    #[arg(help_heading = "Whole programs", long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=65536), conflicts_with = "stdin")]
    pub sym_stdin: Option<u32>,
    /// Standard input has the bytes of this file; implies --main
    #[arg(help_heading = "Whole programs", long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
    /// A file NAME of at most N bytes, or none of that name, is an input (repeatable); implies --main
    #[arg(help_heading = "Whole programs", long, value_name = "NAME:N")]
    pub sym_file: Vec<NamedSize>,
    /// The program finds a file NAME with the bytes of the file PATH (repeatable); implies --main
    #[arg(help_heading = "Whole programs", long, value_name = "NAME=PATH")]
    pub file: Vec<NamedValue>,
    /// Environment variable of the program (repeatable); there are no others; implies --main
    #[arg(help_heading = "Whole programs", long, value_name = "NAME=VALUE")]
    pub env: Vec<NamedValue>,
    /// Environment variable whose value of at most LEN bytes is an input, or that is not set; implies --main
    #[arg(help_heading = "Whole programs", long, value_name = "NAME:LEN")]
    pub sym_env: Vec<NamedSize>,
    /// argv[0] of the program; implies --main
    #[arg(help_heading = "Whole programs", long, value_name = "TEXT")]
    pub program_name: Option<String>,
    /// Every look at the clock is an input, which never goes back; without it the clock stands still
    #[arg(help_heading = "Whole programs", long)]
    pub sym_time: bool,
    /// Failing allocations, writes and reads are inputs; without it they are assumed to succeed
    #[arg(help_heading = "Whole programs", long)]
    pub faults_of_environment: bool,
    /// Add tests on the paths of those that were found, separated by commas
    #[arg(
        help_heading = "Tests",
        long,
        value_delimiter = ',',
        value_name = "KIND,…"
    )]
    pub augment: Vec<Augment>,
    /// --augment: keep the whole path of a test, not only the part before the augmented condition
    #[arg(help_heading = "Tests", long)]
    pub augment_strict: bool,
    /// --augment: a condition in a loop counts once for every turn
    #[arg(help_heading = "Tests", long)]
    pub per_unrolling: bool,
    /// Leave the inputs of tests as the solver has found them, instead of choosing values that are easy to read
    #[arg(help_heading = "Tests", long)]
    pub raw_values: bool,
    /// Drop tests that nothing needs at the end
    #[arg(help_heading = "Tests", long, value_name = "METHOD")]
    pub minimise: Option<Minimise>,
    /// What a proof of infeasibility may rest on, besides what the user says; what rests on more is unknown
    #[arg(help_heading = "Proofs", long, value_name = "WHAT")]
    pub trust: Option<Trust>,
    /// The rules that may prove something infeasible, separated by commas
    #[arg(
        help_heading = "Proofs",
        long,
        value_delimiter = ',',
        value_name = "RULE,…"
    )]
    pub proof_rules: Vec<ProofRule>,
    /// C compiler for native replay
    #[arg(help_heading = "Native runs", long, value_name = "COMMAND")]
    pub cc: Option<String>,
    /// Time limit of one native run
    #[arg(help_heading = "Native runs", long, value_name = "TIME")]
    pub replay_time: Option<TimeSpan>,
    /// Refuse to run anything natively unless it is completely confined (labrys doctor)
    #[arg(help_heading = "Native runs", long)]
    pub require_sandbox: bool,
    /// Check the result with gcov on the original source
    #[arg(help_heading = "Native runs", long)]
    pub gcov: bool,
    /// Check the result with llvm-cov on the original source
    #[arg(help_heading = "Native runs", long)]
    pub llvm_cov: bool,
    /// Output directory
    #[arg(help_heading = "Results", long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Exit with 1 if less than this percentage of the feasible objectives is covered
    #[arg(help_heading = "Results", long, value_name = "PERCENT")]
    pub fail_under: Option<f64>,
    /// Exit with 1 if the program has an error
    #[arg(help_heading = "Results", long)]
    pub fail_on_error: bool,
    /// Print counters and table sizes on stderr
    #[arg(help_heading = "Results", long)]
    pub stats: bool,
    /// Clang 19
    #[arg(help_heading = "Compiler and solver", long, value_name = "COMMAND")]
    pub clang: Option<String>,
    /// Ask Bitwuzla again for every answer of the solver
    #[arg(help_heading = "Compiler and solver", long)]
    pub validate: bool,
    /// Write every query as an SMT-LIB file into this directory
    #[arg(help_heading = "Compiler and solver", long, value_name = "DIR")]
    pub log_queries: Option<PathBuf>,
    /// External SMT-LIB solver instead of the built-in ones, such as z3
    #[arg(help_heading = "Compiler and solver", long, value_name = "COMMAND")]
    pub solver: Option<String>,
    /// --arg and --sym-args in the order of the command line
    #[arg(skip)]
    #[serde(skip)]
    pub arguments: Vec<ArgumentOption>,
}
