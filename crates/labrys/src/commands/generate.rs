//! `labrys gen`: generates tests and replays them natively.

use super::show;
use crate::cli::GenArgs;
use crate::exit::{CommandResult, Exit};
use crate::progress::SearchDisplay;
use crate::resolve::resolve;
use crate::signals::stop_on_signal;
use crate::text;
use labrys_driver::Generated;
use labrys_driver::request::ReportRequest;
use std::sync::atomic::Ordering;

pub fn run(args: &GenArgs) -> CommandResult {
    let request = resolve(&args.options, &args.program)?;
    let report = request.report.clone();
    let stop = stop_on_signal();
    let mut display = SearchDisplay::new(args.show.quiet);
    let generated = labrys_driver::generate(request, &stop, &mut display)?;
    if report.stats {
        text::stats::show(&generated.results);
    }
    show(args.show.format, &generated.summary, |summary| {
        text::summary::text(&generated.results, summary)
    })?;
    Ok(verdict(&report, &generated, stop.load(Ordering::Relaxed)))
}

fn verdict(demands: &ReportRequest, generated: &Generated, interrupted: bool) -> Exit {
    let Generated { summary, results } = generated;
    let mut entries = results.searched.iter();
    let invalid = entries.any(|s| !s.report.solver.validation_errors.is_empty());
    let too_low = |percent: f64| summary.feasible_score * 100.0 < percent;
    let not_met = demands.fail_under.is_some_and(too_low)
        || (demands.fail_on_error && !summary.errors.is_empty())
        || summary.checks.iter().any(|c| !c.differences.is_empty());
    match (interrupted, invalid, not_met) {
        (true, _, _) => Exit::Interrupted,
        (_, true, _) => Exit::Internal,
        (_, _, true) => Exit::NotMet,
        _ => Exit::Done,
    }
}
