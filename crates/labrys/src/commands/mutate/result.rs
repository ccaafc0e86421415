//! The result of `mutate`: the object that `--format json` prints, and its text.

use crate::table::Table;
use labrys_ledger::Mutant;
use labrys_mutate::{MutantFate, MutantVerdict, MutationScore, ScoredMutants, by_operator};
use labrys_suite::{SCHEMA, SuiteTarget};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How much of a list the text shows; the JSON object has all of it.
const MOST_SURVIVORS: usize = 100;
const MOST_NOTES: usize = 12;

/// The mutants of a program.
#[derive(Debug, Serialize)]
pub struct Listed {
    schema: &'static str,
    target: SuiteTarget,
    mutants: Vec<Mutant>,
    by_operator: BTreeMap<String, usize>,
    notes: Vec<String>,
}

impl Listed {
    pub fn new(target: SuiteTarget, mutants: Vec<Mutant>, notes: Vec<String>) -> Self {
        let mut by_operator: BTreeMap<String, usize> = BTreeMap::new();
        for mutant in &mutants {
            *by_operator.entry(mutant.operator.clone()).or_default() += 1;
        }
        Listed {
            schema: SCHEMA,
            target,
            mutants,
            by_operator,
            notes,
        }
    }
}

/// The list for people.
pub fn list_text(listed: &Listed) -> String {
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

/// What a suite does to the mutants.
#[derive(Debug, Serialize)]
pub struct Mutated {
    schema: &'static str,
    target: SuiteTarget,
    totals: MutationScore,
    by_operator: BTreeMap<String, MutationScore>,
    /// All that did not survive, over all.
    pub score: f64,
    mutants: Vec<MutantRecord>,
    pub tests: Vec<TestRecord>,
    pub notes: Vec<String>,
    work: Work,
}

#[derive(Debug, Serialize)]
struct MutantRecord {
    #[serde(flatten)]
    mutant: Mutant,
    status: MutantFate,
    /// Whether a test comes to it.
    reached: bool,
    /// The test that killed it, and what it saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    killer: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    how: Option<String>,
    runs: u32,
}

#[derive(Debug, Serialize)]
pub struct TestRecord {
    pub id: u32,
    pub name: String,
    /// How many mutants it was the first to kill.
    pub kills: usize,
    /// Why it was not used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Outputs that are others in every run, and so are not looked at.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub unstable: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Work {
    pub native_runs: usize,
    pub build_s: f64,
    pub run_s: f64,
    pub wall_s: f64,
}

impl Mutated {
    pub fn new(
        target: SuiteTarget,
        mutants: &[Mutant],
        scored: &ScoredMutants,
        work: Work,
    ) -> Self {
        let record = |(mutant, verdict): (&Mutant, &MutantVerdict)| MutantRecord {
            mutant: mutant.clone(),
            status: verdict.fate,
            reached: verdict.reached,
            killer: verdict.killer.as_ref().map(|(test, _)| *test),
            how: verdict.killer.as_ref().map(|(_, how)| how.clone()),
            runs: verdict.runs,
        };
        let totals = MutationScore::of(&scored.verdicts);
        Mutated {
            schema: SCHEMA,
            target,
            totals,
            by_operator: by_operator(mutants, &scored.verdicts),
            score: totals.score(),
            mutants: mutants.iter().zip(&scored.verdicts).map(record).collect(),
            tests: Vec::new(),
            notes: Vec::new(),
            work,
        }
    }

    /// Killers by the numbers of all tests, not of those that could be run.
    pub fn name_killers(&mut self, numbers: &[usize]) {
        for mutant in &mut self.mutants {
            mutant.killer = mutant.killer.map(|place| numbers[place] + 1);
        }
    }
}

/// The result for people.
pub fn text(result: &Mutated) -> String {
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
    let Work {
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
