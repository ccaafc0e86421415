//! Options that a command shares with others in its structure but does not have: they are hidden
//! from its help and refused on its command line.

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};

/// The commands that run tests and do not search, and what they do instead.
const WITHOUT_SEARCH: [(&str, &str); 2] = [
    ("measure", "measure runs tests and does not search"),
    ("mutate", "mutate runs tests and does not search"),
];

/// Options of the search.
const OF_SEARCH: [&str; 23] = [
    "augment",
    "augment_strict",
    "per_unrolling",
    "minimise",
    "search",
    "no_filter",
    "levels",
    "paths",
    "memory",
    "snapshots",
    "expressions",
    "max_steps",
    "seed",
    "exhaust",
    "no_faults",
    "instrumentation",
    "no_static",
    "proof_rules",
    "raw_values",
    "validate",
    "log_queries",
    "solver",
    "stats",
];

/// Options about objectives, which `mutate` does not have.
const OF_OBJECTIVES: [&str; 6] = [
    "criterion",
    "n",
    "partition",
    "gcov",
    "llvm_cov",
    "fail_on_error",
];

/// Why a command does not have an option.
fn why_not(command: &str, option: &str) -> Option<String> {
    let (_, why) = WITHOUT_SEARCH.iter().find(|(name, _)| *name == command)?;
    // The seed also decides which mutants are paired.
    let pairs = command == "mutate" && option == "seed";
    if OF_SEARCH.contains(&option) && !pairs {
        return Some(format!("is for gen: {why}"));
    }
    let about_objectives = command == "mutate" && OF_OBJECTIVES.contains(&option);
    about_objectives.then(|| "is for gen and measure: mutate has mutants, no objectives".to_owned())
}

/// An option of another command on the command line is a mistake; in `labrys.toml` it is for that
/// command.
pub fn refuse(command: &mut Command, name: &str, matches: &ArgMatches) -> Result<(), clap::Error> {
    for id in matches.ids().map(clap::Id::as_str) {
        let given = matches.value_source(id) == Some(ValueSource::CommandLine);
        if let Some(why) = why_not(name, id).filter(|_| given) {
            let message = format!("--{} {why}", id.replace('_', "-"));
            return Err(command.error(ErrorKind::UnknownArgument, message));
        }
    }
    Ok(())
}

/// Hides them from the help.
pub fn hide(mut command: Command) -> Command {
    for (name, _) in WITHOUT_SEARCH {
        command = command.mut_subcommand(name, |sub| {
            sub.mut_args(|arg| match why_not(name, arg.get_id().as_str()) {
                Some(_) => arg.hide(true),
                None => arg,
            })
        });
    }
    command
}
