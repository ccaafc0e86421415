//! A mutant of the program. The front end makes it, the mutation runs activate it, reports name it.

use serde::{Deserialize, Serialize};

/// One change of one expression. All mutants are in one program, of which at most one is active.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// Stable name, `mutation:number`, numbered from 1 in source order.
    pub id: String,
    /// The mutation operator, such as `ROR`.
    pub operator: String,
    /// The function whose body holds it.
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// Operator, old and new text, such as `ROR: a < b → a <= b`.
    pub text: String,
    /// `labrys_mutant(point)` returns the number of the alternative where the mutant is active.
    pub point: u32,
    pub alternative: u32,
}

impl Mutant {
    /// The text that is changed, such as `a < b`.
    pub fn original(&self) -> &str {
        self.change().0
    }

    /// What stands in its place, such as `a <= b`.
    pub fn replacement(&self) -> &str {
        self.change().1
    }

    fn change(&self) -> (&str, &str) {
        let change = self.text.split_once(": ").map_or("", |(_, change)| change);
        change.split_once(" → ").unwrap_or((change, ""))
    }
}
