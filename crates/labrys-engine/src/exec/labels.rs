//! Labels: `labrys_label_begin(id) ? labrys_label(id, predicate) : (void)0`.
//!
//! A predicate is evaluated speculatively: the program never notices. What must hold for its
//! value to be right joins the path only until the label, a fault in it makes the label false,
//! and wherever it could have gone another way, a leaf of the label is left behind: a candidate
//! that asks for an input that covers the label, and nothing else. A leaf that has covered its
//! label runs on to the end of its path without forking (tight instrumentation of the paper on
//! label coverage, `docs/papers.md`); one that cannot cover it any more ends.

use super::mode::ReplayTarget;
use super::{Machine, Step};
use crate::candidates::Resume;
use crate::config::Instrumentation;
use crate::end::PathEnd;
use crate::memory::Slot;
use labrys_expr::ExprId;
use labrys_ir::{Reg, RegList};
use labrys_ledger::Trigger;
use std::rc::Rc;

impl Machine<'_> {
    /// `labrys_label_begin`: starts to evaluate a predicate that may do anything.
    pub(super) fn label_begin(&mut self, id: Reg, results: RegList) {
        let id = self.value(id) as u32;
        let open = self.passes_label(id);
        if open {
            self.speculate(id, results);
        }
        self.set_results(results, &[Slot::concrete(open.into())]);
    }

    /// `labrys_label_open`: the predicate is plain arithmetic, of which there is nothing to undo.
    pub(super) fn label_open(&mut self, id: Reg, results: RegList) {
        let id = self.value(id) as u32;
        let open = self.passes_label(id);
        self.state.opened = open.then_some(id);
        self.set_results(results, &[Slot::concrete(open.into())]);
    }

    /// Counts a label that is passed; true if it is of any interest.
    fn passes_label(&mut self, label: u32) -> bool {
        if self.state.speculation.is_some() {
            return false;
        }
        self.state.passages += 1;
        self.wants_label(label)
    }

    fn wants_label(&mut self, label: u32) -> bool {
        if self.is_direct() {
            return self.labels.open.contains(label as usize);
        }
        // A replay evaluates only the label that it looks for: labels that were open then may be covered
        // by now, so that they have no part in the numbers of the forks.
        match self.mode.until() {
            Some(ReplayTarget::Label { passage, .. }) => return passage == self.state.passages,
            Some(ReplayTarget::Fork(_)) => return false,
            None => {}
        }
        if !self.labels.open.contains(label as usize) {
            return false;
        }
        if self.mode.trail().is_some() {
            return true;
        }
        if self.config.instrumentation != Instrumentation::TightIdl2 {
            return true;
        }
        let (covered, hits, incidental) = (
            &self.findings.covered,
            &self.state.hits,
            &self.state.incidental,
        );
        let trigger = Trigger::Label { id: label };
        let mut open = false;
        let mut is_incidental = false;
        for &objective in self.objectives.covered_by(trigger) {
            let objective = objective as usize;
            if incidental.hits.contains(objective) {
                is_incidental = true;
            } else if !covered.contains(objective) && !hits.contains(objective) {
                open = true;
            }
        }
        if !open && is_incidental {
            if self.labels.check_every_passage {
                return true;
            }
            // A leaf leaves nothing behind that could be missed.
            if self.mode.forks() && !incidental.skipped.contains(label as usize) {
                Rc::make_mut(&mut self.state.incidental)
                    .skipped
                    .insert(label as usize);
            }
        }
        open
    }

    /// The end of a predicate: covers the label, or leaves a leaf that would.
    pub(super) fn label(&mut self, id: Reg, predicate: Reg) -> Step {
        let label = self.value(id) as u32;
        let current = self.state.speculation.as_ref().map(|s| s.label);
        let opened = self.state.opened.take() == Some(label);
        let entered = match current {
            Some(other) => other == label,
            None if opened => self.wants_label(label),
            // A call on its own.
            None => self.passes_label(label),
        };
        if !entered {
            return Ok(());
        }
        if current.is_none() {
            self.speculate(label, RegList::default());
        }
        let e = self.expr(predicate);
        let zero = self.arena.constant(self.arena.width(e), 0);
        let holds = self.arena.ne(e, zero);
        let Some(holds) = self.arena.defined(holds) else {
            self.reads_uninitialised(label);
            self.may_fault(label);
            return self.label_missed(label);
        };
        let holds = self.rest_on_assumptions(holds);
        if self.arena.as_const(holds) == Some(0) {
            return self.label_missed(label);
        }
        if self.is_direct() {
            let truth = self.split_on(holds)?;
            self.end_speculation();
            if truth {
                self.cover(Trigger::Label { id: label });
            }
            return Ok(());
        }
        self.fork_point()?;
        let now = self.holds(holds);
        if self.mode.trail().is_some() {
            self.note_passage(label, holds);
        }
        if self.mode.wanted_label() == Some(label) {
            if now {
                return self.label_covered(label, holds);
            }
            self.fork(holds, Resume::Again);
            return self.label_missed(label);
        }
        let certain = self.arena.as_const(holds).is_some() && self.is_unconstrained();
        if now && certain {
            self.cover(Trigger::Label { id: label });
        } else if now {
            self.note_incidental_hit(label, |m| m.reason(holds));
        }
        if !certain {
            self.note_passed(label, holds);
        }
        let idl2 = self.config.instrumentation == Instrumentation::TightIdl2;
        let asked = self.state.speculation.as_ref().map(|s| s.asked);
        if !now || !idl2 {
            self.fork(holds, Resume::Again);
            // The leaf asks what is left to ask.
            self.findings
                .pairs
                .passes
                .exclude(asked.filter(|_| !now).unwrap_or_default());
        } else if !certain {
            // A later assumption may want another input, or end the path.
            self.fork_reserve(holds);
        }
        self.end_speculation();
        Ok(())
    }

    /// The predicate is false on this path, for whatever reason.
    fn label_missed(&mut self, label: u32) -> Step {
        if self.mode.wanted_label() == Some(label) {
            return Err(PathEnd::LabelMissed);
        }
        let asked = self.state.speculation.as_ref().map(|s| s.asked);
        self.findings
            .pairs
            .passes
            .exclude(asked.unwrap_or_default());
        self.end_speculation();
        Ok(())
    }

    /// A leaf has come where it wanted to: the label holds on its path, which goes on to its end,
    /// for the sake of its test.
    fn label_covered(&mut self, label: u32, holds: ExprId) -> Step {
        self.constrain(holds);
        self.leaf_is_covered();
        self.end_speculation();
        let trigger = Trigger::Label { id: label };
        self.cover(trigger);
        let objectives = self.objectives.covered_by(trigger);
        let is_news = |o: &u32| !self.findings.covered.contains(*o as usize);
        if objectives.iter().any(is_news) {
            Ok(())
        } else {
            Err(PathEnd::LabelCovered)
        }
    }

    #[inline]
    pub(super) fn is_direct(&self) -> bool {
        self.config.instrumentation == Instrumentation::Direct
    }
}
