//! `labrys measure`: scores an existing suite.

use super::{show, time_given};
use crate::cli::{MeasureArgs, TestsFormat};
use crate::exit::{CommandResult, Exit};
use crate::resolve::resolve;
use crate::text;
use labrys_budget::EndCause;
use labrys_driver::imported::SuiteRequest;
use labrys_driver::measure::{Measured, MeasuredTest, measure};
use labrys_driver::request::ReportRequest;
use labrys_suite::ended_normally;
use labrys_suite::import::ImportFormat;

pub fn run(args: &MeasureArgs) -> CommandResult {
    let deadline = time_given(&args.options);
    let request = resolve(&args.options, &args.program)?;
    let report = request.report.clone();
    let suite = SuiteRequest {
        request,
        tests: args.tests.clone(),
        format: format(args.tests_format),
    };
    // The directory in labrys.toml is that of gen.
    let out = args.options.out.as_deref();
    let measured = measure(suite, out, &deadline)?;
    show(args.show.format, &measured, |measured| {
        text::measured::text(measured, args.uncovered)
    })?;
    Ok(match deadline.cause() {
        Some(EndCause::Interrupted) => Exit::Interrupted,
        _ => verdict(&report, &measured),
    })
}

/// The format of the tests; `None` for what each file shows.
pub(super) fn format(format: TestsFormat) -> Option<ImportFormat> {
    match format {
        TestsFormat::Auto => None,
        TestsFormat::Labrys => Some(ImportFormat::Labrys),
        TestsFormat::Ktest => Some(ImportFormat::Ktest),
        TestsFormat::Testcomp => Some(ImportFormat::TestComp),
        TestsFormat::Raw => Some(ImportFormat::Raw),
    }
}

fn verdict(demands: &ReportRequest, result: &Measured) -> Exit {
    let too_low = |percent: f64| result.score * 100.0 < percent;
    let is_error = |test: &MeasuredTest| test.counted && !ended_normally(&test.outcome);
    let not_met = demands.fail_under.is_some_and(too_low)
        || (demands.fail_on_error && result.tests.iter().any(is_error))
        || result.checks.iter().any(|c| !c.differences.is_empty());
    if not_met { Exit::NotMet } else { Exit::Done }
}
