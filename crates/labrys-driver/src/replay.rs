//! `replay`: builds the program of an output directory natively and runs every test of its suite
//! again.

use crate::crosscheck::{CheckedSuite, checks};
use crate::failure::{Failure, Outcome};
use crate::native::{TestCases, by_trigger, open_sandbox, vectors_of};
use crate::output::{CoverageCheck, ObjectivesFile, OutDir, RunRecord};
use crate::program::runtime;
use labrys_budget::Deadline;
use labrys_ledger::{Decision, Ledger, StatusTotals, Trigger};
use labrys_suite::{
    MissingProtections, Observation, ReplayError, ReplayLimits, Replayer, Suite, SuiteTest,
    ended_normally,
};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

/// What is asked of a replay.
#[derive(Clone, Debug, Default)]
pub struct ReplayOptions {
    /// A compiler instead of the one that the suite was made with.
    pub cc: Option<String>,
    /// A clang instead of the one that the suite was made with.
    pub clang: Option<String>,
    pub gcov: bool,
    pub llvm_cov: bool,
    /// Whether an incomplete sandbox is refused.
    pub require_sandbox: bool,
    /// Compilers and runs end with it.
    pub deadline: Deadline,
}

/// What the replay showed.
#[derive(Debug, Serialize)]
pub struct Replayed {
    pub schema: String,
    pub tests: usize,
    pub passed: usize,
    pub failures: Vec<String>,
    pub totals: StatusTotals,
    pub checks: Vec<CoverageCheck>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Each test with how its run ended.
    #[serde(skip)]
    pub runs: Vec<(SuiteTest, String)>,
}

/// Runs every test of an output directory again.
pub fn replay(dir: &Path, options: &ReplayOptions) -> Outcome<Replayed> {
    let out = OutDir::open(dir)?;
    let run: RunRecord = out.read_json("run.json")?;
    let suite = Suite::read(&out.file("suite.json")).map_err(Failure::usage)?;
    let mut ledger = ledger(&out)?;
    let runtime = runtime::install(
        options.clang.as_deref().unwrap_or(&run.clang),
        &options.deadline,
    )?;
    let work = tempfile::tempdir().map_err(Failure::usage)?;
    let native = work.path().join("replay");
    let replayer = run.build(
        &out,
        options.cc.as_deref(),
        &runtime,
        &native,
        &options.deadline,
    )?;
    let limits = ReplayLimits {
        require_sandbox: options.require_sandbox,
        deadline: options.deadline.clone(),
        ..run.limits()
    };
    let observations = run_all(&suite, &replayer, &limits)?;
    let missing = observations.iter().map(|seen| seen.missing);
    let missing = missing.fold(Default::default(), MissingProtections::and);
    let failures = enter(&suite, &observations, &mut ledger)?;
    let failed: BTreeSet<&str> = failures.iter().map(|(name, _)| name.as_str()).collect();
    let subject = CheckedSuite {
        run: &run,
        suite: &suite,
        ledger: &ledger,
        runtime: &runtime,
        limits,
    };
    Ok(Replayed {
        schema: labrys_suite::SCHEMA.to_owned(),
        tests: suite.tests.len(),
        passed: suite.tests.len() - failed.len(),
        failures: failures
            .iter()
            .map(|(name, what)| format!("{name}: {what}"))
            .collect(),
        totals: ledger.totals(),
        checks: checks(&subject, options.llvm_cov, options.gcov)?,
        notes: open_sandbox(missing).into_iter().collect(),
        runs: (suite.tests.into_iter().zip(&observations))
            .map(|(test, seen)| (test, seen.end.outcome()))
            .collect(),
    })
}

/// The objectives of a directory, without what is known of them.
fn ledger(out: &OutDir) -> Outcome<Ledger> {
    let file: ObjectivesFile = out.read_json("objectives.json")?;
    let decisions = file.decisions.into_iter().map(|record| record.decision);
    let decisions: Vec<Decision> = decisions.collect();
    let objectives = file.objectives.into_iter().map(|o| o.objective);
    Ok(Ledger::new(objectives.collect()).with_decisions(&decisions))
}

fn run_all(suite: &Suite, replayer: &Replayer, limits: &ReplayLimits) -> Outcome<Vec<Observation>> {
    let cases = TestCases::of(&suite.tests);
    (replayer.run(&cases.cases(), limits)).map_err(|error| match error {
        ReplayError::Ended(cause) => Failure::ended(cause, "running the tests"),
        error => Failure::usage(error),
    })
}

/// Enters what the runs show, and says where they differ from the suite.
fn enter(
    suite: &Suite,
    observations: &[Observation],
    ledger: &mut Ledger,
) -> Outcome<Vec<(String, String)>> {
    let triggers = by_trigger(ledger.objectives());
    let mut failures = Vec::new();
    for (test, seen) in suite.tests.iter().zip(observations) {
        let mut covers = BTreeSet::new();
        for trigger in &seen.triggers {
            for objective in triggers.get(trigger).into_iter().flatten() {
                ledger.cover(*objective, test.id);
                covers.insert(ledger.objectives()[*objective].id.clone());
            }
        }
        for (decision, vector) in vectors_of(seen, ledger) {
            ledger.show(test.id, decision, vector);
        }
        covers.extend(halves_of(test, ledger));
        failures.extend(differences(test, seen, &covers));
    }
    ledger.cover_pairs();
    Ok(failures)
}

/// The pairs of which a run has shown half.
fn halves_of(test: &SuiteTest, ledger: &Ledger) -> Vec<String> {
    let decides = |decision: u32, condition: u32| {
        let decision = ledger.decision(decision)?;
        let shown = ledger.shown().of(decision.number);
        let mut own = shown.filter(|(_, tests)| tests.contains(&test.id));
        let condition = condition as usize;
        own.find(|(vector, _)| {
            let halves = decision.formula.halves(*vector);
            halves.has(condition, true) || halves.has(condition, false)
        })
    };
    let objectives = ledger.objectives().iter();
    let shown = objectives.filter(|objective| match objective.trigger {
        Trigger::Pair {
            decision,
            condition,
            ..
        } => decides(decision, condition).is_some(),
        _ => false,
    });
    shown.map(|objective| objective.id.clone()).collect()
}

/// How a run differs from what the suite says of the test.
fn differences(
    test: &SuiteTest,
    seen: &Observation,
    covers: &BTreeSet<String>,
) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut note = |what: String| found.push((test.name.clone(), what));
    // After an error of the program the run does whatever lies in memory.
    let comes_to_an_end = ended_normally(&test.outcome) && test.always_ends_so();
    if comes_to_an_end && !seen.end.is_valid() {
        note(format!("ended with '{}'", seen.end.outcome()));
    }
    for id in test
        .covers
        .iter()
        .filter(|id| !covers.contains(id.as_str()))
    {
        note(format!("does not cover {id}"));
    }
    let mut again = test.clone();
    if comes_to_an_end {
        again.compare(seen);
    }
    for name in again.unstable.difference(&test.unstable) {
        note(format!("output '{name}' is another one"));
    }
    found
}
