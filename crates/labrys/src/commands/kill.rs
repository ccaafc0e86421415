//! `labrys kill`: tests for the mutants that a suite leaves alive.

use super::mutate::mutation_verdict;
use super::{measure, show, time_given};
use crate::cli::KillArgs;
use crate::exit::CommandResult;
use crate::progress::MutantDisplay;
use crate::resolve::resolve;
use crate::text;
use labrys_driver::imported::SuiteRequest;
use labrys_driver::kill::{KillProgress, KillRequest, kill};

pub fn run(args: &KillArgs) -> CommandResult {
    let deadline = time_given(&args.options);
    let mut request = resolve(&args.options, &args.program)?;
    request.objectives.order = args.mutants.order;
    let fail_under = request.report.fail_under;
    let wanted = KillRequest {
        suite: SuiteRequest {
            request,
            tests: args.tests.clone(),
            format: measure::format(args.tests_format),
        },
        // The directory in labrys.toml is that of gen.
        out: args.options.out.clone(),
        choice: args.mutants.choice(),
        options: args.search.options(),
    };
    let mut display = MutantDisplay::new(args.show.quiet);
    let found = kill(wanted, &deadline, &mut |progress| match progress {
        KillProgress::Suite(done) | KillProgress::NewTests(done) => display.show(done),
        KillProgress::Search { .. } => {}
    });
    display.finish();
    let result = found?;
    show(args.show.format, &result, text::mutation::text)?;
    Ok(mutation_verdict(&result, fail_under, &deadline))
}
