//! `--merge DIR…`: the results of several runs as one, those of the shards of one suite or those
//! of several suites over the same files. A mutant is killed if one of them kills it.

use super::result::{MutationResults, MutationTest, SuiteMutation};
use crate::failure::{Failure, Outcome};
use crate::output::OutDir;
use crate::output::mutants::{MutantKey, MutantRecord, MutantsFile};
use crate::request::Shard;
use labrys_mutate::{AliveReason, MutantFate};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Reads the results in these directories and puts them together, also into a directory if one
/// is given.
pub fn merge(dirs: &[PathBuf], out: Option<&Path>) -> Outcome<MutationResults> {
    let mut files: Vec<FileOfDir<'_>> = Vec::new();
    for dir in dirs {
        files.push((dir, MutantsFile::read(&OutDir::open(dir)?)?));
    }
    let results = merged(&files)?;
    if let Some(path) = out {
        let out = OutDir::create(path)?;
        out.clear()?;
        results.write(&out)?;
    }
    Ok(results)
}

/// Results with the directories that they come from.
pub type FileOfDir<'a> = (&'a Path, MutantsFile);

/// The same with results that were read.
pub fn merged(files: &[FileOfDir<'_>]) -> Outcome<MutationResults> {
    let Some((first_dir, first)) = files.first() else {
        return Err(Failure::usage("there are no results to merge"));
    };
    let mut all = MergedMutants {
        file: MutantsFile {
            shard: None,
            mutants: Vec::new(),
            tests: Vec::new(),
            ..first.clone()
        },
        places: BTreeMap::new(),
        ids: BTreeSet::new(),
    };
    all.add(first_dir, first)?;
    for (dir, file) in &files[1..] {
        all.take_program(first_dir, dir, file)?;
        all.add(dir, file)?;
    }
    let mut file = all.file;
    file.mutants.sort_by_key(|mutant| numbers(&mutant.id));
    let mut summary = SuiteMutation::new(file.target.clone(), &file.mutants);
    let kills = |name: &str| {
        let by_it = |m: &&MutantRecord| m.killed_by.first().is_some_and(|first| first == name);
        file.mutants.iter().filter(by_it).count()
    };
    let tests = file.tests.iter().enumerate();
    summary.tests = tests
        .map(|(place, test)| MutationTest::new(place, &test.name, kills(&test.name)))
        .collect();
    summary.notes.extend(missing_shards(files));
    Ok(MutationResults { summary, file })
}

/// `mutation:12` before `mutation:100`, and `mutation:3+8` before `mutation:3+12`.
fn numbers(id: &str) -> (Vec<u64>, String) {
    let numbers = id.rsplit(':').next().unwrap_or_default().split('+');
    let numbers = numbers.map(|number| number.parse().unwrap_or(u64::MAX));
    (numbers.collect(), id.to_owned())
}

/// A division of which not all parts are there.
fn missing_shards(files: &[FileOfDir<'_>]) -> Vec<String> {
    let given: BTreeSet<Shard> = files.iter().filter_map(|(_, file)| file.shard).collect();
    let whole = files.iter().any(|(_, file)| file.shard.is_none());
    let wanted: BTreeSet<Shard> = given.iter().flat_map(|shard| shard.siblings()).collect();
    let missing: Vec<String> = wanted.difference(&given).map(Shard::to_string).collect();
    match missing.is_empty() || whole {
        true => Vec::new(),
        false => vec![format!(
            "the results of the shards {} are missing",
            missing.join(", ")
        )],
    }
}

struct MergedMutants {
    file: MutantsFile,
    /// Where a mutant stands, by what it is.
    places: BTreeMap<MutantKey, usize>,
    ids: BTreeSet<String>,
}

impl MergedMutants {
    /// The files of another result must be the same where both have them.
    fn take_program(&mut self, first: &Path, dir: &Path, file: &MutantsFile) -> Outcome<()> {
        for source in &file.sources {
            let known = self.file.sources.iter().find(|s| s.file == source.file);
            match known {
                Some(known) if known.hash != source.hash => {
                    return Err(Failure::usage(format_args!(
                        "{} is not the same in {} and in {}",
                        source.file,
                        first.display(),
                        dir.display()
                    )));
                }
                Some(_) => {}
                None => self.file.sources.push(source.clone()),
            }
        }
        let target = &mut self.file.target;
        for name in &file.target.files {
            if !target.files.contains(name) {
                target.files.push(name.clone());
            }
        }
        if target.entry != file.target.entry {
            target.entry = None;
        }
        if self.file.settings != file.settings {
            self.file.settings = String::new();
        }
        Ok(())
    }

    fn add(&mut self, dir: &Path, file: &MutantsFile) -> Outcome<()> {
        let names = self.add_tests(file);
        let mut new_ids: BTreeMap<&str, String> = BTreeMap::new();
        let mut added = Vec::new();
        for mutant in &file.mutants {
            let place = self.place_of(mutant);
            new_ids.insert(&mutant.id, self.file.mutants[place].id.clone());
            added.push((place, mutant));
        }
        for (place, mutant) in added {
            let mut mutant = mutant.clone();
            for name in &mut mutant.killed_by {
                if let Some(today) = names.get(name) {
                    name.clone_from(today);
                }
            }
            let same_as = mutant.proof.as_mut().and_then(|p| p.same_as.as_mut());
            if let Some(id) = same_as
                && let Some(today) = new_ids.get(id.as_str())
            {
                id.clone_from(today);
            }
            combine(&mut self.file.mutants[place], mutant, dir)?;
        }
        Ok(())
    }

    /// Where a mutant stands; a new one is entered as one that nothing is known of.
    fn place_of(&mut self, mutant: &MutantRecord) -> usize {
        if let Some(place) = self.places.get(&mutant.key()) {
            return *place;
        }
        let place = self.file.mutants.len();
        self.places.insert(mutant.key(), place);
        let id = self.free_id(&mutant.id);
        self.file.mutants.push(MutantRecord {
            id,
            status: MutantFate::NoCoverage,
            reason: Some(AliveReason::NeverReached),
            killed_by: Vec::new(),
            proof: None,
            how: None,
            // By the tests of one result only.
            subsumed_by: None,
            reached: false,
            runs: 0,
            ..mutant.clone()
        });
        place
    }

    fn free_id(&mut self, wanted: &str) -> String {
        let mut id = wanted.to_owned();
        if self.ids.contains(&id) {
            let last = self.ids.iter().flat_map(|id| numbers(id).0).max();
            id = format!("mutation:{}", last.unwrap_or(0).saturating_add(1));
        }
        self.ids.insert(id.clone());
        id
    }

    /// The tests by the names that they get, which tell apart what has different inputs.
    fn add_tests(&mut self, file: &MutantsFile) -> BTreeMap<String, String> {
        let mut names = BTreeMap::new();
        for test in &file.tests {
            let known = &self.file.tests;
            let mut name = test.name.clone();
            let mut turn = 2;
            while known.iter().any(|t| t.name == name && t.hash != test.hash) {
                name = format!("{}_{turn}", test.name);
                turn += 1;
            }
            if !known.iter().any(|t| t.name == name) {
                let mut test = test.clone();
                test.name.clone_from(&name);
                self.file.tests.push(test);
            }
            names.insert(test.name.clone(), name);
        }
        names
    }
}

/// Adds what another result says about a mutant.
fn combine(known: &mut MutantRecord, other: MutantRecord, dir: &Path) -> Outcome<()> {
    let equivalent = |m: &MutantRecord| m.status == MutantFate::Equivalent;
    let (one, two) = (known.status, other.status);
    if equivalent(known) && two.is_kill() || equivalent(&other) && one.is_kill() {
        return Err(Failure::internal(format_args!(
            "{} in {} is killed by a test although it was proved equivalent",
            other.id,
            dir.display()
        )));
    }
    known.reached |= other.reached;
    known.runs = known.runs.saturating_add(other.runs);
    for name in other.killed_by {
        if !known.killed_by.contains(&name) {
            known.killed_by.push(name);
        }
    }
    let time = |reason: &Option<AliveReason>| *reason == Some(AliveReason::Time);
    if rank(two) > rank(one) || rank(two) == rank(one) && time(&other.reason) {
        known.status = two;
        known.reason = other.reason;
        known.how = other.how;
        known.proof = other.proof;
        known.newly_killed = other.newly_killed;
    } else if one.is_kill() && two.is_kill() {
        known.newly_killed &= other.newly_killed;
    }
    Ok(())
}

/// What says more about a mutant.
fn rank(fate: MutantFate) -> u8 {
    match fate {
        MutantFate::NoCoverage => 0,
        MutantFate::Survived => 1,
        MutantFate::Killed | MutantFate::Crashed | MutantFate::Timeout => 2,
        MutantFate::Equivalent | MutantFate::Duplicate => 3,
    }
}
