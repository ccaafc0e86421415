//! `bench memory`: the memory of a large pool of candidates, and the work that a small limit
//! costs. Every run is a process of its own, so that nothing else counts.

use super::clock::run_child;
use super::lab::Lab;
use super::{Findings, announce};
use crate::product::labrys;
use labrys_driver::output::Summary;
use labrys_driver::output::summary::WorkRecord;
use labrys_driver::{Failure, Outcome};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// So many candidates wait at the same time …
const POOL: u64 = 100_000;
/// … in at most so many MiB.
const MAX_POOL_MIB: u64 = 2048;

/// A run of `labrys gen --search bfs`.
struct MemoryRun {
    name: &'static str,
    /// Symbolic bytes, each a fork.
    length: u32,
    /// Bytes of which a candidate has a copy of its own.
    buffer: u32,
    paths: Option<u64>,
    memory: &'static str,
    target: &'static str,
}

const POOLS: [MemoryRun; 2] = [
    MemoryRun {
        name: "pool, 4 KiB a candidate",
        length: 64,
        buffer: 4 << 10,
        paths: Some(6000),
        memory: "2G",
        target: "<= 2048 MiB",
    },
    MemoryRun {
        name: "pool, 64 KiB a candidate",
        length: 64,
        buffer: 64 << 10,
        paths: Some(6000),
        memory: "2G",
        target: "<= 2048 MiB",
    },
];

/// All paths of a program, without a limit and with one that it would pass.
struct MemoryComparison {
    without: MemoryRun,
    with: MemoryRun,
    limit_mib: u64,
}

const WITHOUT_LIMIT: MemoryRun = MemoryRun {
    name: "all paths, no limit",
    length: 16,
    buffer: 48 << 10,
    paths: None,
    memory: "64G",
    target: "",
};

const FULL: MemoryComparison = MemoryComparison {
    without: WITHOUT_LIMIT,
    with: MemoryRun {
        name: "all paths, 512 MiB",
        memory: "512M",
        target: "same paths",
        ..WITHOUT_LIMIT
    },
    limit_mib: 512,
};

/// In the short form a quarter of the paths of the first pool.
const SHORT_POOLS: [MemoryRun; 1] = [MemoryRun {
    paths: Some(1500),
    ..POOLS[0]
}];

/// A sixteenth of the paths with twice the memory for each, for the short form: 173 MiB without a limit.
const SHORT: MemoryComparison = MemoryComparison {
    without: MemoryRun {
        length: 12,
        buffer: 96 << 10,
        ..WITHOUT_LIMIT
    },
    with: MemoryRun {
        name: "all paths, 128 MiB",
        length: 12,
        buffer: 96 << 10,
        memory: "128M",
        target: "same paths",
        ..WITHOUT_LIMIT
    },
    limit_mib: 128,
};

pub fn run(lab: &Lab) -> Outcome<Findings> {
    let source = lab.source("memory");
    let mut findings = Findings::new(&[
        "run",
        "paths",
        "most waiting",
        "dropped",
        "replayed",
        "most memory",
        "time",
        "target",
    ]);
    let pools: &[MemoryRun] = if lab.short { &SHORT_POOLS } else { &POOLS };
    for pool in pools {
        let work = measure(lab, &source, pool, &mut findings)?;
        findings.require(work.distinct_paths == work.paths, || {
            format!(
                "{}: {} paths, only {} of them distinct",
                pool.name, work.paths, work.distinct_paths
            )
        });
        findings.demand(work.most_candidates >= POOL, || {
            format!(
                "{}: only {} candidates waited",
                pool.name, work.most_candidates
            )
        });
        findings.demand(work.peak_rss_mb <= MAX_POOL_MIB, || {
            format!(
                "{}: {} MiB, allowed {MAX_POOL_MIB}",
                pool.name, work.peak_rss_mb
            )
        });
    }
    compare(lab, &source, &mut findings)?;
    findings
        .notes
        .push("Processor time and largest resident memory of whole runs of labrys gen.".into());
    Ok(findings)
}

/// With the limit, snapshots must be dropped, and no path may be lost by that.
fn compare(lab: &Lab, source: &Path, findings: &mut Findings) -> Outcome<()> {
    let comparison = if lab.short { &SHORT } else { &FULL };
    let MemoryComparison {
        without,
        with,
        limit_mib,
    } = comparison;
    let free = measure(lab, source, without, findings)?;
    let limited = measure(lab, source, with, findings)?;
    for (work, run) in [(&free, without), (&limited, with)] {
        let expected = 1 << run.length;
        findings.require(work.distinct_paths == expected, || {
            let found = work.distinct_paths;
            format!("{}: {found} paths, not {expected}", run.name)
        });
    }
    findings.require(free.peak_rss_mb > *limit_mib && free.dropped == 0, || {
        format!(
            "without a limit the program needs only {} MiB, which tests nothing",
            free.peak_rss_mb
        )
    });
    findings.require(limited.dropped > 0 && limited.replayed > 0, || {
        format!(
            "{}: {} snapshots were dropped and {} paths replayed, which tests nothing",
            with.name, limited.dropped, limited.replayed
        )
    });
    findings.demand(limited.peak_rss_mb <= *limit_mib, || {
        format!("{}: {} MiB", with.name, limited.peak_rss_mb)
    });
    Ok(())
}

fn measure(
    lab: &Lab,
    source: &Path,
    run: &MemoryRun,
    findings: &mut Findings,
) -> Outcome<WorkRecord> {
    announce("memory", run.name);
    let labrys = labrys()?;
    let mut command = Command::new(labrys);
    command.arg("gen").arg(source).args(["--main", "--exhaust"]);
    command.args([
        "--search", "bfs", "--time", "1h", "--quiet", "--format", "json",
    ]);
    command.args(["--memory", run.memory]);
    command.arg("--out").arg(lab.path().join("memory"));
    if let Some(paths) = run.paths {
        command.arg("--paths").arg(paths.to_string());
    }
    command.arg("--");
    command.arg(format!("-DLENGTH={}", run.length));
    command.arg(format!("-DBUFFER={}", run.buffer));
    let (output, time) = run_child(&mut command)?;
    let summary: Summary = serde_json::from_slice(&output).map_err(Failure::internal)?;
    findings.table.row(row(run, &summary.work, time));
    Ok(summary.work)
}

fn row(run: &MemoryRun, work: &WorkRecord, time: Duration) -> Vec<String> {
    vec![
        run.name.into(),
        work.distinct_paths.to_string(),
        work.most_candidates.to_string(),
        work.dropped.to_string(),
        work.replayed.to_string(),
        format!("{} MiB", work.peak_rss_mb),
        format!("{:.1} s", time.as_secs_f64()),
        run.target.into(),
    ]
}
