//! The command line. Every option is defined once, here; `labrys.toml` is read into the same
//! structure. [`crate::resolve`] makes a request of both.

mod arguments;
mod defaults;
mod mutation_arguments;
mod options;
mod other_commands;
mod other_help;
mod test_command;

pub use arguments::*;
pub use mutation_arguments::*;
pub use options::Options;
pub use test_command::TestCommandArgs;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use labrys_driver::request::world::ArgumentOption;

/// Reads C, writes the tests that a coverage criterion asks for, and proves what no test can meet.
#[derive(Parser, Debug)]
#[command(name = "labrys", version, max_term_width = 100)]
pub struct Cli {
    /// Say more about what is going on (on stderr)
    #[arg(long, global = true)]
    pub verbose: bool,
    #[command(subcommand)]
    pub command: LabrysCommand,
}

impl Cli {
    /// Reads the command line, with the order of options that must be kept.
    pub fn read() -> Result<Cli, clap::Error> {
        let mut command = other_commands::hide(defaults::show(Cli::command()));
        command = other_help::replace(command);
        command = command.mut_subcommand("mutate", |sub| {
            sub.mut_args(|arg| match arg.get_id().as_str() {
                "sources" => arg.required_unless_present("merge"),
                _ => arg,
            })
        });
        let matches = command.try_get_matches_from_mut(std::env::args_os())?;
        if let Some((name, sub)) = matches.subcommand() {
            other_commands::refuse(&mut command, name, sub)?;
        }
        let mut cli = Cli::from_arg_matches(&matches)?;
        let sub = matches.subcommand().map(|(_, sub)| sub);
        let options = match &mut cli.command {
            LabrysCommand::Gen(args) => Some(&mut args.options),
            LabrysCommand::Init(args) => Some(&mut args.options),
            LabrysCommand::Prove(args) => Some(&mut args.options),
            LabrysCommand::Label(args) => Some(&mut args.options),
            LabrysCommand::Measure(args) => Some(&mut args.options),
            LabrysCommand::Mutate(args) => Some(&mut args.options),
            LabrysCommand::Kill(args) => Some(&mut args.options),
            _ => None,
        };
        if let (Some(options), Some(sub)) = (options, sub) {
            options.arguments = in_order(options, sub);
        }
        Ok(cli)
    }
}

/// The arguments of the program in the order in which they were given.
fn in_order(options: &Options, matches: &ArgMatches) -> Vec<ArgumentOption> {
    let places =
        |id: &str| -> Vec<usize> { matches.indices_of(id).into_iter().flatten().collect() };
    let texts = options.arg.iter().cloned().map(ArgumentOption::Text);
    let symbolic = options
        .sym_args
        .iter()
        .copied()
        .map(ArgumentOption::Symbolic);
    let mut all: Vec<(usize, ArgumentOption)> = places("arg").into_iter().zip(texts).collect();
    all.extend(places("sym_args").into_iter().zip(symbolic));
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, given)| given).collect()
}

#[derive(Subcommand, Debug)]
pub enum LabrysCommand {
    /// Generate tests and replay them natively
    Gen(GenArgs),
    /// Score an existing suite: which objectives of a criterion its tests cover
    Measure(MeasureArgs),
    /// List the mutants of a program, or score a suite by them
    Mutate(MutateArgs),
    /// Find tests that kill the mutants which a suite leaves alive, and prove which cannot be killed
    Kill(KillArgs),
    /// Compile a suite's program natively, run every test and measure
    Replay(ReplayArgs),
    /// Write the harness of a function as C, to be edited
    Init(InitArgs),
    /// Prove which objectives no test can meet; writes no tests
    Prove(ProveArgs),
    /// Print the program with the labels of its criteria, as LTest writes them
    Label(LabelArgs),
    /// Drop the tests of a suite that nothing needs
    Minimise(MinimiseArgs),
    /// Say why an objective is covered, infeasible or unknown
    Explain(ExplainArgs),
    /// Check the proofs of a run again, with solvers that did not find them
    Check(CheckArgs),
    /// Write a suite's tests in the form of a test framework
    Export(ExportArgs),
    /// Draw what runs of gen have covered over their course
    Report(ReportArgs),
    /// Say how this machine confines native runs, which tools it has, and what is missing
    Doctor(DoctorArgs),
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
