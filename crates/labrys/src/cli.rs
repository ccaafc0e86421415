//! The command line. Every option is defined once, here; `labrys.toml` is read into the same
//! structure.

use crate::part::places::Place;
use crate::units::{Size, Time};
use crate::world::{Given, Named, Sized, SymArgs};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use labrys_ledger::Criterion;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Reads C, writes the tests that a coverage criterion asks for, and proves what no test can meet.
#[derive(Parser, Debug)]
#[command(name = "labrys", version, max_term_width = 100)]
pub struct Cli {
    /// Say more about what is going on (on stderr)
    #[arg(long, global = true)]
    pub verbose: bool,
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Reads the command line, with the order of options that must be kept.
    pub fn read() -> Result<Cli, clap::Error> {
        let mut command = Cli::command();
        for (name, _) in WITHOUT_SEARCH {
            command = command.mut_subcommand(name, |sub| {
                sub.mut_args(|arg| match other_command(name, arg.get_id().as_str()) {
                    Some(_) => arg.hide(true),
                    None => arg,
                })
            });
        }
        command = command.mut_subcommand("measure", |measure| {
            let out = "Also write suite.json, objectives.json and the program to this directory";
            measure.mut_arg("out", |arg| arg.help(out))
        });
        let matches = command.try_get_matches_from_mut(std::env::args_os())?;
        if let Some((name, sub)) = matches.subcommand() {
            refuse_others(&mut command, name, sub)?;
        }
        let mut cli = Cli::from_arg_matches(&matches)?;
        let sub = matches.subcommand().map(|(_, sub)| sub);
        let options = match &mut cli.command {
            Command::Gen(args) => Some(&mut args.options),
            Command::Init(args) => Some(&mut args.options),
            Command::Prove(args) => Some(&mut args.options),
            Command::Label(args) => Some(&mut args.options),
            Command::Measure(args) => Some(&mut args.options),
            Command::Mutate(args) => Some(&mut args.options),
            _ => None,
        };
        if let (Some(options), Some(sub)) = (options, sub) {
            options.arguments = in_order(options, sub);
        }
        Ok(cli)
    }
}

/// The commands that run tests and do not search, and what they do instead.
const WITHOUT_SEARCH: [(&str, &str); 2] = [
    ("measure", "measure runs tests and does not search"),
    ("mutate", "mutate runs tests and does not search"),
];

/// Options of the search.
const OF_SEARCH: [&str; 21] = [
    "augment",
    "augment_strict",
    "per_unrolling",
    "minimise",
    "search",
    "no_filter",
    "levels",
    "time",
    "paths",
    "memory",
    "expressions",
    "max_steps",
    "seed",
    "exhaust",
    "instrumentation",
    "no_static",
    "raw_values",
    "validate",
    "log_queries",
    "solver",
    "stats",
];

/// Options about objectives, which `mutate` does not have.
const OF_OBJECTIVES: [&str; 9] = [
    "criterion",
    "n",
    "partition",
    "only",
    "in_diff",
    "gcov",
    "llvm_cov",
    "fail_on_error",
    "out",
];

/// Why a command does not have an option.
fn other_command(command: &str, option: &str) -> Option<String> {
    let (_, why) = WITHOUT_SEARCH.iter().find(|(name, _)| *name == command)?;
    if OF_SEARCH.contains(&option) {
        return Some(format!("is for gen: {why}"));
    }
    let about_objectives = command == "mutate" && OF_OBJECTIVES.contains(&option);
    about_objectives.then(|| "is for gen and measure: mutate has mutants, no objectives".to_owned())
}

/// An option of another command on the command line is a mistake; in `labrys.toml` it is for that
/// command.
fn refuse_others(
    command: &mut clap::Command,
    name: &str,
    matches: &ArgMatches,
) -> Result<(), clap::Error> {
    for id in matches.ids().map(clap::Id::as_str) {
        let given = matches.value_source(id) == Some(ValueSource::CommandLine);
        if let Some(why) = other_command(name, id).filter(|_| given) {
            let message = format!("--{} {why}", id.replace('_', "-"));
            return Err(command.error(ErrorKind::UnknownArgument, message));
        }
    }
    Ok(())
}

/// The arguments of the program in the order in which they were given.
fn in_order(options: &Options, matches: &ArgMatches) -> Vec<Given> {
    let places =
        |id: &str| -> Vec<usize> { matches.indices_of(id).into_iter().flatten().collect() };
    let texts = options.arg.iter().cloned().map(Given::Text);
    let symbolic = options.sym_args.iter().copied().map(Given::Symbolic);
    let mut all: Vec<(usize, Given)> = places("arg").into_iter().zip(texts).collect();
    all.extend(places("sym_args").into_iter().zip(symbolic));
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, given)| given).collect()
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Generate tests and replay them natively
    Gen(GenArgs),
    /// Score an existing suite: which objectives of a criterion its tests cover
    Measure(MeasureArgs),
    /// List the mutants of a program, or score a suite by them
    Mutate(MutateArgs),
    /// Compile a suite's program natively, run every test and measure
    Replay(ReplayArgs),
    /// Write the harness of a function as C, to be edited
    Init(InitArgs),
    /// Prove which objectives no test can meet, without a search
    Prove(ProveArgs),
    /// Print the program with the labels of its criteria, as LTest writes them
    Label(LabelArgs),
    /// Drop the tests of a suite that nothing needs
    Minimise(MinimiseArgs),
    /// Say why an objective is covered, infeasible or unknown
    Explain(ExplainArgs),
    /// Write a suite's tests in the form of a test framework
    Export(ExportArgs),
    /// Draw what runs of gen have covered over their course
    Report(ReportArgs),
    /// Measure speed, as ratios within one run
    Bench(BenchArgs),
    /// Compile C as the compiler LABRYS_CC (default cc) does, and keep what gen needs: CC="labrys cc"
    Cc {
        /// What the compiler is called with
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            value_name = "ARGS"
        )]
        arguments: Vec<std::ffi::OsString>,
    },
}

#[derive(Args, Debug)]
pub struct GenArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub options: Options,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// The program to look at.
#[derive(Args, Debug, Clone, Default)]
pub struct ProgramArgs {
    /// C files, which are linked; or an object or a program that labrys cc has built
    #[arg(required_unless_present = "compile_commands", value_name = "SRC")]
    pub sources: Vec<PathBuf>,
    /// Flags and directories of the C files, as CMake and others write them; without SRC all of its C files
    #[arg(long, value_name = "FILE")]
    pub compile_commands: Option<PathBuf>,
    /// The units of a program that come from archives are tested too, not only used
    #[arg(long)]
    pub annotate_libraries: bool,
    /// Function to test, or FILE:F where several files have one of that name; without it main if it asks for inputs, else every function
    #[arg(long, value_name = "F", conflicts_with = "main")]
    pub function: Option<String>,
    /// Test the program from its main
    #[arg(long)]
    pub main: bool,
    /// Options are read from this file instead of ./labrys.toml
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Flags for clang, after --
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Args, Debug, Clone, Default)]
pub struct ShowArgs {
    /// Result on stdout as text or as one JSON object
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// No progress on stderr
    #[arg(long)]
    pub quiet: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    #[default]
    Text,
    Json,
}

/// Everything that can also stand in `labrys.toml`, with the same names.
#[derive(Args, Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// Criteria, separated by commas: statement, function, call, branch, decision, condition,
    /// decision-condition, multiple-condition, gacc, gicc, boundary, input-domain, rte, weak-mutation,
    /// path, labels [default: branch]
    #[arg(long, value_delimiter = ',', value_name = "C,…")]
    pub criterion: Vec<Criterion>,
    /// What the program is made into
    #[arg(skip)]
    #[serde(skip)]
    pub form: ProgramForm,
    /// weak-mutation: mutation operators, separated by commas: ABS, AOR, ROR, COR, LOR, UOI, CRO, LHS [default: all]
    #[arg(long, value_delimiter = ',', value_name = "O,…")]
    pub operators: Vec<String>,
    /// multiple-condition: combinations of every N conditions of a decision [default: of all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub n: Option<u32>,
    /// input-domain: blocks of the inputs, C expressions over the parameters, separated by semicolons (repeatable)
    #[arg(long, value_name = "EXPR;…")]
    pub partition: Vec<String>,
    /// Only objectives in these lines count; FILE alone is all of it (repeatable)
    #[arg(long, value_name = "FILE[:FROM-TO]")]
    pub only: Vec<Place>,
    /// Only objectives in the lines that this unified diff adds or changes count; - reads it from
    /// standard input
    #[arg(long, value_name = "PATCH")]
    pub in_diff: Option<PathBuf>,
    /// Search strategy: dfs, bfs, random-path, rp-md2u, pps, cfg, fitness, mix [default: mix]
    #[arg(long, value_name = "S")]
    pub search: Option<String>,
    /// Keep candidates that can cover nothing any more
    #[arg(long)]
    pub no_filter: bool,
    /// pps, mix: how many levels of conditions to look ahead [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub levels: Option<u32>,
    /// How labels take part in the search: direct, tight, tight-idl1, tight-idl2 [default: tight-idl2]
    #[arg(long, value_name = "I")]
    pub instrumentation: Option<String>,
    /// Stop the search after this long [default: 60s]
    #[arg(long)]
    pub time: Option<Time>,
    /// Stop the search after so many paths
    #[arg(long, value_name = "N")]
    pub paths: Option<u64>,
    /// Memory for the search; beyond it snapshots are dropped and paths replayed [default: 2G]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Size>,
    /// Collect dead expressions when there are more than this [default: 8000000]
    #[arg(long, value_name = "N")]
    pub expressions: Option<usize>,
    /// End a path after so many instructions [default: 200000000]
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Output directory [default: labrys-out]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Threads [default: 1]
    #[arg(short = 'j', long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Seed of everything that is random [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Precondition on the parameters, a C expression (repeatable)
    #[arg(long, value_name = "EXPR")]
    pub assume: Vec<String>,
    /// Argument of the whole program (repeatable, in order with --sym-args); implies --main
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub arg: Vec<String>,
    /// From MIN to MAX arguments of at most LEN bytes are inputs (repeatable); implies --main
    #[arg(long, value_name = "MIN..MAX:LEN")]
    pub sym_args: Vec<SymArgs>,
    /// Standard input of at most N bytes is an input; implies --main
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=65536), conflicts_with = "stdin")]
    pub sym_stdin: Option<u32>,
    /// Standard input has the bytes of this file; implies --main
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
    /// A file NAME of at most N bytes, or none of that name, is an input (repeatable); implies --main
    #[arg(long, value_name = "NAME:N")]
    pub sym_file: Vec<Sized>,
    /// The program finds a file NAME with the bytes of the file PATH (repeatable); implies --main
    #[arg(long, value_name = "NAME=PATH")]
    pub file: Vec<Named>,
    /// Environment variable of the program (repeatable); there are no others; implies --main
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<Named>,
    /// Environment variable whose value of at most LEN bytes is an input, or that is not set; implies --main
    #[arg(long, value_name = "NAME:LEN")]
    pub sym_env: Vec<Sized>,
    /// argv[0] of the program [default: the name of its source file]; implies --main
    #[arg(long, value_name = "TEXT")]
    pub program_name: Option<String>,
    /// --arg and --sym-args in the order of the command line
    #[arg(skip)]
    #[serde(skip)]
    pub arguments: Vec<Given>,
    /// C file with models of functions that the program calls but does not define; they replace
    /// those of the C library too (repeatable)
    #[arg(long, value_name = "FILE.c")]
    pub model: Vec<PathBuf>,
    /// Elements behind a pointer parameter; twice as many characters behind a char * [default: 4]
    #[arg(long, value_name = "N")]
    pub array_len: Option<u32>,
    /// How many pointers deep structures are made [default: 3]
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Defined global variables are inputs too
    #[arg(long)]
    pub symbolic_globals: bool,
    /// Every look at the clock is an input, which never goes back; without it the clock stands still
    #[arg(long)]
    pub sym_time: bool,
    /// Go on when everything is covered
    #[arg(long)]
    pub exhaust: bool,
    /// No proofs before the search, for measurements
    #[arg(long)]
    pub no_static: bool,
    /// Add tests on the paths of those that were found, separated by commas: boundary, mutation,
    /// logic, error
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        value_name = "KIND,…",
        hide_possible_values = true
    )]
    pub augment: Vec<Augment>,
    /// --augment: keep the whole path of a test, not only the part before the augmented condition
    #[arg(long)]
    pub augment_strict: bool,
    /// --augment: a condition in a loop counts once for every turn
    #[arg(long)]
    pub per_unrolling: bool,
    /// Leave the inputs of tests as the solver has found them, instead of choosing values that are easy to read
    #[arg(long)]
    pub raw_values: bool,
    /// Drop tests that nothing needs at the end: none, paper, greedy, exact [default: none]
    #[arg(long, value_enum, value_name = "METHOD", hide_possible_values = true)]
    pub minimise: Option<Minimise>,
    /// Exit with 1 if less than this percentage of the feasible objectives is covered
    #[arg(long, value_name = "PERCENT")]
    pub fail_under: Option<f64>,
    /// Exit with 1 if the program has an error
    #[arg(long)]
    pub fail_on_error: bool,
    /// Check the result with gcov on the original source
    #[arg(long)]
    pub gcov: bool,
    /// Check the result with llvm-cov on the original source
    #[arg(long)]
    pub llvm_cov: bool,
    /// Ask Bitwuzla again for every answer of the solver
    #[arg(long)]
    pub validate: bool,
    /// Write every query as an SMT-LIB file into this directory
    #[arg(long, value_name = "DIR")]
    pub log_queries: Option<PathBuf>,
    /// External SMT-LIB solver instead of the built-in ones, such as z3
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<String>,
    /// Print counters and table sizes on stderr
    #[arg(long)]
    pub stats: bool,
    /// Clang 19 [default: clang-19]
    #[arg(long, value_name = "COMMAND")]
    pub clang: Option<String>,
    /// C compiler for native replay [default: cc]
    #[arg(long, value_name = "COMMAND")]
    pub cc: Option<String>,
    /// Time limit of one native run [default: 2s]
    #[arg(long, value_name = "TIME")]
    pub replay_time: Option<Time>,
}

#[derive(Args, Debug)]
pub struct MeasureArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Tests: an output directory of gen or its suite.json, KLEE's .ktest files, test cases of
    /// Test-Comp, a fuzzer's corpus; a file or a directory (repeatable)
    #[arg(long, value_name = "DIR|FILE", required = true)]
    pub tests: Vec<PathBuf>,
    /// Format of the tests
    #[arg(long, value_enum, default_value_t = TestsFormat::Auto, value_name = "FORMAT")]
    pub tests_format: TestsFormat,
    /// List the objectives that no test covers
    #[arg(long)]
    pub uncovered: bool,
    #[command(flatten)]
    pub options: Options,
    #[command(flatten)]
    pub show: ShowArgs,
}

#[derive(Args, Debug)]
pub struct MutateArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Tests: an output directory of gen or its suite.json, KLEE's .ktest files, test cases of
    /// Test-Comp, a fuzzer's corpus; a file or a directory (repeatable)
    #[arg(long, value_name = "DIR|FILE", required_unless_present = "list")]
    pub tests: Vec<PathBuf>,
    /// Format of the tests
    #[arg(long, value_enum, default_value_t = TestsFormat::Auto, value_name = "FORMAT")]
    pub tests_format: TestsFormat,
    /// Only list the mutants
    #[arg(long, conflicts_with = "tests")]
    pub list: bool,
    #[command(flatten)]
    pub options: Options,
    #[command(flatten)]
    pub show: ShowArgs,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestsFormat {
    /// What each file shows
    Auto,
    /// suite.json
    Labrys,
    /// .ktest files of KLEE
    Ktest,
    /// XML of Test-Comp
    Testcomp,
    /// Bytes, handed out in the order in which the program asks
    Raw,
}

#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// Output directory of gen
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// C compiler instead of the one that gen used
    #[arg(long, value_name = "COMMAND")]
    pub cc: Option<String>,
    /// Check the coverage with gcov on the original source
    #[arg(long)]
    pub gcov: bool,
    /// Check the coverage with llvm-cov on the original source
    #[arg(long)]
    pub llvm_cov: bool,
    #[command(flatten)]
    pub show: ShowArgs,
}

#[derive(Args, Debug)]
pub struct InitArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub options: Options,
}

#[derive(Args, Debug)]
pub struct ProveArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub options: Options,
    #[command(flatten)]
    pub show: ShowArgs,
}

#[derive(Args, Debug)]
pub struct LabelArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub options: Options,
    /// The annotated program, or the list of its labels: id, status, tag, line
    #[arg(long, value_enum, default_value_t = LabelFormat::C)]
    pub format: LabelFormat,
    /// labels: the statuses are those of this output directory of gen or measure, made with the same criteria
    #[arg(long, value_name = "DIR")]
    pub results: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelFormat {
    C,
    Labels,
}

/// What a program is made into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProgramForm {
    /// With annotations of the criteria
    #[default]
    Annotated,
    /// The same, with a label for every operation that does not go wrong
    BothSides,
    /// With all its mutants
    Mutants,
    /// The same, for native runs only
    NativeMutants,
}

impl ProgramForm {
    pub fn has_mutants(self) -> bool {
        matches!(self, ProgramForm::Mutants | ProgramForm::NativeMutants)
    }
}

/// What path conditions are augmented by.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Augment {
    /// Values at the boundary of a comparison, beside it and well inside
    Boundary,
    /// Inputs that tell mutants from the original
    Mutation,
    /// Conditions that decide, and that do not, what the decision is
    Logic,
    /// Operations that go wrong, and that just do not
    Error,
}

impl Augment {
    pub fn name(self) -> &'static str {
        match self {
            Augment::Boundary => "boundary",
            Augment::Mutation => "mutation",
            Augment::Logic => "logic",
            Augment::Error => "error",
        }
    }

    /// The criteria whose labels are its conditions.
    pub fn criteria(self) -> &'static [Criterion] {
        match self {
            Augment::Boundary => &[Criterion::Boundary],
            Augment::Mutation => &[],
            Augment::Logic => &[Criterion::Gacc, Criterion::Gicc],
            Augment::Error => &[Criterion::Rte],
        }
    }

    /// The kind that asks for objectives of a criterion.
    pub fn of(criterion: Criterion) -> Augment {
        match criterion {
            Criterion::Gacc | Criterion::Gicc => Augment::Logic,
            Criterion::Rte => Augment::Error,
            _ => Augment::Boundary,
        }
    }
}

/// How a suite is made smaller.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

#[derive(Args, Debug)]
pub struct MinimiseArgs {
    /// Output directory of gen or measure
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// How [default: exact]
    #[arg(long, value_enum, value_name = "METHOD")]
    pub method: Option<Minimise>,
    /// Write the smaller suite to this directory; without it, DIR is changed
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub show: ShowArgs,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// Output directory of gen
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Objective, such as branch:12; mcdc or mcdc-unique for the tables of all decisions
    pub objective: String,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// A C program with the tests, and a header that it includes
    C,
    /// For whole programs: one shell script that runs any build of the program
    Sh,
}

#[derive(Args, Debug)]
pub struct ExportArgs {
    /// Output directory of gen
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Form of the tests
    #[arg(long, value_enum)]
    pub format: ExportFormat,
    /// Write here instead of DIR/tests
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// A picture: coverage over iterations or time, one line for each directory
    Svg,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportBy {
    /// Iterations: paths that were run
    Paths,
    /// Seconds since the search began
    Time,
}

#[derive(Args, Debug)]
pub struct ReportArgs {
    /// Output directories of gen; a line is called by its search strategy, or NAME
    #[arg(value_name = "[NAME=]DIR", required = true)]
    pub dirs: Vec<String>,
    /// Form of the report
    #[arg(long, value_enum)]
    pub format: ReportFormat,
    /// What the horizontal axis counts
    #[arg(long, value_enum, default_value_t = ReportBy::Paths)]
    pub by: ReportBy,
    /// Write here instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Args, Debug, Default)]
pub struct BenchArgs {
    /// Which ones: engine, explore, solver, latency, memory; all of these without names; or seed1, seed2, seed3, corpus, programs
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// seed1, seed2, seed3, corpus, programs: time of each search [default: 60s, 2s, 10s, 10s, 60s]
    #[arg(long)]
    pub time: Option<Time>,
    /// corpus: only this package (repeatable)
    #[arg(long, value_name = "P")]
    pub package: Vec<String>,
    /// seed1, seed2, seed3, programs: only this one (repeatable); seed2 takes groups, too
    #[arg(long, value_name = "NAME")]
    pub program: Vec<String>,
    /// seed2, seed3, corpus, programs: so many at a time [default: as many as there are processors]
    #[arg(short = 'j', long, value_name = "N")]
    pub jobs: Option<usize>,
    /// seed2: so many seeds for each strategy [default: 30]
    #[arg(long, value_name = "N")]
    pub seeds: Option<u64>,
    /// seed2: so many iterations for each unit [default: 100]
    #[arg(long, value_name = "N")]
    pub iterations: Option<u64>,
    /// seed2: write the figures into this directory
    #[arg(long, value_name = "DIR")]
    pub plots: Option<PathBuf>,
    /// corpus: outcomes are read from and added to this file
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// corpus: another list of functions than the fixed one
    #[arg(long, value_name = "FILE")]
    pub functions: Option<PathBuf>,
    /// corpus: compare branch suites with augmented ones by the mutants that they kill
    #[arg(long)]
    pub mutants: bool,
    /// corpus: choose the sample anew and print it
    #[arg(long, hide = true)]
    pub choose: bool,
}
