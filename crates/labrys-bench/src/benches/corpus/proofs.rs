//! `bench corpus --proofs`: what the rules between "before the search" and "all paths" decide in real
//! functions. Each function is searched twice in the same time, with the rules that were there first
//! and with all of them; the functions are the first few of every package in the order of the
//! sample's hash.

use super::rule_results::{BothFates, RuleResults};
use super::sample::{Chosen, Objects, first_of_each};
use super::trial::{self, Ended, TrialLimits};
use super::{DEFAULT_TIME, MEMORY_KIB};
use crate::arguments::BenchArgs;
use crate::benches::{Findings, announce, parallel};
use labrys_driver::output::objectives::ObjectivesFile;
use labrys_driver::{Failure, Outcome};
use labrys_ledger::Status;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Functions of each package, if --programs does not say otherwise.
const EACH: usize = 6;

/// What is compared: the rules before, and all.
const FLAGS: [&[&str]; 2] = [&["--proof-rules", "constants,intervals,exhausted"], &[]];

/// The share of what time cut that all rules must decide.
const DECIDED: f64 = 1.0 / 3.0;

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
    fn of(status: &Status) -> Fate {
        match status {
            Status::Covered { .. } => Fate::Covered,
            Status::Infeasible { .. } => Fate::Infeasible,
            Status::Open => Fate::CutByTime,
            Status::Unknown { reason } => Fate::of_reason(reason),
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

/// An objective with the reasons if it is unknown, by its id.
pub type Fates = BTreeMap<String, (Fate, String)>;

/// Both searches of a function, or why they cannot be compared.
struct RuleComparison {
    chosen: Chosen,
    outcome: BothFates,
}

pub fn run(sample: Vec<Chosen>, objects: &Objects, args: &BenchArgs) -> Outcome<Findings> {
    let sample = match args.functions {
        Some(_) => sample,
        None => first_of_each(sample, args.programs.unwrap_or(EACH)),
    };
    let limits = TrialLimits {
        time: args.time.map_or(DEFAULT_TIME, |time| time.0),
        memory_kib: MEMORY_KIB,
    };
    let results = RuleResults::open(args.results.as_deref(), limits.time.as_millis())?;
    let compared = parallel::each(sample, parallel::threads(args.jobs), |chosen| {
        let key = chosen.key();
        if let Some(outcome) = results.earlier(&key).cloned() {
            return Ok(RuleComparison { chosen, outcome });
        }
        announce("corpus --proofs", &key);
        let compared = compare(chosen, objects, &limits)?;
        results.add(&key, &compared.outcome)?;
        Ok(compared)
    })?;
    Ok(findings(&compared, &limits))
}

fn compare(chosen: Chosen, objects: &Objects, limits: &TrialLimits) -> Outcome<RuleComparison> {
    let dir = tempfile::tempdir().map_err(Failure::usage)?;
    let mut both = Vec::new();
    for (number, flags) in FLAGS.iter().enumerate() {
        let out = dir.path().join(number.to_string());
        let trial = trial::run_with(&chosen, objects, limits, flags, &out)?;
        if trial.ended != Ended::Done {
            let first = trial.message.lines().next().unwrap_or("").to_owned();
            let outcome = Err(format!("{:?} {}: {first}", trial.ended, flags.join(" ")));
            return Ok(RuleComparison { chosen, outcome });
        }
        both.push(fates(&out)?);
    }
    let outcome = <[Fates; 2]>::try_from(both).map_err(|_| "not both were run".to_owned());
    Ok(RuleComparison { chosen, outcome })
}

fn fates(out: &Path) -> Outcome<Fates> {
    let text = std::fs::read(out.join("objectives.json")).map_err(Failure::usage)?;
    let file: ObjectivesFile = serde_json::from_slice(&text).map_err(Failure::usage)?;
    let fate = |status: &Status| {
        let reason = match status {
            Status::Unknown { reason } => reason.clone(),
            _ => String::new(),
        };
        (Fate::of(status), reason)
    };
    let objectives = file.objectives.iter();
    Ok(objectives
        .map(|o| (o.objective.id.clone(), fate(&o.status)))
        .collect())
}

/// Sums over functions.
#[derive(Default)]
struct FateSums {
    functions: usize,
    objectives: usize,
    /// By search: covered, infeasible, cut by time, bounds, guesses, others.
    fates: [[usize; 6]; 2],
    /// Of what time cut in the first search, what the second covers and proves.
    now_covered: usize,
    now_proved: usize,
    /// And what it leaves open for another reason: a size of the harness or a guess.
    now_limited: usize,
}

impl FateSums {
    fn add(&mut self, [before, after]: &[Fates; 2]) {
        self.functions += 1;
        self.objectives += after.len();
        for (sums, fates) in self.fates.iter_mut().zip([before, after]) {
            fates
                .values()
                .for_each(|(fate, _)| sums[*fate as usize] += 1);
        }
        for (id, (fate, _)) in before {
            if *fate == Fate::CutByTime {
                match after.get(id).map(|(fate, _)| fate) {
                    Some(Fate::Covered) => self.now_covered += 1,
                    Some(Fate::Infeasible) => self.now_proved += 1,
                    Some(Fate::Bounds | Fate::Guess) => self.now_limited += 1,
                    _ => {}
                }
            }
        }
    }

    fn count(&self, search: usize, fate: Fate) -> usize {
        self.fates[search][fate as usize]
    }

    fn row(&self, name: &str) -> Vec<String> {
        let mut row = vec![
            name.to_owned(),
            self.functions.to_string(),
            self.objectives.to_string(),
        ];
        for search in 0..2 {
            row.extend(self.fates[search].map(|n| n.to_string()));
        }
        row.push(self.now_covered.to_string());
        row.push(self.now_proved.to_string());
        row.push(self.now_limited.to_string());
        row
    }
}

fn findings(results: &[RuleComparison], limits: &TrialLimits) -> Findings {
    let mut findings = Findings::new(&[
        "package",
        "functions",
        "branches",
        "before: covered",
        "infeasible",
        "cut by time",
        "bounds",
        "guesses",
        "other",
        "all rules: covered",
        "infeasible",
        "cut by time",
        "bounds",
        "guesses",
        "other",
        "cut by time before: now covered",
        "now proved",
        "now bounds or guesses",
    ]);
    let mut by_package: BTreeMap<&str, FateSums> = BTreeMap::new();
    let mut all = FateSums::default();
    let mut others: BTreeMap<&str, usize> = BTreeMap::new();
    for RuleComparison { chosen, outcome } in results {
        match outcome {
            Ok(both) => {
                by_package.entry(&chosen.package).or_default().add(both);
                all.add(both);
                for (fate, reason) in both[1].values() {
                    if *fate == Fate::Other {
                        *others.entry(reason).or_default() += 1;
                    }
                }
                contradictions(chosen, both, &mut findings);
            }
            Err(why) => {
                let note = format!("not compared: {}: {why}", chosen.key());
                findings.notes.push(note);
            }
        }
    }
    for (package, sums) in &by_package {
        findings.table.row(sums.row(package));
    }
    findings.table.row(all.row("all"));
    findings.notes.push(format!(
        "Searches of {} s. Before: {}. Guesses: unknown, since the proof rests on what --trust does not accept.",
        limits.time.as_secs(),
        FLAGS[0].join(" ")
    ));
    for (reason, count) in &others {
        findings
            .notes
            .push(format!("other, {count} branches: {reason}"));
    }
    let (cut, decided) = (
        all.count(0, Fate::CutByTime),
        all.now_covered + all.now_proved,
    );
    let share = decided as f64 / cut.max(1) as f64;
    findings.demand(cut == 0 || share >= DECIDED, || {
        format!(
            "{decided} of {cut} branches that time cut are decided, {:.1} %; wanted a third",
            share * 100.0
        )
    });
    let other = all.count(1, Fate::Other);
    findings.demand(other == 0, || {
        format!("{other} branches are unknown for another reason than time, bounds and guesses")
    });
    findings
}

/// What one search covers and the other calls infeasible.
fn contradictions(chosen: &Chosen, both: &[Fates; 2], findings: &mut Findings) {
    for (id, (fate, _)) in &both[0] {
        let other = both[1].get(id).map(|(fate, _)| *fate);
        let contradict = matches!(
            (fate, other),
            (Fate::Covered, Some(Fate::Infeasible)) | (Fate::Infeasible, Some(Fate::Covered))
        );
        findings.require(!contradict, || {
            format!("{}: {id} is covered and called infeasible", chosen.key())
        });
    }
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
    fn what_time_cut_is_followed_into_the_second_search() {
        let fates = |list: &[Fate]| -> Fates {
            let numbered = list.iter().enumerate();
            numbered
                .map(|(n, fate)| (format!("branch:{n}"), (*fate, String::new())))
                .collect()
        };
        let before = fates(&[
            Fate::CutByTime,
            Fate::CutByTime,
            Fate::CutByTime,
            Fate::Covered,
        ]);
        let after = fates(&[Fate::Covered, Fate::Infeasible, Fate::Other, Fate::Covered]);
        let mut sums = FateSums::default();
        sums.add(&[before, after]);
        assert_eq!((sums.now_covered, sums.now_proved), (1, 1));
        assert_eq!(sums.count(0, Fate::CutByTime), 3);
        assert_eq!(sums.count(1, Fate::Other), 1);
    }
}
