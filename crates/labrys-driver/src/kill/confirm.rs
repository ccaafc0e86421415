//! The compiled program decides: new tests are run natively with the mutants that are alive, and only
//! what these runs show is a kill.

use super::scored_suite::ScoredSuite;
use super::search::SearchedMutants;
use crate::failure::{Failure, Outcome};
use crate::imported::{ImportedSuite, NativeBuild};
use labrys_budget::Deadline;
use labrys_ledger::Mutant;
use labrys_mutate::{ScoringProgress, TestCase, score_among};
use labrys_suite::{ReplayCase, ReplayInputs, ReplayLimits, Replayer};
use std::collections::{BTreeMap, BTreeSet};

/// All mutants meet all new tests if that takes at most so many runs; else only those that the engine
/// names.
const MOST_RUNS: usize = 20_000;

/// A test that the engine proposes.
pub(super) struct ProposedKill {
    pub(super) harness: String,
    pub(super) entry: String,
    pub(super) inputs: Vec<(String, Vec<u8>)>,
    /// The place of the mutant that it was made for.
    pub(super) made_for: usize,
}

impl ProposedKill {
    /// The proposed tests of all searches.
    pub(super) fn all_of(found: &SearchedMutants) -> Vec<ProposedKill> {
        let mut all = Vec::new();
        for searched in &found.entries {
            for test in &searched.report.tests {
                let inputs = test.inputs.iter();
                all.push(ProposedKill {
                    harness: searched.harness.clone(),
                    entry: searched.entry.clone(),
                    inputs: inputs.map(|i| (i.name.clone(), i.bytes.clone())).collect(),
                    made_for: searched.mutants[test.made_for],
                });
            }
        }
        all
    }
}

/// For each mutant the new tests that may kill it, by their places.
fn claims(found: &SearchedMutants) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut claims: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut first = 0;
    for searched in &found.entries {
        let findings = searched.report.findings.iter();
        for (mutant, finding) in searched.mutants.iter().zip(findings) {
            let tests = finding.tests().map(|test| first + test);
            claims.entry(*mutant).or_default().extend(tests);
        }
        first += searched.report.tests.len();
    }
    claims
}

/// Runs the new tests; those that kill something join the suite.
pub(super) fn confirm(
    suite: &ImportedSuite,
    builds: &[NativeBuild],
    new: Vec<ProposedKill>,
    found: &SearchedMutants,
    scored: &mut ScoredSuite<'_>,
    (deadline, progress): (&Deadline, &mut dyn FnMut(ScoringProgress)),
) -> Outcome<()> {
    if new.is_empty() {
        return Ok(());
    }
    let limits = ReplayLimits {
        deadline: deadline.clone(),
        ..suite.project.request.parallel_replay_limits()
    };
    let cases: Vec<TestCase<'_>> = new
        .iter()
        .map(|test| TestCase {
            build: 0,
            case: ReplayCase {
                harness: &test.harness,
                inputs: ReplayInputs::Named(&test.inputs),
            },
        })
        .collect();
    let mutants = &builds[0].program.mutants;
    let alive = scored.alive();
    let chosen: Vec<Mutant> = alive.iter().map(|place| mutants[*place].clone()).collect();
    let claims = claims(found);
    let blind = found.entries.iter().any(|searched| searched.report.try_all);
    let everything = blind || alive.len() * new.len() <= MOST_RUNS;
    let among = |mutant: usize, reaching: Vec<usize>| match claims.get(&alive[mutant]) {
        Some(claimed) if !everything => {
            let reaching = reaching.into_iter();
            reaching.filter(|test| claimed.contains(test)).collect()
        }
        None if !everything => Vec::new(),
        _ => reaching,
    };
    let replayers: Vec<&Replayer> = builds.iter().map(|build| &build.replayer).collect();
    let seen = score_among(&chosen, &replayers, &cases, &among, &limits, progress);
    let seen = seen.map_err(Failure::usage)?;
    scored.scored.native_runs += seen.native_runs;
    scored.take_in(new, &alive, seen.verdicts);
    Ok(())
}
