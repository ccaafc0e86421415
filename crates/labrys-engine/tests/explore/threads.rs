//! Two threads find what one finds.

use super::{
    CONTRADICTION, covered, faults, independent, is_complete, is_proof_for, outcomes, run,
};

#[test]
fn all_paths_are_run_once() {
    let report = run(&independent(9), &[], |config| {
        config.jobs = 2;
        config.exhaust = true;
    });
    assert_eq!(report.work.paths, 512);
    assert!(is_complete(&report));
}

#[test]
fn the_same_is_covered_and_proved() {
    let report = run(CONTRADICTION, &outcomes(2), |config| config.jobs = 2);
    assert_eq!(covered(&report), [0, 1, 3]);
    assert!(is_proof_for(&report, 2));
}

#[test]
fn the_same_faults_are_found() {
    let found = |jobs| {
        let report = run(super::faults::SIX, &[super::faults::END], |config| {
            config.jobs = jobs;
            config.exhaust = true;
        });
        faults(&report)
    };
    assert_eq!(found(2), found(1));
}

/// A path that is given away is found again, also behind the end of its turn and without snapshots.
#[test]
fn no_path_is_lost_with_short_turns_and_few_snapshots() {
    for (slice, snapshots) in [(20, usize::MAX), (20, 3), (2_000_000, 0)] {
        let report = run(&independent(9), &[], |config| {
            config.jobs = 3;
            config.exhaust = true;
            config.slice = slice;
            config.snapshots = snapshots;
        });
        assert_eq!(report.work.paths, 512, "{slice} {snapshots}");
        assert!(
            is_complete(&report),
            "{slice} {snapshots}: {:?}",
            report.gaps
        );
    }
}
