//! Mutants of conditions and of all other expressions.

use super::form::Form;
use super::{Augmentation, Wanted, cases, note, tests_of};
use crate::cli::Augment;
use crate::commands::generate::{Found, Searched, Session};
use crate::failure::{Failure, Outcome};
use labrys_engine::{Alternative, Config, How, augment_mutants};
use labrys_ledger::Mutant;
use labrys_mutate::{Fate, TestCase, score};

/// Asks the engine for tests.
pub fn ask(
    form: &Form,
    searched: &Searched,
    how: How,
    config: &Config,
    wanted: &mut Vec<Wanted>,
    record: &mut Augmentation,
) -> Outcome<()> {
    let Some(entry) = form.entry(&searched.entry) else {
        return Ok(());
    };
    let mutants = form.program.mutants.iter();
    let mutants: Vec<&Mutant> = mutants
        .filter(|m| entry.scope.contains(&m.function))
        .collect();
    let alternatives: Vec<Alternative> = mutants
        .iter()
        .map(|mutant| Alternative {
            point: mutant.point,
            alternative: mutant.alternative,
        })
        .collect();
    let mut tests = tests_of(searched);
    tests.extend(wanted.iter().map(|w| w.inputs.clone()));
    let harness = &entry.harness;
    let found = augment_mutants(&form.module, harness, &alternatives, &tests, how, config)
        .map_err(Failure::usage)?;
    record.mutants.add(&found);
    note(found.added, wanted, |number| {
        (purpose(mutants[number]), Augment::Mutation)
    });
    Ok(())
}

/// `ROR: a < b → a <= b` as the reason for a test.
fn purpose(mutant: &Mutant) -> String {
    let change = mutant
        .text
        .split_once(": ")
        .map_or("", |(_, change)| change);
    match change.split_once(" → ") {
        Some((from, to)) => format!("{from} not {to}"),
        None => mutant.text.clone(),
    }
}

/// Runs the tests natively and notes which mutants they kill: first those that were there before.
pub fn measure(
    form: &Form,
    session: &Session<'_>,
    found: &mut Found,
    before: &[usize],
    record: &mut Augmentation,
) -> Outcome<()> {
    let mutants = &form.program.mutants;
    let mut killers: Vec<Option<(usize, usize)>> = vec![None; mutants.len()];
    let mut met_before = vec![false; mutants.len()];
    let entries = found.searched.iter().enumerate().zip(before);
    let mut rounds = Vec::new();
    for ((place, searched), before) in entries {
        rounds.push((place, 0..*before));
        rounds.push((place, *before..searched.judged.tests.len()));
    }
    // All old tests come before all new ones.
    rounds.sort_by_key(|(_, tests)| tests.start > 0);
    for (place, tests) in rounds {
        let searched = &found.searched[place];
        let Some(entry) = form.entry(&searched.entry) else {
            continue;
        };
        let alive: Vec<usize> = (0..mutants.len())
            .filter(|m| killers[*m].is_none() && entry.scope.contains(&mutants[*m].function))
            .collect();
        if tests.is_empty() || alive.is_empty() {
            continue;
        }
        let mut inputs = Vec::new();
        let cases = cases(searched, &entry.harness, &mut inputs);
        let cases = cases.into_iter().map(|case| TestCase { build: 0, case });
        let cases: Vec<TestCase<'_>> = cases.skip(tests.start).take(tests.len()).collect();
        let chosen: Vec<Mutant> = alive.iter().map(|m| mutants[*m].clone()).collect();
        let limits = session.limits();
        let scored = score(
            &chosen,
            &[&form.replayer],
            &cases,
            &limits,
            session.stop,
            &mut |_| {},
        )
        .map_err(Failure::internal)?;
        for (mutant, verdict) in alive.iter().zip(&scored.verdicts) {
            if let (Some((test, _)), true) = (&verdict.killer, verdict.fate != Fate::Survived) {
                killers[*mutant] = Some((place, tests.start + test));
                met_before[*mutant] = tests.end == before[place];
            }
        }
    }
    for ((mutant, killer), before) in mutants.iter().zip(&killers).zip(met_before) {
        if let Some((place, test)) = *killer {
            let test = &mut found.searched[place].judged.tests[test];
            test.augments.push(mutant.id.clone());
        }
        record.condition(Augment::Mutation, mutant.into(), before, killer.is_some());
    }
    Ok(())
}
