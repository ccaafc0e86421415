//! Where a path of the original has come to mutants: from these snapshots the mutants are run.

use super::State;
use labrys_ir::FuncId;
use std::rc::Rc;

/// The instruction behind the choice of a mutant at which a call comes together with the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct JoinPlace {
    pub(crate) function: FuncId,
    pub(crate) pc: u32,
    /// The call in which the choice was made.
    pub(crate) serial: u64,
}

/// A place where the original came to a choice between mutants.
#[derive(Debug)]
pub(crate) struct MutantVisit {
    /// How many there were before it on the path.
    pub(crate) number: u32,
    pub(crate) point: u32,
    /// Before the choice.
    pub(crate) snapshot: Rc<State>,
    pub(crate) join: Option<JoinPlace>,
    before: Option<Rc<MutantVisit>>,
}

/// The original behind a choice.
#[derive(Debug)]
pub(crate) struct JoinedVisit {
    pub(crate) number: u32,
    /// The number of the first visit behind it: those before were made inside of the choice.
    pub(crate) next: u32,
    pub(crate) snapshot: Rc<State>,
    before: Option<Rc<JoinedVisit>>,
}

/// All visits of a path, newest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visits {
    newest: Option<Rc<MutantVisit>>,
    joined: Option<Rc<JoinedVisit>>,
    /// Visits whose join is still to come.
    pending: Rc<Vec<(u32, JoinPlace)>>,
}

impl Visits {
    pub(crate) fn add(&mut self, point: u32, snapshot: Rc<State>, join: Option<JoinPlace>) {
        let before = self.newest.take();
        let number = before.as_ref().map_or(0, |visit| visit.number + 1);
        if let Some(join) = join {
            Rc::make_mut(&mut self.pending).push((number, join));
        }
        self.newest = Some(Rc::new(MutantVisit {
            number,
            point,
            snapshot,
            join,
            before,
        }));
    }

    /// Is a visit waiting for this place?
    pub(crate) fn awaits(&self, place: JoinPlace) -> bool {
        self.pending.iter().any(|(_, join)| *join == place)
    }

    /// The path has come to a place that visits were waiting for.
    pub(crate) fn join(&mut self, place: JoinPlace, snapshot: &Rc<State>) {
        let next = self.count();
        let pending = Rc::make_mut(&mut self.pending);
        let (arrived, waiting): (Vec<_>, Vec<_>) =
            pending.drain(..).partition(|(_, join)| *join == place);
        *pending = waiting;
        for (number, _) in arrived {
            self.joined = Some(Rc::new(JoinedVisit {
                number,
                next,
                snapshot: snapshot.clone(),
                before: self.joined.take(),
            }));
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.newest.as_ref().map_or(0, |visit| visit.number + 1)
    }

    /// Newest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &MutantVisit> {
        std::iter::successors(self.newest.as_deref(), |visit| visit.before.as_deref())
    }

    /// Newest first.
    pub(crate) fn joined(&self) -> impl Iterator<Item = &JoinedVisit> {
        std::iter::successors(self.joined.as_deref(), |joined| joined.before.as_deref())
    }
}

impl Drop for MutantVisit {
    /// One after the other: a path may have more of them than the stack of this program bears.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut visit) = next.and_then(Rc::into_inner) {
            next = visit.before.take();
        }
    }
}

impl Drop for JoinedVisit {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut joined) = next.and_then(Rc::into_inner) {
            next = joined.before.take();
        }
    }
}
