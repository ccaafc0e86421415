//! When an exhausted search proves what it has not covered, and when not.

use super::{CONTRADICTION, ONE_BRANCH, covered, faults, outcomes, run, run_all};
use labrys_ledger::Trigger;

#[test]
fn a_complete_search_is_a_proof() {
    let report = run_all(ONE_BRANCH);
    assert!(report.is_proof());
    assert!(report.gaps.is_empty() && report.limits.is_empty());
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
    assert_eq!(report.limits, ["--array-len"]);
    assert!(!report.is_proof());
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
    assert!(report.reads_uninitialised() && !report.is_proof());
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
    let report = run(text, &[Trigger::Reach { id: 7 }], |_| {});
    assert_eq!(covered(&report), Vec::<usize>::new());
    assert!(!report.is_proof_for(0));
}

#[test]
fn a_search_that_is_cut_off_proves_nothing() {
    let report = run(CONTRADICTION, &outcomes(2), |config| {
        config.max_paths = Some(1)
    });
    assert!(!report.is_proof_for(2));
}

#[test]
fn validation_by_the_other_solver_changes_nothing() {
    let report = run(CONTRADICTION, &outcomes(2), |config| {
        config.solver.validate = true
    });
    assert!(report.solver.validated > 0);
    assert!(report.solver.validation_errors.is_empty());
    assert!(report.is_proof_for(2));
}
