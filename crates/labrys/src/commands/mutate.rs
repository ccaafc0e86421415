//! `labrys mutate`: lists the mutants of a program, or scores a suite by them.

use super::{measure, show};
use crate::cli::MutateArgs;
use crate::exit::{CommandResult, Exit};
use crate::progress::mutant_bar;
use crate::resolve::resolve;
use crate::signals::{exit_after_signal, stop_on_signal};
use crate::text;
use labrys_driver::imported::ImportedSuite;
use labrys_driver::mutate::{list_mutants, mutate};

pub fn run(args: &MutateArgs) -> CommandResult {
    let request = resolve(&args.options, &args.program)?;
    if args.list {
        let listed = list_mutants(request)?;
        show(args.show.format, &listed, text::mutation::list_text)?;
        return Ok(Exit::Done);
    }
    let fail_under = request.report.fail_under;
    let format = measure::format(args.tests_format);
    let suite = ImportedSuite::open(request, &args.tests, format)?;
    let stop = stop_on_signal();
    let bar = mutant_bar(args.show.quiet);
    let scored = mutate(suite, &stop, &mut |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let Some(result) = scored? else {
        return Ok(exit_after_signal());
    };
    show(args.show.format, &result, text::mutation::text)?;
    let too_low = |percent: f64| result.score * 100.0 < percent;
    Ok(match fail_under.is_some_and(too_low) {
        true => Exit::NotMet,
        false => Exit::Done,
    })
}
