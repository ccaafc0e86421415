//! `labrys prove`: only the infeasibility proofs, without any search.

use super::show;
use crate::cli::ProveArgs;
use crate::exit::{CommandResult, Exit};
use crate::resolve::resolve;
use crate::signals::stop_on_signal;
use crate::text::proof::because;
use labrys_driver::output::ProofFile;
use labrys_driver::output::objectives::ObjectiveRecord;
use labrys_driver::prove::prove;
use labrys_ledger::{Criterion, Status};
use labrys_show::table::Table;
use std::fmt::Write;
use std::sync::atomic::Ordering;

pub fn run(args: &ProveArgs) -> CommandResult {
    let stop = stop_on_signal();
    let proofs = prove(resolve(&args.options, &args.program)?, &stop)?;
    show(args.show.format, &proofs, text)?;
    Ok(match stop.load(Ordering::Relaxed) {
        true => Exit::Interrupted,
        false => Exit::Done,
    })
}

fn text(record: &ProofFile) -> String {
    let mut table = Table::new(&["criterion", "objectives", "infeasible", "unknown"]);
    for (criterion, totals) in &record.by_criterion {
        if *criterion == Criterion::Path.name() {
            continue;
        }
        table.row(vec![
            criterion.clone(),
            totals.objectives.to_string(),
            totals.infeasible.to_string(),
            totals.unknown.to_string(),
        ]);
    }
    let mut out = format!("{table}\n");
    let mut assumed: Vec<&String> = Vec::new();
    for ObjectiveRecord {
        objective, status, ..
    } in &record.objectives
    {
        let Status::Infeasible { proof } = status else {
            continue;
        };
        let because = because(proof);
        let _ = writeln!(
            out,
            "{}  {}:{}:{}  {}\n    {because}",
            objective.id, objective.file, objective.line, objective.column, objective.text
        );
        for assumption in proof.assumes() {
            if !assumed.contains(&assumption) {
                assumed.push(assumption);
            }
        }
    }
    for assumption in assumed {
        let _ = writeln!(out, "assuming: {assumption}");
    }
    let _ = writeln!(
        out,
        "{} of {} objectives proved infeasible, analysis {:.1} ms",
        record.totals.infeasible,
        record.totals.objectives,
        record.analysis_s * 1000.0
    );
    out
}
