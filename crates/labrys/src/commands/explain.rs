//! `labrys explain`: why an objective is covered, infeasible or unknown.

use super::print;
use crate::cli::ExplainArgs;
use crate::exit::{CommandResult, Exit};
use crate::text::{decision_table, proof};
use labrys_driver::Failure;
use labrys_driver::output::objectives::{DecisionRecord, ObjectiveRecord};
use labrys_driver::output::{ObjectivesFile, OutDir};
use labrys_ledger::{Criterion, Status, Trigger};
use labrys_suite::{Suite, SuiteTest};
use std::fmt::Write;

pub fn run(args: &ExplainArgs) -> CommandResult {
    let out = OutDir::open(&args.dir)?;
    let objectives: ObjectivesFile = out.read_json("objectives.json")?;
    // prove writes no suite.
    let has_tests = |record: &ObjectiveRecord| matches!(&record.status, Status::Covered { tests } if !tests.is_empty());
    let needs_suite = objectives.objectives.iter().any(has_tests);
    let suite = match needs_suite || out.file("suite.json").exists() {
        true => Some(Suite::read(&out.file("suite.json")).map_err(Failure::usage)?),
        false => None,
    };
    let tests_of_suite = suite.map_or(Vec::new(), |suite| suite.tests);
    let criterion = args.objective.parse::<Criterion>().ok();
    if let Some(criterion @ (Criterion::Mcdc | Criterion::McdcUnique)) = criterion {
        return all_decisions(args, &objectives, criterion);
    }
    let Some(record) = objectives
        .objectives
        .iter()
        .find(|o| o.objective.id == args.objective)
    else {
        let known = objectives.objectives.len();
        let example = objectives
            .objectives
            .first()
            .map_or("branch:1", |o| &o.objective.id);
        return Err(Failure::usage(format_args!(
            "{} has no objective '{}'; there are {known}, such as {example}",
            args.dir.display(),
            args.objective
        )));
    };
    let o = &record.objective;
    let mut text = format!(
        "{}  {}:{}:{}  in {}\n  {}\n",
        o.id, o.file, o.line, o.column, o.function, o.text
    );
    match &record.status {
        Status::Open => text.push_str("  open: the run has not decided it yet\n"),
        Status::Covered { tests } => {
            let list: Vec<String> = tests.iter().map(ToString::to_string).collect();
            let _ = match list.is_empty() {
                true => writeln!(text, "  feasible: a run covers it; prove writes no tests"),
                false => writeln!(text, "  covered by test {}", list.join(", ")),
            };
            // A pair is two tests, anything else is shown by one as well as by another.
            let shown = if record.pair.is_some() { 2 } else { 1 };
            for id in tests.iter().take(shown) {
                if let Some(test) = tests_of_suite.iter().find(|t| t.id == *id) {
                    text.push_str(&described(test));
                }
            }
        }
        Status::Infeasible { proof } => {
            text.push_str(&proof::explained(proof));
        }
        Status::Unknown { reason } => {
            let _ = writeln!(text, "  unknown: {reason}");
        }
    }
    if let Trigger::Pair { decision, .. } = o.trigger {
        let decisions = objectives.decisions.iter();
        for found in decisions.filter(|d| d.decision.number == decision) {
            let pairs = pairs_of(&objectives, found, o.criterion);
            let _ = write!(
                text,
                "\n{}",
                decision_table::text(found, &pairs, Some(&o.id))
            );
        }
    }
    print(&text)?;
    Ok(Exit::Done)
}

/// The tables of all decisions.
fn all_decisions(
    args: &ExplainArgs,
    objectives: &ObjectivesFile,
    criterion: Criterion,
) -> CommandResult {
    let tables: Vec<String> = objectives
        .decisions
        .iter()
        .map(|found| (found, pairs_of(objectives, found, criterion)))
        .filter(|(_, pairs)| !pairs.is_empty())
        .map(|(found, pairs)| decision_table::text(found, &pairs, None))
        .collect();
    if tables.is_empty() {
        return Err(Failure::usage(format_args!(
            "{} has no objectives of {criterion}",
            args.dir.display()
        )));
    }
    print(&tables.join("\n"))?;
    Ok(Exit::Done)
}

/// The pairs of a decision, in the order of its conditions.
fn pairs_of<'o>(
    objectives: &'o ObjectivesFile,
    found: &DecisionRecord,
    criterion: Criterion,
) -> Vec<&'o ObjectiveRecord> {
    let is_own = |record: &&ObjectiveRecord| {
        let number = found.decision.number;
        let trigger = record.objective.trigger;
        record.objective.criterion == criterion
            && matches!(trigger, Trigger::Pair { decision, .. } if decision == number)
    };
    objectives.objectives.iter().filter(is_own).collect()
}

/// A test with its inputs and what came of it.
fn described(test: &SuiteTest) -> String {
    let mut text = format!(
        "  test {} ({}), seen in the native run:\n",
        test.id, test.name
    );
    for input in &test.inputs {
        let _ = writeln!(text, "    {} {} = {}", input.ty, input.name, input.value);
    }
    let _ = writeln!(text, "    outcome: {}", test.outcome);
    for (name, value) in &test.outputs {
        let _ = writeln!(text, "    {name}: {value}");
    }
    text
}
