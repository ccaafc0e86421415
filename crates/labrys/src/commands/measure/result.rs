//! The result of `measure`: the object that `--format json` prints, and its text.

use super::only;
use crate::crosscheck::{self, Check};
use crate::records::{ObjectiveRecord, Objectives};
use crate::table::Table;
use labrys_ledger::{Criterion, Ledger, Status, StatusTotals};
use labrys_suite::{SCHEMA, SuiteTarget};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How much of a list the text shows; the JSON object has all of it.
const MOST_TESTS: usize = 40;
const MOST_PROBLEMS: usize = 20;
const MOST_NOTES: usize = 12;
const LONGEST_NAME: usize = 60;

#[derive(Debug, Serialize)]
pub struct Measured {
    schema: &'static str,
    target: SuiteTarget,
    criteria: Vec<Criterion>,
    totals: StatusTotals,
    by_criterion: BTreeMap<&'static str, StatusTotals>,
    by_function: Vec<FunctionScore>,
    /// Covered over all objectives.
    pub score: f64,
    /// Different paths among the runs that count.
    pub paths: usize,
    pub tests: Vec<TestRecord>,
    objectives: Vec<ObjectiveRecord>,
    pub notes: Vec<String>,
    pub checks: Vec<Check>,
    pub work: Work,
}

/// A function with its score for each criterion.
#[derive(Debug, Serialize)]
struct FunctionScore {
    function: String,
    file: String,
    #[serde(flatten)]
    totals: StatusTotals,
    by_criterion: BTreeMap<&'static str, StatusTotals>,
}

#[derive(Debug, Serialize)]
pub struct TestRecord {
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
pub struct Work {
    pub native_runs: usize,
    pub build_s: f64,
    pub run_s: f64,
    pub wall_s: f64,
}

/// Whether a run came to its end.
pub fn is_fine(outcome: &str) -> bool {
    outcome == "ok" || outcome.starts_with("exit ")
}

impl Measured {
    pub fn new(
        target: SuiteTarget,
        criteria: Vec<Criterion>,
        ledger: &Ledger,
        mut tests: Vec<TestRecord>,
    ) -> Self {
        let counts = only(ledger);
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
            objectives: Objectives::of(ledger).objectives,
            notes: Vec::new(),
            checks: Vec::new(),
            work: Work::default(),
        }
    }
}

/// The result for people.
pub fn text(measured: &Measured, uncovered: bool) -> String {
    let mut out = scores(measured);
    let _ = writeln!(out, "\n{}", tests(measured));
    if uncovered {
        for ObjectiveRecord { objective: o, .. } in measured
            .objectives
            .iter()
            .filter(|record| !matches!(record.status, Status::Covered { .. }))
        {
            let _ = writeln!(
                out,
                "not covered: {}  {}:{}:{}  {}",
                o.id, o.file, o.line, o.column, o.text
            );
        }
    }
    problems(measured, &mut out);
    for note in measured.notes.iter().take(MOST_NOTES) {
        let _ = writeln!(out, "note: {note}");
    }
    if let Some(rest @ 1..) = measured.notes.len().checked_sub(MOST_NOTES) {
        let _ = writeln!(
            out,
            "note: {rest} more notes are in the output of --format json"
        );
    }
    out.push_str(&crosscheck::text(&measured.checks));
    let counted = measured.tests.iter().filter(|test| test.counted).count();
    let _ = writeln!(
        out,
        "{} of {} objectives covered ({:.1} %) by {counted} of {} tests; {} native runs, {:.2} s ({:.2} s to build, {:.2} s to run)",
        measured.totals.covered,
        measured.totals.objectives,
        measured.score * 100.0,
        measured.tests.len(),
        measured.work.native_runs,
        measured.work.wall_s,
        measured.work.build_s,
        measured.work.run_s
    );
    out
}

/// The table by function and criterion.
fn scores(measured: &Measured) -> String {
    let columns = ["function", "criterion", "objectives", "covered", "%"];
    let mut table = Table::new(&columns).left(2);
    let mut row = |function: String, criterion: &str, totals: &StatusTotals| {
        table.row(vec![
            function,
            criterion.to_owned(),
            totals.objectives.to_string(),
            totals.covered.to_string(),
            format!("{:.1}", totals.score() * 100.0),
        ]);
    };
    for function in &measured.by_function {
        let same = |other: &&FunctionScore| other.function == function.function;
        let name = match measured.by_function.iter().filter(same).count() {
            1 => function.function.clone(),
            _ => format!("{}:{}", function.file, function.function),
        };
        // In the order in which criteria are listed everywhere.
        for criterion in &measured.criteria {
            if let Some(totals) = function.by_criterion.get(criterion.name()) {
                row(name.clone(), criterion.name(), totals);
            }
        }
    }
    for criterion in &measured.criteria {
        let totals = &measured.by_criterion[criterion.name()];
        if totals.objectives > 0 {
            row("all".to_owned(), criterion.name(), totals);
        }
    }
    let mut out = table.to_string();
    for criterion in &measured.criteria {
        let name = criterion.name();
        if *criterion == Criterion::Path {
            let _ = writeln!(out, "path: {} different paths", measured.paths);
        } else if measured.by_criterion[name].objectives == 0 {
            let _ = writeln!(out, "{name}: the program has no objectives of this kind");
        }
    }
    out
}

fn tests(measured: &Measured) -> String {
    let mut table = Table::new(&["test", "name", "covers", "only it", "outcome"]).left(2);
    for test in measured.tests.iter().take(MOST_TESTS) {
        let mark = if test.counted { "" } else { ", does not count" };
        table.row(vec![
            test.id.to_string(),
            short(&test.name),
            test.covers.len().to_string(),
            test.only.to_string(),
            format!("{}{mark}", test.outcome),
        ]);
    }
    let mut out = table.to_string();
    if let Some(rest @ 1..) = measured.tests.len().checked_sub(MOST_TESTS) {
        let _ = writeln!(out, "{rest} more tests are in the output of --format json");
    }
    out
}

fn short(name: &str) -> String {
    if name.chars().count() <= LONGEST_NAME {
        return name.to_owned();
    }
    let start: String = name.chars().take(LONGEST_NAME - 1).collect();
    format!("{start}…")
}

/// What there is to say of single tests; the same of many tests is said once.
fn problems(measured: &Measured, out: &mut String) {
    let mut said: Vec<(&str, Vec<u32>)> = Vec::new();
    for test in &measured.tests {
        for problem in &test.problems {
            match said.iter_mut().find(|(known, _)| known == problem) {
                Some((_, tests)) => tests.push(test.id),
                None => said.push((problem, vec![test.id])),
            }
        }
    }
    for (problem, tests) in said.iter().take(MOST_PROBLEMS) {
        let first: Vec<String> = tests.iter().take(5).map(ToString::to_string).collect();
        let more = match tests.len().saturating_sub(first.len()) {
            0 => String::new(),
            rest => format!(" and {rest} more"),
        };
        let _ = writeln!(out, "test {}{more}: {problem}", first.join(", "));
    }
    if let Some(rest @ 1..) = said.len().checked_sub(MOST_PROBLEMS) {
        let _ = writeln!(
            out,
            "{rest} more problems are in the output of --format json"
        );
    }
}
