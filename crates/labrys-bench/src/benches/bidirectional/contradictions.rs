//! What cannot be true together: something that is covered and called infeasible, whoever says so.

use super::trial::MethodRun;
use super::truth::OutcomeSet;

/// Compares the runs of a subject with each other, with the list and with the native runs. Entries of
/// the list that are no objectives are as wrong: the list belongs to another version of the program.
pub fn contradictions(
    said: &[&MethodRun],
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
    for one in said.iter().filter(|one| one.branches() > 0) {
        let is_objective = |o: &&_| {
            one.covered.contains(o) || one.infeasible.contains(o) || one.unknown.contains(o)
        };
        let strange = listed.iter().filter(|o| !is_objective(o));
        found.extend(strange.map(|o| format!("{}: on the list, but no objective", o.shown())));
    }
    found.sort();
    found.dedup();
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

    /// Four branches.
    fn said(covered: &[u32], infeasible: &[u32]) -> MethodRun {
        let (covered, infeasible) = (lines(covered), lines(infeasible));
        let decided: OutcomeSet = covered.union(&infeasible).cloned().collect();
        MethodRun {
            unknown: lines(&[1, 2, 3, 4]).difference(&decided).cloned().collect(),
            covered,
            infeasible,
            ..MethodRun::default()
        }
    }

    fn count(said: &[MethodRun], listed: &[u32], native: &[u32]) -> usize {
        let said: Vec<&MethodRun> = said.iter().collect();
        contradictions(&said, &lines(listed), &lines(native)).len()
    }

    #[test]
    fn whatever_is_covered_is_not_infeasible() {
        assert_eq!(
            count(&[said(&[1], &[2]), said(&[3], &[2])], &[2, 4], &[1]),
            0
        );
        assert_eq!(count(&[said(&[1], &[]), said(&[], &[1])], &[], &[]), 1);
        assert_eq!(count(&[said(&[1], &[])], &[1], &[]), 1);
        assert_eq!(count(&[said(&[], &[1])], &[], &[1]), 1);
        assert_eq!(count(&[], &[1], &[1]), 1);
        assert_eq!(count(&[said(&[1], &[])], &[9], &[]), 1);
        assert_eq!(count(&[MethodRun::default()], &[9], &[]), 0);
    }
}
