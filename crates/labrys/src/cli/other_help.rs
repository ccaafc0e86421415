//! Shared options that mean something else for a command: their help there.

use clap::Command;

/// The commands about mutants.
const MUTANTS: &[&str] = &["mutate", "kill"];

/// Commands, option, and its help.
const HELP: [(&[&str], &str, &str); 6] = [
    (
        &["measure"],
        "out",
        "Also write suite.json, objectives.json and the program to this directory",
    ),
    (
        &["mutate"],
        "out",
        "Also write mutants.json and summary.json to this directory",
    ),
    (
        &["kill"],
        "out",
        "Write mutants.json, summary.json and the suite with its new tests to this directory",
    ),
    (
        MUTANTS,
        "only",
        "Only mutants in these lines count; FILE alone is all of it (repeatable)",
    ),
    (
        MUTANTS,
        "in_diff",
        "Only mutants in the lines that this unified diff adds or changes count; - reads it from standard input",
    ),
    (
        MUTANTS,
        "fail_under",
        "Exit with 1 if less than this percentage of the mutants is killed, without those that are proved equivalent or duplicate",
    ),
];

/// Puts these texts in the place of the general ones.
pub fn replace(mut command: Command) -> Command {
    for (commands, id, help) in HELP {
        for name in commands {
            command = command.mut_subcommand(name, |sub| {
                sub.mut_args(|arg| match arg.get_id() == id {
                    true => arg.help(help),
                    false => arg,
                })
            });
        }
    }
    command
}
