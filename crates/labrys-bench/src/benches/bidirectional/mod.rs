//! `bench bidirectional`: the experiment of the paper on bidirectional symbolic analysis (section 7).
//!
//! Programs of the paper's kinds, each searched by several methods with the same time and seed on one
//! thread. It is known which of their branches no test can cover, and native runs cover the others:
//! whatever one says is infeasible and another covers is wrong. A second part measures how the cost
//! grows with the number of targets and the length of the program.

mod contradictions;
mod growth;
mod methods;
mod native;
mod report;
mod subject_runs;
mod subjects;
mod trial;
mod truth;

use super::lab::Lab;
use super::{Findings, announce, parallel, results_file};
use crate::arguments::BenchArgs;
use labrys_driver::{Failure, Outcome};
use std::time::Duration;
use subject_runs::SubjectRuns;
use trial::MethodRun;

/// The times of a search if nothing else is asked for.
const BUDGETS: [Duration; 2] = [Duration::from_secs(60), Duration::from_secs(300)];

/// Random native runs of each subject.
const NATIVE_RUNS: u64 = 4_000;
const SHORT_NATIVE_RUNS: u64 = 100;

pub fn run(lab: &Lab, args: &BenchArgs) -> Outcome<Findings> {
    let budgets = match args.time {
        Some(time) => vec![time.0],
        None => BUDGETS.to_vec(),
    };
    let subjects = subjects::chosen(args)?;
    let methods = methods::methods(&args.method, args.short)?;
    let mut runs: Vec<MethodRun> = match &args.results {
        Some(file) => results_file::read(file)?,
        None => Vec::new(),
    };
    let mut missing = Vec::new();
    for (subject, budget) in subjects
        .iter()
        .flat_map(|s| budgets.iter().map(move |b| (s, b)))
    {
        for method in &methods {
            let is_it = |r: &MethodRun| {
                (r.subject.as_str(), r.method.as_str()) == (subject.name, method.name)
                    && r.budget_s == budget.as_secs_f64()
            };
            if !runs.iter().any(is_it) {
                missing.push((*subject, *budget, *method));
            }
        }
    }
    let jobs = args.jobs.unwrap_or(1);
    runs.extend(parallel::each(
        missing,
        jobs,
        |(subject, budget, method)| {
            announce(
                "bidirectional",
                &format!("{}, {}", subject.name, method.name),
            );
            let dir = tempfile::tempdir_in(lab.path()).map_err(Failure::usage)?;
            let run = trial::run(subject, dir.path(), budget, method);
            if let Some(file) = &args.results {
                results_file::append(file, &run)?;
            }
            Ok(run)
        },
    )?);
    let native_runs = match args.short {
        true => SHORT_NATIVE_RUNS,
        false => NATIVE_RUNS,
    };
    let compared = parallel::each(subjects, jobs, |subject| {
        announce("bidirectional", &format!("{}, native runs", subject.name));
        let dir = tempfile::tempdir_in(lab.path()).map_err(Failure::usage)?;
        let native = native::covered(subject, dir.path(), native_runs)?;
        SubjectRuns::new(subject, &runs, &native)
    })?;
    let mut findings = report::findings(&compared, &budgets, &methods);
    if args.program.is_empty() && methods.iter().any(|m| m.name == methods::JUDGED) {
        announce("bidirectional", "growth");
        growth::measure(lab, budgets[0].max(BUDGETS[0]), &mut findings)?;
    }
    Ok(findings)
}
