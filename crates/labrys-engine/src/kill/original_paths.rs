//! The paths of the original, as far as they were run: how each ended, where it came to mutants, and
//! the candidates that it left behind.

use super::choice::StackId;
use super::difference::EndedRun;
use super::killer::MOST_VISITS;
use crate::candidates::Candidate;
use crate::exec::place;
use crate::state::{JoinPlace, Roots, State};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A place where a path comes to a mutant.
#[derive(Clone)]
pub(super) struct PathVisit {
    pub(super) number: u32,
    pub(super) snapshot: Rc<State>,
    pub(super) join: Option<JoinPlace>,
    /// The original behind the choice.
    pub(super) joined: Option<PathJoin>,
    /// There may be more visits of its point behind it than were noted.
    is_last: bool,
}

/// Where a choice ends on a path.
#[derive(Clone)]
pub(super) struct PathJoin {
    pub(super) state: Rc<State>,
    /// The number of the first visit behind it.
    pub(super) next: u32,
}

impl PathVisit {
    /// Was it made inside of the choice of an earlier one? A mutant may not come there.
    pub(super) fn is_inside(&self, earlier: &PathVisit) -> bool {
        let joined = earlier.joined.as_ref();
        joined.is_some_and(|join| (earlier.number + 1..join.next).contains(&self.number))
    }

    /// May visits that were not noted follow on this one, or on one inside of its choice?
    pub(super) fn is_cut(&self, all: &[PathVisit]) -> bool {
        let mut inside = all.iter().filter(|visit| visit.is_inside(self));
        self.is_last || inside.any(|visit| visit.is_last)
    }
}

/// A path of the original.
pub(super) struct OriginalPath {
    /// How many forks come before the first visit of each point.
    forks: BTreeMap<u32, u32>,
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

    /// The visits of all points from one on, before those of which some may be missing: behind the last
    /// that was noted of a mutant's own it has to be run to its end.
    pub(super) fn meetings(&self, own: &[PathVisit], first: u32) -> Vec<(JoinPlace, u32)> {
        let cut = own.iter().filter(|visit| visit.is_last);
        let cut = cut.map(|visit| visit.number).min();
        let visits = self.visits.iter().map(|(_, visit)| visit);
        let visits = visits.skip_while(|visit| visit.number < first);
        let visits = visits.take_while(|visit| cut.is_none_or(|cut| visit.number <= cut));
        visits.map(|v| (place(&v.snapshot), v.number)).collect()
    }

    /// The state of the path at a visit.
    pub(super) fn state_at(&self, number: u32) -> Option<&Rc<State>> {
        let mut visits = self.visits.iter().map(|(_, visit)| visit);
        let visit = visits.find(|visit| visit.number == number)?;
        Some(&visit.snapshot)
    }

    pub(super) fn mark(&self, roots: &mut Roots<'_>) {
        roots.snapshot(&self.run.state);
        for (_, visit) in &self.visits {
            roots.snapshot(&visit.snapshot);
            if let Some(joined) = &visit.joined {
                roots.snapshot(&joined.state);
            }
        }
    }
}

impl OriginalPath {
    /// `counts` says that the run is one that mutants can be compared with.
    pub(super) fn new(run: EndedRun, counts: bool) -> Self {
        let noted = &run.state.visits;
        let mut joined: BTreeMap<u32, PathJoin> = BTreeMap::new();
        for join in noted.joined() {
            let state = join.snapshot.clone();
            let next = join.next;
            joined.insert(join.number, PathJoin { state, next });
        }
        let mut counts_by_point: BTreeMap<u32, u32> = BTreeMap::new();
        for visit in noted.iter() {
            *counts_by_point.entry(visit.point).or_default() += 1;
        }
        let mut path = OriginalPath {
            forks: BTreeMap::new(),
            kept: None,
        };
        let mut visits: Vec<(u32, PathVisit)> = Vec::new();
        for visit in noted.iter() {
            // Newest first.
            let is_newest = !path.forks.contains_key(&visit.point);
            path.forks.insert(visit.point, visit.snapshot.forks);
            let kept = PathVisit {
                number: visit.number,
                snapshot: visit.snapshot.clone(),
                join: visit.join,
                joined: joined.get(&visit.number).cloned(),
                is_last: is_newest && counts_by_point[&visit.point] >= MOST_VISITS,
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
