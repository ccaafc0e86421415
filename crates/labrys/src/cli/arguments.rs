//! What each command takes beside the options that all share.

use super::Options;
use clap::{Args, ValueEnum};
use labrys_driver::mutate::MutantChoice;
use labrys_driver::request::units::TimeSpan;
use labrys_driver::request::{Minimise, Shard};
use labrys_engine::{KillOptions, KillStrategy, Selection, SemuParameters};
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

#[derive(Args, Debug)]
pub struct MutateArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Tests: an output directory of gen or its suite.json, KLEE's .ktest files, test cases of
    /// Test-Comp, a fuzzer's corpus; a file or a directory (repeatable)
    #[arg(long, value_name = "DIR|FILE", required_unless_present_any = ["list", "merge", "test_command"])]
    pub tests: Vec<PathBuf>,
    /// Format of the tests
    #[arg(long, value_enum, default_value_t = TestsFormat::Auto, value_name = "FORMAT")]
    pub tests_format: TestsFormat,
    /// A project's own tests: a command that builds and runs them and fails if one does (repeatable). It
    /// is run in copies of the project, not confined
    #[arg(
        help_heading = "Test commands",
        long,
        value_name = "COMMAND",
        conflicts_with_all = ["tests", "iterate", "subsuming", "list", "merge"]
    )]
    pub test_command: Vec<String>,
    /// The project that is copied and in which test commands are run [default: the current directory]
    #[arg(
        help_heading = "Test commands",
        long,
        value_name = "DIR",
        requires = "test_command"
    )]
    pub test_dir: Option<PathBuf>,
    /// Time limit of one test command [default: 10 times as long as without mutants, and 5 s]
    #[arg(
        help_heading = "Test commands",
        long,
        value_name = "TIME",
        requires = "test_command"
    )]
    pub test_time: Option<TimeSpan>,
    /// Only list the mutants
    #[arg(long, conflicts_with_all = ["tests", "iterate", "subsuming"])]
    pub list: bool,
    /// No runs: put the results together that mutate or kill has written to these directories, those
    /// of shards or of several suites
    #[arg(
        long,
        value_name = "DIR",
        num_args = 1..,
        conflicts_with_all = ["tests", "list", "shard", "iterate", "subsuming", "sources"]
    )]
    pub merge: Vec<PathBuf>,
    /// Leave out killed mutants that die whenever another one does
    #[arg(help_heading = "Mutants", long, conflicts_with = "shard")]
    pub subsuming: bool,
    #[command(flatten)]
    pub mutants: MutantArgs,
    #[command(flatten)]
    pub options: Options,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Which mutants are run and which count, for `mutate` and `kill`.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Mutants")]
pub struct MutantArgs {
    /// Only the K-th of N parts of the mutants, to share the work between machines; mutate --merge
    /// puts the results together
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Do not run again what the results in --out decide: only what survived
    #[arg(long, requires = "out")]
    pub iterate: bool,
    /// Run mutants whose optimised code is that of the original or of another mutant, too
    #[arg(long)]
    pub no_tce: bool,
}

impl MutantArgs {
    pub fn choice(&self) -> MutantChoice {
        MutantChoice {
            shard: self.shard,
            iterate: self.iterate,
            compare_code: !self.no_tce,
        }
    }
}

#[derive(Args, Debug)]
pub struct KillArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Tests from which the search starts: an output directory of gen or its suite.json, KLEE's
    /// .ktest files, test cases of Test-Comp, a fuzzer's corpus; a file or a directory (repeatable)
    #[arg(long, value_name = "DIR|FILE", required = true)]
    pub tests: Vec<PathBuf>,
    /// Format of the tests
    #[arg(long, value_enum, default_value_t = TestsFormat::Auto, value_name = "FORMAT")]
    pub tests_format: TestsFormat,
    #[command(flatten)]
    pub search: KillSearchArgs,
    #[command(flatten)]
    pub mutants: MutantArgs,
    #[command(flatten)]
    pub options: Options,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// How `kill` searches.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Search for killing tests")]
pub struct KillSearchArgs {
    /// How tests are looked for: pairs (paths of original and mutant up to their ends), semu (in lock-step with checkpoints), infection (another state behind the mutant is enough), dse (mutants are not looked at)
    #[arg(long, value_name = "STRATEGY", default_value = "pairs", value_parser = by_name(&KillStrategy::NAMES))]
    pub strategy: KillStrategy,
    /// semu, precondition length: gmd2ms (tests are followed up to the depth at which the first of them comes to a mutant), smd2ms (each up to its own)
    #[arg(long, value_name = "LENGTH", default_value = "gmd2ms", value_parser = by_name(&[("gmd2ms", false), ("smd2ms", true)]))]
    pub pl: bool,
    /// semu, checkpoint window: forks between two checkpoints
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub cw: u32,
    /// semu, propagating proportion: the part of the paths that goes on behind a checkpoint, 0 to 1
    #[arg(long, value_name = "PART", default_value = "0.25", value_parser = part_of_one)]
    pub pp: f64,
    /// semu, propagation selection: rnd (any paths go on), mdo (those that are near to an output)
    #[arg(long, value_name = "SELECTION", default_value = "rnd", value_parser = by_name(&Selection::NAMES))]
    pub pss: Selection,
    /// semu, minimum propagation depth: checkpoints before the first test is made
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub mpd: u32,
    /// semu: tests are made even if the states do not differ
    #[arg(long)]
    pub nsd: bool,
    /// semu and infection: tests that are made for a mutant
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub ntpm: usize,
}

impl KillSearchArgs {
    pub fn options(&self) -> KillOptions {
        KillOptions {
            strategy: self.strategy,
            semu: SemuParameters {
                own_length: self.pl,
                checkpoint_window: self.cw,
                propagating: self.pp,
                selection: self.pss,
                least_depth: self.mpd,
                no_state_difference: self.nsd,
                tests_per_mutant: self.ntpm,
            },
        }
    }
}

/// Reads one of these names.
fn by_name<T: Copy + Send + Sync + 'static>(
    names: &'static [(&'static str, T)],
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let known = names.iter().find(|(name, _)| *name == text);
        known.map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            format!("known are {}", names.join(", "))
        })
    }
}

fn part_of_one(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(part) if (0.0..=1.0).contains(&part) => Ok(part),
        _ => Err("a number from 0 to 1 is needed".to_owned()),
    }
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

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportForm {
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
    pub format: ExportForm,
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
