//! `--iterate`: what an earlier run has found out is not asked again, as long as the program, what
//! is said about it, and the tests that killed are the same. Only what is alive is run.

use crate::failure::Outcome;
use crate::output::OutDir;
use crate::output::mutants::{MUTANTS, MutantKey, MutantRecord, MutantsFile};
use labrys_mutate::MutantVerdict;
use std::collections::BTreeMap;

/// What the results of an earlier run say about the mutants of today.
#[derive(Default)]
pub(super) struct FormerResults {
    /// By the places of the mutants.
    pub known: BTreeMap<usize, MutantVerdict>,
    pub note: String,
}

/// Reads the results in a directory. `names` are those of the tests that can be run.
pub(super) fn read(out: &OutDir, now: &MutantsFile, names: &[String]) -> Outcome<FormerResults> {
    if !out.file(MUTANTS).exists() {
        return Ok(nothing("there are no earlier results"));
    }
    let before = MutantsFile::read(out)?;
    if let Some(why) = difference(&before, now) {
        return Ok(nothing(&why));
    }
    let known = known(&before, now, names);
    let decided = known.values().filter(|verdict| !verdict.fate.is_alive());
    let note = format!(
        "--iterate: {} of {} mutants were decided before and are not run again",
        decided.count(),
        now.mutants.len()
    );
    Ok(FormerResults { known, note })
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

fn known(
    before: &MutantsFile,
    now: &MutantsFile,
    names: &[String],
) -> BTreeMap<usize, MutantVerdict> {
    let old: BTreeMap<MutantKey, &MutantRecord> =
        before.mutants.iter().map(|m| (m.key(), m)).collect();
    let ids = new_ids(before, now);
    let numbers = numbers_of_tests(before, now, names);
    let mut known = BTreeMap::new();
    for (place, mutant) in now.mutants.iter().enumerate() {
        let record = old.get(&mutant.key());
        if let Some(verdict) = record.and_then(|record| verdict(record, &ids, &numbers)) {
            known.insert(place, verdict);
        }
    }
    known
}

/// What a record says today; nothing if the tests or the mutant are gone that it rests on.
fn verdict(
    record: &MutantRecord,
    ids: &BTreeMap<&str, &str>,
    numbers: &BTreeMap<&str, usize>,
) -> Option<MutantVerdict> {
    let names = record.killed_by.iter();
    let killed_by: Vec<usize> = names
        .filter_map(|name| numbers.get(name.as_str()).copied())
        .collect();
    if record.status.is_kill() && killed_by.is_empty() {
        return None;
    }
    let mut proof = record.proof.clone();
    if let Some(id) = proof.as_mut().and_then(|proof| proof.same_as.as_mut()) {
        *id = (*ids.get(id.as_str())?).to_owned();
    }
    if record.status.is_proved() && proof.is_none() {
        return None;
    }
    Some(MutantVerdict {
        fate: record.status,
        reached: record.reached,
        killed_by,
        newly_killed: record.newly_killed,
        how: record.how.clone(),
        reason: record.reason.clone(),
        proof,
        runs: record.runs,
    })
}

/// What the mutants of then are called today.
fn new_ids<'a>(before: &'a MutantsFile, now: &'a MutantsFile) -> BTreeMap<&'a str, &'a str> {
    let today: BTreeMap<MutantKey, &str> = (now.mutants.iter())
        .map(|m| (m.key(), m.id.as_str()))
        .collect();
    let before = before.mutants.iter();
    before
        .filter_map(|m| Some((m.id.as_str(), *today.get(&m.key())?)))
        .collect()
}

/// The numbers of today of the tests of then, as far as they are still there and can be run.
fn numbers_of_tests<'a>(
    before: &'a MutantsFile,
    now: &MutantsFile,
    names: &[String],
) -> BTreeMap<&'a str, usize> {
    let today: BTreeMap<&str, &str> = (now.tests.iter())
        .map(|t| (t.hash.as_str(), t.name.as_str()))
        .collect();
    let number = |hash: &str| {
        let name = today.get(hash)?;
        names.iter().position(|n| n == name)
    };
    let before = before.tests.iter().filter(|test| !test.hash.is_empty());
    before
        .filter_map(|test| Some((test.name.as_str(), number(&test.hash)?)))
        .collect()
}
