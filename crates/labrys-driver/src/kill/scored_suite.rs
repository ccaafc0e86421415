//! A suite that was scored, and the new tests that join it: what is known of each mutant.

use super::confirm::ProposedKill;
use crate::failure::Outcome;
use crate::imported::plan::TestPlan;
use crate::imported::{ImportedSuite, NativeBuild};
use crate::mutate::{JoinedTest, MutantChoice, MutationResults, MutationRun, hash_of_test};
use crate::output::OutDir;
use labrys_budget::Deadline;
use labrys_ledger::Mutant;
use labrys_mutate::{AliveReason, MutantVerdict, ScoredMutants, ScoringProgress};
use labrys_suite::{HarnessSizes, UniqueNames, test_name};
use std::collections::BTreeMap;

pub(super) struct ScoredSuite<'a> {
    pub(super) plans: Vec<(usize, TestPlan<'a>)>,
    run: MutationRun<'a>,
    sizes: HarnessSizes,
    pub(super) scored: ScoredMutants,
    /// New tests that kill something, with their numbers behind those of the suite.
    pub(super) joined: Vec<ProposedKill>,
}

impl<'a> ScoredSuite<'a> {
    pub(super) fn score(
        suite: &'a ImportedSuite,
        builds: &'a [NativeBuild],
        (choice, out): (MutantChoice, Option<&OutDir>),
        deadline: &'a Deadline,
        progress: &mut dyn FnMut(ScoringProgress),
    ) -> Outcome<Self> {
        let plans = suite.plans(builds)?;
        let mut run = MutationRun::new(suite, builds, &plans, deadline);
        run.choose(choice, out)?;
        let scored = run.score(&plans, progress)?;
        Ok(ScoredSuite {
            plans,
            run,
            sizes: builds[0].sizes,
            scored,
            joined: Vec::new(),
        })
    }

    /// The places of the mutants of the part that nothing has killed.
    pub(super) fn alive(&self) -> Vec<usize> {
        let verdicts = self.scored.verdicts.iter().enumerate();
        let alive = verdicts.filter(|(_, verdict)| verdict.fate.is_alive());
        let alive = alive.map(|(place, _)| place);
        alive.filter(|place| self.run.is_chosen(*place)).collect()
    }

    /// Takes in what runs of new tests have shown of these mutants. Tests that kill nothing are
    /// dropped.
    pub(super) fn take_in(
        &mut self,
        new: Vec<ProposedKill>,
        mutants: &[usize],
        seen: Vec<MutantVerdict>,
    ) {
        let first = self.run.numbers.len();
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        let killers = seen.iter().filter(|verdict| verdict.fate.is_kill());
        for test in killers.flat_map(|verdict| &verdict.killed_by) {
            places.insert(*test, 0);
        }
        for (number, place) in places.values_mut().enumerate() {
            *place = first + number;
        }
        for (mutant, verdict) in mutants.iter().zip(seen) {
            let known = &mut self.scored.verdicts[*mutant];
            known.runs += verdict.runs;
            known.reached |= verdict.reached;
            if verdict.fate.is_kill() {
                let killed_by = verdict.killed_by.iter();
                *known = MutantVerdict {
                    killed_by: killed_by.map(|test| places[test]).collect(),
                    newly_killed: true,
                    runs: known.runs,
                    ..verdict
                };
            } else if verdict.reached && verdict.reason != Some(AliveReason::NeverInfected) {
                known.may_be_infected();
            }
        }
        let new = new.into_iter().enumerate();
        let kept = new.filter(|(number, _)| places.contains_key(number));
        self.joined.extend(kept.map(|(_, test)| test));
    }

    /// The new tests with their names.
    pub(super) fn named(&self, suite: &ImportedSuite, mutants: &[Mutant]) -> Vec<String> {
        let mut unique = UniqueNames::default();
        for test in &suite.collection.tests {
            unique.unique(&test.name);
        }
        let joined = self.joined.iter();
        let name = |test: &ProposedKill| {
            let parts = mutants[test.made_for].parts();
            let texts: Vec<String> = parts.map(|part| part.text.replacen(": ", " ", 1)).collect();
            unique.unique(&test_name(&test.entry, &texts.join(" and ")))
        };
        joined.map(name).collect()
    }

    pub(super) fn results(&self, names: &[String]) -> Outcome<MutationResults> {
        let joined = self.joined.iter().zip(names);
        let joined: Vec<JoinedTest> = joined
            .map(|(test, name)| JoinedTest {
                name: name.clone(),
                hash: hash_of_test(&test.entry, &test.inputs, Some(self.sizes)),
            })
            .collect();
        self.run.results(&self.plans, &self.scored, &joined)
    }
}
