//! A proof in words.

use labrys_ledger::Proof;

/// What shows that no test can cover an objective.
pub fn because(proof: &Proof) -> String {
    match proof {
        Proof::Exhausted { paths, .. } => {
            format!("all {paths} feasible paths were executed, none covers it")
        }
        Proof::Constant { value } => format!("the condition is always {value}"),
        Proof::Static { because, .. } => because.clone(),
    }
}
