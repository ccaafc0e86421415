//! `labrys replay`: builds a suite's program natively and runs every test again.

use super::print;
use crate::cli::{Format, ReplayArgs};
use crate::crosscheck::{self, Check, Subject, checks};
use crate::failure::{Exit, Failure, Outcome};
use crate::given;
use crate::judge::{by_trigger, vectors_of};
use crate::outdir::OutDir;
use crate::records::{Objectives, Run};
use crate::runtime;
use crate::table::Table;
use labrys_ledger::{Decision, Ledger, StatusTotals, Trigger};
use labrys_suite::{
    BuildSpec, BuildUnit, Observation, ReplayCase, ReplayInputs, ReplayLimits, Replayer, Suite,
    SuiteTest,
};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

/// What the replay showed.
#[derive(Serialize)]
struct Result {
    schema: String,
    tests: usize,
    passed: usize,
    failures: Vec<String>,
    totals: StatusTotals,
    checks: Vec<Check>,
}

pub fn run(args: &ReplayArgs) -> Outcome {
    let out = OutDir::open(&args.dir)?;
    let run: Run = out.read_json("run.json")?;
    let suite = Suite::read(&out.file("suite.json")).map_err(Failure::usage)?;
    let objectives: Objectives = out.read_json("objectives.json")?;
    let decisions: Vec<Decision> = (objectives.decisions.into_iter())
        .map(|record| record.decision)
        .collect();
    let objectives = objectives
        .objectives
        .into_iter()
        .map(|o| o.objective)
        .collect();
    let mut ledger = Ledger::new(objectives).with_decisions(&decisions);
    let runtime = runtime::install("clang-19")?;
    let work = tempfile::tempdir().map_err(Failure::usage)?;
    let binary = work.path().join("replay");
    let mut spec = BuildSpec::new(Vec::new(), runtime.dir.clone(), binary);
    let units = run.units.iter().zip(&run.sources);
    spec.units = units
        .map(|(unit, source)| BuildUnit {
            path: out.file(unit),
            flags: given::native_flags(&source.flags, source.directory.is_some()),
            directory: None,
        })
        .collect();
    spec.cc = args.cc.clone().unwrap_or_else(|| run.cc.clone());
    spec.flags = run.link_flags.clone();
    spec.beside = run.beside.clone();
    spec.cache_dir = Some(runtime.cache.clone());
    let replayer = Replayer::build(&spec).map_err(Failure::usage)?;
    let limits = ReplayLimits {
        time: Duration::from_millis(run.replay_ms),
        ..ReplayLimits::default()
    };
    let inputs: Vec<_> = suite.tests.iter().map(SuiteTest::replay_inputs).collect();
    let harnesses: Vec<String> = suite.tests.iter().map(SuiteTest::harness).collect();
    let cases: Vec<ReplayCase<'_>> = inputs
        .iter()
        .zip(&harnesses)
        .map(|(inputs, harness)| ReplayCase {
            harness,
            inputs: ReplayInputs::Named(inputs),
        })
        .collect();
    let observations = replayer.run(&cases, &limits).map_err(Failure::usage)?;
    let triggers = by_trigger(ledger.objectives());
    let mut failures = Vec::new();
    for (test, seen) in suite.tests.iter().zip(&observations) {
        let mut covers = BTreeSet::new();
        for trigger in &seen.triggers {
            for objective in triggers.get(trigger).into_iter().flatten() {
                ledger
                    .cover(*objective, test.id)
                    .map_err(Failure::internal)?;
                covers.insert(ledger.objectives()[*objective].id.clone());
            }
        }
        for (decision, vector) in vectors_of(seen, &ledger) {
            ledger.show(test.id, decision, vector);
        }
        covers.extend(halves_of(test, &ledger));
        failures.extend(differences(test, seen, &covers));
    }
    ledger.cover_pairs().map_err(Failure::internal)?;
    let failed: BTreeSet<&str> = failures.iter().map(|(name, _)| name.as_str()).collect();
    let subject = Subject {
        run: &run,
        suite: &suite,
        ledger: &ledger,
        runtime: &runtime,
    };
    let result = Result {
        schema: labrys_suite::SCHEMA.to_owned(),
        tests: suite.tests.len(),
        passed: suite.tests.len() - failed.len(),
        failures: failures
            .iter()
            .map(|(name, what)| format!("{name}: {what}"))
            .collect(),
        totals: ledger.totals(),
        checks: checks(&subject, args.llvm_cov, args.gcov)?,
    };
    show(args, &suite, &observations, &result)?;
    Ok(
        if result.failures.is_empty() && result.checks.iter().all(|c| c.differences.is_empty()) {
            Exit::Done
        } else {
            Exit::NotMet
        },
    )
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
    let comes_to_an_end = test.outcome == "ok" || test.outcome.starts_with("exit");
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

fn show(
    args: &ReplayArgs,
    suite: &Suite,
    observations: &[Observation],
    result: &Result,
) -> Outcome<()> {
    if args.show.format == Format::Json {
        let text = serde_json::to_string_pretty(result).map_err(Failure::internal)?;
        return print(&format!("{text}\n"));
    }
    let mut table = Table::new(&["test", "id", "covers", "outcome"]);
    for (test, seen) in suite.tests.iter().zip(observations) {
        table.row(vec![
            test.name.clone(),
            test.id.to_string(),
            test.covers.len().to_string(),
            seen.end.outcome(),
        ]);
    }
    let mut text = table.to_string();
    for failure in &result.failures {
        let _ = writeln!(text, "failed: {failure}");
    }
    let _ = writeln!(
        text,
        "{} of {} tests do what the suite says; {} of {} objectives covered",
        result.passed, result.tests, result.totals.covered, result.totals.objectives
    );
    text.push_str(&crosscheck::text(&result.checks));
    print(&text)
}
