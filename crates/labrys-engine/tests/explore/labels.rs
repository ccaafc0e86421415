//! Labels: covered by leaves, by chance, or proved to be impossible.

use super::{covered, is_proof_for, run};
use labrys_engine::{Instrumentation, Stop};
use labrys_ledger::Trigger;

/// Label 0 asks for x == 42, label 1 for x > 10 where x < 5, label 2 for a division by x.
const LABELS: &str = r"
function @main() -> 32 {
  regs 64 32 32 32 32 32 1 32 32 1 32
  const r0 = @x
  const r2 = 42
  const r3 = 10
  const r4 = 5
  const r5 = 0
  const r8 = 1
  const r10 = 2
  edge e0 -> b1
  edge e1 -> b2
  edge e2 -> b3
  edge e3 -> b4
  edge e4 -> b5
  edge e5 -> b6
  edge e6 -> b7
  edge e7 -> b8
b0:
  call @labrys_int(r0) -> (r1)
  call @labrys_label_begin(r5) -> (r7)
  r9 = cmp.ne.32 r7, r5
  branch r9, e0, e1
b1:
  r6 = cmp.eq.32 r1, r2
  r7 = cast.zext.1.32 r6
  call @labrys_label(r5, r7)
  jump e1
b2:
  r6 = cmp.slt.32 r1, r4
  branch r6, e2, e4
b3:
  call @labrys_label_begin(r8) -> (r7)
  r9 = cmp.ne.32 r7, r5
  branch r9, e3, e4
b4:
  r6 = cmp.sgt.32 r1, r3
  r7 = cast.zext.1.32 r6
  call @labrys_label(r8, r7)
  jump e4
b5:
  call @labrys_label_begin(r10) -> (r7)
  r9 = cmp.ne.32 r7, r5
  branch r9, e5, e6
b6:
  r7 = sdiv.32 r2, r1
  call @labrys_label(r10, r7)
  jump e6
b7:
  return (r5)
b8:
  return (r5)
}";

fn labels() -> Vec<Trigger> {
    (0..3).map(|id| Trigger::Label { id }).collect()
}

#[test]
fn a_leaf_covers_its_label_with_its_own_input() {
    let report = run(LABELS, &labels(), |_| {});
    assert_eq!(covered(&report), [0, 2]);
    let test = report.tests.iter().find(|t| t.covers.contains(&0)).unwrap();
    assert_eq!(super::input(test, "x"), 42);
    assert!(report.work.labels.tried > 0);
}

#[test]
fn a_label_that_cannot_hold_is_proved_so() {
    let report = run(LABELS, &labels(), |_| {});
    assert_eq!(report.stop, Stop::Exhausted);
    assert!(is_proof_for(&report, 1));
}

#[test]
fn a_fault_in_a_predicate_is_no_fault_of_the_program() {
    let report = run(LABELS, &labels(), |_| {});
    assert!(report.faults.is_empty());
    assert!(report.faulted.contains(&2));
}

#[test]
fn all_forms_of_instrumentation_cover_the_same_labels() {
    for (name, instrumentation) in Instrumentation::NAMES {
        let report = run(LABELS, &labels(), |config| {
            config.instrumentation = instrumentation;
            config.exhaust = true;
        });
        assert_eq!(covered(&report), [0, 2], "{name}");
    }
}
