//! `mutate`: the mutants of a program, and which of them a suite kills. All mutants are in
//! one program, which is compiled once; each test that comes to a mutant is run natively with it
//! until one shows a difference.

mod result;

pub use result::{MutantList, MutantRecord, MutationTest, MutationWork, SuiteMutation};

use crate::abandon::unless_over;
use crate::failure::{Failure, Outcome};
use crate::imported::plan::TestPlan;
use crate::imported::{NativeBuild, SuiteRequest, cases};
use crate::native::open_sandbox;
use crate::program::{ProgramForm, Project};
use crate::request::Request;
use labrys_budget::Deadline;
use labrys_mutate::{ScoredMutants, score};
use labrys_suite::import::ImportedTests;
use labrys_suite::{ReplayError, ReplayLimits, Replayer};
use std::time::Instant;

/// Scores a suite, as far as there is time until the deadline. `progress` is told how many mutants
/// are done, and how many there are.
pub fn mutate(
    suite: SuiteRequest,
    deadline: &Deadline,
    progress: &mut dyn FnMut(usize, usize),
) -> Outcome<SuiteMutation> {
    let started = Instant::now();
    let (suite, builds) = suite.build(ProgramForm::NativeMutants, deadline)?;
    let mut work = MutationWork {
        build_s: started.elapsed().as_secs_f64(),
        ..MutationWork::default()
    };
    let limits = ReplayLimits {
        deadline: deadline.clone(),
        ..suite.project.request.parallel_replay_limits()
    };
    let plans = suite.plans(&builds)?;
    let (cases, numbers) = cases(&plans);
    let mutants = &builds[0].program.mutants;
    let replayers: Vec<&Replayer> = builds.iter().map(|build| &build.replayer).collect();
    let before = Instant::now();
    let mut done = |count: usize| progress(count, mutants.len());
    let scored = score(mutants, &replayers, &cases, &limits, &mut done);
    let scored = scored.map_err(|error| match error {
        ReplayError::Ended(cause) => Failure::ended(cause, "running the tests without mutants"),
        error => Failure::usage(error),
    })?;
    work.native_runs = scored.native_runs;
    work.run_s = before.elapsed().as_secs_f64();
    work.wall_s = started.elapsed().as_secs_f64();
    let target = suite.project.target(&builds[0].program);
    let mut result = SuiteMutation::new(target, mutants, &scored, work);
    result.tests = test_records(&suite.collection, &plans, &numbers, &scored)?;
    result.name_killers(&numbers);
    result.notes = notes(&suite.collection, &builds, &scored);
    Ok(result)
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
    collection: &ImportedTests,
    plans: &[(usize, TestPlan<'_>)],
    numbers: &[usize],
    scored: &ScoredMutants,
) -> Outcome<Vec<MutationTest>> {
    let mut records = Vec::new();
    for (place, (test, (_, plan))) in collection.tests.iter().zip(plans).enumerate() {
        let number = numbers.iter().position(|n| *n == place);
        let unusable = number.and_then(|n| scored.unusable.get(&n));
        let problem = match (&plan.inputs, unusable) {
            (Err(why), _) => Some(why.clone()),
            (_, Some(why)) => Some(why.to_string()),
            _ => None,
        };
        let unstable = number.and_then(|n| scored.unstable.get(&n));
        let killed_by = |v: &&labrys_mutate::MutantVerdict| {
            number.is_some() && v.killer.as_ref().map(|(test, _)| *test) == number
        };
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

fn notes(
    collection: &ImportedTests,
    builds: &[NativeBuild],
    scored: &ScoredMutants,
) -> Vec<String> {
    let mut notes = collection.notes.clone();
    notes.extend(builds[0].program.notes.iter().cloned());
    notes.extend(builds.iter().flat_map(|build| build.replayer.notes.clone()));
    notes.extend(open_sandbox(scored.missing));
    if scored.undecided > 0 {
        notes.push(format!(
            "time: {} mutants did not meet all of their tests and count as survived",
            scored.undecided
        ));
    }
    notes
}
