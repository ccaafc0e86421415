//! Smaller suites: drops the tests of an output directory that nothing needs. Every objective that
//! was covered stays so, every pair of MC/DC stays shown, every augmented condition stays met, and
//! every error that was found keeps its test.

use crate::failure::{Failure, Outcome};
use crate::output::objectives::{DecisionRecord, HalfRecord, ObjectiveRecord};
use crate::output::{ObjectivesFile, OutDir, Summary};
use crate::request::Minimise;
use labrys_ledger::{Criterion, Status, Trigger};
use labrys_solver::smallest_hitting_set;
use labrys_suite::{Suite, ended_normally, keep_first_in_order, minimise};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// What became of a suite.
#[derive(Debug, Serialize)]
pub struct Minimised {
    pub before: usize,
    pub after: usize,
    /// The names of the tests that were dropped.
    pub dropped: Vec<String>,
    /// Whether no smaller suite does the same; known only of `exact`.
    pub smallest: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A suite with all that refers to its tests.
pub struct SuiteFiles {
    pub suite: Suite,
    pub objectives: ObjectivesFile,
    /// `measure` writes none.
    pub summary: Option<Summary>,
}

impl SuiteFiles {
    pub fn read(out: &OutDir) -> Outcome<SuiteFiles> {
        let suite = Suite::read(&out.file("suite.json")).map_err(Failure::usage)?;
        let summary = match out.file("summary.json").exists() {
            true => Some(out.read_json("summary.json")?),
            false => None,
        };
        Ok(SuiteFiles {
            suite,
            objectives: out.read_json("objectives.json")?,
            summary,
        })
    }

    /// Each file is replaced as a whole. The suite comes last: until then it has all tests that
    /// the others speak of.
    pub fn write(&self, out: &OutDir) -> Outcome<()> {
        out.write_json("objectives.json", &self.objectives)?;
        if let Some(summary) = &self.summary {
            out.write_json("summary.json", summary)?;
        }
        let path = out.file("suite.json");
        self.suite.write(&path).map_err(Failure::usage)
    }

    /// Drops what nothing needs.
    pub fn minimise(&mut self, method: Minimise) -> Minimised {
        let needs = self.needs();
        let before = self.suite.tests.len();
        let (kept, smallest, note) = match method {
            Minimise::None => ((0..before).collect(), false, None),
            Minimise::Paper => {
                let (order, note) = self.longest_first();
                (
                    keep_first_in_order(&met(&needs, before), &order),
                    false,
                    note,
                )
            }
            Minimise::Greedy => (greedy(&needs, before), false, None),
            Minimise::Exact => {
                let found = smallest_hitting_set(&needs, &greedy(&needs, before));
                let note = (!found.is_smallest).then(|| {
                    "the suite is too large to prove that there is no smaller one; this is the best that was found"
                        .to_owned()
                });
                (found.chosen, found.is_smallest, note)
            }
        };
        let kept: BTreeSet<usize> = kept.into_iter().collect();
        let tests = std::mem::take(&mut self.suite.tests);
        let (kept, dropped): (Vec<_>, Vec<_>) =
            (tests.into_iter().enumerate()).partition(|(place, _)| kept.contains(place));
        self.suite.tests = kept.into_iter().map(|(_, test)| test).collect();
        self.forget();
        Minimised {
            before,
            after: self.suite.tests.len(),
            dropped: dropped.into_iter().map(|(_, test)| test.name).collect(),
            smallest,
            notes: note.into_iter().collect(),
        }
    }

    /// Everything that must stay, each as the places of the tests of which one is enough.
    fn needs(&self) -> Vec<Vec<usize>> {
        let places: BTreeMap<u32, usize> = (self.suite.tests.iter().enumerate())
            .map(|(place, test)| (test.id, place))
            .collect();
        let of = |tests: &[u32]| -> Vec<usize> {
            tests
                .iter()
                .filter_map(|id| places.get(id).copied())
                .collect()
        };
        let mut needs = Vec::new();
        for record in &self.objectives.objectives {
            match (&record.status, &record.pair) {
                (Status::Covered { .. }, Some(pair)) => {
                    for half in [&pair.yes, &pair.no] {
                        needs.push(of(&self.showing(record, half)));
                    }
                }
                // Both tests of a pair that is not written down.
                (Status::Covered { tests }, None)
                    if matches!(record.objective.trigger, Trigger::Pair { .. }) =>
                {
                    needs.extend(tests.iter().map(|test| of(&[*test])));
                }
                (Status::Covered { tests }, None) => needs.push(of(tests)),
                _ => {}
            }
        }
        let mut augmented: BTreeMap<(&str, &str), Vec<u32>> = BTreeMap::new();
        for test in &self.suite.tests {
            for condition in &test.augments {
                let tests = augmented.entry((&test.entry, condition)).or_default();
                tests.push(test.id);
            }
        }
        needs.extend(augmented.values().map(|tests| of(tests)));
        let every_path = |s: &Summary| s.criteria.contains(&Criterion::Path);
        let all = self.summary.as_ref().is_some_and(every_path);
        let known: Option<BTreeSet<u32>> = (self.summary.as_ref())
            .map(|summary| summary.errors.iter().map(|error| error.test).collect());
        for test in &self.suite.tests {
            let shows_error = match &known {
                Some(errors) => errors.contains(&test.id),
                None => !ended_normally(&test.outcome),
            };
            if all || shows_error {
                needs.push(of(&[test.id]));
            }
        }
        needs
    }

    /// The tests by the lengths of their paths, and of two with the same length the earlier first.
    fn longest_first(&self) -> (Vec<usize>, Option<String>) {
        let tests = &self.suite.tests;
        let is_known = tests.iter().all(|test| test.conditions.is_some());
        let length = |place: &usize| match tests[*place].conditions {
            Some(conditions) if is_known => conditions,
            _ => tests[*place].covers.len(),
        };
        let mut order: Vec<usize> = (0..tests.len()).collect();
        order.sort_by_key(|place| Reverse(length(place)));
        let note = (!is_known).then(|| {
            "the suite does not say how many conditions the paths of its tests have; the tests were ordered by the number of objectives that they cover"
                .to_owned()
        });
        (order, note)
    }

    /// The tests that show the same evaluation as this half of a pair.
    fn showing(&self, record: &ObjectiveRecord, half: &HalfRecord) -> Vec<u32> {
        let Trigger::Pair { decision, .. } = record.objective.trigger else {
            return vec![half.test];
        };
        let decisions = self.objectives.decisions.iter();
        let mut same = decisions.filter(|d| d.decision.number == decision);
        let vectors = same.next().map_or(&[][..], |d| &d.vectors[..]);
        match vectors.iter().find(|v| v.vector == half.vector) {
            Some(shown) => shown.tests.clone(),
            None => vec![half.test],
        }
    }

    /// Takes the dropped tests out of everything that speaks of them.
    fn forget(&mut self) {
        let kept: BTreeSet<u32> = self.suite.tests.iter().map(|test| test.id).collect();
        for DecisionRecord { vectors, .. } in &mut self.objectives.decisions {
            for vector in vectors.iter_mut() {
                vector.tests.retain(|test| kept.contains(test));
            }
            vectors.retain(|vector| !vector.tests.is_empty());
        }
        let mut records = std::mem::take(&mut self.objectives.objectives);
        for record in &mut records {
            if let Some(mut pair) = record.pair.take() {
                for half in [&mut pair.yes, &mut pair.no] {
                    half.test = self
                        .showing(record, half)
                        .first()
                        .copied()
                        .unwrap_or(half.test);
                }
                let tests = BTreeSet::from([pair.yes.test, pair.no.test]);
                record.status = Status::Covered {
                    tests: tests.into_iter().collect(),
                };
                record.pair = Some(pair);
            } else if let Status::Covered { tests } = &mut record.status {
                tests.retain(|test| kept.contains(test));
            }
        }
        self.objectives.objectives = records;
        if let Some(summary) = &mut self.summary {
            summary.tests = kept.len();
            let count = |function: &str| {
                let tests = self.suite.tests.iter();
                tests.filter(|test| test.entry == function).count()
            };
            for function in &mut summary.by_function {
                function.tests = count(&function.function);
            }
        }
    }
}

fn greedy(needs: &[Vec<usize>], tests: usize) -> Vec<usize> {
    minimise(&met(needs, tests))
}

/// For each test the numbers of the needs that it meets.
fn met(needs: &[Vec<usize>], tests: usize) -> Vec<Vec<usize>> {
    let mut covers: Vec<Vec<usize>> = vec![Vec::new(); tests];
    for (number, need) in needs.iter().enumerate() {
        for test in need {
            covers[*test].push(number);
        }
    }
    covers
}
