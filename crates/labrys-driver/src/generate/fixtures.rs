//! Small searches, native runs and ledgers by hand, for the tests of [`super::judge`] and
//! [`super::conclude`].

#![allow(clippy::unwrap_used)]

use super::judge::Judged;
use super::session::SearchedEntry;
use labrys_engine::{ClaimList, PathEnd, Report, Stop, Test, Work};
use labrys_front::EntryPoint;
use labrys_ledger::decision::Condition;
use labrys_ledger::{Criterion, Decision, Ledger, Objective, OutcomeVector, Trigger};
use labrys_solver::SolverStats;
use labrys_suite::{Observation, RunEnd};
use std::collections::{BTreeMap, BTreeSet};

/// The trace of every predicted run; native runs have it unless they diverge.
pub(super) const TRACE: u64 = 77;

/// The number of the decision `a && b`.
pub(super) const DECISION: u32 = 9;

fn objective(criterion: Criterion, number: u32, function: &str, trigger: Trigger) -> Objective {
    Objective {
        id: format!("{}:{number}", criterion.name()),
        criterion,
        function: function.into(),
        file: "x.c".into(),
        line: number,
        column: 1,
        text: format!("place {number}"),
        trigger,
    }
}

/// Places to reach, numbered from 1, in these functions.
pub(super) fn places(functions: &[&str]) -> Ledger {
    let numbered = (1..).zip(functions);
    let objectives = numbered.map(|(number, function)| {
        let trigger = Trigger::Reach { id: number };
        objective(Criterion::Statement, number, function, trigger)
    });
    Ledger::new(objectives.collect())
}

/// Two objectives of `f`: the masking pairs of `a` and of `b` in `a && b`.
pub(super) fn pairs() -> Ledger {
    let pair = |condition: u32| {
        let trigger = Trigger::Pair {
            decision: DECISION,
            condition,
            unique: false,
        };
        objective(Criterion::Mcdc, condition + 1, "f", trigger)
    };
    let condition = |text: &str| Condition {
        text: text.into(),
        line: 1,
        column: 1,
        constant: None,
        labels: None,
    };
    let decision = Decision {
        number: DECISION,
        function: "f".into(),
        file: "x.c".into(),
        line: 1,
        column: 1,
        text: "a && b".into(),
        formula: "A && B".parse().unwrap(),
        conditions: vec![condition("a"), condition("b")],
    };
    Ledger::new(vec![pair(0), pair(1)]).with_decisions(&[decision])
}

/// An evaluation of `a && b`: `b` is not evaluated where `a` is false.
pub(super) fn evaluation(a: bool, b: Option<bool>) -> (u32, OutcomeVector) {
    let vector = OutcomeVector::default().with(0, a);
    (DECISION, b.map_or(vector, |b| vector.with(1, b)))
}

/// The entry of a function, whose own objectives and those of others count.
pub(super) fn entry(function: &str, scope: &[&str]) -> EntryPoint {
    EntryPoint {
        function: function.into(),
        file: "x.c".into(),
        harness: format!("harness_{function}"),
        scope: scope.iter().map(|&name| name.to_owned()).collect(),
        inputs: BTreeMap::new(),
        outputs: BTreeMap::new(),
        harness_text: String::new(),
        world: None,
        generated: true,
    }
}

/// A test that is predicted to return and to cover these objectives.
pub(super) fn proposal(covers: &[usize]) -> Test {
    Test {
        inputs: Vec::new(),
        end: PathEnd::Returned,
        conditions: 1,
        fresh: covers.to_vec(),
        covers: covers.to_vec(),
        vectors: Vec::new(),
        only_for_pairs: false,
        trace: TRACE,
        outputs: Vec::new(),
        faulted: Vec::new(),
        depends_on_layout: false,
        surroundings: Vec::new(),
        needs_much_stack: false,
        streams: [Vec::new(), Vec::new()],
        found_with: None,
    }
}

/// A native run that returned on the predicted path and came to the places with these numbers.
pub(super) fn native(places: &[u32]) -> Observation {
    Observation {
        triggers: places.iter().map(|&id| Trigger::Reach { id }).collect(),
        vectors: Vec::new(),
        points: Vec::new(),
        steps: 0,
        trace: TRACE,
        end: RunEnd::Returned,
        outputs: Vec::new(),
        stdout: Vec::new(),
        stderr: Vec::new(),
        inputs_used: 0,
        incomplete: false,
        missing: Default::default(),
        padded: false,
        asked: Vec::new(),
    }
}

/// A search that saw every path: a proof for whatever it has not covered.
pub(super) fn exhausted() -> Report {
    Report {
        tests: Vec::new(),
        faults: Vec::new(),
        stop: Stop::Exhausted,
        vectors: Vec::new(),
        distinct_paths: 5,
        assumptions: Vec::new(),
        gaps: BTreeMap::new(),
        unproved: BTreeMap::new(),
        faulted: BTreeSet::new(),
        pinned: BTreeMap::new(),
        work: Work {
            paths: 5,
            ..Work::default()
        },
        solver: SolverStats::default(),
        sizes: Vec::new(),
        turns: Vec::new(),
        frontier: Default::default(),
        claims: ClaimList::default(),
        frontier_claims: ClaimList::default(),
        needed: BTreeMap::new(),
    }
}

/// An entry whose search gave this report, and whose tests went as predicted.
pub(super) fn searched(function: &str, scope: &[&str], report: Report) -> SearchedEntry {
    SearchedEntry {
        entry: entry(function, scope),
        report,
        judged: Judged {
            tests: Vec::new(),
            numbers: Vec::new(),
            native: BTreeMap::new(),
            divergences: Vec::new(),
            unspecified: Vec::new(),
            other_coverage: Vec::new(),
            not_asked: Vec::new(),
            by_addresses: BTreeSet::new(),
            missing: Default::default(),
            not_run: 0,
        },
    }
}
