//! Runs commands with mutants, several side by side, each in a copy of the project of its own. A
//! mutant meets the commands that come to it, those first that have killed most, until one fails.

use super::command_report::CommandReport;
use super::command_run::{CommandEnd, baseline, run_with, tail};
use super::project_copy::{ProjectCopy, ReplacedSources};
use crate::failure::{Failure, Outcome};
use labrys_budget::Deadline;
use labrys_front::MutatedProgram;
use labrys_ledger::Mutant;
use labrys_mutate::{AliveReason, MutantVerdict, ScoringProgress};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Mutex, mpsc};
use std::time::Duration;

/// The points that each command comes to without any mutant.
#[derive(Default)]
pub(super) struct ReachedPoints {
    by_command: BTreeMap<usize, Vec<bool>>,
}

impl ReachedPoints {
    /// Another run may come to more.
    pub(super) fn add(&mut self, command: usize, reached: Vec<bool>) {
        let known = self.by_command.entry(command).or_default();
        known.resize(known.len().max(reached.len()), false);
        for (known, new) in known.iter_mut().zip(reached) {
            *known |= new;
        }
    }

    pub(super) fn any(&self, mutant: &Mutant) -> bool {
        !self.commands(mutant).is_empty()
    }

    /// The commands that come to a change of a mutant.
    fn commands(&self, mutant: &Mutant) -> Vec<usize> {
        let comes = |reached: &Vec<bool>| {
            let mut parts = mutant.parts();
            parts.any(|part| reached.get(part.point as usize) == Some(&true))
        };
        let commands = self.by_command.iter();
        let commands = commands.filter(|(_, reached)| comes(reached));
        commands.map(|(number, _)| *number).collect()
    }

    /// What is probably wrong if no command comes to anything.
    pub(super) fn note(&self, program: &MutatedProgram) -> Option<String> {
        let nowhere = !program.mutants.iter().any(|mutant| self.any(mutant));
        (nowhere && !program.mutants.is_empty()).then(|| {
            "no test command comes to a mutant: does it build the sources that were named, in the directory where it is run?"
                .to_owned()
        })
    }
}

/// What is to be run.
pub(super) struct CommandWork<'a> {
    pub(super) commands: &'a [String],
    pub(super) dir: &'a Path,
    pub(super) replaced: &'a ReplacedSources,
    pub(super) mutants: &'a [Mutant],
    /// The places of the mutants that are run.
    pub(super) open: Vec<usize>,
    pub(super) reached: &'a ReachedPoints,
    /// Of one run.
    pub(super) limit: Duration,
    pub(super) threads: usize,
    pub(super) deadline: &'a Deadline,
}

/// How often each command has killed, at each point and in all.
type KillCounters = Mutex<BTreeMap<(Option<u32>, usize), usize>>;

/// What a worker tells.
enum WorkerNews {
    Done(usize, MutantVerdict),
    Failed(Failure),
}

/// What a wait for news ends with.
enum NextNews {
    Told(WorkerNews),
    Waited,
    Ended,
}

/// Waits for news, at most for a time if there is one.
fn next_news(heard: &mpsc::Receiver<WorkerNews>, most: Option<Duration>) -> NextNews {
    let told = match most {
        Some(most) => heard.recv_timeout(most),
        None => heard.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    match told {
        Ok(told) => NextNews::Told(told),
        Err(RecvTimeoutError::Timeout) => NextNews::Waited,
        Err(RecvTimeoutError::Disconnected) => NextNews::Ended,
    }
}

impl CommandWork<'_> {
    /// Runs all as far as there is time.
    pub(super) fn run(
        &self,
        first: ProjectCopy,
        verdicts: &mut [MutantVerdict],
        report: &mut CommandReport<'_>,
        progress: &mut dyn FnMut(ScoringProgress),
    ) -> Outcome<()> {
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let kills = KillCounters::default();
        let (news, heard) = mpsc::channel();
        let all = self.open.len();
        let workers = self.threads.clamp(1, all.max(1));
        let (mut done, mut killed) = (0, 0);
        progress(ScoringProgress::Mutants { done, killed, all });
        let mut first = Some(first);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let (news, copy) = (news.clone(), first.take());
                let (next, failed, kills) = (&next, &failed, &kills);
                scope.spawn(move || {
                    if let Err(failure) = self.work(copy, next, failed, kills, &news) {
                        failed.store(true, Ordering::Relaxed);
                        let _ = news.send(WorkerNews::Failed(failure));
                    }
                });
            }
            drop(news);
            let mut failure = None;
            loop {
                match next_news(&heard, report.wait()) {
                    NextNews::Told(WorkerNews::Done(place, verdict)) => {
                        done += 1;
                        killed += usize::from(verdict.fate.is_kill());
                        report.runs += verdict.runs as usize;
                        verdicts[place] = verdict;
                        report.note_news();
                        progress(ScoringProgress::Mutants { done, killed, all });
                    }
                    NextNews::Told(WorkerNews::Failed(what)) => failure = failure.or(Some(what)),
                    NextNews::Waited => {}
                    NextNews::Ended => break,
                }
                report.write_if_due(verdicts);
            }
            match failure {
                // What was there no time for says so itself.
                Some(failure) if !self.deadline.is_over() => Err(failure),
                _ => Ok(()),
            }
        })
    }

    fn work(
        &self,
        copy: Option<ProjectCopy>,
        next: &AtomicUsize,
        failed: &AtomicBool,
        kills: &KillCounters,
        news: &mpsc::Sender<WorkerNews>,
    ) -> Outcome<()> {
        let copy = match copy {
            Some(copy) => copy,
            None => self.built_copy()?,
        };
        while let Some(place) = self.open.get(next.fetch_add(1, Ordering::Relaxed)) {
            if failed.load(Ordering::Relaxed) {
                break;
            }
            let Some(verdict) = self.verdict(&copy, &self.mutants[*place], kills)? else {
                break;
            };
            let _ = news.send(WorkerNews::Done(*place, verdict));
        }
        Ok(())
    }

    /// Another copy, built by running all commands once.
    fn built_copy(&self) -> Outcome<ProjectCopy> {
        let copy = ProjectCopy::new(self.dir, self.replaced, self.deadline)?;
        for command in self.commands {
            if baseline(&copy, command, 1, self.deadline)?.end != CommandEnd::Passed {
                return Err(Failure::baseline(format_args!(
                    "the test command '{command}' fails without any mutant where several run side by side; try -j 1; its output ends with:\n{}",
                    tail(&copy)
                )));
            }
        }
        Ok(copy)
    }

    /// Runs the commands with a mutant until one fails; `None` if there was no time for all of them.
    fn verdict(
        &self,
        copy: &ProjectCopy,
        mutant: &Mutant,
        kills: &KillCounters,
    ) -> Outcome<Option<MutantVerdict>> {
        let mut verdict = MutantVerdict::open(true);
        let mut commands = self.reached.commands(mutant);
        if let Ok(kills) = kills.lock() {
            let count = |key| kills.get(&key).copied().unwrap_or(0);
            commands.sort_by_key(|c| Reverse((count((Some(mutant.point), *c)), count((None, *c)))));
        }
        for number in commands {
            let command = &self.commands[number];
            let end = run_with(copy, command, mutant, self.limit, self.deadline)?;
            let Some(end) = end else {
                return Ok(None);
            };
            verdict.runs += 1;
            if let Some((fate, how)) = end.kill() {
                verdict.kill(fate, number, how);
                if let Ok(mut kills) = kills.lock() {
                    *kills.entry((Some(mutant.point), number)).or_default() += 1;
                    *kills.entry((None, number)).or_default() += 1;
                }
                return Ok(Some(verdict));
            }
        }
        verdict.because(AliveReason::SameOutputs);
        Ok(Some(verdict))
    }
}
