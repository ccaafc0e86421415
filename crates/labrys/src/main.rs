//! The command line of Labrys: flags become a request, the driver carries it out, and the result is
//! printed. One thin file for each command.

#![allow(unreachable_pub)]

mod cli;
mod commands;
mod exit;
mod progress;
mod resolve;
mod signals;
mod text;

use cli::{Cli, LabrysCommand};
use exit::{CommandResult, Exit};
use labrys_driver::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    // The compiler's options are passed on unread, even --help.
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|command| command == "cc") {
        let arguments: Vec<_> = arguments.collect();
        return ExitCode::from(labrys_build::wrapper::run(&arguments));
    }
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Done
            }
            .into();
        }
    };
    let level = if cli.verbose {
        "labrys=debug,warn"
    } else {
        "error"
    };
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(level)
        .init();
    let outcome = std::panic::catch_unwind(|| run(&cli.command));
    match outcome {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(failure)) => fail(&failure),
        Err(_) => fail(&Failure::internal(
            "labrys has met an error of its own; please report it with the input",
        )),
    }
}

fn run(command: &LabrysCommand) -> CommandResult {
    match command {
        LabrysCommand::Gen(args) => commands::generate::run(args),
        LabrysCommand::Measure(args) => commands::measure::run(args),
        LabrysCommand::Mutate(args) => commands::mutate::run(args),
        LabrysCommand::Kill(args) => commands::kill::run(args),
        LabrysCommand::Replay(args) => commands::replay::run(args),
        LabrysCommand::Init(args) => commands::init::run(args),
        LabrysCommand::Prove(args) => commands::prove::run(args),
        LabrysCommand::Label(args) => commands::label::run(args),
        LabrysCommand::Minimise(args) => commands::minimise::run(args),
        LabrysCommand::Explain(args) => commands::explain::run(args),
        LabrysCommand::Check(args) => commands::check::run(args),
        LabrysCommand::Export(args) => commands::export::run(args),
        LabrysCommand::Report(args) => commands::report::run(args),
        LabrysCommand::Doctor(args) => commands::doctor::run(args),
        LabrysCommand::Cc { .. } => Err(Failure::usage("cc must be the first argument")),
    }
}

#[allow(clippy::print_stderr)]
fn fail(failure: &Failure) -> ExitCode {
    eprintln!("labrys: {}", failure.message.trim_end());
    Exit::from(failure.kind).into()
}
