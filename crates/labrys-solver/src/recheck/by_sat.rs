//! Asks a SAT solver that writes proofs about a script, and lets an independent checker go through the
//! proof: the gates of the script, Varisat for the proof, and its checker for every step of it.

use super::Verdict;
use super::reader::{Script, TermNode, TermSort};
use crate::blast::{Clauses, Lit};
use labrys_expr::{Arena, ExprId};
use varisat::{CnfFormula, ExtendFormula, ProofFormat, Solver};
use varisat_checker::Checker;

/// Formulas of more clauses are left to Bitwuzla.
const MOST_CLAUSES: usize = 200_000;

/// Formulas that need more conflicts are left to Bitwuzla: Varisat has no limit of its own.
const MOST_CONFLICTS: u64 = 2_000;

/// Does the script have a solution? Not decided for floats and what is too hard.
pub(super) fn check(script: &Script) -> Verdict {
    let mut arena = Arena::new();
    let mut made: Vec<ExprId> = Vec::new();
    for (node, sort) in &script.nodes {
        match expression(&mut arena, node, *sort, &made) {
            Some(e) => made.push(e),
            None => return Verdict::Undecided("no formula for a SAT solver"),
        }
    }
    let asserted: Vec<ExprId> = script.asserted.iter().map(|at| made[*at]).collect();
    let Some(clauses) = Clauses::of(&arena, &asserted, MOST_CONFLICTS) else {
        return Verdict::Undecided("too hard for a SAT solver");
    };
    if clauses.list.len() > MOST_CLAUSES {
        return Verdict::Undecided("too large for a SAT solver");
    }
    by_proof(&formula(&clauses))
}

fn formula(clauses: &Clauses) -> CnfFormula {
    let mut formula = CnfFormula::new();
    let literal = |lit: &Lit| varisat::Lit::from_index(lit.variable(), !lit.is_negated());
    for clause in &clauses.list {
        let literals: Vec<varisat::Lit> = clause.iter().map(literal).collect();
        formula.add_clause(&literals);
    }
    formula
}

fn by_proof(formula: &CnfFormula) -> Verdict {
    const NO_PROOF: Verdict = Verdict::Undecided("the SAT solver has failed");
    let mut proof = Vec::new();
    let mut solver = Solver::new();
    solver.write_proof(&mut proof, ProofFormat::Varisat);
    solver.add_formula(formula);
    let Ok(is_satisfiable) = solver.solve() else {
        return NO_PROOF;
    };
    if is_satisfiable {
        return Verdict::Broken;
    }
    if solver.close_proof().is_err() {
        return NO_PROOF;
    }
    drop(solver);
    checked(formula, &proof)
}

/// Goes through a proof step by step.
fn checked(formula: &CnfFormula, proof: &[u8]) -> Verdict {
    let mut checker = Checker::new();
    let accepted = checker
        .add_formula(formula)
        .and_then(|()| checker.check_proof(proof));
    match accepted {
        Ok(()) => Verdict::Holds,
        Err(_) => Verdict::Undecided("the proof of the SAT solver was refused"),
    }
}

/// The same term as an expression; truth values have a width of 1.
fn expression(
    arena: &mut Arena,
    node: &TermNode,
    sort: TermSort,
    made: &[ExprId],
) -> Option<ExprId> {
    let (operator, indices, arguments) = match (node, sort) {
        (TermNode::Variable, TermSort::Bits(width)) => {
            if width > 64 {
                return None;
            }
            let var = arena.new_var("v", width);
            return Some(arena.var_expr(var));
        }
        (TermNode::Bits(value), TermSort::Bits(width)) => {
            return Some(arena.constant(width, *value));
        }
        (TermNode::Bool(value), _) => return Some(arena.constant(1, (*value).into())),
        (
            TermNode::Apply {
                operator,
                indices,
                arguments,
            },
            _,
        ) => (operator.as_str(), &indices[..], arguments),
        _ => return None,
    };
    let arguments: Vec<ExprId> = arguments.iter().map(|at| made[*at]).collect();
    Some(match (operator, indices, &arguments[..]) {
        ("=", _, &[a, b]) => arena.eq(a, b),
        ("ite", _, &[c, a, b]) => arena.ite(c, a, b),
        ("not" | "bvnot", _, &[a]) => arena.not(a),
        ("bvneg", _, &[a]) => arena.neg(a),
        ("and" | "bvand", _, &[a, b]) => arena.and(a, b),
        ("or" | "bvor", _, &[a, b]) => arena.or(a, b),
        ("bvxor", _, &[a, b]) => arena.xor(a, b),
        ("bvadd", _, &[a, b]) => arena.add(a, b),
        ("bvsub", _, &[a, b]) => arena.sub(a, b),
        ("bvmul", _, &[a, b]) => arena.mul(a, b),
        ("bvudiv", _, &[a, b]) => arena.udiv(a, b),
        ("bvsdiv", _, &[a, b]) => arena.sdiv(a, b),
        ("bvurem", _, &[a, b]) => arena.urem(a, b),
        ("bvsrem", _, &[a, b]) => arena.srem(a, b),
        ("bvshl", _, &[a, b]) => arena.shl(a, b),
        ("bvlshr", _, &[a, b]) => arena.lshr(a, b),
        ("bvashr", _, &[a, b]) => arena.ashr(a, b),
        ("bvult", _, &[a, b]) => arena.ult(a, b),
        ("bvslt", _, &[a, b]) => arena.slt(a, b),
        ("concat", _, &[a, b]) if arena.width(a).checked_add(arena.width(b))? <= 128 => {
            arena.concat(a, b)
        }
        ("extract", [high, low], &[a]) => {
            let width = u8::try_from(high - low + 1).ok()?;
            arena.extract(a, u32::try_from(*low).ok()?, width)
        }
        ("zero_extend" | "sign_extend", [more], &[a]) => {
            let width = arena.width(a).checked_add(u8::try_from(*more).ok()?)?;
            match operator {
                _ if width > 128 => return None,
                "zero_extend" => arena.zext(a, width),
                _ => arena.sext(a, width),
            }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_proof_is_refused() {
        let mut formula = CnfFormula::new();
        let lit = |index: usize, positive: bool| varisat::Lit::from_index(index, positive);
        for (a, b) in [(true, true), (true, false), (false, true), (false, false)] {
            formula.add_clause(&[lit(0, a), lit(1, b)]);
        }
        assert_eq!(by_proof(&formula), Verdict::Holds);
        assert_ne!(checked(&formula, &[]), Verdict::Holds);
        assert_ne!(checked(&formula, &[1, 2, 3, 4, 5, 6]), Verdict::Holds);
    }
}
