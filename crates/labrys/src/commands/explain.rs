//! `labrys explain`: why an objective is covered, infeasible or unknown.

use super::print;
use crate::cli::ExplainArgs;
use crate::failure::{Exit, Failure, Outcome};
use crate::outdir::OutDir;
use crate::records::Objectives;
use labrys_ledger::{Proof, Status};
use labrys_suite::Suite;
use std::fmt::Write;

pub fn run(args: &ExplainArgs) -> Outcome {
    let out = OutDir::open(&args.dir)?;
    let objectives: Objectives = out.read_json("objectives.json")?;
    let suite = Suite::read(&out.file("suite.json")).map_err(Failure::usage)?;
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
            let _ = writeln!(text, "  covered by test {}", list.join(", "));
            if let Some(test) = tests
                .first()
                .and_then(|id| suite.tests.iter().find(|t| t.id == *id))
            {
                let _ = writeln!(
                    text,
                    "  test {} ({}), seen in the native run:",
                    test.id, test.name
                );
                for input in &test.inputs {
                    let _ = writeln!(text, "    {} {} = {}", input.ty, input.name, input.value);
                }
                let _ = writeln!(text, "    outcome: {}", test.outcome);
                for (name, value) in &test.outputs {
                    let _ = writeln!(text, "    {name}: {value}");
                }
            }
        }
        Status::Infeasible { proof } => match proof {
            Proof::Exhausted { paths, assumes } => {
                let _ = writeln!(
                    text,
                    "  infeasible: all {paths} feasible paths were executed, none covers it"
                );
                for assumption in assumes {
                    let _ = writeln!(text, "    assuming {assumption}");
                }
            }
            Proof::Constant { value } => {
                let _ = writeln!(text, "  infeasible: the condition is always {value}");
            }
            Proof::Static { because, assumes } => {
                let _ = writeln!(text, "  infeasible: {because}");
                for assumption in assumes {
                    let _ = writeln!(text, "    assuming {assumption}");
                }
            }
        },
        Status::Unknown { reason } => {
            let _ = writeln!(text, "  unknown: {reason}");
        }
    }
    print(&text)?;
    Ok(Exit::Done)
}
