//! What came of mutants that show nothing on a path: another mutant with the same state behind the same
//! place would do the same, and need not be run.

use super::beside::Parting;
use crate::state::{Roots, State};
use labrys_ir::SourceLoc;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// At most so many states are kept at one place of a path.
const MOST_STATES: usize = 8;

/// A run of a mutant that shows nothing, went only one way and had no other change on it.
#[derive(Clone)]
pub(super) struct KnownOutcome {
    /// The visit behind whose choice it begins.
    pub(super) visit: u32,
    /// The points of the mutant, none of which it came to again.
    pub(super) points: Vec<u32>,
    pub(super) state: Rc<State>,
    pub(super) parting: Parting,
    /// What rests on assumptions in it.
    pub(super) assumes: BTreeSet<String>,
    pub(super) masked_at: Option<SourceLoc>,
}

/// Those of each path.
#[derive(Default)]
pub(super) struct KnownOutcomes(FxHashMap<usize, Vec<KnownOutcome>>);

impl KnownOutcomes {
    pub(super) fn keep(&mut self, path: usize, outcome: KnownOutcome) {
        let known = self.0.entry(path).or_default();
        let here = known.iter().filter(|known| known.visit == outcome.visit);
        if here.count() < MOST_STATES {
            known.push(outcome);
        }
    }

    /// Those behind a visit that hold for a mutant with these points.
    pub(super) fn of(&self, path: usize, visit: u32, points: &[u32]) -> Vec<KnownOutcome> {
        let known = self.0.get(&path).into_iter().flatten();
        let holds = |known: &&KnownOutcome| {
            let mut points = points.iter();
            known.visit == visit && points.all(|point| known.points.contains(point))
        };
        known.filter(holds).cloned().collect()
    }

    /// Nobody needs a path any more.
    pub(super) fn drop_path(&mut self, path: usize) {
        self.0.remove(&path);
    }

    pub(super) fn mark(&self, roots: &mut Roots<'_>) {
        let all = self.0.values().flatten();
        all.for_each(|outcome| roots.snapshot(&outcome.state));
    }
}
