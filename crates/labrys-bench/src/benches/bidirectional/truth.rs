//! OutcomeSet of branches, in the words of Labrys and in those of `llvm-cov`, and the lists of those that
//! no test can cover.

use labrys_ledger::Objective;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// One side of a branch: where its condition or its label stands, and which side it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BranchOutcome {
    pub line: u32,
    pub column: u32,
    /// A label of a `switch` is true where it is taken.
    pub is_true: bool,
}

pub type OutcomeSet = BTreeSet<BranchOutcome>;

const FALSE: &str = " is false";

impl BranchOutcome {
    pub fn of(objective: &Objective) -> Self {
        BranchOutcome {
            line: objective.line,
            column: objective.column,
            is_true: !objective.text.ends_with(FALSE),
        }
    }

    /// For messages.
    pub fn shown(&self) -> String {
        let side = if self.is_true { "true" } else { "false" };
        format!("{}:{} {side}", self.line, self.column)
    }
}

/// Reads a list. Each line is `LINE:COLUMN: TEXT: REASON`, where the text is that of the objective. The
/// error is the line that is something else.
pub fn infeasible(list: &str) -> Result<OutcomeSet, String> {
    list.lines()
        .map(|line| entry(line).ok_or_else(|| line.to_owned()))
        .collect()
}

fn entry(line: &str) -> Option<BranchOutcome> {
    let (number, rest) = line.split_once(':')?;
    let (column, rest) = rest.split_once(": ")?;
    let (_, reason) = rest.split_once(": ")?;
    (!reason.is_empty()).then_some(())?;
    Some(BranchOutcome {
        line: number.parse().ok()?,
        column: column.parse().ok()?,
        is_true: !rest.contains(&format!("{FALSE}: ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read() {
        let list = "12:9: x > 3 is false: it is 5\n20:5: default of switch (s): no other: state\n";
        let outcomes = infeasible(list);
        let outcome = |line, column, is_true| BranchOutcome {
            line,
            column,
            is_true,
        };
        assert_eq!(
            outcomes,
            Ok([outcome(12, 9, false), outcome(20, 5, true)].into())
        );
        assert_eq!(
            infeasible("12:9 x is true: no"),
            Err("12:9 x is true: no".to_owned())
        );
    }
}
