//! Coverage criteria, the objectives that they ask for, and the states that an objective can have.

use crate::Proof;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

macro_rules! criteria {
    ($($variant:ident $name:literal),* $(,)?) => {
        /// A coverage criterion, named as on the command line. `docs/criteria.md` defines each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Criterion {
            $($variant),*
        }

        impl Criterion {
            pub const ALL: &'static [Criterion] = &[$(Criterion::$variant),*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Criterion::$variant => $name),*
                }
            }
        }
    };
}

criteria! {
    Statement "statement",
    Function "function",
    Call "call",
    Branch "branch",
    Decision "decision",
    Condition "condition",
    DecisionCondition "decision-condition",
    MultipleCondition "multiple-condition",
    Gacc "gacc",
    Gicc "gicc",
    Mcdc "mcdc",
    McdcUnique "mcdc-unique",
    Boundary "boundary",
    InputDomain "input-domain",
    Rte "rte",
    WeakMutation "weak-mutation",
    Path "path",
    Labels "labels",
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Criterion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Criterion::ALL
            .iter()
            .copied()
            .find(|c| c.name() == text)
            .ok_or_else(|| {
                let known: Vec<_> = Criterion::ALL.iter().map(|c| c.name()).collect();
                format!("unknown criterion '{text}'; known are {}", known.join(", "))
            })
    }
}

/// The annotation event that covers an objective. The numbers are those in the annotated
/// program; they are unique over the whole program, not over one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    /// `labrys_reach(id)` was executed.
    Reach { id: u32 },
    /// `labrys_cond(decision, index, value)` was executed with this value.
    Condition {
        decision: u32,
        index: u32,
        value: bool,
    },
    /// `labrys_decision(decision, value)` was executed with this value.
    Decision { decision: u32, value: bool },
    /// `switch` number `switch` jumped to its case number `case`.
    Case { switch: u32, case: u32 },
    /// `labrys_label(id, p)` was executed with `p` true.
    Label { id: u32 },
    /// Two evaluations of the decision show that the condition decides on its own: a masking
    /// pair, or a unique-cause one. No single event covers it.
    Pair {
        decision: u32,
        condition: u32,
        unique: bool,
    },
}

impl Trigger {
    /// The same event with the other value.
    pub fn other_outcome(self) -> Option<Trigger> {
        match self {
            Trigger::Condition {
                decision,
                index,
                value,
            } => Some(Trigger::Condition {
                decision,
                index,
                value: !value,
            }),
            Trigger::Decision { decision, value } => Some(Trigger::Decision {
                decision,
                value: !value,
            }),
            Trigger::Reach { .. }
            | Trigger::Case { .. }
            | Trigger::Label { .. }
            | Trigger::Pair { .. } => None,
        }
    }
}

/// One thing that a criterion asks a test suite to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Objective {
    /// Stable name, `criterion:number`, numbered from 1 within the criterion in source order.
    pub id: String,
    pub criterion: Criterion,
    /// The function whose body holds it.
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// The source text and the outcome asked for, such as `x > 3 is true`.
    pub text: String,
    pub trigger: Trigger,
}

/// What is known about an objective. It only ever moves away from `Open`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Status {
    Open,
    /// Covered by these tests (numbers as in `suite.json`), confirmed by native replay.
    Covered {
        tests: Vec<u32>,
    },
    /// No test can cover it.
    Infeasible {
        proof: Proof,
    },
    /// Neither covered nor proved infeasible, with the reason why the search gave up.
    Unknown {
        reason: String,
    },
}
