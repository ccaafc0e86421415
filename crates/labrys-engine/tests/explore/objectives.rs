//! What is covered, and which tests are kept for it.

use super::{CONTRADICTION, covered, input, is_proof_for, outcomes, run};
use labrys_engine::{Search, Stop};
use labrys_ledger::Trigger;

/// `x == 1`, annotated, then a branch on `y` that covers nothing, then objective 7 is reached.
const IRRELEVANT: &str = r"
function @main() -> 32 {
  regs 64 64 32 32 1 32 32 1 32
  const r0 = @x
  const r1 = @y
  const r5 = 0
  const r6 = 1
  const r8 = 7
  edge e0 -> b1
  edge e1 -> b2
  edge e2 -> b3
b0:
  call @labrys_int(r0) -> (r2)
  call @labrys_int(r1) -> (r3)
  r4 = cmp.eq.32 r2, r6
  r2 = cast.zext.1.32 r4
  call @labrys_cond(r5, r5, r2) -> (r2)
  r4 = cmp.ne.32 r2, r5
  branch r4, e0, e0
b1:
  r4 = cmp.sgt.32 r3, r6
  branch r4, e1, e2
b2:
  call @labrys_reach(r8)
  return (r5)
b3:
  call @labrys_reach(r8)
  return (r6)
}";

#[test]
fn the_search_stops_when_all_is_covered() {
    let triggers = &outcomes(2)[..3];
    let report = run(CONTRADICTION, &[triggers[0], triggers[1]], |_| {});
    assert_eq!(report.stop, Stop::AllCovered);
    assert_eq!(covered(&report), [0, 1]);
    assert_eq!(report.tests.len(), 2);
    for test in &report.tests {
        let is_first = test.covers.contains(&0);
        assert_eq!(input(test, "x") > 10, is_first);
    }
}

#[test]
fn what_a_test_covers_first_is_new_with_it() {
    let report = run(CONTRADICTION, &outcomes(2), |_| {});
    let mut fresh: Vec<usize> = report.tests.iter().flat_map(|t| t.fresh.clone()).collect();
    fresh.sort_unstable();
    assert_eq!(fresh, covered(&report));
    fresh.dedup();
    assert_eq!(fresh.len(), 3);
}

#[test]
fn an_outcome_that_contradicts_is_left_open_and_proved() {
    let report = run(CONTRADICTION, &outcomes(2), |_| {});
    assert_eq!(report.stop, Stop::Exhausted);
    // The second condition is never true.
    assert_eq!(covered(&report), [0, 1, 3]);
    assert!(is_proof_for(&report, 2));
}

#[test]
fn the_filter_drops_what_can_cover_nothing() {
    let mut triggers = outcomes(1);
    triggers.push(Trigger::Reach { id: 7 });
    // Objective 3 is nowhere: the search goes on as long as there are candidates.
    triggers.push(Trigger::Reach { id: 8 });
    let search = |filter| {
        run(IRRELEVANT, &triggers, |config| {
            config.filter = filter;
            config.search = Search::Dfs;
        })
    };
    let (with, without) = (search(true), search(false));
    assert_eq!((with.work.paths, without.work.paths), (2, 4));
    assert!(with.work.filtered + with.work.filtered_later >= 2);
    assert_eq!(without.work.filtered + without.work.filtered_later, 0);
    assert_eq!(covered(&with), covered(&without));
    assert!(is_proof_for(&with, 3) && is_proof_for(&without, 3));
}

#[test]
fn every_strategy_covers_all_that_can_be() {
    for (name, search) in Search::NAMES {
        let report = run(CONTRADICTION, &outcomes(2), |config| config.search = search);
        assert_eq!(covered(&report), [0, 1, 3], "{name}");
    }
}
