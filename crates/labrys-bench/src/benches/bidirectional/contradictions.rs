//! What cannot be true together: something that is covered and called infeasible, whoever says so.

use super::trial::ObjectiveStatuses;
use super::truth::OutcomeSet;
use labrys_ledger::Status;

/// What one method says.
#[derive(Default)]
pub struct MethodClaims {
    pub method: String,
    pub covered: OutcomeSet,
    pub infeasible: OutcomeSet,
    /// Unknown only because a test was not run natively.
    pub not_run: usize,
}

/// How the reason of an objective ends whose test was found, but not run.
const NOT_RUN: &str = "its test was not run natively";

impl MethodClaims {
    pub fn of(method: &str, statuses: &ObjectiveStatuses) -> Self {
        let those = |is: fn(&Status) -> bool| -> OutcomeSet {
            let those = statuses.iter().filter(|(_, status)| is(status));
            those.map(|(outcome, _)| outcome.clone()).collect()
        };
        MethodClaims {
            method: method.to_owned(),
            covered: those(|status| matches!(status, Status::Covered { .. })),
            infeasible: those(|status| matches!(status, Status::Infeasible { .. })),
            not_run: those(
                |status| matches!(status, Status::Unknown { reason } if reason.ends_with(NOT_RUN)),
            )
            .len(),
        }
    }
}

/// Compares the methods with each other, with the list and with the native runs. Entries of the list
/// that are no objectives are as wrong: the list belongs to another version of the program.
pub fn contradictions(
    said: &[MethodClaims],
    all: &OutcomeSet,
    listed: &OutcomeSet,
    native: &OutcomeSet,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut both = |covered: &OutcomeSet, by: &str, infeasible: &OutcomeSet, of: &str| {
        for outcome in covered.intersection(infeasible) {
            let place = outcome.shown();
            found.push(format!("{place}: covered by {by}, infeasible by {of}"));
        }
    };
    both(native, "native runs", listed, "the list");
    for one in said {
        both(&one.covered, &one.method, listed, "the list");
        both(native, "native runs", &one.infeasible, &one.method);
        for other in said {
            both(&one.covered, &one.method, &other.infeasible, &other.method);
        }
    }
    if !all.is_empty() {
        let unknown = listed.difference(all);
        found.extend(unknown.map(|o| format!("{}: on the list, but no objective", o.shown())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::truth::BranchOutcome;
    use super::*;

    fn lines(lines: &[u32]) -> OutcomeSet {
        let outcome = |line: &u32| BranchOutcome {
            line: *line,
            column: 1,
            is_true: true,
        };
        lines.iter().map(outcome).collect()
    }

    fn said(covered: &[u32], infeasible: &[u32]) -> MethodClaims {
        MethodClaims {
            method: "m".to_owned(),
            covered: lines(covered),
            infeasible: lines(infeasible),
            not_run: 0,
        }
    }

    #[test]
    fn whatever_is_covered_is_not_infeasible() {
        let all = lines(&[1, 2, 3, 4]);
        let none = OutcomeSet::new();
        let count = |said: &[MethodClaims], listed: &[u32], native: &[u32]| {
            contradictions(said, &all, &lines(listed), &lines(native)).len()
        };
        assert_eq!(
            count(&[said(&[1], &[2]), said(&[3], &[2])], &[2, 4], &[1]),
            0
        );
        assert_eq!(count(&[said(&[1], &[]), said(&[], &[1])], &[], &[]), 1);
        assert_eq!(count(&[said(&[1], &[])], &[1], &[]), 1);
        assert_eq!(count(&[said(&[], &[1])], &[], &[1]), 1);
        assert_eq!(count(&[], &[1], &[1]), 1);
        assert_eq!(count(&[], &[9], &[]), 1);
        assert!(contradictions(&[], &none, &lines(&[9]), &none).is_empty());
    }
}
