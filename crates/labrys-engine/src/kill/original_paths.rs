//! The paths of the original, as far as they were run: how each ended, where it came to mutants, and
//! the candidates that it left behind.

use super::choice::StackId;
use super::difference::EndedRun;
use crate::candidates::Candidate;
use crate::exec::trail::Alternative;
use crate::state::{JoinPlace, Roots, State};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A place where a path comes to a mutant.
#[derive(Clone)]
pub(super) struct PathVisit {
    pub(super) snapshot: Rc<State>,
    pub(super) join: Option<JoinPlace>,
    /// The original behind the choice.
    pub(super) joined: Option<Rc<State>>,
}

/// A path of the original.
pub(super) struct OriginalPath {
    /// How many forks come before the first visit of each point.
    forks: BTreeMap<u32, u32>,
    visits: BTreeMap<u32, u32>,
    /// What mutants need to be run beside it; gone when none needs it any more.
    pub(super) kept: Option<Rc<KeptPath>>,
}

/// A path that mutants can be run beside.
pub(super) struct KeptPath {
    pub(super) run: EndedRun,
    /// With their points, in their order.
    visits: Vec<(u32, PathVisit)>,
}

impl KeptPath {
    /// The visits of these points, in their order.
    pub(super) fn visits_of(&self, points: impl Iterator<Item = u32>) -> Vec<PathVisit> {
        let points: Vec<u32> = points.collect();
        let visits = self.visits.iter();
        let wanted = visits.filter(|(point, _)| points.contains(point));
        wanted.map(|(_, visit)| visit.clone()).collect()
    }

    pub(super) fn mark(&self, roots: &mut Roots<'_>) {
        roots.snapshot(&self.run.state);
        for (_, visit) in &self.visits {
            roots.snapshot(&visit.snapshot);
            if let Some(joined) = &visit.joined {
                roots.snapshot(joined);
            }
        }
    }
}

impl OriginalPath {
    /// `counts` says that the run is one that mutants can be compared with.
    pub(super) fn new(run: EndedRun, counts: bool) -> Self {
        let noted = &run.state.visits;
        let mut joined: BTreeMap<u32, Rc<State>> = BTreeMap::new();
        for join in noted.joined() {
            joined.insert(join.number, join.snapshot.clone());
        }
        let mut path = OriginalPath {
            forks: BTreeMap::new(),
            visits: BTreeMap::new(),
            kept: None,
        };
        let mut visits: Vec<(u32, PathVisit)> = Vec::new();
        for visit in noted.iter() {
            path.forks.insert(visit.point, visit.snapshot.forks);
            *path.visits.entry(visit.point).or_default() += 1;
            let kept = PathVisit {
                snapshot: visit.snapshot.clone(),
                join: visit.join,
                joined: joined.get(&visit.number).cloned(),
            };
            visits.push((visit.point, kept));
        }
        visits.reverse();
        path.kept = counts.then(|| Rc::new(KeptPath { run, visits }));
        path
    }

    /// The points that it comes to.
    pub(super) fn points(&self) -> impl Iterator<Item = u32> + '_ {
        self.forks.keys().copied()
    }

    /// The number of forks before the path comes to a point.
    pub(super) fn forks_before(&self, point: u32) -> Option<u32> {
        self.forks.get(&point).copied()
    }

    /// May there be more visits of these points than were noted?
    pub(super) fn is_cut(&self, changes: &[Alternative], most: u32) -> bool {
        let many = |change: &Alternative| self.visits.get(&change.point) >= Some(&most);
        changes.iter().any(many)
    }
}

/// A way that a path of the original could have gone.
pub(super) struct WaitingCandidate {
    pub(super) candidate: Candidate,
    /// The path that left it.
    pub(super) path: usize,
    pub(super) stack: StackId,
}

impl WaitingCandidate {
    /// Can it go on at a place where it was before: by `longjmp`, or in the handler of a fault?
    pub(super) fn may_jump(&self) -> bool {
        let state = self.candidate.snapshot.as_ref();
        state.is_none_or(|state| !state.jumps.is_empty() || state.handled_faults != 0)
    }
}
