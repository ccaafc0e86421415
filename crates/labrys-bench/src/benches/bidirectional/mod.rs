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
mod subjects;
mod trial;
mod truth;

use super::lab::Lab;
use super::{Findings, announce, parallel, results_file};
use crate::arguments::BenchArgs;
use labrys_driver::{Failure, Outcome};
use std::time::Duration;
use subjects::BidirectionalSubject;
use trial::BidirectionalResult;

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
    let known = match &args.results {
        Some(file) => results_file::read(file)?,
        None => Vec::new(),
    };
    let measured = parallel::each(subjects::chosen(args)?, args.jobs.unwrap_or(1), |subject| {
        measure(lab, args, subject, &budgets, &known)
    })?;
    let results: Vec<BidirectionalResult> = measured.into_iter().flatten().collect();
    let mut findings = report::findings(&results, &methods::methods(&args.method, args.short)?);
    if args.program.is_empty() {
        announce("bidirectional", "growth");
        growth::measure(lab, budgets[0].max(BUDGETS[0]), &mut findings)?;
    }
    Ok(findings)
}

/// The results of a subject; what is known already is not measured again.
fn measure(
    lab: &Lab,
    args: &BenchArgs,
    subject: &BidirectionalSubject,
    budgets: &[Duration],
    known: &[BidirectionalResult],
) -> Outcome<Vec<BidirectionalResult>> {
    let is_known = |budget: &Duration| {
        let same =
            |r: &&BidirectionalResult| r.name == subject.name && r.budget_s == budget.as_secs_f64();
        known.iter().rfind(same)
    };
    let mut results: Vec<BidirectionalResult> =
        budgets.iter().filter_map(is_known).cloned().collect();
    if results.len() == budgets.len() {
        return Ok(results);
    }
    announce("bidirectional", subject.name);
    let runs = match args.short {
        true => SHORT_NATIVE_RUNS,
        false => NATIVE_RUNS,
    };
    let native_dir = tempfile::tempdir_in(lab.path()).map_err(Failure::usage)?;
    let native = native::covered(subject, native_dir.path(), runs)?;
    for budget in budgets.iter().filter(|budget| is_known(budget).is_none()) {
        let dir = tempfile::tempdir_in(lab.path()).map_err(Failure::usage)?;
        let methods = methods::methods(&args.method, args.short)?;
        let result = trial::run(subject, dir.path(), *budget, &methods, &native)?;
        if let Some(file) = &args.results {
            results_file::append(file, &result)?;
        }
        results.push(result);
    }
    Ok(results)
}
