//! `mutate`: the mutants of a program, and which of them a suite kills. All mutants are in
//! one program, which is compiled once; each test that comes to a mutant is run natively with it
//! until one shows a difference.

mod fingerprint;
mod result;
mod trivial;

pub use result::{MutantList, MutationResults, MutationTest, MutationWork, SuiteMutation};
pub use trivial::TrivialMutants;

use crate::abandon::unless_over;
use crate::failure::{Failure, Outcome};
use crate::imported::plan::TestPlan;
use crate::imported::{ImportedSuite, NativeBuild, SuiteRequest, cases};
use crate::native::open_sandbox;
use crate::output::mutants::{MutantRecord, MutantsFile};
use crate::program::{ProgramForm, Project};
use crate::request::Request;
use labrys_budget::{Deadline, EndCause};
use labrys_mutate::{MutantVerdict, ScoredMutants, ScoringProgress, score_among};
use labrys_suite::{ReplayLimits, Replayer};
use std::path::PathBuf;
use std::time::Instant;

/// A suite to be scored, and how.
pub struct MutationRequest {
    pub suite: SuiteRequest,
    /// Where the results are written.
    pub out: Option<PathBuf>,
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
    let trivial = match request.compare_code {
        true => TrivialMutants::find(&suite.project, &builds[0].program, deadline)?,
        false => TrivialMutants::default(),
    };
    let build_s = started.elapsed().as_secs_f64();
    let mut results = scored(&suite, &builds, &trivial, deadline, progress)?;
    results.summary.work.build_s = build_s;
    results.summary.work.wall_s = started.elapsed().as_secs_f64();
    if let Some(out) = out {
        out.clear()?;
        results.write(&out)?;
    }
    Ok(results)
}

/// Runs the tests and puts together what they have shown.
fn scored(
    suite: &ImportedSuite,
    builds: &[NativeBuild],
    trivial: &TrivialMutants,
    deadline: &Deadline,
    progress: &mut dyn FnMut(ScoringProgress),
) -> Outcome<MutationResults> {
    let limits = ReplayLimits {
        deadline: deadline.clone(),
        ..suite.project.request.parallel_replay_limits()
    };
    let program = &builds[0].program;
    let plans = suite.plans(builds)?;
    let (cases, numbers) = cases(&plans);
    let replayers: Vec<&Replayer> = builds.iter().map(|build| &build.replayer).collect();
    let before = Instant::now();
    let needed = |mutant: usize, tests: Vec<usize>| match trivial.contains(mutant) {
        true => Vec::new(),
        false => tests,
    };
    let mutants = &program.mutants;
    let scored = score_among(mutants, &replayers, &cases, &needed, &limits, progress);
    let mut scored = scored.map_err(Failure::usage)?;
    trivial.enter(&mut scored.verdicts);
    let mut file = MutantsFile::new(suite.project.target(program));
    file.sources = fingerprint::sources(&program.units);
    file.tests = fingerprint::tests(&suite.collection.tests);
    let name = |place: &usize| file.tests[*place].name.clone();
    let names: Vec<String> = numbers.iter().map(name).collect();
    let records = program.mutants.iter().zip(&scored.verdicts);
    let records = records.map(|(mutant, verdict)| MutantRecord::new(mutant, verdict, &names));
    file.mutants = records.collect();
    let mut summary = SuiteMutation::new(file.target.clone(), &file.mutants);
    summary.tests = test_records(suite, &plans, &numbers, &scored)?;
    summary.notes = notes(suite, builds, &scored);
    summary.work.native_runs = scored.native_runs;
    summary.work.run_s = before.elapsed().as_secs_f64();
    summary.stop = match deadline.cause() {
        None => "done",
        Some(EndCause::Interrupted | EndCause::Cancelled) => "interrupted",
        Some(EndCause::Memory) => "memory",
        Some(EndCause::Time) => "time",
    };
    Ok(MutationResults { summary, file })
}

/// The mutants of a program, without any run.
pub fn list_mutants(request: Request, deadline: &Deadline) -> Outcome<MutantList> {
    let whole = deadline.clone();
    unless_over(deadline, "reading the program", move || {
        let project = Project::open_in_time(request, &whole)?;
        let work = tempfile::tempdir().map_err(Failure::usage)?;
        let sizes = project.request.harness.sizes;
        let found = project.load(&ProgramForm::NativeMutants, sizes, work.path())?;
        let target = project.target(&found);
        Ok(MutantList::new(target, found.mutants, found.notes))
    })
}

fn test_records(
    suite: &ImportedSuite,
    plans: &[(usize, TestPlan<'_>)],
    numbers: &[usize],
    scored: &ScoredMutants,
) -> Outcome<Vec<MutationTest>> {
    let mut records = Vec::new();
    for (place, (test, (_, plan))) in suite.collection.tests.iter().zip(plans).enumerate() {
        let number = numbers.iter().position(|n| *n == place);
        let unusable = number.and_then(|n| scored.unusable.get(&n));
        let problem = match (&plan.inputs, unusable) {
            (Err(why), _) => Some(why.clone()),
            (_, Some(why)) => Some(why.to_string()),
            _ => None,
        };
        let unstable = number.and_then(|n| scored.unstable.get(&n));
        let killed_by =
            |v: &&MutantVerdict| number.is_some() && v.killed_by.first() == number.as_ref();
        records.push(MutationTest {
            id: place as u32 + 1,
            name: test.name.clone(),
            kills: scored.verdicts.iter().filter(killed_by).count(),
            problem,
            unstable: unstable.cloned().unwrap_or_default(),
        });
    }
    match records.iter().find(|record| record.problem.is_some()) {
        Some(first) if records.iter().all(|record| record.problem.is_some()) => {
            Err(Failure::usage(format_args!(
                "none of the {} tests can be used: {}: {}",
                records.len(),
                first.name,
                first.problem.as_deref().unwrap_or_default()
            )))
        }
        _ => Ok(records),
    }
}

fn notes(suite: &ImportedSuite, builds: &[NativeBuild], scored: &ScoredMutants) -> Vec<String> {
    let mut notes = suite.collection.notes.clone();
    notes.extend(builds[0].program.notes.iter().cloned());
    notes.extend(builds.iter().flat_map(|build| build.replayer.notes.clone()));
    notes.extend(open_sandbox(scored.missing));
    if scored.undecided > 0 {
        notes.push(format!(
            "time: {} mutants did not meet all of their tests; they count as survived, with the reason \"time\"",
            scored.undecided
        ));
    }
    notes
}
