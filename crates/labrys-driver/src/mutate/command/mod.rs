//! Mutants and a project's own tests: `--test-command`. The project is copied, its sources are
//! replaced by those with all mutants, it is built once by its own build, and each command is run
//! with each mutant that it comes to.

mod command_report;
mod command_run;
mod project_copy;
mod workers;

use super::MutantChoice;
use super::result::MutationResults;
use super::trivial::TrivialMutants;
use crate::failure::{Failure, Outcome};
use crate::output::OutDir;
use crate::program::Project;
use crate::request::Request;
use command_report::CommandReport;
use command_run::{CommandEnd, baseline, tail};
use labrys_budget::Deadline;
use labrys_front::MutatedProgram;
use labrys_mutate::{MutantVerdict, ScoringProgress};
use project_copy::{ProjectCopy, ReplacedSources};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use workers::{CommandWork, ReachedPoints};

/// A run with a mutant may take so many times as long as the slowest one without, and a few seconds
/// more: other work on the machine must not kill mutants.
const TIME_FACTOR: u32 = 10;
const MORE_TIME: Duration = Duration::from_secs(5);

/// A project whose tests are scored, and how.
pub struct CommandRequest {
    pub request: Request,
    /// Each is one test.
    pub commands: Vec<String>,
    /// The project, in which the commands are run.
    pub dir: PathBuf,
    /// Limit of one run, if the user names one.
    pub time: Option<Duration>,
    /// Where the results are written.
    pub out: Option<PathBuf>,
    pub choice: MutantChoice,
}

/// Scores a project's own tests, as far as there is time until the deadline.
pub fn mutate_by_commands(
    asked: CommandRequest,
    deadline: &Deadline,
    progress: &mut dyn FnMut(ScoringProgress),
) -> Outcome<MutationResults> {
    let started = Instant::now();
    let out = asked.out.as_deref().map(OutDir::create).transpose()?;
    let project = Project::open_in_time(asked.request.clone(), deadline)?;
    let work_dir = tempfile::tempdir().map_err(Failure::usage)?;
    let mut program = project.mutated(work_dir.path())?;
    let texts = std::mem::take(&mut program.units);
    let known = match asked.choice.compare_code {
        true => compared(&project, &program, &texts, work_dir.path(), deadline)?,
        false => TrivialMutants::default(),
    };
    let replaced = ReplacedSources::new(&project, &asked.dir, texts)?;
    let mut report = CommandReport::new(&asked, &project, &program, started, out);
    let first = ProjectCopy::new(&asked.dir, &replaced, deadline)?;
    let (reached, slowest) = baselines(&asked, &first, program.points, deadline, progress)?;
    let mut verdicts: Vec<MutantVerdict> = program
        .mutants
        .iter()
        .map(|mutant| MutantVerdict::open(reached.any(mutant)))
        .collect();
    for (place, proof) in known.proofs() {
        verdicts[place].prove(proof.clone());
    }
    let is_open = |place: &usize| {
        let chosen = asked.choice.shard.is_none_or(|shard| shard.has(*place));
        chosen && verdicts[*place].fate.is_alive() && verdicts[*place].reached
    };
    let work = CommandWork {
        commands: &asked.commands,
        dir: &asked.dir,
        replaced: &replaced,
        mutants: &program.mutants,
        open: (0..verdicts.len()).filter(is_open).collect(),
        reached: &reached,
        limit: asked.time.unwrap_or(slowest * TIME_FACTOR + MORE_TIME),
        threads: project.request.search.threads,
        deadline,
    };
    report.notes.extend(first.note());
    report.notes.extend(reached.note(&program));
    report.begin(&verdicts)?;
    work.run(first, &mut verdicts, &mut report, progress)?;
    report.finish(&verdicts, deadline)
}

/// Which mutants need no run.
fn compared(
    project: &Project,
    program: &MutatedProgram,
    texts: &[Vec<u8>],
    work_dir: &Path,
    deadline: &Deadline,
) -> Outcome<TrivialMutants> {
    let mut files = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let file = work_dir.join(format!("{number}.mutated.c"));
        std::fs::write(&file, text).map_err(Failure::usage)?;
        files.push(file);
    }
    TrivialMutants::find_in(project, &files, &program.mutants, deadline)
}

/// Runs each command twice without any mutant. The first run builds the project; the slowest of the
/// others says how long a run takes.
fn baselines(
    asked: &CommandRequest,
    copy: &ProjectCopy,
    points: u32,
    deadline: &Deadline,
    progress: &mut dyn FnMut(ScoringProgress),
) -> Outcome<(ReachedPoints, Duration)> {
    let mut reached = ReachedPoints::default();
    let mut slowest = Duration::ZERO;
    let all = 2 * asked.commands.len();
    for turn in 0..2 {
        for (number, command) in asked.commands.iter().enumerate() {
            let done = turn * asked.commands.len() + number;
            progress(ScoringProgress::Baselines { done, all });
            let seen = baseline(copy, command, points, deadline)?;
            if seen.end != CommandEnd::Passed {
                return Err(failing(command, seen.end, turn, copy));
            }
            reached.add(number, seen.reached);
            if turn > 0 {
                slowest = slowest.max(seen.time);
            }
        }
    }
    Ok((reached, slowest))
}

/// Without a mutant the command has to succeed, every time.
fn failing(command: &str, end: CommandEnd, turn: usize, copy: &ProjectCopy) -> Failure {
    let how = end.kill().map_or(String::new(), |(_, how)| how);
    let what = match turn {
        0 => "fails without any mutant",
        _ => "succeeds once and fails the next time, without any mutant",
    };
    Failure::baseline(format_args!(
        "the test command '{command}' {what} ({how}), so it cannot tell mutants apart; its output ends with:\n{}",
        tail(copy)
    ))
}
