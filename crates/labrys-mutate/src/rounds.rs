//! Runs mutants one at a time, in rounds: in each, every mutant that is still alive meets one more
//! of the tests that come to it, the most promising first. So a mutant costs no run beyond its first
//! kill, and one process serves many runs.

use crate::scoring::{LiveMutant, Look, ScoredMutants, ScoringProgress, ScoringWork, run_tests};
use crate::verdict::MutantFate;
use labrys_suite::{ActiveMutant, Observation, ReplayError};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Which tests kill: overall and at each point.
#[derive(Default)]
struct KillCounts {
    by_test: BTreeMap<usize, u32>,
    at_point: BTreeMap<(u32, usize), u32>,
}

impl KillCounts {
    fn note(&mut self, changes: &[(u32, u32)], test: usize) {
        *self.by_test.entry(test).or_default() += 1;
        for (point, _) in changes {
            *self.at_point.entry((*point, test)).or_default() += 1;
        }
    }

    /// Takes out the test that has killed most at the points of a mutant, then that which has killed
    /// most, then the first.
    fn take_best(&self, changes: &[(u32, u32)], left: &mut Vec<usize>) -> Option<usize> {
        let rank = |test: usize| {
            let at = |(point, _): &(u32, u32)| self.at_point.get(&(*point, test)).copied();
            let here: u32 = changes.iter().filter_map(at).sum();
            let all = self.by_test.get(&test).copied();
            (here, all.unwrap_or(0))
        };
        let best = (0..left.len()).max_by_key(|place| (rank(left[*place]), Reverse(*place)))?;
        Some(left.remove(best))
    }
}

pub(crate) struct Rounds<'a> {
    work: &'a ScoringWork<'a>,
    kills: KillCounts,
}

impl<'a> Rounds<'a> {
    pub(crate) fn new(work: &'a ScoringWork<'a>) -> Self {
        Rounds {
            work,
            kills: KillCounts::default(),
        }
    }

    /// Until each mutant is decided, or the deadline.
    pub(crate) fn run(
        &mut self,
        mut alive: Vec<LiveMutant>,
        scored: &mut ScoredMutants,
        progress: &mut dyn FnMut(ScoringProgress),
    ) -> Result<(), ReplayError> {
        let batch_size = self.work.batch_size();
        while !alive.is_empty() {
            let mut next = Vec::new();
            let mut waiting = alive.into_iter().peekable();
            while waiting.peek().is_some() {
                let batch: Vec<LiveMutant> = waiting.by_ref().take(batch_size).collect();
                let places: Vec<usize> = batch.iter().map(|mutant| mutant.index).collect();
                match self.batch(batch, scored) {
                    Err(ReplayError::Ended(_)) => {
                        let others = next.iter().map(|mutant: &LiveMutant| mutant.index);
                        scored.undecided_mutants.extend(places);
                        scored.undecided_mutants.extend(others);
                        scored.undecided_mutants.extend(waiting.map(|m| m.index));
                        return Ok(());
                    }
                    going_on => next.extend(going_on?),
                }
                self.work.tell(next.len() + waiting.len(), scored, progress);
            }
            alive = next;
        }
        Ok(())
    }

    /// Each of these mutants meets one test; those come back that go on.
    fn batch(
        &mut self,
        mut batch: Vec<LiveMutant>,
        scored: &mut ScoredMutants,
    ) -> Result<Vec<LiveMutant>, ReplayError> {
        let work = self.work;
        let mut runs = Vec::new();
        for alive in &mut batch {
            let changes = &work.mutants[alive.index];
            let Some(test) = self.kills.take_best(changes, &mut alive.left) else {
                continue;
            };
            let active = ActiveMutant {
                changes,
                most_steps: work.most_steps(test),
            };
            runs.push((test, active));
        }
        let seen = self.differences(&runs, scored)?;
        let mut going_on = Vec::new();
        for ((alive, (test, _)), difference) in batch.into_iter().zip(runs).zip(seen) {
            scored.verdicts[alive.index].runs += 1;
            let killed = difference.is_some();
            if let Some((fate, how)) = difference {
                scored.note_kill(alive.index, test, fate, how);
                self.kills.note(&work.mutants[alive.index], test);
            }
            if !alive.left.is_empty() && (!killed || work.options.all_kills) {
                going_on.push(alive);
            }
        }
        Ok(going_on)
    }

    /// How runs with mutants differ from those without. Outputs count as different only if they are so
    /// in both looks.
    fn differences(
        &mut self,
        runs: &[(usize, ActiveMutant<'_>)],
        scored: &mut ScoredMutants,
    ) -> Result<Vec<Option<(MutantFate, String)>>, ReplayError> {
        let baselines = &self.work.baselines;
        let seen = self.observe(runs, Look::First, scored)?;
        let of = |((test, _), seen): (&(usize, ActiveMutant<'_>), &Observation)| {
            baselines[test].difference(seen)
        };
        let mut found: Vec<_> = runs.iter().zip(&seen).map(of).collect();
        let killed = |place: &usize| matches!(found[*place], Some((MutantFate::Killed, _)));
        let places: Vec<usize> = (0..runs.len()).filter(killed).collect();
        let again: Vec<_> = places.iter().map(|place| runs[*place]).collect();
        if again.is_empty() {
            return Ok(found);
        }
        let seen = self.observe(&again, Look::Second, scored)?;
        for ((place, run), seen) in places.into_iter().zip(&again).zip(&seen) {
            if baselines[&run.0].difference(seen).is_none() {
                found[place] = None;
            }
        }
        Ok(found)
    }

    fn observe(
        &self,
        runs: &[(usize, ActiveMutant<'_>)],
        look: Look,
        scored: &mut ScoredMutants,
    ) -> Result<Vec<Observation>, ReplayError> {
        let work = self.work;
        let limits = work.limits_of(look);
        run_tests(work.builds, work.tests, runs, &limits, scored)
    }
}
