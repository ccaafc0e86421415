//! Keeps the snapshots of waiting candidates within the memory that the run may use. Snapshots are
//! a cache: a candidate without one is reached again by replaying its path from its input.

use crate::search::Strategy;
use crate::stats::Work;

/// How many paths run between two looks at the memory.
const CHECK_EVERY: u64 = 256;

/// Drops the older half of the snapshots if the process uses more than `limit` bytes.
pub(crate) fn keep_within(limit: u64, pool: &mut dyn Strategy, work: &mut Work) {
    if work.paths % CHECK_EVERY != 0 || resident_bytes().is_none_or(|used| used < limit / 8 * 7) {
        return;
    }
    let half = pool.len().div_ceil(2);
    for candidate in pool.waiting().take(half) {
        if candidate.snapshot.take().is_some() {
            work.dropped += 1;
        }
    }
}

/// Resident memory of this process.
pub fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
