//! The result of `measure` for people.

use super::checks;
use labrys_driver::measure::{FunctionScore, Measured};
use labrys_driver::output::objectives::ObjectiveRecord;
use labrys_ledger::{Criterion, Status, StatusTotals};
use labrys_show::table::Table;
use std::fmt::Write;

/// How much of a list the text shows; the JSON object has all of it.
const MOST_TESTS: usize = 40;
const MOST_PROBLEMS: usize = 20;
const MOST_NOTES: usize = 12;
const LONGEST_NAME: usize = 60;

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
    out.push_str(&checks::text(&measured.checks));
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
