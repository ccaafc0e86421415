//! Keeps the snapshots of waiting candidates within the memory that the run may use. Snapshots are
//! a cache: a candidate without one is reached again by replaying its path from its input.

use super::agenda::Agenda;
use super::candidate::Candidate;
use super::leaves::Leaves;
use crate::report::Work;

/// After how many paths, and after how many new candidates, the memory is looked at again.
const PATHS: u64 = 16;
const CANDIDATES: usize = 64;

/// Watches the memory of the process.
#[derive(Debug, Default)]
pub(crate) struct SnapshotBudget {
    paths: u64,
    candidates: usize,
}

impl SnapshotBudget {
    /// Called after every path that left `added` candidates. Drops the older half of the
    /// snapshots if the process uses nearly `limit` bytes.
    pub(crate) fn keep_within(
        &mut self,
        limit: u64,
        added: usize,
        agenda: &mut Agenda<'_>,
        leaves: &mut Leaves,
        work: &mut Work,
    ) {
        self.paths += 1;
        self.candidates += added;
        if self.paths < PATHS && self.candidates < CANDIDATES {
            return;
        }
        *self = SnapshotBudget::default();
        if resident_bytes().is_none_or(|used| used < limit / 8 * 7) {
            return;
        }
        // Half of those that still have one, so that a second look helps as well.
        let has_snapshot = |c: &&mut Candidate| c.snapshot.is_some();
        let held = agenda.all().filter(|c| c.snapshot.is_some()).count();
        let held = held + leaves.waiting().filter(has_snapshot).count();
        let mut left = held.div_ceil(2);
        for candidate in agenda.waiting().chain(leaves.waiting()) {
            if left > 0 && candidate.drop_snapshot() {
                work.dropped += 1;
                left -= 1;
            }
        }
        release_memory();
    }
}

/// Asks the allocator to give free memory back, else it would be counted on and on.
fn release_memory() {
    // SAFETY: malloc_trim has no preconditions.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Resident memory of this process.
pub fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
