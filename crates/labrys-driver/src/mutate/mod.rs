//! `mutate`: the mutants of a program, and which of them a suite kills. All mutants are in
//! one program, which is compiled once; each test that comes to a mutant is run natively with it
//! until one shows a difference.

mod command;
mod fingerprint;
mod former;
mod merge;
mod result;
mod run;
mod subsumption;
mod trivial;

pub use command::{CommandRequest, mutate_by_commands};
pub(crate) use fingerprint::hash_of_test;
pub use merge::{FileOfDir, merge, merged};
pub use result::{
    KillSearchWork, MutantList, MutationResults, MutationTest, MutationWork, SuiteMutation,
};
pub(crate) use run::{JoinedTest, MutationRun};

use crate::abandon::unless_over;
use crate::failure::{Failure, Outcome};
use crate::imported::SuiteRequest;
use crate::program::{ProgramForm, Project};
use crate::request::{Request, Shard};
use labrys_budget::Deadline;
use labrys_mutate::ScoringProgress;
use std::path::PathBuf;
use std::time::Instant;

/// A suite to be scored, and how.
pub struct MutationRequest {
    pub suite: SuiteRequest,
    /// Where the results are written.
    pub out: Option<PathBuf>,
    pub choice: MutantChoice,
    /// Mutants that others subsume are not counted.
    pub subsuming: bool,
}

/// Which mutants are run.
#[derive(Clone, Copy, Debug, Default)]
pub struct MutantChoice {
    /// Only this part of the mutants.
    pub shard: Option<Shard>,
    /// What the results in the output directory decide is not run again.
    pub iterate: bool,
    /// Whether the code of mutants is compared before any run.
    pub compare_code: bool,
}

/// Scores a suite, as far as there is time until the deadline. What is known then is written to
/// the output directory.
pub fn mutate(
    request: MutationRequest,
    deadline: &Deadline,
    progress: &mut dyn FnMut(ScoringProgress),
) -> Outcome<MutationResults> {
    let started = Instant::now();
    let (suite, builds) = (request.suite).build(ProgramForm::NativeMutants, deadline)?;
    let out = suite.out_dir(request.out.as_deref())?;
    let build_s = started.elapsed().as_secs_f64();
    let plans = suite.plans(&builds)?;
    let mut run = MutationRun::new(&suite, &builds, &plans, deadline);
    run.choose(request.choice, out.as_ref())?;
    let scored = run.score(&plans, progress)?;
    if request.subsuming {
        run.drop_subsumed(&plans, &scored, progress)?;
    }
    let mut results = run.results(&plans, &scored, &[])?;
    results.summary.work.build_s = build_s;
    results.summary.work.wall_s = started.elapsed().as_secs_f64();
    if let Some(out) = out {
        out.clear()?;
        results.write(&out)?;
    }
    Ok(results)
}

/// The mutants of a program or of a part of them, without any run.
pub fn list_mutants(
    request: Request,
    shard: Option<Shard>,
    deadline: &Deadline,
) -> Outcome<MutantList> {
    let whole = deadline.clone();
    unless_over(deadline, "reading the program", move || {
        let project = Project::open_in_time(request, &whole)?;
        let work = tempfile::tempdir().map_err(Failure::usage)?;
        let sizes = project.request.harness.sizes;
        let found = project.load(&ProgramForm::NativeMutants, sizes, work.path())?;
        let target = project.target(&found);
        let mutants = found.mutants.into_iter().enumerate();
        let in_part = |place: usize| shard.is_none_or(|shard| shard.has(place));
        let mutants = mutants.filter(|(place, _)| in_part(*place));
        let mutants = mutants.map(|(_, mutant)| mutant).collect();
        Ok(MutantList::new(target, mutants, found.notes))
    })
}
