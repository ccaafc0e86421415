//! `labrys prove`: only the infeasibility proofs, without any search.

use super::print;
use crate::cli::{Format, ProveArgs};
use crate::failure::{Exit, Failure, Outcome};
use crate::given::Given;
use crate::libraries::Libraries;
use crate::proofs;
use crate::records::{ObjectiveRecord, Objectives, ProofRecord};
use crate::table::Table;
use crate::{pipeline, settings};
use labrys_ledger::{Criterion, Ledger, Proof, Status};
use labrys_suite::{SCHEMA, SuiteTarget};
use std::fmt::Write;
use std::time::Instant;

/// Why an objective that was not refuted is unknown here.
const UNKNOWN: &str = "no proof by analysis; labrys gen searches";

pub fn run(args: &ProveArgs) -> Outcome {
    let options = settings::complete(&args.options, &args.program)?;
    let runtime = pipeline::install_runtime(&options)?;
    let work = tempfile::tempdir().map_err(Failure::usage)?;
    let given = Given::find(&args.program, &options)?;
    let libraries = Libraries::prepare(&given, &args.program.flags, &options, &runtime)?;
    let program = pipeline::load(
        &args.program,
        &given,
        &libraries,
        &options,
        &runtime,
        pipeline::Sizes::new(&options),
        work.path(),
    )?;
    let module = pipeline::lift(&program, &libraries, &runtime)?;
    let started = Instant::now();
    let found = proofs::find(&program, &module, &libraries, &options);
    let analysis = started.elapsed();
    let mut ledger = Ledger::new(program.objectives.clone()).with_decisions(&program.decisions);
    for (index, proof) in found {
        ledger.refute(index, proof).map_err(Failure::internal)?;
    }
    for index in 0..ledger.objectives().len() {
        ledger.give_up(index, UNKNOWN);
    }
    let files = given.sources.iter();
    let record = ProofRecord {
        schema: SCHEMA.to_owned(),
        target: SuiteTarget {
            files: files.map(|s| s.shown().display().to_string()).collect(),
            entry: match &program.entries[..] {
                [only] => Some(only.function.clone()),
                _ => None,
            },
        },
        criteria: pipeline::criteria(&options),
        totals: ledger.totals(),
        by_criterion: pipeline::criteria(&options)
            .into_iter()
            .map(|c| (c.name().to_owned(), ledger.totals_of(c)))
            .collect(),
        analysis_s: (analysis.as_secs_f64() * 1e6).round() / 1e6,
        objectives: Objectives::of(&ledger).objectives,
    };
    match args.show.format {
        Format::Json => {
            let text = serde_json::to_string_pretty(&record).map_err(Failure::internal)?;
            print(&format!("{text}\n"))?;
        }
        Format::Text => print(&text(&record))?,
    }
    Ok(Exit::Done)
}

fn text(record: &ProofRecord) -> String {
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
        let Status::Infeasible {
            proof: Proof::Static { because, assumes },
        } = status
        else {
            continue;
        };
        let _ = writeln!(
            out,
            "{}  {}:{}:{}  {}\n    {because}",
            objective.id, objective.file, objective.line, objective.column, objective.text
        );
        for assumption in assumes {
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
