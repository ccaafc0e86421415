//! What is said of the mutants: `mutants.json` and `summary.json` at the end and also while commands
//! run, so that a run that is killed leaves what it has found.

use super::super::result::{MutationResults, MutationTest, MutationWork, SuiteMutation};
use super::CommandRequest;
use crate::failure::Outcome;
use crate::output::OutDir;
use crate::output::mutants::{MutantRecord, MutantsFile, SourceState, TestState, hash};
use crate::output::pace::WritingPace;
use crate::program::Project;
use crate::request::Shard;
use labrys_budget::{Deadline, EndCause};
use labrys_front::MutatedProgram;
use labrys_mutate::MutantVerdict;
use labrys_suite::SuiteTarget;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What `stop` says until the end.
const RUNNING: &str = "running";

pub(super) struct CommandReport<'a> {
    commands: &'a [String],
    shard: Option<Shard>,
    /// All mutants, without what became of them.
    file: MutantsFile,
    pub(super) notes: Vec<String>,
    started: Instant,
    /// Since when there are runs with mutants.
    running: Instant,
    /// How many there were.
    pub(super) runs: usize,
    out: Option<OutDir>,
    pace: WritingPace,
}

impl<'a> CommandReport<'a> {
    pub(super) fn new(
        asked: &'a CommandRequest,
        project: &Project,
        program: &MutatedProgram,
        started: Instant,
        out: Option<OutDir>,
    ) -> Self {
        let sources = project.sources.sources.iter();
        let files: Vec<String> = sources.map(|s| s.shown().display().to_string()).collect();
        let mut file = MutantsFile::new(SuiteTarget {
            files: files.clone(),
            entry: None,
        });
        file.shard = asked.choice.shard;
        file.sources = files
            .iter()
            .filter_map(|name| SourceState::of(name))
            .collect();
        let test = |command: &String| TestState {
            name: command.clone(),
            hash: hash(command.as_bytes()),
        };
        file.tests = asked.commands.iter().map(test).collect();
        file.mutants = MutantRecord::all(&program.mutants);
        CommandReport {
            commands: &asked.commands,
            shard: asked.choice.shard,
            file,
            notes: program.notes.clone(),
            started,
            running: Instant::now(),
            runs: 0,
            out,
            pace: WritingPace::default(),
        }
    }

    /// Takes the place of what an earlier run has written: there is something to say now.
    pub(super) fn begin(&mut self, verdicts: &[MutantVerdict]) -> Outcome<()> {
        self.running = Instant::now();
        if let Some(out) = &self.out {
            out.clear()?;
            self.results(verdicts, RUNNING).write(out)?;
        }
        Ok(())
    }

    /// A mutant has met its commands.
    pub(super) fn note_news(&mut self) {
        self.pace.note_news();
    }

    /// How long that may wait to be written.
    pub(super) fn wait(&self) -> Option<Duration> {
        self.out.as_ref().and(self.pace.wait())
    }

    pub(super) fn write_if_due(&mut self, verdicts: &[MutantVerdict]) {
        let mut pace = std::mem::take(&mut self.pace);
        if let Some(out) = &self.out {
            pace.write_if_due(|| {
                // An extra: a full disk shows when the results of the end are written.
                let _ = self.results(verdicts, RUNNING).write(out);
            });
        }
        self.pace = pace;
    }

    /// All that is known at the end.
    pub(super) fn finish(
        self,
        verdicts: &[MutantVerdict],
        deadline: &Deadline,
    ) -> Outcome<MutationResults> {
        let stop = match deadline.cause() {
            None => "done",
            Some(EndCause::Interrupted | EndCause::Cancelled) => "interrupted",
            Some(EndCause::Memory) => "memory",
            Some(EndCause::Time) => "time",
        };
        let results = self.results(verdicts, stop);
        if let Some(out) = &self.out {
            results.write(out)?;
        }
        Ok(results)
    }

    fn results(&self, verdicts: &[MutantVerdict], stop: &'static str) -> MutationResults {
        let mut file = self.file.clone();
        let all = std::mem::take(&mut file.mutants);
        let chosen = |place: usize| self.shard.is_none_or(|shard| shard.has(place));
        let all = all.into_iter().enumerate();
        for (place, mut record) in all.filter(|(place, _)| chosen(*place)) {
            record.set(&verdicts[place], self.commands);
            file.mutants.push(record);
        }
        let mut summary = SuiteMutation::new(file.target.clone(), &file.mutants);
        let mut kills: BTreeMap<&String, usize> = BTreeMap::new();
        for killer in file.mutants.iter().filter_map(|m| m.killed_by.first()) {
            *kills.entry(killer).or_default() += 1;
        }
        let kills = |name: &String| kills.get(name).copied().unwrap_or(0);
        let tests = self.commands.iter().enumerate();
        summary.tests = tests
            .map(|(place, name)| MutationTest::new(place, name, kills(name)))
            .collect();
        summary.notes.clone_from(&self.notes);
        summary.stop = stop;
        summary.work = MutationWork {
            native_runs: self.runs,
            build_s: self.running.duration_since(self.started).as_secs_f64(),
            run_s: self.running.elapsed().as_secs_f64(),
            wall_s: self.started.elapsed().as_secs_f64(),
            search: None,
        };
        MutationResults { summary, file }
    }
}
