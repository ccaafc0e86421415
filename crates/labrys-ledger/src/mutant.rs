//! A mutant of the program. The front end makes it, the mutation runs activate it, reports name it.

use serde::{Deserialize, Serialize};

/// One change of one expression, or two of them together. All mutants are in one program, of which at
/// most one is active.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// Stable name, `mutation:number`, numbered from 1 in source order; `mutation:3+8` is the pair of
    /// two such mutants.
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
    /// The mutant whose change a mutant of the second order has, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<Box<Mutant>>,
}

impl Mutant {
    /// The mutant that has the changes of two.
    pub fn pair(first: &Mutant, second: &Mutant) -> Mutant {
        let number = second.id.rsplit(':').next().unwrap_or_default();
        Mutant {
            id: format!("{}+{number}", first.id),
            also: Some(Box::new(second.clone())),
            ..first.clone()
        }
    }

    /// All of its changes, each with the place that it changes: itself, and what it has also.
    pub fn parts(&self) -> impl Iterator<Item = &Mutant> {
        std::iter::successors(Some(self), |mutant| mutant.also.as_deref())
    }

    /// The mutants of the first order that have one of its changes each.
    pub fn separate(&self) -> Vec<Mutant> {
        let alone = |part: &Mutant| Mutant {
            id: part.id.split('+').next().unwrap_or_default().to_owned(),
            also: None,
            ..part.clone()
        };
        self.parts().map(alone).collect()
    }

    /// The alternatives that are active with it, each behind its point.
    pub fn changes(&self) -> Vec<(u32, u32)> {
        let change = |part: &Mutant| (part.point, part.alternative);
        self.parts().map(change).collect()
    }

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
