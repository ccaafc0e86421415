//! Asks a SAT solver that writes proofs about a script, and lets an independent checker go through the
//! proof: the gates of the script, Varisat for the proof, and another project's checker for every step of it.

use super::Verdict;
use super::drat::{ClauseLit, is_refutation};
use super::reader::{Script, TermNode, TermSort};
use crate::blast::{Clauses, Lit};
use labrys_expr::{Arena, ExprId};
use varisat::{CnfFormula, ExtendFormula, ProofFormat, Solver};

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
    let literal = |lit: &Lit| (lit.variable() * 2 + usize::from(lit.is_negated())) as ClauseLit;
    let list = clauses.list.iter();
    let list: Vec<Vec<ClauseLit>> = list.map(|c| c.iter().map(literal).collect()).collect();
    by_proof(&list)
}

fn formula(clauses: &[Vec<ClauseLit>]) -> CnfFormula {
    let mut formula = CnfFormula::new();
    let literal =
        |lit: &ClauseLit| varisat::Lit::from_index((lit / 2) as usize, lit.is_multiple_of(2));
    for clause in clauses {
        let literals: Vec<varisat::Lit> = clause.iter().map(literal).collect();
        formula.add_clause(&literals);
    }
    formula
}

fn by_proof(clauses: &[Vec<ClauseLit>]) -> Verdict {
    const NO_PROOF: Verdict = Verdict::Undecided("the SAT solver has failed");
    let mut proof = Vec::new();
    let mut solver = Solver::new();
    solver.write_proof(&mut proof, ProofFormat::Drat);
    solver.add_formula(&formula(clauses));
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
    match is_refutation(clauses, &proof) {
        true => Verdict::Holds,
        false => Verdict::Undecided("the proof of the SAT solver was refused"),
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
    fn what_the_solver_writes_is_accepted_and_a_wrong_claim_is_noticed() {
        let all = vec![vec![0, 2], vec![0, 3], vec![1, 2], vec![1, 3]];
        assert_eq!(by_proof(&all), Verdict::Holds);
        assert_eq!(by_proof(&all[..3]), Verdict::Broken);
    }

    /// Pigeons in one hole less than there are pigeons: the proof has many steps.
    #[test]
    fn long_proofs_are_accepted() {
        let (pigeons, holes) = (6, 5);
        let at = |pigeon: u32, hole: u32| (pigeon * holes + hole) * 2;
        let mut clauses: Vec<Vec<ClauseLit>> = Vec::new();
        for pigeon in 0..pigeons {
            clauses.push((0..holes).map(|hole| at(pigeon, hole)).collect());
            for other in 0..pigeon {
                let pairs = (0..holes).map(|h| vec![at(pigeon, h) + 1, at(other, h) + 1]);
                clauses.extend(pairs);
            }
        }
        assert_eq!(by_proof(&clauses), Verdict::Holds);
    }
}
