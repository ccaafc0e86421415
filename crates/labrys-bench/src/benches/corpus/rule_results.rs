//! What `corpus --proofs` has found, a line for each function in a file: a run that was stopped goes on
//! where it was.

use super::proofs::Fates;
use labrys_driver::{Failure, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

/// Both searches of a function, or why they cannot be compared.
pub type BothFates = Result<[Fates; 2], String>;

#[derive(Serialize, Deserialize)]
struct ResultLine {
    function: String,
    /// The time of each search.
    milliseconds: u128,
    outcome: BothFates,
}

/// The file, if one is wanted, and what it had at the start.
pub struct RuleResults {
    file: Option<Mutex<File>>,
    milliseconds: u128,
    done: BTreeMap<String, BothFates>,
}

impl RuleResults {
    /// Reads what searches of this time have found; what cannot be read is searched again.
    pub fn open(path: Option<&Path>, milliseconds: u128) -> Outcome<RuleResults> {
        let Some(path) = path else {
            return Ok(RuleResults {
                file: None,
                milliseconds,
                done: BTreeMap::new(),
            });
        };
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines();
        let done = lines
            .filter_map(|line| serde_json::from_str::<ResultLine>(line).ok())
            .filter(|line| line.milliseconds == milliseconds)
            .map(|line| (line.function, line.outcome));
        let done = done.collect();
        let file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path);
        let file =
            file.map_err(|e| Failure::usage(format_args!("cannot write {}: {e}", path.display())))?;
        Ok(RuleResults {
            file: Some(Mutex::new(file)),
            milliseconds,
            done,
        })
    }

    /// What an earlier run has found for a function.
    pub fn earlier(&self, function: &str) -> Option<&BothFates> {
        self.done.get(function)
    }

    pub fn add(&self, function: &str, outcome: &BothFates) -> Outcome<()> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let line = ResultLine {
            function: function.to_owned(),
            milliseconds: self.milliseconds,
            outcome: outcome.clone(),
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
    use super::super::proofs::Fate;
    use super::*;

    #[test]
    fn what_was_found_is_read_again_for_the_same_time() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.jsonl");
        let fates = |fate| Fates::from([("branch:1".to_owned(), (fate, "why".to_owned()))]);
        let both = Ok([fates(Fate::CutByTime), fates(Fate::Infeasible)]);
        let results = RuleResults::open(Some(&path), 100).unwrap();
        assert_eq!(results.earlier("zlib a.c f"), None);
        results.add("zlib a.c f", &both).unwrap();
        results
            .add("zlib a.c g", &Err("refused".to_owned()))
            .unwrap();
        let again = RuleResults::open(Some(&path), 100).unwrap();
        assert_eq!(again.earlier("zlib a.c f"), Some(&both));
        assert!(again.earlier("zlib a.c g").is_some_and(Result::is_err));
        let other_time = RuleResults::open(Some(&path), 200).unwrap();
        assert_eq!(other_time.earlier("zlib a.c f"), None);
    }
}
