//! One search of a unit: the engine alone, with a budget of iterations, and its curve.

use super::units::Loaded;
use labrys_budget::Deadline;
use labrys_driver::{Failure, Outcome};
use labrys_engine::{Config, Observer, Search, Stop, Work, explore};
use labrys_ledger::Criterion;
use std::time::Duration;

/// How a unit is searched.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub criterion: Criterion,
    pub search: Search,
    pub filter: bool,
    /// All paths, even when everything is covered.
    pub exhaust: bool,
    pub seed: u64,
    pub iterations: u64,
    pub time: Duration,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct UnitTrial {
    /// Objectives covered after 0, 1, 2… iterations, to the end of the search.
    pub curve: Vec<usize>,
    pub iterations: u64,
    pub queries: u64,
    /// Ended by the clock and not by the iterations.
    pub late: bool,
    /// Ended because no candidate was left.
    pub exhausted: bool,
}

impl UnitTrial {
    pub fn covered(&self) -> usize {
        self.curve.last().copied().unwrap_or(0)
    }
}

/// Searches once.
pub fn run(unit: &Loaded, plan: &Plan) -> Outcome<UnitTrial> {
    let config = Config {
        search: plan.search,
        filter: plan.filter,
        exhaust: plan.exhaust,
        seed: plan.seed,
        deadline: Deadline::after(plan.time),
        max_paths: Some(plan.iterations),
        ..Config::default()
    };
    let mut recorder = CurveRecorder { curve: vec![0] };
    let objectives = unit.map(plan.criterion);
    let report = explore(
        &unit.module,
        &unit.entry,
        &objectives,
        &config,
        &mut recorder,
    )
    .map_err(Failure::internal)?;
    Ok(UnitTrial {
        curve: recorder.curve,
        iterations: report.work.paths,
        queries: report.solver.queries,
        late: report.stop == Stop::Time,
        exhausted: report.stop == Stop::Exhausted,
    })
}

/// Writes the curve down.
struct CurveRecorder {
    curve: Vec<usize>,
}

impl Observer for CurveRecorder {
    fn progress(&mut self, work: &Work, _waiting: usize, covered: usize) {
        let now = work.paths as usize;
        let before = self.curve.last().copied().unwrap_or(0);
        self.curve.resize(now + 1, before);
        self.curve[now] = covered;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_has_a_value_for_every_iteration() {
        let mut recorder = CurveRecorder { curve: vec![0] };
        // The second run is discarded, the fourth is the third that counts.
        for (paths, covered) in [(1, 2), (1, 2), (2, 5), (4, 6)] {
            let work = Work {
                paths,
                ..Work::default()
            };
            recorder.progress(&work, 0, covered);
        }
        assert_eq!(recorder.curve, [0, 2, 5, 5, 6]);
    }
}
