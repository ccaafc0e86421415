//! A proof in words.

use labrys_ledger::{Need, Proof, ProofKind, ProofStep};
use std::fmt::Write;

/// What shows that no test can cover an objective.
pub fn because(proof: &Proof) -> String {
    match &proof.rule {
        ProofKind::Exhausted { paths } => {
            format!("all {paths} feasible paths were executed, none covers it")
        }
        ProofKind::LoopInvariants { invariants, .. } => {
            let turns = invariants.iter().map(|invariant| invariant.turns).max();
            let in_a_row = match turns {
                Some(turns) if turns > 1 => {
                    format!(", some of them if they held for {turns} turns in a row")
                }
                _ => String::new(),
            };
            format!(
                "no path covers it from any state in which a turn of a loop can begin ({} relations hold there{in_a_row})",
                invariants.len()
            )
        }
        ProofKind::StateSets { sets, kept } => {
            let apart = match kept.is_empty() {
                true => String::new(),
                false => format!(", told apart by {}", kept.join(", ")),
            };
            format!("none of the {sets} sets of states at joins leads to it{apart}")
        }
        ProofKind::Frontier { predicates, .. } => format!(
            "nothing leads to it: {predicates} conditions backward through the code, none of which can begin to hold"
        ),
        ProofKind::Constant { value } => format!("the condition is always {value}"),
        ProofKind::Constants { because }
        | ProofKind::Static { because }
        | ProofKind::Memory { because }
        | ProofKind::Relations { because } => because.clone(),
    }
}

/// The proof with its steps and what it takes for granted.
pub fn explained(proof: &Proof) -> String {
    let mut text = format!("  infeasible: {}\n", because(proof));
    for (number, step) in proof.steps.iter().enumerate() {
        let _ = writeln!(text, "    {}. {}{}", number + 1, place(step), step.text);
        let claims: usize = step.claims.iter().map(|c| c.numbers.len()).sum();
        if claims > 0 {
            let files: Vec<&str> = step.claims.iter().map(|c| c.file.as_str()).collect();
            let formulas = if claims == 1 { "formula" } else { "formulas" };
            let _ = writeln!(text, "       {claims} {formulas} in {}", files.join(", "));
        }
    }
    if proof.steps.iter().any(|step| step.text.contains('@')) {
        text.push_str("    x@N is x when a turn of the loop in line N begins\n");
    }
    if proof.left_out > 0 {
        let _ = writeln!(text, "    and {} further steps", proof.left_out);
    }
    for assumption in proof.assumes() {
        let needed = proof.needs.iter().find(|n| n.assumption == *assumption);
        let needed = needed.map_or(" (may be needed)", |n| match n.needed {
            Need::Needed => " (needed)",
            Need::NotNeeded => " (not needed)",
            Need::MayBeNeeded => " (may be needed)",
        });
        let _ = writeln!(text, "    assuming: {assumption}{needed}");
    }
    text
}

fn place(step: &ProofStep) -> String {
    match (step.line, step.column) {
        (0, _) => String::new(),
        (line, 0) => format!("{}:{line}  ", step.file),
        (line, column) => format!("{}:{line}:{column}  ", step.file),
    }
}
