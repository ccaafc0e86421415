//! `gen` from a request to a written output directory: search, augmentation, files, second opinions,
//! a smaller suite.

use crate::abandon::unless_over;
use crate::augment::augment;
use crate::crosscheck::{CheckedSuite, checks};
use crate::failure::{Failure, Outcome};
use crate::generate::proof_steps::write_claims;
use crate::generate::{SearchResults, SearchSession, summarise};
use crate::minimise::SuiteFiles;
use crate::native::require_sandbox;
use crate::output::events::Watcher;
use crate::output::{ObjectivesFile, OutDir, RunRecord, Summary};
use crate::program::Project;
use crate::request::{Minimise, Request};
use crate::time_plan::TimePlan;
use labrys_budget::watch_memory;
use labrys_suite::{ReplayLimits, Suite};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// What `gen` has found and written.
pub struct Generated {
    pub summary: Summary,
    pub results: SearchResults,
}

/// Generates tests and writes them to the output directory of the request. `stop` ends the work
/// from outside; what was found by then is written.
pub fn generate(
    request: Request,
    stop: &Arc<AtomicBool>,
    watcher: &mut dyn Watcher,
) -> Outcome<Generated> {
    let started = Instant::now();
    let search = &request.search;
    let plan = TimePlan::new(search.time, !search.augment.kinds.is_empty(), stop);
    let _watch = watch_memory(search.memory, plan.whole());
    let whole = plan.whole().clone();
    let project = unless_over(plan.whole(), "reading the program", move || {
        let project = Project::open_in_time(request, &whole)?;
        require_sandbox(&project.request.replay, &project.runtime)?;
        Ok(project)
    })?;
    let project = Arc::new(project);
    let out = OutDir::create(&project.request.report.out)?;
    let session = SearchSession::new(&project, &out, &plan);
    let mut results = session.search_with_growing_sizes(watcher)?;
    augment(&session, &mut results)?;
    let mut summary = write(&session, &out, &results, started)?;
    minimise(project.request.report.minimise, &out, &mut summary)?;
    Ok(Generated { summary, results })
}

/// Writes the suite, the objectives and the summary, and asks other tools for their opinion.
fn write(
    session: &SearchSession<'_>,
    out: &OutDir,
    found: &SearchResults,
    started: Instant,
) -> Outcome<Summary> {
    let project = session.project;
    let request = &project.request;
    let target = project.target(&found.program);
    let mut suite = Suite::new(target.clone());
    suite.sizes = Some(found.sizes);
    for searched in &found.searched {
        suite.tests.extend(searched.judged.tests.iter().cloned());
    }
    let run = RunRecord::write(project, &found.program, out)?;
    suite
        .write(&out.file("suite.json"))
        .map_err(Failure::usage)?;
    let objectives = ObjectivesFile {
        claim_files: write_claims(out, found)?,
        ..ObjectivesFile::of(&found.ledger)
    };
    out.write_json("objectives.json", &objectives)?;
    if let Some(augmentation) = &found.augmentation {
        out.write_json("augmentation.json", &augmentation.file())?;
    }
    let criteria = request.objectives.criteria.clone();
    let mut summary = summarise(found, target, criteria, started.elapsed());
    let subject = CheckedSuite {
        run: &run,
        suite: &suite,
        ledger: &found.ledger,
        runtime: &project.runtime,
        limits: ReplayLimits {
            deadline: session.plan.second_opinions(),
            ..request.replay_limits()
        },
    };
    // The results are there, whatever other tools say of them and however long they need.
    out.write_json("summary.json", &summary)?;
    match checks(&subject, request.report.llvm_cov, request.report.gcov) {
        Err(failure) if failure.is_end() => {
            let note = format!("no second opinion: {}", failure.message);
            summary.notes.push(note);
        }
        checked => summary.checks = checked?,
    }
    out.write_json("summary.json", &summary)?;
    Ok(summary)
}

/// Drops tests that nothing needs, if that is asked for.
fn minimise(method: Minimise, out: &OutDir, summary: &mut Summary) -> Outcome<()> {
    if method == Minimise::None {
        return Ok(());
    }
    let mut files = SuiteFiles::read(out)?;
    let result = files.minimise(method);
    let mut note = format!("minimised from {} to {} tests", result.before, result.after);
    for more in result.notes {
        note = format!("{note}; {more}");
    }
    summary.notes.push(note);
    if let Some(written) = &mut files.summary {
        summary.tests = written.tests;
        summary.by_function.clone_from(&written.by_function);
        written.notes.clone_from(&summary.notes);
    }
    files.write(out)
}
