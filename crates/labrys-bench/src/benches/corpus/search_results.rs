//! What the searches of `corpus --proofs` have found, a line for each in a file: a run that was stopped
//! goes on where it was, and a newer Labrys is compared without searching by the older one again.

use super::fates::Fates;
use labrys_driver::{Failure, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

/// Which search it was. One with the same name finds the same, but for what the clock decides.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SearchName {
    pub function: String,
    /// The time of the search.
    pub milliseconds: u64,
    pub flags: String,
    /// A hash of the program's bytes.
    pub program: String,
}

/// What it found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchResult {
    /// Or why there is nothing.
    pub fates: Result<Fates, String>,
    /// The time of the whole process.
    pub seconds: f64,
    /// How many tasks wanted a processor when it ended, over the last minute.
    pub load: f64,
}

#[derive(Serialize, Deserialize)]
struct ResultLine {
    #[serde(flatten)]
    name: SearchName,
    #[serde(flatten)]
    result: SearchResult,
}

/// The file, if one is wanted, and what it had at the start.
#[derive(Default)]
pub struct SearchResultsFile {
    file: Option<Mutex<File>>,
    done: BTreeMap<SearchName, SearchResult>,
}

impl SearchResultsFile {
    /// Reads what is there; what cannot be read is searched again.
    pub fn open(path: Option<&Path>) -> Outcome<SearchResultsFile> {
        let Some(path) = path else {
            return Ok(SearchResultsFile::default());
        };
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines();
        let done = lines
            .filter_map(|line| serde_json::from_str::<ResultLine>(line).ok())
            .map(|line| (line.name, line.result));
        let done = done.collect();
        let file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path);
        let file =
            file.map_err(|e| Failure::usage(format_args!("cannot write {}: {e}", path.display())))?;
        Ok(SearchResultsFile {
            file: Some(Mutex::new(file)),
            done,
        })
    }

    /// What an earlier run has found.
    pub fn earlier(&self, name: &SearchName) -> Option<&SearchResult> {
        self.done.get(name)
    }

    pub fn add(&self, name: &SearchName, result: &SearchResult) -> Outcome<()> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let line = ResultLine {
            name: name.clone(),
            result: result.clone(),
        };
        let line = serde_json::to_string(&line).map_err(Failure::internal)? + "\n";
        let mut file = file
            .lock()
            .map_err(|_| Failure::internal("a thread of the benchmark panicked"))?;
        file.write_all(line.as_bytes()).map_err(Failure::usage)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fates::Fate;
    use super::*;

    #[test]
    fn what_was_found_is_read_again_for_the_same_search() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.jsonl");
        let name = |function: &str, milliseconds, program: &str| SearchName {
            function: function.to_owned(),
            milliseconds,
            flags: String::new(),
            program: program.to_owned(),
        };
        let result = |fates| SearchResult {
            fates,
            seconds: 1.5,
            load: 0.25,
        };
        let fates = Fates::from([("a.c:1".to_owned(), (Fate::CutByTime, "why".to_owned()))]);
        let (found, refused) = (result(Ok(fates)), result(Err("refused".to_owned())));
        let results = SearchResultsFile::open(Some(&path)).unwrap();
        assert_eq!(results.earlier(&name("f", 100, "old")), None);
        results.add(&name("f", 100, "old"), &found).unwrap();
        results.add(&name("g", 100, "old"), &refused).unwrap();
        let again = SearchResultsFile::open(Some(&path)).unwrap();
        assert_eq!(again.earlier(&name("f", 100, "old")), Some(&found));
        assert_eq!(again.earlier(&name("g", 100, "old")), Some(&refused));
        assert_eq!(again.earlier(&name("f", 200, "old")), None);
        assert_eq!(again.earlier(&name("f", 100, "new")), None);
    }
}
