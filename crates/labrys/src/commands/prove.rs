//! `labrys prove`: only the infeasibility proofs, by the rules of `--proof-rules`. No test is written.

use super::show;
use crate::cli::ProveArgs;
use crate::exit::{CommandResult, Exit};
use crate::progress::SearchDisplay;
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
    let request = resolve(&args.options, &args.program)?;
    let mut display = SearchDisplay::new(args.show.quiet);
    let out = args.options.out.as_deref();
    let proofs = prove(request, out, &stop, &mut display)?;
    show(args.show.format, &proofs, text)?;
    Ok(match stop.load(Ordering::Relaxed) {
        true => Exit::Interrupted,
        false => Exit::Done,
    })
}

fn text(record: &ProofFile) -> String {
    let mut table = Table::new(&[
        "criterion",
        "objectives",
        "feasible",
        "infeasible",
        "unknown",
        "cov_f %",
    ]);
    for (criterion, totals) in &record.by_criterion {
        if *criterion == Criterion::Path.name() {
            continue;
        }
        table.row(vec![
            criterion.clone(),
            totals.objectives.to_string(),
            totals.covered.to_string(),
            totals.infeasible.to_string(),
            totals.unknown.to_string(),
            format!("{:.1}", totals.feasible_score() * 100.0),
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
        let _ = writeln!(
            out,
            "{}  {}:{}:{}  {}\n    {}",
            objective.id,
            objective.file,
            objective.line,
            objective.column,
            objective.text,
            because(proof)
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
        "{} of {} objectives proved infeasible, {:.2} s",
        record.totals.infeasible, record.totals.objectives, record.analysis_s
    );
    out
}
