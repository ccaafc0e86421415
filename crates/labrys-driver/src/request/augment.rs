//! What `--augment` asks for: by what the path conditions of tests are augmented, and how.

use super::names::by_name;
use labrys_ledger::Criterion;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// What path conditions are augmented by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Augment {
    /// Values at the boundary of a comparison, beside it and well inside
    Boundary,
    /// Inputs that tell mutants from the original
    Mutation,
    /// Conditions that decide, and that do not, what the decision is
    Logic,
    /// Operations that go wrong, and that just do not
    Error,
}

/// By what tests are added to those of the search, and on which paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AugmentRequest {
    /// Each once, in order; none for no augmentation.
    pub kinds: Vec<Augment>,
    /// Keep the whole path of a test, not only the part before the augmented condition.
    pub strict: bool,
    /// A condition in a loop counts once for every turn.
    pub per_unrolling: bool,
}

impl Augment {
    pub const ALL: [Augment; 4] = [
        Augment::Boundary,
        Augment::Mutation,
        Augment::Logic,
        Augment::Error,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Augment::Boundary => "boundary",
            Augment::Mutation => "mutation",
            Augment::Logic => "logic",
            Augment::Error => "error",
        }
    }

    /// The criteria whose labels are its conditions.
    pub fn criteria(self) -> &'static [Criterion] {
        match self {
            Augment::Boundary => &[Criterion::Boundary],
            Augment::Mutation => &[],
            Augment::Logic => &[Criterion::Gacc, Criterion::Gicc],
            Augment::Error => &[Criterion::Rte],
        }
    }

    /// The kind that asks for objectives of a criterion.
    pub fn of(criterion: Criterion) -> Augment {
        match criterion {
            Criterion::Gacc | Criterion::Gicc => Augment::Logic,
            Criterion::Rte => Augment::Error,
            _ => Augment::Boundary,
        }
    }
}

impl FromStr for Augment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Augment::ALL.map(|kind| (kind.name(), kind));
        by_name("unknown kind", text, &named).map_err(|failure| failure.message)
    }
}
