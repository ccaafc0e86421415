//! `bench stubborn`: the experiment of the paper on stubborn mutants (SEMu, sections 5 and 6).
//!
//! Every subject has an initial suite: a branch suite with boundary and mutation augmentation. The
//! mutants that survive it are what the strategies of `kill` are asked for, each with the same time and
//! seed on one thread. All new tests then meet all of these mutants natively, and the strategies are
//! compared by the reference mutants that they kill.

mod matrix;
mod methods;
mod report;
pub mod statistics;
mod subjects;
mod trial;

use super::lab::Lab;
use super::{Findings, announce, results_file};
use crate::arguments::BenchArgs;
use labrys_driver::{Failure, Outcome};
use methods::{CONFIGURATIONS, KillMethod, STRATEGIES};
use std::time::Duration;
use subjects::StubbornSubject;
use trial::{SubjectResult, TrialTimes};

/// The time of a strategy on a whole program; a function has a quarter of it.
const TIME: Duration = Duration::from_secs(120);
const PART_OF_FUNCTION: u32 = 4;
/// The same in the short form: enough for a function of a few lines.
const SHORT_TIME: Duration = Duration::from_secs(24);

/// The initial suite has this part of a strategy's time.
const PART_OF_INITIAL: u32 = 2;

pub fn run(lab: &Lab, args: &BenchArgs) -> Outcome<Findings> {
    let time = match args.short {
        true => SHORT_TIME,
        false => args.time.map_or(TIME, |time| time.0),
    };
    let known = match &args.results {
        Some(file) => results_file::read(file)?,
        None => Vec::new(),
    };
    let methods: &[KillMethod] = match args.semu {
        true => &CONFIGURATIONS,
        false => &STRATEGIES,
    };
    let mut results = Vec::new();
    for subject in subjects::chosen(lab, args)? {
        let times = times(&subject, time);
        let is_known = |r: &&SubjectResult| {
            r.name == subject.name && r.budget_s == times.strategy.as_secs_f64()
        };
        if let Some(known) = known.iter().rfind(is_known) {
            results.push(known.clone());
            continue;
        }
        announce("stubborn", &subject.name);
        let dir = tempfile::tempdir_in(lab.path()).map_err(Failure::usage)?;
        let result = trial::run(&subject, dir.path(), times, methods);
        if let Some(file) = &args.results {
            results_file::append(file, &result)?;
        }
        results.push(result);
    }
    Ok(report::findings(&results, methods, !args.semu))
}

fn times(subject: &StubbornSubject, time: Duration) -> TrialTimes {
    let strategy = match subject.is_program() {
        true => time,
        false => time / PART_OF_FUNCTION,
    };
    TrialTimes {
        initial: strategy / PART_OF_INITIAL,
        strategy,
    }
}
