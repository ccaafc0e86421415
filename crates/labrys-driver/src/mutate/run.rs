//! One run of `mutate`: which mutants are open, what the tests do to them, and what is said about
//! all of them at the end.

use super::result::{MutationResults, MutationTest, SuiteMutation};
use super::subsumption::subsumed;
use super::{fingerprint, former};
use crate::failure::{Failure, Outcome};
use crate::imported::plan::TestPlan;
use crate::imported::{ImportedSuite, NativeBuild, cases};
use crate::native::open_sandbox;
use crate::output::OutDir;
use crate::output::mutants::{MutantRecord, MutantsFile};
use crate::request::Shard;
use labrys_budget::{Deadline, EndCause};
use labrys_ledger::Mutant;
use labrys_mutate::{ScoredMutants, ScoringProgress, TestCase, score};
use labrys_suite::{ReplayLimits, Replayer};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

pub(super) struct MutationRun<'a> {
    suite: &'a ImportedSuite,
    builds: &'a [NativeBuild],
    plans: &'a [(usize, TestPlan<'a>)],
    /// The tests that can be run, and their places among all.
    cases: Vec<TestCase<'a>>,
    numbers: Vec<usize>,
    deadline: &'a Deadline,
    /// All mutants of the program, with what is known of them.
    file: MutantsFile,
    /// Those whose fate is known without a run, and those of which an earlier run says something.
    decided: BTreeSet<usize>,
    known: BTreeSet<usize>,
    shard: Option<Shard>,
    scored: ScoredMutants,
    native_runs: usize,
    run_s: f64,
    subsumed: Option<usize>,
    notes: Vec<String>,
}

impl<'a> MutationRun<'a> {
    pub(super) fn new(
        suite: &'a ImportedSuite,
        builds: &'a [NativeBuild],
        plans: &'a [(usize, TestPlan<'a>)],
        deadline: &'a Deadline,
    ) -> Self {
        let program = &builds[0].program;
        let mut file = MutantsFile::new(suite.project.target(program));
        file.settings = fingerprint::settings(&suite.project.request);
        file.sources = fingerprint::sources(&program.units);
        file.tests = fingerprint::tests(&suite.collection.tests);
        file.mutants = MutantRecord::all(&program.mutants);
        let (cases, numbers) = cases(plans);
        MutationRun {
            suite,
            builds,
            plans,
            cases,
            numbers,
            deadline,
            file,
            decided: BTreeSet::new(),
            known: BTreeSet::new(),
            shard: None,
            scored: ScoredMutants::default(),
            native_runs: 0,
            run_s: 0.0,
            subsumed: None,
            notes: Vec::new(),
        }
    }

    /// Takes over what an earlier run has decided.
    pub(super) fn iterate(&mut self, out: &OutDir) -> Outcome<()> {
        let found = former::enter(out, &mut self.file)?;
        self.decided.extend(found.decided);
        self.known.extend(found.known);
        self.notes.push(found.note);
        Ok(())
    }

    /// Leaves all mutants outside of a part alone.
    pub(super) fn take_part(&mut self, shard: Option<Shard>) {
        self.shard = shard;
        self.file.shard = shard;
    }

    fn is_in_part(&self, place: usize) -> bool {
        self.shard.is_none_or(|shard| shard.has(place))
    }

    /// Runs the tests with the mutants that are open.
    pub(super) fn score(&mut self, progress: &mut dyn FnMut(ScoringProgress)) -> Outcome<()> {
        let open: Vec<usize> = (0..self.file.mutants.len())
            .filter(|place| self.is_in_part(*place) && !self.decided.contains(place))
            .collect();
        let before = Instant::now();
        self.scored = self.scored_by(&open, &self.cases, progress)?;
        self.run_s = before.elapsed().as_secs_f64();
        let name = |place: &usize| self.file.tests[*place].name.clone();
        let names: Vec<String> = self.numbers.iter().map(name).collect();
        for (place, verdict) in open.iter().zip(&self.scored.verdicts) {
            self.file.mutants[*place].set(verdict, &names);
        }
        self.known.extend(open);
        self.native_runs += self.scored.native_runs;
        Ok(())
    }

    /// What these tests do to the mutants at these places.
    fn scored_by(
        &self,
        places: &[usize],
        tests: &[TestCase<'_>],
        progress: &mut dyn FnMut(ScoringProgress),
    ) -> Outcome<ScoredMutants> {
        let limits = ReplayLimits {
            deadline: self.deadline.clone(),
            ..self.suite.project.request.parallel_replay_limits()
        };
        let all = &self.builds[0].program.mutants;
        let mutants: Vec<Mutant> = places.iter().map(|place| all[*place].clone()).collect();
        let replayers: Vec<&Replayer> = self.builds.iter().map(|b| &b.replayer).collect();
        score(&mutants, &replayers, tests, &limits, progress).map_err(Failure::usage)
    }

    /// Finds all tests that kill each killed mutant, and marks those that others subsume.
    pub(super) fn drop_subsumed(
        &mut self,
        progress: &mut dyn FnMut(ScoringProgress),
    ) -> Outcome<()> {
        let killed: Vec<usize> = (0..self.file.mutants.len())
            .filter(|place| self.file.mutants[*place].status.is_kill())
            .collect();
        let mut kills: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (number, case) in self.cases.iter().enumerate() {
            progress(ScoringProgress::AllKills {
                done: number,
                all: self.cases.len(),
            });
            let scored = self.scored_by(&killed, &[*case], &mut |_| {})?;
            self.native_runs += scored.native_runs;
            if scored.undecided > 0 {
                self.notes.push(
                    "time: not all tests were run with all killed mutants, so all mutants are counted"
                        .to_owned(),
                );
                return Ok(());
            }
            for (place, verdict) in killed.iter().zip(&scored.verdicts) {
                if verdict.fate.is_kill() {
                    kills.entry(*place).or_default().insert(number);
                }
            }
        }
        for (place, tests) in &kills {
            let names = tests.iter().map(|number| self.numbers[*number]);
            let names = names.map(|place| self.file.tests[place].name.clone());
            self.file.mutants[*place].killed_by = names.collect();
        }
        let dropped = subsumed(&kills);
        for (place, by) in &dropped {
            let by = self.file.mutants[*by].id.clone();
            self.file.mutants[*place].subsumed_by = Some(by);
        }
        self.subsumed = Some(dropped.len());
        Ok(())
    }

    /// All that is known at the end.
    pub(super) fn results(mut self) -> Outcome<MutationResults> {
        let tests = self.test_records()?;
        self.take_notes();
        let mut place = 0;
        let known = &self.known;
        self.file.mutants.retain(|_| {
            place += 1;
            known.contains(&(place - 1))
        });
        let mut summary = SuiteMutation::new(self.file.target.clone(), &self.file.mutants);
        summary.tests = tests;
        summary.notes = self.notes;
        summary.subsumed = self.subsumed;
        summary.work.native_runs = self.native_runs;
        summary.work.run_s = self.run_s;
        summary.stop = match self.deadline.cause() {
            None => "done",
            Some(EndCause::Interrupted | EndCause::Cancelled) => "interrupted",
            Some(EndCause::Memory) => "memory",
            Some(EndCause::Time) => "time",
        };
        Ok(MutationResults {
            summary,
            file: self.file,
        })
    }

    fn test_records(&self) -> Outcome<Vec<MutationTest>> {
        let mut records = Vec::new();
        for (place, (_, plan)) in self.plans.iter().enumerate() {
            let number = self.numbers.iter().position(|n| *n == place);
            let unusable = number.and_then(|n| self.scored.unusable.get(&n));
            let problem = match (&plan.inputs, unusable) {
                (Err(why), _) => Some(why.clone()),
                (_, Some(why)) => Some(why.to_string()),
                _ => None,
            };
            let unstable = number.and_then(|n| self.scored.unstable.get(&n));
            let name = &self.file.tests[place].name;
            let first = |m: &&MutantRecord| m.killed_by.first() == Some(name);
            let kills = self.file.mutants.iter().filter(first).count();
            records.push(MutationTest {
                problem,
                unstable: unstable.cloned().unwrap_or_default(),
                ..MutationTest::new(place, name, kills)
            });
        }
        match records.iter().find(|record| record.problem.is_some()) {
            Some(first) if records.iter().all(|record| record.problem.is_some()) => {
                Err(Failure::usage(format_args!(
                    "none of the {} tests can be used: {}: {}",
                    records.len(),
                    first.name,
                    first.problem.as_deref().unwrap_or_default()
                )))
            }
            _ => Ok(records),
        }
    }

    fn take_notes(&mut self) {
        let (builds, notes) = (self.builds, &mut self.notes);
        notes.extend(self.suite.collection.notes.iter().cloned());
        notes.extend(builds[0].program.notes.iter().cloned());
        notes.extend(builds.iter().flat_map(|build| build.replayer.notes.clone()));
        notes.extend(open_sandbox(self.scored.missing));
        if self.scored.undecided > 0 {
            notes.push(format!(
                "time: {} mutants did not meet all of their tests; they count as survived, with the reason \"time\"",
                self.scored.undecided
            ));
        }
    }
}
