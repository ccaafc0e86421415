//! `bench corpus --proofs`: what is decided in real functions beyond what was decided before. Each
//! function is searched twice, one after the other in the same time: first with the rules that prove
//! before the search or by all paths, or by an older Labrys (`--against`), then by this one with all
//! rules. The functions are the first few of every package in the order of the sample's hash.

use super::fates::{self, Fate, Fates};
use super::sample::{Chosen, Objects, first_of_each, fnv};
use super::search_results::{SearchName, SearchResult, SearchResultsFile};
use super::trial::{self, Ended, TrialLimits};
use super::{DEFAULT_TIME, MEMORY_KIB};
use crate::arguments::BenchArgs;
use crate::benches::{Findings, announce, parallel};
use crate::product::labrys;
use labrys_driver::{Failure, Outcome};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Functions of each package, if --programs does not say otherwise.
const EACH: usize = 6;

/// The rules that were there before those between "before the search" and "by all paths".
const RULES_BEFORE: &[&str] = &["--proof-rules", "constants,intervals,exhausted"];

/// The share of what time cut that all rules must decide.
const DECIDED: f64 = 1.0 / 3.0;

/// One of the two searches that are compared.
struct ComparedSearch {
    program: PathBuf,
    /// A hash of the program's bytes.
    hash: String,
    flags: &'static [&'static str],
}

impl ComparedSearch {
    /// The search that came before, and the one with all that there is now.
    fn both(args: &BenchArgs) -> Outcome<[ComparedSearch; 2]> {
        let this = labrys()?;
        let before = match &args.against {
            Some(older) => ComparedSearch::by(older, &[])?,
            None => ComparedSearch::by(&this, RULES_BEFORE)?,
        };
        Ok([before, ComparedSearch::by(&this, &[])?])
    }

    fn by(program: &Path, flags: &'static [&'static str]) -> Outcome<ComparedSearch> {
        let cannot = |e| Failure::usage(format_args!("cannot read {}: {e}", program.display()));
        let program = program.canonicalize().map_err(cannot)?;
        let bytes = std::fs::read(&program).map_err(cannot)?;
        Ok(ComparedSearch {
            program,
            hash: format!("{:016x}", fnv(bytes)),
            flags,
        })
    }

    /// What it is, for people.
    fn title(&self) -> String {
        match self.flags {
            [] => self.program.display().to_string(),
            flags => flags.join(" "),
        }
    }

    /// Searches one function, or reads what an earlier run has found.
    fn search(
        &self,
        chosen: &Chosen,
        objects: &Objects,
        limits: &TrialLimits,
        results: &SearchResultsFile,
    ) -> Outcome<SearchResult> {
        let name = SearchName {
            function: chosen.key(),
            milliseconds: limits.time.as_millis() as u64,
            flags: self.flags.join(" "),
            program: self.hash.clone(),
        };
        if let Some(earlier) = results.earlier(&name) {
            return Ok(earlier.clone());
        }
        announce(
            "corpus --proofs",
            &format!("{} by {}", name.function, self.title()),
        );
        let dir = tempfile::tempdir().map_err(Failure::usage)?;
        let out = dir.path().join("out");
        let trial = trial::run_with(&self.program, chosen, objects, limits, self.flags, &out)?;
        let fates = match trial.ended {
            Ended::Done => Ok(fates::of_output(&out)?),
            ended => {
                let first = trial.message.lines().next().unwrap_or("");
                Err(format!("{ended:?} by {}: {first}", self.title()))
            }
        };
        let result = SearchResult {
            fates,
            seconds: trial.wall_s,
            load: load(),
        };
        results.add(&name, &result)?;
        Ok(result)
    }
}

/// How many tasks want a processor, over the last minute.
fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let first = text.split_whitespace().next();
    first.and_then(|load| load.parse().ok()).unwrap_or_default()
}

/// Both searches of a function.
struct ComparedFunction {
    chosen: Chosen,
    results: [SearchResult; 2],
}

impl ComparedFunction {
    /// What they found, or why they cannot be compared.
    fn fates(&self) -> Result<[&Fates; 2], &String> {
        let [before, now] = &self.results;
        Ok([before.fates.as_ref()?, now.fates.as_ref()?])
    }
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
    let searches = ComparedSearch::both(args)?;
    let results = SearchResultsFile::open(args.results.as_deref())?;
    let compared = parallel::each(sample, parallel::threads(args.jobs), |chosen| {
        let [before, now] = searches
            .each_ref()
            .map(|search| search.search(&chosen, objects, &limits, &results));
        let results = [before?, now?];
        Ok(ComparedFunction { chosen, results })
    })?;
    Ok(findings(&compared, &limits, &searches[0].title()))
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
    /// And what is no objective of it: the harness does not come there any more.
    now_missing: usize,
}

impl FateSums {
    fn of(both: [&Fates; 2]) -> Self {
        let mut sums = FateSums::default();
        sums.add(both);
        sums
    }

    fn add(&mut self, [before, after]: [&Fates; 2]) {
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
                    Some(Fate::CutByTime | Fate::Other) => {}
                    None => self.now_missing += 1,
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

    /// How many of those that time cut are decided.
    fn decided(&self) -> usize {
        self.now_covered + self.now_proved
    }
}

fn findings(results: &[ComparedFunction], limits: &TrialLimits, before: &str) -> Findings {
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
        "now: covered",
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
    let mut functions = Vec::new();
    for comparison in results {
        let chosen = &comparison.chosen;
        match comparison.fates() {
            Ok(both) => {
                by_package.entry(&chosen.package).or_default().add(both);
                all.add(both);
                functions.push((chosen.key(), FateSums::of(both)));
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
    findings.notes.push(loads(results));
    findings.notes.push(format!(
        "Searches of {} s. Before: {before}. Guesses: unknown, since the proof rests on what --trust does not accept.",
        limits.time.as_secs(),
    ));
    findings.notes.extend(notes_on_functions(functions));
    if all.now_missing > 0 {
        let missing = all.now_missing;
        findings.notes.push(format!(
            "{missing} branches that time cut are no objectives any more; they do not count as decided"
        ));
    }
    for (reason, count) in &others {
        findings
            .notes
            .push(format!("other, {count} branches: {reason}"));
    }
    let (cut, decided) = (all.count(0, Fate::CutByTime), all.decided());
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

/// How busy the machine was in the first and in the second searches.
fn loads(results: &[ComparedFunction]) -> String {
    let shown = |number: usize| {
        let loads = results.iter().map(|r| r.results[number].load);
        let (least, most) = loads.fold((f64::MAX, 0.0_f64), |(least, most), load| {
            (least.min(load), most.max(load))
        });
        format!("{least:.1} to {most:.1}")
    };
    let [before, now] = [0, 1].map(shown);
    format!("Load of the machine: {before} before, {now} now.")
}

/// The functions in which time cut something, those with the most first.
fn notes_on_functions(mut functions: Vec<(String, FateSums)>) -> Vec<String> {
    functions.retain(|(_, sums)| sums.count(0, Fate::CutByTime) > 0);
    functions.sort_by_key(|(_, sums)| Reverse(sums.count(0, Fate::CutByTime)));
    let note = |(key, sums): (String, FateSums)| {
        let FateSums {
            objectives,
            now_covered,
            now_proved,
            ..
        } = sums;
        let cut = sums.count(0, Fate::CutByTime);
        let open = sums.count(1, Fate::CutByTime);
        format!(
            "{key}: of {objectives} branches time cut {cut}; now {now_covered} of them covered and {now_proved} proved, {open} cut"
        )
    };
    functions.into_iter().map(note).collect()
}

/// What one search covers and the other calls infeasible.
fn contradictions(chosen: &Chosen, both: [&Fates; 2], findings: &mut Findings) {
    for (id, (fate, _)) in both[0] {
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
        sums.add([&before, &after]);
        assert_eq!((sums.now_covered, sums.now_proved), (1, 1));
        assert_eq!(sums.count(0, Fate::CutByTime), 3);
        assert_eq!(sums.count(1, Fate::Other), 1);
    }
}
