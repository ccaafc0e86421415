//! Runs all mutants of a test at once: the process of the original splits off those that become
//! different (`labrys_suite::SplitTest`). The mutants are divided into parts, which are worked on
//! side by side; what cannot be split comes back.

use crate::scoring::{LiveMutant, Look, ScoredMutants, ScoringProgress, ScoringWork};
use crate::verdict::MutantFate;
use labrys_suite::{MissingProtections, ReplayError, SplitMutants, SplitObservation, SplitTest};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Mutants of one part: a process is started for each, and progress is told behind it.
const MUTANTS_PER_PART: usize = 512;

/// Runs the mutants until each is decided, as far as its tests can be split; the others come back
/// with the tests that are left, and the tests that could not be split.
pub(crate) fn run(
    work: &ScoringWork<'_>,
    alive: Vec<LiveMutant>,
    scored: &mut ScoredMutants,
    progress: &mut dyn FnMut(ScoringProgress),
) -> Result<(Vec<LiveMutant>, BTreeSet<usize>), ReplayError> {
    let jobs = work.limits.jobs.max(1);
    let size = alive.len().div_ceil(jobs).clamp(1, MUTANTS_PER_PART);
    let order = order_of_tests(&alive);
    let parts: Vec<&[LiveMutant]> = alive.chunks(size).collect();
    let run_part = |part: &[LiveMutant]| MutantPart::new(work, &order, part.to_vec()).run();
    let mut waiting = alive.len();
    let mut unsplit: BTreeMap<usize, Vec<LiveMutant>> = BTreeMap::new();
    let mut refused = BTreeSet::new();
    let mut accept = |number: usize, done: Result<MutantPart<'_>, ReplayError>| {
        waiting -= parts[number].len();
        let done = done?;
        refused.extend(&done.refused);
        unsplit.insert(number, done.take_over(scored));
        let left: usize = unsplit.values().map(Vec::len).sum();
        work.tell(waiting + left, scored, progress);
        Ok::<(), ReplayError>(())
    };
    if jobs.min(parts.len()) <= 1 {
        for (number, part) in parts.iter().enumerate() {
            accept(number, run_part(part))?;
        }
    } else {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for _ in 0..jobs.min(parts.len()) {
                let (sender, next, parts, run_part) = (sender.clone(), &next, &parts, &run_part);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(part) = parts.get(number) else { break };
                        if sender.send((number, run_part(part))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            results
                .into_iter()
                .try_for_each(|(number, done)| accept(number, done))
        })?;
    }
    Ok((unsplit.into_values().flatten().collect(), refused))
}

/// The ranks of the tests. Those that come to most mutants go first, so that the mutants which
/// they kill are not run with the others.
fn order_of_tests(alive: &[LiveMutant]) -> BTreeMap<usize, Reverse<usize>> {
    let mut order: BTreeMap<usize, Reverse<usize>> = BTreeMap::new();
    for test in alive.iter().flat_map(|mutant| &mutant.left) {
        order.entry(*test).or_default().0 += 1;
    }
    order
}

/// Some mutants, and what was seen of them so far.
struct MutantPart<'a> {
    work: &'a ScoringWork<'a>,
    order: &'a BTreeMap<usize, Reverse<usize>>,
    alive: Vec<LiveMutant>,
    /// Tests that cannot be split.
    refused: BTreeSet<usize>,
    kills: Vec<(usize, usize, MutantFate, String)>,
    /// How many tests each has met, by its place in `alive`.
    met: Vec<u32>,
    killed: Vec<bool>,
    native_runs: usize,
    missing: MissingProtections,
    ended: bool,
}

/// A difference that one run has shown: the place of the mutant, the test, what it was.
struct SeenDifference {
    place: u32,
    test: usize,
    fate: MutantFate,
    how: String,
}

impl<'a> MutantPart<'a> {
    fn new(
        work: &'a ScoringWork<'a>,
        order: &'a BTreeMap<usize, Reverse<usize>>,
        alive: Vec<LiveMutant>,
    ) -> Self {
        MutantPart {
            work,
            order,
            refused: BTreeSet::new(),
            kills: Vec::new(),
            met: vec![0; alive.len()],
            killed: vec![false; alive.len()],
            alive,
            native_runs: 0,
            missing: MissingProtections::default(),
            ended: false,
        }
    }

    /// Each turn runs all tests that are left. A mutant may have differed in a way that says
    /// nothing, and then has not met the tests behind that one: they are left for another turn.
    fn run(mut self) -> Result<Self, ReplayError> {
        for build in 0..self.work.builds.len() {
            loop {
                let tests = self.pending(build);
                if tests.is_empty() || self.ended {
                    break;
                }
                let mut first = self.observe(build, &tests)?;
                let second = first.split_off(tests.len().min(first.len()));
                let seen = self.first_look(&tests, first);
                let (sure, doubtful): (Vec<_>, Vec<_>) = seen
                    .into_iter()
                    .partition(|seen| seen.fate != MutantFate::Killed);
                let confirmed = self.second_look(&tests, second, doubtful);
                for seen in sure.into_iter().chain(confirmed) {
                    self.killed[seen.place as usize] = true;
                    let index = self.alive[seen.place as usize].index;
                    self.kills.push((index, seen.test, seen.fate, seen.how));
                }
            }
        }
        Ok(self)
    }

    /// The tests of a build with the places of the mutants that wait for them.
    fn pending(&self, build: usize) -> Vec<(usize, Vec<u32>)> {
        let mut waiting: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for (place, mutant) in self.alive.iter().enumerate() {
            if self.killed[place] && !self.work.options.all_kills {
                continue;
            }
            let can = |test: &&usize| {
                self.work.tests[**test].build == build
                    && !self.refused.contains(*test)
                    && self.work.baselines[*test].can_be_split()
            };
            for test in mutant.left.iter().filter(can) {
                waiting.entry(*test).or_default().push(place as u32);
            }
        }
        let mut tests: Vec<_> = waiting.into_iter().collect();
        tests.sort_by_key(|(test, _)| (self.order.get(test).copied(), *test));
        tests
    }

    /// Notes which mutants have met the tests, and what differs.
    fn first_look(
        &mut self,
        tests: &[(usize, Vec<u32>)],
        observed: Vec<SplitObservation>,
    ) -> Vec<SeenDifference> {
        let drops = !self.work.options.all_kills;
        let mut dropped: BTreeSet<u32> = BTreeSet::new();
        let mut found = Vec::new();
        for ((test, mutants), seen) in tests.iter().zip(observed) {
            if !seen.usable {
                self.refused.insert(*test);
                continue;
            }
            for place in mutants.iter().filter(|place| !dropped.contains(place)) {
                self.met[*place as usize] += 1;
                self.alive[*place as usize].left.retain(|left| left != test);
            }
            for place in seen.infected {
                if let Some(mutant) = self.alive.get_mut(place as usize) {
                    mutant.may_be_infected = true;
                }
            }
            for (mutants, observation) in seen.different {
                let difference = self.work.baselines[test].difference(&observation);
                self.missing = self.missing.and(observation.missing);
                for place in mutants {
                    if drops {
                        dropped.insert(place);
                    }
                    if let Some((fate, how)) = difference.clone() {
                        found.push(SeenDifference {
                            place,
                            test: *test,
                            fate,
                            how,
                        });
                    }
                }
            }
        }
        found
    }

    /// Outputs count as different only if they are so in both looks.
    fn second_look(
        &mut self,
        tests: &[(usize, Vec<u32>)],
        observed: Vec<SplitObservation>,
        doubtful: Vec<SeenDifference>,
    ) -> Vec<SeenDifference> {
        let mut differ: BTreeSet<(usize, u32)> = BTreeSet::new();
        for ((test, _), seen) in tests.iter().zip(&observed) {
            if !seen.usable {
                self.refused.insert(*test);
            }
            for (mutants, observation) in &seen.different {
                if self.work.baselines[test].difference(observation).is_some() {
                    differ.extend(mutants.iter().map(|place| (*test, *place)));
                }
            }
        }
        let is_sure = |seen: &SeenDifference| differ.contains(&(seen.test, seen.place));
        let (sure, unsure): (Vec<_>, Vec<_>) = doubtful.into_iter().partition(is_sure);
        for seen in unsure {
            // There was no time to look again, or the run has shown nothing.
            if self.ended || self.refused.contains(&seen.test) {
                self.alive[seen.place as usize].left.push(seen.test);
            }
        }
        sure
    }

    /// Runs tests with these mutants, all of them twice; there may be no time for the last ones.
    fn observe(
        &mut self,
        build: usize,
        tests: &[(usize, Vec<u32>)],
    ) -> Result<Vec<SplitObservation>, ReplayError> {
        let work = self.work;
        let of = |mutant: &LiveMutant| work.mutants[mutant.index].as_slice();
        let list: Vec<&[(u32, u32)]> = self.alive.iter().map(of).collect();
        let mutants = SplitMutants {
            list: &list,
            drop_different: !work.options.all_kills,
            second_shift: Look::Second.address_shift(),
        };
        let tests: Vec<SplitTest<'_>> = tests
            .iter()
            .map(|(test, mutants)| SplitTest {
                case: work.tests[*test].case,
                mutants,
                original: work.baselines[test].seen(),
                unstable: work.baselines[test].unstable(),
                most_steps: work.most_steps(*test),
            })
            .collect();
        let limits = work.limits_of(Look::First);
        let (seen, cause) = work.builds[build].run_split(&mutants, &tests, &limits)?;
        self.ended = cause.is_some();
        // The second look leaves tests out.
        let splits = seen.iter().filter(|seen| seen.processes > 0);
        self.native_runs += splits
            .map(|seen| seen.processes as usize + 1)
            .sum::<usize>();
        Ok(seen)
    }

    /// Hands over what is decided; what is left comes back.
    fn take_over(self, scored: &mut ScoredMutants) -> Vec<LiveMutant> {
        scored.native_runs += self.native_runs;
        scored.missing = scored.missing.and(self.missing);
        for (mutant, met) in self.alive.iter().zip(&self.met) {
            scored.verdicts[mutant.index].runs += met;
        }
        for (mutant, test, fate, how) in self.kills {
            scored.note_kill(mutant, test, fate, how);
        }
        let all = self.work.options.all_kills;
        // Of one that is run one by one, nobody knows.
        let never = |mutant: &&LiveMutant| !mutant.may_be_infected && mutant.left.is_empty();
        let never = self.alive.iter().filter(never).map(|mutant| mutant.index);
        scored.never_infected.extend(never);
        let mut left = Vec::new();
        for (mutant, killed) in self.alive.into_iter().zip(self.killed) {
            if mutant.left.is_empty() || (killed && !all) {
                continue;
            }
            match self.ended {
                true => {
                    scored.undecided_mutants.insert(mutant.index);
                }
                false => left.push(mutant),
            }
        }
        left
    }
}
