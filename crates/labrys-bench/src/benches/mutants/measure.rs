//! One subject of `bench mutants`: its mutants meet its tests in each way, with the processor time
//! of it, and the verdicts of the ways are compared.

use super::subjects::PreparedSubject;
use crate::benches::clock::{cpu_time, median, run_child};
use labrys_budget::Deadline;
use labrys_driver::imported::{ImportedSuite, NativeBuild, SuiteRequest, cases};
use labrys_driver::program::ProgramForm;
use labrys_driver::{Failure, Outcome};
use labrys_ledger::Mutant;
use labrys_mutate::{ScoredMutants, ScoringOptions, ScoringWay, TestCase, score_with};
use labrys_suite::{ActiveMutant, CC, ReplayLimits, Replayer};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Compilations of a changed file; the median counts.
pub const COMPILATIONS: usize = 5;
/// Starts of the program without a test; the mean counts.
pub const STARTS: usize = 50;
/// Runs in sandboxes of their own; the mean counts.
pub const SANDBOXES: usize = 20;

/// What the ways took for all runs that they need.
#[derive(Debug, Default)]
pub struct Measured {
    pub mutants: usize,
    pub tests: usize,
    pub pairs: usize,
    pub compiled: Duration,
    pub started: Duration,
    pub sandboxed: Duration,
    pub ours: Duration,
    /// The compilation of the program with all mutants.
    pub meta: Duration,
    /// Every mutant with every test.
    pub ours_all: Duration,
    pub single_all: Duration,
    pub unsplit: usize,
    pub contradictions: Vec<String>,
}

fn over(other: Duration, ours: Duration) -> f64 {
    other.as_secs_f64() / ours.as_secs_f64().max(1e-9)
}

impl Measured {
    pub fn over_compiling(&self) -> f64 {
        over(self.compiled, self.ours + self.meta)
    }

    pub fn over_starting(&self) -> f64 {
        over(self.started, self.ours)
    }

    pub fn over_sandboxes(&self) -> f64 {
        over(self.sandboxed, self.ours)
    }

    pub fn over_one_by_one(&self) -> f64 {
        over(self.single_all, self.ours_all)
    }
}

pub fn measure(subject: &PreparedSubject) -> Outcome<Measured> {
    let request = SuiteRequest {
        request: subject.request.clone(),
        tests: vec![subject.suite.clone()],
        format: None,
    };
    let (mut suite, builds) = request.build(ProgramForm::NativeMutants, &Deadline::never())?;
    let is_wanted = |mutant: &&Mutant| match &subject.file {
        Some(file) => mutant.file.ends_with(file.as_str()),
        None => true,
    };
    let mutants = builds[0].program.mutants.iter().filter(is_wanted);
    let mutants: Vec<Mutant> = mutants.cloned().collect();
    let mut seen = Measured {
        mutants: mutants.len(),
        meta: compilation(subject, &builds[0])?,
        ..Measured::default()
    };
    score_all_ways(&suite, &builds, &mutants, &mut seen)?;
    let plain = suite.build(&ProgramForm::Annotated)?;
    seen.compiled = compilation(subject, &plain[0])? * mutants.len() as u32 + seen.started;
    Ok(seen)
}

fn score_all_ways(
    suite: &ImportedSuite,
    builds: &[NativeBuild],
    mutants: &[Mutant],
    seen: &mut Measured,
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
    (seen.ours, seen.ours_all, seen.single_all) = (ours, ours_all, single_time);
    seen.unsplit = shared.unsplit;
    let runs = single.native_runs as u32;
    seen.started = one_by_one + start_of(replayers[0].binary())? * runs;
    seen.sandboxed = sandboxed(replayers[0], mutants, &tests)? * runs;
    seen.contradictions = contradictions(mutants, &shared, &shared_all, &single_all);
    Ok(())
}

/// Mutants for which the ways have different results.
fn contradictions(
    mutants: &[Mutant],
    first: &ScoredMutants,
    all: &ScoredMutants,
    single: &ScoredMutants,
) -> Vec<String> {
    let mut found = Vec::new();
    for (place, mutant) in mutants.iter().enumerate() {
        let (ours, theirs) = (&all.kills[place], &single.kills[place]);
        if ours != theirs {
            found.push(format!("{}: {ours:?}, one by one {theirs:?}", mutant.text));
        }
        let killer = first.verdicts[place].killed_by.first();
        let is_kill = match killer {
            Some(test) => theirs.get(test) == Some(&first.verdicts[place].fate),
            None => theirs.is_empty(),
        };
        if !is_kill {
            found.push(format!("{}: {killer:?}, all kills {theirs:?}", mutant.text));
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
            let active = ActiveMutant {
                point: mutant.point,
                alternative: mutant.alternative,
                most_steps: 1_000_000,
            };
            let case = tests[number % tests.len()].case;
            replayer.run_mutants(&[(case, active)], &limits)?;
        }
        Ok(())
    })?;
    ended.map_err(|error: labrys_suite::ReplayError| Failure::usage(error))?;
    Ok(time / chosen.len().max(1) as u32)
}

/// What the compilation of the file with the mutants takes, without linking.
fn compilation(subject: &PreparedSubject, build: &NativeBuild) -> Outcome<Duration> {
    let is_its = |source: &Path| match &subject.file {
        Some(file) => source.ends_with(file),
        None => true,
    };
    let unit = build.program.units.iter().find(|unit| is_its(&unit.source));
    let unit = unit.ok_or_else(|| Failure::usage("the program has no file with mutants"))?;
    let mut times = Vec::new();
    for _ in 0..COMPILATIONS {
        let mut command = Command::new(CC);
        command
            .args(["-c", "-w", "-O0", "-fwrapv", "-DLABRYS_NATIVE", "-x", "c"])
            .arg(&unit.annotated_path)
            .args(["-o", "/dev/null"]);
        times.push(run_child(&mut command)?.1);
    }
    Ok(median(&mut times))
}
