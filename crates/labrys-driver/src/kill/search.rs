//! The search of the engine: for each entry from the tests of its harness on, for the mutants of its
//! functions.

use super::native_kills::SearchedProgram;
use super::predictions::misprediction;
use super::scored_suite::ScoredSuite;
use super::seeds::{Seeds, seeds};
use crate::failure::{Failure, Outcome};
use crate::imported::{ImportedSuite, NativeBuild};
use crate::mutate::KillSearchWork;
use crate::program::ProgramForm;
use labrys_budget::Deadline;
use labrys_engine::{
    Alternative, Config, KillOptions, KillReport, MutantFinding, compact, kill_mutants,
};
use labrys_front::EntryPoint;
use labrys_ir::Module;
use labrys_ledger::Mutant;
use labrys_suite::{ReplayLimits, Replayer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What was found for the mutants of one entry.
pub(super) struct SearchedPart {
    pub(super) harness: String,
    pub(super) entry: String,
    /// The mutants that were looked at, by their places.
    pub(super) mutants: Vec<usize>,
    pub(super) report: KillReport,
}

/// All searches. With several threads each entry has several, each for a part of its mutants.
#[derive(Default)]
pub(super) struct SearchedMutants {
    pub(super) entries: Vec<SearchedPart>,
    /// The harnesses with tests that natively do something else than the engine predicts, and what.
    pub(super) mispredicted: BTreeMap<String, String>,
}

impl SearchedMutants {
    /// What all searches together have done, in this time.
    pub(super) fn work(&self, search_s: f64) -> KillSearchWork {
        let mut all = KillSearchWork {
            search_s,
            ..KillSearchWork::default()
        };
        for searched in &self.entries {
            let (work, solver) = (&searched.report.work, &searched.report.solver);
            all.paths += work.paths;
            all.mutant_runs += work.mutant_runs;
            all.met_again += work.met_again;
            all.subsumed += work.subsumed;
            all.instructions += work.instructions;
            all.queries += solver.queries;
            all.solver_unknown += solver.unknown;
            let stages = [&solver.blast, &solver.bitwuzla, &solver.external];
            all.solver_s += stages.iter().map(|stage| stage.seconds).sum::<f64>();
        }
        all
    }
}

pub(super) fn search(
    suite: &ImportedSuite,
    builds: &[NativeBuild],
    scored: &ScoredSuite<'_>,
    alive: &[usize],
    options: &KillOptions,
    deadline: &Deadline,
) -> Outcome<SearchedMutants> {
    let work = tempfile::tempdir().map_err(Failure::usage)?;
    let sizes = builds[0].sizes;
    let program = (suite.project).load(&ProgramForm::Mutants, sizes, work.path())?;
    let mut module = suite.project.lift(&program)?;
    compact(&mut module);
    let limits = ReplayLimits {
        deadline: deadline.clone(),
        ..suite.project.request.replay_limits()
    };
    let seeds = seeds(&scored.plans, builds, &limits)?;
    let mutants = &builds[0].program.mutants;
    let in_scope = |entry: &EntryPoint| -> Vec<usize> {
        let of_entry = |place: &usize| {
            let mut parts = mutants[*place].parts();
            parts.any(|part| entry.scope.contains(&part.function))
        };
        alive.iter().copied().filter(of_entry).collect()
    };
    let entries: Vec<(&EntryPoint, Vec<usize>)> = program
        .entries
        .iter()
        .map(|entry| (entry, in_scope(entry)))
        .filter(|(_, mutants)| !mutants.is_empty())
        .collect();
    let mut found = SearchedMutants::default();
    let count = entries.len();
    for (number, (entry, places)) in entries.into_iter().enumerate() {
        let share = deadline.left().map(|left| left / (count - number) as u32);
        let deadline = share.map_or_else(|| deadline.clone(), |share| deadline.within(share));
        let mut config = suite.project.request.engine_config(&deadline, &deadline);
        config.types = Arc::new(entry.inputs.clone());
        let searched = EntrySearch {
            module: &module,
            entry,
            seeds: &seeds,
            mutants,
            options,
            config: &config,
            replayer: &builds[0].replayer,
            limits: &limits,
        };
        let parts = searched.run(&places)?;
        if let Some(difference) = searched.misprediction(&parts, &builds[0], &limits)? {
            let harness = entry.harness.clone();
            found.mispredicted.insert(harness, difference);
        }
        found.entries.extend(parts);
    }
    Ok(found)
}

struct EntrySearch<'a> {
    module: &'a Module,
    entry: &'a EntryPoint,
    seeds: &'a Seeds,
    mutants: &'a [Mutant],
    options: &'a KillOptions,
    config: &'a Config,
    replayer: &'a Replayer,
    limits: &'a ReplayLimits,
}

impl EntrySearch<'_> {
    /// One search for each thread, with its part of the mutants: those of one point stay together.
    fn run(&self, places: &[usize]) -> Outcome<Vec<SearchedPart>> {
        let threads = self.config.jobs.max(1);
        let mut parts: Vec<Vec<usize>> = vec![Vec::new(); threads];
        for place in places {
            let part = self.mutants[*place].point as usize % threads;
            parts[part].push(*place);
        }
        parts.retain(|part| !part.is_empty());
        let reports: Vec<Outcome<KillReport>> = std::thread::scope(|scope| {
            let started: Vec<_> = parts
                .iter()
                .map(|part| scope.spawn(|| self.search(part)))
                .collect();
            let panicked = |_| Err(Failure::internal("a search panicked"));
            let ended = started.into_iter();
            ended
                .map(|thread| thread.join().unwrap_or_else(panicked))
                .collect()
        });
        let mut searched = Vec::new();
        for (mutants, report) in parts.into_iter().zip(reports) {
            searched.push(SearchedPart {
                harness: self.entry.harness.clone(),
                entry: self.entry.function.clone(),
                mutants,
                report: report?,
            });
        }
        Ok(searched)
    }

    /// What the engine is wrong about in a test of the suite or a new one. That only matters to proofs.
    fn misprediction(
        &self,
        parts: &[SearchedPart],
        build: &NativeBuild,
        limits: &ReplayLimits,
    ) -> Outcome<Option<String>> {
        let reports = parts.iter().map(|part| &part.report);
        let mut findings = reports.clone().flat_map(|report| &report.findings);
        if !findings.any(|finding| matches!(finding, MutantFinding::Equivalent { .. })) {
            return Ok(None);
        }
        let mut tests = self.seeds.get(&self.entry.harness).cloned();
        let new = reports.flat_map(|report| &report.tests);
        let tests = tests.get_or_insert_default();
        tests.extend(new.map(|test| test.inputs.clone()));
        let how = (self.config, limits);
        misprediction(self.module, &self.entry.harness, tests, build, how)
    }

    fn search(&self, places: &[usize]) -> Outcome<KillReport> {
        let changes: Vec<Vec<Alternative>> = places
            .iter()
            .map(|place| changes(&self.mutants[*place]))
            .collect();
        let none = Vec::new();
        let seeds = self.seeds.get(&self.entry.harness).unwrap_or(&none);
        let harness = &self.entry.harness;
        let mut native = SearchedProgram {
            replayer: self.replayer,
            harness,
            mutants: places.iter().map(|p| self.mutants[*p].clone()).collect(),
            limits: self.limits,
        };
        kill_mutants(
            self.module,
            harness,
            &changes,
            seeds,
            self.options,
            &mut native,
            self.config,
        )
        .map_err(Failure::usage)
    }
}

fn changes(mutant: &Mutant) -> Vec<Alternative> {
    let change = |(point, alternative)| Alternative { point, alternative };
    mutant.changes().into_iter().map(change).collect()
}
