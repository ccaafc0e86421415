//! `labrys replay`: builds a suite's program natively and runs every test again.

use super::show;
use crate::cli::ReplayArgs;
use crate::exit::{CommandResult, Exit};
use crate::signals::stop_on_signal;
use crate::text::checks;
use labrys_budget::Deadline;
use labrys_driver::replay::{ReplayOptions, Replayed, replay};
use labrys_show::table::Table;
use std::fmt::Write;

pub fn run(args: &ReplayArgs) -> CommandResult {
    let options = ReplayOptions {
        cc: args.cc.clone(),
        clang: args.clang.clone(),
        gcov: args.gcov,
        llvm_cov: args.llvm_cov,
        require_sandbox: args.require_sandbox,
        deadline: Deadline::never().stopped_by(&stop_on_signal()),
    };
    let replayed = replay(&args.dir, &options)?;
    show(args.show.format, &replayed, text)?;
    let differs = replayed.checks.iter().any(|c| !c.differences.is_empty());
    Ok(match replayed.failures.is_empty() && !differs {
        true => Exit::Done,
        false => Exit::NotMet,
    })
}

fn text(replayed: &Replayed) -> String {
    let mut table = Table::new(&["test", "id", "covers", "outcome"]);
    for (test, outcome) in &replayed.runs {
        table.row(vec![
            test.name.clone(),
            test.id.to_string(),
            test.covers.len().to_string(),
            outcome.clone(),
        ]);
    }
    let mut text = table.to_string();
    for failure in &replayed.failures {
        let _ = writeln!(text, "failed: {failure}");
    }
    for note in &replayed.notes {
        let _ = writeln!(text, "note: {note}");
    }
    let _ = writeln!(
        text,
        "{} of {} tests do what the suite says; {} of {} objectives covered",
        replayed.passed, replayed.tests, replayed.totals.covered, replayed.totals.objectives
    );
    text.push_str(&checks::text(&replayed.checks));
    text
}
