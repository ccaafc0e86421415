//! All entries of a program are explored one after the other, while the native program is compiled
//! beside it.

use super::later_proofs::LaterProofs;
use super::proofs::{self, ProofMaker, Proofs};
use super::runs_ahead::RunsAhead;
use super::session::{GROWING, READING, SearchSession, has_growing_sizes};
use crate::abandon::unless_over;
use crate::failure::{Failure, FailureKind, Outcome};
use crate::output::events::EventLog;
use crate::program::Project;
use labrys_budget::{Deadline, EndCause};
use labrys_engine::{ObjectiveMap, Observer, Report, Stop, Test, Work, compact, explore};
use labrys_front::AnnotatedProgram;
use labrys_ir::{FuncId, FunctionReferences, Module, SetAside};
use labrys_ledger::Objective;
use labrys_suite::Replayer;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The time between two looks at a native build.
const PAUSE: Duration = Duration::from_millis(2);

/// Of many functions, each has at least this much of the time, if it needs it: with less, no path
/// would come to its end. The last ones may have none.
const LEAST_SHARE: Duration = Duration::from_millis(100);

/// The program for the engine, what was refuted before the search, and what each search found.
pub(super) type Explored = (Module, Proofs, Vec<Report>);

impl SearchSession<'_> {
    /// Explores all entries. The native program is compiled meanwhile; if the compiler rejects it,
    /// the search ends at once.
    pub(super) fn explore_beside_build(
        &self,
        program: &Arc<AnnotatedProgram>,
        native: &Path,
        can_grow: bool,
        progress: &mut EventLog<'_>,
        ahead: &RunsAhead,
    ) -> (Outcome<Explored>, Outcome<Replayer>) {
        let search = self.plan.search().cancellable();
        // When the user stops the command, a build that is nearly done is still waited for.
        let building = self.plan.native().cancellable().without_signal();
        std::thread::scope(|scope| {
            let build = scope.spawn(|| {
                let built = self.project.build_native_until(program, native, &building);
                // What the compiler rejects is of no use; what there was no time for may be named.
                if matches!(&built, Err(failure) if !matches!(failure.kind, FailureKind::Ended(_)))
                {
                    search.cancel();
                }
                if let Ok(replayer) = &built {
                    ahead.run(replayer, &self.replay_limits())?;
                }
                built
            });
            let explored = self.explore_all(program, &search, can_grow, progress, ahead);
            ahead.stop();
            while !build.is_finished() {
                let last = self.plan.build_after_interrupt();
                if last.is_some_and(|last| last.is_over()) {
                    building.cancel();
                }
                std::thread::sleep(PAUSE);
            }
            let panicked = |_| Err(Failure::internal("the native build panicked"));
            (explored, build.join().unwrap_or_else(panicked))
        })
    }

    fn explore_all(
        &self,
        program: &Arc<AnnotatedProgram>,
        search: &Deadline,
        can_grow: bool,
        progress: &mut EventLog<'_>,
        ahead: &RunsAhead,
    ) -> Outcome<Explored> {
        let (project, lifted) = (self.project.clone(), program.clone());
        let entries = self.entries(program);
        let mut module = match unless_over(search, READING, move || project.lift(&lifted)) {
            // The program was read, and what it has is told, though nothing was searched.
            Err(Failure {
                kind: FailureKind::Ended(cause),
                ..
            }) => {
                let unsearched = entries.iter().map(|_| Report::unsearched(stop_for(cause)));
                return Ok((Module::default(), Proofs::default(), unsearched.collect()));
            }
            lifted => lifted?,
        };
        let Project {
            request, libraries, ..
        } = &**self.project;
        let mut proofs = proofs::find(program, &module, libraries, request, search);
        let facts = proofs::fact_source(program, libraries);
        let later = LaterProofs::new(program, &mut proofs);
        progress.proved(&proofs.by_objective);
        compact(&mut module);
        let end = self.plan.values().cancelled_with(search);
        let references = FunctionReferences::of(&module);
        let functions = ObjectiveFunctions::of(&program.objectives);
        let mut reports = Vec::new();
        for (i, entry) in entries.iter().enumerate() {
            if let Some(cause) = search.cause() {
                reports.push(Report::unsearched(stop_for(cause)));
                continue;
            }
            let share = search.left().map(|left| left / (entries.len() - i) as u32);
            let share = share.map_or(Duration::MAX, |share| share.max(LEAST_SHARE));
            let deadline = search.within(share);
            let mut config = request.engine_config(&deadline, &end);
            config.types = Arc::new(entry.inputs.clone());
            config.facts = Some(facts.clone());
            config.proofs = later.as_ref().map(LaterProofs::source);
            let is_fixed = request.harness.fixed.all() || entries.len() > 1;
            let is_last = i + 1 == entries.len() && request.search.augment.kinds.is_empty();
            config.ends_process = request.search.ends_process && is_last;
            if can_grow && !is_fixed && has_growing_sizes(entry) {
                config.can_grow = GROWING;
            }
            let scope = functions.numbers(&entry.scope);
            let map = ObjectiveMap::new(&program.objectives, &program.decisions, |i, _| {
                scope.contains(&functions.of[i]) && !proofs.by_objective.contains_key(&i)
            });
            progress.begin(&entry.function, map.len());
            ahead.begin(&entry.harness);
            let harness = module
                .functions
                .iter()
                .position(|f| f.name == entry.harness);
            let needed = harness.map(|harness| references.reachable_from(FuncId(harness as u32)));
            let aside = needed.map(|needed| SetAside::all_but(&needed, &mut module));
            let mut observer = RunningAhead {
                log: progress,
                ahead,
            };
            let report = explore(&module, &entry.harness, &map, &config, &mut observer)
                .map_err(Failure::usage)?;
            if let Some(aside) = aside {
                aside.put_back(&mut module);
            }
            progress.end(&report);
            reports.push(report);
        }
        if let Some(later) = later {
            let maker = ProofMaker {
                program,
                module: &module,
                request,
            };
            later.add_to(&mut proofs, &maker);
        }
        Ok((module, proofs, reports))
    }
}

/// Hands tests that are found to whoever runs them, and tells the log.
struct RunningAhead<'o, 'a> {
    log: &'o mut EventLog<'a>,
    ahead: &'o RunsAhead,
}

impl Observer for RunningAhead<'_, '_> {
    fn test(&mut self, test: &Test, work: &Work) {
        self.ahead.add(test);
        self.log.test(test, work);
    }

    fn progress(&mut self, work: &Work, waiting: usize, covered: usize) {
        self.log.progress(work, waiting, covered);
    }
}

/// The functions of objectives as numbers: thousands of entries ask tens of thousands of objectives
/// whether these belong to them.
struct ObjectiveFunctions<'a> {
    numbers: BTreeMap<&'a str, usize>,
    /// By objective.
    of: Vec<usize>,
}

impl<'a> ObjectiveFunctions<'a> {
    fn of(objectives: &'a [Objective]) -> Self {
        let mut numbers = BTreeMap::new();
        let of = objectives.iter().map(|objective| {
            let next = numbers.len();
            *numbers.entry(objective.function.as_str()).or_insert(next)
        });
        ObjectiveFunctions {
            of: of.collect(),
            numbers,
        }
    }

    fn numbers(&self, scope: &[String]) -> BTreeSet<usize> {
        let known = |name: &String| self.numbers.get(name.as_str()).copied();
        scope.iter().filter_map(known).collect()
    }
}

/// How a search that was not begun has stopped.
fn stop_for(cause: EndCause) -> Stop {
    match cause {
        EndCause::Interrupted | EndCause::Cancelled => Stop::Interrupted,
        EndCause::Memory => Stop::Memory,
        EndCause::Time => Stop::Time,
    }
}
