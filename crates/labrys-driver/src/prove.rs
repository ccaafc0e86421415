//! `prove`: only the infeasibility proofs, without any search.

use crate::failure::{Failure, Outcome};
use crate::generate::proofs;
use crate::output::{ObjectivesFile, ProofFile};
use crate::program::{ProgramForm, Project};
use crate::request::Request;
use labrys_ledger::Ledger;
use labrys_suite::SCHEMA;
use std::time::Instant;

/// Why an objective that was not refuted is unknown here.
const UNKNOWN: &str = "no proof by analysis; labrys gen searches";

/// Refutes what an analysis of the whole program can refute.
pub fn prove(request: Request) -> Outcome<ProofFile> {
    let project = Project::open(request)?;
    let work = tempfile::tempdir().map_err(Failure::usage)?;
    let sizes = project.request.harness.sizes;
    let program = project.load(&ProgramForm::Annotated, sizes, work.path())?;
    let module = project.lift(&program)?;
    let started = Instant::now();
    let found = proofs::find(&program, &module, &project.libraries, &project.request);
    let analysis = started.elapsed();
    let mut ledger = Ledger::new(program.objectives.clone()).with_decisions(&program.decisions);
    for (index, proof) in found {
        ledger.refute(index, proof).map_err(Failure::internal)?;
    }
    for index in 0..ledger.objectives().len() {
        ledger.give_up(index, UNKNOWN);
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
