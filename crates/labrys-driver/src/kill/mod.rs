//! `kill`: tests for the mutants that a suite leaves alive, and proofs that no test can kill the
//! others. The suite is scored natively, the engine searches from its tests on, and what it finds counts
//! as soon as native runs show it.

mod confirm;
mod native_kills;
mod predictions;
mod scored_suite;
mod search;
mod seeds;
mod suite_files;
mod verdicts;

use crate::failure::Outcome;
use crate::imported::SuiteRequest;
use crate::mutate::{MutantChoice, MutationResults};
use crate::output::OutDir;
use crate::program::ProgramForm;
use confirm::{ProposedKill, confirm};
use labrys_budget::{Deadline, release_memory};
use labrys_engine::KillOptions;
use labrys_mutate::ScoringProgress;
use scored_suite::ScoredSuite;
use search::{SearchedMutants, search};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use suite_files::GrownSuite;

/// What is kept back for native runs and files: a part of the time, within these bounds.
const RESERVED_PART: u32 = 8;
const LEAST_RESERVED: Duration = Duration::from_millis(500);
const MOST_RESERVED: Duration = Duration::from_secs(15);

/// Writing the suite may last so much longer than the time allows.
const OVERTIME: Duration = Duration::from_secs(2);

/// A suite and how the mutants are to be killed that it leaves alive.
pub struct KillRequest {
    pub suite: SuiteRequest,
    /// Where the results are written.
    pub out: Option<PathBuf>,
    /// Which mutants are looked at.
    pub choice: MutantChoice,
    pub options: KillOptions,
}

/// What `kill` is doing.
#[derive(Clone, Copy, Debug)]
pub enum KillProgress {
    /// The suite is scored.
    Suite(ScoringProgress),
    /// The engine looks for tests for so many mutants.
    Search { alive: usize },
    /// New tests are run natively.
    NewTests(ScoringProgress),
}

/// Looks for tests that kill what the suite leaves alive, as far as there is time until the deadline.
pub fn kill(
    request: KillRequest,
    deadline: &Deadline,
    progress: &mut dyn FnMut(KillProgress),
) -> Outcome<MutationResults> {
    let started = Instant::now();
    let (program, tests) = (request.suite.request.clone(), request.suite.tests.clone());
    let (suite, builds) = (request.suite).build(ProgramForm::NativeMutants, deadline)?;
    let out = suite.out_dir(request.out.as_deref())?;
    let reading = started.elapsed();
    let chosen = (request.choice, out.as_ref());
    let mut scored = ScoredSuite::score(&suite, &builds, chosen, deadline, &mut |done| {
        progress(KillProgress::Suite(done));
    })?;
    let alive: Vec<usize> = scored.alive();
    progress(KillProgress::Search { alive: alive.len() });
    let before = Instant::now();
    let found = match alive.is_empty() || deadline.is_over() {
        true => SearchedMutants::default(),
        false => {
            let limit = search_deadline(deadline, reading);
            let found = search(&suite, &builds, &scored, &alive, &request.options, &limit);
            match found {
                // What the suite kills is known all the same.
                Err(failure) if failure.is_end() => SearchedMutants::default(),
                found => found?,
            }
        }
    };
    let search_s = before.elapsed().as_secs_f64();
    // Processes are started from here on, which takes long for a large one.
    release_memory();
    let new = ProposedKill::all_of(&found);
    let told = &mut |done| progress(KillProgress::NewTests(done));
    // The suite with its new tests is read once more.
    let limit = earlier(deadline, 2 * reading);
    confirm(&suite, &builds, new, &found, &mut scored, (&limit, told))?;
    let search_work = found.work(search_s);
    verdicts::conclude(&suite, &found, &alive, &mut scored);
    let names = scored.named(&suite, &builds[0].program.mutants);
    let mut results = scored.results(&names)?;
    results.summary.work.search = Some(search_work);
    results.summary.work.build_s = reading.as_secs_f64();
    results.summary.work.wall_s = started.elapsed().as_secs_f64();
    let grown = GrownSuite {
        request: program,
        entries: &builds[0].program.entries,
        sizes: builds[0].sizes,
        target: suite.project.target(&builds[0].program),
        joined: scored.joined.iter().zip(names).collect(),
        tests,
    };
    let after = deadline.later_by(OVERTIME.max(reading));
    match (out, &grown.tests[..]) {
        (Some(out), _) => grown.write_to(&out, &mut results, &after)?,
        (None, [dir]) if OutDir::open(dir).is_ok() => {
            let dir = dir.clone();
            grown.join(&dir, &mut results, &after)?;
        }
        _ => {}
    }
    Ok(results)
}

/// The end of the search: what follows it needs time, too, such as reading the program, which has taken
/// so long.
fn search_deadline(whole: &Deadline, reading: Duration) -> Deadline {
    let Some(left) = whole.left() else {
        return whole.clone();
    };
    let reserved = (left / RESERVED_PART).clamp(LEAST_RESERVED, MOST_RESERVED);
    // The program is read again for the suite with its new tests.
    earlier(whole, reserved + 2 * reading)
}

/// So much before the end, at most half of the time that is left.
fn earlier(whole: &Deadline, reserved: Duration) -> Deadline {
    match whole.left() {
        Some(left) => whole.within(left - reserved.min(left / 2)),
        None => whole.clone(),
    }
}
