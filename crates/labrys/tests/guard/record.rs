//! The recorded counts: `tests/guard/counts.toml`.

use crate::surroundings::Surroundings;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Beyond this share of the recorded count, in percent, a workload fails.
const LIMIT: f64 = 5.0;

/// Counts that differ by less, in percent, are not recorded anew: it is noise.
const NOISE: f64 = 1.0;

const HEAD: &str =
    "# Instructions of the guard's workloads. Written by ./test --bless-guard \"reason\".\n\n";

#[derive(Deserialize, Serialize)]
pub struct Record {
    pub surroundings: Surroundings,
    workload: Vec<Entry>,
}

#[derive(Deserialize, Serialize)]
struct Entry {
    name: String,
    instructions: u64,
    /// Why the count changed when it was recorded.
    reason: String,
}

/// The programs of the workloads and their counts.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/guard")
}

fn file() -> PathBuf {
    folder().join("counts.toml")
}

impl Record {
    pub fn read() -> Result<Record, String> {
        let text = std::fs::read_to_string(file())
            .map_err(|e| format!("cannot read {}: {e}", file().display()))?;
        toml::from_str(&text).map_err(|e| format!("{}: {e}", file().display()))
    }

    /// The record to enter new counts into. Counts of other surroundings are worth nothing here.
    pub fn begin(here: Surroundings) -> Result<Record, String> {
        let same = |record: &Record| record.surroundings.difference(&here).is_none();
        let old = match file().exists() {
            true => Some(Record::read()?),
            false => None,
        };
        Ok(old.filter(same).unwrap_or(Record {
            surroundings: here,
            workload: Vec::new(),
        }))
    }

    pub fn instructions(&self, name: &str) -> Result<u64, String> {
        let entry = self.workload.iter().find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| {
            format!("{name} has no count; record it with ./test --bless-guard \"reason\"")
        })?;
        match entry.reason.trim().is_empty() {
            true => Err(format!("the count of {name} has no reason")),
            false => Ok(entry.instructions),
        }
    }

    /// Enters a count and says what changed.
    pub fn enter(&mut self, name: &str, now: u64, reason: &str) -> String {
        let Some(entry) = self.workload.iter_mut().find(|entry| entry.name == name) else {
            self.workload.push(Entry {
                name: name.to_owned(),
                instructions: now,
                reason: reason.to_owned(),
            });
            return format!("{name}: {now} instructions, new");
        };
        let before = entry.instructions;
        let percent = percent(before, now);
        if percent.abs() <= NOISE {
            return format!("{name}: {before} instructions, as before ({percent:+.1} %)");
        }
        entry.instructions = now;
        entry.reason = reason.to_owned();
        format!("{name}: {now} instructions instead of {before} ({percent:+.1} %)")
    }

    pub fn write(&self) -> Result<(), String> {
        let text = toml::to_string(self).map_err(|e| e.to_string())?;
        std::fs::write(file(), format!("{HEAD}{text}"))
            .map_err(|e| format!("cannot write {}: {e}", file().display()))
    }
}

fn percent(before: u64, now: u64) -> f64 {
    (now as f64 / before.max(1) as f64 - 1.0) * 100.0
}

/// What a count says, with the change in percent.
pub enum Verdict {
    Slower(f64),
    Same(f64),
    Faster(f64),
}

impl Verdict {
    pub fn of(before: u64, now: u64) -> Verdict {
        match percent(before, now) {
            p if p > LIMIT => Verdict::Slower(p),
            p if p < -LIMIT => Verdict::Faster(p),
            p => Verdict::Same(p),
        }
    }
}
