//! A proof that no test can cover an objective, as it stands in `objectives.json`: the rule that found it,
//! what it takes for granted, and a chain of steps from places in the source to the contradiction.

use serde::{Deserialize, Serialize};

/// Why an objective is infeasible, and under which assumptions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    #[serde(flatten)]
    pub rule: ProofKind,
    /// The texts of what it takes for granted.
    pub assumes: Vec<String>,
    /// What is known of each assumption: is there no proof without it?
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<NeededAssumption>,
    /// The argument, from the first place to the contradiction.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<ProofStep>,
    /// So many further steps are not listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: usize,
}

/// The rule that a proof was found by, with what is particular to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ProofKind {
    /// Every feasible path was executed and none covers it.
    Exhausted { paths: u64 },
    /// Every turn of every loop was gone through from all states in which these relations hold, they hold
    /// again behind it, and no path covers the objective.
    LoopInvariants {
        rounds: usize,
        invariants: Vec<InvariantRecord>,
    },
    /// All states that paths can be in at joins were looked at, as sets, and no path from them covers the
    /// objective.
    StateSets {
        sets: usize,
        /// The places whose values tell the sets apart.
        kept: Vec<String>,
    },
    /// Backward from the objective through the code, nothing leads to it: this many predicates at these
    /// places, none of which holds where the program starts or follows from anything but the others.
    Frontier {
        predicates: usize,
        places: Vec<String>,
    },
    /// The condition is a constant for the compiler.
    Constant { value: String },
    /// No way leads there if every condition goes as its constants say: dead code.
    Constants { because: String },
    /// An analysis of all values that the program can compute shows it, before any search.
    #[serde(rename = "intervals", alias = "static")]
    Static {
        /// What shows it, such as `x is in 0..9` or `never reached`.
        because: String,
    },
    /// The same analysis with the values that memory can hold.
    Memory { because: String },
    /// The same with relations between two numbers.
    Relations { because: String },
}

/// A relation that holds whenever a turn of a loop begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvariantRecord {
    /// The head of the loop.
    pub file: String,
    pub line: u32,
    /// In the words of the source.
    pub text: String,
    /// Is the text an expression of C?
    #[serde(rename = "c")]
    pub is_c: bool,
    /// It holds again where it held for so many turns in a row.
    #[serde(default = "one_turn", skip_serializing_if = "is_one_turn")]
    pub turns: u32,
}

/// One step of a proof: something that holds at a place of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofStep {
    /// Empty if the step belongs to no place.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    #[serde(default, skip_serializing_if = "is_zero_line")]
    pub line: u32,
    #[serde(default, skip_serializing_if = "is_zero_line")]
    pub column: u32,
    /// What holds there, in the words of the source.
    pub text: String,
    /// The formulas without which the step does not hold; each has no solution.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<ClaimReference>,
}

/// Formulas without a solution, in a file of SMT-LIB text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClaimReference {
    /// Below the output directory, such as `proofs/loops-1.smt2`.
    pub file: String,
    /// Counted from 1.
    pub numbers: Vec<usize>,
}

/// An assumption of a proof, and whether there is no proof without it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeededAssumption {
    pub assumption: String,
    pub needed: Need,
}

/// Does a proof break down without an assumption?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Need {
    /// Without it the objective can be covered, or a step of the proof does not hold.
    Needed,
    /// The proof stands without it.
    NotNeeded,
    /// That was not found out.
    MayBeNeeded,
}

impl Proof {
    /// A proof by this rule, without steps.
    pub fn by(rule: ProofKind, assumes: Vec<String>) -> Self {
        Proof {
            rule,
            assumes,
            needs: Vec::new(),
            steps: Vec::new(),
            left_out: 0,
        }
    }

    /// The texts of what it takes for granted.
    pub fn assumes(&self) -> &[String] {
        &self.assumes
    }
}

/// How many turns in a row a relation needs mostly.
fn one_turn() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_one_turn(turns: &u32) -> bool {
    *turns <= 1
}

// Serde asks for functions of references.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero_line(number: &u32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_without_steps_is_what_it_was_before_there_were_steps() {
        let text = r#"{"kind":"exhausted","paths":7,"assumes":["aliasing"]}"#;
        let proof: Proof = serde_json::from_str(text).unwrap();
        assert_eq!(
            proof,
            Proof::by(ProofKind::Exhausted { paths: 7 }, vec!["aliasing".into()])
        );
        assert_eq!(serde_json::to_string(&proof).unwrap(), text);
    }
}
