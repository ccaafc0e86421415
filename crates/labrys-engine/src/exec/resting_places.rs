//! What runs rest on without showing it: assumptions, gaps where Labrys could not go on, and errors
//! that end a run. Of errors only what can be reached from their places is affected; assumptions
//! and gaps concern the whole search, since harness and models do not say everywhere what they
//! take for granted, and what they say elsewhere in a run must stand for it.

use super::Machine;
use crate::end::FaultKind;
use crate::report::Unproved;
use crate::state::Frame;
use labrys_ir::FuncId;
use labrys_ledger::Assumption;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The callers of a place beyond this depth are not looked at: then everything counts as reachable.
const MOST_FRAMES: usize = 512;

/// Instructions from which on something is not shown.
#[derive(Debug, Default)]
pub(crate) struct NotedPlaces {
    /// Anything can be reached.
    pub(crate) anywhere: bool,
    /// The place itself, and for each caller the instruction behind its call.
    pub(crate) instructions: FxHashSet<(FuncId, u32)>,
    /// The place that was noted last. A loop notes the same one again and again.
    last: Option<(FuncId, u32, Option<Rc<Frame>>)>,
}

impl NotedPlaces {
    pub(crate) fn is_empty(&self) -> bool {
        !self.anywhere && self.instructions.is_empty()
    }

    fn add(&mut self, frame: &Frame) {
        if self.anywhere || self.is_last(frame) {
            return;
        }
        self.last = Some((frame.function, frame.pc, frame.parent.clone()));
        let mut next = Some(frame);
        for _ in 0..MOST_FRAMES {
            let Some(frame) = next else { return };
            self.instructions.insert((frame.function, frame.pc));
            next = frame.parent.as_deref();
        }
        self.anywhere = true;
    }

    fn is_last(&self, frame: &Frame) -> bool {
        let Some((function, pc, parent)) = &self.last else {
            return false;
        };
        let is_same_caller = match (parent, &frame.parent) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        };
        is_same_caller && *function == frame.function && *pc == frame.pc
    }
}

/// All that the runs rest on.
#[derive(Debug, Default)]
pub(crate) struct RestingPlaces {
    /// The texts of assumptions; there are few.
    assumptions: Vec<Rc<str>>,
    /// Errors that end a run here.
    first_errors: NotedPlaces,
    gaps: BTreeSet<String>,
    /// The harness looks at its own objects: that says nothing about the program.
    is_paused: bool,
}

impl RestingPlaces {
    fn assume(&mut self, text: &Rc<str>) {
        if !self.assumptions.contains(text) {
            self.assumptions.push(text.clone());
        }
    }

    /// The texts of the assumptions.
    pub(crate) fn assumptions(&self) -> Vec<String> {
        let errors = (!self.first_errors.is_empty()).then(|| Assumption::FirstError.to_string());
        let texts = self.assumptions.iter().map(ToString::to_string);
        texts.chain(errors).collect()
    }

    /// What is not shown of anything.
    pub(crate) fn everywhere(&self) -> impl Iterator<Item = Unproved> {
        let assumptions = self.assumptions.iter();
        let assumptions = assumptions.map(|text| Unproved::Assumes(text.to_string()));
        assumptions.chain(self.gaps.iter().cloned().map(Unproved::Gap))
    }

    /// Where errors end a run.
    pub(crate) fn first_errors(&self) -> &NotedPlaces {
        &self.first_errors
    }

    /// Labrys could not go on.
    pub(crate) fn add_gap(&mut self, reason: &str) {
        if !self.gaps.contains(reason) {
            self.gaps.insert(reason.to_owned());
        }
    }
}

impl Machine<'_> {
    /// The run rests on an assumption: a limit of the harness, a guess of a model.
    pub(crate) fn rest_on(&mut self, assumption: &Rc<str>) {
        if self.is_not_counted() || self.label_gap(|| Unproved::Assumes(assumption.to_string())) {
            return;
        }
        self.resting.assume(assumption);
    }

    /// The same where the whole path ends, even if a label's predicate is being evaluated.
    pub(crate) fn rest_on_path(&mut self, assumption: &Rc<str>) {
        if !self.is_not_counted() {
            self.resting.assume(assumption);
        }
    }

    /// A harness looks at its own objects, or calls a function once more: a proof does not need that.
    fn is_not_counted(&self) -> bool {
        self.resting.is_paused || self.state.extra_call
    }

    /// The run has ended with an error here, or would have: what C leaves undefined could go on
    /// from here.
    pub(crate) fn rest_on_first_error(&mut self, kind: FaultKind) {
        let counts = self.state.speculation.is_none() && !self.state.extra_call;
        if kind.is_undefined_behaviour() && counts {
            self.resting.first_errors.add(&self.state.frame);
        }
    }

    /// Does something for the harness, which rests on nothing.
    pub(super) fn without_resting<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.resting.is_paused = true;
        let done = work(self);
        self.resting.is_paused = false;
        done
    }

    /// What follows was not looked at, for a reason of Labrys.
    pub(crate) fn note_gap(&mut self, reason: &str) {
        if !self.state.extra_call {
            self.resting.add_gap(reason);
        }
    }
}
