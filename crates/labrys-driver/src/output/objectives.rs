//! `objectives.json`: every objective with its status, and the decisions whose pairs are
//! objectives with what the tests have shown of them.

use super::claims::ClaimFileRecord;
use labrys_ledger::decision::Witness;
use labrys_ledger::{Criterion, Decision, Ledger, Objective, Status, StatusTotals, Trigger};
use labrys_suite::SCHEMA;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `objectives.json`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ObjectivesFile {
    pub schema: String,
    pub objectives: Vec<ObjectiveRecord>,
    /// The decisions whose pairs are objectives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<DecisionRecord>,
    /// The files of formulas that proofs refer to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claim_files: Vec<ClaimFileRecord>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ObjectiveRecord {
    #[serde(flatten)]
    pub objective: Objective,
    #[serde(flatten)]
    pub status: Status,
    /// The pair that covers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<PairRecord>,
}

/// Two evaluations in which a condition decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairRecord {
    #[serde(rename = "true")]
    pub yes: HalfRecord,
    #[serde(rename = "false")]
    pub no: HalfRecord,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HalfRecord {
    pub test: u32,
    /// One sign a condition: `T`, `F`, `-` if it was not evaluated, `1` and `0` for constants.
    pub vector: String,
}

/// A decision with what the tests have shown of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DecisionRecord {
    #[serde(flatten)]
    pub decision: Decision,
    pub vectors: Vec<VectorRecord>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VectorRecord {
    pub vector: String,
    pub result: bool,
    pub tests: Vec<u32>,
}

impl ObjectivesFile {
    pub fn of(ledger: &Ledger) -> Self {
        let objectives = ledger
            .iter()
            .enumerate()
            .map(|(index, (objective, status))| ObjectiveRecord {
                objective: objective.clone(),
                status: status.clone(),
                pair: pair(ledger, index),
            })
            .collect();
        let decisions = ledger.decisions().map(|decision| DecisionRecord {
            decision: decision.clone(),
            vectors: vectors(ledger, decision),
        });
        ObjectivesFile {
            schema: SCHEMA.to_owned(),
            objectives,
            decisions: decisions.collect(),
            claim_files: Vec::new(),
        }
    }
}

fn pair(ledger: &Ledger, index: usize) -> Option<PairRecord> {
    let pair = ledger.pair(index)?;
    let Trigger::Pair { decision, .. } = ledger.objectives()[index].trigger else {
        return None;
    };
    let decision = ledger.decision(decision)?;
    let half = |witness: &Witness| HalfRecord {
        test: witness.test,
        vector: decision.shown(witness.vector),
    };
    Some(PairRecord {
        yes: half(&pair.yes),
        no: half(&pair.no),
    })
}

fn vectors(ledger: &Ledger, decision: &Decision) -> Vec<VectorRecord> {
    let shown = ledger.shown().of(decision.number);
    let mut vectors: Vec<VectorRecord> = shown
        .filter_map(|(vector, tests)| {
            Some(VectorRecord {
                vector: decision.shown(vector),
                result: decision.formula.result(vector)?,
                tests: tests.iter().copied().collect(),
            })
        })
        .collect();
    vectors.sort_by(|a, b| a.tests.cmp(&b.tests).then_with(|| b.vector.cmp(&a.vector)));
    vectors
}

/// What `labrys prove` prints as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProofFile {
    pub schema: String,
    pub target: labrys_suite::SuiteTarget,
    pub criteria: Vec<Criterion>,
    pub totals: StatusTotals,
    pub by_criterion: BTreeMap<String, StatusTotals>,
    /// What a run was seen to cover, of all that is not infeasible.
    pub feasible_score: f64,
    /// How long it took; an analysis alone without reading the program.
    pub analysis_s: f64,
    pub objectives: Vec<ObjectiveRecord>,
}
