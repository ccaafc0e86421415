//! Threads: each explores on its own, and their reports are put together at the end.

use super::shared_findings::SharedFindings;
use crate::error::EngineError;
use crate::report::{Report, Stop};

/// Runs `work` on so many threads; it is told whether it is the first, which starts at the root.
pub(crate) fn run_threads(
    threads: usize,
    shared: &SharedFindings<'_>,
    work: impl Fn(bool) -> Result<Report, EngineError> + Sync,
) -> Result<Report, EngineError> {
    if threads == 1 {
        return work(true);
    }
    let reports: Vec<Result<Report, EngineError>> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| work(false))).collect();
        let mut reports = vec![work(true)];
        for other in others {
            reports.push(other.join().unwrap_or(Err(EngineError::WorkerPanicked)));
        }
        reports
    });
    let mut reports = reports
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?
        .into_iter();
    let Some(mut all) = reports.next() else {
        return Err(EngineError::WorkerPanicked);
    };
    for report in reports {
        merge(&mut all, report);
    }
    all.distinct_paths = shared.traces();
    all.vectors = shared.vectors();
    Ok(all)
}

/// Adds the report of another thread.
fn merge(all: &mut Report, mut other: Report) {
    for mut fault in other.faults {
        let known = all
            .faults
            .iter()
            .any(|f| f.kind == fault.kind && f.loc == fault.loc);
        if !known {
            fault.test += all.tests.len();
            all.faults.push(fault);
        }
    }
    all.tests.append(&mut other.tests);
    all.turns.append(&mut other.turns);
    all.claims.list.append(&mut other.claims.list);
    all.claims.left_out += other.claims.left_out;
    let known = all.frontier_claims.list.len();
    let steps = other.frontier.values_mut().flat_map(|p| &mut p.steps);
    for number in steps.flat_map(|step| &mut step.claims) {
        *number += known;
    }
    all.frontier.append(&mut other.frontier);
    let mut claims = other.frontier_claims;
    all.frontier_claims.list.append(&mut claims.list);
    all.frontier_claims.left_out += claims.left_out;
    // If one thread had to stop, the search has stopped for that reason: the others merely ran out
    // of work.
    if all.stop == Stop::Exhausted {
        all.stop = other.stop;
    }
    all.assumptions.extend(other.assumptions);
    all.assumptions.sort();
    all.assumptions.dedup();
    all.faulted.extend(other.faulted);
    for (objective, why) in other.unproved {
        all.unproved.entry(objective).or_default().extend(why);
    }
    for (function, count) in other.pinned {
        *all.pinned.entry(function).or_default() += count;
    }
    for (gap, count) in other.gaps {
        *all.gaps.entry(gap).or_default() += count;
    }
    all.work.add(&other.work);
    all.solver.add(&other.solver);
    for ((_, total), (_, size)) in all.sizes.iter_mut().zip(other.sizes) {
        *total += size;
    }
}
