//! Goes through a proof in the format DRAT (Wetzler, Heule and Hunt 2014) with the checker `dratify`, which
//! shares no code with the SAT solver that has written it. Only steps that follow by unit propagation (RUP)
//! are accepted: such a clause follows from the ones before it whatever was removed, which is all that is
//! needed here.

use dratify::Checker;

/// A literal: twice its variable, and one more if it is negated.
pub(super) type ClauseLit = u32;

/// Does the proof show that the clauses contradict each other?
pub(super) fn is_refutation(clauses: &[Vec<ClauseLit>], proof: &[u8]) -> bool {
    let all = clauses.iter().flatten();
    let variables = all.map(|lit| lit / 2 + 1).max().unwrap_or(0);
    let Some(steps) = steps(proof, variables) else {
        return false;
    };
    Checker::new(variables, clauses, false, true)
        .check(&steps)
        .ok
}

/// The steps of a proof: whether a clause is removed, and the clause. None if it cannot be read, or if it has
/// variables that the clauses do not have.
fn steps(proof: &[u8], variables: u32) -> Option<Vec<(bool, Vec<ClauseLit>)>> {
    let text = std::str::from_utf8(proof).ok()?;
    text.lines()
        .map(|line| {
            let (is_removed, line) = match line.strip_prefix("d ") {
                Some(rest) => (true, rest),
                None => (false, line),
            };
            let numbers: Option<Vec<i64>> = line.split(' ').map(|n| n.parse().ok()).collect();
            let numbers = numbers?;
            let (end, numbers) = numbers.split_last()?;
            let literal = |number: &i64| {
                let variable = u32::try_from(number.unsigned_abs().checked_sub(1)?).ok()?;
                let is_known = variable < variables;
                is_known.then(|| variable * 2 + u32::from(*number < 0))
            };
            let clause: Option<Vec<ClauseLit>> = numbers.iter().map(literal).collect();
            (*end == 0).then_some(())?;
            Some((is_removed, clause?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All four clauses of two variables.
    fn contradiction() -> Vec<Vec<ClauseLit>> {
        vec![vec![0, 2], vec![0, 3], vec![1, 2], vec![1, 3]]
    }

    #[test]
    fn a_right_proof_is_accepted() {
        assert!(is_refutation(&contradiction(), b"1 0\nd 1 2 0\n0\n"));
    }

    #[test]
    fn damaged_proofs_are_refused() {
        for damaged in [
            &b""[..],
            // The empty clause does not follow at once.
            b"0\n",
            // It is never derived.
            b"1 0\n",
            // What the step needs was removed.
            b"d 1 2 0\nd 1 -2 0\n1 0\nd -1 2 0\n0\n",
            b"1\n0\n",
            b"3 0\n1 0\n0\n",
            b"1 0\nx 0\n0\n",
            b"\x80",
        ] {
            assert!(!is_refutation(&contradiction(), damaged), "{damaged:?}");
        }
    }

    #[test]
    fn a_step_that_does_not_follow_is_refused_although_it_would_be_harmless() {
        // `a` follows from nothing, but no clause has its negation: RAT.
        assert!(!is_refutation(
            &[vec![2, 4], vec![2, 5], vec![3, 4], vec![3, 5]],
            b"1 0\n2 0\n0\n"
        ));
    }

    #[test]
    fn clauses_with_a_solution_have_no_proof() {
        assert!(!is_refutation(&contradiction()[..3], b"1 0\n2 0\n0\n"));
        assert!(!is_refutation(&contradiction()[..3], b"1 0\n-1 0\n0\n"));
    }
}
