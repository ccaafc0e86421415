//! What each command takes beside the options that all share.

use super::Options;
use clap::{Args, ValueEnum};
use labrys_driver::request::Minimise;
use std::path::PathBuf;

/// `gen`
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

/// How the result is shown.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "TestOutput")]
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
    /// Clang instead of the one that gen used
    #[arg(long, value_name = "COMMAND")]
    pub clang: Option<String>,
    /// Check the coverage with gcov on the original source
    #[arg(long)]
    pub gcov: bool,
    /// Check the coverage with llvm-cov on the original source
    #[arg(long)]
    pub llvm_cov: bool,
    /// Refuse to run anything natively unless it is completely confined (labrys doctor)
    #[arg(long)]
    pub require_sandbox: bool,
    #[command(flatten)]
    pub show: ShowArgs,
}

#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// C compiler for native runs
    #[arg(long, value_name = "COMMAND")]
    pub cc: Option<String>,
    /// Clang 19
    #[arg(long, value_name = "COMMAND")]
    pub clang: Option<String>,
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

#[derive(Args, Debug)]
pub struct MinimiseArgs {
    /// Output directory of gen or measure
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// How: none, paper (from the longest path to the shortest), greedy, exact (the smallest suite there is) [default: exact]
    #[arg(long, value_name = "METHOD")]
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

#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Output directory of gen
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    #[command(flatten)]
    pub show: ShowArgs,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportForm {
    /// A C program with the tests, and a header that it includes
    C,
    /// For whole programs: one shell script that runs any build of the program
    Sh,
    /// For one infeasible objective: a C program and a witness of SV-COMP, for verifiers
    Witness,
}

#[derive(Args, Debug)]
pub struct ExportArgs {
    /// Output directory of gen
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Form of the tests
    #[arg(long, value_enum)]
    pub format: ExportForm,
    /// The infeasible objective of a witness, such as branch:12
    #[arg(long, value_name = "ID", required_if_eq("format", "witness"))]
    pub objective: Option<String>,
    /// Write here instead of DIR/tests
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// A picture: coverage over iterations or time, one line for each directory
    Svg,
    /// Mutants as mutation-testing-elements and its viewers read them
    MutationJson,
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
    /// svg: output directories of gen; a line is called by its search strategy, or NAME.
    /// mutation-json: those of mutate and kill, which are put together
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
