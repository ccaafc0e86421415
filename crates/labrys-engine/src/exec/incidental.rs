//! Labels that hold under the current model although the path does not ask for it.

use super::Machine;
use crate::config::Instrumentation;
use crate::report::Unproved;
use crate::state::PassedLabel;
use labrys_expr::ExprId;
use labrys_ledger::Trigger;
use std::rc::Rc;

/// The labels that a path has passed are checked under every other model, at most this many of them,
/// and no longer after this many checks in a row that found nothing.
pub(super) const MOST_FUTILE_RECHECKS: u32 = 256;
const MOST_PASSED: u32 = 256;

impl Machine<'_> {
    /// The label holds under the current model, of which the path says nothing.
    pub(super) fn note_incidental_hit(
        &mut self,
        label: u32,
        reason: impl FnOnce(&Self) -> Rc<[ExprId]>,
    ) {
        let trigger = Trigger::Label { id: label };
        let mut is_new = false;
        for &objective in self.objectives.covered_by(trigger) {
            let objective = objective as usize;
            if !self.state.incidental.hits.contains(objective)
                && !self.state.hits.contains(objective)
            {
                Rc::make_mut(&mut self.state.incidental)
                    .hits
                    .insert(objective);
                is_new = true;
            }
        }
        if is_new {
            let reason = reason(self);
            Rc::make_mut(&mut self.state.incidental)
                .reasons
                .push(reason);
        }
    }

    /// Remembers an open label, so that other inputs of the path can be tried on it.
    pub(super) fn note_passed(&mut self, label: u32, holds: ExprId) {
        let count = self.state.passed.as_ref().map_or(0, |p| p.count);
        let idl2 = self.config.instrumentation == Instrumentation::TightIdl2;
        if idl2 && self.labels.rechecks_left > 0 && count < MOST_PASSED && self.is_unconstrained() {
            self.state.passed = Some(Rc::new(PassedLabel {
                label,
                holds,
                count: count + 1,
                before: self.state.passed.take(),
            }));
        }
    }

    /// A path goes on with another input: looks again at the labels before that, as IDL-2 would by
    /// running the input from the start.
    pub(crate) fn recheck_passed_labels(&mut self) {
        if self.labels.rechecks_left == 0 {
            self.state.passed = None;
            return;
        }
        self.labels.rechecks_left -= 1;
        let mut at = self.state.passed.clone();
        while let Some(passed) = at {
            if self.labels.open.contains(passed.label as usize) && self.holds(passed.holds) {
                self.labels.rechecks_left = MOST_FUTILE_RECHECKS;
                self.note_incidental_hit(passed.label, |_| Rc::new([passed.holds]));
            }
            at = passed.before.clone();
        }
    }

    /// The input that made labels hold is no longer that of this run, or the run does not count.
    /// The leaves that were left then are still there; but of labels that were passed again since,
    /// something may be missing.
    pub(crate) fn drop_incidental_hits(&mut self) {
        let incidental = std::mem::replace(
            &mut self.state.incidental,
            self.labels.no_incidental.clone(),
        );
        for label in incidental.skipped.iter() {
            self.labels.check_every_passage = true;
            let reason = "an assumption followed the label".to_owned();
            self.unproved(label as u32, Unproved::Gap(reason));
        }
    }
}
