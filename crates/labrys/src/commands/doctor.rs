//! `labrys doctor`: what this machine allows and has.

use super::show;
use crate::cli::DoctorArgs;
use crate::exit::{CommandResult, Exit};
use labrys_driver::doctor::{Diagnosis, DoctorOptions, diagnose};
use labrys_show::table::Table;
use std::fmt::Write;

pub fn run(args: &DoctorArgs) -> CommandResult {
    let defaults = DoctorOptions::default();
    let diagnosis = diagnose(&DoctorOptions {
        cc: args.cc.clone().unwrap_or(defaults.cc),
        clang: args.clang.clone().unwrap_or(defaults.clang),
    })?;
    show(args.show.format, &diagnosis, text)?;
    Ok(match diagnosis.is_healthy() {
        true => Exit::Done,
        false => Exit::NotMet,
    })
}

fn text(diagnosis: &Diagnosis) -> String {
    let mut sandbox = Table::new(&["sandbox", "here", "a native run cannot"]);
    for protection in &diagnosis.protections {
        let here = match (protection.present, protection.needed) {
            (true, _) => "yes",
            (false, true) => "MISSING",
            (false, false) => "no",
        };
        sandbox.row(vec![
            protection.name.to_owned(),
            here.to_owned(),
            protection.prevents.to_owned(),
        ]);
    }
    let mut tools = Table::new(&["tool", "for", "version"]);
    for tool in &diagnosis.tools {
        let version = tool.version.clone();
        tools.row(vec![
            tool.command.clone(),
            tool.purpose.to_owned(),
            version.unwrap_or_else(|| "MISSING".to_owned()),
        ]);
    }
    let mut text = format!("{}\n\n{sandbox}\n{tools}\n", diagnosis.system);
    text.push_str(&advice(diagnosis));
    for tool in &diagnosis.tools {
        if let Some(advice) = &tool.advice {
            let _ = writeln!(text, "{}: {advice}", tool.command);
        }
    }
    if let Some(problem) = &diagnosis.problem {
        let _ = writeln!(text, "the sandbox could not be tried: {problem}");
    }
    text.push_str(match diagnosis.confined {
        true => "native runs are completely confined\n",
        false => "native runs are NOT completely confined; --require-sandbox refuses them\n",
    });
    text
}

/// What to do, once for all protections that it helps.
fn advice(diagnosis: &Diagnosis) -> String {
    let missing = diagnosis.protections.iter().filter_map(|protection| {
        let error = protection.error.as_ref()?;
        Some((protection.advice?, format!("{} ({error})", protection.name)))
    });
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for (advice, name) in missing {
        match groups.iter_mut().find(|(known, _)| *known == advice) {
            Some((_, names)) => names.push(name),
            None => groups.push((advice, vec![name])),
        }
    }
    groups
        .iter()
        .fold(String::new(), |mut text, (advice, names)| {
            let _ = writeln!(text, "missing: {}\n  {advice}", names.join(", "));
            text
        })
}
