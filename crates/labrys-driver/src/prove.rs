//! `prove`: only the infeasibility proofs, without any search.

use crate::abandon::unless_over;
use crate::failure::{Failure, Outcome};
use crate::generate::proofs;
use crate::output::{ObjectivesFile, ProofFile};
use crate::program::{ProgramForm, Project};
use crate::request::Request;
use crate::time_plan::TimePlan;
use labrys_budget::{EndCause, watch_memory};
use labrys_ledger::Ledger;
use labrys_suite::SCHEMA;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Why an objective that was not refuted is unknown here.
const UNKNOWN: &str = "no proof by analysis; labrys gen searches";

/// Refutes what an analysis of the whole program can refute, in the time of the request. `stop` ends
/// it from outside.
pub fn prove(request: Request, stop: &Arc<AtomicBool>) -> Outcome<ProofFile> {
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
    for (index, proof) in found {
        ledger.refute(index, proof);
    }
    for index in 0..ledger.objectives().len() {
        ledger.give_up(index, unknown);
    }
    let criteria = &project.request.objectives.criteria;
    Ok(ProofFile {
        schema: SCHEMA.to_owned(),
        target: project.target(&program),
        criteria: criteria.clone(),
        totals: ledger.totals(),
        by_criterion: criteria
            .iter()
            .map(|c| (c.name().to_owned(), ledger.totals_of(*c)))
            .collect(),
        analysis_s: (analysis.as_secs_f64() * 1e6).round() / 1e6,
        objectives: ObjectivesFile::of(&ledger).objectives,
    })
}
