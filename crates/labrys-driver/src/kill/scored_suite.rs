//! A suite that was scored, and the new tests that join it: what is known of each mutant.

use super::confirm::NewTest;
use crate::failure::{Failure, Outcome};
use crate::imported::plan::TestPlan;
use crate::imported::{ImportedSuite, NativeBuild, cases};
use crate::mutate::{MutationResults, MutationTest, results};
use crate::output::mutants::{MutantRecord, TestState};
use labrys_budget::Deadline;
use labrys_mutate::{MutantVerdict, ScoredMutants, ScoringProgress, score};
use labrys_suite::{ReplayLimits, Replayer, UniqueNames, test_name};
use std::collections::BTreeMap;
use std::time::Instant;

pub(super) struct ScoredSuite<'a> {
    pub(super) plans: Vec<(usize, TestPlan<'a>)>,
    /// The places of the tests that could be run.
    numbers: Vec<usize>,
    pub(super) scored: ScoredMutants,
    run_s: f64,
    /// New tests that kill something, with their numbers behind those of the suite.
    pub(super) joined: Vec<NewTest>,
}

impl<'a> ScoredSuite<'a> {
    pub(super) fn score(
        suite: &'a ImportedSuite,
        builds: &'a [NativeBuild],
        deadline: &Deadline,
        progress: &mut dyn FnMut(ScoringProgress),
    ) -> Outcome<Self> {
        let limits = ReplayLimits {
            deadline: deadline.clone(),
            ..suite.project.request.parallel_replay_limits()
        };
        let plans = suite.plans(builds)?;
        let before = Instant::now();
        let (numbers, scored) = {
            let (cases, numbers) = cases(&plans);
            let replayers: Vec<&Replayer> = builds.iter().map(|build| &build.replayer).collect();
            let mutants = &builds[0].program.mutants;
            let scored = score(mutants, &replayers, &cases, &limits, progress);
            (numbers, scored.map_err(Failure::usage)?)
        };
        Ok(ScoredSuite {
            plans,
            numbers,
            scored,
            run_s: before.elapsed().as_secs_f64(),
            joined: Vec::new(),
        })
    }

    /// The places of the mutants that nothing has killed.
    pub(super) fn alive(&self) -> Vec<usize> {
        let verdicts = self.scored.verdicts.iter().enumerate();
        let alive = verdicts.filter(|(_, verdict)| verdict.fate.is_alive());
        alive.map(|(place, _)| place).collect()
    }

    /// Takes in what runs of new tests have shown of these mutants. Tests that kill nothing are
    /// dropped.
    pub(super) fn take_in(
        &mut self,
        new: Vec<NewTest>,
        mutants: &[usize],
        seen: Vec<MutantVerdict>,
    ) {
        let first = self.numbers.len();
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
            }
        }
        let new = new.into_iter().enumerate();
        let kept = new.filter(|(number, _)| places.contains_key(number));
        self.joined.extend(kept.map(|(_, test)| test));
    }

    pub(super) fn results(
        &self,
        suite: &ImportedSuite,
        builds: &[NativeBuild],
        deadline: &Deadline,
    ) -> Outcome<MutationResults> {
        let of_suite = (&self.plans[..], &self.numbers[..]);
        let mut all = results(suite, builds, of_suite, &self.scored, deadline)?;
        all.summary.work.run_s = self.run_s;
        let mutants = &builds[0].program.mutants;
        let mut names: Vec<String> = self
            .numbers
            .iter()
            .map(|n| all.file.tests[*n].name.clone())
            .collect();
        let mut unique = UniqueNames::default();
        all.file.tests.iter().for_each(|test| {
            unique.unique(&test.name);
        });
        for (number, test) in self.joined.iter().enumerate() {
            let purpose = mutants[test.made_for].text.replacen(": ", " ", 1);
            let name = unique.unique(&test_name(&test.entry, &purpose));
            let place = self.numbers.len() + number;
            let first = |v: &&MutantVerdict| v.killed_by.first() == Some(&place);
            all.summary.tests.push(MutationTest {
                id: (all.file.tests.len() + 1) as u32,
                name: name.clone(),
                kills: self.scored.verdicts.iter().filter(first).count(),
                problem: None,
                unstable: Default::default(),
            });
            let hash = String::new();
            all.file.tests.push(TestState {
                name: name.clone(),
                hash,
            });
            names.push(name);
        }
        let verdicts = mutants.iter().zip(&self.scored.verdicts);
        for (record, (mutant, verdict)) in all.file.mutants.iter_mut().zip(verdicts) {
            *record = MutantRecord::new(mutant, verdict, &names);
        }
        Ok(all)
    }
}
