//! `bench augmentation`: suites by plain and by augmented search, as in tables 1 and 2 of the paper on
//! augmented dynamic symbolic execution, scored by mutants that are compiled and run.
//!
//! The paper scores mutants of path conditions, the very ones that its augmentation uses. Here they
//! are mutants of the source, and every suite is run natively.

mod pool;
mod report;
pub(super) mod subjects;
mod trial;

use super::kills::{self, KillCount, Kills};
use super::lab::Lab;
use super::{Findings, announce};
use crate::arguments::BenchArgs;
use labrys_driver::request::Request;
use labrys_driver::{Failure, Outcome};
use labrys_suite::import::{ImportFormat, ImportedContent, ImportedTest};
use std::path::PathBuf;
use std::time::Duration;
use subjects::SmallFunction;
use trial::{Configuration, SuiteTrial};

/// The columns of the tables. The first three are the paper's.
const CONFIGURATIONS: [Configuration; 4] = [
    Configuration {
        name: "plain",
        flags: &[],
    },
    Configuration {
        name: "boundary",
        flags: &["--augment", "boundary"],
    },
    Configuration {
        name: "mutation",
        flags: &["--augment", "mutation"],
    },
    Configuration {
        name: "weak mutation",
        flags: &["--criterion", "branch,weak-mutation"],
    },
];

/// The time of a search if nothing else is asked for.
const TIME: Duration = Duration::from_secs(10);

/// Inputs of the pool for each function, and their seed.
const POOL: usize = 2500;
const SEED: u64 = 3;

/// One function with all its suites.
struct SubjectFigures {
    subject: SmallFunction,
    trials: Vec<SuiteTrial>,
    kills: Kills,
}

pub fn run(lab: &Lab, args: &BenchArgs) -> Outcome<Findings> {
    let limit = args.time.map_or(TIME, |time| time.0);
    let is_wanted = |s: &SmallFunction| args.wants(s.name, &["sign"]);
    let subjects: Vec<SmallFunction> = subjects::all().into_iter().filter(is_wanted).collect();
    if subjects.is_empty() {
        return Err(Failure::usage(format_args!(
            "augmentation has no function {}",
            args.program.join(", ")
        )));
    }
    let mut figures = Vec::new();
    for subject in subjects {
        announce("augmentation", subject.name);
        figures.push(measure(lab, subject, limit, args.jobs)?);
    }
    Ok(report::findings(&figures, limit))
}

fn measure(
    lab: &Lab,
    subject: SmallFunction,
    limit: Duration,
    jobs: Option<usize>,
) -> Outcome<SubjectFigures> {
    let source = lab.write(&format!("{}.c", subject.name), subject.text)?;
    let mut trials = Vec::new();
    for configuration in &CONFIGURATIONS {
        let out = format!("{}-{}", subject.name, configuration.name.replace(' ', "-"));
        let out = lab.path().join(out);
        trials.push(trial::run(&source, configuration, &out, limit)?);
    }
    let suites: Vec<PathBuf> = trials.iter().map(|trial| trial.suite.clone()).collect();
    let program = Request::new(vec![source]);
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let request = KillCount {
        program: &program,
        suites: &suites,
        jobs: jobs.unwrap_or_else(processors),
        only: None,
    };
    let kills = kills::count(&request, |tests| reference(tests, subject))?;
    Ok(SubjectFigures {
        subject,
        trials,
        kills,
    })
}

/// Inputs that no search has made, in the shape of its tests.
fn reference(tests: &[ImportedTest], subject: SmallFunction) -> Vec<ImportedTest> {
    let mut by_sizes: Vec<(
        Option<labrys_suite::HarnessSizes>,
        Vec<labrys_suite::SuiteTest>,
    )> = Vec::new();
    for imported in tests {
        if let ImportedContent::Labrys { test, sizes } = &imported.content {
            match by_sizes.iter_mut().find(|(known, _)| known == sizes) {
                Some((_, all)) => all.push((**test).clone()),
                None => by_sizes.push((*sizes, vec![(**test).clone()])),
            }
        }
    }
    // One size of the harness is enough: the first, which the plain search has used.
    let Some((sizes, templates)) = by_sizes.into_iter().next() else {
        return Vec::new();
    };
    let made = pool::inputs(&templates, subject.text, POOL, SEED);
    let imported = |(number, test): (usize, labrys_suite::SuiteTest)| ImportedTest {
        name: format!("input {number}"),
        file: PathBuf::from(format!("{}.c", subject.name)),
        format: ImportFormat::Labrys,
        content: ImportedContent::Labrys {
            test: Box::new(test),
            sizes,
        },
    };
    made.into_iter().enumerate().map(imported).collect()
}
