//! Decisions for MC/DC: their conditions, what one evaluation of a decision shows, and which
//! pairs of evaluations show that a condition decides on its own. The engine, the native replay
//! and the reports share this one implementation.

mod evaluations;
mod formula;
mod pairs;
mod shown_evaluations;
mod vector;

pub use evaluations::{PairHalves, only_difference};
pub use formula::{Formula, FormulaError, letter};
pub use pairs::{DecisionPairs, PartialEvaluation, Relevance, VectorGain};
pub use shown_evaluations::{ShownEvaluations, Witness, WitnessPair};
pub use vector::{MAX_CONDITIONS, OutcomeVector};

use serde::{Deserialize, Serialize};

/// A decision of the program whose evaluations are measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// As in the annotated program.
    pub number: u32,
    /// The function whose body holds it.
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// The source text.
    pub text: String,
    /// What it is made of: `A && (B || !C)`.
    pub formula: Formula,
    /// From left to right; those that are constant have no objectives.
    pub conditions: Vec<Condition>,
}

/// One occurrence of a condition in a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    pub text: String,
    pub line: u32,
    pub column: u32,
    /// The value, if the compiler folds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant: Option<bool>,
    /// The labels before the decision that hold if the condition is about to be true and to
    /// decide, and to be false and to decide; where all conditions are pure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<[u32; 2]>,
}

impl Decision {
    /// The label of a half: the condition has this value and decides.
    pub fn half_label(&self, condition: u32, value: bool) -> Option<u32> {
        let labels = self.conditions.get(condition as usize)?.labels?;
        Some(labels[usize::from(!value)])
    }

    /// A decision with one condition needs no vectors: the outcome of that condition is all.
    pub fn is_single(&self) -> bool {
        self.conditions.len() == 1
    }

    /// An evaluation as text, one sign a condition: true, false, not evaluated; a constant as 1
    /// or 0.
    pub fn shown(&self, vector: OutcomeVector) -> String {
        let sign = |(i, condition): (usize, &Condition)| match (condition.constant, vector.get(i)) {
            (Some(value), _) => char::from(b'0' + u8::from(value)),
            (None, Some(true)) => 'T',
            (None, Some(false)) => 'F',
            (None, None) => '-',
        };
        self.conditions.iter().enumerate().map(sign).collect()
    }
}
