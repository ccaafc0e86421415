//! Each of these would fail if a rule called a feasible objective infeasible, or lost a proof.

#![allow(clippy::unwrap_used)]

use super::super::fixtures::{evaluation, exhausted, pairs, places, proposal, searched};
use super::super::judge::Judged;
use super::*;
use labrys_engine::Report;
use labrys_ledger::Trust;
use std::path::PathBuf;

fn concluded(searched: &[SearchedEntry], mut ledger: Ledger) -> Ledger {
    let request = Request::new(vec![PathBuf::from("x.c")]);
    conclude(
        searched,
        &mut ledger,
        &Module::default(),
        &request,
        &Default::default(),
    );
    ledger
}

/// What becomes of the only place of `f` after this search of `f`.
fn after(report: Report) -> Status {
    let ledger = concluded(&[searched("f", &["f"], report)], places(&["f"]));
    ledger.status(0).clone()
}

fn unknown(reason: &str) -> Status {
    Status::Unknown {
        reason: reason.to_owned(),
    }
}

/// The paths of a proof, and what it assumes.
fn proof(status: &Status) -> (u64, Vec<String>) {
    match status {
        Status::Infeasible {
            proof:
                Proof {
                    rule: ProofKind::Exhausted { paths },
                    assumes,
                    ..
                },
        } => (*paths, assumes.clone()),
        other => panic!("not a proof by exhaustion: {other:?}"),
    }
}

/// An exhausted search that does not show this about the only place of `f`.
fn without(unproved: &[Unproved]) -> Report {
    Report {
        unproved: [(0, unproved.iter().cloned().collect())].into(),
        ..exhausted()
    }
}

fn assuming(texts: &[&str]) -> Report {
    let assumes = texts.iter().map(|&text| Unproved::Assumes(text.to_owned()));
    without(&assumes.collect::<Vec<_>>())
}

/// What becomes of the only place of `f` after this search, with this trust.
fn trusting(report: Report, trust: Trust) -> Status {
    let mut request = Request::new(vec![PathBuf::from("x.c")]);
    request.report.trust = trust;
    let mut ledger = places(&["f"]);
    conclude(
        &[searched("f", &["f"], report)],
        &mut ledger,
        &Module::default(),
        &request,
        &Default::default(),
    );
    ledger.status(0).clone()
}

#[test]
fn an_exhausted_search_is_a_proof() {
    let (paths, assumes) = proof(&after(exhausted()));
    assert_eq!(paths, 5);
    assert!(assumes.is_empty(), "{assumes:?}");
}

#[test]
fn a_search_that_stopped_early_is_none() {
    for stop in [Stop::Time, Stop::Paths, Stop::Interrupted, Stop::AllCovered] {
        let status = after(Report {
            stop,
            ..exhausted()
        });
        let reason = format!("{}: the search was not finished", stop.name());
        assert_eq!(status, unknown(&reason));
    }
}

#[test]
fn a_gap_is_no_proof_for_what_lies_behind_it() {
    let gap = Unproved::Gap("inline assembly was not run".to_owned());
    assert_eq!(
        after(without(&[gap])),
        unknown("inline assembly was not run")
    );
    let elsewhere = Report {
        gaps: [("inline assembly was not run".to_owned(), 1)].into(),
        ..exhausted()
    };
    assert_eq!(proof(&after(elsewhere)).0, 5);
}

#[test]
fn a_size_of_the_harness_is_no_proof_and_named() {
    assert_eq!(
        after(assuming(&["--array-len", "--depth"])),
        unknown("bounds: raise --array-len, --depth")
    );
    assert_eq!(
        after(assuming(&["--model"])),
        unknown("bounds: the harness made something up; write a driver, or give --model")
    );
    // However much is trusted: the size can be raised.
    assert_eq!(
        trusting(assuming(&["--depth"]), Trust::All),
        unknown("bounds: raise --depth")
    );
}

#[test]
fn a_guess_counts_only_if_it_is_trusted() {
    let report = || assuming(&["aliasing", "stub ext has no other effect"]);
    for trust in [Trust::None, Trust::Language, Trust::Environment] {
        assert_eq!(
            trusting(report(), trust),
            unknown(
                "infeasible only if: aliasing, stub ext has no other effect; \
                 --model FILE or --trust all"
            )
        );
    }
    let (_, assumes) = proof(&trusting(report(), Trust::All));
    assert_eq!(assumes, ["aliasing", "stub ext has no other effect"]);
}

#[test]
fn the_surroundings_count_only_if_they_are_trusted() {
    let report = || assuming(&["library malloc succeeds"]);
    assert_eq!(
        after(report()),
        unknown("infeasible only if: library malloc succeeds; --trust environment")
    );
    assert!(matches!(
        trusting(report(), Trust::Environment),
        Status::Infeasible { .. }
    ));
}

#[test]
fn a_proof_says_that_runs_end_at_errors() {
    let report = || assuming(&["ends at first error"]);
    let (_, assumes) = proof(&after(report()));
    assert_eq!(assumes, ["ends at first error"]);
    assert_eq!(
        trusting(report(), Trust::None),
        unknown("infeasible only if: ends at first error; --trust language")
    );
}

#[test]
fn an_assumption_that_nobody_knows_is_a_guess() {
    let status = after(assuming(&["the moon is full"]));
    assert_eq!(
        status,
        unknown("infeasible only if: the moon is full; --trust all")
    );
}

#[test]
fn what_is_not_shown_of_one_objective_says_nothing_of_another() {
    let report = Report {
        unproved: [
            (0, [Unproved::Gap("a product of floats".to_owned())].into()),
            (1, [Unproved::Assumes("--depth".to_owned())].into()),
        ]
        .into(),
        ..exhausted()
    };
    let ledger = concluded(&[searched("f", &["f"], report)], places(&["f", "f", "f"]));
    assert_eq!(ledger.status(0), &unknown("a product of floats"));
    assert_eq!(ledger.status(1), &unknown("bounds: raise --depth"));
    // The others of the same search are.
    assert_eq!(proof(ledger.status(2)).0, 5);
}

#[test]
fn what_the_engine_covered_and_no_native_run_did_is_not_refuted() {
    let status = after(Report {
        tests: vec![proposal(&[0])],
        ..exhausted()
    });
    assert_eq!(status, unknown("not confirmed by native replay"));
}

#[test]
fn what_is_covered_only_in_other_surroundings_says_so() {
    let mut elsewhere = proposal(&[0]);
    elsewhere.surroundings = vec!["environment: file status".to_owned()];
    let status = after(Report {
        tests: vec![elsewhere.clone()],
        ..exhausted()
    });
    assert_eq!(status, unknown("covered only if: environment: file status"));
    // Another test takes nothing for granted.
    let status = after(Report {
        tests: vec![elsewhere, proposal(&[0])],
        ..exhausted()
    });
    assert_eq!(status, unknown("not confirmed by native replay"));
}

#[test]
fn what_only_some_addresses_show_depends_on_them() {
    let after = |by_addresses: &[usize], not_asked: &[u32]| {
        let mut searched = searched("f", &["f"], exhausted());
        searched.report.tests = vec![proposal(&[0]), proposal(&[0])];
        searched.judged.numbers = vec![Some(1), Some(2)];
        searched.judged.by_addresses = by_addresses.iter().copied().collect();
        searched.judged.not_asked = not_asked.to_vec();
        concluded(&[searched], places(&["f"])).status(0).clone()
    };
    assert_eq!(after(&[0, 1], &[]), unknown(BY_ADDRESSES));
    // Whatever clang makes of them.
    assert_eq!(after(&[0, 1], &[1]), unknown(BY_ADDRESSES));
    // The other test does the same everywhere.
    assert_eq!(after(&[0], &[]), unknown(UNCONFIRMED));
}

#[test]
fn a_search_whose_tests_ran_otherwise_than_predicted_is_no_proof() {
    let mut diverged = searched("f", &["f"], exhausted());
    diverged.judged.divergences = vec!["f test 1: another path".to_owned()];
    let ledger = concluded(&[diverged], places(&["f"]));
    assert_eq!(ledger.status(0), &unknown(DIVERGED));
    let mut not_asked = searched("f", &["f"], exhausted());
    not_asked.judged.not_asked = vec![1];
    let ledger = concluded(&[not_asked], places(&["f"]));
    assert_eq!(ledger.status(0), &unknown(NOT_ASKED));
    let mut proposed = searched("f", &["f"], exhausted());
    proposed.report.tests = vec![proposal(&[0])];
    proposed.judged.numbers = vec![Some(1)];
    proposed.judged.not_asked = vec![1];
    let ledger = concluded(&[proposed], places(&["f"]));
    assert_eq!(ledger.status(0), &unknown(NOT_ASKED));
}

#[test]
fn a_search_in_another_order_than_that_of_the_program_is_no_proof() {
    let mut other_order = searched("f", &["f"], exhausted());
    other_order.judged.unspecified = vec![1];
    // A run whose operands come in another order, and that does the same.
    let ledger = concluded(std::slice::from_ref(&other_order), places(&["f"]));
    assert!(matches!(ledger.status(0), Status::Infeasible { .. }));
    other_order.judged.other_coverage = vec![1];
    let ledger = concluded(&[other_order], places(&["f"]));
    assert_eq!(ledger.status(0), &unknown(OTHER_ORDER));
}

#[test]
fn a_search_whose_tests_were_not_all_run_is_no_proof() {
    let mut late = searched("f", &["f"], exhausted());
    late.judged.not_run = 1;
    let ledger = concluded(&[late], places(&["f"]));
    assert_eq!(ledger.status(0), &unknown(NOT_ALL_RUN));
}

#[test]
fn what_a_test_would_cover_that_was_not_run_is_unknown_for_want_of_time() {
    let mut late = searched("f", &["f"], exhausted());
    late.report.tests = vec![proposal(&[0])];
    late.judged = Judged::none_of(1);
    let ledger = concluded(&[late], places(&["f"]));
    assert_eq!(ledger.status(0), &unknown(NOT_RUN));
}

#[test]
fn what_was_not_looked_at_says_so() {
    let never = searched("f", &["f"], Report::unsearched(Stop::Time));
    let ledger = concluded(&[never], places(&["f"]));
    assert_eq!(ledger.status(0), &unknown("time: not looked at"));
}

#[test]
fn what_is_known_stays() {
    let mut ledger = places(&["f", "f"]);
    ledger.cover(0, 3);
    let earlier = Proof::by(ProofKind::Exhausted { paths: 1 }, Vec::new());
    ledger.refute(1, earlier.clone());
    let stopped = Report {
        stop: Stop::Time,
        ..exhausted()
    };
    let ledger = concluded(&[searched("f", &["f"], stopped)], ledger);
    assert_eq!(ledger.status(0), &Status::Covered { tests: vec![3] });
    assert_eq!(ledger.status(1), &Status::Infeasible { proof: earlier });
}

#[test]
fn every_entry_that_reaches_an_objective_must_be_exhausted() {
    let stopped = Report {
        stop: Stop::Time,
        ..exhausted()
    };
    let both = [
        searched("f", &["f", "helper"], exhausted()),
        searched("g", &["g", "helper"], stopped),
    ];
    let ledger = concluded(&both, places(&["f", "helper", "g", "elsewhere"]));
    assert_eq!(proof(ledger.status(0)).0, 5);
    assert_eq!(
        ledger.status(1),
        &unknown("time: the search was not finished")
    );
    assert_eq!(
        ledger.status(2),
        &unknown("time: the search was not finished")
    );
    // Nobody has looked for it: that is no proof.
    assert_eq!(
        ledger.status(3),
        &unknown("never reached from the function under test")
    );
}

#[test]
fn the_paths_of_all_entries_that_looked_are_the_proof() {
    let both = [
        searched("f", &["f", "helper"], exhausted()),
        searched("g", &["g", "helper"], exhausted()),
    ];
    let ledger = concluded(&both, places(&["helper", "g"]));
    assert_eq!(proof(ledger.status(0)).0, 10);
    assert_eq!(proof(ledger.status(1)).0, 5);
}

#[test]
fn a_pair_that_the_searches_found_is_not_refuted() {
    // The halves of the pair of `a` come from two entries; `b` was never false alone.
    let with = |vectors| Report {
        vectors,
        ..exhausted()
    };
    let both = [
        searched("f", &["f"], with(vec![evaluation(true, Some(true))])),
        searched("g", &["f"], with(vec![evaluation(false, None)])),
    ];
    let ledger = concluded(&both, pairs());
    assert_eq!(ledger.status(0), &unknown("not confirmed by native replay"));
    assert_eq!(proof(ledger.status(1)).0, 10);
}

#[test]
fn preconditions_and_models_are_assumptions_of_a_proof() {
    let mut request = Request::new(vec![PathBuf::from("x.c")]);
    request.harness.assume = vec!["n > 0".to_owned()];
    request.program.models = vec![PathBuf::from("m.c")];
    request.harness.symbolic_globals = true;
    let mut ledger = places(&["f"]);
    let entries = [searched("f", &["f"], exhausted())];
    conclude(
        &entries,
        &mut ledger,
        &Module::default(),
        &request,
        &Default::default(),
    );
    let (_, assumes) = proof(ledger.status(0));
    assert_eq!(assumes, ["--assume 'n > 0'", "--model m.c is right"]);
}
