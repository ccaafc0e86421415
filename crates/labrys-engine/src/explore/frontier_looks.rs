//! The search and the frontier: after a while the states of the tests so far are given to the way backward,
//! which may exclude objectives. Nobody looks for these any more.

use super::Explorer;
use crate::bitset::BitSet;
use crate::config::{Config, Search, WorkAmount};
use crate::error::EngineError;
use crate::exec::trail::Trail;
use crate::exec::{Machine, Observations, RunMode};
use crate::frontier::Frontier;
use crate::program::{Program, mark_blocks};
use crate::report::Stop;
use labrys_solver::Solver;

/// The next look comes after so many times as many paths.
const NEXT_LOOK: u64 = 4;

/// A look may cost this part of the work of the search so far.
const PART: u64 = 4;

/// But at least so much.
const LEAST: WorkAmount = WorkAmount {
    instructions: 400_000,
    queries: 3_000,
};

/// A run is followed for so many instructions.
const LONGEST_RUN: u64 = 1_000_000;

/// At most so many runs are followed in one look.
const MOST_RUNS: usize = 256;

/// What the way backward knows, and when it is asked next.
pub(super) struct FrontierLooks<'m> {
    frontier: Option<Frontier<'m>>,
    /// After so many paths.
    pub(super) next: u64,
    /// So many tests were followed.
    followed: usize,
}

impl FrontierLooks<'_> {
    pub(super) fn never() -> Self {
        FrontierLooks {
            frontier: None,
            next: u64::MAX,
            followed: 0,
        }
    }
}

/// After how many paths it is asked for the first time.
pub(super) fn first_look(config: &Config) -> u64 {
    // With every path wanted, nothing is left out.
    match config.every_path || config.exhaust {
        true => u64::MAX,
        false => config.frontier_after,
    }
}

impl Explorer<'_> {
    /// Asks the way backward what nothing can cover.
    pub(super) fn look_at_frontier(&mut self) -> Result<(), EngineError> {
        self.looks.next = self.shared.paths().max(1).saturating_mul(NEXT_LOOK);
        let m = &self.machine;
        if self.looks.frontier.is_none() {
            let made = Frontier::new(m.program, self.entry, m.objectives, m.config)?;
            let Some(made) = made else {
                self.looks.next = u64::MAX;
                return Ok(());
            };
            self.looks.frontier = Some(made);
        }
        self.follow_tests()?;
        let done = self.machine.work_done();
        let most = WorkAmount {
            instructions: (done.instructions / PART).max(LEAST.instructions),
            queries: (done.queries / PART).max(LEAST.queries),
        };
        let decided = self.shared.decided_objectives();
        let config = self.machine.config;
        let mut excluded = BitSet::default();
        if let Some(frontier) = &mut self.looks.frontier {
            frontier.search(&decided, most, config);
            for (objective, proof) in frontier.excluded() {
                excluded.insert(*objective);
                self.frontier_proofs.insert(*objective, proof.clone());
            }
            self.frontier_sizes = frontier.sizes().to_vec();
        }
        self.leave_out(&excluded);
        Ok(())
    }

    /// A search that has ended may have left something open; what it has shown helps to decide it.
    pub(super) fn last_look_at_frontier(&mut self, stop: Stop) -> Result<(), EngineError> {
        let is_open = self.shared.decided() < self.machine.objectives.count;
        let is_over = self.machine.config.should_stop();
        match stop == Stop::Exhausted && is_open && !is_over && self.looks.next != u64::MAX {
            true => self.look_at_frontier(),
            false => Ok(()),
        }
    }

    /// Runs the tests that have come since the last look, and takes in the states that they go through.
    fn follow_tests(&mut self) -> Result<(), EngineError> {
        let Some(frontier) = &mut self.looks.frontier else {
            return Ok(());
        };
        let m = &self.machine;
        let mut marked = m.program.module.clone();
        mark_blocks(&mut marked, |function| frontier.is_followed(function));
        let program = Program::new(&marked);
        let config = Config {
            search: Search::Dfs,
            ..m.config.clone()
        };
        let mut options = config.solver.clone();
        options.deadline = config.deadline.clone();
        let solver = Solver::new(options)?;
        let mut follower = Machine::new(&program, &config, m.objectives, solver, self.entry);
        let root = follower.state.clone();
        let new = &self.tests[self.looks.followed..];
        for test in &new[..new.len().min(MOST_RUNS)] {
            let trail = Trail {
                given: test.inputs.clone(),
                ..Trail::default()
            };
            follower.observations = Some(Box::new(Observations::of(frontier.globals())));
            follower.mode = RunMode::Follow(Box::new(trail));
            follower.current.set(std::rc::Rc::default());
            follower.state = root.clone();
            follower.pace.slice_end = LONGEST_RUN;
            follower.run();
            if let Some(observations) = follower.observations.take() {
                frontier.learn(&observations.states);
            }
        }
        self.looks.followed = self.tests.len();
        Ok(())
    }
}
