//! Keeps the snapshots of waiting candidates within the memory that the run may use. Snapshots are
//! a cache: a candidate without one is reached again by replaying its path from its input.

use super::agenda::Agenda;
use super::candidate::Candidate;
use super::leaves::Leaves;
use crate::report::Work;
use labrys_budget::{release_memory, resident_bytes};

/// After how many paths, and after how many new candidates, the memory is looked at again. Where many
/// wait, it is after a part of their number: each look may go through all of them.
const PATHS: usize = 16;
const CANDIDATES: usize = 64;
const PART_IN_PATHS: usize = 64;
const PART_IN_CANDIDATES: usize = 16;

/// So many snapshots are no memory that could be given back.
const FEW_SNAPSHOTS: usize = 1024;

/// Watches the memory of the process.
#[derive(Debug, Default)]
pub(crate) struct SnapshotBudget {
    paths: usize,
    candidates: usize,
}

impl SnapshotBudget {
    /// Called after every path that left `added` candidates. Drops the older half of the
    /// snapshots if the process uses nearly all of its memory, and those beyond the number that
    /// may be kept. False if the memory is still short when there are no more to drop.
    pub(crate) fn keep_within(
        &mut self,
        limits: SnapshotLimits,
        added: usize,
        agenda: &mut Agenda<'_>,
        leaves: &mut Leaves,
        work: &mut Work,
    ) -> bool {
        if limits.number != usize::MAX {
            let held = held(agenda, leaves);
            drop_oldest(held.saturating_sub(limits.number), agenda, leaves, work);
        }
        self.paths += 1;
        self.candidates += added;
        let waiting = agenda.len() + leaves.len();
        let is_soon = self.paths < PATHS.max(waiting / PART_IN_PATHS)
            && self.candidates < CANDIDATES.max(waiting / PART_IN_CANDIDATES);
        if is_soon {
            return true;
        }
        *self = SnapshotBudget::default();
        let is_short = || resident_bytes().is_some_and(|used| used >= nearly(limits.memory));
        if !is_short() {
            return true;
        }
        // Half of those that still have one, so that a second look helps as well.
        let held = held(agenda, leaves);
        drop_oldest(held.div_ceil(2), agenda, leaves, work);
        release_memory();
        held > FEW_SNAPSHOTS || !is_short()
    }
}

/// How many snapshots may be kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SnapshotLimits {
    /// Bytes of the whole process.
    pub(crate) memory: u64,
    pub(crate) number: usize,
}

/// From here on, memory is given back.
pub(crate) fn nearly(limit: u64) -> u64 {
    limit / 8 * 7
}

/// Drops all snapshots: nothing else helps any more.
pub(crate) fn drop_all(agenda: &mut Agenda<'_>, leaves: &mut Leaves, work: &mut Work) {
    drop_oldest(usize::MAX, agenda, leaves, work);
}

fn held(agenda: &Agenda<'_>, leaves: &mut Leaves) -> usize {
    let has_snapshot = |c: &&mut Candidate| c.snapshot.is_some();
    let held = agenda.all().filter(|c| c.snapshot.is_some()).count();
    held + leaves.waiting().filter(has_snapshot).count()
}

fn drop_oldest(number: usize, agenda: &mut Agenda<'_>, leaves: &mut Leaves, work: &mut Work) {
    let mut left = number;
    for candidate in agenda.waiting().chain(leaves.waiting()) {
        if left == 0 {
            return;
        }
        if candidate.drop_snapshot() {
            work.dropped += 1;
            left -= 1;
        }
    }
}
