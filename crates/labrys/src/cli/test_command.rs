//! `mutate --test-command`: a project's own tests.

use clap::Args;
use labrys_driver::request::units::TimeSpan;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct TestCommandArgs {
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
}
