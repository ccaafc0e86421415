//! Scores mutants: each test is run without any of them, then the mutants meet the tests that come
//! to them. Tests are split where they can be ([`crate::splits`]); what is left is run one mutant at
//! a time ([`crate::rounds`]).

use crate::oracle::{Baseline, UnusableTest};
use crate::rounds::Rounds;
use crate::splits;
use crate::verdict::{AliveReason, MutantFate, MutantVerdict};
use labrys_ledger::Mutant;
use labrys_suite::{
    ActiveMutant, MissingProtections, Observation, ReplayCase, ReplayError, ReplayLimits, Replayer,
};
use std::collections::{BTreeMap, BTreeSet};

/// Runs that are made before their observations are compared and dropped, to bound the memory.
pub(crate) const RUNS_PER_BATCH: usize = 512;

/// A batch ends after runs of about so many steps, some tenths of a second: what the deadline cuts
/// off is lost, and progress is told between batches. Endless runs take 20 times as long.
const STEPS_PER_BATCH: u64 = 20_000_000;

/// A run has timed out if it comes to mutation points 20 times as often as the original, and 20,000
/// times at least: about a millisecond, and the same result on a busy machine.
const STEP_FACTOR: u64 = 20;
const MIN_STEP_LIMIT: u64 = 20_000;

/// How often a run may come to mutation points where the original does so often.
pub fn step_limit(steps: u64) -> u64 {
    steps.saturating_mul(STEP_FACTOR).max(MIN_STEP_LIMIT)
}

/// A mutant is looked at twice before its outputs count as different, and so is the original: it may
/// read what happens to lie behind an object. The addresses of a look are the same in every way to run
/// mutants, so that all give the same verdicts; those of the two looks are different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    First,
    Second,
}

impl Look {
    /// Where objects begin ([`ReplayLimits::address_shift`]).
    pub(crate) fn address_shift(self) -> u32 {
        match self {
            Look::First => 1024,
            Look::Second => 2753,
        }
    }
}

/// A test and the program that it is for.
#[derive(Clone, Copy, Debug)]
pub struct TestCase<'a> {
    /// The number of its build.
    pub build: usize,
    pub case: ReplayCase<'a>,
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

/// How mutants are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScoringWay {
    /// All mutants of a test at once, which share what they have in common.
    #[default]
    Splitting,
    /// A run for each mutant and test.
    OneByOne,
}

/// What is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScoringOptions {
    pub way: ScoringWay,
    /// Each mutant meets all of its tests, not only those up to the first that kills it.
    pub all_kills: bool,
}

/// What all runs have shown.
#[derive(Debug, Default)]
pub struct ScoredMutants {
    /// In the order of the mutants.
    pub verdicts: Vec<MutantVerdict>,
    /// With [`ScoringOptions::all_kills`], the tests that kill each mutant, and how.
    pub kills: Vec<BTreeMap<usize, MutantFate>>,
    /// Tests that cannot tell anything, by their places, and why.
    pub unusable: BTreeMap<usize, UnusableTest>,
    /// Outputs that are others in every run, by test.
    pub unstable: BTreeMap<usize, BTreeSet<String>>,
    /// Mutants for which there was no time: survived, with that reason.
    pub undecided: usize,
    /// The same by their places.
    pub undecided_mutants: BTreeSet<usize>,
    /// Mutants of which all tests have shown that they compute what the original does.
    pub(crate) never_infected: BTreeSet<usize>,
    /// Pairs of a mutant and a test that were run one by one, since the test cannot be split.
    pub unsplit: usize,
    pub native_runs: usize,
    pub missing: MissingProtections,
}

impl ScoredMutants {
    /// A test has told a mutant from the original.
    pub(crate) fn note_kill(&mut self, mutant: usize, test: usize, fate: MutantFate, how: String) {
        self.verdicts[mutant].kill(fate, test, how);
        if let Some(kills) = self.kills.get_mut(mutant) {
            kills.insert(test, fate);
        }
    }
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
    let options = ScoringOptions::default();
    score_with(options, mutants, builds, tests, chosen, limits, progress)
}

/// The same in a way of its own.
pub fn score_with(
    options: ScoringOptions,
    mutants: &[Mutant],
    builds: &[&Replayer],
    tests: &[TestCase<'_>],
    chosen: &dyn Fn(usize, Vec<usize>) -> Vec<usize>,
    limits: &ReplayLimits,
    progress: &mut dyn FnMut(ScoringProgress),
) -> Result<ScoredMutants, ReplayError> {
    let mut scored = ScoredMutants::default();
    let mut work = ScoringWork {
        options,
        mutants: mutants.iter().map(Mutant::changes).collect(),
        builds,
        tests,
        limits,
        baselines: BTreeMap::new(),
    };
    let mut ran = work.run_originals(&mut scored, progress);
    if options.way == ScoringWay::OneByOne && ran.is_ok() {
        ran = work.run_originals_again((0..tests.len()).collect(), &mut scored);
    }
    match ran {
        Err(ReplayError::Ended(_)) => {
            scored.verdicts = vec![MutantVerdict::no_time(); mutants.len()];
            scored.undecided = mutants.len();
            scored.undecided_mutants = (0..mutants.len()).collect();
            return Ok(scored);
        }
        ran => ran?,
    }
    let mut alive = work.live_mutants(chosen, &mut scored);
    work.tell(alive.len(), &scored, progress);
    if options.way == ScoringWay::Splitting {
        let (left, refused) = splits::run(&work, alive, &mut scored, progress)?;
        alive = work.split_again(left, refused, &mut scored, progress)?;
        scored.unsplit = alive.iter().map(|mutant| mutant.left.len()).sum();
    }
    Rounds::new(&work).run(alive, &mut scored, progress)?;
    scored.undecided = scored.undecided_mutants.len();
    for (place, verdict) in scored.verdicts.iter_mut().enumerate() {
        if verdict.reached && !scored.undecided_mutants.contains(&place) {
            verdict.because(match scored.never_infected.contains(&place) {
                true => AliveReason::NeverInfected,
                false => AliveReason::SameOutputs,
            });
        }
    }
    Ok(scored)
}

/// A mutant with the tests that it has not met.
#[derive(Clone, Debug)]
pub(crate) struct LiveMutant {
    pub index: usize,
    pub left: Vec<usize>,
    /// Whether a test has shown another value than the original's, it has effects, or it does not
    /// meet all tests that come to it.
    pub may_be_infected: bool,
}

/// All that is known before the first mutant is run.
pub(crate) struct ScoringWork<'a> {
    pub options: ScoringOptions,
    /// The changes of each mutant: points with their alternatives.
    pub mutants: Vec<Vec<(u32, u32)>>,
    pub builds: &'a [&'a Replayer],
    pub tests: &'a [TestCase<'a>],
    pub limits: &'a ReplayLimits,
    /// What the usable tests show without mutants.
    pub baselines: BTreeMap<usize, Baseline>,
}

impl ScoringWork<'_> {
    /// The runs without any mutant.
    fn run_originals(
        &mut self,
        scored: &mut ScoredMutants,
        progress: &mut dyn FnMut(ScoringProgress),
    ) -> Result<(), ReplayError> {
        let all: Vec<usize> = (0..self.tests.len()).collect();
        for batch in all.chunks(RUNS_PER_BATCH) {
            progress(ScoringProgress::Baselines {
                done: batch[0],
                all: all.len(),
            });
            for (test, seen) in self.originals(batch, Look::Second, scored)? {
                let baseline = Baseline::of_one(seen);
                self.set_baseline(test, baseline, scored);
            }
        }
        Ok(())
    }

    /// Runs tests once more without any mutant, with other addresses.
    fn run_originals_again(
        &mut self,
        tests: BTreeSet<usize>,
        scored: &mut ScoredMutants,
    ) -> Result<(), ReplayError> {
        let usable = |test: &usize| self.baselines.contains_key(test);
        let tests: Vec<usize> = tests.into_iter().filter(usable).collect();
        for batch in tests.chunks(RUNS_PER_BATCH) {
            for (test, seen) in self.originals(batch, Look::First, scored)? {
                if let Some(baseline) = self.baselines.remove(&test) {
                    self.set_baseline(test, baseline.with(&seen), scored);
                }
            }
        }
        Ok(())
    }

    fn originals(
        &self,
        tests: &[usize],
        look: Look,
        scored: &mut ScoredMutants,
    ) -> Result<Vec<(usize, Observation)>, ReplayError> {
        let original = |test: &usize| (*test, ActiveMutant::default());
        let runs: Vec<_> = tests.iter().map(original).collect();
        let seen = run_tests(
            self.builds,
            self.tests,
            &runs,
            &self.limits_of(look),
            scored,
        )?;
        Ok(tests.iter().copied().zip(seen).collect())
    }

    fn set_baseline(
        &mut self,
        test: usize,
        baseline: Result<Baseline, UnusableTest>,
        scored: &mut ScoredMutants,
    ) {
        match baseline {
            Ok(baseline) => {
                if !baseline.unstable().is_empty() {
                    scored.unstable.insert(test, baseline.unstable().clone());
                }
                self.baselines.insert(test, baseline);
            }
            Err(why) => {
                scored.unusable.insert(test, why);
            }
        }
    }

    /// The first split run of a test is its second run without mutants: one that ends otherwise is
    /// refused. If that is since some of its outputs are others in every run, it is split without
    /// looking at them.
    fn split_again(
        &mut self,
        mut alive: Vec<LiveMutant>,
        refused: BTreeSet<usize>,
        scored: &mut ScoredMutants,
        progress: &mut dyn FnMut(ScoringProgress),
    ) -> Result<Vec<LiveMutant>, ReplayError> {
        match self.run_originals_again(refused.clone(), scored) {
            // There is no time: all that is left is undecided.
            Err(ReplayError::Ended(_)) => return Ok(alive),
            ended => ended?,
        }
        for mutant in &mut alive {
            mutant.left.retain(|test| self.baselines.contains_key(test));
        }
        alive.retain(|mutant| !mutant.left.is_empty());
        let unstable = |test: &usize| scored.unstable.contains_key(test);
        match refused.iter().any(unstable) {
            true => Ok(splits::run(self, alive, scored, progress)?.0),
            false => Ok(alive),
        }
    }

    /// What a test may use in a look.
    pub(crate) fn limits_of(&self, look: Look) -> ReplayLimits {
        ReplayLimits {
            address_shift: look.address_shift(),
            same_addresses: true,
            ..self.limits.clone()
        }
    }

    /// How often a run of a test may come to mutation points.
    pub(crate) fn most_steps(&self, test: usize) -> u64 {
        step_limit(self.baselines[&test].steps())
    }

    /// Tells how many mutants are decided, if so many are not.
    pub(crate) fn tell(
        &self,
        open: usize,
        scored: &ScoredMutants,
        progress: &mut dyn FnMut(ScoringProgress),
    ) {
        let killed = scored.verdicts.iter().filter(|v| v.fate.is_kill());
        progress(ScoringProgress::Mutants {
            done: self.mutants.len() - open,
            killed: killed.count(),
            all: self.mutants.len(),
        });
    }

    /// How many runs are made between two looks at the clock.
    pub(crate) fn batch_size(&self) -> usize {
        let steps: u64 = self.baselines.values().map(Baseline::steps).sum();
        let mean = steps / (self.baselines.len() as u64).max(1);
        let runs = STEPS_PER_BATCH / mean.max(1);
        usize::try_from(runs).map_or(RUNS_PER_BATCH, |runs| runs.clamp(8, RUNS_PER_BATCH))
    }

    /// The mutants that meet any test, each with those that come to one of its changes.
    fn live_mutants(
        &self,
        chosen: &dyn Fn(usize, Vec<usize>) -> Vec<usize>,
        scored: &mut ScoredMutants,
    ) -> Vec<LiveMutant> {
        let mut by_point: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (test, baseline) in &self.baselines {
            for point in baseline.points() {
                by_point.entry(*point).or_default().push(*test);
            }
        }
        let mut alive = Vec::new();
        for (index, changes) in self.mutants.iter().enumerate() {
            let points = changes.iter().filter_map(|(point, _)| by_point.get(point));
            let reaching: BTreeSet<usize> = points.flatten().copied().collect();
            let reaching: Vec<usize> = reaching.into_iter().collect();
            let all = reaching.len();
            let verdict = MutantVerdict::open(all > 0);
            scored.verdicts.push(verdict);
            let left = chosen(index, reaching);
            if !left.is_empty() {
                alive.push(LiveMutant {
                    index,
                    may_be_infected: left.len() < all,
                    left,
                });
            }
        }
        if self.options.all_kills {
            scored.kills = vec![BTreeMap::new(); self.mutants.len()];
        }
        alive
    }
}

/// Runs tests with one mutant each, or none, each with the program that it is for.
pub(crate) fn run_tests(
    builds: &[&Replayer],
    tests: &[TestCase<'_>],
    runs: &[(usize, ActiveMutant<'_>)],
    limits: &ReplayLimits,
    scored: &mut ScoredMutants,
) -> Result<Vec<Observation>, ReplayError> {
    let mut all: Vec<Option<Observation>> = vec![None; runs.len()];
    for (number, replayer) in builds.iter().enumerate() {
        let places: Vec<usize> = (0..runs.len())
            .filter(|place| tests[runs[*place].0].build == number)
            .collect();
        let cases: Vec<(ReplayCase<'_>, ActiveMutant<'_>)> = places
            .iter()
            .map(|place| (tests[runs[*place].0].case, runs[*place].1))
            .collect();
        let seen = replayer.run_mutants(&cases, limits)?;
        scored.native_runs += seen.len();
        for (place, seen) in places.into_iter().zip(seen) {
            scored.missing = scored.missing.and(seen.missing);
            all[place] = Some(seen);
        }
    }
    Ok(all.into_iter().flatten().collect())
}
