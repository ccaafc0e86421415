//! Where runs begin to rest on something that is not shown: on an assumption, or on nothing at all
//! because Labrys could not go on. Only what can be reached from such a place is affected by it.

use super::Machine;
use crate::end::FaultKind;
use crate::report::Unproved;
use crate::state::Frame;
use labrys_ir::FuncId;
use labrys_ledger::{Assumption, Trigger};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// The callers of a place beyond this depth are not looked at: then everything counts as reachable.
const MOST_FRAMES: usize = 512;

/// The instructions from which on something is not shown.
#[derive(Debug, Default)]
pub(crate) struct NotedPlaces {
    /// Anything can be reached.
    pub(crate) anywhere: bool,
    /// The place itself, and for each caller the instruction behind its call.
    pub(crate) instructions: FxHashSet<(FuncId, u32)>,
    /// What annotations would have shown if the value were another one.
    pub(crate) triggers: BTreeSet<Trigger>,
    /// The place that was noted last. A loop notes the same one again and again.
    last: Option<(FuncId, u32, Option<Rc<Frame>>)>,
}

impl NotedPlaces {
    pub(crate) fn is_empty(&self) -> bool {
        !self.anywhere && self.instructions.is_empty() && self.triggers.is_empty()
    }

    /// Adds an instruction of the function that this frame belongs to.
    fn add(&mut self, frame: &Frame, pc: u32) {
        if self.anywhere || self.is_last(frame, pc) {
            return;
        }
        self.last = Some((frame.function, pc, frame.parent.clone()));
        self.instructions.insert((frame.function, pc));
        let mut next = frame.parent.as_deref();
        for _ in 0..MOST_FRAMES {
            let Some(frame) = next else { return };
            self.instructions.insert((frame.function, frame.pc));
            next = frame.parent.as_deref();
        }
        self.anywhere = true;
    }

    fn is_last(&self, frame: &Frame, at: u32) -> bool {
        let Some((function, pc, parent)) = &self.last else {
            return false;
        };
        let is_same_caller = match (parent, &frame.parent) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        };
        is_same_caller && *function == frame.function && *pc == at
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
    /// The places of an assumption.
    fn of(&mut self, text: &Rc<str>) -> &mut NotedPlaces {
        let known = self.assumptions.iter().position(|(known, _)| known == text);
        let at = known.unwrap_or_else(|| {
            self.assumptions
                .push((text.clone(), NotedPlaces::default()));
            self.assumptions.len() - 1
        });
        &mut self.assumptions[at].1
    }

    /// The texts of the assumptions.
    pub(crate) fn assumptions(&self) -> Vec<String> {
        let errors = (!self.first_errors.is_empty()).then(|| Assumption::FirstError.to_string());
        let texts = self.assumptions.iter().map(|(text, _)| text.to_string());
        texts.chain(errors).collect()
    }

    /// Do runs rest on one of these assumptions?
    pub(crate) fn is_in_the_way(&self, texts: &[&str]) -> bool {
        let mut known = self.assumptions.iter();
        known.any(|(text, _)| texts.contains(&&**text))
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
            Some(frame) => places.add(frame, frame.pc),
            None => places.anywhere = true,
        }
    }
}

impl Machine<'_> {
    /// From here on the run rests on an assumption: a limit of the harness, a guess of a model.
    pub(crate) fn rest_on(&mut self, assumption: &Rc<str>) {
        if self.is_not_counted() || self.label_gap(|| Unproved::Assumes(assumption.to_string())) {
            return;
        }
        self.rest_on_path(assumption);
        if !self.state.rests_on.contains(assumption) {
            Rc::make_mut(&mut self.state.rests_on).push(assumption.clone());
        }
    }

    /// The same where the whole path ends, even if a label's predicate is being evaluated.
    pub(crate) fn rest_on_path(&mut self, assumption: &Rc<str>) {
        if !self.is_not_counted() {
            self.rest_at(assumption, self.state.frame.pc);
        }
    }

    /// From this instruction of the current function on, a run rests on an assumption.
    pub(super) fn rest_at(&mut self, assumption: &Rc<str>, pc: u32) {
        self.resting.of(assumption).add(&self.state.frame, pc);
    }

    /// May an assumption be noted later, where the run would have gone another way?
    pub(super) fn can_defer(&self) -> bool {
        !self.is_not_counted() && self.state.speculation.is_none()
    }

    /// A harness looks at its own objects, or calls a function once more: a proof does not need that.
    fn is_not_counted(&self) -> bool {
        self.resting.is_paused || self.state.extra_call
    }

    /// If one of these assumptions does not hold, an annotation shows this.
    pub(super) fn rest_on_trigger(&mut self, texts: &[Arc<str>], trigger: Trigger) {
        for text in texts {
            let text = self.text(text);
            self.resting.of(&text).triggers.insert(trigger);
        }
    }

    /// The run has ended with an error here, or would have: what C leaves undefined could go on
    /// from here.
    pub(crate) fn rest_on_first_error(&mut self, kind: FaultKind) {
        let counts = self.state.speculation.is_none() && !self.state.extra_call;
        if kind.is_undefined_behaviour() && counts {
            let frame = &self.state.frame;
            self.resting.first_errors.add(frame, frame.pc);
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
        if !self.state.extra_call {
            self.resting.add_gap(reason, Some(&self.state.frame));
        }
    }
}
