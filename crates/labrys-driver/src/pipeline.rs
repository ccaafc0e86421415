//! `gen` from a request to a written output directory: search, augmentation, files, second opinions,
//! a smaller suite.

use crate::augment::augment;
use crate::crosscheck::{CheckedSuite, checks};
use crate::failure::{Failure, Outcome};
use crate::generate::{SearchResults, SearchSession, summarise};
use crate::minimise::SuiteFiles;
use crate::native::require_sandbox;
use crate::output::events::Watcher;
use crate::output::{ObjectivesFile, OutDir, RunRecord, Summary};
use crate::program::Project;
use crate::request::{Minimise, Request};
use labrys_suite::Suite;
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
    let project = Project::open(request)?;
    require_sandbox(&project.request.replay, &project.runtime)?;
    let out = OutDir::create(&project.request.report.out)?;
    let session = SearchSession::new(&project, &out, stop);
    let mut results = session.search_with_growing_sizes(watcher)?;
    augment(&session, &mut results)?;
    let mut summary = write(&project, &out, &results, started)?;
    minimise(project.request.report.minimise, &out, &mut summary)?;
    Ok(Generated { summary, results })
}

/// Writes the suite, the objectives and the summary, and asks other tools for their opinion.
fn write(
    project: &Project,
    out: &OutDir,
    found: &SearchResults,
    started: Instant,
) -> Outcome<Summary> {
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
    out.write_json("objectives.json", &ObjectivesFile::of(&found.ledger))?;
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
        limits: request.replay_limits(),
    };
    summary.checks = checks(&subject, request.report.llvm_cov, request.report.gcov)?;
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
