//! The results of `mutate` for people.

use labrys_driver::mutate::{MutantList, MutationResults, MutationWork, SuiteMutation};
use labrys_driver::output::mutants::{MutantRecord, MutantsFile, RecordedChange};
use labrys_driver::output::source_text::{LineChange, SourceTexts};
use labrys_ledger::Mutant;
use labrys_mutate::MutantProofKind;
use labrys_show::table::Table;
use std::fmt::Write;

/// How much of a list the text shows; the JSON object has all of it.
const MOST_SURVIVORS: usize = 100;
const MOST_NOTES: usize = 12;
const MOST_PROOFS: usize = 20;

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
    let parts = mutant.parts();
    let changes = parts.map(|part| {
        let Mutant {
            file,
            line,
            column,
            text,
            ..
        } = part;
        format!("{file}:{line}:{column}  {text}")
    });
    let changes: Vec<String> = changes.collect();
    format!("{}  {}", mutant.id, changes.join("  and  "))
}

/// The result for people.
pub fn text(result: &MutationResults) -> String {
    let summary = &result.summary;
    let mut out = table(summary);
    survivors(&result.file, &mut out);
    proved(&result.file, &mut out);
    for test in &summary.tests {
        let (id, name) = (test.id, &test.name);
        if let Some(problem) = &test.problem {
            let _ = writeln!(out, "test {id} ({name}): {problem}");
        }
        if !test.unstable.is_empty() {
            let names: Vec<&str> = test.unstable.iter().map(String::as_str).collect();
            let names = names.join(", ");
            let _ = writeln!(
                out,
                "test {id} ({name}): not compared, since it changes by itself: {names}"
            );
        }
    }
    write_notes(&summary.notes, &mut out);
    if let Some(subsumed) = summary.subsumed {
        let _ = writeln!(
            out,
            "{subsumed} more are killed whenever one of these is, and are not counted"
        );
    }
    let _ = writeln!(
        out,
        "{} of {} mutants killed ({:.1} %) by {} tests{}",
        summary.mutants.all_killed(),
        summary.mutants.counted(),
        summary.score * 100.0,
        summary.tests.len(),
        work(summary.work)
    );
    out
}

/// What it took, if anything was run.
fn work(work: MutationWork) -> String {
    let MutationWork {
        native_runs,
        build_s,
        run_s,
        wall_s,
        search,
    } = work;
    let search = search.map_or_else(String::new, |work| {
        format!(
            "; search: {} paths of the original, {} runs of mutants, {} queries, {:.2} s",
            work.paths, work.mutant_runs, work.queries, work.search_s
        )
    });
    match native_runs {
        0 => search,
        _ => format!(
            "; {native_runs} native runs, {wall_s:.2} s ({build_s:.2} s to build, {run_s:.2} s to run){search}"
        ),
    }
}

/// By operator, with the totals.
fn table(summary: &SuiteMutation) -> String {
    let columns = [
        "operator",
        "mutants",
        "killed by suite",
        "by new tests",
        "equivalent",
        "duplicate",
        "survived",
        "no coverage",
        "%",
    ];
    let mut table = Table::new(&columns);
    let operators = summary.by_operator.iter();
    let operators = operators.map(|(operator, score)| (operator.as_str(), score));
    for (name, score) in operators.chain([("all", &summary.mutants)]) {
        let counts = [
            score.total,
            score.killed_before,
            score.killed,
            score.equivalent,
            score.duplicates,
            score.survived,
            score.no_coverage,
        ];
        let mut row = vec![name.to_owned()];
        row.extend(counts.iter().map(usize::to_string));
        row.push(format!("{:.1}", score.score() * 100.0));
        table.row(row);
    }
    table.to_string()
}

fn place(change: &RecordedChange<'_>) -> String {
    let RecordedChange {
        file,
        line,
        column,
        operator,
        ..
    } = change;
    format!("{file}:{line}:{column}  {operator}")
}

/// Each mutant that is alive as a change of its source line.
fn survivors(file: &MutantsFile, out: &mut String) {
    let texts = SourceTexts::read(file);
    let alive = || file.mutants.iter().filter(|m| m.status.is_alive());
    for mutant in alive().take(MOST_SURVIVORS) {
        let reason = mutant.reason.as_ref().map(ToString::to_string);
        let reason = reason.unwrap_or_default();
        let places: Vec<String> = mutant.changes().iter().map(place).collect();
        let _ = writeln!(out, "\n{}  {}: {reason}", places.join("  and  "), mutant.id);
        for LineChange { before, after } in texts.line_changes(mutant) {
            for (mark, lines) in [("-", before), ("+", after)] {
                for line in lines {
                    let _ = writeln!(out, "{mark} {line}");
                }
            }
        }
    }
    if alive().next().is_some() {
        out.push('\n');
    }
    if let Some(rest @ 1..) = alive().count().checked_sub(MOST_SURVIVORS) {
        let _ = writeln!(
            out,
            "{rest} more survivors are in mutants.json (--out) and in the output of --format json"
        );
    }
}

/// Each mutant that a search has proved to make no difference, with the proof.
fn proved(file: &MutantsFile, out: &mut String) {
    let by_search = |mutant: &&MutantRecord| {
        let proof = mutant.proof.as_ref();
        proof.is_some_and(|proof| proof.kind != MutantProofKind::SameCode)
    };
    let mutants = file.mutants.iter().filter(by_search);
    for mutant in mutants.take(MOST_PROOFS) {
        let Some(proof) = &mutant.proof else { continue };
        let assumes = match proof.assumes.is_empty() {
            true => String::new(),
            false => format!(", if: {}", proof.assumes.join(", ")),
        };
        let changes = mutant.changes();
        let changes = changes
            .iter()
            .map(|c| format!("{} → {}", c.original, c.replacement));
        let changes: Vec<String> = changes.collect();
        let _ = writeln!(
            out,
            "equivalent: {}:{}  {}: {}: {}{assumes}",
            mutant.file,
            mutant.line,
            mutant.id,
            changes.join(" and "),
            proof.kind.text(),
        );
    }
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
