//! When an exhausted search proves what it has not covered, and when not.

use super::{
    CONTRADICTION, ONE_BRANCH, covered, faults, is_complete, is_proof_for, outcomes, run, run_all,
};
use labrys_engine::Config;
use labrys_ledger::Trigger;

#[test]
fn a_complete_search_is_a_proof() {
    let report = run_all(ONE_BRANCH);
    assert!(is_complete(&report));
}

#[test]
fn a_limit_of_the_harness_is_named_and_spoils_the_proof() {
    let report = run_all(
        r"
function @main() -> 32 {
  regs 64 32
  const r0 = @flag
  const r1 = 0
b0:
  call @labrys_touch(r0)
  return (r1)
}",
    );
    assert_eq!(report.assumptions, ["--array-len"]);
    assert!(!is_complete(&report));
}

#[test]
fn a_branch_on_uninitialised_memory_spoils_the_proof() {
    let report = run_all(
        r"
function @main() -> 32 {
  regs 32 1 64 32
  const r3 = 0
  edge e0 -> b1
b0:
  r2 = alloca size 4 align 4 element 4
  r0 = load.32 r2 !1:9:1
  r1 = cmp.sgt.32 r0, r3 !1:9:1
  branch r1, e0, e0 !1:9:1
b1:
  return (r3)
}",
    );
    assert_eq!(faults(&report), [("uninitialised-read", 9)]);
    assert!(!is_complete(&report));
}

#[test]
fn an_unknown_function_behind_an_objective_leaves_it_open() {
    let text = r"
function @main() -> 32 {
  regs 32 32
  const r0 = 7
b0:
  call @unknown_function(r0) -> (r1)
  call @labrys_reach(r0)
  return (r1)
}";
    let report = run(text, &[Trigger::Reach { id: 7 }], only_by_paths);
    assert_eq!(covered(&report), Vec::<usize>::new());
    assert!(!is_proof_for(&report, 0));
}

/// Rules that need no paths may prove the same with less: the code of these programs contradicts itself.
fn only_by_paths(config: &mut Config) {
    config.frontier_after = u64::MAX;
    config.state_proofs_after = u64::MAX;
    config.loop_proofs_after = u64::MAX;
}

#[test]
fn a_search_that_is_cut_off_proves_nothing() {
    let report = run(CONTRADICTION, &outcomes(2), |config| {
        config.max_paths = Some(1)
    });
    assert!(!is_proof_for(&report, 2));
}

#[test]
fn validation_by_the_other_solver_changes_nothing() {
    let report = run(CONTRADICTION, &outcomes(2), |config| {
        config.solver.validate = true
    });
    assert!(report.solver.validated > 0);
    assert!(report.solver.validation_errors.is_empty());
    assert!(is_proof_for(&report, 2));
}

/// `main` has two ways: one calls `@before`, then both come to place 7 unless the input says
/// otherwise, then `@helper`, which comes to place 8. Places 9 and 10 are never reached.
fn two_ways(touching: &str) -> String {
    format!(
        r"
function @helper() {{
  regs 32 32 32 1 64
  const r0 = 8
  const r1 = 9
  const r2 = 0
  const r4 = @flag
  edge e0 -> b1
  edge e1 -> b2
b0:
  r3 = cmp.ne.32 r2, r2
  call @labrys_reach(r0)
  branch r3, e0, e1
b1:
  call @labrys_reach(r1)
  return ()
b2:
  {}
  return ()
}}
function @main() -> 32 {{
  regs 32 32 32 1 64 1
  const r0 = 7
  const r1 = 10
  const r2 = 0
  const r4 = @flag
  edge e0 -> b1
  edge e1 -> b2
b0:
  {}
  r3 = cmp.ne.32 r2, r2
  branch r3, e0, e1
b1:
  call @labrys_reach(r1)
  jump e1
b2:
  {}
  call @helper()
  return (r2)
}}",
        if touching == "at the end of helper" {
            TOUCH
        } else {
            ""
        },
        if touching == "first" { TOUCH } else { "" },
        if touching == "before helper" {
            TOUCH
        } else {
            ""
        },
    )
}

const TOUCH: &str = "call @labrys_touch(r4)";

/// Which of the places 9 (in the helper) and 10 (in `main`) the search refutes without assuming
/// anything.
fn refuted(touching: &str) -> [bool; 2] {
    let places = [9, 10].map(|id| Trigger::Reach { id });
    let report = run(&two_ways(touching), &places, only_by_paths);
    assert_eq!(covered(&report), Vec::<usize>::new());
    let assumed = touching != "nowhere";
    assert_eq!(!report.assumptions.is_empty(), assumed, "{touching}");
    [is_proof_for(&report, 0), is_proof_for(&report, 1)]
}

#[test]
fn an_assumption_concerns_what_can_be_reached_from_where_a_run_rests_on_it() {
    assert_eq!(refuted("nowhere"), [true, true]);
    assert_eq!(refuted("first"), [false, false]);
    // Behind the place in `main`, before the one in the helper.
    assert_eq!(refuted("before helper"), [false, true]);
    // Behind both, and nothing leads back.
    assert_eq!(refuted("at the end of helper"), [true, true]);
}

#[test]
fn a_caller_goes_on_where_an_assumption_was_made_in_what_it_called() {
    let text = r"
function @helper() {
  regs 64
  const r0 = @flag
b0:
  call @labrys_touch(r0)
  return ()
}
function @main() -> 32 {
  regs 32 32 1 32
  const r0 = 7
  const r1 = 0
  const r3 = 8
  edge e0 -> b1
  edge e1 -> b2
  edge e2 -> b3
b0:
  r2 = cmp.ne.32 r1, r1
  branch r2, e1, e0
b1:
  call @helper()
  branch r2, e1, e2
b2:
  call @labrys_reach(r0)
  jump e2
b3:
  return (r1)
}";
    let report = run(text, &[Trigger::Reach { id: 7 }], only_by_paths);
    assert_eq!(covered(&report), Vec::<usize>::new());
    assert!(!is_proof_for(&report, 0));
}
