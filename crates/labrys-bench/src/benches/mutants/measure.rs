//! One subject of `bench mutants`: its mutants meet its tests in each way, with the processor time
//! of it, and the verdicts of the ways are compared.

use super::subjects::{Linked, PreparedSubject};
use crate::benches::clock::{cpu_time, median, run_child};
use labrys_budget::Deadline;
use labrys_driver::imported::{ImportedSuite, NativeBuild, SuiteRequest, cases};
use labrys_driver::program::ProgramForm;
use labrys_driver::{Failure, Outcome};
use labrys_ledger::Mutant;
use labrys_mutate::{ScoredMutants, ScoringOptions, ScoringWay, TestCase, score_with, step_limit};
use labrys_suite::{ActiveMutant, CC, ReplayLimits, Replayer};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Mutants of one subject, about.
pub const MOST_MUTANTS: usize = 500;
/// Builds of a changed program; the median counts.
pub const BUILDS: usize = 5;
/// Starts of the program without a test; the mean counts.
pub const STARTS: usize = 50;
/// Runs in sandboxes of their own; the mean counts.
pub const SANDBOXES: usize = 20;

/// What the ways took for all runs that they need.
#[derive(Debug, Default)]
pub struct SpeedComparison {
    pub mutants: usize,
    pub tests: usize,
    pub pairs: usize,
    pub compiled: Duration,
    /// In sandboxes, and without.
    pub started: Duration,
    pub bare: Duration,
    pub ours: Duration,
    /// The build of the program with all mutants.
    pub meta: Duration,
    /// Every mutant with every test.
    pub ours_all: Duration,
    pub forked_all: Duration,
    pub unsplit: usize,
    pub contradictions: Vec<String>,
}

fn over(other: Duration, ours: Duration) -> f64 {
    other.as_secs_f64() / ours.as_secs_f64().max(1e-9)
}

impl SpeedComparison {
    pub fn over_compiled(&self) -> f64 {
        over(self.compiled, self.ours)
    }

    pub fn over_compiled_with_build(&self) -> f64 {
        over(self.compiled, self.ours + self.meta)
    }

    pub fn over_started(&self) -> f64 {
        over(self.started, self.ours)
    }

    pub fn over_bare(&self) -> f64 {
        over(self.bare, self.ours)
    }

    pub fn over_forked(&self) -> f64 {
        over(self.forked_all, self.ours_all)
    }
}

pub fn measure(subject: &PreparedSubject) -> Outcome<SpeedComparison> {
    let request = SuiteRequest {
        request: subject.request.clone(),
        tests: vec![subject.suite.clone()],
        format: None,
    };
    let (mut suite, builds) = request.build(ProgramForm::NativeMutants, &Deadline::never())?;
    let is_wanted = |mutant: &&Mutant| match &subject.linked {
        Some(linked) => mutant.file.ends_with(&linked.file),
        None => true,
    };
    let mutants = builds[0].program.mutants.iter().filter(is_wanted);
    let mutants = some_points(mutants.cloned().collect());
    let mut seen = SpeedComparison {
        mutants: mutants.len(),
        meta: building(subject, &suite, &builds[0])?,
        ..SpeedComparison::default()
    };
    score_all_ways(&suite, &builds, &mutants, &mut seen)?;
    let plain = suite.build(&ProgramForm::Annotated)?;
    seen.compiled = building(subject, &suite, &plain[0])? * mutants.len() as u32 + seen.started;
    Ok(seen)
}

/// All mutants of evenly chosen points, so that there are about as many as are wanted at most.
fn some_points(mutants: Vec<Mutant>) -> Vec<Mutant> {
    let points: BTreeSet<u32> = mutants.iter().map(|mutant| mutant.point).collect();
    let step = mutants.len().div_ceil(MOST_MUTANTS).max(1);
    let chosen: BTreeSet<u32> = points.into_iter().step_by(step).collect();
    let is_chosen = |mutant: &Mutant| chosen.contains(&mutant.point);
    mutants.into_iter().filter(is_chosen).collect()
}

fn score_all_ways(
    suite: &ImportedSuite,
    builds: &[NativeBuild],
    mutants: &[Mutant],
    seen: &mut SpeedComparison,
) -> Outcome<()> {
    let plans = suite.plans(builds)?;
    let (tests, _) = cases(&plans);
    let replayers: Vec<&Replayer> = builds.iter().map(|build| &build.replayer).collect();
    let score = |way: ScoringWay, all_kills: bool| -> Outcome<(ScoredMutants, Duration)> {
        let options = ScoringOptions { way, all_kills };
        let limits = ReplayLimits::default();
        let all = |_: usize, tests: Vec<usize>| tests;
        let none = &mut |_| {};
        let (scored, time) =
            cpu_time(|| score_with(options, mutants, &replayers, &tests, &all, &limits, none))?;
        Ok((scored.map_err(Failure::usage)?, time))
    };
    let (shared, ours) = score(ScoringWay::Splitting, false)?;
    let (single, one_by_one) = score(ScoringWay::OneByOne, false)?;
    let (shared_all, ours_all) = score(ScoringWay::Splitting, true)?;
    let (single_all, single_time) = score(ScoringWay::OneByOne, true)?;
    seen.tests = tests.len();
    seen.pairs = single_all.verdicts.iter().map(|v| v.runs as usize).sum();
    (seen.ours, seen.ours_all, seen.forked_all) = (ours, ours_all, single_time);
    seen.unsplit = shared.unsplit;
    let runs = single.native_runs as u32;
    seen.bare = one_by_one + start_of(replayers[0].binary())? * runs;
    seen.started = sandboxed(replayers[0], mutants, &tests)? * runs;
    seen.contradictions = contradictions(mutants, &shared, &shared_all, &single_all);
    Ok(())
}

/// Pairs of mutants and tests for which the ways have different results.
fn contradictions(
    mutants: &[Mutant],
    first: &ScoredMutants,
    all: &ScoredMutants,
    single: &ScoredMutants,
) -> Vec<String> {
    let mut found = Vec::new();
    for (place, mutant) in mutants.iter().enumerate() {
        let (ours, theirs) = (&all.kills[place], &single.kills[place]);
        let tests: BTreeSet<&usize> = ours.keys().chain(theirs.keys()).collect();
        for test in tests {
            let (one, other) = (ours.get(test), theirs.get(test));
            if one != other {
                found.push(format!("{}, test {test}: {one:?}, {other:?}", mutant.text));
            }
        }
        let killer = first.verdicts[place].killed_by.first();
        let is_kill = match killer {
            Some(test) => ours.get(test) == Some(&first.verdicts[place].fate),
            None => ours.is_empty(),
        };
        if !is_kill {
            found.push(format!("{}: {killer:?}, all kills {ours:?}", mutant.text));
        }
    }
    found
}

/// What it takes to start the program and to end it, without a test.
fn start_of(binary: &Path) -> Outcome<Duration> {
    let mut command = Command::new(binary);
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let (ended, time) = cpu_time(|| (0..STARTS).try_for_each(|_| command.status().map(|_| ())))?;
    ended.map_err(Failure::usage)?;
    Ok(time / STARTS as u32)
}

/// What a run takes in a sandbox of its own.
fn sandboxed(replayer: &Replayer, mutants: &[Mutant], tests: &[TestCase<'_>]) -> Outcome<Duration> {
    let step = mutants.len().div_ceil(SANDBOXES).max(1);
    let limits = ReplayLimits::default();
    let chosen: Vec<&Mutant> = mutants.iter().step_by(step).collect();
    let (ended, time) = cpu_time(|| {
        for (number, mutant) in chosen.iter().enumerate() {
            let changes = mutant.changes();
            let active = ActiveMutant {
                changes: &changes,
                most_steps: step_limit(0),
            };
            let case = tests[number % tests.len()].case;
            replayer.run_mutants(&[(case, active)], &limits)?;
        }
        Ok(())
    })?;
    ended.map_err(|error: labrys_suite::ReplayError| Failure::usage(error))?;
    Ok(time / chosen.len().max(1) as u32)
}

/// What it takes to compile the file with the mutants and to link the program.
fn building(
    subject: &PreparedSubject,
    suite: &ImportedSuite,
    build: &NativeBuild,
) -> Outcome<Duration> {
    let dir = tempfile::tempdir().map_err(Failure::usage)?;
    let out = dir.path().join("program");
    let mut times = Vec::new();
    for _ in 0..BUILDS {
        times.push(match &subject.linked {
            Some(linked) => one_file(linked, build, &out)?,
            None => {
                let (built, time) = cpu_time(|| suite.project.build_native(&build.program, &out))?;
                built?;
                time
            }
        });
    }
    Ok(median(&mut times))
}

/// The same where all other files of the program are compiled already.
fn one_file(linked: &Linked, build: &NativeBuild, out: &Path) -> Outcome<Duration> {
    let units = &build.program.units;
    let unit = units
        .iter()
        .find(|unit| unit.source.ends_with(&linked.file));
    let unit = unit.ok_or_else(|| Failure::usage("the program has no file with mutants"))?;
    let mut compile = Command::new(CC);
    compile
        .args(["-c", "-w", "-O0", "-fwrapv", "-DLABRYS_NATIVE", "-x", "c"])
        .arg(&unit.annotated_path)
        .arg("-o")
        .arg(out);
    let mut link = Command::new(CC);
    link.args(&linked.objects).arg("-o").arg(out);
    Ok(run_child(&mut compile)?.1 + run_child(&mut link)?.1)
}
