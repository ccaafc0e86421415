//! Behind some paths, an analysis of the whole program is asked about what is still open: by then most of what
//! is feasible is covered, and its work goes to what may be infeasible.

use super::Explorer;
use crate::bitset::BitSet;
use crate::config::Config;
use std::collections::BTreeSet;

/// The next look comes after so many times as many paths, and may take so many times as many steps. Nothing
/// is asked twice.
const NEXT_LOOK: u64 = 4;

/// Steps of the first look: about half a second, as much as the paths before it have taken in small programs.
const FIRST_STEPS: u64 = 2_000_000;

/// A look takes at most this part of the time that is left.
const PART_OF_TIME: u32 = 6;

/// When it is asked next.
pub(super) struct SourceLooks {
    /// After so many paths.
    pub(super) next: u64,
    steps: u64,
}

impl SourceLooks {
    pub(super) fn new(config: &Config) -> SourceLooks {
        // With every path wanted, nothing is left out.
        let is_asked = config.proofs.is_some() && !config.every_path && !config.exhaust;
        SourceLooks {
            next: match is_asked {
                true => config.ask_proofs_after,
                false => u64::MAX,
            },
            steps: FIRST_STEPS,
        }
    }
}

impl Explorer<'_> {
    pub(super) fn is_time_to_ask_source(&self) -> bool {
        self.shared.runs() >= self.source_looks.next && !self.machine.looks_at_sets()
    }

    /// Asks about what is open, and forgets what is infeasible.
    pub(super) fn ask_source(&mut self) {
        let m = &self.machine;
        let Some(source) = &m.config.proofs else {
            return;
        };
        let decided = self.shared.decided_objectives();
        let open = m.objectives.listed().filter(|o| !decided.contains(*o));
        let open: BTreeSet<usize> = open.collect();
        let deadline = match m.config.deadline.left() {
            Some(left) => m.config.deadline.within(left / PART_OF_TIME),
            None => m.config.deadline.clone(),
        };
        let found = source.ask(&open, self.source_looks.steps, &deadline);
        let mut infeasible = BitSet::default();
        for objective in found.objectives {
            infeasible.insert(objective);
        }
        self.leave_out(&infeasible);
        let looks = &mut self.source_looks;
        looks.steps = looks.steps.saturating_mul(NEXT_LOOK);
        looks.next = match found.is_done {
            true => u64::MAX,
            false => self.shared.runs().saturating_mul(NEXT_LOOK),
        };
    }
}
