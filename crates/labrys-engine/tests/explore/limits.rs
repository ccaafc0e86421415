//! Little memory, few expressions, short turns: the same paths in another way.

use super::faults::END;
use super::{ended, independent, is_complete, outcomes, run};
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

/// Eight annotated branches on bytes of their own, then a place that no input comes to, though the
/// graph has a way.
fn beyond_reach() -> String {
    let mut text = String::from(
        "function @main() -> 32 {\n  regs 64 8 8 1 32 8 32 32 1 32 32 32 32 32 32 32 32\n  \
         const r0 = @x\n  const r2 = 7\n  const r4 = 0\n  const r5 = 8\n  const r6 = 7\n",
    );
    for k in 0..8 {
        text += &format!("  const r{} = {k}\n", k + 9);
    }
    for k in 0..11 {
        text += &format!("  edge e{k} -> b{}\n", k + 1);
    }
    for k in 0..8 {
        text += &format!(
            "b{k}:\n  call @labrys_uchar(r0) -> (r1)\n  r3 = cmp.eq.8 r1, r2\n  \
             r7 = cast.zext.1.32 r3\n  call @labrys_cond(r{}, r4, r7) -> (r7)\n  \
             r8 = cmp.ne.32 r7, r4\n  branch r8, e{k}, e{k}\n",
            k + 9
        );
    }
    text + "b8:\n  branch r8, e8, e10\nb9:\n  r3 = cmp.eq.8 r1, r5\n  branch r3, e9, e10\n\
            b10:\n  call @labrys_reach(r6)\n  return (r4)\nb11:\n  return (r4)\n}\n"
}

#[test]
fn dropped_snapshots_do_not_change_the_search() {
    let text = beyond_reach();
    // All but the last are covered soon, and then the distances are computed again.
    let mut objectives = outcomes(8);
    objectives.push(END);
    for search in [Search::Mix, Search::RpMd2u, Search::Cfg] {
        let inputs = |memory: Option<u64>| {
            let report = run(&text, &objectives, |config| {
                config.search = search;
                config.every_path = true;
                config.max_paths = Some(200);
                config.memory = memory.unwrap_or(config.memory);
            });
            assert_eq!(report.work.replayed > 0, memory.is_some());
            assert_eq!(report.tests.len(), 200);
            let tests = report.tests.into_iter();
            tests.map(|test| test.inputs).collect::<Vec<_>>()
        };
        assert_eq!(inputs(Some(1)), inputs(None), "{search:?}");
    }
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
