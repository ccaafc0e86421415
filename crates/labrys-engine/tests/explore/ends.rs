//! How paths end.

use super::{ONE_BRANCH, ended, independent, is_complete, run, run_all};
use labrys_budget::Deadline;
use labrys_engine::Stop;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// `main` with this body, in which `r1` is the input x, `r2` is 5, `r3` is 6 and `r9` is 0.
fn body(text: &str) -> String {
    format!(
        r"
function @main() -> 32 {{
  regs 64 32 32 32 1 32 64 64 32 32
  const r0 = @x
  const r2 = 5
  const r3 = 6
  const r6 = @flag
  const r9 = 0
  edge e0 -> b1
b0:
  call @labrys_int(r0) -> (r1)
{text}
}}"
    )
}

#[test]
fn a_program_that_exits_ends_so() {
    let report = run_all(&body(
        "  call @labrys_exit(r2)\n  return (r9)\nb1:\n  return (r9)",
    ));
    assert_eq!((ended(&report, "exited"), report.work.paths), (1, 1));
}

#[test]
fn an_assumption_that_cannot_hold_discards_the_path() {
    let text = r"
  r4 = cmp.eq.32 r1, r2
  r5 = cast.zext.1.32 r4
  call @labrys_assume(r5)
  r4 = cmp.eq.32 r1, r3
  r5 = cast.zext.1.32 r4
  call @labrys_assume(r5)
  return (r9)
b1:
  return (r9)";
    let report = run_all(&body(text));
    assert_eq!(ended(&report, "assumption-failed"), 1);
    assert_eq!(report.work.paths, 0);
    assert!(report.tests.is_empty());
}

#[test]
fn an_assumption_changes_the_input_where_it_can() {
    let text = r"
  r4 = cmp.eq.32 r1, r2
  r5 = cast.zext.1.32 r4
  call @labrys_assume(r5)
  return (r9)
b1:
  return (r9)";
    let report = run_all(&body(text));
    assert_eq!(report.work.paths, 1);
    assert_eq!(super::input(&report.tests[0], "x"), 5);
}

#[test]
fn a_function_that_is_unknown_ends_one_path_with_a_gap() {
    let text = "  call @unknown_function(r1) -> (r5)\n  return (r5)\nb1:\n  return (r9)";
    let report = run_all(&body(text));
    assert_eq!(ended(&report, "unsupported"), 1);
    let gap = report.gaps.keys().next().unwrap();
    assert!(gap.contains("unknown_function"), "{gap}");
    assert!(!is_complete(&report));
}

#[test]
fn an_endless_path_ends_at_the_limit_of_steps() {
    let report = run(&body("  jump e0\nb1:\n  jump e0"), &[], |config| {
        config.exhaust = true;
        config.max_steps = 100_000;
    });
    assert_eq!(ended(&report, "step-limit"), 1);
    assert_eq!(report.assumptions, ["resources: steps"]);
}

#[test]
fn the_search_stops_after_so_many_paths() {
    let report = run(&independent(6), &[], |config| {
        config.exhaust = true;
        config.max_paths = Some(10);
    });
    assert_eq!((report.stop, report.work.paths), (Stop::Paths, 10));
    assert!(!is_complete(&report));
}

#[test]
fn a_search_that_is_told_to_stop_does() {
    let report = run(ONE_BRANCH, &[], |config| {
        config.exhaust = true;
        let stop = Arc::new(AtomicBool::new(true));
        config.deadline = Deadline::never().stopped_by(&stop);
    });
    assert_eq!(report.stop, Stop::Interrupted);
}

/// A program without inputs that never ends.
const ENDLESS: &str = r"
function @main() {
  regs
  edge e0 -> b1
  edge e1 -> b1
b0:
  jump e0
b1:
  jump e1
}
";

#[test]
fn an_endless_program_is_not_finished_when_the_time_is_over() {
    let report = run(ENDLESS, &[], |config| {
        config.slice = 1_000;
        config.deadline = Deadline::after_looks(20);
    });
    assert_eq!(report.stop, Stop::Time);
    assert!(!is_complete(&report));
}

#[test]
fn an_endless_program_ends_with_a_step_limit_that_is_named() {
    let report = run(ENDLESS, &[], |config| {
        config.slice = 1_000;
        config.max_steps = 10_000;
    });
    assert_eq!(report.stop, Stop::Steps);
    assert_eq!(ended(&report, "step-limit"), 1);
    assert_eq!(report.assumptions, ["resources: steps"]);
}

#[test]
fn without_objectives_one_path_is_enough() {
    let report = run(&independent(6), &[], |_| {});
    assert_eq!((report.stop, report.work.paths), (Stop::AllCovered, 1));
    assert_eq!(report.tests.len(), 1);
}
