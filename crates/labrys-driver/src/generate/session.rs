//! The search of a request: every entry of the program is explored, its tests are judged natively,
//! and what is left is concluded.

use super::conclude::conclude;
use super::judge::{Judge, Judged, ProposedInputs, ProposedRuns, judge_runs};
use super::prediction::is_out_of_stack;
use super::runs_ahead::RunsAhead;
use super::stability;
use super::time_notes::time_notes;
use crate::abandon::unless_over;
use crate::failure::{Failure, Outcome};
use crate::native::{by_trigger, open_sandbox};
use crate::output::augmentation::Augmentation;
use crate::output::claims::ClaimText;
use crate::output::events::{EventLog, Watcher};
use crate::output::live::LiveSuite;
use crate::output::{ObjectivesFile, OutDir};
use crate::program::libraries;
use crate::program::{ProgramForm, Project};
use crate::time_plan::TimePlan;
use labrys_engine::{FaultKind, Report, Stop, Unproved};
use labrys_front::{AnnotatedProgram, EntryPoint};
use labrys_ir::Module;
use labrys_ledger::protocol::limit;
use labrys_ledger::{Ledger, Trigger, WitnessPair};
use labrys_suite::HarnessSizes;
use labrys_suite::{
    MissingProtections, ReplayCase, ReplayLimits, Replayer, SuiteTest, UniqueNames,
};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// How often the sizes of a generated harness are doubled when they limit the search.
const DOUBLINGS: u32 = 2;

/// What the front end does, for messages.
pub(super) const READING: &str = "reading the program";

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
    /// Runs tests natively; none if there was no time to build it.
    pub replayer: Option<Replayer>,
    pub augmentation: Option<Augmentation>,
    /// The formulas of the proofs before the search.
    pub static_claims: Vec<ClaimText>,
    /// Where the native program is.
    _work: TempDir,
}

/// What stays the same while a request is worked on.
pub struct SearchSession<'a> {
    pub project: &'a Arc<Project>,
    out: &'a OutDir,
    pub plan: &'a TimePlan,
}

impl<'a> SearchSession<'a> {
    pub fn new(project: &'a Arc<Project>, out: &'a OutDir, plan: &'a TimePlan) -> Self {
        SearchSession { project, out, plan }
    }

    /// Searches with larger and larger objects in the harness, while these limit the search.
    pub fn search_with_growing_sizes(&self, watcher: &mut dyn Watcher) -> Outcome<SearchResults> {
        let mut sizes = self.project.request.harness.sizes;
        let mut found = self.search(sizes, DOUBLINGS > 0, watcher)?;
        for doubling in 1..=DOUBLINGS {
            if !self.is_limited_by_sizes(&found) {
                break;
            }
            sizes = sizes.doubled();
            let next = match self.search(sizes, doubling < DOUBLINGS, watcher) {
                // What was found with smaller sizes is there.
                Err(failure) if failure.is_end() => break,
                next => next?,
            };
            if next.ledger.totals().covered < found.ledger.totals().covered {
                break;
            }
            found = next;
        }
        Ok(found)
    }

    /// Prepares the program with these sizes, searches every entry and judges its tests. A search that
    /// can have larger sizes does not wait for its end.
    fn search(
        &self,
        sizes: HarnessSizes,
        can_grow: bool,
        watcher: &mut dyn Watcher,
    ) -> Outcome<SearchResults> {
        let project = self.project;
        let work = tempfile::tempdir().map_err(Failure::usage)?;
        let program = Arc::new(self.load(sizes, work.path())?);
        self.out.clear()?;
        let mut ledger = Ledger::new(program.objectives.clone()).with_decisions(&program.decisions);
        self.out
            .write_json("objectives.json", &ObjectivesFile::of(&ledger))?;
        let events = std::fs::File::create(self.out.file("events.jsonl")).ok();
        let suite = LiveSuite::new(self.out, project.target(&program), self.plan.tests());
        let ahead = RunsAhead::new(self.plan);
        let mut progress = EventLog::new(&program.objectives, events, suite, watcher);
        let search = self.plan.search();
        progress.run(
            &project.request.engine_config(&search, &search),
            &project.request,
        );
        let native = work.path().join("replay");
        let (explored, replayer) =
            self.explore_beside_build(&program, &native, can_grow, &mut progress, &ahead);
        progress.finish();
        let replayer = match replayer {
            Err(failure) if failure.is_end() => None,
            // A search that was cancelled for it is of no interest.
            built => Some(built?),
        };
        let (module, proofs, reports) = explored?;
        for (index, proof) in proofs.by_objective {
            ledger.refute(index, proof);
        }
        let mut program = Arc::unwrap_or_clone(program);
        let stubs = libraries::used_stubs(&project.libraries, &module);
        program.stubs.extend(stubs);
        let mut names = UniqueNames::default();
        let mut notes = program.notes.clone();
        let tests = TestsToJudge {
            program: &program,
            module: &module,
            replayer: replayer.as_ref(),
            ahead: &ahead,
            work: work.path(),
            free_of_errors: &proofs.free_of_errors,
        };
        let searched = self.judge_all(&tests, reports, &mut ledger, &mut names, &mut notes)?;
        notes.extend(replayer.iter().flat_map(|replayer| replayer.notes.clone()));
        notes.extend(searched.iter().flat_map(order_notes));
        notes.extend(time_notes(&searched, replayer.is_some()));
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
            static_claims: proofs.claims,
            _work: work,
        })
    }

    /// Runs the front end.
    fn load(&self, sizes: HarnessSizes, work: &Path) -> Outcome<AnnotatedProgram> {
        let (project, work) = (self.project.clone(), work.to_owned());
        let bytes = self.plan.harness_bytes();
        unless_over(self.plan.whole(), READING, move || {
            project.load_first(&ProgramForm::Annotated, sizes, &work, bytes)
        })
    }

    /// The entries to search: where only a part of the program counts, those that reach into it.
    pub(super) fn entries<'p>(&self, program: &'p AnnotatedProgram) -> Vec<&'p EntryPoint> {
        let reaches = |entry: &&EntryPoint| {
            let mut objectives = program.objectives.iter();
            self.project.request.objectives.part.is_none()
                || objectives.any(|o| entry.scope.contains(&o.function))
        };
        program.entries.iter().filter(reaches).collect()
    }

    /// What native runs may use. When the user has stopped the command, they have a moment left.
    pub fn replay_limits(&self) -> ReplayLimits {
        let interrupted = self.plan.runs_after_interrupt();
        ReplayLimits {
            deadline: interrupted.unwrap_or_else(|| self.plan.native()),
            ..self.project.request.replay_limits()
        }
    }

    fn judge_all(
        &self,
        tests: &TestsToJudge<'_>,
        reports: Vec<Report>,
        ledger: &mut Ledger,
        names: &mut UniqueNames,
        notes: &mut Vec<String>,
    ) -> Outcome<Vec<SearchedEntry>> {
        let entries = self.entries(tests.program);
        let limits = self.replay_limits();
        let mut searched = match tests.replayer {
            Some(replayer) => self.judge_by(
                replayer,
                &limits,
                tests,
                entries.iter().copied().zip(reports),
                ledger,
                names,
            )?,
            None => {
                let unjudged =
                    entries
                        .into_iter()
                        .zip(reports)
                        .map(|(entry, report)| SearchedEntry {
                            entry: entry.clone(),
                            judged: Judged::none_of(report.tests.len()),
                            report,
                        });
                unjudged.collect()
            }
        };
        let left_out = tests.program.left_out.iter();
        searched.extend(left_out.map(|entry| SearchedEntry {
            entry: entry.clone(),
            judged: Judged::none_of(0),
            report: Report::unsearched(Stop::Time),
        }));
        let mut not_compared = 0;
        if let Some(replayer) = tests.replayer {
            let tests = searched.iter_mut().flat_map(|s| &mut s.judged.tests);
            not_compared = stability::note_unstable_outputs(tests, replayer, &limits)?;
        }
        if not_compared > 0 {
            notes.push(format!("time: {not_compared} tests were run only once; outputs of theirs may change from run to run"));
        }
        ledger.cover_pairs();
        name_pairs(&mut searched, ledger);
        let request = &self.project.request;
        conclude(
            &searched,
            ledger,
            tests.module,
            request,
            tests.free_of_errors,
        );
        Ok(searched)
    }

    /// Runs the tests of all entries in one process and judges them entry by entry.
    fn judge_by<'e>(
        &self,
        replayer: &Replayer,
        limits: &ReplayLimits,
        tests: &TestsToJudge<'_>,
        reports: impl Iterator<Item = (&'e EntryPoint, Report)>,
        ledger: &mut Ledger,
        names: &mut UniqueNames,
    ) -> Outcome<Vec<SearchedEntry>> {
        let mut reports: Vec<(&EntryPoint, Report)> = reports.collect();
        let found = reports.iter_mut().flat_map(|(entry, report)| {
            let tests = report.tests.iter_mut();
            tests.map(|test| (entry.harness.as_str(), test))
        });
        (tests.ahead).keep_what_was_run(found, limits.deadline.left());
        let inputs = reports.iter();
        let inputs: Vec<ProposedInputs<'_>> = inputs
            .map(|(entry, report)| ProposedInputs::of(entry, &report.tests))
            .collect();
        let cases: Vec<ReplayCase<'_>> = inputs.iter().flat_map(ProposedInputs::cases).collect();
        let all = tests.ahead.run_others(&cases, replayer, limits)?;
        let triggers = by_trigger(ledger.objectives());
        let second = || {
            let native = tests.work.join("replay-by-clang");
            self.project.build_by_clang(tests.program, &native)
        };
        let by = Judge {
            replayer,
            second: &second,
            limits,
            triggers: &triggers,
        };
        let (mut searched, mut next_id) = (Vec::new(), 1);
        let (mut cases, mut seen, mut number) = (&cases[..], &all.observations[..], 0);
        for (entry, mut report) in reports {
            let (own, other) = cases.split_at(report.tests.len());
            let (shown, left) = seen.split_at(own.len().min(seen.len()));
            (cases, seen) = (other, left);
            let first = number;
            number += own.len();
            let everywhere = all.everywhere.range(first..number);
            let everywhere = everywhere.map(|(i, names)| (i - first, names.clone()));
            let runs = ProposedRuns {
                cases: own,
                observations: shown,
                everywhere: &everywhere.collect(),
            };
            let judged = judge_runs(entry, &(&report).into(), runs, &by, ledger, names, next_id)?;
            drop_false_overflows(&mut report, &judged);
            next_id += judged.tests.len() as u32;
            searched.push(SearchedEntry {
                entry: entry.clone(),
                report,
                judged,
            });
        }
        Ok(searched)
    }

    /// Would larger objects in the harness show more? Only one entry is worth another round.
    fn is_limited_by_sizes(&self, found: &SearchResults) -> bool {
        let [only] = &found.searched[..] else {
            return false;
        };
        let open = found.ledger.totals().unknown > 0;
        open && !self.project.request.harness.fixed.all()
            && has_growing_sizes(&only.entry)
            && match only.report.stop {
                Stop::Sizes => true,
                Stop::Exhausted => (only.report.unproved.values().flatten())
                    .any(|why| matches!(why, Unproved::Assumes(text) if is_size(text))),
                _ => false,
            }
            && !self.plan.search().is_over()
    }
}

/// What the tests of a search are judged by.
struct TestsToJudge<'a> {
    program: &'a AnnotatedProgram,
    module: &'a Module,
    replayer: Option<&'a Replayer>,
    /// What was run beside the search.
    ahead: &'a RunsAhead,
    /// For further builds.
    work: &'a Path,
    /// Events that no error of the program can come before.
    free_of_errors: &'a BTreeSet<Trigger>,
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
        if tests.is_empty() {
            continue;
        }
        let judged = searched.iter_mut().flat_map(|s| &mut s.judged.tests);
        let is_news = |test: &&mut SuiteTest| {
            tests.contains(&test.id) && !test.covers.contains(&objective.id)
        };
        for test in judged.filter(is_news) {
            test.covers.push(objective.id.clone());
        }
    }
}

/// The notes on tests whose course depends on the compiler.
fn order_notes(searched: &SearchedEntry) -> Vec<String> {
    let note = |tests: &[u32], text: &str| {
        let list: Vec<String> = tests.iter().map(ToString::to_string).collect();
        let function = &searched.entry.function;
        (!tests.is_empty())
            .then(|| format!("{function}: {}", text.replace("TESTS", &list.join(", "))))
    };
    let judged = &searched.judged;
    let unspecified = note(
        &judged.unspecified,
        "the program depends on what C leaves to the compiler, such as the order of evaluation; compiled by cc, test TESTS takes another path than compiled by clang",
    );
    let not_asked = note(
        &judged.not_asked,
        "test TESTS takes another path than predicted; there was no time to compile the program by clang, to see whether C leaves that to the compiler",
    );
    unspecified.into_iter().chain(not_asked).collect()
}

/// Does its harness have sizes that are a guess?
pub(super) fn has_growing_sizes(entry: &EntryPoint) -> bool {
    entry.generated && entry.world.is_none()
}

/// The limits that are doubled.
pub(super) const GROWING: &[&str] = &[limit::ARRAY_LEN, limit::DEPTH];

/// Is this limit one of those that are doubled?
fn is_size(flag: &str) -> bool {
    GROWING.contains(&flag)
}
