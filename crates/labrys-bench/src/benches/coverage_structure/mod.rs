//! `bench coverage-structure`: the filter and the search strategies, as in the tables and figures of
//! the paper on coverage structures (`docs/papers.md`).
//!
//! Tables I and II: depth first, which enumerates all paths, the same until everything is covered,
//! and with the filter: iterations, solved constraints, coverage. Figures 4 and 5: every strategy
//! with the same number of iterations a unit; means over seeds of what is covered after k iterations
//! of each unit, summed over the units of a group. An iteration is a run of the engine that came to
//! an end; the curves are the engine's coverage, and the default search is replayed natively once
//! for each unit.

mod means;
mod native;
mod report;
mod trial;
mod units;

use super::corpus::{self, sample::Objects};
use super::lab::Lab;
use super::{Findings, announce};
use crate::arguments::BenchArgs;
use labrys_driver::{Failure, Outcome};
use labrys_engine::Search;
use labrys_ledger::Criterion;
use means::Mean;
use native::Native;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use trial::{Plan, UnitTrial};
use units::{Loaded, OWN, Places, Unit};

/// The criteria of the tables and figures, as far as this build has them.
const CRITERIA: [&str; 2] = ["branch", "mcdc"];

/// Strategies that no seed changes are run once.
const SEEDLESS: [&str; 2] = ["dfs", "bfs"];

/// Seeds and iterations of the paper.
const SEEDS: u64 = 30;
const ITERATIONS: u64 = 100;

/// The budget of a search of the tables; loops without a bound must end somewhere.
const TABLE_ITERATIONS: u64 = 2000;

/// The time of one search, beyond which its curve stays where it is.
const TIME: Duration = Duration::from_secs(2);

/// What is asked for.
struct ComparisonPlan {
    criteria: Vec<Criterion>,
    strategies: Vec<(&'static str, Search)>,
    seeds: u64,
    iterations: u64,
    time: Duration,
}

/// Everything about one unit and one criterion.
struct CurveFigures {
    criterion: Criterion,
    objectives: usize,
    /// Depth first in its three forms.
    table: [UnitTrial; 3],
    /// By strategy, in the order of the request.
    means: Vec<Mean>,
    /// Searches that the clock ended.
    late: usize,
}

/// Everything about one unit.
struct Outcomes {
    unit: Unit,
    by_criterion: Vec<CurveFigures>,
    native: Option<Native>,
    /// Why there is nothing.
    failed: Option<String>,
}

pub fn run(lab: &Lab, args: &BenchArgs) -> Outcome<Findings> {
    let started = Instant::now();
    let units = units::list(args)?;
    let known = CRITERIA.iter().filter_map(|name| name.parse().ok());
    let request = ComparisonPlan {
        criteria: known.collect(),
        strategies: Search::NAMES.to_vec(),
        seeds: args.seeds.unwrap_or(SEEDS),
        iterations: args.iterations.unwrap_or(ITERATIONS),
        time: args.time.map_or(TIME, |time| time.0),
    };
    let places = places(lab, &units)?;
    let outcomes = run_all(&units, &places, &request, args.jobs)?;
    let mut findings = report::findings(&outcomes, &request);
    if let Some(dir) = &args.plots {
        report::write_plots(&outcomes, &request, dir)?;
    }
    let notes = &mut findings.notes;
    notes.push(format!("{:.0} s in all", started.elapsed().as_secs_f64()));
    Ok(findings)
}

/// Fetches and builds the packages that are needed, and writes our own programs.
fn places(lab: &Lab, units: &[Unit]) -> Outcome<Places> {
    let own = lab.path().join("own");
    units::write_own(&own)?;
    let mut packages: Vec<String> = units.iter().map(|u| u.group.clone()).collect();
    packages.retain(|group| group != OWN);
    packages.dedup();
    let objects = match packages.is_empty() {
        true => None,
        false => {
            let corpus = corpus::fetch_and_build(&packages)?;
            Some(Objects::find(&corpus, &packages)?)
        }
    };
    Ok(Places { own, objects })
}

/// Runs all units, several at a time, and gives them back in their order.
fn run_all(
    units: &[Unit],
    places: &Places,
    request: &ComparisonPlan,
    jobs: Option<usize>,
) -> Outcome<Vec<Outcomes>> {
    let threads =
        jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let waiting = Mutex::new(units.iter().enumerate());
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let work = || -> Outcome<()> {
            loop {
                let next = waiting.lock().map_err(poisoned)?.next();
                let Some((number, unit)) = next else {
                    return Ok(());
                };
                let begun = Instant::now();
                let outcomes = run_unit(unit, places, request)?;
                let seconds = begun.elapsed().as_secs_f64();
                announce("coverage-structure", &report::line(&outcomes, seconds));
                done.lock().map_err(poisoned)?.push((number, outcomes));
            }
        };
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|_| Err(Failure::internal("a thread of the benchmark panicked")))
        })
    })?;
    let mut done = done.into_inner().map_err(poisoned)?;
    done.sort_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, outcomes)| outcomes).collect())
}

fn poisoned<T>(_: T) -> Failure {
    Failure::internal("a thread of the benchmark panicked")
}

fn run_unit(unit: &Unit, places: &Places, request: &ComparisonPlan) -> Outcome<Outcomes> {
    let mut outcomes = Outcomes {
        unit: unit.clone(),
        by_criterion: Vec::new(),
        native: None,
        failed: None,
    };
    let Some(program) = places.request(unit) else {
        outcomes.failed = Some("its source is not in the package".to_owned());
        return Ok(outcomes);
    };
    let loaded = match Loaded::read(unit, program.clone(), &request.criteria) {
        Ok(loaded) => loaded,
        Err(failure) => {
            outcomes.failed = failure.message.lines().next().map(str::to_owned);
            return Ok(outcomes);
        }
    };
    for criterion in &request.criteria {
        outcomes
            .by_criterion
            .push(figures(&loaded, *criterion, request)?);
    }
    let (iterations, time) = (request.iterations, request.time);
    outcomes.native = Some(native::check(unit, &program, iterations, time)?);
    Ok(outcomes)
}

/// All searches of one unit for one criterion.
fn figures(
    loaded: &Loaded,
    criterion: Criterion,
    request: &ComparisonPlan,
) -> Outcome<CurveFigures> {
    let plain = Plan {
        criterion,
        search: Search::Dfs,
        filter: false,
        exhaust: true,
        seed: 0,
        iterations: TABLE_ITERATIONS,
        time: request.time,
    };
    let stopping = Plan {
        exhaust: false,
        ..plain
    };
    let filtered = Plan {
        filter: true,
        ..stopping
    };
    let table = [
        trial::run(loaded, &plain)?,
        trial::run(loaded, &stopping)?,
        trial::run(loaded, &filtered)?,
    ];
    let mut late = table.iter().filter(|trial| trial.late).count();
    let mut means = Vec::new();
    for (name, search) in &request.strategies {
        let seeds = match SEEDLESS.contains(name) {
            true => 1,
            false => request.seeds.max(1),
        };
        let mut trials = Vec::new();
        for seed in 0..seeds {
            let plan = Plan {
                search: *search,
                seed,
                iterations: request.iterations,
                ..filtered
            };
            trials.push(trial::run(loaded, &plan)?);
        }
        late += trials.iter().filter(|trial| trial.late).count();
        means.push(Mean::of(&trials, request.iterations));
    }
    Ok(CurveFigures {
        criterion,
        objectives: loaded.total(criterion),
        table,
        means,
        late,
    })
}
