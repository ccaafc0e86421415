//! Mutants of conditions and of all other expressions.

use super::form::AugmentedForm;
use super::{WantedTest, note, tests_of};
use crate::failure::{Failure, Outcome};
use crate::generate::{SearchResults, SearchSession, SearchedEntry};
use crate::native::TestCases;
use crate::output::augmentation::Augmentation;
use crate::request::Augment;
use labrys_engine::{Alternative, AugmentStyle, Config, MutantKillers, augment_mutants};
use labrys_ledger::Mutant;
use labrys_mutate::{TestCase, score_among};
use labrys_suite::ReplayError;
use std::collections::BTreeMap;

/// Asks the engine for tests.
pub(super) fn ask(
    form: &AugmentedForm,
    searched: &SearchedEntry,
    how: AugmentStyle,
    config: &Config,
    wanted: &mut Vec<WantedTest>,
    record: &mut Augmentation,
) -> Outcome<Claims> {
    let Some(entry) = form.entry(&searched.entry) else {
        return Ok(Claims::new());
    };
    let mutants = form.program.mutants.iter().enumerate();
    let in_scope = |(_, m): &(usize, &Mutant)| entry.scope.contains(&m.function);
    let mut mutants: Vec<(usize, &Mutant)> = mutants.filter(in_scope).collect();
    // The function under test comes before those that it calls.
    mutants.sort_by_key(|(_, mutant)| mutant.function != entry.function);
    let (numbers, mutants): (Vec<usize>, Vec<&Mutant>) = mutants.into_iter().unzip();
    let alternatives: Vec<Alternative> = mutants
        .iter()
        .map(|mutant| Alternative {
            point: mutant.point,
            alternative: mutant.alternative,
        })
        .collect();
    let old = tests_of(searched);
    let new: Vec<_> = wanted.iter().map(|w| w.inputs.clone()).collect();
    let (harness, tests) = (&entry.harness, (&old[..], &new[..]));
    let found = augment_mutants(&form.module, harness, &alternatives, tests, how, config)
        .map_err(Failure::usage)?;
    record.mutants.add(&found);
    note(found.added, wanted, |number| {
        (purpose(mutants[number]), Augment::Mutation)
    });
    Ok(numbers.into_iter().zip(found.claims).collect())
}

/// What the engine says of the mutants of an entry, by their numbers.
pub(super) type Claims = BTreeMap<usize, MutantKillers>;

/// What is to be confirmed for one entry.
pub(super) struct Claimed {
    pub claims: Claims,
    /// Where the tests that the engine has numbered stand among those of the entry.
    pub places: Vec<Option<usize>>,
}

impl Claimed {
    /// The tests that may kill a mutant.
    fn tests(&self, mutant: usize) -> Vec<usize> {
        let Some(claim) = self.claims.get(&mutant) else {
            return Vec::new();
        };
        let certain = claim.certain.into_iter();
        let numbers = certain.chain(claim.doubtful.iter().copied().take(DOUBTS));
        let place = |number: usize| self.places.get(number).copied().flatten();
        numbers.filter_map(place).collect()
    }
}

/// So many native runs are spent on a mutant of which the engine cannot say.
const DOUBTS: usize = 4;

/// `ROR: a < b → a <= b` as the reason for a test.
fn purpose(mutant: &Mutant) -> String {
    match (mutant.original(), mutant.replacement()) {
        (_, "") => mutant.text.clone(),
        (from, to) => format!("{from} not {to}"),
    }
}

/// Runs the tests natively with the mutants that they should kill, and notes which they do kill.
pub(super) fn measure(
    form: &AugmentedForm,
    session: &SearchSession<'_>,
    found: &mut SearchResults,
    claimed: &[Claimed],
    before: &[usize],
    record: &mut Augmentation,
) -> Outcome<()> {
    let mutants = &form.program.mutants;
    let mut killers: Vec<Option<(usize, usize)>> = vec![None; mutants.len()];
    for (place, (searched, claimed)) in found.searched.iter().zip(claimed).enumerate() {
        let Some(entry) = form.entry(&searched.entry) else {
            continue;
        };
        let tests = |mutant: usize| claimed.tests(mutant);
        let alive: Vec<usize> = (0..mutants.len())
            .filter(|m| killers[*m].is_none() && !tests(*m).is_empty())
            .collect();
        let cases = TestCases::with_harness(&entry.harness, &searched.judged.tests);
        let cases: Vec<TestCase<'_>> = cases
            .cases()
            .into_iter()
            .map(|case| TestCase { build: 0, case })
            .collect();
        let chosen: Vec<Mutant> = alive.iter().map(|m| mutants[*m].clone()).collect();
        let chosen_for = |mutant: usize, reaching: Vec<usize>| {
            let claimed = tests(alive[mutant]);
            let reaching = reaching.into_iter();
            reaching.filter(|test| claimed.contains(test)).collect()
        };
        let scored = match score_among(
            &chosen,
            &[&form.replayer],
            &cases,
            &chosen_for,
            &session.replay_limits(),
            &mut |_| {},
        ) {
            // What there was no time for counts as survived.
            Err(ReplayError::Ended(_)) => break,
            scored => scored.map_err(Failure::internal)?,
        };
        for (mutant, verdict) in alive.iter().zip(&scored.verdicts) {
            if let Some(test) = verdict.killed_by.first() {
                killers[*mutant] = Some((place, *test));
            }
        }
    }
    for (mutant, killer) in mutants.iter().zip(&killers) {
        let mut was_met = false;
        if let Some((place, test)) = *killer {
            was_met = test < before[place];
            let test = &mut found.searched[place].judged.tests[test];
            test.augments.push(mutant.id.clone());
        }
        record.condition(Augment::Mutation, mutant.into(), was_met, killer.is_some());
    }
    Ok(())
}
