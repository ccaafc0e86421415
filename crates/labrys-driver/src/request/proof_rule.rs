//! The rules by which objectives are proved infeasible, cheapest first.

use super::names::by_name;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A way to show that nothing covers an objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProofRule {
    /// Dead code, and conditions that constants decide
    Constants,
    /// The values that the program can compute, before the search
    Intervals,
    /// The same with what memory can hold
    Memory,
    /// The same with relations between two numbers
    Relations,
    /// All turns of all loops at once, from relations that hold in each
    Loops,
    /// Sets of states at the joins of the program
    States,
    /// Backward from the objective through the code, nothing leads to it
    Frontier,
    /// Every path was executed
    Exhausted,
}

impl ProofRule {
    pub const ALL: [ProofRule; 8] = [
        ProofRule::Constants,
        ProofRule::Intervals,
        ProofRule::Memory,
        ProofRule::Relations,
        ProofRule::Loops,
        ProofRule::States,
        ProofRule::Frontier,
        ProofRule::Exhausted,
    ];

    /// Does it look at paths?
    pub fn needs_search(self) -> bool {
        !matches!(
            self,
            ProofRule::Constants | ProofRule::Intervals | ProofRule::Memory | ProofRule::Relations
        )
    }

    pub fn name(self) -> &'static str {
        match self {
            ProofRule::Constants => "constants",
            ProofRule::Intervals => "intervals",
            ProofRule::Memory => "memory",
            ProofRule::Relations => "relations",
            ProofRule::Loops => "loops",
            ProofRule::States => "states",
            ProofRule::Frontier => "frontier",
            ProofRule::Exhausted => "exhausted",
        }
    }
}

impl FromStr for ProofRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = ProofRule::ALL.map(|rule| (rule.name(), rule));
        by_name("unknown rule", text, &named).map_err(|failure| failure.message)
    }
}
