//! What became of the augmented conditions, for `summary.json` and `augmentation.json`.

use crate::request::Augment;
use labrys_engine::{AugmentStyle, Augmented};
use labrys_ledger::{Mutant, Objective};
use labrys_suite::SCHEMA;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Part of `summary.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Augmentation {
    /// Tests keep their whole path.
    pub strict: bool,
    /// Every turn of a loop counts on its own.
    pub per_unrolling: bool,
    pub kinds: BTreeMap<Augment, KindRecord>,
    /// Questions to the solver: for boundary values, logic and errors, and for mutants.
    pub labels: QueryCounts,
    pub mutants: QueryCounts,
    #[serde(skip)]
    conditions: Vec<ConditionRecord>,
}

/// The augmented conditions of one kind, as native runs show them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindRecord {
    pub conditions: usize,
    /// Met by the tests of the search, and by all tests.
    pub met_before: usize,
    pub met: usize,
    /// Tests that were added for them.
    pub tests: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryCounts {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
}

impl QueryCounts {
    pub fn add(&mut self, found: &Augmented) {
        self.queries += found.solver.queries;
        self.sat += found.solver.sat;
        self.unsat += found.solver.unsat;
        self.unknown += found.solver.unknown;
    }
}

/// `augmentation.json`: the augmented conditions, by the names that tests have them by.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AugmentationFile {
    pub schema: String,
    pub conditions: Vec<ConditionRecord>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConditionRecord {
    pub id: String,
    pub kind: Augment,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub text: String,
    pub met: bool,
}

/// Where a condition is and what it says.
pub struct AugmentedCondition<'a> {
    id: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    text: &'a str,
}

impl<'a> From<&'a Objective> for AugmentedCondition<'a> {
    fn from(o: &'a Objective) -> Self {
        AugmentedCondition {
            id: &o.id,
            file: &o.file,
            line: o.line,
            column: o.column,
            text: &o.text,
        }
    }
}

impl<'a> From<&'a Mutant> for AugmentedCondition<'a> {
    fn from(m: &'a Mutant) -> Self {
        AugmentedCondition {
            id: &m.id,
            file: &m.file,
            line: m.line,
            column: m.column,
            text: &m.text,
        }
    }
}

impl Augmentation {
    pub fn new(kinds: &[Augment], how: AugmentStyle) -> Self {
        Augmentation {
            strict: how.strict,
            per_unrolling: how.per_unrolling,
            kinds: kinds.iter().map(|k| (*k, KindRecord::default())).collect(),
            labels: QueryCounts::default(),
            mutants: QueryCounts::default(),
            conditions: Vec::new(),
        }
    }

    pub fn kind(&mut self, kind: Augment) -> &mut KindRecord {
        self.kinds.entry(kind).or_default()
    }

    /// Enters what the tests showed of a condition.
    pub fn condition(
        &mut self,
        kind: Augment,
        at: AugmentedCondition<'_>,
        met_before: bool,
        met: bool,
    ) {
        let counts = self.kind(kind);
        counts.conditions += 1;
        counts.met_before += usize::from(met_before);
        counts.met += usize::from(met);
        self.conditions.push(ConditionRecord {
            id: at.id.to_owned(),
            kind,
            file: at.file.to_owned(),
            line: at.line,
            column: at.column,
            text: at.text.to_owned(),
            met,
        });
    }

    pub fn file(&self) -> AugmentationFile {
        AugmentationFile {
            schema: SCHEMA.to_owned(),
            conditions: self.conditions.clone(),
        }
    }
}
