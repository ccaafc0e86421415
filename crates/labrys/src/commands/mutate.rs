//! `labrys mutate`: lists the mutants of a program, or scores a suite by them.

use super::{measure, show, time_given};
use crate::cli::MutateArgs;
use crate::exit::{CommandResult, Exit};
use crate::progress::MutantDisplay;
use crate::resolve::resolve;
use crate::text;
use labrys_budget::EndCause;
use labrys_driver::imported::SuiteRequest;
use labrys_driver::mutate::{MutationRequest, list_mutants, mutate};

pub fn run(args: &MutateArgs) -> CommandResult {
    let deadline = time_given(&args.options);
    let request = resolve(&args.options, &args.program)?;
    if args.list {
        let listed = list_mutants(request, &deadline)?;
        show(args.show.format, &listed, text::mutation::list_text)?;
        return Ok(Exit::Done);
    }
    let fail_under = request.report.fail_under;
    let mutation = MutationRequest {
        suite: SuiteRequest {
            request,
            tests: args.tests.clone(),
            format: measure::format(args.tests_format),
        },
        // The directory in labrys.toml is that of gen.
        out: args.options.out.clone(),
        compare_code: !args.no_tce,
    };
    let mut display = MutantDisplay::new(args.show.quiet);
    let scored = mutate(mutation, &deadline, &mut |progress| display.show(progress));
    display.finish();
    let result = scored?;
    show(args.show.format, &result, text::mutation::text)?;
    let too_low = |percent: f64| result.summary.score * 100.0 < percent;
    Ok(match (deadline.cause(), fail_under.is_some_and(too_low)) {
        (Some(EndCause::Interrupted), _) => Exit::Interrupted,
        (_, true) => Exit::NotMet,
        _ => Exit::Done,
    })
}
