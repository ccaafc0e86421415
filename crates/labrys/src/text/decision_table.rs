//! The table of a decision: its conditions, the evaluations that tests have shown, and the pair of
//! each condition, or why it has none.

use labrys_driver::output::objectives::{DecisionRecord, HalfRecord, ObjectiveRecord};
use labrys_ledger::decision::letter;
use labrys_ledger::{OutcomeVector, PairHalves, Status, Trigger};
use labrys_show::table::Table;
use std::fmt::Write;

/// Pairs of a decision with more conditions are written without blanks.
const WIDEST: usize = 10;

/// How many tests of an evaluation are listed.
const MOST_TESTS: usize = 8;

/// The table as text. `objectives` are the pairs of the decision; the one that was asked for is
/// marked.
pub fn text(
    record: &DecisionRecord,
    objectives: &[&ObjectiveRecord],
    marked: Option<&str>,
) -> String {
    let d = &record.decision;
    let mut text = format!(
        "{}:{}:{}  in {}  {}\n\n{}",
        d.file,
        d.line,
        d.column,
        d.function,
        d.formula,
        conditions(record)
    );
    if !record.vectors.is_empty() {
        let _ = write!(text, "\n{}", vectors(record));
    }
    let _ = write!(text, "\n{}", pairs(record, objectives, marked));
    text
}

/// `text`, indented.
fn indented(text: &str, marked: impl Fn(usize) -> bool) -> String {
    let lines = text.lines().enumerate();
    lines
        .map(|(i, line)| format!("{} {line}\n", if marked(i) { '>' } else { ' ' }))
        .collect()
}

fn conditions(record: &DecisionRecord) -> String {
    let mut table = Table::plain().left(3);
    for (i, condition) in record.decision.conditions.iter().enumerate() {
        let constant = condition
            .constant
            .map(|value| format!("  (always {value})"));
        table.row(vec![
            letter(i),
            format!("line {}", condition.line),
            format!("{}{}", condition.text, constant.unwrap_or_default()),
        ]);
    }
    indented(&table.to_string(), |_| false)
}

/// An evaluation with its signs under the letters.
fn spread(vector: &str) -> String {
    let signs = vector.chars().enumerate().map(|(i, sign)| {
        let width = letter(i).len();
        format!("{sign:<width$}")
    });
    signs.collect::<Vec<_>>().join(" ")
}

fn vectors(record: &DecisionRecord) -> String {
    let letters: Vec<String> = (0..record.decision.conditions.len()).map(letter).collect();
    let mut table = Table::new(&[&letters.join(" "), "result", "tests"]).left(3);
    for shown in &record.vectors {
        table.row(vec![
            spread(&shown.vector),
            shown.result.to_string(),
            list(&shown.tests),
        ]);
    }
    indented(&table.to_string(), |_| false)
}

fn list(tests: &[u32]) -> String {
    let first = tests.iter().take(MOST_TESTS);
    let mut names: Vec<String> = first.map(ToString::to_string).collect();
    if tests.len() > MOST_TESTS {
        names.push(format!("… ({})", tests.len()));
    }
    names.join(", ")
}

fn pairs(record: &DecisionRecord, objectives: &[&ObjectiveRecord], marked: Option<&str>) -> String {
    let mut table = Table::plain().left(4);
    let mut marks = Vec::new();
    // What has no pair comes last: it needs no columns.
    let mut without = Vec::new();
    for record_of in objectives {
        let Trigger::Pair { condition, .. } = record_of.objective.trigger else {
            continue;
        };
        let (id, name) = (&record_of.objective.id, letter(condition as usize));
        let half = |half: &HalfRecord| {
            let vector = match half.vector.len() {
                0..=WIDEST => spread(&half.vector),
                _ => half.vector.clone(),
            };
            format!("{vector}  test {}", half.test)
        };
        match &record_of.pair {
            Some(pair) => {
                marks.push(marked == Some(id));
                table.row(vec![id.clone(), name, half(&pair.yes), half(&pair.no)]);
            }
            None => {
                let why = no_pair(record, record_of, condition as usize);
                without.push((marked == Some(id), format!("{id}  {name}  {why}\n")));
            }
        }
    }
    marks.extend(without.iter().map(|(mark, _)| *mark));
    let lines: String = without.into_iter().map(|(_, line)| line).collect();
    indented(&format!("{table}{lines}"), |i| marks.get(i) == Some(&true))
}

/// Why a condition has no pair, and the half that was seen.
fn no_pair(record: &DecisionRecord, objective: &ObjectiveRecord, condition: usize) -> String {
    let formula = &record.decision.formula;
    let shown = record.vectors.iter().filter_map(|v| parse(&v.vector));
    let seen = shown.fold(PairHalves::default(), |all, v| all.or(formula.halves(v)));
    let seen = match [true, false].map(|value| seen.has(condition, value)) {
        [true, false] => ", decides only as true",
        [false, true] => ", decides only as false",
        [true, true] => ", decides as true and as false, but not alone",
        [false, false] => ", never decides",
    };
    let (status, why) = match &objective.status {
        Status::Infeasible { proof } => ("infeasible", super::proof::because(proof)),
        Status::Unknown { reason } => ("unknown", reason.clone()),
        Status::Open => ("open", "the run has not decided it yet".to_owned()),
        Status::Covered { .. } => ("covered", String::new()),
    };
    format!("no pair{seen}; {status}: {why}")
}

/// The evaluation that a text of signs stands for.
fn parse(signs: &str) -> Option<OutcomeVector> {
    let mut vector = OutcomeVector::default();
    for (i, sign) in signs.chars().enumerate() {
        match sign {
            'T' => vector = vector.with(i, true),
            'F' => vector = vector.with(i, false),
            '-' | '0' | '1' => {}
            _ => return None,
        }
    }
    Some(vector)
}
