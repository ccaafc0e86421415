//! Runs tests natively: one sandbox with one process for a whole list of tests, which forks a
//! confined child for each (see `runtime/sandbox/launch.c` and `runtime/replay.c`). Nothing else in
//! Labrys runs code of the program under test.

use crate::ParsedNumber;
use crate::compile::{BuildSpec, ReplayError, build};
use crate::sandbox::{self, MissingProtections};
use crate::wire::{self, Observation};
use labrys_budget::{ChildError, Deadline, EndCause, wait_for};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A compiled program that can run tests.
#[derive(Clone, Debug)]
pub struct Replayer {
    binary: PathBuf,
    /// What starts it in a sandbox.
    launcher: PathBuf,
    /// Where files with coverage counters are put.
    counters: Option<PathBuf>,
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
pub struct ActiveMutant<'a> {
    /// The points at which it differs, each with its alternative; at most two.
    pub changes: &'a [(u32, u32)],
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
    /// Objects on the heap and on the stack begin so many times 16 bytes behind a multiple of 64
    /// KiB; default 0: anywhere.
    pub address_shift: u32,
    /// Addresses are the same in all processes of the program, where the system allows it; default no.
    pub same_addresses: bool,
    /// Standard output is buffered, as it is where it is a file; default no: then nothing is lost
    /// that is printed before a crash.
    pub buffers_output: bool,
    /// Processes that run tests side by side; default 1.
    pub jobs: usize,
    /// Run nothing if the sandbox is not complete; default no.
    pub require_sandbox: bool,
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
            address_shift: 0,
            same_addresses: false,
            buffers_output: false,
            jobs: 1,
            require_sandbox: false,
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
            launcher: built.launcher,
            counters: None,
            notes: built.notes,
        })
    }

    /// The same for a program that counts what is covered, with the directory of the counters.
    pub(crate) fn with_counters(mut self, directory: PathBuf) -> Replayer {
        self.counters = Some(directory);
        self
    }

    /// The compiled program.
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

    /// Runs the tests side by side until the deadline; there is none of those that there was no
    /// time for.
    pub fn run_what_is_in_time(
        &self,
        tests: &[ReplayCase<'_>],
        limits: &ReplayLimits,
    ) -> Result<Vec<Option<Observation>>, ReplayError> {
        let mut all = Vec::with_capacity(tests.len());
        for part in self.run_parts(&originals(tests), limits)? {
            let missing = part.tests - part.seen.len();
            all.extend(part.seen.into_iter().map(Some));
            all.extend(std::iter::repeat_n(None, missing));
        }
        Ok(all)
    }

    /// Runs every test with the mutant that is active in its run.
    pub fn run_mutants(
        &self,
        tests: &[(ReplayCase<'_>, ActiveMutant<'_>)],
        limits: &ReplayLimits,
    ) -> Result<Vec<Observation>, ReplayError> {
        let mut all = Vec::with_capacity(tests.len());
        for part in self.run_parts(tests, limits)? {
            all.extend(complete((part.seen, part.cut_short))?);
        }
        Ok(all)
    }

    /// Runs the tests in as many processes as the limits say.
    fn run_parts(
        &self,
        tests: &[(ReplayCase<'_>, ActiveMutant<'_>)],
        limits: &ReplayLimits,
    ) -> Result<Vec<RunPart>, ReplayError> {
        if tests.is_empty() {
            return Ok(Vec::new());
        }
        let share = tests.len().div_ceil(limits.jobs.clamp(1, tests.len()));
        let run = |part: &[(ReplayCase<'_>, ActiveMutant<'_>)]| {
            let (seen, cut_short) = self.run_process(part, limits)?;
            Ok(RunPart {
                tests: part.len(),
                seen,
                cut_short,
            })
        };
        if share == tests.len() {
            return Ok(vec![run(tests)?]);
        }
        std::thread::scope(|scope| {
            let workers: Vec<_> = tests
                .chunks(share)
                .map(|part| scope.spawn(move || run(part)))
                .collect();
            let join = |worker: std::thread::ScopedJoinHandle<'_, _>| {
                worker.join().map_err(|_| ReplayError::WorkerFailed)?
            };
            workers.into_iter().map(join).collect()
        })
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
        tests: &[(ReplayCase<'_>, ActiveMutant<'_>)],
        limits: &ReplayLimits,
    ) -> Result<(Vec<Observation>, Option<EndCause>), ReplayError> {
        // Each test may use its time in full, plus some for the process around it.
        let budget = (limits.time + Duration::from_millis(500)) * tests.len() as u32;
        let job = |dir: &Path| wire::job(tests, limits, dir);
        let (mut observations, missing, cause) =
            self.run_job(&job, tests.len(), budget, limits, wire::results)?;
        for seen in &mut observations {
            seen.missing = seen.missing.and(missing);
        }
        Ok((observations, cause))
    }

    /// Runs a job of so many tests in one process: what was read of its result, what the sandbox
    /// did not have, and why the result is not complete if the deadline has ended the runs.
    pub(crate) fn run_job<T>(
        &self,
        job: &dyn Fn(&Path) -> Vec<u8>,
        tests: usize,
        budget: Duration,
        limits: &ReplayLimits,
        read: fn(&[u8]) -> Vec<T>,
    ) -> Result<(Vec<T>, MissingProtections, Option<EndCause>), ReplayError> {
        if let Some(cause) = limits.deadline.cause() {
            return Ok((Vec::new(), MissingProtections::default(), Some(cause)));
        }
        let scratch = sandbox::scratch_dir()?;
        let files = SandboxFiles::make(scratch.path())?;
        std::fs::write(&files.job, job(&files.sandbox_dir))
            .map_err(|error| ReplayError::io("write", &files.job, error))?;
        let mut command = self.command(&files, tests, limits)?;
        let mut child = command
            .spawn()
            .map_err(|error| ReplayError::io("run", &self.launcher, error))?;
        let budget = budget.saturating_add(Duration::from_secs(5));
        let ended = wait_for(&mut child, &limits.deadline.within(budget));
        let missing = sandbox::missing_in(&files.report);
        if limits.require_sandbox && ended.is_ok() && !missing.is_empty() {
            return Err(ReplayError::NotConfined(missing));
        }
        let seen = read(&std::fs::read(&files.result).unwrap_or_default());
        if seen.len() == tests {
            return Ok((seen, missing, None));
        }
        if let Some(cause) = limits.deadline.cause() {
            return Ok((seen, missing, Some(cause)));
        }
        let message = std::fs::read(&files.message).unwrap_or_default();
        Err(ReplayError::Incomplete {
            done: seen.len(),
            total: tests,
            why: match ended {
                Err(ChildError::Ended(_)) => format!("no end after {} s", budget.as_secs()),
                Err(ChildError::Io(error)) => error.to_string(),
                Ok(status) => format!("{status}: {}", String::from_utf8_lossy(&message).trim()),
            },
        })
    }

    /// The launcher with all that it needs to know.
    fn command(
        &self,
        files: &SandboxFiles,
        tests: usize,
        limits: &ReplayLimits,
    ) -> Result<Command, ReplayError> {
        let message = std::fs::File::create(&files.message)
            .map_err(|error| ReplayError::io("write", &files.message, error))?;
        let binary = std::path::absolute(&self.binary)
            .map_err(|error| ReplayError::io("find", &self.binary, error))?;
        let none = Path::new("-");
        let mut command = Command::new(&self.launcher);
        command
            .arg(match limits.require_sandbox {
                true => "require",
                false => "run",
            })
            .args([&files.report, &files.sandbox_dir])
            .arg(self.counters.as_deref().unwrap_or(none))
            .arg(match limits.same_addresses {
                true => "same",
                false => "any",
            })
            .args([&files.job, &files.result])
            .arg((RESULT_BYTES * (tests as u64 + 1)).to_string())
            .arg(binary)
            .current_dir(&files.scratch)
            // Tests could find the environment in their memory.
            .env_clear()
            .envs(
                KEPT_VARIABLES
                    .iter()
                    .filter_map(|name| Some((name, std::env::var_os(name)?))),
            )
            .env("ASAN_OPTIONS", address_sanitizer_options())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(message);
        Ok(command)
    }
}

/// No result of a test is larger: it has at most 25 MB of triggers, and 1 MiB each of several other
/// things.
const RESULT_BYTES: u64 = 64 << 20;

/// The variables that the program needs to start as it was linked, or instrumented.
const KEPT_VARIABLES: [&str; 3] = ["LD_LIBRARY_PATH", "MSAN_OPTIONS", "UBSAN_OPTIONS"];

/// What the address sanitizer is told: its search for leaks at the end traces the process, which
/// the sandbox refuses.
fn address_sanitizer_options() -> OsString {
    let mut options = std::env::var_os("ASAN_OPTIONS").unwrap_or_default();
    options.push(":detect_leaks=0");
    options
}

/// The files between this process and the sandbox.
struct SandboxFiles {
    scratch: PathBuf,
    job: PathBuf,
    result: PathBuf,
    report: PathBuf,
    message: PathBuf,
    /// Where tests have their files. In a complete sandbox a file system of its own is mounted here.
    sandbox_dir: PathBuf,
}

impl SandboxFiles {
    fn make(scratch: &Path) -> Result<Self, ReplayError> {
        let sandbox_dir = scratch.join("box");
        std::fs::create_dir(&sandbox_dir)
            .map_err(|error| ReplayError::io("create", &sandbox_dir, error))?;
        Ok(SandboxFiles {
            scratch: scratch.to_owned(),
            job: scratch.join("job"),
            result: scratch.join("result"),
            report: scratch.join("report"),
            message: scratch.join("message"),
            sandbox_dir,
        })
    }
}

/// What one process has run.
struct RunPart {
    /// How many it was given.
    tests: usize,
    /// As many as there was time for.
    seen: Vec<Observation>,
    cut_short: Option<EndCause>,
}

/// All observations, or the reason why some are missing.
fn complete(
    (observations, missing): (Vec<Observation>, Option<EndCause>),
) -> Result<Vec<Observation>, ReplayError> {
    missing.map_or(Ok(observations), |cause| Err(ReplayError::Ended(cause)))
}

fn originals<'a>(tests: &[ReplayCase<'a>]) -> Vec<(ReplayCase<'a>, ActiveMutant<'a>)> {
    let active = ActiveMutant::default();
    tests.iter().map(|test| (*test, active)).collect()
}
