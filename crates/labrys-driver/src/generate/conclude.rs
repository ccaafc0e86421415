//! What becomes of the objectives that no test covers: infeasible if the searches were a proof, else
//! unknown with the reason.

use super::needs::{explain_values, needs};
use super::proof_steps::{argument, put_steps};
use super::session::SearchedEntry;
use super::trusted::{refused, said};
use crate::request::{ProofRule, Request};
use labrys_engine::{Exclusion, Report, Stop, Unproved};
use labrys_ir::Module;
use labrys_ledger::protocol::ANY_ORDER;
use labrys_ledger::{
    Assumption, InvariantRecord, Ledger, Proof, ProofKind, ShownEvaluations, Status, Trigger,
};
use std::collections::{BTreeMap, BTreeSet};

/// The reason where the engine was wrong about the program: then its searches prove nothing.
const DIVERGED: &str = "a native run differed from its prediction";
const OTHER_ORDER: &str =
    "compiled by cc the program goes another way than compiled by clang, which was searched";

/// The reason where a native run has not shown what was predicted, or where there was none.
const UNCONFIRMED: &str = "not confirmed by native replay";
/// The same where no test of it does in all native runs what it does in one.
const BY_ADDRESSES: &str = "addresses as numbers: its tests depend on where objects lie";
const NOT_RUN: &str = "time: its test was not run natively";
/// The same where a native run went another way, which C may leave to the compiler.
const NOT_ASKED: &str =
    "time: a test went another way than predicted, and clang was not asked about it";

/// The same where its tests take something for granted of the surroundings that is otherwise natively.
const ELSEWHERE: &str = "covered only if";

/// The reason where a search saw all paths, but not all of its tests could show that it was right.
const NOT_ALL_RUN: &str = "time: not all tests were run natively";

/// The reason where one search has excluded half a pair, and another one has not.
const OTHER_SEARCH: &str = "a search from another entry may show the other half of the pair";

/// The reason where the user does not want proofs by all paths.
const NO_RULE: &str = "no rule of --proof-rules shows it";

/// Decides the objectives that no test has covered.
pub(super) fn conclude(
    searched: &[SearchedEntry],
    ledger: &mut Ledger,
    module: &Module,
    request: &Request,
    free_of_errors: &BTreeSet<Trigger>,
) {
    let mut by_function: BTreeMap<&str, Vec<&SearchedEntry>> = BTreeMap::new();
    for searched in searched {
        for function in &searched.entry.scope {
            by_function.entry(function).or_default().push(searched);
        }
    }
    let tests = searched.iter().flat_map(|s| &s.report.tests);
    let proposed: BTreeSet<usize> = tests.flat_map(|test| test.covers.iter().copied()).collect();
    for index in 0..ledger.objectives().len() {
        if matches!(ledger.status(index), Status::Covered { .. }) {
            continue;
        }
        let function = ledger.objectives()[index].function.as_str();
        let looked = by_function.get(function).map_or(&[][..], Vec::as_slice);
        // A test that the engine proposed for it was not confirmed: nothing may be concluded.
        let proposed = proposed.contains(&index) || is_pair_proposed(looked, ledger, index);
        if proposed {
            let in_time = looked.iter().all(|s| s.judged.not_run == 0);
            let reason = if in_time {
                why_unconfirmed(looked, index)
            } else {
                NOT_RUN.to_owned()
            };
            ledger.give_up(index, &reason);
            continue;
        }
        let is_pair = matches!(ledger.objectives()[index].trigger, Trigger::Pair { .. });
        match verdict(looked, index, is_pair, module, request) {
            Ok(mut proof) => {
                let trigger = ledger.objectives()[index].trigger;
                let arguments: Vec<_> = (looked.iter())
                    .map(|searched| argument(searched, index, trigger))
                    .collect();
                put_steps(&mut proof, &arguments, module, ledger);
                let no_error_before = free_of_errors.contains(&trigger);
                proof.needs = needs(&proof, &arguments, looked, index, request, no_error_before);
                explain_values(&mut proof, index, module, ledger);
                ledger.refute(index, proof);
            }
            Err(reason) => ledger.give_up(index, &reason),
        }
    }
}

/// Why native runs have not shown what tests of the searches were to cover.
fn why_unconfirmed(looked: &[&SearchedEntry], objective: usize) -> String {
    let tests = looked.iter().flat_map(|searched| {
        let numbers = searched.judged.numbers.iter().copied();
        let numbers = numbers.chain(std::iter::repeat(None));
        let numbered = searched.report.tests.iter().zip(numbers).enumerate();
        numbered.map(|(i, (test, id))| {
            let judged = &searched.judged;
            let not_asked = id.is_some_and(|id| judged.not_asked.contains(&id));
            let by_addresses = test.depends_on_layout || judged.by_addresses.contains(&i);
            (test, not_asked, by_addresses)
        })
    });
    let tests: Vec<_> = tests
        .filter(|(test, ..)| test.covers.contains(&objective))
        .collect();
    if !tests.is_empty() && tests.iter().all(|(.., by_addresses)| *by_addresses) {
        return BY_ADDRESSES.to_owned();
    }
    if tests.iter().any(|(_, not_asked, _)| *not_asked) {
        return NOT_ASKED.to_owned();
    }
    let texts = tests.iter().map(|(test, ..)| test.surroundings.join(", "));
    let texts: BTreeSet<String> = texts.collect();
    match texts.first() {
        Some(first) if !first.is_empty() => format!("{ELSEWHERE}: {first}"),
        _ => UNCONFIRMED.to_owned(),
    }
}

/// The proof that the searches are for an objective that they did not cover, or why they are none.
fn verdict(
    looked: &[&SearchedEntry],
    objective: usize,
    is_pair: bool,
    module: &Module,
    request: &Request,
) -> Result<Proof, String> {
    if looked.is_empty() {
        return Err("never reached from the function under test".into());
    }
    if is_pair && misses_a_half_in_some(looked, objective) {
        return Err(OTHER_SEARCH.into());
    }
    let mut assumes = BTreeSet::new();
    let mut turns = None;
    let mut frontier = None;
    for searched in looked {
        let report = &searched.report;
        let closed = report.excluded(objective).filter(|_| !is_pair);
        let behind = report.frontier.get(&objective);
        if closed.is_none() && behind.is_none() && !request.search.proves_by(ProofRule::Exhausted) {
            return Err(NO_RULE.into());
        }
        if searched.judged.not_run > 0 {
            return Err(NOT_ALL_RUN.into());
        }
        match (closed, behind) {
            (Some((excluding, texts)), _) => {
                assumes.extend(texts.into_iter().map(Assumption::parse));
                turns = Some(excluding);
            }
            (None, Some(proof)) => {
                assumes.extend(proof.assumes.iter().map(|text| Assumption::parse(text)));
                frontier = Some(proof);
            }
            (None, None) => assumes.extend(exhausted(report, objective)?),
        }
        if !searched.judged.divergences.is_empty() {
            return Err(DIVERGED.into());
        }
        if !searched.judged.not_asked.is_empty() {
            return Err(NOT_ASKED.into());
        }
        let rests_on_order = || assumes.contains(&Assumption::parse(ANY_ORDER));
        if !searched.judged.other_coverage.is_empty()
            || !searched.judged.unspecified.is_empty() && rests_on_order()
        {
            return Err(OTHER_ORDER.into());
        }
    }
    if let Some(reason) = refused(assumes.iter(), request.report.trust) {
        return Err(reason);
    }
    assumes.extend(said(request));
    let assumes = assumes.iter().map(ToString::to_string).collect();
    let rule = match turns.map(|turns| &turns.exclusion) {
        Some(Exclusion::Loops { rounds, invariants }) => ProofKind::LoopInvariants {
            rounds: *rounds,
            invariants: invariants
                .iter()
                .map(|invariant| InvariantRecord {
                    file: module.file(invariant.loc).to_owned(),
                    line: invariant.loc.line,
                    text: invariant.text.clone(),
                    is_c: invariant.is_c,
                    turns: invariant.turns,
                })
                .collect(),
        },
        Some(Exclusion::States { sets, kept, .. }) => ProofKind::StateSets {
            sets: *sets,
            kept: kept.clone(),
        },
        None => match frontier {
            Some(proof) => ProofKind::Frontier {
                predicates: proof.predicates,
                places: proof
                    .places
                    .iter()
                    .map(|place| format!("line {}", place.line))
                    .collect(),
            },
            None => ProofKind::Exhausted {
                paths: looked.iter().map(|s| s.report.work.different_paths()).sum(),
            },
        },
    };
    Ok(Proof::by(rule, assumes))
}

/// Was half a pair excluded in some searches, and not the same one in all? Two searches may have one half each,
/// and a search does not go on for a pair of which it has excluded a half.
fn misses_a_half_in_some(looked: &[&SearchedEntry], objective: usize) -> bool {
    let halves: BTreeSet<Option<bool>> = (looked.iter())
        .map(|searched| searched.report.frontier.get(&objective)?.half)
        .collect();
    halves.len() > 1
}

/// What the proof by all paths of a search takes for granted, or why it is none.
fn exhausted(report: &Report, objective: usize) -> Result<BTreeSet<Assumption>, String> {
    if report.is_unsearched() {
        return Err(format!("{}: not looked at", report.stop.name()));
    }
    if report.stop != Stop::Exhausted {
        return Err(format!(
            "{}: the search was not finished",
            report.stop.name()
        ));
    }
    let mut assumes = BTreeSet::new();
    for unproved in report.unproved_for(objective) {
        match unproved {
            Unproved::Gap(gap) => return Err(gap.clone()),
            Unproved::Assumes(text) => assumes.insert(Assumption::parse(text)),
        };
    }
    Ok(assumes)
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
