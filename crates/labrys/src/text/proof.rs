//! A proof in words.

use labrys_ledger::Proof;

/// What shows that no test can cover an objective.
pub fn because(proof: &Proof) -> String {
    match proof {
        Proof::Exhausted { paths, .. } => {
            format!("all {paths} feasible paths were executed, none covers it")
        }
        Proof::LoopInvariants { invariants, .. } => format!(
            "no path covers it from any state in which a turn of a loop can begin ({} relations hold there)",
            invariants.len()
        ),
        Proof::Frontier { predicates, .. } => format!(
            "nothing leads to it: {predicates} conditions backward through the code, none of which can begin to hold"
        ),
        Proof::Constant { value } => format!("the condition is always {value}"),
        Proof::Static { because, .. } => because.clone(),
    }
}
