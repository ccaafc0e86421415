//! Checks claims again with solvers that did not find them: a formula in SMT-LIB text has no solution if
//! Bitwuzla says so, and where a SAT solver can say so, too, its proof is checked step by step. No stage,
//! cache or rewrite rule of the chain takes part in what Bitwuzla is asked.

mod by_bitwuzla;
mod by_sat;
mod drat;
mod reader;

use crate::limits::QueryLimits;
use crate::options::SolverOptions;
use labrys_budget::Deadline;
use std::time::Duration;

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The formula has no solution.
    Holds,
    /// It has one: the claim is wrong.
    Broken,
    /// Nobody knows, for this reason.
    Undecided(&'static str),
}

/// What two solvers say of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rechecked {
    pub bitwuzla: Verdict,
    /// By a SAT solver whose proof an independent checker has accepted.
    pub sat: Verdict,
}

impl Rechecked {
    /// Both solvers agree that there is no solution, or the SAT solver was not asked.
    pub fn holds(&self) -> bool {
        self.bitwuzla == Verdict::Holds && self.sat != Verdict::Broken
    }
}

/// Asks about a script of SMT-LIB text, or says what is wrong with the text.
pub fn recheck(script: &str, timeout: Duration, deadline: &Deadline) -> Result<Rechecked, String> {
    let script = reader::read(script).map_err(|error| error.to_string())?;
    if script.asserted.is_empty() {
        return Err("nothing is asserted".to_owned());
    }
    let limits = QueryLimits::new(&SolverOptions {
        timeout,
        deadline: deadline.clone(),
        ..SolverOptions::default()
    });
    Ok(Rechecked {
        bitwuzla: by_bitwuzla::check(&script, &limits.start()),
        sat: by_sat::check(&script),
    })
}

/// Does Bitwuzla say that a script has no solution? For those who look for claims.
pub fn has_no_solution(script: &str, timeout: Duration, deadline: &Deadline) -> bool {
    let Ok(script) = reader::read(script) else {
        return false;
    };
    let limits = QueryLimits::new(&SolverOptions {
        timeout,
        deadline: deadline.clone(),
        ..SolverOptions::default()
    });
    by_bitwuzla::check(&script, &limits.start()) == Verdict::Holds
}

#[cfg(test)]
mod tests {
    use super::*;
    use labrys_expr::{Arena, smtlib};

    fn ask(text: &str) -> Rechecked {
        recheck(text, Duration::from_secs(10), &Deadline::never()).unwrap()
    }

    #[test]
    fn claims_are_told_from_formulas_with_a_solution() {
        let mut arena = Arena::new();
        let (x, y) = (arena.new_var("x", 32), arena.new_var("y", 32));
        let (x, y) = (arena.var_expr(x), arena.var_expr(y));
        let (below, above) = (arena.slt(x, y), arena.slt(y, x));
        let both = smtlib::script(&arena, &[below, above]).text;
        let one = smtlib::script(&arena, &[below]).text;
        assert_eq!(
            ask(&both),
            Rechecked {
                bitwuzla: Verdict::Holds,
                sat: Verdict::Holds
            }
        );
        assert_eq!(ask(&one).bitwuzla, Verdict::Broken);
        assert!(!ask(&one).holds());
    }

    #[test]
    fn floats_are_left_to_bitwuzla() {
        let mut arena = Arena::new();
        let x = arena.new_var("x", 64);
        let x = arena.var_expr(x);
        let sum = arena.fadd(x, x);
        let (below, above) = (arena.flt(sum, x), arena.flt(x, sum));
        let text = smtlib::script(&arena, &[below, above]).text;
        let found = ask(&text);
        assert_eq!(found.bitwuzla, Verdict::Holds);
        assert!(matches!(found.sat, Verdict::Undecided(_)));
    }

    #[test]
    fn a_script_without_an_assertion_claims_nothing() {
        let text = "(set-logic QF_BV)\n";
        assert!(recheck(text, Duration::from_secs(1), &Deadline::never()).is_err());
    }
}
