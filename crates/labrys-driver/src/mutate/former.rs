//! `--iterate`: what an earlier run has found out is not asked again, as long as the program, what
//! is said about it, and the tests that killed are the same. Only what is alive is run.

use crate::failure::Outcome;
use crate::output::OutDir;
use crate::output::mutants::{MUTANTS, MutantKey, MutantRecord, MutantsFile, TestState};
use labrys_mutate::MutantFate;
use std::collections::{BTreeMap, BTreeSet};

/// What became of the results of an earlier run.
#[derive(Default)]
pub(super) struct FormerResults {
    /// The places of the mutants that are decided.
    pub decided: BTreeSet<usize>,
    /// Those of mutants of which something is known, alive ones included.
    pub known: BTreeSet<usize>,
    pub note: String,
}

/// Enters what is known from the results in a directory.
pub(super) fn enter(out: &OutDir, now: &mut MutantsFile) -> Outcome<FormerResults> {
    if !out.file(MUTANTS).exists() {
        return Ok(nothing("there are no earlier results"));
    }
    let before = MutantsFile::read(out)?;
    Ok(match difference(&before, now) {
        Some(why) => nothing(&why),
        None => entered(&before, now),
    })
}

fn nothing(why: &str) -> FormerResults {
    FormerResults {
        note: format!("--iterate: {why}; all mutants are run"),
        ..FormerResults::default()
    }
}

/// Why earlier results say nothing about the program of today.
fn difference(before: &MutantsFile, now: &MutantsFile) -> Option<String> {
    if before.settings != now.settings {
        return Some("the earlier results are about another program or harness".to_owned());
    }
    let hash = |file: &MutantsFile, name: &str| {
        let mut sources = file.sources.iter();
        sources.find(|s| s.file == name).map(|s| s.hash.clone())
    };
    let names = before.sources.iter().chain(&now.sources);
    let mut changed = names.filter(|s| hash(before, &s.file) != hash(now, &s.file));
    let changed = changed.next()?;
    Some(format!("{} has changed", changed.file))
}

fn entered(before: &MutantsFile, now: &mut MutantsFile) -> FormerResults {
    let old: BTreeMap<MutantKey, &MutantRecord> =
        before.mutants.iter().map(|m| (m.key(), m)).collect();
    let ids: BTreeMap<&str, MutantKey> = (before.mutants.iter())
        .map(|m| (m.id.as_str(), m.key()))
        .collect();
    let tests = renamed_tests(before, now);
    let mut found = FormerResults::default();
    let mut entered: Vec<(usize, MutantRecord)> = Vec::new();
    let today: BTreeMap<MutantKey, &str> = (now.mutants.iter())
        .map(|m| (m.key(), m.id.as_str()))
        .collect();
    for (place, mutant) in now.mutants.iter().enumerate() {
        let Some(record) = old.get(&mutant.key()) else {
            continue;
        };
        let mut record = (*record).clone();
        record.id.clone_from(&mutant.id);
        record.subsumed_by = None;
        let names = record.killed_by.iter().filter_map(|name| tests.get(name));
        record.killed_by = names.cloned().collect();
        let representative = record.proof.as_mut().and_then(|p| p.same_as.as_mut());
        let same_as = match representative {
            None => true,
            Some(id) => match ids.get(id.as_str()).and_then(|key| today.get(key)) {
                Some(today) => {
                    *id = (*today).to_owned();
                    true
                }
                None => false,
            },
        };
        let holds = match record.status {
            MutantFate::Killed | MutantFate::Crashed | MutantFate::Timeout => {
                !record.killed_by.is_empty()
            }
            MutantFate::Equivalent | MutantFate::Duplicate => same_as,
            MutantFate::Survived | MutantFate::NoCoverage => {
                found.known.insert(place);
                false
            }
        };
        if holds {
            found.decided.insert(place);
            found.known.insert(place);
        }
        if found.known.contains(&place) {
            entered.push((place, record));
        }
    }
    for (place, record) in entered {
        now.mutants[place] = record;
    }
    found.note = format!(
        "--iterate: {} of {} mutants were decided before and are not run again",
        found.decided.len(),
        now.mutants.len()
    );
    found
}

/// The tests of then that are still there, by what they are called today.
fn renamed_tests(before: &MutantsFile, now: &MutantsFile) -> BTreeMap<String, String> {
    let today: BTreeMap<&str, &str> = (now.tests.iter())
        .map(|t| (t.hash.as_str(), t.name.as_str()))
        .collect();
    let same = |test: &TestState| {
        let name = today.get(test.hash.as_str())?;
        Some((test.name.clone(), (*name).to_owned()))
    };
    before.tests.iter().filter_map(same).collect()
}
