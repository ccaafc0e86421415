//! What becomes of the objectives that no test covers: infeasible if the searches were a proof, else
//! unknown with the reason.

use super::session::SearchedEntry;
use super::trusted::{refused, said};
use crate::failure::{Failure, Outcome};
use crate::request::Request;
use labrys_engine::{Stop, Unproved};
use labrys_ledger::{Assumption, Ledger, Proof, ShownEvaluations, Status, Trigger};
use std::collections::BTreeSet;

/// The reason where the engine was wrong about the program: then its searches prove nothing.
const DIVERGED: &str = "a native run differed from its prediction";

/// Decides the objectives that no test has covered.
pub(super) fn conclude(
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
            continue;
        }
        match verdict(&looked, index, request) {
            Ok(proof) => ledger.refute(index, proof).map_err(Failure::internal)?,
            Err(reason) => ledger.give_up(index, &reason),
        }
    }
    Ok(())
}

/// The proof that the searches are for an objective that they did not cover, or why they are none.
fn verdict(
    looked: &[&SearchedEntry],
    objective: usize,
    request: &Request,
) -> Result<Proof, String> {
    if looked.is_empty() {
        return Err("never reached from the function under test".into());
    }
    let mut assumes = BTreeSet::new();
    for searched in looked {
        let report = &searched.report;
        if report.stop != Stop::Exhausted {
            return Err(format!("the search stopped: {}", report.stop.name()));
        }
        for unproved in report.unproved_for(objective) {
            match unproved {
                Unproved::Gap(gap) => return Err(gap.clone()),
                Unproved::Assumes(text) => assumes.insert(Assumption::parse(text)),
            };
        }
        if !searched.judged.divergences.is_empty() {
            return Err(DIVERGED.into());
        }
    }
    if let Some(reason) = refused(assumes.iter(), request.report.trust) {
        return Err(reason);
    }
    assumes.extend(said(request));
    Ok(Proof::Exhausted {
        paths: looked.iter().map(|s| s.report.work.paths).sum(),
        assumes: assumes.iter().map(ToString::to_string).collect(),
    })
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

#[cfg(test)]
mod tests;
