//! `labrys mutate`: lists the mutants of a program, or scores a suite by them.

use super::{measure, show, time_given};
use crate::cli::MutateArgs;
use crate::exit::{CommandResult, Exit};
use crate::progress::MutantDisplay;
use crate::resolve::resolve;
use crate::text;
use labrys_budget::{Deadline, EndCause};
use labrys_driver::imported::SuiteRequest;
use labrys_driver::mutate::{
    CommandRequest, MutationRequest, MutationResults, list_mutants, merge, mutate,
    mutate_by_commands,
};
use labrys_driver::request::Request;

pub fn run(args: &MutateArgs) -> CommandResult {
    if !args.merge.is_empty() {
        let merged = merge(&args.merge, args.options.out.as_deref())?;
        show(args.show.format, &merged, text::mutation::text)?;
        let fail_under = args.options.fail_under;
        return Ok(mutation_verdict(&merged, fail_under, &Deadline::never()));
    }
    let deadline = time_given(&args.options);
    let mut request = resolve(&args.options, &args.program)?;
    request.objectives.order = args.mutants.order;
    if args.list {
        let listed = list_mutants(request, args.mutants.shard, &deadline)?;
        show(args.show.format, &listed, text::mutation::list_text)?;
        return Ok(Exit::Done);
    }
    let fail_under = request.report.fail_under;
    if !args.commands.test_command.is_empty() {
        return by_commands(args, request, &deadline);
    }
    let mutation = MutationRequest {
        suite: SuiteRequest {
            request,
            tests: args.tests.clone(),
            format: measure::format(args.tests_format),
        },
        // The directory in labrys.toml is that of gen.
        out: args.options.out.clone(),
        choice: args.mutants.choice(),
        subsuming: args.subsuming,
    };
    let mut display = MutantDisplay::new(args.show.quiet);
    let scored = mutate(mutation, &deadline, &mut |progress| display.show(progress));
    display.finish();
    let result = scored?;
    show(args.show.format, &result, text::mutation::text)?;
    Ok(mutation_verdict(&result, fail_under, &deadline))
}

/// Scores a project's own tests.
fn by_commands(args: &MutateArgs, request: Request, deadline: &Deadline) -> CommandResult {
    let fail_under = request.report.fail_under;
    let asked = CommandRequest {
        request,
        commands: args.commands.test_command.clone(),
        dir: args.commands.test_dir.clone().unwrap_or_else(|| ".".into()),
        time: args.commands.test_time.map(|time| time.0),
        out: args.options.out.clone(),
        choice: args.mutants.choice(),
    };
    let mut display = MutantDisplay::new(args.show.quiet);
    let scored = mutate_by_commands(asked, deadline, &mut |progress| display.show(progress));
    display.finish();
    let result = scored?;
    show(args.show.format, &result, text::mutation::text)?;
    Ok(mutation_verdict(&result, fail_under, deadline))
}

/// How a command about mutants ends.
pub(super) fn mutation_verdict(
    result: &MutationResults,
    fail_under: Option<f64>,
    deadline: &Deadline,
) -> Exit {
    match (deadline.cause(), fail_under) {
        (Some(EndCause::Interrupted), _) => Exit::Interrupted,
        (_, Some(percent)) if result.summary.score * 100.0 < percent => Exit::NotMet,
        _ => Exit::Done,
    }
}
