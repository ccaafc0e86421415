//! What became of the objectives of a search, as its `objectives.json` says. The file may be that of
//! an older Labrys, so only what both have in common is read.

use labrys_driver::{Failure, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// What became of an objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    Covered,
    Infeasible,
    /// Unknown, since there was not enough time or memory.
    CutByTime,
    /// Unknown, since a size of the harness was too small.
    Bounds,
    /// Unknown, since the proof rests on a guess that is not trusted, or since the surroundings of the
    /// native run are not those that a test takes for granted.
    Guess,
    Other,
}

impl Fate {
    fn of(status: &str, reason: &str) -> Fate {
        match status {
            "covered" => Fate::Covered,
            "infeasible" => Fate::Infeasible,
            "open" => Fate::CutByTime,
            _ => Fate::of_reason(reason),
        }
    }

    fn of_reason(reason: &str) -> Fate {
        match reason.split(':').next().unwrap_or_default() {
            "time" | "memory" | "paths" => Fate::CutByTime,
            "bounds" => Fate::Bounds,
            "infeasible only if" | "covered only if" | "addresses as numbers" => Fate::Guess,
            _ => Fate::Other,
        }
    }
}

/// An objective with the reason if it is unknown. Its name is what it has in every version of the
/// harness: function, file, line, column, text, and a number where these are the same.
pub type Fates = BTreeMap<String, (Fate, String)>;

/// The part of the file that is read.
#[derive(Deserialize)]
struct Objectives {
    objectives: Vec<ReadObjective>,
}

#[derive(Deserialize)]
struct ReadObjective {
    function: String,
    file: String,
    line: u32,
    column: u32,
    text: String,
    status: String,
    #[serde(default)]
    reason: String,
}

/// The fates of the search that has written this directory.
pub fn of_output(out: &Path) -> Outcome<Fates> {
    let text = std::fs::read_to_string(out.join("objectives.json")).map_err(Failure::usage)?;
    parse(&text)
}

fn parse(text: &str) -> Outcome<Fates> {
    let file: Objectives = serde_json::from_str(text).map_err(Failure::usage)?;
    let mut fates = Fates::new();
    for objective in file.objectives {
        let ReadObjective {
            function,
            file,
            line,
            column,
            text,
            status,
            reason,
        } = objective;
        let name = format!("{file}:{line}:{column}: {function}: {text}");
        let fate = (Fate::of(&status, &reason), reason);
        let numbered = (2..).map(|n| format!("{name} ({n})"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        if let Some(free) = names.find(|name| !fates.contains_key(name)) {
            fates.insert(free, fate);
        }
    }
    Ok(fates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_told_apart() {
        let fate = Fate::of_reason;
        assert_eq!(fate("time: the search was not finished"), Fate::CutByTime);
        assert_eq!(fate("memory: the search was not finished"), Fate::CutByTime);
        assert_eq!(fate("bounds: raise --array-len"), Fate::Bounds);
        let guess = "infeasible only if: aliasing; --trust all";
        assert_eq!(fate(guess), Fate::Guess);
        let elsewhere = "covered only if: environment: file status";
        assert_eq!(fate(elsewhere), Fate::Guess);
        assert_eq!(fate("unsupported: fork"), Fate::Other);
    }

    #[test]
    fn objectives_are_named_by_their_places_and_not_by_their_numbers() {
        let objective = |id: u32, rest: &str| {
            format!(
                r#"{{"id": "branch:{id}", "function": "f", "file": "a.c", "line": 3, "column": 5,
                "text": "x is true", {rest}}}"#
            )
        };
        let file = |first: u32| {
            let covered = objective(first, r#""status": "covered", "tests": [1]"#);
            let unknown = objective(first + 1, r#""status": "unknown", "reason": "time: over""#);
            let text = format!(r#"{{"schema": "any", "objectives": [{covered}, {unknown}]}}"#);
            parse(&text).map_err(|e| e.message)
        };
        let fates = file(1).unwrap_or_default();
        assert_eq!(Ok(&fates), file(7).as_ref());
        let of = |name: &str| fates.get(name).map(|(fate, _)| *fate);
        assert_eq!(of("a.c:3:5: f: x is true"), Some(Fate::Covered));
        assert_eq!(of("a.c:3:5: f: x is true (2)"), Some(Fate::CutByTime));
    }
}
