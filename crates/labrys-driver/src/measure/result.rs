//! The result of `measure`: the object that `--format json` prints.

use super::covered_by_one_test;
use crate::output::objectives::ObjectiveRecord;
use crate::output::{CoverageCheck, ObjectivesFile};
use labrys_ledger::{Criterion, Ledger, Status, StatusTotals};
use labrys_suite::{SCHEMA, SuiteTarget};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a suite covers.
#[derive(Debug, Serialize)]
pub struct Measured {
    schema: &'static str,
    pub target: SuiteTarget,
    pub criteria: Vec<Criterion>,
    pub totals: StatusTotals,
    pub by_criterion: BTreeMap<&'static str, StatusTotals>,
    pub by_function: Vec<FunctionScore>,
    /// Covered over all objectives.
    pub score: f64,
    /// Different paths among the runs that count.
    pub paths: usize,
    pub tests: Vec<MeasuredTest>,
    pub objectives: Vec<ObjectiveRecord>,
    pub notes: Vec<String>,
    pub checks: Vec<CoverageCheck>,
    pub work: MeasureWork,
}

/// A function with its score for each criterion.
#[derive(Debug, Serialize)]
pub struct FunctionScore {
    pub function: String,
    pub file: String,
    #[serde(flatten)]
    pub totals: StatusTotals,
    pub by_criterion: BTreeMap<&'static str, StatusTotals>,
}

#[derive(Debug, Serialize)]
pub struct MeasuredTest {
    pub id: u32,
    pub name: String,
    pub file: String,
    pub format: &'static str,
    pub entry: String,
    /// How the native run ended.
    pub outcome: String,
    /// False if the test does not fit the program.
    pub counted: bool,
    pub covers: Vec<String>,
    /// How many of these no other test covers.
    pub only: usize,
    pub problems: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct MeasureWork {
    pub native_runs: usize,
    /// Tests for which there was no time.
    pub not_run: usize,
    pub build_s: f64,
    pub run_s: f64,
    pub wall_s: f64,
}

impl Measured {
    pub fn new(
        target: SuiteTarget,
        criteria: Vec<Criterion>,
        ledger: &Ledger,
        mut tests: Vec<MeasuredTest>,
    ) -> Self {
        let counts = covered_by_one_test(ledger);
        for test in &mut tests {
            test.only = counts.get(&test.id).copied().unwrap_or(0);
        }
        let mut by_criterion: BTreeMap<&'static str, StatusTotals> = BTreeMap::new();
        for criterion in &criteria {
            by_criterion.insert(criterion.name(), StatusTotals::default());
        }
        // Functions in the order in which their first objectives stand.
        let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let mut by_function: Vec<FunctionScore> = Vec::new();
        for (objective, status) in ledger.iter() {
            let key = (objective.file.as_str(), objective.function.as_str());
            let place = *places.entry(key).or_insert_with(|| {
                by_function.push(FunctionScore {
                    function: objective.function.clone(),
                    file: objective.file.clone(),
                    totals: StatusTotals::default(),
                    by_criterion: BTreeMap::new(),
                });
                by_function.len() - 1
            });
            let function = &mut by_function[place];
            let name = objective.criterion.name();
            for totals in [
                &mut function.totals,
                function.by_criterion.entry(name).or_default(),
                by_criterion.entry(name).or_default(),
            ] {
                totals.objectives += 1;
                match status {
                    Status::Covered { .. } => totals.covered += 1,
                    Status::Infeasible { .. } => totals.infeasible += 1,
                    Status::Open | Status::Unknown { .. } => totals.unknown += 1,
                }
            }
        }
        let totals = ledger.totals();
        Measured {
            schema: SCHEMA,
            target,
            criteria,
            totals,
            by_criterion,
            by_function,
            score: totals.score(),
            paths: 0,
            tests,
            objectives: ObjectivesFile::of(ledger).objectives,
            notes: Vec::new(),
            checks: Vec::new(),
            work: MeasureWork::default(),
        }
    }
}
