//! The JSON files of the output directory, as data.

use crate::augment::Augmentation;
use crate::crosscheck::Check;
use labrys_ledger::decision::Witness;
use labrys_ledger::{
    Criterion, Decision, InputType, Ledger, Objective, Status, StatusTotals, Trigger, World,
};
use labrys_suite::{LinkedParts, OriginalUnit, SCHEMA};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// `summary.json`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    pub schema: String,
    pub target: labrys_suite::SuiteTarget,
    pub criteria: Vec<Criterion>,
    pub totals: StatusTotals,
    pub by_criterion: BTreeMap<String, StatusTotals>,
    pub by_function: Vec<FunctionTotals>,
    pub score: f64,
    pub feasible_score: f64,
    pub tests: usize,
    pub errors: Vec<ErrorRecord>,
    pub work: WorkRecord,
    pub stop: String,
    /// Functions without a body, which return inputs.
    pub stubs: Vec<StubRecord>,
    /// Options of the generated harness that limited the search.
    pub limits: Vec<String>,
    /// Why something may lie beyond what was seen.
    pub gaps: BTreeMap<String, u64>,
    /// Arguments of native calls that were fixed to one value at a time, by function.
    #[serde(default)]
    pub pinned: BTreeMap<String, u64>,
    /// Tests whose native run differed from what was predicted.
    pub divergences: Vec<String>,
    pub notes: Vec<String>,
    /// What `--augment` has added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub augmentation: Option<Augmentation>,
    /// Second opinions: `--llvm-cov`, `--gcov`.
    #[serde(default)]
    pub checks: Vec<Check>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FunctionTotals {
    pub function: String,
    #[serde(flatten)]
    pub totals: StatusTotals,
    pub tests: usize,
    pub paths: u64,
    pub stop: String,
}

/// A fault of the program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ErrorRecord {
    pub kind: String,
    pub file: String,
    pub line: u32,
    pub test: u32,
    pub function: String,
    /// `function at file:line`, innermost first.
    pub stack: Vec<String>,
    /// Inputs as `name = value`.
    pub inputs: Vec<String>,
    /// How the native run of the test ended.
    pub native: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WorkRecord {
    pub paths: u64,
    pub instructions: u64,
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub solver_unknown: u64,
    pub solver_s: f64,
    pub wall_s: f64,
    pub peak_rss_mb: u64,
    /// Paths with different traces.
    pub distinct_paths: u64,
    /// The largest number of candidates that waited at the same time.
    #[serde(default)]
    pub most_candidates: u64,
    /// Candidates that could cover nothing: when they were made, and later.
    #[serde(default)]
    pub filtered: u64,
    #[serde(default)]
    pub filtered_later: u64,
    /// Snapshots dropped for want of memory, and paths replayed because of that.
    #[serde(default)]
    pub dropped: u64,
    #[serde(default)]
    pub replayed: u64,
    /// Queries for values that are easier to read, beside those of the search.
    #[serde(default)]
    pub value_queries: u64,
    /// Seconds in which these values were chosen.
    #[serde(default)]
    pub values_s: f64,
    /// Leaves of labels.
    #[serde(default)]
    pub labels: LabelRecord,
    /// Ends of paths by kind.
    pub ends: BTreeMap<String, u64>,
}

/// Candidates that were there to cover a label.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct LabelRecord {
    pub tried: u64,
    pub infeasible: u64,
    /// Paths that have covered their label as its leaf.
    pub covered: u64,
    pub dropped: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StubRecord {
    pub name: String,
    pub declared: Option<String>,
    pub calls: Vec<String>,
    /// How to say what it does.
    pub hint: String,
}

/// `objectives.json`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Objectives {
    pub schema: String,
    pub objectives: Vec<ObjectiveRecord>,
    /// The decisions whose pairs are objectives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<DecisionRecord>,
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

/// What `labrys prove` prints as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProofRecord {
    pub schema: String,
    pub target: labrys_suite::SuiteTarget,
    pub criteria: Vec<Criterion>,
    pub totals: StatusTotals,
    pub by_criterion: BTreeMap<String, StatusTotals>,
    /// How long the analysis took, without reading the program.
    pub analysis_s: f64,
    pub objectives: Vec<ObjectiveRecord>,
}

impl Objectives {
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
        Objectives {
            schema: SCHEMA.to_owned(),
            objectives,
            decisions: decisions.collect(),
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

/// `run.json`: what the other commands need to build and run the suite again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    pub schema: String,
    pub sources: Vec<SourceRecord>,
    /// The annotated units, relative to the output directory.
    pub units: Vec<String>,
    /// What each source needs to be linked with its harnesses, in the order of the sources.
    pub supports: Vec<SupportRecord>,
    pub cc: String,
    /// For the linker.
    pub link_flags: Vec<String>,
    /// What is linked beside the units.
    pub beside: LinkedParts,
    pub replay_ms: u64,
    pub entries: Vec<EntryRecord>,
}

/// A C file with its flags.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SourceRecord {
    /// As an absolute path.
    pub path: PathBuf,
    /// Where the flags are meant, if not everywhere.
    pub directory: Option<PathBuf>,
    pub flags: Vec<String>,
}

/// Stubs and definitions for the text of a source as the user wrote it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SupportRecord {
    /// Functions that must be called `labrys_stub_NAME`.
    pub renamed: Vec<String>,
    /// Those of them that a system header declares.
    pub system: Vec<String>,
    pub text: String,
}

impl Run {
    /// The sources with all that their tests need, for a build without annotations.
    pub fn originals(&self) -> Vec<OriginalUnit> {
        let units = self.sources.iter().zip(&self.supports);
        units
            .map(|(source, support)| {
                let entries = self.entries.iter().filter(|e| e.file == source.path);
                let harnesses = entries.map(|entry| entry.harness_text.as_str());
                let texts: Vec<_> = [support.text.as_str()]
                    .into_iter()
                    .chain(harnesses)
                    .collect();
                OriginalUnit {
                    source: source.path.clone(),
                    flags: source.flags.clone(),
                    directory: source.directory.clone(),
                    renamed: support.renamed.clone(),
                    system: support.system.clone(),
                    harness: texts.join("\n"),
                }
            })
            .collect()
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EntryRecord {
    pub function: String,
    pub file: PathBuf,
    pub harness_text: String,
    pub outputs: BTreeMap<String, InputType>,
    /// What surrounds a whole program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<World>,
}
