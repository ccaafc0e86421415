//! `labrys gen`: generates tests and replays them natively.

use super::show;
use crate::cli::GenArgs;
use crate::exit::{CommandResult, Exit};
use crate::progress::SearchDisplay;
use crate::resolve::resolve;
use crate::signals::stop_on_signal;
use crate::text;
use labrys_driver::output::Summary;
use labrys_driver::request::ReportRequest;
use std::sync::atomic::Ordering;

pub fn run(args: &GenArgs) -> CommandResult {
    let stop = stop_on_signal();
    let mut request = resolve(&args.options, &args.program)?;
    request.search.ends_process = true;
    let report = request.report.clone();
    let mut display = SearchDisplay::new(args.show.quiet);
    let generated = labrys_driver::generate(request, &stop, &mut display)?;
    if report.stats {
        text::stats::show(&generated.results);
    }
    show(args.show.format, &generated.summary, |summary| {
        text::summary::text(&generated.results, summary)
    })?;
    report_contradictions(&generated.summary);
    let mut entries = generated.results.searched.iter();
    let invalid = entries.any(|s| !s.report.solver.validation_errors.is_empty());
    let interrupted = stop.load(Ordering::Relaxed);
    Ok(verdict(&report, &generated.summary, invalid, interrupted))
}

/// A wrong proof is never passed over in silence.
#[allow(clippy::print_stderr)]
fn report_contradictions(summary: &Summary) {
    for contradiction in &summary.contradictions {
        eprintln!("labrys: {contradiction}; please report it with the input");
    }
}

/// `invalid`: the solver has given a wrong answer.
fn verdict(demands: &ReportRequest, summary: &Summary, invalid: bool, interrupted: bool) -> Exit {
    let invalid = invalid || !summary.contradictions.is_empty();
    let too_low = |percent: f64| summary.feasible_score * 100.0 < percent;
    let not_met = demands.fail_under.is_some_and(too_low)
        || (demands.fail_on_error && !summary.errors.is_empty())
        || summary.checks.iter().any(|c| !c.differences.is_empty());
    // An error of Labrys counts more than that somebody has stopped it.
    match (invalid, interrupted, not_met) {
        (true, _, _) => Exit::Internal,
        (_, true, _) => Exit::Interrupted,
        (_, _, true) => Exit::NotMet,
        _ => Exit::Done,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use labrys_driver::request::Request;
    use serde_json::json;

    fn summary(contradictions: serde_json::Value) -> Summary {
        serde_json::from_value(json!({
            "schema": "labrys/1",
            "target": { "files": ["x.c"], "entry": "f" },
            "criteria": ["branch"],
            "totals": { "objectives": 1, "covered": 1, "infeasible": 0, "unknown": 0 },
            "by_criterion": {}, "by_function": [], "score": 1.0, "feasible_score": 1.0,
            "tests": 1, "errors": [], "stop": "all-covered", "stubs": [], "limits": [],
            "gaps": {}, "divergences": [], "contradictions": contradictions, "notes": [],
            "work": {
                "paths": 1, "instructions": 1, "queries": 0, "sat": 0, "unsat": 0,
                "solver_unknown": 0, "solver_s": 0.0, "wall_s": 0.0, "peak_rss_mb": 1,
                "distinct_paths": 1, "ends": {},
            },
        }))
        .unwrap()
    }

    #[test]
    fn a_contradiction_is_an_internal_error_even_in_an_interrupted_run() {
        let demands = Request::new(Vec::new()).report;
        let wrong = summary(json!([{
            "objective": "branch:1", "tests": [1],
            "proof": { "kind": "exhausted", "paths": 3, "assumes": [] },
        }]));
        assert_eq!(verdict(&demands, &wrong, false, false), Exit::Internal);
        assert_eq!(verdict(&demands, &wrong, false, true), Exit::Internal);
        let right = summary(json!([]));
        assert_eq!(verdict(&demands, &right, false, false), Exit::Done);
        assert_eq!(verdict(&demands, &right, false, true), Exit::Interrupted);
        assert_eq!(verdict(&demands, &right, true, false), Exit::Internal);
    }
}
