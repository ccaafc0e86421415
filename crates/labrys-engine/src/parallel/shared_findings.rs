//! What the threads of an exploration share: which objectives are covered, which paths
//! were seen, and work that moves from one to the other.
//!
//! Threads share nothing else: each has its own expressions, solver and candidates. Work moves as
//! the input of a run and the fork at which to leave it, and is found again by replaying it.

use crate::bitset::BitSet;
use crate::inputs::InputKey;
use crate::mcdc::{DeferredTests, NewPairs, Pairs};
use crate::objectives::ObjectiveMap;
use crate::report::{Observer, Test, Work};
use labrys_ledger::OutcomeVector;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A candidate of another thread.
pub(crate) struct Job {
    /// The input of the run that left it, variable by variable.
    pub(crate) inputs: Vec<(InputKey, Vec<u64>)>,
    /// The fork on its path, and which of the ways there.
    pub(crate) number: u32,
    pub(crate) ordinal: u32,
    /// See [`crate::candidates::Candidate`].
    pub(crate) repeats: bool,
}

pub(crate) struct SharedFindings<'o> {
    objectives: &'o ObjectiveMap,
    found: Mutex<FindingsSoFar>,
    work: Mutex<JobQueue>,
    wake: Condvar,
    /// Threads that wait, minus jobs that are ready for them.
    wanted: AtomicUsize,
    /// Objectives of the ledger that are covered or excluded.
    decided: AtomicUsize,
    /// Those of them that nothing can cover.
    excluded: AtomicUsize,
    /// The same with halves of pairs, and evaluations: what threads may not know of each other.
    version: AtomicUsize,
    paths: AtomicU64,
    /// Runs that rested or were suspended before the end of their path.
    rests: AtomicU64,
    /// How many there were when something new was covered last.
    news_after: AtomicU64,
    observer: Mutex<&'o mut dyn Observer>,
}

/// What a path covers that was not covered before.
#[derive(Default)]
pub(crate) struct NewCoverage {
    /// New to the thread.
    pub(crate) news: Vec<usize>,
    /// New to all threads.
    pub(crate) fresh: Vec<usize>,
}

/// What a thread has seen of the findings of all.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SyncPoint {
    version: usize,
    vectors: usize,
}

#[derive(Default)]
struct FindingsSoFar {
    covered: BitSet,
    pairs: Pairs,
    /// The evaluations of decisions with pairs, in the order in which they came.
    vectors: Vec<(u32, OutcomeVector)>,
    traces: FxHashSet<u64>,
    deferred_tests: DeferredTests,
}

struct JobQueue {
    jobs: VecDeque<Job>,
    waiting: usize,
    threads: usize,
    done: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'o> SharedFindings<'o> {
    pub(crate) fn new(
        threads: usize,
        objectives: &'o ObjectiveMap,
        observer: &'o mut dyn Observer,
    ) -> Self {
        let queue = JobQueue {
            jobs: VecDeque::new(),
            waiting: 0,
            threads,
            done: false,
        };
        let found = FindingsSoFar {
            pairs: Pairs::new(&objectives.pair_decisions),
            ..FindingsSoFar::default()
        };
        SharedFindings {
            objectives,
            found: Mutex::new(found),
            work: Mutex::new(queue),
            wake: Condvar::new(),
            wanted: AtomicUsize::new(0),
            decided: AtomicUsize::new(0),
            excluded: AtomicUsize::new(0),
            version: AtomicUsize::new(0),
            paths: AtomicU64::new(0),
            rests: AtomicU64::new(0),
            news_after: AtomicU64::new(0),
            observer: Mutex::new(observer),
        }
    }

    /// Number of objectives of the ledger that nobody has to look for any more.
    pub(crate) fn decided(&self) -> usize {
        self.decided.load(Ordering::Relaxed)
    }

    /// Which ones, and halves of pairs.
    pub(crate) fn decided_objectives(&self) -> BitSet {
        lock(&self.found).covered.clone()
    }

    /// Enters objectives that nothing can cover.
    pub(crate) fn exclude(
        &self,
        objectives: &BitSet,
        local: &mut BitSet,
        seen: &mut SyncPoint,
    ) -> Vec<usize> {
        let NewCoverage { news, fresh } = self.cover(objectives, local, seen);
        // Halves of pairs are no objectives of the ledger.
        let listed = fresh.iter().filter(|o| self.objectives.is_listed(**o));
        self.excluded.fetch_add(listed.count(), Ordering::Relaxed);
        news
    }

    pub(crate) fn paths(&self) -> u64 {
        self.paths.load(Ordering::Relaxed)
    }

    /// Paths, and runs that rested on the way.
    pub(crate) fn runs(&self) -> u64 {
        self.paths() + self.rests.load(Ordering::Relaxed)
    }

    pub(crate) fn count_rest(&self) {
        self.rests.fetch_add(1, Ordering::Relaxed);
    }

    /// After how many runs something new was covered last.
    pub(crate) fn news_after(&self) -> u64 {
        self.news_after.load(Ordering::Relaxed)
    }

    pub(crate) fn count_path(&self) {
        self.paths.fetch_add(1, Ordering::Relaxed);
    }

    /// Number of different traces.
    pub(crate) fn traces(&self) -> u64 {
        lock(&self.found).traces.len() as u64
    }

    /// True if no path had this trace before.
    pub(crate) fn new_trace(&self, trace: u64) -> bool {
        lock(&self.found).traces.insert(trace)
    }

    /// Enters what a path covers. `local` is brought up to date as far as this path is concerned.
    pub(crate) fn cover(
        &self,
        hits: &BitSet,
        local: &mut BitSet,
        seen: &mut SyncPoint,
    ) -> NewCoverage {
        let news: Vec<usize> = hits.iter().filter(|o| !local.contains(*o)).collect();
        if news.is_empty() {
            return NewCoverage::default();
        }
        let mut found = lock(&self.found);
        self.enter(&mut found, news, local, seen)
    }

    fn enter(
        &self,
        found: &mut FindingsSoFar,
        news: Vec<usize>,
        local: &mut BitSet,
        seen: &mut SyncPoint,
    ) -> NewCoverage {
        let mut fresh = Vec::new();
        for objective in &news {
            local.insert(*objective);
            if !found.covered.contains(*objective) {
                found.covered.insert(*objective);
                fresh.push(*objective);
            }
        }
        let listed = fresh.iter().filter(|o| self.objectives.is_listed(**o));
        self.decided.fetch_add(listed.count(), Ordering::Relaxed);
        if !fresh.is_empty() {
            self.news_after.store(self.runs(), Ordering::Relaxed);
        }
        self.count(fresh.len(), seen);
        NewCoverage { news, fresh }
    }

    /// Counts what is new to the others; the thread itself knows it.
    fn count(&self, fresh: usize, seen: &mut SyncPoint) {
        let before = self.version.fetch_add(fresh, Ordering::Relaxed);
        if before == seen.version {
            seen.version += fresh;
        }
    }

    /// Enters the evaluations of decisions with pairs that a thread has not seen before.
    pub(crate) fn pair(
        &self,
        vectors: &[(u32, OutcomeVector)],
        local: (&mut BitSet, &mut Pairs),
        seen: &mut SyncPoint,
    ) -> (NewCoverage, NewPairs) {
        if vectors.is_empty() {
            return Default::default();
        }
        let pair_decisions = &self.objectives.pair_decisions;
        let (covered, pairs) = local;
        let mut found = lock(&self.found);
        let (mut own, mut all) = (NewPairs::default(), NewPairs::default());
        for (goal, vector) in vectors {
            pairs.add(pair_decisions, *goal, *vector, &mut own);
            found.pairs.add(pair_decisions, *goal, *vector, &mut all);
        }
        found.vectors.extend_from_slice(vectors);
        if found.vectors.len() - vectors.len() == seen.vectors {
            seen.vectors = found.vectors.len();
        }
        self.count(vectors.len(), seen);
        let mut news = std::mem::take(&mut all.covered);
        news.retain(|o| !covered.contains(*o));
        let covered = self.enter(&mut found, news, covered, seen);
        all.changed = own.changed;
        (covered, all)
    }

    /// Keeps a test that is of use only if others join it. False if it should be kept at once,
    /// since there are few, or more than can be deferred.
    pub(crate) fn defer(&self, test: &Test, vectors: &[(u32, OutcomeVector)]) -> bool {
        lock(&self.found).deferred_tests.put(test, vectors)
    }

    /// Tests that were deferred and that make a pair with one of these evaluations.
    pub(crate) fn take_partners(&self, vectors: &[(u32, OutcomeVector)]) -> Vec<Test> {
        let pair_decisions = &self.objectives.pair_decisions;
        lock(&self.found)
            .deferred_tests
            .take_partners(pair_decisions, vectors)
    }

    /// All evaluations of decisions with pairs that were of interest, by the decisions' numbers.
    pub(crate) fn vectors(&self) -> Vec<(u32, OutcomeVector)> {
        let pair_decisions = &self.objectives.pair_decisions.list;
        let found = lock(&self.found);
        let named = |(goal, vector): &(u32, OutcomeVector)| {
            (pair_decisions[*goal as usize].decision, *vector)
        };
        let mut vectors: Vec<(u32, OutcomeVector)> = found.vectors.iter().map(named).collect();
        vectors.sort_unstable();
        vectors.dedup();
        vectors
    }

    /// Has anybody found more than a thread has seen?
    pub(crate) fn is_behind(&self, seen: &SyncPoint) -> bool {
        self.version.load(Ordering::Relaxed) != seen.version
    }

    /// Brings a thread up to date; returns what is new to it.
    pub(crate) fn catch_up(
        &self,
        local: &mut BitSet,
        pairs: &mut Pairs,
        seen: &mut SyncPoint,
    ) -> Vec<usize> {
        let found = lock(&self.found);
        seen.version = self.version.load(Ordering::Relaxed);
        let mut known = NewPairs::default();
        for (goal, vector) in found.vectors.iter().skip(seen.vectors) {
            pairs.add(&self.objectives.pair_decisions, *goal, *vector, &mut known);
        }
        seen.vectors = found.vectors.len();
        let news: Vec<usize> = found
            .covered
            .iter()
            .filter(|o| !local.contains(*o))
            .collect();
        news.iter().for_each(|o| local.insert(*o));
        news
    }

    /// Does a thread wait for work?
    #[inline]
    pub(crate) fn a_thread_waits(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn give(&self, job: Job) {
        let mut queue = lock(&self.work);
        queue.jobs.push_back(job);
        self.note_wanted(&queue);
        self.wake.notify_one();
    }

    /// Waits for work; `None` when there is none left for anybody.
    pub(crate) fn next_job(&self) -> Option<Job> {
        let mut queue = lock(&self.work);
        queue.waiting += 1;
        loop {
            if let Some(job) = queue.jobs.pop_front() {
                queue.waiting -= 1;
                self.note_wanted(&queue);
                return Some(job);
            }
            if queue.done || queue.waiting == queue.threads {
                queue.done = true;
                self.wake.notify_all();
                return None;
            }
            self.note_wanted(&queue);
            queue = self
                .wake
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Work that waits for a thread, without waiting for it.
    pub(crate) fn take_job(&self) -> Option<Job> {
        let mut queue = lock(&self.work);
        let job = queue.jobs.pop_front();
        self.note_wanted(&queue);
        job
    }

    /// Ends the exploration for all threads.
    pub(crate) fn finish(&self) {
        lock(&self.work).done = true;
        self.wake.notify_all();
    }

    fn note_wanted(&self, queue: &JobQueue) {
        let wanted = queue.waiting.saturating_sub(queue.jobs.len());
        self.wanted.store(wanted, Ordering::Relaxed);
    }

    pub(crate) fn test(&self, test: &Test, work: &Work) {
        // Other threads have run paths, too.
        let work = Work {
            paths: self.paths(),
            ..work.clone()
        };
        lock(&self.observer).test(test, &work);
    }

    pub(crate) fn progress(&self, work: &Work, waiting: usize) {
        let covered = self.decided() - self.excluded.load(Ordering::Relaxed);
        lock(&self.observer).progress(work, waiting, covered);
    }
}
