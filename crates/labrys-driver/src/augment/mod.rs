//! `--augment`: more tests from the paths of those that the search has found (paper on
//! augmentation in `docs/papers.md`).
//!
//! Boundary values, logic and errors are labels in a second annotated form of the program, mutants
//! are alternatives in a third. The engine runs the tests there and asks for inputs that meet what
//! no test meets; these are judged like all others. Which conditions the tests meet in the end is
//! what native runs of these forms show.

mod form;
mod labels;
mod mutants;

use crate::failure::{Failure, Outcome};
use crate::generate::judge::{Judge, Proposed, judge};
use crate::generate::stability;
use crate::generate::{SearchResults, SearchSession, SearchedEntry, name_pairs};
use crate::native::by_trigger;
use crate::output::augmentation::Augmentation;
use crate::request::{Augment, AugmentRequest};
use labrys_budget::Deadline;
use labrys_engine::{
    AugmentStyle, AugmentedTest, Config, InputValue, Instrumentation, ObjectiveMap, predict,
};
use mutants::{Claimed, Claims};
use std::sync::Arc;
use std::time::Duration;

/// A new test, before anybody has run it natively.
pub struct WantedTest {
    pub inputs: Vec<InputValue>,
    /// What it is for, in words, and of which kind that is.
    pub purpose: String,
    pub kind: Augment,
}

/// Adds tests to what a search has found.
pub fn augment(session: &SearchSession<'_>, found: &mut SearchResults) -> Outcome<()> {
    let AugmentRequest {
        kinds,
        strict,
        per_unrolling,
    } = &session.project.request.search.augment;
    let unsearched = found.searched.iter().all(|s| s.report.is_unsearched());
    if kinds.is_empty() || found.replayer.is_none() || unsearched {
        return Ok(());
    }
    let work = tempfile::tempdir().map_err(Failure::usage)?;
    let how = AugmentStyle {
        strict: *strict,
        per_unrolling: *per_unrolling,
    };
    let forms = form::AugmentedForms::build(session, found, kinds, work.path());
    let mut record = Augmentation::new(kinds, how);
    let before: Vec<usize> = found
        .searched
        .iter()
        .map(|s| s.judged.tests.len())
        .collect();
    let deadline = session.plan.augmentation();
    let entries = found.searched.len();
    let (mut claimed, mut doubtful) = (Vec::new(), Vec::new());
    for place in 0..entries {
        let mut wanted: Vec<WantedTest> = Vec::new();
        let mut parts_left = forms.count() * (entries - place);
        let mut share = || {
            parts_left -= 1;
            let left = deadline.left();
            deadline.within(left.map_or(Duration::MAX, |left| left / (parts_left as u32 + 1)))
        };
        if let Some(form) = &forms.labels {
            let config = config(session, &found.searched[place], share());
            let searched = &found.searched[place];
            let found = labels::ask(form, searched, how, &config, &mut wanted, &mut record)?;
            doubtful.push(found);
        }
        let mut claims = Claims::new();
        if let Some(form) = &forms.mutants {
            let searched = &found.searched[place];
            let config = config(session, searched, share());
            claims = mutants::ask(form, searched, how, &config, &mut wanted, &mut record)?;
        }
        let places = take_in(session, found, place, wanted, &mut record)?;
        claimed.push(Claimed { claims, places });
    }
    found.ledger.cover_pairs();
    name_pairs(&mut found.searched, &found.ledger);
    if let Some(form) = &forms.labels {
        labels::measure(form, session, found, &doubtful, &before, &mut record)?;
    }
    if let Some(form) = &forms.mutants {
        mutants::measure(form, session, found, &claimed, &before, &mut record)?;
    }
    for note in forms.notes() {
        if !found.notes.contains(&note) {
            found.notes.push(note);
        }
    }
    found.augmentation = Some(record);
    Ok(())
}

/// The engine's settings for an entry with this deadline.
fn config(session: &SearchSession<'_>, searched: &SearchedEntry, deadline: Deadline) -> Config {
    let end = session.plan.values();
    let mut config = session.project.request.engine_config(&deadline, &end);
    config.types = Arc::new(searched.entry.inputs.clone());
    // A label is looked at where it stands, whatever the search does with labels.
    config.instrumentation = Instrumentation::TightIdl2;
    config
}

/// The inputs of the tests that an entry has, in a form that the engine can run.
fn tests_of(searched: &SearchedEntry) -> Vec<Vec<InputValue>> {
    let proposed = searched.report.tests.iter().zip(&searched.judged.numbers);
    let kept = proposed.filter(|(_, number)| number.is_some());
    kept.map(|(test, _)| test.inputs.clone()).collect()
}

/// Notes what the engine wants to have.
fn note(
    added: Vec<AugmentedTest>,
    wanted: &mut Vec<WantedTest>,
    purpose: impl Fn(usize) -> (String, Augment),
) {
    for AugmentedTest { inputs, made_for } in added {
        let (purpose, kind) = purpose(made_for);
        wanted.push(WantedTest {
            inputs,
            purpose,
            kind,
        });
    }
}

/// Predicts what the new tests do, runs them natively, and adds them to the entry's. Says where
/// the tests stand among those of the entry: the old ones, then the new.
fn take_in(
    session: &SearchSession<'_>,
    found: &mut SearchResults,
    place: usize,
    wanted: Vec<WantedTest>,
    record: &mut Augmentation,
) -> Outcome<Vec<Option<usize>>> {
    let SearchResults {
        program,
        module,
        ledger,
        searched: all,
        names,
        replayer,
        ..
    } = found;
    let ids = all.iter().flat_map(|s| &s.judged.tests).map(|test| test.id);
    let next_id = 1 + ids.max().unwrap_or(0);
    let searched = &mut all[place];
    let entry = &searched.entry;
    let map = ObjectiveMap::new(&program.objectives, &program.decisions, |_, o| {
        entry.scope.contains(&o.function)
    });
    let end = session.plan.values();
    let deadline = end.within(FOR_PREDICTION);
    let config = session.project.request.engine_config(&deadline, &end);
    let inputs: Vec<_> = wanted.iter().map(|w| w.inputs.clone()).collect();
    let (tests, faults) =
        predict(module, &entry.harness, &map, &inputs, &config).map_err(Failure::usage)?;
    let mut places = Vec::new();
    let mut proposed = Vec::new();
    let mut purposes = Vec::new();
    let mut kinds = Vec::new();
    for (test, wanted) in tests.into_iter().zip(wanted) {
        places.push(test.is_some().then_some(proposed.len()));
        if let Some(test) = test {
            proposed.push(test);
            purposes.push(wanted.purpose);
            kinds.push(wanted.kind);
        }
    }
    let limits = session.replay_limits();
    let native = tempfile::tempdir().map_err(Failure::usage)?;
    let second = || {
        session
            .project
            .build_by_clang(program, &native.path().join("replay"))
    };
    let Some(replayer) = replayer else {
        return Ok(Vec::new());
    };
    let triggers = by_trigger(ledger.objectives());
    let by = Judge {
        replayer,
        second: &second,
        limits: &limits,
        triggers: &triggers,
    };
    // What the search could not tell of a label stays in doubt, unless it has covered it.
    let mut faulted = searched.report.faulted.clone();
    for objective in searched.report.tests.iter().flat_map(|test| &test.covers) {
        faulted.remove(objective);
    }
    faulted.extend(proposed.iter().flat_map(|test| &test.faulted));
    let tests = Proposed {
        tests: &proposed,
        faulted: &faulted,
        purposes: &purposes,
    };
    let mut judged = judge(entry, &tests, &by, ledger, names, next_id)?;
    stability::note_unstable_outputs(&mut judged.tests, replayer, &limits)?;
    for (kind, number) in kinds.iter().zip(&judged.numbers) {
        record.kind(*kind).tests += usize::from(number.is_some());
    }
    let first = searched.report.tests.len();
    for mut fault in faults {
        let known = searched.report.faults.iter();
        let is_known = known
            .into_iter()
            .any(|f| f.kind == fault.kind && f.loc == fault.loc);
        if let (Some(place), false) = (places[fault.test], is_known) {
            fault.test = first + place;
            searched.report.faults.push(fault);
        }
    }
    searched.report.tests.extend(proposed);
    let old = searched.judged.tests.len();
    let mut next = old..;
    let kept: Vec<Option<usize>> = judged
        .numbers
        .iter()
        .map(|n| n.and_then(|_| next.next()))
        .collect();
    searched.judged.add(judged);
    let new = places
        .iter()
        .map(|place| place.and_then(|place| kept[place]));
    Ok((0..old).map(Some).chain(new).collect())
}

/// Running a few inputs again takes no time; a program that does not end has to be stopped.
const FOR_PREDICTION: Duration = Duration::from_secs(60);
