//! Adds to the help of an option the names that it knows and its default. Both are read from where
//! they are defined, so that the help cannot say something else.

use clap::Command;
use labrys_driver::request::{Augment, Minimise, ProofRule, Request};
use labrys_engine::{Instrumentation, Search};
use labrys_front::{MutationOperator, Uninitialised};
use labrys_ledger::{Criterion, Trust};

/// Completes the help of all commands.
pub fn show(mut command: Command) -> Command {
    let request = Request::new(Vec::new());
    let names: Vec<String> = command
        .get_subcommands()
        .map(|sub| sub.get_name().to_owned())
        .collect();
    for name in names {
        // replay takes its compilers from the suite.
        if name == "replay" {
            continue;
        }
        command = command.mut_subcommand(&name, |sub| {
            sub.mut_args(|arg| {
                let id = arg.get_id().as_str();
                let (known, default) = (names_of(id), default_of(id, &request));
                let default = match (name.as_str(), id) {
                    ("measure" | "mutate", "time") => Some("no limit".to_owned()),
                    _ => default,
                };
                let Some(help) = arg.get_help().map(ToString::to_string) else {
                    return arg;
                };
                let known = known.map_or(String::new(), |known| format!(": {known}"));
                let default = default.map_or(String::new(), |d| format!(" [default: {d}]"));
                arg.help(format!("{help}{known}{default}"))
            })
        });
    }
    command
}

/// The names that an option knows.
fn names_of(id: &str) -> Option<String> {
    let join = |names: Vec<&str>| Some(names.join(", "));
    match id {
        "criterion" => join(Criterion::ALL.iter().map(|c| c.name()).collect()),
        "operators" => {
            let sets = MutationOperator::SETS.iter();
            let sets = sets.map(|(name, _)| (*name).to_owned());
            let names = MutationOperator::ALL.iter().map(|o| o.name());
            Some(sets.chain(names).collect::<Vec<String>>().join(", "))
        }
        "search" => join(Search::NAMES.iter().map(|(name, _)| *name).collect()),
        "instrumentation" => join(
            Instrumentation::NAMES
                .iter()
                .map(|(name, _)| *name)
                .collect(),
        ),
        "augment" => join(Augment::ALL.iter().map(|kind| kind.name()).collect()),
        "proof_rules" => join(ProofRule::ALL.iter().map(|rule| rule.name()).collect()),
        "uninitialised" => join(Uninitialised::ALL.iter().map(|what| what.name()).collect()),
        "trust" => join(Trust::NAMES.iter().map(|(name, _)| *name).collect()),
        "minimise" => join(Minimise::ALL.iter().map(|method| method.name()).collect()),
        _ => None,
    }
}

/// The default of an option, as the user would write it.
fn default_of(id: &str, request: &Request) -> Option<String> {
    let Request {
        program,
        objectives,
        search,
        harness,
        replay,
        report,
        ..
    } = request;
    let seconds = |time: std::time::Duration| format!("{}s", time.as_secs());
    Some(match id {
        "criterion" => objectives.criteria.first()?.name().to_owned(),
        "operators" => "default".to_owned(),
        "n" => "of all".to_owned(),
        "search" => {
            let known = Search::NAMES.iter().find(|(_, s)| *s == search.strategy);
            known?.0.to_owned()
        }
        "instrumentation" => {
            let mut known = Instrumentation::NAMES.iter();
            let default = known.find(|(_, i)| *i == search.instrumentation);
            default?.0.to_owned()
        }
        "levels" => search.levels.to_string(),
        "time" => seconds(search.time),
        "memory" => format!("{}G", search.memory >> 30),
        "snapshots" => "as many as there is memory for".to_owned(),
        "expressions" => search.expressions.to_string(),
        "max_steps" => search.max_steps.to_string(),
        "jobs" => search.threads.to_string(),
        "seed" => search.seed.to_string(),
        "array_len" => harness.sizes.array_len.to_string(),
        "depth" => harness.sizes.depth.to_string(),
        "program_name" => "the name of its source file".to_owned(),
        "uninitialised" => harness.uninitialised.name().to_owned(),
        "minimise" => report.minimise.name().to_owned(),
        "trust" => report.trust.name().to_owned(),
        "cc" => replay.cc.clone(),
        "replay_time" => seconds(replay.time),
        "out" => report.out.display().to_string(),
        "clang" => program.clang.clone(),
        _ => return None,
    })
}
