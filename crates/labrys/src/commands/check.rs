//! `labrys check`: does what an output directory says still hold? So far: are its proofs right?

use super::show;
use crate::cli::CheckArgs;
use crate::exit::{CommandResult, Exit};
use crate::signals::stop_on_signal;
use labrys_budget::Deadline;
use labrys_driver::check::{CheckedProofs, ProofComplaint, check_proofs};
use std::fmt::Write;
use std::sync::atomic::Ordering;

pub fn run(args: &CheckArgs) -> CommandResult {
    let stop = stop_on_signal();
    let proofs = check_proofs(&args.dir, &Deadline::never().stopped_by(&stop))?;
    show(args.show.format, &proofs, text)?;
    Ok(match proofs.complaints.is_empty() {
        _ if stop.load(Ordering::Relaxed) => Exit::Interrupted,
        true => Exit::Done,
        false => Exit::NotMet,
    })
}

fn text(found: &CheckedProofs) -> String {
    let mut text = String::new();
    for complaint in &found.complaints {
        let _ = writeln!(text, "failed: {}", complained(complaint));
    }
    let _ = writeln!(
        text,
        "{} proofs, {} of them with formulas; {} of {} steps have formulas",
        found.proofs, found.with_claims, found.steps_with_claims, found.steps
    );
    let _ = writeln!(
        text,
        "{} formulas have no solution: confirmed by Bitwuzla, {} also by a checked proof of a SAT solver",
        found.claims, found.by_sat
    );
    if found.left_out > 0 {
        let _ = writeln!(
            text,
            "{} further answers of the solver are in no file",
            found.left_out
        );
    }
    text
}

fn complained(complaint: &ProofComplaint) -> String {
    match (&complaint.objective, complaint.step) {
        (Some(objective), Some(step)) => {
            format!("{objective}, step {step}: {}", complaint.problem)
        }
        _ => complaint.problem.clone(),
    }
}
