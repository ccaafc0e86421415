//! One run of a test command in a copy of the project, with at most one mutant. The commands are the
//! user's own: they are not confined.

use super::project_copy::ProjectCopy;
use crate::failure::{Failure, Outcome};
use labrys_budget::{ChildError, Deadline, run_into};
use labrys_ledger::Mutant;
use labrys_mutate::MutantFate;
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::time::{Duration, Instant};

/// How a run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommandEnd {
    Passed,
    Failed(i32),
    Crashed(i32),
    TimedOut,
}

impl CommandEnd {
    /// What it says about a mutant, if the original passes.
    pub(super) fn kill(self) -> Option<(MutantFate, String)> {
        match self {
            CommandEnd::Passed => None,
            CommandEnd::Failed(code) => Some((MutantFate::Killed, format!("exit status {code}"))),
            CommandEnd::Crashed(signal) => Some((MutantFate::Crashed, format!("signal {signal}"))),
            CommandEnd::TimedOut => Some((MutantFate::Timeout, "does not end".to_owned())),
        }
    }
}

/// Shells report a command that a signal has ended by this number and that of the signal.
const SIGNALLED: i32 = 128;
const LAST_SIGNAL: i32 = 64;

/// Variables by which one `make` speaks to another.
const OF_MAKE: [&str; 3] = ["MAKEFLAGS", "MFLAGS", "MAKELEVEL"];

/// What a run without any mutant has shown.
pub(super) struct CommandBaseline {
    pub(super) end: CommandEnd,
    /// Whether it came to each point.
    pub(super) reached: Vec<bool>,
    pub(super) time: Duration,
}

/// The lines of output that a message shows.
const TAIL: usize = 20;

/// Runs a command with a mutant, within a time of its own; `None` if the whole time is over.
pub(super) fn run_with(
    copy: &ProjectCopy,
    command: &str,
    mutant: &Mutant,
    limit: Duration,
    deadline: &Deadline,
) -> Outcome<Option<CommandEnd>> {
    let mut shell = shell(copy, command)?;
    let changes = mutant.changes();
    let active = changes
        .iter()
        .map(|(point, chosen)| format!("{point}:{chosen}"));
    let active: Vec<String> = active.collect();
    shell.env("LABRYS_MUTANT", active.join(","));
    run(copy, shell, &deadline.within(limit), deadline)
}

/// Runs a command without any mutant and notes the points that it comes to.
pub(super) fn baseline(
    copy: &ProjectCopy,
    command: &str,
    points: u32,
    deadline: &Deadline,
) -> Outcome<CommandBaseline> {
    let marks = copy.beside.join("reached");
    std::fs::write(&marks, vec![0; points as usize]).map_err(Failure::usage)?;
    let mut shell = shell(copy, command)?;
    shell.env("LABRYS_REACHED", &marks);
    let started = Instant::now();
    let end = run(copy, shell, deadline, deadline)?;
    let Some(end) = end else {
        let cause = deadline.cause().unwrap_or(labrys_budget::EndCause::Time);
        return Err(Failure::ended(cause, "running the tests without mutants"));
    };
    let reached = std::fs::read(&marks).map_err(Failure::usage)?;
    Ok(CommandBaseline {
        end,
        reached: reached.into_iter().map(|mark| mark != 0).collect(),
        time: started.elapsed(),
    })
}

/// The end of what the last run in this copy has printed.
pub(super) fn tail(copy: &ProjectCopy) -> String {
    let text = std::fs::read(copy.beside.join("output")).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(TAIL)..].join("\n")
}

fn shell(copy: &ProjectCopy, command: &str) -> Outcome<Command> {
    let mut shell = copy.shell(command)?;
    shell
        .env_remove("LABRYS_MUTANT")
        .env_remove("LABRYS_REACHED");
    OF_MAKE.iter().for_each(|name| {
        shell.env_remove(name);
    });
    Ok(shell)
}

fn run(
    copy: &ProjectCopy,
    mut shell: Command,
    until: &Deadline,
    whole: &Deadline,
) -> Outcome<Option<CommandEnd>> {
    let output = File::create(copy.beside.join("output")).map_err(Failure::usage)?;
    let status = match run_into(&mut shell, output, until) {
        Err(ChildError::Ended(_)) if whole.is_over() => return Ok(None),
        Err(ChildError::Ended(_)) => return Ok(Some(CommandEnd::TimedOut)),
        Err(ChildError::Io(error)) => return Err(Failure::usage(format_args!("sh: {error}"))),
        Ok(status) => status,
    };
    Ok(Some(match (status.code(), status.signal()) {
        (Some(0), _) => CommandEnd::Passed,
        (Some(code), _) if code > SIGNALLED && code <= SIGNALLED + LAST_SIGNAL => {
            CommandEnd::Crashed(code - SIGNALLED)
        }
        (Some(code), _) => CommandEnd::Failed(code),
        (None, signal) => CommandEnd::Crashed(signal.unwrap_or_default()),
    }))
}
