//! Little memory, few expressions, short turns: the same paths in another way.

use super::{ended, independent, is_complete, run};
use labrys_budget::Deadline;
use labrys_engine::{Config, Report, Search, Stop};

fn limited(change: impl FnOnce(&mut Config)) -> Report {
    run(&independent(8), &[], |config| {
        config.search = Search::Bfs;
        config.exhaust = true;
        change(config);
    })
}

#[test]
fn snapshots_that_were_dropped_are_replayed() {
    let report = limited(|config| config.memory = 1);
    assert!(report.work.dropped > 0);
    assert!(report.work.replayed > 0);
    assert_eq!(report.work.paths, 256);
    assert!(is_complete(&report));
}

#[test]
fn with_memory_nothing_is_replayed() {
    let report = limited(|_| {});
    assert_eq!((report.work.dropped, report.work.replayed), (0, 0));
}

#[test]
fn expressions_are_collected_and_no_path_is_lost() {
    let report = limited(|config| config.collect_at = 10);
    assert!(report.work.collections > 0);
    assert_eq!(report.work.paths, 256);
}

#[test]
fn a_long_path_lets_others_run_and_goes_on() {
    // Suspensions are no ends of paths, so that only the order of the paths differs.
    let report = limited(|config| config.slice = 20);
    assert_eq!(ended(&report, "suspended"), 0);
    assert_eq!((ended(&report, "returned"), report.work.paths), (256, 256));
    assert!(is_complete(&report));
}

#[test]
fn beyond_the_number_of_snapshots_paths_are_replayed() {
    let report = limited(|config| config.snapshots = 3);
    assert!(report.work.dropped > 0 && report.work.replayed > 0);
    assert_eq!(report.work.paths, 256);
    assert!(is_complete(&report));
}

#[test]
fn memory_that_is_used_up_and_cannot_be_given_back_stops_the_search() {
    let report = limited(|config| {
        config.memory = 1;
        config.deadline = Deadline::never();
        config.deadline.set_memory_used_up(true);
    });
    assert_eq!(report.stop, Stop::Memory);
    assert!(!is_complete(&report));
}

#[test]
fn a_search_goes_on_when_memory_was_given_back() {
    let report = limited(|config| {
        config.memory = u64::MAX;
        config.deadline = Deadline::never();
        config.deadline.set_memory_used_up(true);
    });
    assert_eq!((report.stop, report.work.paths), (Stop::Exhausted, 256));
    assert!(is_complete(&report));
}
