//! Each of these would fail if a test counted that its native run did not show.

#![allow(clippy::unwrap_used)]

use super::super::fixtures::{entry, evaluation, native, pairs, places, proposal};
use super::*;
use crate::native::by_trigger;
use labrys_engine::FaultKind;
use labrys_ledger::{Criterion, Objective, Proof, ProofKind, Status};
use labrys_suite::RunEnd;

/// A judgement of these tests by these native runs.
struct Case<'a> {
    tests: &'a [labrys_engine::Test],
    runs: &'a [Observation],
    faulted: &'a [usize],
    by_clang: &'a [(usize, RunByClang)],
}

impl Case<'_> {
    fn of<'a>(tests: &'a [labrys_engine::Test], runs: &'a [Observation]) -> Case<'a> {
        Case {
            tests,
            runs,
            faulted: &[],
            by_clang: &[],
        }
    }

    fn judged(&self, ledger: &mut Ledger) -> Outcome<Judged> {
        let proposed = Proposed {
            tests: self.tests,
            faulted: &self.faulted.iter().copied().collect(),
            purposes: &[],
        };
        let triggers = by_trigger(ledger.objectives());
        let mut entering = Entering {
            entry: &entry("f", &["f"]),
            proposed: &proposed,
            observations: self.runs,
            by_clang: &self.by_clang.iter().copied().collect(),
            unstable: &BTreeMap::new(),
            triggers: &triggers,
            ledger,
            names: &mut UniqueNames::default(),
            first_id: 1,
        };
        entering.enter_all()
    }
}

fn covered(tests: &[u32]) -> Status {
    Status::Covered {
        tests: tests.to_vec(),
    }
}

#[test]
fn only_what_the_native_run_shows_counts() {
    let mut ledger = places(&["f", "f", "f"]);
    // Predicted are the first two; the run comes to the first and the third.
    let judged = Case::of(&[proposal(&[0, 1])], &[native(&[1, 3])])
        .judged(&mut ledger)
        .unwrap();
    assert_eq!(ledger.status(0), &covered(&[1]));
    assert_eq!(ledger.status(1), &Status::Open);
    assert_eq!(ledger.status(2), &covered(&[1]));
    assert_eq!(judged.tests[0].covers, ["statement:1", "statement:3"]);
    assert_eq!(judged.numbers, [Some(1)]);
    assert!(judged.divergences.is_empty());
}

#[test]
fn another_path_is_a_divergence_and_its_run_counts() {
    let mut ledger = places(&["f", "f"]);
    let other = Observation {
        trace: 1,
        ..native(&[2])
    };
    let judged = Case::of(&[proposal(&[0])], &[other])
        .judged(&mut ledger)
        .unwrap();
    assert_eq!(
        judged.divergences,
        ["f test 1: the native run took another path than predicted"]
    );
    assert_eq!(ledger.status(0), &Status::Open);
    assert_eq!(ledger.status(1), &covered(&[1]));
    assert_eq!(judged.tests.len(), 1);
}

#[test]
fn a_run_that_is_none_of_the_program_is_dropped() {
    let detail = String::new();
    for end in [
        RunEnd::AssumeViolated,
        RunEnd::OutOfInputs {
            detail: detail.clone(),
        },
        RunEnd::InputMismatch {
            detail: detail.clone(),
        },
        RunEnd::NoHarness { detail },
    ] {
        let mut ledger = places(&["f"]);
        let outcome = end.outcome();
        let invalid = Observation {
            end,
            ..native(&[1])
        };
        let judged = Case::of(&[proposal(&[0]), proposal(&[0])], &[invalid, native(&[])])
            .judged(&mut ledger)
            .unwrap();
        assert_eq!(ledger.status(0), &Status::Open, "{outcome}");
        assert_eq!(judged.divergences.len(), 1);
        // The next test takes its number.
        assert_eq!(judged.numbers, [None, Some(1)]);
        assert_eq!(judged.native.len(), 1);
    }
}

#[test]
fn a_crash_where_a_return_was_predicted_is_a_divergence() {
    let mut ledger = places(&["f"]);
    let crash = Observation {
        end: RunEnd::Signal { number: 11 },
        ..native(&[1])
    };
    let judged = Case::of(&[proposal(&[0])], &[crash])
        .judged(&mut ledger)
        .unwrap();
    assert_eq!(
        judged.divergences,
        ["f test 1: the native run ended with 'segmentation-fault'"]
    );
    assert_eq!(judged.native[&1], "segmentation-fault");
}

#[test]
fn behind_a_fault_only_what_was_predicted_counts() {
    for end in [
        PathEnd::Fault(FaultKind::OutOfBounds),
        PathEnd::HarnessLimit {
            flag: "--array-len".to_owned(),
        },
    ] {
        let mut ledger = places(&["f", "f"]);
        let test = labrys_engine::Test {
            end,
            ..proposal(&[0])
        };
        // Natively the run goes on, to a place that no defined run may come to, on another path.
        let beyond = Observation {
            trace: 1,
            outputs: vec![("result".to_owned(), vec![1])],
            ..native(&[1, 2])
        };
        let judged = Case::of(&[test], &[beyond]).judged(&mut ledger).unwrap();
        assert_eq!(ledger.status(0), &covered(&[1]));
        assert_eq!(ledger.status(1), &Status::Open);
        assert!(judged.divergences.is_empty());
        // What it gave there is no expectation of a test.
        assert!(judged.tests[0].output_bytes.is_empty());
        assert_ne!(judged.tests[0].outcome, "ok");
    }
}

#[test]
fn a_run_that_asks_for_more_inputs_behind_a_fault_is_kept() {
    let mut ledger = places(&["f"]);
    let test = labrys_engine::Test {
        end: PathEnd::Fault(FaultKind::OutOfBounds),
        ..proposal(&[0])
    };
    let asks = Observation {
        end: RunEnd::OutOfInputs {
            detail: String::new(),
        },
        ..native(&[1])
    };
    let judged = Case::of(&[test], &[asks]).judged(&mut ledger).unwrap();
    assert!(judged.divergences.is_empty());
    assert_eq!(ledger.status(0), &covered(&[1]));
    assert_eq!(judged.native[&1], "went on");
}

#[test]
fn a_label_that_may_fault_counts_only_if_the_engine_covers_it_too() {
    let doubtful = |tests: &[labrys_engine::Test], runs: &[Observation]| {
        let mut ledger = places(&["f", "f"]);
        let case = Case {
            faulted: &[0],
            ..Case::of(tests, runs)
        };
        case.judged(&mut ledger).unwrap();
        ledger.status(0).clone()
    };
    // Natively its predicate may have read anything.
    let alone = doubtful(&[proposal(&[1])], &[native(&[1, 2])]);
    assert_eq!(alone, Status::Open);
    // Another test covers it in the engine: it is not doubtful any more.
    let tests = [proposal(&[1]), proposal(&[0])];
    let both = doubtful(&tests, &[native(&[1, 2]), native(&[1])]);
    assert_eq!(both, covered(&[1, 2]));
    // But not on the path where it faults.
    let faulting = labrys_engine::Test {
        faulted: vec![0],
        ..proposal(&[1])
    };
    let tests = [faulting, proposal(&[0])];
    let other = doubtful(&tests, &[native(&[1, 2]), native(&[1])]);
    assert_eq!(other, covered(&[2]));
}

#[test]
fn another_output_is_a_divergence() {
    let test = labrys_engine::Test {
        outputs: vec![("result".to_owned(), vec![Some(1), None])],
        ..proposal(&[0])
    };
    let gives = |bytes: &[u8]| {
        let run = Observation {
            outputs: vec![("result".to_owned(), bytes.to_vec())],
            ..native(&[1])
        };
        let judged = Case::of(std::slice::from_ref(&test), &[run]).judged(&mut places(&["f"]));
        judged.unwrap().divergences.len()
    };
    // The second byte is not determined.
    assert_eq!(gives(&[1, 200]), 0);
    assert_eq!(gives(&[2, 0]), 1);
}

#[test]
fn an_order_of_evaluation_that_c_leaves_open_is_no_divergence() {
    let mut ledger = places(&["f"]);
    let other = Observation {
        trace: 1,
        ..native(&[1])
    };
    let (tests, runs) = ([proposal(&[0])], [other]);
    let case = Case {
        by_clang: &[(0, RunByClang::AsPredicted)],
        ..Case::of(&tests, &runs)
    };
    let judged = case.judged(&mut ledger).unwrap();
    assert!(judged.divergences.is_empty());
    assert_eq!(judged.unspecified, [1]);
    assert!(judged.other_coverage.is_empty());
    assert_eq!(ledger.status(0), &covered(&[1]));
    let elsewhere = [Observation {
        trace: 1,
        ..native(&[2])
    }];
    let case = Case {
        by_clang: &[(0, RunByClang::AsPredicted)],
        ..Case::of(&tests, &elsewhere)
    };
    let judged = case.judged(&mut places(&["f", "f"])).unwrap();
    assert_eq!(judged.other_coverage, [1]);
}

#[test]
fn a_difference_that_clang_was_not_asked_about_is_noted_as_such() {
    let mut ledger = places(&["f", "f"]);
    let other = Observation {
        trace: 1,
        ..native(&[1])
    };
    let (tests, runs) = ([proposal(&[0, 1])], [other]);
    let case = Case {
        by_clang: &[(0, RunByClang::NotAsked)],
        ..Case::of(&tests, &runs)
    };
    let judged = case.judged(&mut ledger).unwrap();
    assert!(judged.divergences.is_empty());
    assert_eq!(judged.not_asked, [1]);
    // What its native run has shown counts, as always.
    assert_eq!(ledger.status(0), &covered(&[1]));
    assert_eq!(ledger.status(1), &Status::Open);
}

#[test]
fn a_test_against_a_proof_is_right_and_the_contradiction_is_noted() {
    let mut ledger = places(&["f", "f"]);
    let proof = Proof::by(ProofKind::Exhausted { paths: 1 }, Vec::new());
    ledger.refute(0, proof.clone());
    let judged = Case::of(&[proposal(&[])], &[native(&[1, 2])]).judged(&mut ledger);
    // The test is kept with all that it covers.
    assert_eq!(judged.unwrap().tests.len(), 1);
    assert_eq!(ledger.status(0), &covered(&[1]));
    assert_eq!(ledger.status(1), &covered(&[1]));
    let [contradiction] = ledger.contradictions() else {
        panic!("{:?}", ledger.contradictions());
    };
    assert_eq!(contradiction.objective, "statement:1");
    assert_eq!(contradiction.proof, proof);
    assert!(contradiction.to_string().contains("statement:1"));
}

#[test]
fn pairs_are_those_of_the_native_evaluations() {
    let mut ledger = pairs();
    let (yes, no) = (evaluation(true, Some(true)), evaluation(false, None));
    let predicted = labrys_engine::Test {
        vectors: vec![yes, no],
        ..proposal(&[])
    };
    let tests = [predicted.clone(), predicted];
    let shows = |vectors: &[(u32, OutcomeVector)]| Observation {
        vectors: vectors.to_vec(),
        ..native(&[])
    };
    // Predicted was the other half as well: no run has shown it.
    Case::of(&tests[..1], &[shows(&[yes])])
        .judged(&mut ledger)
        .unwrap();
    ledger.cover_pairs();
    assert_eq!(ledger.status(0), &Status::Open);
    let mut ledger = pairs();
    Case::of(&tests, &[shows(&[yes]), shows(&[no])])
        .judged(&mut ledger)
        .unwrap();
    ledger.cover_pairs();
    assert_eq!(ledger.status(0), &covered(&[1, 2]));
    assert_eq!(ledger.status(1), &Status::Open);
}

#[test]
fn evaluations_behind_a_fault_do_not_count() {
    let mut ledger = pairs();
    let (yes, no) = (evaluation(true, Some(true)), evaluation(false, None));
    let faulting = labrys_engine::Test {
        end: PathEnd::Fault(FaultKind::OutOfBounds),
        vectors: vec![yes],
        ..proposal(&[])
    };
    let run = Observation {
        vectors: vec![yes, no],
        ..native(&[])
    };
    Case::of(&[faulting], &[run]).judged(&mut ledger).unwrap();
    ledger.cover_pairs();
    assert_eq!(ledger.status(0), &Status::Open);
}

#[test]
fn tests_for_pairs_that_show_nothing_new_are_left_out() {
    let mut ledger = pairs();
    let (yes, no) = (evaluation(true, Some(true)), evaluation(false, None));
    let for_pairs = || labrys_engine::Test {
        only_for_pairs: true,
        ..proposal(&[])
    };
    let tests = [for_pairs(), for_pairs(), for_pairs()];
    let shows = |vector| Observation {
        vectors: vec![vector],
        ..native(&[])
    };
    let judged = Case::of(&tests, &[shows(yes), shows(yes), shows(no)])
        .judged(&mut ledger)
        .unwrap();
    ledger.cover_pairs();
    assert_eq!(judged.tests.len(), 2);
    assert!(matches!(ledger.status(0), Status::Covered { .. }));
}

#[test]
fn a_decision_of_one_condition_is_shown_by_its_outcome() {
    let pair = Objective {
        id: "mcdc:1".into(),
        criterion: Criterion::Mcdc,
        function: "f".into(),
        file: "x.c".into(),
        line: 1,
        column: 1,
        text: "a".into(),
        trigger: Trigger::Pair {
            decision: 4,
            condition: 0,
            unique: false,
        },
    };
    let mut decision = pairs().decisions().next().unwrap().clone();
    decision.number = 4;
    decision.formula = "A".parse().unwrap();
    decision.conditions.truncate(1);
    let mut ledger = Ledger::new(vec![pair]).with_decisions(&[decision]);
    let outcome = |value: bool| Observation {
        triggers: vec![Trigger::Condition {
            decision: 4,
            index: 0,
            value,
        }],
        ..native(&[])
    };
    Case::of(
        &[proposal(&[]), proposal(&[])],
        &[outcome(true), outcome(false)],
    )
    .judged(&mut ledger)
    .unwrap();
    ledger.cover_pairs();
    assert_eq!(ledger.status(0), &covered(&[1, 2]));
}

#[test]
fn numbers_go_on_from_entry_to_entry() {
    let mut ledger = places(&["f", "f"]);
    let mut judged = Case::of(&[proposal(&[0])], &[native(&[1])])
        .judged(&mut ledger)
        .unwrap();
    let tests = [proposal(&[1])];
    let proposed = Proposed {
        tests: &tests,
        faulted: &BTreeSet::new(),
        purposes: &[],
    };
    let unconfined = Observation {
        missing: MissingProtections::all(),
        ..native(&[1, 2])
    };
    let triggers = by_trigger(ledger.objectives());
    let mut second = Entering {
        entry: &entry("g", &["f"]),
        proposed: &proposed,
        observations: &[unconfined],
        by_clang: &BTreeMap::new(),
        unstable: &BTreeMap::new(),
        triggers: &triggers,
        ledger: &mut ledger,
        names: &mut UniqueNames::default(),
        first_id: 2,
    };
    judged.add(second.enter_all().unwrap());
    assert_eq!(judged.numbers, [Some(1), Some(2)]);
    assert_eq!(ledger.status(0), &covered(&[1, 2]));
    assert_eq!(ledger.status(1), &covered(&[2]));
    assert!(!judged.missing.is_empty());
}
