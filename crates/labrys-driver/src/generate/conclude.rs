//! What becomes of the objectives that no test covers: infeasible if the searches were a proof, else
//! unknown with the reason.

use super::session::SearchedEntry;
use crate::failure::{Failure, Outcome};
use crate::request::Request;
use labrys_engine::{Stop, Unproved};
use labrys_front::AnnotatedProgram;
use labrys_ledger::protocol::limit;
use labrys_ledger::{Ledger, Proof, ShownEvaluations, Status, Trigger};

/// The reason where the engine was wrong about the program: then its searches prove nothing.
const DIVERGED: &str = "a native run differed from its prediction";

/// Decides the objectives that no test has covered.
pub(super) fn conclude(
    program: &AnnotatedProgram,
    searched: &[SearchedEntry],
    ledger: &mut Ledger,
    request: &Request,
) -> Outcome<()> {
    for index in 0..ledger.objectives().len() {
        if matches!(ledger.status(index), Status::Covered { .. }) {
            continue;
        }
        let function = ledger.objectives()[index].function.clone();
        let looked: Vec<&SearchedEntry> = searched
            .iter()
            .filter(|s| s.entry.scope.contains(&function))
            .collect();
        // A test that the engine proposed for it was not confirmed: nothing may be concluded.
        let proposed = looked
            .iter()
            .any(|s| s.report.tests.iter().any(|t| t.covers.contains(&index)))
            || is_pair_proposed(&looked, ledger, index);
        if proposed {
            ledger.give_up(index, "not confirmed by native replay");
        } else if !looked.is_empty() && looked.iter().all(|s| is_proof(s, index)) {
            let paths = looked.iter().map(|s| s.report.work.paths).sum();
            let mut assumes = assumptions(program, request);
            let errors: usize = looked.iter().map(|s| s.report.faults.len()).sum();
            if errors > 0 {
                assumes.push(format!("a run ends at its first error ({errors} found)"));
            }
            ledger
                .refute(index, Proof::Exhausted { paths, assumes })
                .map_err(Failure::internal)?;
        } else {
            ledger.give_up(index, &reason(&looked, index));
        }
    }
    Ok(())
}

/// Does this search show that no test covers the objective?
fn is_proof(searched: &SearchedEntry, objective: usize) -> bool {
    searched.report.is_proof_for(objective) && searched.judged.divergences.is_empty()
}

/// Did the searches together find a pair for the objective?
fn is_pair_proposed(looked: &[&SearchedEntry], ledger: &Ledger, index: usize) -> bool {
    let Trigger::Pair {
        decision,
        condition,
        unique,
    } = ledger.objectives()[index].trigger
    else {
        return false;
    };
    let mut shown = ShownEvaluations::default();
    for (number, vector) in looked.iter().flat_map(|s| &s.report.vectors) {
        shown.add(0, *number, *vector);
    }
    let decision = ledger.decision(decision);
    decision.is_some_and(|d| shown.pair(d, condition as usize, unique).is_some())
}

/// What a proof by exhaustion takes for granted.
fn assumptions(program: &AnnotatedProgram, request: &Request) -> Vec<String> {
    let mut assumes: Vec<String> = request
        .harness
        .assume
        .iter()
        .map(|a| format!("--assume '{a}'"))
        .collect();
    let shapes = request.harness.shapes.iter();
    assumes.extend(shapes.map(|shape| format!("--shape '{shape}'")));
    let models = request.program.models.iter();
    assumes.extend(models.map(|file| format!("--model {} is right", file.display())));
    let stubs = program.stubs.iter();
    assumes.extend(stubs.map(|s| format!("'{}' has no effect but its result", s.name)));
    assumes.push("memory allocation succeeds".into());
    if !request.harness.symbolic_globals {
        assumes.push("global variables start with their initial values".into());
    }
    assumes
}

fn reason(looked: &[&SearchedEntry], objective: usize) -> String {
    for searched in looked {
        match searched.report.unproved.get(&objective) {
            Some(Unproved::Limit(flag)) => return bounds(std::slice::from_ref(flag)),
            Some(Unproved::Gap(gap)) => return gap.clone(),
            None => {}
        }
    }
    let Some(searched) = looked.iter().find(|s| !is_proof(s, objective)) else {
        return "never reached from the function under test".into();
    };
    let report = &searched.report;
    if report.stop != Stop::Exhausted {
        return format!("the search stopped: {}", report.stop.name());
    }
    if let Some((gap, _)) = report.gaps.iter().next() {
        return gap.clone();
    }
    if report.reads_uninitialised() {
        return "a path depends on uninitialised memory".into();
    }
    if report.limits.is_empty() {
        return DIVERGED.into();
    }
    bounds(&report.limits)
}

/// What only the generated harness makes impossible, and what to do about it.
fn bounds(flags: &[String]) -> String {
    let sizes: Vec<&str> = flags.iter().map(String::as_str).collect();
    match &sizes[..] {
        [limit::MODEL] => {
            "bounds: the harness made something up; write a driver, or give --model".into()
        }
        sizes => format!("bounds: raise {}", sizes.join(", ")),
    }
}

#[cfg(test)]
mod tests;
