//! What is said of the mutants that no test kills: equivalent with a proof, or alive with the reason.

use super::scored_suite::ScoredSuite;
use super::search::SearchedMutants;
use crate::generate::trusted::{refused, said};
use crate::imported::ImportedSuite;
use labrys_engine::{MutantFinding, UnkilledReason as EngineReason};
use labrys_ledger::Assumption;
use labrys_mutate::{AliveReason, MutantProof, MutantProofKind};
use std::collections::{BTreeMap, BTreeSet};

/// The reason where the engine expected a kill and no native run showed it.
const UNCONFIRMED: &str = "a difference that no native run shows";
const UNDEFINED: &str = "only undefined behaviour was found, which no native run shows";

/// The reason where a search that was wrong about the program has no proof, and what it did not expect
/// of another mutant.
const DIVERGED: &str = "not decided: a native run differed from what the search expected";
const ALIVE: &str = "another mutant is alive";

pub(super) fn conclude(
    suite: &ImportedSuite,
    found: &SearchedMutants,
    alive: &[usize],
    scored: &mut ScoredSuite<'_>,
) {
    let diverged = diverged(found, scored);
    for place in alive {
        if !scored.scored.verdicts[*place].fate.is_alive() {
            continue;
        }
        let findings: Vec<&MutantFinding> = found
            .entries
            .iter()
            .filter_map(|searched| {
                let at = searched.mutants.iter().position(|m| m == place)?;
                searched.report.findings.get(at)
            })
            .collect();
        let of_mutant = found.entries.iter();
        let of_mutant = of_mutant.filter(|searched| searched.mutants.contains(place));
        let mut doubts = of_mutant.filter_map(|searched| diverged.get(searched.harness.as_str()));
        let proof = match (proof(suite, &findings), doubts.next()) {
            (Ok(_), Some(doubt)) => Err(Some(AliveReason::Other(format!("{DIVERGED}: {doubt}")))),
            (proof, _) => proof,
        };
        match proof {
            Ok(proof) => scored.scored.verdicts[*place].prove(proof),
            Err(Some(reason)) => scored.scored.verdicts[*place].because(reason),
            Err(None) => {}
        }
    }
}

/// The harnesses of which a search was wrong about the program: it predicted something else of a test,
/// or it expected a kill that no native run has shown. Then it proves nothing.
fn diverged<'a>(
    found: &'a SearchedMutants,
    scored: &ScoredSuite<'_>,
) -> BTreeMap<&'a str, &'a str> {
    let mispredicted = found.mispredicted.iter();
    let mispredicted = mispredicted.map(|(harness, what)| (harness.as_str(), what.as_str()));
    let mut harnesses: BTreeMap<&str, &str> = mispredicted.collect();
    for searched in &found.entries {
        let findings = searched.mutants.iter().zip(&searched.report.findings);
        let is_wrong = |(place, finding): (&usize, &MutantFinding)| {
            let expected = matches!(
                finding,
                MutantFinding::Killed {
                    undefined: false,
                    ..
                }
            );
            expected && scored.scored.verdicts[*place].fate.is_alive()
        };
        if findings.into_iter().any(is_wrong) {
            harnesses.insert(searched.harness.as_str(), ALIVE);
        }
    }
    harnesses
}

/// The proof that no test of any entry kills a mutant, or why there is none.
fn proof(
    suite: &ImportedSuite,
    findings: &[&MutantFinding],
) -> Result<MutantProof, Option<AliveReason>> {
    let request = &suite.project.request;
    let mut assumes: BTreeSet<Assumption> = BTreeSet::new();
    let mut is_infected = false;
    if findings.is_empty() {
        return Err(None);
    }
    for finding in findings {
        match finding {
            MutantFinding::Killed { undefined, .. } => {
                let reason = if *undefined { UNDEFINED } else { UNCONFIRMED };
                return Err(Some(AliveReason::Other(reason.to_owned())));
            }
            MutantFinding::Equivalent {
                assumes: texts,
                infected,
            } => {
                is_infected |= infected;
                assumes.extend(texts.iter().map(|text| Assumption::parse(text)));
            }
            MutantFinding::Alive {
                reason,
                gaps,
                exhausted,
                ..
            } => return Err(Some(alive(*reason, gaps, *exhausted))),
        }
    }
    if let Some(reason) = refused(assumes.iter(), request.report.trust) {
        let reason = reason.replacen("infeasible only if", "equivalent only if", 1);
        return Err(Some(AliveReason::Other(reason)));
    }
    assumes.extend(said(request));
    Ok(MutantProof {
        kind: match is_infected {
            true => MutantProofKind::Exhausted,
            false => MutantProofKind::NoInfection,
        },
        same_as: None,
        detail: String::new(),
        assumes: assumes.iter().map(ToString::to_string).collect(),
    })
}

/// Why a mutant is alive; a search that has tried everything also says what it could not decide.
fn alive(reason: EngineReason, gaps: &BTreeSet<String>, exhausted: bool) -> AliveReason {
    let reason = match reason {
        EngineReason::NotReached => AliveReason::NeverReached,
        EngineReason::NotInfected => AliveReason::NeverInfected,
        EngineReason::Masked(Some(at)) => AliveReason::Masked { line: at.line },
        EngineReason::Masked(None) => AliveReason::SameOutputs,
    };
    match gaps.first().filter(|_| exhausted) {
        Some(gap) => AliveReason::Other(format!("{reason}; not decided: {gap}")),
        None => reason,
    }
}
