//! `labrys label`: the program with the labels of its criteria, as LTest writes them, or the list
//! of these labels.

use super::{note, print};
use crate::cli::{LabelArgs, LabelFormat};
use crate::exit::{CommandResult, Exit};
use crate::resolve::resolve;
use labrys_driver::output::{ObjectivesFile, OutDir};
use labrys_driver::{Outcome, labelled_program};
use labrys_front::LabelledProgram;
use labrys_ledger::{Objective, Status, Trigger};
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub fn run(args: &LabelArgs) -> CommandResult {
    let labelled = labelled_program(resolve(&args.options, &args.program)?)?;
    for text in &labelled.notes {
        note(text);
    }
    match args.format {
        LabelFormat::C => print(&labelled.units.join("\n"))?,
        LabelFormat::Labels => print(&list(&labelled, args)?)?,
    }
    Ok(Exit::Done)
}

/// One line for each label. Several objectives can have the same one: it is covered if one is.
fn list(labelled: &LabelledProgram, args: &LabelArgs) -> Outcome<String> {
    let known = match &args.results {
        Some(dir) => {
            (OutDir::open(dir)?.read_json::<ObjectivesFile>("objectives.json")?).objectives
        }
        None => Vec::new(),
    };
    let statuses: BTreeMap<&str, &Status> = known
        .iter()
        .map(|o| (o.objective.id.as_str(), &o.status))
        .collect();
    let mut lines: BTreeMap<u32, (String, &Objective)> = BTreeMap::new();
    for objective in &labelled.objectives {
        let Trigger::Label { id } = objective.trigger else {
            continue;
        };
        let status = word(statuses.get(objective.id.as_str()).copied());
        let line = lines.entry(id).or_insert((status.to_owned(), objective));
        if status == "covered" {
            line.0 = status.to_owned();
        }
    }
    let mut text = "# id, status, tag, line\n".to_owned();
    for (id, (status, objective)) in lines {
        let tag = labrys_front::tag(objective.criterion);
        let _ = writeln!(
            text,
            "{id}, {status}, {tag}, {}:{}",
            objective.file, objective.line
        );
    }
    Ok(text)
}

/// A status as LTest calls it.
fn word(status: Option<&Status>) -> &'static str {
    match status {
        Some(Status::Covered { .. }) => "covered",
        Some(Status::Infeasible { .. }) => "uncoverable",
        Some(Status::Unknown { .. } | Status::Open) | None => "unknown",
    }
}
