//! Which paths there are.

use super::{CONTRADICTION, ONE_BRANCH, independent, input, is_complete, run, run_all};
use labrys_engine::{InputKind, PathEnd, Scalar, Search, Stop};

#[test]
fn both_sides_of_a_branch_are_run() {
    let report = run_all(ONE_BRANCH);
    assert_eq!(report.work.paths, 2);
    assert_eq!(report.stop, Stop::Exhausted);
}

#[test]
fn a_branch_on_a_constant_is_one_path() {
    let report = run_all(
        r"
function @main() -> 32 {
  regs 32 32 1
  const r0 = 3
  const r1 = 10
  edge e0 -> b1
  edge e1 -> b2
b0:
  r2 = cmp.sgt.32 r0, r1
  branch r2, e0, e1
b1:
  return (r1)
b2:
  return (r0)
}",
    );
    assert_eq!(report.work.paths, 1);
    assert_eq!(report.solver.queries, 0);
}

#[test]
fn a_way_that_contradicts_the_path_is_no_path() {
    let report = run_all(CONTRADICTION);
    assert_eq!(report.work.paths, 2);
    assert_eq!(report.work.cheap_unsat + report.work.infeasible, 1);
}

/// `switch (x)` with the cases 1, 2 (together) and 3, and a default.
const SWITCH: &str = r"
function @main() -> 32 {
  regs 64 32
  const r0 = @x
  edge e0 -> b1
  edge e1 -> b2
  edge e2 -> b3
  table t0 [1: e0, 2: e0, 3: e1] default e2
b0:
  call @labrys_int(r0) -> (r1)
  switch r1, t0
b1:
  return (r1)
b2:
  return (r1)
b3:
  return (r1)
}";

#[test]
fn cases_that_lead_to_the_same_place_are_one_path() {
    let report = run_all(SWITCH);
    assert_eq!(report.work.paths, 3);
}

/// Counts from 0 to `x`, which is at most 5.
const LOOP: &str = r"
function @main() -> 32 {
  regs 64 32 32 1 32 32 32
  const r0 = @x
  const r2 = 6
  const r4 = 0
  const r5 = 1
  edge e0 -> b1 [r6 = r4]
  edge e1 -> b2
  edge e2 -> b3
  edge e3 -> b1 [r6 = r6]
b0:
  call @labrys_int(r0) -> (r1)
  r3 = cmp.ult.32 r1, r2
  r6 = cast.zext.1.32 r3
  call @labrys_assume(r6)
  jump e0
b1:
  r3 = cmp.ult.32 r6, r1
  branch r3, e1, e2
b2:
  r6 = add.32 r6, r5
  jump e3
b3:
  return (r6)
}";

#[test]
fn a_loop_has_a_path_for_every_number_of_turns() {
    let report = run_all(LOOP);
    assert_eq!(report.work.paths, 6);
    assert!(is_complete(&report));
}

#[test]
fn every_strategy_finds_all_paths() {
    for (name, search) in Search::NAMES {
        let report = run(&independent(6), &[], |config| {
            config.search = search;
            config.exhaust = true;
        });
        assert_eq!(report.work.paths, 64, "{name}");
    }
}

#[test]
fn a_test_has_the_input_of_its_path() {
    let report = run(ONE_BRANCH, &[], |config| {
        config.every_path = true;
        config.exhaust = true;
    });
    // Both paths have the same trace: there is one test.
    assert_eq!(report.tests.len(), 1);
    let test = &report.tests[0];
    assert_eq!(test.inputs[0].name, "x");
    assert_eq!(test.inputs[0].kind, InputKind::Scalar(Scalar::Int));
    assert_eq!(test.end, PathEnd::Returned);
    assert_eq!(test.conditions, 1);
    assert!(input(test, "x") <= 10);
}

#[test]
fn the_same_seed_gives_the_same_tests() {
    let tests = |seed| {
        let report = run(&independent(7), &[], |config| {
            config.search = Search::RandomPath;
            config.seed = seed;
            config.max_paths = Some(40);
            config.exhaust = true;
        });
        let inputs = report.tests.iter().map(|test| test.inputs.clone());
        (inputs.collect::<Vec<_>>(), report.work.ends)
    };
    assert_eq!(tests(3), tests(3));
}

#[test]
fn a_test_predicts_its_outputs() {
    let report = run_all(
        r"
function @main() -> 32 {
  regs 64 64 64 32
  const r0 = @y
  const r1 = @table
  const r2 = 8
  const r3 = 0
b0:
  call @labrys_output(r0, r1, r2)
  return (r3)
}",
    );
    let (name, bytes) = &report.tests[0].outputs[0];
    assert_eq!(name, "y");
    let known: Vec<u8> = bytes.iter().map(|b| b.unwrap()).collect();
    assert_eq!(known, [1, 0, 0, 0, 2, 0, 0, 0]);
}
