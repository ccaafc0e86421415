//! `labrys gen`: from C files to replayed tests.

use super::print;
use crate::augment::{Augmentation, augment};
use crate::cli::{Format, GenArgs, Minimise, Options};
use crate::crosscheck::{Subject, checks};
use crate::failure::{Exit, Failure, Outcome};
use crate::given::Given;
use crate::judge::{Judge, Judged, judge};
use crate::libraries::{self, Libraries};
use crate::minimise::Contents;
use crate::outdir::OutDir;
use crate::pipeline::{self, Sizes};
use crate::progress::Progress;
use crate::proofs::{self, Proofs};
use crate::records::{Objectives, Summary};
use crate::runtime::Runtime;
use crate::setup::{Setup, target};
use crate::{settings, stability, summary};
use labrys_engine::{ObjectiveMap, Report, Stop, Unproved, compact, explore};
use labrys_front::{AnnotatedProgram, EntryPoint};
use labrys_ir::Module;
use labrys_ledger::protocol::limit;
use labrys_ledger::{Ledger, Proof, ShownEvaluations, Status, Trigger, WitnessPair};
use labrys_suite::{ReplayLimits, Replayer, Suite, SuiteTest, UniqueNames};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How often the sizes of a generated harness are doubled when they limit the search.
const DOUBLINGS: u32 = 2;

/// Augmentation has what the search leaves of its time, and this part of it at least.
const AUGMENT_SHARE: u32 = 2;

/// The note where native runs could not be confined.
pub const OPEN_SANDBOX: &str = "the system allows neither chroot nor user namespaces: a native run may find files that the prediction does not know";

/// One entry after its search.
pub struct Searched {
    pub entry: EntryPoint,
    pub report: Report,
    pub judged: Judged,
}

/// Everything that a run has found.
pub struct Found {
    pub program: AnnotatedProgram,
    pub module: Module,
    pub ledger: Ledger,
    pub searched: Vec<Searched>,
    pub notes: Vec<String>,
    pub sizes: Sizes,
    /// The names of the tests.
    pub names: UniqueNames,
    /// Runs tests natively.
    pub replayer: Replayer,
    pub augmentation: Option<Augmentation>,
    /// Where the native program is.
    _work: TempDir,
}

pub fn run(args: &GenArgs) -> Outcome {
    let started = Instant::now();
    let options = settings::complete(&args.options, &args.program)?;
    pipeline::engine_config(&options, Duration::ZERO, &Arc::default())?;
    let given = Given::find(&args.program, &options)?;
    let runtime = pipeline::install_runtime(&options)?;
    let libraries = Libraries::prepare(&given, &args.program.flags, &options, &runtime)?;
    let path = options.out.clone().unwrap_or_else(|| "labrys-out".into());
    let out = OutDir::create(&path)?;
    let stop = stop_on_signal();
    let session = Session {
        args,
        given: &given,
        libraries: &libraries,
        options: &options,
        runtime: &runtime,
        out: &out,
        stop: &stop,
        deadline: OnceLock::new(),
    };
    let mut sizes = Sizes::new(&options);
    let mut found = session.search(sizes)?;
    for _ in 0..DOUBLINGS {
        if !session.limited(&found) {
            break;
        }
        sizes = sizes.doubled();
        let next = session.search(sizes)?;
        if next.ledger.totals().covered < found.ledger.totals().covered {
            break;
        }
        found = next;
    }
    augment(&session, &mut found)?;
    let summary = session.write(&found, started)?;
    let summary = session.minimise(summary)?;
    show(args, &options, &found, &summary)?;
    Ok(verdict(
        &options,
        &summary,
        &found,
        stop.load(Ordering::Relaxed),
    ))
}

/// What stays the same while a request is worked on.
pub struct Session<'a> {
    pub args: &'a GenArgs,
    pub given: &'a Given,
    pub libraries: &'a Libraries,
    pub options: &'a Options,
    pub runtime: &'a Runtime,
    out: &'a OutDir,
    pub stop: &'a Arc<AtomicBool>,
    /// Set when the first search begins: reading the program is not part of its time.
    deadline: OnceLock<Instant>,
}

impl Session<'_> {
    /// Prepares the program with these sizes, searches every entry and judges its tests.
    fn search(&self, sizes: Sizes) -> Outcome<Found> {
        let work = tempfile::tempdir().map_err(Failure::usage)?;
        let mut program = pipeline::load(
            &self.args.program,
            self.given,
            self.libraries,
            self.options,
            self.runtime,
            sizes,
            work.path(),
        )?;
        self.out.clear()?;
        let mut ledger = Ledger::new(program.objectives.clone()).with_decisions(&program.decisions);
        self.out
            .write_json("objectives.json", &Objectives::of(&ledger))?;
        let events = std::fs::File::create(self.out.file("events.jsonl")).ok();
        let objectives = program.objectives.clone();
        let mut progress = Progress::new(self.args.show.quiet, &objectives, events);
        let config = pipeline::engine_config(self.options, Duration::ZERO, self.stop)?;
        progress.run(&config, &pipeline::criteria(self.options));
        // The native program is compiled while the search runs.
        let native = work.path().join("replay");
        let (explored, replayer) = std::thread::scope(|scope| {
            let build = scope.spawn(|| self.build(&program, self.options, &native));
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
        let stubs = libraries::used_stubs(self.libraries, &module);
        program.stubs.extend(stubs);
        let second = || {
            let native = work.path().join("replay-by-clang");
            self.build_by_clang(&program, &native)
        };
        let mut names = UniqueNames::default();
        let by = Judge {
            replayer: &replayer,
            second: &second,
            limits: &self.limits(),
        };
        let searched = self.judge_all(&program, reports, &by, &mut ledger, &mut names)?;
        let mut notes = program.notes.clone();
        notes.extend(replayer.notes.clone());
        notes.extend(searched.iter().filter_map(order_note));
        if !searched.iter().all(|s| s.judged.confined) {
            notes.push(OPEN_SANDBOX.to_owned());
        }
        Ok(Found {
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

    fn build(
        &self,
        program: &AnnotatedProgram,
        options: &Options,
        out: &Path,
    ) -> Outcome<Replayer> {
        let parts = (self.given, self.libraries);
        pipeline::build_native(program, parts, options, self.runtime, out)
    }

    /// The program compiled by the compiler that the engine's code comes from.
    pub fn build_by_clang(&self, program: &AnnotatedProgram, out: &Path) -> Outcome<Replayer> {
        let options = Options {
            cc: Some(pipeline::clang(self.options)),
            ..self.options.clone()
        };
        self.build(program, &options, out)
    }

    /// What a native run may use.
    pub fn limits(&self) -> ReplayLimits {
        let mut limits = ReplayLimits::default();
        if let Some(time) = self.options.replay_time {
            limits.time = time.0;
        }
        limits
    }

    /// The end of the time for augmentation.
    pub fn augment_until(&self) -> Instant {
        let least = Instant::now() + pipeline::budget(self.options) / AUGMENT_SHARE;
        self.deadline.get().map_or(least, |until| least.max(*until))
    }

    /// The entries to search: where only a part of the program counts, those that reach into it.
    fn entries<'p>(&self, program: &'p AnnotatedProgram) -> Vec<&'p EntryPoint> {
        let reaches = |entry: &&EntryPoint| {
            let mut objectives = program.objectives.iter();
            self.given.part.is_none() || objectives.any(|o| entry.scope.contains(&o.function))
        };
        program.entries.iter().filter(reaches).collect()
    }

    fn explore_all(
        &self,
        program: &AnnotatedProgram,
        progress: &mut Progress<'_>,
    ) -> Outcome<(Module, Proofs, Vec<Report>)> {
        let mut module = pipeline::lift(program, self.libraries, self.runtime)?;
        let proofs = match self.options.no_static {
            true => Proofs::new(),
            false => proofs::find(program, &module, self.libraries, self.options),
        };
        progress.proved(&proofs);
        compact(&mut module);
        let budget = pipeline::budget(self.options);
        let deadline = *self.deadline.get_or_init(|| Instant::now() + budget);
        let mut reports = Vec::new();
        let entries = self.entries(program);
        for (i, entry) in entries.iter().enumerate() {
            let left = deadline.saturating_duration_since(Instant::now());
            let share = left / (entries.len() - i) as u32;
            let mut config = pipeline::engine_config(self.options, share, self.stop)?;
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
    ) -> Outcome<Vec<Searched>> {
        let mut searched = Vec::new();
        let mut next_id = 1;
        for (entry, report) in self.entries(program).into_iter().zip(reports) {
            let mut judged = judge(entry, &(&report).into(), by, ledger, names, next_id)?;
            stability::check(&mut judged.tests, by.replayer, by.limits)?;
            next_id += judged.tests.len() as u32;
            searched.push(Searched {
                entry: entry.clone(),
                report,
                judged,
            });
        }
        ledger.cover_pairs().map_err(Failure::internal)?;
        name_pairs(&mut searched, ledger);
        conclude(program, &searched, ledger, self.options)?;
        Ok(searched)
    }

    /// Would larger objects in the harness show more? Only one entry is worth another round.
    fn limited(&self, found: &Found) -> bool {
        let [only] = &found.searched[..] else {
            return false;
        };
        let open = found.ledger.totals().unknown > 0;
        let given = self.options.array_len.is_some() && self.options.depth.is_some();
        open && !given
            && only.entry.generated
            && only.entry.world.is_none()
            && only.report.stop == Stop::Exhausted
            && (only.report.limits.iter().any(|flag| is_size(flag))
                || (only.report.unproved.values())
                    .any(|why| matches!(why, Unproved::Limit(flag) if is_size(flag))))
            && self.deadline.get().is_some_and(|end| Instant::now() < *end)
    }

    fn write(&self, found: &Found, started: Instant) -> Outcome<Summary> {
        let target = target(self.given, &found.program);
        let mut suite = Suite::new(target.clone());
        suite.sizes = Some(found.sizes.into());
        for searched in &found.searched {
            suite.tests.extend(searched.judged.tests.iter().cloned());
        }
        let setup = Setup {
            given: self.given,
            libraries: self.libraries,
            options: self.options,
        };
        let run = setup.write(&found.program, self.out)?;
        suite
            .write(&self.out.file("suite.json"))
            .map_err(Failure::usage)?;
        self.out
            .write_json("objectives.json", &Objectives::of(&found.ledger))?;
        if let Some(augmentation) = &found.augmentation {
            self.out
                .write_json("augmentation.json", &augmentation.file())?;
        }
        let criteria = pipeline::criteria(self.options);
        let mut summary = summary::summarise(found, target, criteria, started.elapsed());
        let subject = Subject {
            run: &run,
            suite: &suite,
            ledger: &found.ledger,
            runtime: self.runtime,
        };
        summary.checks = checks(&subject, self.options.llvm_cov, self.options.gcov)?;
        self.out.write_json("summary.json", &summary)?;
        Ok(summary)
    }
}

/// Enters the pairs into the tests that show them.
pub fn name_pairs(searched: &mut [Searched], ledger: &Ledger) {
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

impl Session<'_> {
    /// Drops tests that nothing needs, if that is asked for.
    fn minimise(&self, mut summary: Summary) -> Outcome<Summary> {
        let method = self.options.minimise.unwrap_or(Minimise::None);
        if method == Minimise::None {
            return Ok(summary);
        }
        let mut contents = Contents::read(self.out)?;
        let result = contents.minimise(method);
        let mut note = format!("minimised from {} to {} tests", result.before, result.after);
        for more in result.notes {
            note = format!("{note}; {more}");
        }
        summary.notes.push(note);
        if let Some(written) = &mut contents.summary {
            summary.tests = written.tests;
            summary.by_function.clone_from(&written.by_function);
            written.notes.clone_from(&summary.notes);
        }
        contents.write(self.out)?;
        Ok(summary)
    }
}

/// The note on tests whose course depends on the compiler.
fn order_note(searched: &Searched) -> Option<String> {
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

/// Decides the objectives that no test has covered.
fn conclude(
    program: &AnnotatedProgram,
    searched: &[Searched],
    ledger: &mut Ledger,
    options: &Options,
) -> Outcome<()> {
    for index in 0..ledger.objectives().len() {
        if matches!(ledger.status(index), Status::Covered { .. }) {
            continue;
        }
        let function = ledger.objectives()[index].function.clone();
        let looked: Vec<&Searched> = searched
            .iter()
            .filter(|s| s.entry.scope.contains(&function))
            .collect();
        // A test that the engine proposed for it was not confirmed: nothing may be concluded.
        let proposed = looked
            .iter()
            .any(|s| s.report.tests.iter().any(|t| t.covers.contains(&index)))
            || is_pair_proposed(&looked, ledger, index);
        if proposed {
            ledger.give_up(index, "not confirmed by native replay");
        } else if !looked.is_empty() && looked.iter().all(|s| s.report.is_proof_for(index)) {
            let paths = looked.iter().map(|s| s.report.work.paths).sum();
            let mut assumes = assumptions(program, options);
            let errors: usize = looked.iter().map(|s| s.report.faults.len()).sum();
            if errors > 0 {
                assumes.push(format!("a run ends at its first error ({errors} found)"));
            }
            ledger
                .refute(index, Proof::Exhausted { paths, assumes })
                .map_err(Failure::internal)?;
        } else {
            ledger.give_up(index, &reason(&looked, index));
        }
    }
    Ok(())
}

/// Did the searches together find a pair for the objective?
fn is_pair_proposed(looked: &[&Searched], ledger: &Ledger, index: usize) -> bool {
    let Trigger::Pair {
        decision,
        condition,
        unique,
    } = ledger.objectives()[index].trigger
    else {
        return false;
    };
    let mut shown = ShownEvaluations::default();
    for (number, vector) in looked.iter().flat_map(|s| &s.report.vectors) {
        shown.add(0, *number, *vector);
    }
    let decision = ledger.decision(decision);
    decision.is_some_and(|d| shown.pair(d, condition as usize, unique).is_some())
}

/// What a proof by exhaustion takes for granted.
fn assumptions(program: &AnnotatedProgram, options: &Options) -> Vec<String> {
    let mut assumes: Vec<String> = options
        .assume
        .iter()
        .map(|a| format!("--assume '{a}'"))
        .collect();
    let models = options.model.iter();
    assumes.extend(models.map(|file| format!("--model {} is right", file.display())));
    let stubs = program.stubs.iter();
    assumes.extend(stubs.map(|s| format!("'{}' has no effect but its result", s.name)));
    assumes.push("memory allocation succeeds".into());
    if !options.symbolic_globals {
        assumes.push("global variables start with their initial values".into());
    }
    assumes
}

fn reason(looked: &[&Searched], objective: usize) -> String {
    for searched in looked {
        match searched.report.unproved.get(&objective) {
            Some(Unproved::Limit(flag)) => return bounds(std::slice::from_ref(flag)),
            Some(Unproved::Gap(gap)) => return gap.clone(),
            None => {}
        }
    }
    let Some(searched) = looked.iter().find(|s| !s.report.is_proof()) else {
        return "never reached from the function under test".into();
    };
    let report = &searched.report;
    if report.stop != Stop::Exhausted {
        return format!("the search stopped: {}", report.stop.name());
    }
    if let Some((gap, _)) = report.gaps.iter().next() {
        return gap.clone();
    }
    if report.reads_uninitialised() {
        return "a path depends on uninitialised memory".into();
    }
    bounds(&report.limits)
}

/// What only the generated harness makes impossible, and what to do about it.
fn bounds(flags: &[String]) -> String {
    let sizes: Vec<&str> = flags.iter().map(String::as_str).collect();
    match &sizes[..] {
        [limit::MODEL] => {
            "bounds: the harness made something up; write a driver, or give --model".into()
        }
        sizes => format!("bounds: raise {}", sizes.join(", ")),
    }
}

/// Is this limit one of those that are doubled?
fn is_size(flag: &str) -> bool {
    matches!(flag, limit::ARRAY_LEN | limit::DEPTH)
}

pub fn stop_on_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            // The second signal: the user does not want to wait.
            #[allow(clippy::exit)]
            std::process::exit(130);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        tracing::warn!("cannot catch SIGINT: {error}");
    }
    stop
}

fn show(args: &GenArgs, options: &Options, found: &Found, summary: &Summary) -> Outcome<()> {
    if options.stats {
        summary::show_stats(found);
    }
    match args.show.format {
        Format::Json => {
            let text = serde_json::to_string_pretty(summary).map_err(Failure::internal)?;
            print(&format!("{text}\n"))
        }
        Format::Text => print(&summary::text(found, summary)),
    }
}

fn verdict(options: &Options, summary: &Summary, found: &Found, interrupted: bool) -> Exit {
    let invalid = found
        .searched
        .iter()
        .any(|s| !s.report.solver.validation_errors.is_empty());
    if interrupted {
        Exit::Interrupted
    } else if invalid {
        Exit::Internal
    } else if options
        .fail_under
        .is_some_and(|p| summary.feasible_score * 100.0 < p)
        || (options.fail_on_error && !summary.errors.is_empty())
        || summary.checks.iter().any(|c| !c.differences.is_empty())
    {
        Exit::NotMet
    } else {
        Exit::Done
    }
}
