//! `prove`: only the infeasibility proofs. The rules that need a search have one, whose tests are used to
//! see what is feasible and are not written.

use crate::abandon::unless_over;
use crate::failure::{Failure, Outcome};
use crate::generate::proof_steps::write_static_claims;
use crate::generate::proofs;
use crate::output::claims::FOLDER;
use crate::output::events::Watcher;
use crate::output::{ObjectivesFile, OutDir, ProofFile};
use crate::pipeline::generate;
use crate::program::{ProgramForm, Project};
use crate::request::{Minimise, Request};
use crate::time_plan::TimePlan;
use labrys_budget::{EndCause, watch_memory};
use labrys_ledger::{Criterion, Ledger, Status};
use labrys_suite::{SCHEMA, SuiteTarget};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Why an objective that was not refuted is unknown if no rule searches.
const UNKNOWN: &str = "no proof by analysis; labrys gen searches";

/// Proves what the rules of the request can prove, in its time. `stop` ends it from outside; `out` is
/// where the objectives and the files of the proofs go, if anywhere.
pub fn prove(
    request: Request,
    out: Option<&Path>,
    stop: &Arc<AtomicBool>,
    watcher: &mut dyn Watcher,
) -> Outcome<ProofFile> {
    let searches = request.search.proof_rules.iter();
    let mut searches = searches.filter(|rule| rule.needs_search());
    match searches.next() {
        Some(_) => by_search(request, out, stop, watcher),
        None => by_analysis(request, out, stop),
    }
}

/// All rules, beside a search.
fn by_search(
    mut request: Request,
    out: Option<&Path>,
    stop: &Arc<AtomicBool>,
    watcher: &mut dyn Watcher,
) -> Outcome<ProofFile> {
    let started = Instant::now();
    let scratch = tempfile::tempdir().map_err(Failure::usage)?;
    request.report.out = scratch.path().join("out");
    request.report.minimise = Minimise::None;
    request.report.llvm_cov = false;
    request.report.gcov = false;
    request.search.augment.kinds.clear();
    let criteria = request.objectives.criteria.clone();
    let searched = request.report.out.clone();
    let generated = generate(request, stop, watcher)?;
    let target = generated.summary.target.clone();
    let written = OutDir::open(&searched)?;
    let mut objectives: ObjectivesFile = written.read_json("objectives.json")?;
    for record in &mut objectives.objectives {
        // The tests are not written.
        if let Status::Covered { tests } = &mut record.status {
            tests.clear();
        }
        record.pair = None;
    }
    if let Some(out) = out {
        keep(&written, &objectives, out)?;
    }
    let ledger = &generated.results.ledger;
    Ok(result(
        target,
        criteria,
        ledger,
        objectives,
        started.elapsed(),
    ))
}

/// Writes what `explain` and `check` need.
fn keep(from: &OutDir, objectives: &ObjectivesFile, to: &Path) -> Outcome<()> {
    let out = OutDir::create(to)?;
    out.clear()?;
    out.write_json("objectives.json", objectives)?;
    if !objectives.claim_files.is_empty() {
        out.create_folder(FOLDER)?;
    }
    let claims = objectives.claim_files.iter().map(|record| &record.file[..]);
    for name in claims.chain(["program.c", "run.json"]) {
        if let Ok(bytes) = std::fs::read(from.file(name)) {
            out.write(name, &bytes)?;
        }
    }
    Ok(())
}

/// Refutes what an analysis of the whole program can refute, without any search.
fn by_analysis(request: Request, out: Option<&Path>, stop: &Arc<AtomicBool>) -> Outcome<ProofFile> {
    let plan = TimePlan::new(request.search.time, false, stop);
    let deadline = plan.whole();
    let _watch = watch_memory(request.search.memory, deadline);
    let whole = deadline.clone();
    let (project, program, module) = unless_over(deadline, "reading the program", move || {
        let project = Project::open_in_time(request, &whole)?;
        let work = tempfile::tempdir().map_err(Failure::usage)?;
        let sizes = project.request.harness.sizes;
        let program = project.load(&ProgramForm::Annotated, sizes, work.path())?;
        let module = project.lift(&program)?;
        Ok((project, program, module))
    })?;
    let started = Instant::now();
    let Project {
        libraries, request, ..
    } = &project;
    let found = proofs::find(&program, &module, libraries, request, deadline);
    let unknown = match deadline.cause() {
        None => UNKNOWN,
        Some(EndCause::Time) => "time: the analysis was not finished",
        Some(EndCause::Memory) => "memory: the analysis was not finished",
        Some(EndCause::Interrupted | EndCause::Cancelled) => "the analysis was interrupted",
    };
    let analysis = started.elapsed();
    let mut ledger = Ledger::new(program.objectives.clone()).with_decisions(&program.decisions);
    for (index, proof) in found.by_objective {
        ledger.refute(index, proof);
    }
    for index in 0..ledger.objectives().len() {
        ledger.give_up(index, unknown);
    }
    let mut objectives = ObjectivesFile::of(&ledger);
    if let Some(out) = out {
        let out = OutDir::create(out)?;
        out.clear()?;
        objectives.claim_files = write_static_claims(&out, &ledger, &found.claims)?;
        out.write_json("objectives.json", &objectives)?;
    }
    let criteria = project.request.objectives.criteria.clone();
    let target = project.target(&program);
    Ok(result(target, criteria, &ledger, objectives, analysis))
}

fn result(
    target: SuiteTarget,
    criteria: Vec<Criterion>,
    ledger: &Ledger,
    objectives: ObjectivesFile,
    time: Duration,
) -> ProofFile {
    let by_criterion = (criteria.iter())
        .map(|c| (c.name().to_owned(), ledger.totals_of(*c)))
        .collect();
    ProofFile {
        schema: SCHEMA.to_owned(),
        target,
        totals: ledger.totals(),
        feasible_score: ledger.totals().feasible_score(),
        by_criterion,
        criteria,
        analysis_s: (time.as_secs_f64() * 1e6).round() / 1e6,
        objectives: objectives.objectives,
    }
}
