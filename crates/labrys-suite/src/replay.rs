//! Runs tests natively: one process for a whole list of tests, which forks a limited child for
//! each (see `runtime/replay.c`).

use crate::ParsedNumber;
use crate::compile::{BuildSpec, ReplayError, build};
use crate::wire::{self, Observation};
use labrys_budget::{ChildError, Deadline, EndCause, wait_for};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A compiled program that can run tests.
#[derive(Clone, Debug)]
pub struct Replayer {
    binary: PathBuf,
    /// Set for the process that runs the tests, not for the tests themselves.
    environment: Vec<(String, PathBuf)>,
    /// What the user should know about the build, such as the use of another compiler.
    pub notes: Vec<String>,
}

/// One test to run: the harness, and the inputs.
#[derive(Clone, Copy, Debug)]
pub struct ReplayCase<'a> {
    /// The C function to call, such as `labrys_harness_f`. For `labrys_harness_main` the
    /// program's own `main` is called where there is no such function.
    pub harness: &'a str,
    pub inputs: ReplayInputs<'a>,
}

/// The inputs of a test, as far as they are known.
#[derive(Clone, Copy, Debug)]
pub enum ReplayInputs<'a> {
    /// Names and bytes, about in the order in which the harness asks for them.
    Named(&'a [(String, Vec<u8>)]),
    /// Numbers in that order; who asks says which type they have.
    Numbers(&'a [ParsedNumber]),
    /// Bytes that are handed out in that order, and zeros behind their end. The function
    /// `LLVMFuzzerTestOneInput` takes them as they are.
    Stream(&'a [u8]),
}

/// Which mutant of a meta-mutant is active in a run; by default none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActiveMutant {
    pub point: u32,
    pub alternative: u32,
    /// A run that comes to mutation points more often has timed out; 0 is no limit.
    pub most_steps: u64,
}

/// What a replayed test may use.
#[derive(Clone, Debug)]
pub struct ReplayLimits {
    /// Wall-clock time of one test; default 2 s.
    pub time: Duration,
    /// Address space of one test; default 1 GiB.
    pub memory_bytes: u64,
    /// Size of each file that the test writes, standard output included; default 1 MiB.
    pub output_bytes: u64,
    /// Open files; default 64.
    pub open_files: u32,
    /// Processes that run tests side by side; default 1.
    pub jobs: usize,
    /// The end of all runs.
    pub deadline: Deadline,
}

impl Default for ReplayLimits {
    fn default() -> Self {
        ReplayLimits {
            time: Duration::from_secs(2),
            memory_bytes: 1 << 30,
            output_bytes: 1 << 20,
            open_files: 64,
            jobs: 1,
            deadline: Deadline::never(),
        }
    }
}

impl Replayer {
    /// Compiles the annotated units with the replay runtime.
    pub fn build(spec: &BuildSpec) -> Result<Replayer, ReplayError> {
        let built = build(spec)?;
        for note in &built.notes {
            tracing::warn!("{note}");
        }
        Ok(Replayer {
            binary: built.binary,
            environment: Vec::new(),
            notes: built.notes,
        })
    }

    /// The same with one more environment variable.
    pub(crate) fn with_environment(mut self, name: &str, value: PathBuf) -> Replayer {
        self.environment.push((name.to_owned(), value));
        self
    }

    /// The compiled program: `replay JOB RESULT`.
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// Runs every test; the observations come in the order of the tests.
    pub fn run(
        &self,
        tests: &[ReplayCase<'_>],
        limits: &ReplayLimits,
    ) -> Result<Vec<Observation>, ReplayError> {
        self.run_mutants(&originals(tests), limits)
    }

    /// Runs the tests one after the other until the deadline; there are observations of as many
    /// as there was time for.
    pub fn run_in_time(
        &self,
        tests: &[ReplayCase<'_>],
        limits: &ReplayLimits,
    ) -> Result<Vec<Observation>, ReplayError> {
        match tests.is_empty() {
            true => Ok(Vec::new()),
            false => Ok(self.run_process(&originals(tests), limits)?.0),
        }
    }

    /// The same with the mutant that is active in each run.
    pub fn run_mutants(
        &self,
        tests: &[(ReplayCase<'_>, ActiveMutant)],
        limits: &ReplayLimits,
    ) -> Result<Vec<Observation>, ReplayError> {
        if tests.is_empty() {
            return Ok(Vec::new());
        }
        let share = tests.len().div_ceil(limits.jobs.clamp(1, tests.len()));
        if share == tests.len() {
            return complete(self.run_process(tests, limits)?);
        }
        let parts: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = tests
                .chunks(share)
                .map(|part| scope.spawn(move || self.run_process(part, limits)))
                .collect();
            workers.into_iter().map(|worker| worker.join()).collect()
        });
        let mut all = Vec::with_capacity(tests.len());
        for part in parts {
            all.extend(complete(part.map_err(|_| ReplayError::WorkerFailed)??)?);
        }
        Ok(all)
    }

    /// Runs the tests in one process. Without any, the process only starts and ends.
    pub(crate) fn run_one_process(
        &self,
        tests: &[ReplayCase<'_>],
        limits: &ReplayLimits,
    ) -> Result<Vec<Observation>, ReplayError> {
        complete(self.run_process(&originals(tests), limits)?)
    }

    /// The observations, and why there are not all of them if the deadline has ended the runs.
    fn run_process(
        &self,
        tests: &[(ReplayCase<'_>, ActiveMutant)],
        limits: &ReplayLimits,
    ) -> Result<(Vec<Observation>, Option<EndCause>), ReplayError> {
        let scratch = tempfile::Builder::new()
            .prefix("labrys-replay-")
            .tempdir()
            .map_err(|error| {
                ReplayError::io("create a directory in", &std::env::temp_dir(), error)
            })?;
        let job = scratch.path().join("job");
        let result = scratch.path().join("result");
        std::fs::write(&job, wire::job(tests, limits, scratch.path()))
            .map_err(|error| ReplayError::io("write", &job, error))?;
        let message = scratch.path().join("message");
        let message_file = std::fs::File::create(&message)
            .map_err(|error| ReplayError::io("write", &message, error))?;
        let mut child = Command::new(&self.binary)
            .arg(&job)
            .arg(&result)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(scratch.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(message_file)
            .spawn()
            .map_err(|error| ReplayError::io("run", &self.binary, error))?;
        // Each test may use its time in full, plus some for the process around it.
        let budget = (limits.time + Duration::from_millis(500)) * tests.len() as u32
            + Duration::from_secs(5);
        let ended = wait_for(&mut child, &limits.deadline.within(budget));
        let bytes = std::fs::read(&result).unwrap_or_default();
        let observations = wire::results(&bytes);
        if observations.len() != tests.len() {
            if let Some(cause) = limits.deadline.cause() {
                return Ok((observations, Some(cause)));
            }
            let message = std::fs::read(&message).unwrap_or_default();
            return Err(ReplayError::Incomplete {
                done: observations.len(),
                total: tests.len(),
                why: match ended {
                    Err(ChildError::Ended(_)) => format!("no end after {} s", budget.as_secs()),
                    Err(ChildError::Io(error)) => error.to_string(),
                    Ok(status) => {
                        format!("{status}: {}", String::from_utf8_lossy(&message).trim())
                    }
                },
            });
        }
        Ok((observations, None))
    }
}

/// All observations, or the reason why some are missing.
fn complete(
    (observations, missing): (Vec<Observation>, Option<EndCause>),
) -> Result<Vec<Observation>, ReplayError> {
    missing.map_or(Ok(observations), |cause| Err(ReplayError::Ended(cause)))
}

fn originals<'a>(tests: &[ReplayCase<'a>]) -> Vec<(ReplayCase<'a>, ActiveMutant)> {
    let active = ActiveMutant::default();
    tests.iter().map(|test| (*test, active)).collect()
}
