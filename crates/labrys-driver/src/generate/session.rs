//! The search of a request: every entry of the program is explored, its tests are judged natively,
//! and what is left is concluded.

use super::conclude::conclude;
use super::judge::{Judge, Judged, judge};
use super::prediction::is_out_of_stack;
use super::proofs::{self, Proofs};
use super::stability;
use crate::failure::{Failure, Outcome};
use crate::native::open_sandbox;
use crate::output::augmentation::Augmentation;
use crate::output::events::{EventLog, Watcher};
use crate::output::live::LiveSuite;
use crate::output::{ObjectivesFile, OutDir};
use crate::program::libraries;
use crate::program::{ProgramForm, Project};
use labrys_engine::{FaultKind, ObjectiveMap, Report, Stop, Unproved, compact, explore};
use labrys_front::{AnnotatedProgram, EntryPoint};
use labrys_ir::Module;
use labrys_ledger::protocol::limit;
use labrys_ledger::{Ledger, WitnessPair};
use labrys_suite::HarnessSizes;
use labrys_suite::{MissingProtections, Replayer, SuiteTest, UniqueNames};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How often the sizes of a generated harness are doubled when they limit the search.
const DOUBLINGS: u32 = 2;

/// Augmentation has what the search leaves of its time, and this part of it at least.
const AUGMENT_SHARE: u32 = 2;

/// One entry after its search.
pub struct SearchedEntry {
    pub entry: EntryPoint,
    pub report: Report,
    pub judged: Judged,
}

/// Everything that a run has found.
pub struct SearchResults {
    pub program: AnnotatedProgram,
    pub module: Module,
    pub ledger: Ledger,
    pub searched: Vec<SearchedEntry>,
    pub notes: Vec<String>,
    pub sizes: HarnessSizes,
    /// The names of the tests.
    pub names: UniqueNames,
    /// Runs tests natively.
    pub replayer: Replayer,
    pub augmentation: Option<Augmentation>,
    /// Where the native program is.
    _work: TempDir,
}

/// What stays the same while a request is worked on.
pub struct SearchSession<'a> {
    pub project: &'a Project,
    out: &'a OutDir,
    pub stop: &'a Arc<AtomicBool>,
    /// Set when the first search begins: reading the program is not part of its time.
    deadline: OnceLock<Instant>,
}

impl<'a> SearchSession<'a> {
    pub fn new(project: &'a Project, out: &'a OutDir, stop: &'a Arc<AtomicBool>) -> Self {
        SearchSession {
            project,
            out,
            stop,
            deadline: OnceLock::new(),
        }
    }

    /// Searches with larger and larger objects in the harness, while these limit the search.
    pub fn search_with_growing_sizes(&self, watcher: &mut dyn Watcher) -> Outcome<SearchResults> {
        let mut sizes = self.project.request.harness.sizes;
        let mut found = self.search(sizes, watcher)?;
        for _ in 0..DOUBLINGS {
            if !self.is_limited_by_sizes(&found) {
                break;
            }
            sizes = sizes.doubled();
            let next = self.search(sizes, watcher)?;
            if next.ledger.totals().covered < found.ledger.totals().covered {
                break;
            }
            found = next;
        }
        Ok(found)
    }

    /// Prepares the program with these sizes, searches every entry and judges its tests.
    fn search(&self, sizes: HarnessSizes, watcher: &mut dyn Watcher) -> Outcome<SearchResults> {
        let project = self.project;
        let work = tempfile::tempdir().map_err(Failure::usage)?;
        let mut program = project.load(&ProgramForm::Annotated, sizes, work.path())?;
        self.out.clear()?;
        let mut ledger = Ledger::new(program.objectives.clone()).with_decisions(&program.decisions);
        self.out
            .write_json("objectives.json", &ObjectivesFile::of(&ledger))?;
        let events = std::fs::File::create(self.out.file("events.jsonl")).ok();
        let objectives = program.objectives.clone();
        let suite = LiveSuite::new(self.out, project.target(&program));
        let mut progress = EventLog::new(&objectives, events, suite, watcher);
        let config = project.request.engine_config(Duration::ZERO, self.stop);
        progress.run(&config, &project.request);
        // The native program is compiled while the search runs.
        let native = work.path().join("replay");
        let (explored, replayer) = std::thread::scope(|scope| {
            let build = scope.spawn(|| project.build_native(&program, &native));
            let explored = self.explore_all(&program, &mut progress);
            let replayer = build
                .join()
                .unwrap_or_else(|_| Err(Failure::internal("the native build panicked")));
            (explored, replayer)
        });
        progress.finish();
        let (module, proofs, reports) = explored?;
        for (index, proof) in proofs {
            ledger.refute(index, proof).map_err(Failure::internal)?;
        }
        let replayer = replayer?;
        let stubs = libraries::used_stubs(&project.libraries, &module);
        program.stubs.extend(stubs);
        let second = || {
            let native = work.path().join("replay-by-clang");
            project.build_by_clang(&program, &native)
        };
        let mut names = UniqueNames::default();
        let by = Judge {
            replayer: &replayer,
            second: &second,
            limits: &project.request.replay_limits(),
        };
        let searched = self.judge_all(&program, reports, &by, &mut ledger, &mut names)?;
        let mut notes = program.notes.clone();
        notes.extend(replayer.notes.clone());
        notes.extend(searched.iter().filter_map(order_note));
        let missing = searched.iter().map(|s| s.judged.missing);
        notes.extend(open_sandbox(
            missing.fold(Default::default(), MissingProtections::and),
        ));
        Ok(SearchResults {
            program,
            module,
            ledger,
            searched,
            notes,
            sizes,
            names,
            replayer,
            augmentation: None,
            _work: work,
        })
    }

    /// The end of the time for augmentation.
    pub fn augment_until(&self) -> Instant {
        let least = Instant::now() + self.project.request.search.time / AUGMENT_SHARE;
        self.deadline.get().map_or(least, |until| least.max(*until))
    }

    /// The entries to search: where only a part of the program counts, those that reach into it.
    fn entries<'p>(&self, program: &'p AnnotatedProgram) -> Vec<&'p EntryPoint> {
        let reaches = |entry: &&EntryPoint| {
            let mut objectives = program.objectives.iter();
            self.project.request.objectives.part.is_none()
                || objectives.any(|o| entry.scope.contains(&o.function))
        };
        program.entries.iter().filter(reaches).collect()
    }

    fn explore_all(
        &self,
        program: &AnnotatedProgram,
        progress: &mut EventLog<'_>,
    ) -> Outcome<(Module, Proofs, Vec<Report>)> {
        let mut module = self.project.lift(program)?;
        let Project {
            request, libraries, ..
        } = self.project;
        let proofs = match request.search.static_proofs {
            true => proofs::find(program, &module, libraries, request),
            false => Proofs::new(),
        };
        progress.proved(&proofs);
        compact(&mut module);
        let deadline = *self
            .deadline
            .get_or_init(|| Instant::now() + request.search.time);
        let mut reports = Vec::new();
        let entries = self.entries(program);
        for (i, entry) in entries.iter().enumerate() {
            let left = deadline.saturating_duration_since(Instant::now());
            let share = left / (entries.len() - i) as u32;
            let mut config = request.engine_config(share, self.stop);
            config.types = Arc::new(entry.inputs.clone());
            let map = ObjectiveMap::new(&program.objectives, &program.decisions, |i, o| {
                entry.scope.contains(&o.function) && !proofs.contains_key(&i)
            });
            progress.begin(&entry.function, map.len());
            let report = explore(&module, &entry.harness, &map, &config, progress)
                .map_err(Failure::usage)?;
            progress.end(&report);
            reports.push(report);
        }
        Ok((module, proofs, reports))
    }

    fn judge_all(
        &self,
        program: &AnnotatedProgram,
        reports: Vec<Report>,
        by: &Judge<'_>,
        ledger: &mut Ledger,
        names: &mut UniqueNames,
    ) -> Outcome<Vec<SearchedEntry>> {
        let mut searched = Vec::new();
        let mut next_id = 1;
        for (entry, mut report) in self.entries(program).into_iter().zip(reports) {
            let mut judged = judge(entry, &(&report).into(), by, ledger, names, next_id)?;
            drop_false_overflows(&mut report, &judged);
            stability::note_unstable_outputs(&mut judged.tests, by.replayer, by.limits)?;
            next_id += judged.tests.len() as u32;
            searched.push(SearchedEntry {
                entry: entry.clone(),
                report,
                judged,
            });
        }
        ledger.cover_pairs().map_err(Failure::internal)?;
        name_pairs(&mut searched, ledger);
        conclude(&searched, ledger, &self.project.request)?;
        Ok(searched)
    }

    /// Would larger objects in the harness show more? Only one entry is worth another round.
    fn is_limited_by_sizes(&self, found: &SearchResults) -> bool {
        let [only] = &found.searched[..] else {
            return false;
        };
        let open = found.ledger.totals().unknown > 0;
        open && !self.project.request.harness.fixed.all()
            && only.entry.generated
            && only.entry.world.is_none()
            && only.report.stop == Stop::Exhausted
            && (only.report.unproved.values().flatten())
                .any(|why| matches!(why, Unproved::Assumes(text) if is_size(text)))
            && self.deadline.get().is_some_and(|end| Instant::now() < *end)
    }
}

/// A stack overflow is an error only if the native run has one: how much stack the engine's run would
/// need is an estimate.
fn drop_false_overflows(report: &mut Report, judged: &Judged) {
    report.faults.retain(|fault| {
        let number = judged.numbers.get(fault.test).copied().flatten();
        let native = number.and_then(|number| judged.native.get(&number));
        fault.kind != FaultKind::StackOverflow || native.is_some_and(|end| is_out_of_stack(end))
    });
}

/// Enters the pairs into the tests that show them.
pub fn name_pairs(searched: &mut [SearchedEntry], ledger: &Ledger) {
    for (index, objective) in ledger.objectives().iter().enumerate() {
        let tests = ledger
            .pair(index)
            .map(WitnessPair::tests)
            .unwrap_or_default();
        let judged = searched.iter_mut().flat_map(|s| &mut s.judged.tests);
        let is_news = |test: &&mut SuiteTest| {
            tests.contains(&test.id) && !test.covers.contains(&objective.id)
        };
        for test in judged.filter(is_news) {
            test.covers.push(objective.id.clone());
        }
    }
}

/// The note on tests whose course depends on the compiler.
fn order_note(searched: &SearchedEntry) -> Option<String> {
    let tests = &searched.judged.unspecified;
    let list: Vec<String> = tests.iter().map(ToString::to_string).collect();
    (!tests.is_empty()).then(|| {
        format!(
            "{}: the program depends on an order of evaluation that C leaves open; compiled by cc, test {} takes another path than compiled by clang",
            searched.entry.function,
            list.join(", ")
        )
    })
}

/// Is this limit one of those that are doubled?
fn is_size(flag: &str) -> bool {
    matches!(flag, limit::ARRAY_LEN | limit::DEPTH)
}
