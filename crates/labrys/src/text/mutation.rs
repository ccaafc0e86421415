//! The results of `mutate` for people.

use labrys_driver::mutate::{MutantList, MutationWork, SuiteMutation};
use labrys_ledger::Mutant;
use labrys_mutate::{MutantFate, MutationScore};
use labrys_show::table::Table;
use std::fmt::Write;

/// How much of a list the text shows; the JSON object has all of it.
const MOST_SURVIVORS: usize = 100;
const MOST_NOTES: usize = 12;

/// The list for people.
pub fn list_text(listed: &MutantList) -> String {
    let mut out = String::new();
    for mutant in &listed.mutants {
        let _ = writeln!(out, "{}", line(mutant));
    }
    let counts = listed.by_operator.iter();
    let counts: Vec<String> = counts.map(|(name, n)| format!("{name} {n}")).collect();
    write_notes(&listed.notes, &mut out);
    let _ = writeln!(
        out,
        "{} mutants ({})",
        listed.mutants.len(),
        counts.join(", ")
    );
    out
}

fn line(mutant: &Mutant) -> String {
    let Mutant {
        id,
        file,
        line,
        column,
        text,
        ..
    } = mutant;
    format!("{id}  {file}:{line}:{column}  {text}")
}

/// The result for people.
pub fn text(result: &SuiteMutation) -> String {
    let columns = [
        "operator", "mutants", "killed", "timeout", "crashed", "survived", "%",
    ];
    let mut table = Table::new(&columns);
    let mut row = |name: &str, score: &MutationScore| {
        table.row(vec![
            name.to_owned(),
            score.mutants.to_string(),
            score.killed.to_string(),
            score.timeout.to_string(),
            score.crashed.to_string(),
            score.survived.to_string(),
            format!("{:.1}", score.score() * 100.0),
        ]);
    };
    for (operator, score) in &result.by_operator {
        row(operator, score);
    }
    row("all", &result.totals);
    let mut out = table.to_string();
    let survivors = || {
        let mutants = result.mutants.iter();
        mutants.filter(|record| record.status == MutantFate::Survived)
    };
    if result.totals.survived > 0 {
        out.push('\n');
    }
    for record in survivors().take(MOST_SURVIVORS) {
        let mark = if record.reached {
            ""
        } else {
            "  (not reached)"
        };
        let _ = writeln!(out, "survived: {}{mark}", line(&record.mutant));
    }
    if let Some(rest @ 1..) = survivors().count().checked_sub(MOST_SURVIVORS) {
        let _ = writeln!(
            out,
            "{rest} more survivors are in the output of --format json"
        );
    }
    for test in &result.tests {
        if let Some(problem) = &test.problem {
            let _ = writeln!(out, "test {} ({}): {problem}", test.id, test.name);
        }
        if !test.unstable.is_empty() {
            let names: Vec<&str> = test.unstable.iter().map(String::as_str).collect();
            let _ = writeln!(
                out,
                "test {} ({}): not compared, since it changes by itself: {}",
                test.id,
                test.name,
                names.join(", ")
            );
        }
    }
    write_notes(&result.notes, &mut out);
    let killed = result.totals.mutants - result.totals.survived;
    let MutationWork {
        native_runs,
        build_s,
        run_s,
        wall_s,
    } = result.work;
    let _ = writeln!(
        out,
        "{killed} of {} mutants killed ({:.1} %) by {} tests; {native_runs} native runs, {wall_s:.2} s ({build_s:.2} s to build, {run_s:.2} s to run)",
        result.totals.mutants,
        result.score * 100.0,
        result.tests.len()
    );
    out
}

fn write_notes(notes: &[String], out: &mut String) {
    for note in notes.iter().take(MOST_NOTES) {
        let _ = writeln!(out, "note: {note}");
    }
    if let Some(rest @ 1..) = notes.len().checked_sub(MOST_NOTES) {
        let _ = writeln!(
            out,
            "note: {rest} more notes are in the output of --format json"
        );
    }
}
