//! Where runs begin to rest on something that is not shown: on an assumption, or on nothing at all
//! because Labrys could not go on. Only what can be reached from such a place is affected by it.

use super::Machine;
use crate::end::FaultKind;
use crate::report::Unproved;
use crate::state::Frame;
use labrys_ir::FuncId;
use labrys_ledger::Assumption;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The callers of a place beyond this depth are not looked at: then everything counts as reachable.
const MOST_FRAMES: usize = 512;

/// The instructions from which on something is not shown.
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
    fn is_empty(&self) -> bool {
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

/// All that the runs rest on, with the places.
#[derive(Debug, Default)]
pub(crate) struct RestingPlaces {
    /// By the text of the assumption; there are few.
    assumptions: Vec<(Rc<str>, NotedPlaces)>,
    /// Errors that end a run here.
    first_errors: NotedPlaces,
    gaps: BTreeMap<String, NotedPlaces>,
    /// The harness looks at its own objects: that says nothing about the program.
    is_paused: bool,
}

impl RestingPlaces {
    fn assume(&mut self, text: &Rc<str>, frame: &Frame) {
        let known = self.assumptions.iter().position(|(known, _)| known == text);
        let at = known.unwrap_or_else(|| {
            self.assumptions
                .push((text.clone(), NotedPlaces::default()));
            self.assumptions.len() - 1
        });
        self.assumptions[at].1.add(frame);
    }

    /// The texts of the assumptions.
    pub(crate) fn assumptions(&self) -> Vec<String> {
        let errors = (!self.first_errors.is_empty()).then(|| Assumption::FirstError.to_string());
        let texts = self.assumptions.iter().map(|(text, _)| text.to_string());
        texts.chain(errors).collect()
    }

    /// What is not shown, and from where on.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Unproved, &NotedPlaces)> {
        let assumptions = self.assumptions.iter();
        let assumptions = assumptions.map(|(text, at)| (Unproved::Assumes(text.to_string()), at));
        let first_error = Unproved::Assumes(Assumption::FirstError.to_string());
        let assumptions = assumptions.chain([(first_error, &self.first_errors)]);
        let gaps = self.gaps.iter();
        assumptions.chain(gaps.map(|(text, at)| (Unproved::Gap(text.clone()), at)))
    }

    /// Labrys could not go on from this place, or from a place that is not known.
    pub(crate) fn add_gap(&mut self, reason: &str, frame: Option<&Frame>) {
        let places = self.gaps.entry(reason.to_owned()).or_default();
        match frame {
            Some(frame) => places.add(frame),
            None => places.anywhere = true,
        }
    }
}

impl Machine<'_> {
    /// From here on the run rests on an assumption: a limit of the harness, a guess of a model.
    pub(crate) fn rest_on(&mut self, assumption: &Rc<str>) {
        if self.resting.is_paused || self.label_gap(|| Unproved::Assumes(assumption.to_string())) {
            return;
        }
        self.resting.assume(assumption, &self.state.frame);
    }

    /// The same where the whole path ends, even if a label's predicate is being evaluated.
    pub(crate) fn rest_on_path(&mut self, assumption: &Rc<str>) {
        self.resting.assume(assumption, &self.state.frame);
    }

    /// The run has ended with an error here, or would have: what C leaves undefined could go on
    /// from here.
    pub(crate) fn rest_on_first_error(&mut self, kind: FaultKind) {
        if kind.is_undefined_behaviour() && self.state.speculation.is_none() {
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

    /// What follows the current instruction was not looked at, for a reason of Labrys.
    pub(crate) fn gap_here(&mut self, reason: &str) {
        self.resting.add_gap(reason, Some(&self.state.frame));
    }
}
