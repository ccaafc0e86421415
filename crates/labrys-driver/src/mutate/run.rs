//! One run of `mutate` or `kill`: which mutants are open, what the tests do to them, and what is
//! said about all of them at the end.

use super::MutantChoice;
use super::result::{MutationResults, MutationTest, SuiteMutation};
use super::subsumption::subsumed;
use super::trivial::TrivialMutants;
use super::{fingerprint, former};
use crate::failure::{Failure, Outcome};
use crate::imported::plan::TestPlan;
use crate::imported::{ImportedSuite, NativeBuild, cases};
use crate::native::open_sandbox;
use crate::output::OutDir;
use crate::output::mutants::{MutantRecord, MutantsFile, TestState};
use crate::request::Shard;
use labrys_budget::{Deadline, EndCause};
use labrys_ledger::Mutant;
use labrys_mutate::{
    MutantProof, MutantVerdict, ScoredMutants, ScoringOptions, ScoringProgress, TestCase,
    score_with,
};
use labrys_suite::{ReplayLimits, Replayer};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// The comparison of compiled mutants takes at most one part in so many of the time: what it does
/// not come to is run.
const PART_FOR_COMPARISON: u32 = 4;

/// How each test of a suite is run, with the number of its build.
type Plans<'a> = [(usize, TestPlan<'a>)];

pub(crate) struct MutationRun<'a> {
    suite: &'a ImportedSuite,
    builds: &'a [NativeBuild],
    deadline: &'a Deadline,
    /// The places of the tests that can be run.
    pub(crate) numbers: Vec<usize>,
    /// All mutants of the program.
    file: MutantsFile,
    /// What is known of mutants before any run.
    known: BTreeMap<usize, MutantVerdict>,
    shard: Option<Shard>,
    /// By mutants that are subsumed, those that subsume them.
    subsumed: Option<BTreeMap<usize, usize>>,
    all_killers: BTreeMap<usize, BTreeSet<usize>>,
    more_runs: usize,
    run_s: f64,
    notes: Vec<String>,
}

/// A new test that joins the suite.
pub(crate) struct JoinedTest {
    pub name: String,
    /// Of its inputs.
    pub hash: String,
}

impl<'a> MutationRun<'a> {
    pub(crate) fn new(
        suite: &'a ImportedSuite,
        builds: &'a [NativeBuild],
        plans: &Plans<'_>,
        deadline: &'a Deadline,
    ) -> Self {
        let program = &builds[0].program;
        let mut file = MutantsFile::new(suite.project.target(program));
        file.settings = fingerprint::settings(&suite.project.request);
        file.sources = fingerprint::sources(&program.units);
        file.tests = fingerprint::tests(&suite.collection.tests);
        file.mutants = MutantRecord::all(&program.mutants);
        MutationRun {
            suite,
            builds,
            deadline,
            numbers: cases(plans).1,
            file,
            known: BTreeMap::new(),
            shard: None,
            subsumed: None,
            all_killers: BTreeMap::new(),
            more_runs: 0,
            run_s: 0.0,
            notes: Vec::new(),
        }
    }

    /// Takes over what an earlier run has decided, and leaves mutants outside of a part alone.
    pub(crate) fn choose(&mut self, choice: MutantChoice, out: Option<&OutDir>) -> Outcome<()> {
        self.shard = choice.shard;
        self.file.shard = choice.shard;
        if let (true, Some(out)) = (choice.iterate, out) {
            let names = self.names();
            let found = former::read(out, &self.file, &names)?;
            self.known = found.known;
            self.notes.push(found.note);
        }
        if choice.compare_code {
            let program = &self.builds[0].program;
            let limit = match self.deadline.left() {
                Some(left) => self.deadline.within(left / PART_FOR_COMPARISON),
                None => self.deadline.clone(),
            };
            let trivial = TrivialMutants::find(&self.suite.project, program, &limit)?;
            for (place, proof) in trivial.proofs() {
                self.note_proof(place, proof)?;
            }
        }
        Ok(())
    }

    /// Notes a proof about a mutant of the part.
    fn note_proof(&mut self, place: usize, proof: &MutantProof) -> Outcome<()> {
        let before = self.known.get(&place);
        if before.is_none() && !self.is_chosen(place) {
            return Ok(());
        }
        if proof.same_as.is_none() && before.is_some_and(|verdict| verdict.fate.is_kill()) {
            return Err(Failure::internal(format_args!(
                "{} was killed by a test, and is proved equivalent now",
                self.file.mutants[place].id
            )));
        }
        let verdict = MutantVerdict::proved(proof.clone());
        self.known.insert(place, verdict);
        Ok(())
    }

    /// The names of the tests that can be run.
    fn names(&self) -> Vec<String> {
        let numbers = self.numbers.iter();
        let names = numbers.map(|place| self.file.tests[*place].name.clone());
        names.collect()
    }

    /// Whether a mutant belongs to the part that is run.
    pub(crate) fn is_chosen(&self, place: usize) -> bool {
        self.shard.is_none_or(|shard| shard.has(place))
    }

    /// Runs the tests with the mutants that are open; the verdicts are those of all mutants.
    pub(crate) fn score(
        &mut self,
        plans: &Plans<'_>,
        progress: &mut dyn FnMut(ScoringProgress),
    ) -> Outcome<ScoredMutants> {
        let decided = |place: &usize| self.known.get(place).is_some_and(|v| !v.fate.is_alive());
        let open: Vec<usize> = (0..self.file.mutants.len())
            .filter(|place| self.is_chosen(*place) && !decided(place))
            .collect();
        let before = Instant::now();
        let (tests, _) = cases(plans);
        let mut scored = self.scored_by(&open, &tests, false, progress)?;
        self.run_s = before.elapsed().as_secs_f64();
        let unknown = vec![MutantVerdict::no_time(); self.file.mutants.len()];
        let seen = std::mem::replace(&mut scored.verdicts, unknown);
        for (place, verdict) in &self.known {
            scored.verdicts[*place] = verdict.clone();
        }
        for (place, verdict) in open.into_iter().zip(seen) {
            scored.verdicts[place] = verdict;
        }
        Ok(scored)
    }

    /// What these tests do to the mutants at these places, up to the first kill or all of them.
    fn scored_by(
        &self,
        places: &[usize],
        tests: &[TestCase<'_>],
        all_kills: bool,
        progress: &mut dyn FnMut(ScoringProgress),
    ) -> Outcome<ScoredMutants> {
        let limits = ReplayLimits {
            deadline: self.deadline.clone(),
            ..self.suite.project.request.parallel_replay_limits()
        };
        let all = &self.builds[0].program.mutants;
        let mutants: Vec<Mutant> = places.iter().map(|place| all[*place].clone()).collect();
        let replayers: Vec<&Replayer> = self.builds.iter().map(|b| &b.replayer).collect();
        let options = ScoringOptions {
            all_kills,
            ..ScoringOptions::default()
        };
        let all = |_: usize, tests: Vec<usize>| tests;
        score_with(
            options, &mutants, &replayers, tests, &all, &limits, progress,
        )
        .map_err(Failure::usage)
    }

    /// Finds all tests that kill each killed mutant, and what others subsume.
    pub(crate) fn drop_subsumed(
        &mut self,
        plans: &Plans<'_>,
        scored: &ScoredMutants,
        progress: &mut dyn FnMut(ScoringProgress),
    ) -> Outcome<()> {
        let verdicts = scored.verdicts.iter().enumerate();
        let killed = verdicts.filter(|(_, verdict)| verdict.fate.is_kill());
        let killed: Vec<usize> = killed.map(|(place, _)| place).collect();
        let (tests, _) = cases(plans);
        let by_all = self.scored_by(&killed, &tests, true, progress)?;
        self.more_runs += by_all.native_runs;
        if by_all.undecided > 0 {
            self.notes.push(
                "time: not all tests were run with all killed mutants, so all mutants are counted"
                    .to_owned(),
            );
            return Ok(());
        }
        let kills: BTreeMap<usize, BTreeSet<usize>> = (killed.iter().zip(&by_all.kills))
            .map(|(place, tests)| (*place, tests.keys().copied().collect()))
            .collect();
        self.subsumed = Some(subsumed(&kills));
        self.all_killers = kills;
        Ok(())
    }

    /// All that is known at the end. New tests stand behind those that can be run.
    pub(crate) fn results(
        &self,
        plans: &Plans<'_>,
        scored: &ScoredMutants,
        joined: &[JoinedTest],
    ) -> Outcome<MutationResults> {
        let mut file = self.file.clone();
        let mut names = self.names();
        for JoinedTest { name, hash } in joined {
            names.push(name.clone());
            file.tests.push(TestState {
                name: name.clone(),
                hash: hash.clone(),
            });
        }
        file.mutants = self.records(scored, &names);
        let mut summary = SuiteMutation::new(file.target.clone(), &file.mutants);
        summary.tests = self.test_records(plans, scored, &file)?;
        summary.notes = self.all_notes(scored);
        summary.subsumed = self.subsumed.as_ref().map(BTreeMap::len);
        summary.work.native_runs = scored.native_runs + self.more_runs;
        summary.work.run_s = self.run_s;
        summary.stop = match self.deadline.cause() {
            None => "done",
            Some(EndCause::Interrupted | EndCause::Cancelled) => "interrupted",
            Some(EndCause::Memory) => "memory",
            Some(EndCause::Time) => "time",
        };
        Ok(MutationResults { summary, file })
    }

    /// The mutants of the part, and those of which an earlier run says something.
    fn records(&self, scored: &ScoredMutants, names: &[String]) -> Vec<MutantRecord> {
        let mut records = Vec::new();
        for (place, verdict) in scored.verdicts.iter().enumerate() {
            if !self.is_chosen(place) && !self.known.contains_key(&place) {
                continue;
            }
            let mut record = self.file.mutants[place].clone();
            record.set(verdict, names);
            if let Some(tests) = self.all_killers.get(&place) {
                record.killed_by = tests.iter().map(|test| names[*test].clone()).collect();
            }
            let by = self.subsumed.as_ref().and_then(|all| all.get(&place));
            record.subsumed_by = by.map(|by| self.file.mutants[*by].id.clone());
            records.push(record);
        }
        records
    }

    fn test_records(
        &self,
        plans: &Plans<'_>,
        scored: &ScoredMutants,
        file: &MutantsFile,
    ) -> Outcome<Vec<MutationTest>> {
        let mut records = Vec::new();
        for (place, TestState { name, .. }) in file.tests.iter().enumerate() {
            let first = |m: &&MutantRecord| m.killed_by.first() == Some(name);
            let kills = file.mutants.iter().filter(first).count();
            let mut record = MutationTest::new(place, name, kills);
            let number = self.numbers.iter().position(|n| *n == place);
            let unusable = number.and_then(|n| scored.unusable.get(&n));
            record.problem = match (plans.get(place).map(|(_, plan)| &plan.inputs), unusable) {
                (Some(Err(why)), _) => Some(why.clone()),
                (_, Some(why)) => Some(why.to_string()),
                _ => None,
            };
            let unstable = number.and_then(|n| scored.unstable.get(&n));
            record.unstable = unstable.cloned().unwrap_or_default();
            records.push(record);
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

    fn all_notes(&self, scored: &ScoredMutants) -> Vec<String> {
        let mut notes = self.notes.clone();
        notes.extend(self.suite.collection.notes.iter().cloned());
        notes.extend(self.builds[0].program.notes.iter().cloned());
        notes.extend(self.builds.iter().flat_map(|b| b.replayer.notes.clone()));
        notes.extend(open_sandbox(scored.missing));
        if scored.undecided > 0 {
            notes.push(format!(
                "time: {} mutants did not meet all of their tests; they count as survived, with the reason \"time\"",
                scored.undecided
            ));
        }
        notes
    }
}
