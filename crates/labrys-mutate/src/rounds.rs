//! Runs the tests in rounds: in each, every mutant that is still alive meets one more of the tests
//! that come to it, the most promising first. So a mutant costs no run beyond its first kill, and
//! one process serves many runs.

use crate::oracle::{Baseline, UnusableTest};
use crate::verdict::{AliveReason, MutantFate, MutantVerdict};
use labrys_ledger::Mutant;
use labrys_suite::{
    ActiveMutant, MissingProtections, Observation, ReplayCase, ReplayError, ReplayLimits, Replayer,
};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Runs that are made before their observations are compared and dropped, to bound the memory.
const RUNS_PER_BATCH: usize = 512;

/// A run has timed out if it comes to mutation points 100 times as often as the original, and a
/// million times at least: a few milliseconds, and the same result on a busy machine.
const STEP_FACTOR: u64 = 100;
const MIN_STEP_LIMIT: u64 = 1_000_000;

/// A test and the program that it is for.
#[derive(Clone, Copy, Debug)]
pub struct TestCase<'a> {
    /// The number of its build.
    pub build: usize,
    pub case: ReplayCase<'a>,
}

/// What all runs have shown.
#[derive(Debug, Default)]
pub struct ScoredMutants {
    /// In the order of the mutants.
    pub verdicts: Vec<MutantVerdict>,
    /// Tests that cannot tell anything, by their places, and why.
    pub unusable: BTreeMap<usize, UnusableTest>,
    /// Outputs that are others in every run, by test.
    pub unstable: BTreeMap<usize, BTreeSet<String>>,
    /// Mutants for which there was no time: survived, with that reason.
    pub undecided: usize,
    pub native_runs: usize,
    pub missing: MissingProtections,
}

/// How far the runs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoringProgress {
    /// Tests that were run without any mutant, and all of them.
    Baselines { done: usize, all: usize },
    /// Mutants that were decided, those of them that were killed, and all of them.
    Mutants {
        done: usize,
        killed: usize,
        all: usize,
    },
}

/// Runs the tests with the mutants until the deadline of the limits.
pub fn score(
    mutants: &[Mutant],
    builds: &[&Replayer],
    tests: &[TestCase<'_>],
    limits: &ReplayLimits,
    progress: &mut dyn FnMut(ScoringProgress),
) -> Result<ScoredMutants, ReplayError> {
    let all = |_: usize, tests: Vec<usize>| tests;
    score_among(mutants, builds, tests, &all, limits, progress)
}

/// The same, where each mutant meets only the tests that are `chosen` for it: of those that come to
/// it, by the places of mutant and tests.
pub fn score_among(
    mutants: &[Mutant],
    builds: &[&Replayer],
    tests: &[TestCase<'_>],
    chosen: &dyn Fn(usize, Vec<usize>) -> Vec<usize>,
    limits: &ReplayLimits,
    progress: &mut dyn FnMut(ScoringProgress),
) -> Result<ScoredMutants, ReplayError> {
    let mut rounds = ScoringRounds {
        builds,
        tests,
        limits,
        scored: ScoredMutants {
            missing: MissingProtections::default(),
            ..ScoredMutants::default()
        },
    };
    let baselines = match rounds.baselines(progress) {
        Err(ReplayError::Ended(_)) => {
            rounds.scored.verdicts = vec![MutantVerdict::no_time(); mutants.len()];
            rounds.scored.undecided = mutants.len();
            return Ok(rounds.scored);
        }
        baselines => baselines?,
    };
    let mut by_point: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (test, baseline) in &baselines {
        for point in baseline.points() {
            by_point.entry(*point).or_default().push(*test);
        }
    }
    let mut alive: Vec<LiveMutant> = Vec::new();
    for (index, mutant) in mutants.iter().enumerate() {
        let reaching = by_point.get(&mutant.point).cloned().unwrap_or_default();
        let mut verdict = MutantVerdict::open(!reaching.is_empty());
        let left = chosen(index, reaching);
        match left.is_empty() {
            true if verdict.reached => verdict.because(AliveReason::SameOutputs),
            true => {}
            false => alive.push(LiveMutant { index, left }),
        }
        rounds.scored.verdicts.push(verdict);
    }
    let mut kills = KillCounts::default();
    while !alive.is_empty() {
        let mut next = Vec::new();
        let mut waiting = alive.into_iter().peekable();
        while waiting.peek().is_some() {
            let batch: Vec<LiveMutant> = waiting.by_ref().take(RUNS_PER_BATCH).collect();
            let size = batch.len();
            match rounds.batch(batch, mutants, &baselines, &mut kills) {
                Err(ReplayError::Ended(_)) => {
                    rounds.scored.undecided = size + next.len() + waiting.len();
                    return Ok(rounds.scored);
                }
                going_on => next.extend(going_on?),
            }
            progress(ScoringProgress::Mutants {
                done: mutants.len() - next.len() - waiting.len(),
                killed: kills.by_test.values().map(|n| *n as usize).sum(),
                all: mutants.len(),
            });
        }
        alive = next;
    }
    Ok(rounds.scored)
}

/// A mutant with the tests that it has not met.
struct LiveMutant {
    index: usize,
    left: Vec<usize>,
}

/// Which tests kill: overall and at each point.
#[derive(Default)]
struct KillCounts {
    by_test: BTreeMap<usize, u32>,
    at_point: BTreeMap<(u32, usize), u32>,
}

impl KillCounts {
    fn note(&mut self, point: u32, test: usize) {
        *self.by_test.entry(test).or_default() += 1;
        *self.at_point.entry((point, test)).or_default() += 1;
    }

    /// Takes out the test that has killed most at the point, then that which has killed most, then
    /// the first.
    fn take_best(&self, point: u32, left: &mut Vec<usize>) -> Option<usize> {
        let rank = |test: usize| {
            let here = self.at_point.get(&(point, test)).copied();
            let all = self.by_test.get(&test).copied();
            (here.unwrap_or(0), all.unwrap_or(0))
        };
        let best = (0..left.len()).max_by_key(|place| (rank(left[*place]), Reverse(*place)))?;
        Some(left.remove(best))
    }
}

struct ScoringRounds<'a> {
    builds: &'a [&'a Replayer],
    tests: &'a [TestCase<'a>],
    limits: &'a ReplayLimits,
    scored: ScoredMutants,
}

impl ScoringRounds<'_> {
    /// Two runs of each test without any mutant, in two processes: what depends on addresses is
    /// the same in one.
    fn baselines(
        &mut self,
        progress: &mut dyn FnMut(ScoringProgress),
    ) -> Result<BTreeMap<usize, Baseline>, ReplayError> {
        let mut all = BTreeMap::new();
        let numbers: Vec<usize> = (0..self.tests.len()).collect();
        for batch in numbers.chunks(RUNS_PER_BATCH) {
            progress(ScoringProgress::Baselines {
                done: batch[0],
                all: numbers.len(),
            });
            let original = |test: &usize| (*test, ActiveMutant::default());
            let runs: Vec<_> = batch.iter().map(original).collect();
            let (first, second) = (self.run(&runs)?, self.run(&runs)?);
            for ((test, first), second) in batch.iter().zip(first).zip(&second) {
                match Baseline::new(first, second) {
                    Ok(baseline) => {
                        if !baseline.unstable().is_empty() {
                            let unstable = baseline.unstable().clone();
                            self.scored.unstable.insert(*test, unstable);
                        }
                        all.insert(*test, baseline);
                    }
                    Err(why) => {
                        self.scored.unusable.insert(*test, why);
                    }
                }
            }
        }
        Ok(all)
    }

    /// Each of these mutants meets one test; those come back that go on.
    fn batch(
        &mut self,
        mut batch: Vec<LiveMutant>,
        mutants: &[Mutant],
        baselines: &BTreeMap<usize, Baseline>,
        kills: &mut KillCounts,
    ) -> Result<Vec<LiveMutant>, ReplayError> {
        let mut runs = Vec::new();
        for alive in &mut batch {
            let mutant = &mutants[alive.index];
            let Some(test) = kills.take_best(mutant.point, &mut alive.left) else {
                continue;
            };
            let steps = baselines[&test].steps();
            let active = ActiveMutant {
                point: mutant.point,
                alternative: mutant.alternative,
                most_steps: steps.saturating_mul(STEP_FACTOR).max(MIN_STEP_LIMIT),
            };
            runs.push((test, active));
        }
        let seen = self.differences(&runs, baselines)?;
        let mut going_on = Vec::new();
        for ((alive, (test, _)), difference) in batch.into_iter().zip(runs).zip(seen) {
            let verdict = &mut self.scored.verdicts[alive.index];
            verdict.runs += 1;
            match difference {
                Some((fate, how)) => {
                    verdict.kill(fate, test, how);
                    kills.note(mutants[alive.index].point, test);
                }
                None if alive.left.is_empty() => verdict.because(AliveReason::SameOutputs),
                None => going_on.push(alive),
            }
        }
        Ok(going_on)
    }

    /// How runs with mutants differ from those without. A mutant may read what happens to lie behind an
    /// object: outputs count as different only if they are so again in another process, where
    /// addresses are others.
    fn differences(
        &mut self,
        runs: &[(usize, ActiveMutant)],
        baselines: &BTreeMap<usize, Baseline>,
    ) -> Result<Vec<Option<(MutantFate, String)>>, ReplayError> {
        let seen = self.run(runs)?;
        let of = |((test, _), seen): (&(usize, ActiveMutant), &Observation)| {
            baselines[test].difference(seen)
        };
        let mut found: Vec<_> = runs.iter().zip(&seen).map(of).collect();
        let killed = |place: &usize| matches!(found[*place], Some((MutantFate::Killed, _)));
        let places: Vec<usize> = (0..runs.len()).filter(killed).collect();
        let again: Vec<_> = places.iter().map(|place| runs[*place]).collect();
        if again.is_empty() {
            return Ok(found);
        }
        let seen = self.run(&again)?;
        for ((place, run), seen) in places.into_iter().zip(&again).zip(&seen) {
            if baselines[&run.0].difference(seen).is_none() {
                found[place] = None;
            }
        }
        Ok(found)
    }

    /// Runs tests, each with the program that it is for.
    fn run(&mut self, runs: &[(usize, ActiveMutant)]) -> Result<Vec<Observation>, ReplayError> {
        let mut all: Vec<Option<Observation>> = vec![None; runs.len()];
        for (number, replayer) in self.builds.iter().enumerate() {
            let places: Vec<usize> = (0..runs.len())
                .filter(|place| self.tests[runs[*place].0].build == number)
                .collect();
            let cases: Vec<(ReplayCase<'_>, ActiveMutant)> = places
                .iter()
                .map(|place| (self.tests[runs[*place].0].case, runs[*place].1))
                .collect();
            let seen = replayer.run_mutants(&cases, self.limits)?;
            self.scored.native_runs += seen.len();
            for (place, seen) in places.into_iter().zip(seen) {
                self.scored.missing = self.scored.missing.and(seen.missing);
                all[place] = Some(seen);
            }
        }
        Ok(all.into_iter().flatten().collect())
    }
}
