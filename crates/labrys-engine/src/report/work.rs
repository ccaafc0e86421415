//! Counters of the work done.

use crate::end::PathEnd;

/// Leaves: candidates that are there to cover a label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LabelWork {
    /// Leaves for which an input was asked.
    pub tried: u64,
    /// Refuted, when they were made or when they were tried.
    pub infeasible: u64,
    /// Paths that have covered their label as its leaf.
    pub covered: u64,
    /// Leaves that were not tried because their label was covered meanwhile.
    pub dropped: u64,
}

/// Fault checks that were asked when everything was covered, by answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultCheckWork {
    pub asked: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
}

/// What the engine did; sums over the whole run.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Paths that were run to an end, discarded ones not counted.
    pub paths: u64,
    /// Those among them that come from detours: other candidates lead to the same paths.
    pub repeats: u64,
    pub instructions: u64,
    /// Ends of paths, by [`PathEnd::number`].
    pub ends: [u64; PathEnd::NAMES.len()],
    pub labels: LabelWork,
    pub fault_checks: FaultCheckWork,
    /// Candidates whose condition was refuted when they were made, at no cost.
    pub cheap_unsat: u64,
    /// Candidates that could cover nothing when they were made, and those that waited until the
    /// last objective was covered for which they were good.
    pub filtered: u64,
    pub filtered_later: u64,
    /// Candidates refuted when they were taken.
    pub infeasible: u64,
    /// Candidates on which the solver gave up.
    pub undecided: u64,
    /// Inputs put together of others that were tried, and those that have shown something new.
    pub trials: u64,
    pub fruitful_trials: u64,
    /// Values fixed to a concrete one, the others left as candidates.
    pub pinned: u64,
    /// Pointers out of input bytes, for which nothing is proved.
    pub wild_pointers: u64,
    /// Snapshots dropped for want of memory, and paths replayed because of that.
    pub dropped: u64,
    pub replayed: u64,
    /// Candidates put aside for want of memory: the search is not complete.
    pub abandoned: u64,
    /// Instructions of these replays, which are among all instructions.
    pub replay_instructions: u64,
    /// How often dead expressions were collected.
    pub collections: u64,
    /// Queries for values that are easier to read; they are not among those of the search.
    pub value_queries: u64,
    /// What the choice of these values took: counted steps of about 4 ns, and seconds.
    pub value_steps: u64,
    pub values_s: f64,
    /// The largest number of candidates that waited at the same time.
    pub most_candidates: usize,
}

impl Work {
    /// Paths without those that other candidates lead to as well: if nothing waits any more, each path
    /// counts once.
    pub fn different_paths(&self) -> u64 {
        self.paths - self.repeats
    }

    /// Adds the work of another thread.
    pub(crate) fn add(&mut self, other: &Work) {
        self.paths += other.paths;
        self.repeats += other.repeats;
        self.instructions += other.instructions;
        for (count, more) in self.ends.iter_mut().zip(other.ends) {
            *count += more;
        }
        self.labels.tried += other.labels.tried;
        self.labels.infeasible += other.labels.infeasible;
        self.labels.covered += other.labels.covered;
        self.labels.dropped += other.labels.dropped;
        self.fault_checks.asked += other.fault_checks.asked;
        self.fault_checks.sat += other.fault_checks.sat;
        self.fault_checks.unsat += other.fault_checks.unsat;
        self.fault_checks.unknown += other.fault_checks.unknown;
        self.cheap_unsat += other.cheap_unsat;
        self.filtered += other.filtered;
        self.filtered_later += other.filtered_later;
        self.infeasible += other.infeasible;
        self.undecided += other.undecided;
        self.trials += other.trials;
        self.fruitful_trials += other.fruitful_trials;
        self.pinned += other.pinned;
        self.wild_pointers += other.wild_pointers;
        self.dropped += other.dropped;
        self.replayed += other.replayed;
        self.abandoned += other.abandoned;
        self.replay_instructions += other.replay_instructions;
        self.collections += other.collections;
        self.value_queries += other.value_queries;
        self.value_steps += other.value_steps;
        self.values_s += other.values_s;
        self.most_candidates += other.most_candidates;
    }
}
