//! Boundary values, logic and errors.

use super::form::AugmentedForm;
use super::{WantedTest, note, tests_of};
use crate::failure::{Failure, Outcome};
use crate::generate::{SearchResults, SearchSession, SearchedEntry};
use crate::native::{TestCases, by_trigger};
use crate::output::augmentation::Augmentation;
use crate::request::Augment;
use labrys_engine::{AugmentStyle, Config, ObjectiveMap, augment_labels};
use std::collections::BTreeSet;

/// Asks the engine for tests; says of which conditions a native run may tell nothing.
pub(super) fn ask(
    form: &AugmentedForm,
    searched: &SearchedEntry,
    how: AugmentStyle,
    config: &Config,
    wanted: &mut Vec<WantedTest>,
    record: &mut Augmentation,
) -> Outcome<BTreeSet<usize>> {
    let Some(entry) = form.entry(&searched.entry) else {
        return Ok(BTreeSet::new());
    };
    let program = &form.program;
    let map = ObjectiveMap::new(&program.objectives, &program.decisions, |_, o| {
        entry.scope.contains(&o.function)
    });
    let tests = tests_of(searched);
    let found = augment_labels(&form.module, &entry.harness, &map, &tests, how, config)
        .map_err(Failure::usage)?;
    record.labels.add(&found);
    note(found.added, wanted, |objective| {
        let objective = &program.objectives[objective];
        (objective.text.clone(), Augment::of(objective.criterion))
    });
    Ok(found.doubtful)
}

/// Runs the tests natively and notes which conditions each meets.
pub(super) fn measure(
    form: &AugmentedForm,
    session: &SearchSession<'_>,
    found: &mut SearchResults,
    doubtful: &[BTreeSet<usize>],
    before: &[usize],
    record: &mut Augmentation,
) -> Outcome<()> {
    let objectives = &form.program.objectives;
    let triggers = by_trigger(objectives);
    let mut met: BTreeSet<usize> = BTreeSet::new();
    let mut met_before: BTreeSet<usize> = BTreeSet::new();
    let entries = found.searched.iter_mut().zip(doubtful);
    for ((searched, doubtful), before) in entries.zip(before) {
        let Some(entry) = form.entry(&searched.entry) else {
            continue;
        };
        let cases = TestCases::with_harness(&entry.harness, &searched.judged.tests);
        let seen = form
            .replayer
            .run_in_time(&cases.cases(), &session.replay_limits());
        let seen = seen.map_err(Failure::internal)?;
        let tests = searched.judged.tests.iter_mut().zip(seen);
        for (place, (test, seen)) in tests.enumerate() {
            let meets = seen.triggers.iter().filter_map(|t| triggers.get(t));
            let meets = meets.flatten().filter(|index| !doubtful.contains(index));
            let meets: BTreeSet<usize> = meets.copied().collect();
            if place < *before {
                met_before.extend(&meets);
            }
            met.extend(&meets);
            test.augments
                .extend(meets.iter().map(|index| objectives[*index].id.clone()));
        }
    }
    for (index, objective) in objectives.iter().enumerate() {
        record.condition(
            Augment::of(objective.criterion),
            objective.into(),
            met_before.contains(&index),
            met.contains(&index),
        );
    }
    Ok(())
}
