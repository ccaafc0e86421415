//! What the search gives back: paths that no mutant needs any more, expressions that nothing mentions,
//! and candidates when the memory is used up.

use super::pair_search::PairSearch;
use super::postponed::Postponed;
use labrys_budget::{EndCause, release_memory, resident_bytes};

/// Paths are looked through when there are so many new ones.
const PATHS: usize = 256;

/// The memory is looked at after so many turns.
const TURNS: u64 = 64;

/// Why nothing is proved after candidates were dropped.
const DROPPED: &str = "ways that were dropped to save memory";

impl PairSearch<'_> {
    pub(super) fn give_back(&mut self) {
        if self.paths.len() >= self.looked_through + PATHS {
            self.drop_paths();
            self.looked_through = self.paths.len();
        }
        self.turns += 1;
        if self.turns.is_multiple_of(TURNS) {
            self.keep_within_memory();
        }
        let (paths, waiting, mutants) = (&self.paths, &self.waiting, &self.killer.mutants);
        let (postponed, outcomes) = (&self.postponed, &self.outcomes);
        self.killer.runner.collect_but(|roots| {
            for kept in paths.iter().filter_map(|path| path.kept.as_ref()) {
                kept.mark(roots);
            }
            for waiting in waiting {
                waiting.candidate.mark(roots);
            }
            postponed.iter().for_each(|postponed| postponed.mark(roots));
            outcomes.mark(roots);
            for mutant in mutants {
                for fork in &mutant.forks {
                    fork.candidate.mark(roots);
                }
                mutant.infection.iter().for_each(|e| roots.expression(*e));
            }
        });
    }

    /// Drops the paths beside which no open mutant is still to be run.
    fn drop_paths(&mut self) {
        let mut needed = vec![false; self.paths.len()];
        for mutant in &self.killer.mutants {
            mutant.untried.iter().for_each(|path| needed[*path] = true);
            for fork in &mutant.forks {
                needed[fork.path] = true;
            }
        }
        for path in self.postponed.iter().filter_map(Postponed::path) {
            needed[path] = true;
        }
        for (number, (path, needed)) in self.paths.iter_mut().zip(needed).enumerate() {
            if !needed {
                path.kept = None;
                self.outcomes.drop_path(number);
            }
        }
    }

    /// Near the limit of memory the older half of what waits is given up.
    fn keep_within_memory(&mut self) {
        let config = self.killer.runner.machine.config;
        let limit = config.memory / 8 * 7;
        if resident_bytes().is_none_or(|used| used < limit) {
            return;
        }
        *self.killer.work.gaps.entry(DROPPED.to_owned()).or_default() += 1;
        let half = self.waiting.len() / 2;
        self.waiting.drain(..half);
        for mutant in &mut self.killer.mutants {
            let half = mutant.forks.len() / 2;
            mutant.forks.drain(..half);
            let half = mutant.untried.len() / 2;
            mutant.untried.drain(..half);
        }
        self.drop_paths();
        release_memory();
        if config.deadline.cause() == Some(EndCause::Memory) {
            config.deadline.set_memory_used_up(false);
        }
    }
}
