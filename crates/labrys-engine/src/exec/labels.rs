//! Labels: `labrys_label_begin(id) ? labrys_label(id, predicate) : (void)0`.
//!
//! A predicate is evaluated speculatively: the program never notices. What must hold for its
//! value to be right joins the path only until the label, a fault in it makes the label false,
//! and wherever it could have gone another way, a leaf of the label is left behind: a candidate
//! that asks for an input that covers the label, and nothing else. A leaf that has covered its
//! label runs on to the end of its path without forking (tight instrumentation of the paper on
//! label coverage, `docs/papers.md`); one that cannot cover it any more ends.

use super::{Machine, Step};
use crate::candidates::Resume;
use crate::config::Instrumentation;
use crate::end::{FaultKind, PathEnd};
use crate::mcdc::Asked;
use crate::memory::{Entry, ObjectId, Region, Slot};
use crate::report::Unproved;
use crate::state::{JumpTarget, Outside, Passed, Speculation};
use labrys_expr::ExprId;
use labrys_ir::{FuncId, Reg, RegList};
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

    fn speculate(&mut self, label: u32, results: RegList) {
        let frame = &self.state.frame;
        self.state.speculation = Some(Speculation {
            label,
            passage: self.state.passages,
            forks: 0,
            target: JumpTarget {
                depth: frame.depth,
                serial: frame.serial,
                pc: frame.pc + 1,
                results,
            },
            trace: self.state.trace,
            pending_switch: self.state.pending_switch,
            allocations: self.state.allocations.clone(),
            outside: None,
            asked: Asked::default(),
            memory: None,
        });
        let asked = self.ask(label);
        if let Some(speculation) = &mut self.state.speculation {
            speculation.asked = asked;
        }
        self.windows.lock(true);
    }

    fn wants_label(&mut self, label: u32) -> bool {
        if self.is_direct() {
            return self.open_labels.contains(label as usize);
        }
        // A replay has eyes only for what it looks for: labels that were open then may be covered
        // by now, so that they have no part in the numbers of the forks.
        match self.replay_until {
            Some(Until::Label { passage, .. }) => return passage == self.state.passages,
            Some(Until::Fork(_)) => return false,
            None => {}
        }
        if !self.open_labels.contains(label as usize) {
            return false;
        }
        if self.trail.is_some() {
            return true;
        }
        if self.config.instrumentation != Instrumentation::TightIdl2 {
            return true;
        }
        let (covered, hits, luck) = (&self.covered, &self.state.hits, &self.state.luck);
        let trigger = Trigger::Label { id: label };
        let mut open = false;
        let mut lucky = false;
        for &objective in self.objectives.covered_by(trigger) {
            let objective = objective as usize;
            if luck.hits.contains(objective) {
                lucky = true;
            } else if !covered.contains(objective) && !hits.contains(objective) {
                open = true;
            }
        }
        if !open && lucky {
            if self.strict_luck {
                return true;
            }
            // A leaf leaves nothing behind that could be missed.
            if self.forking && !luck.skipped.contains(label as usize) {
                Rc::make_mut(&mut self.state.luck)
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
        if self.trail.is_some() {
            self.note_passage(label, holds);
        }
        if self.leaf == Some(label) {
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
            self.be_lucky(label, |m| m.reason(holds));
        }
        if !certain {
            self.note_passed(label, holds);
        }
        let idl2 = self.config.instrumentation == Instrumentation::TightIdl2;
        let asked = self.state.speculation.as_ref().map(|s| s.asked);
        if !now || !idl2 {
            self.fork(holds, Resume::Again);
            // The leaf asks what is left to ask.
            self.pairs
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
        if self.leaf == Some(label) {
            return Err(PathEnd::LabelMissed);
        }
        let asked = self.state.speculation.as_ref().map(|s| s.asked);
        self.pairs.passes.exclude(asked.unwrap_or_default());
        self.end_speculation();
        Ok(())
    }

    /// Natively the predicate has whatever lies in memory, so the label may hold.
    fn reads_uninitialised(&mut self, label: u32) {
        let reason = "its predicate depends on uninitialised memory".to_owned();
        self.unproved(label, Unproved::Gap(reason));
    }

    /// A leaf has come where it wanted to: the label holds on its path, which goes on to its end,
    /// for the sake of its test.
    fn label_covered(&mut self, label: u32, holds: ExprId) -> Step {
        self.constrain(holds);
        self.leaf = None;
        self.leaf_covered = Some(label);
        self.end_speculation();
        let trigger = Trigger::Label { id: label };
        self.cover(trigger);
        if self.insists {
            self.forking = true;
            self.state.insisted = Some(label);
        }
        let objectives = self.objectives.covered_by(trigger);
        let is_news = |o: &u32| !self.covered.contains(*o as usize);
        if objectives.iter().any(is_news) {
            Ok(())
        } else {
            Err(PathEnd::LabelCovered)
        }
    }

    /// The label holds under the current model, of which the path says nothing.
    fn be_lucky(&mut self, label: u32, reason: impl FnOnce(&Self) -> Rc<[ExprId]>) {
        let trigger = Trigger::Label { id: label };
        let mut is_new = false;
        for &objective in self.objectives.covered_by(trigger) {
            let objective = objective as usize;
            if !self.state.luck.hits.contains(objective) && !self.state.hits.contains(objective) {
                Rc::make_mut(&mut self.state.luck).hits.insert(objective);
                is_new = true;
            }
        }
        if is_new {
            let reason = reason(self);
            Rc::make_mut(&mut self.state.luck).reasons.push(reason);
        }
    }

    /// Why the current predicate is true: what joined the path since it began, and its value.
    pub(super) fn reason(&self, holds: ExprId) -> Rc<[ExprId]> {
        let outside = self
            .state
            .speculation
            .as_ref()
            .and_then(|s| s.outside.as_ref());
        let before = outside.map_or(self.state.path.len(), |outside| outside.path.len());
        let inside = self.state.path.len().saturating_sub(before);
        let conditions = self.state.path.iter().take(inside);
        conditions.chain(std::iter::once(holds)).collect()
    }

    /// Remembers an open label, so that other inputs of the path can be tried on it.
    fn note_passed(&mut self, label: u32, holds: ExprId) {
        let count = self.state.passed.as_ref().map_or(0, |p| p.count);
        let idl2 = self.config.instrumentation == Instrumentation::TightIdl2;
        if idl2 && self.patience > 0 && count < MOST_PASSED && self.is_unconstrained() {
            self.state.passed = Some(Rc::new(Passed {
                label,
                holds,
                count: count + 1,
                before: self.state.passed.take(),
            }));
        }
    }

    /// A path goes on with another input: looks again at the labels before that, as IDL-2 would by
    /// running the input from the start.
    pub(crate) fn try_luck(&mut self) {
        if self.patience == 0 {
            self.state.passed = None;
            return;
        }
        self.patience -= 1;
        let mut at = self.state.passed.clone();
        while let Some(passed) = at {
            if self.open_labels.contains(passed.label as usize) && self.holds(passed.holds) {
                self.patience = PATIENCE;
                self.be_lucky(passed.label, |_| Rc::new([passed.holds]));
            }
            at = passed.before.clone();
        }
    }

    /// The input that made labels hold is no longer that of this run, or the run does not count.
    /// The leaves that were left then are still there; but of labels that were passed again since,
    /// something may be missing.
    pub(crate) fn lose_luck(&mut self) {
        let luck = std::mem::replace(&mut self.state.luck, self.no_luck.clone());
        for label in luck.skipped.iter() {
            self.strict_luck = true;
            let reason = "an assumption followed the label".to_owned();
            self.unproved(label as u32, Unproved::Gap(reason));
        }
    }

    /// A step of the predicate has ended the path: for the program, that is no end.
    pub(super) fn leave_label(&mut self, end: PathEnd) -> Step {
        let Some(speculation) = &self.state.speculation else {
            return Err(end);
        };
        let (label, target) = (speculation.label, speculation.target);
        match end {
            PathEnd::StepLimit
            | PathEnd::Interrupted
            | PathEnd::ForkReached
            | PathEnd::Suspended
            | PathEnd::LabelCovered
            | PathEnd::LabelMissed => return Err(end),
            PathEnd::Fault(FaultKind::UninitialisedRead) => self.reads_uninitialised(label),
            PathEnd::Fault(_) => {}
            PathEnd::HarnessLimit { flag } => self.unproved(label, Unproved::Limit(flag)),
            PathEnd::Unsupported { message } => self.unproved(label, Unproved::Gap(message)),
            PathEnd::Returned
            | PathEnd::Exited { .. }
            | PathEnd::AssumptionFailed
            | PathEnd::SolverUnknown => {
                let reason = format!("a label's predicate ends the program: {}", end.name());
                self.unproved(label, Unproved::Gap(reason));
            }
        }
        self.state.at_fork = false;
        self.may_fault(label);
        if self.leaf == Some(label) {
            return Err(PathEnd::LabelMissed);
        }
        while self.state.frame.serial != target.serial {
            if self.pop_frame().is_none() {
                return self.unsupported("a label's predicate has left its function");
            }
        }
        self.end_speculation();
        self.set_results(target.results, &[Slot::concrete(0)]);
        self.state.frame.pc = target.pc;
        Ok(())
    }

    /// Forgets that a predicate was evaluated. Only a leaf keeps its conditions.
    fn end_speculation(&mut self) {
        let Some(speculation) = self.state.speculation.take() else {
            return;
        };
        self.windows.lock(false);
        let state = &mut self.state;
        state.trace = speculation.trace;
        state.pending_switch = speculation.pending_switch;
        state.passages = speculation.passage;
        state.allocations = speculation.allocations;
        if let Some(memory) = speculation.memory {
            state.memory = memory;
        }
        if let Some(outside) = speculation.outside {
            state.path = outside.path.clone();
            state.recent = outside.recent;
            self.settled.clear();
        }
    }

    /// Were no conditions collected for the current predicate?
    fn is_unconstrained(&self) -> bool {
        let speculation = self.state.speculation.as_ref();
        speculation.is_none_or(|s| s.outside.is_none())
    }

    /// Keeps the path as it was before the predicate, once it is about to change.
    pub(super) fn keep_path(&mut self) {
        let (direct, leaf) = (self.is_direct(), self.leaf);
        if let Some(speculation) = &mut self.state.speculation
            && speculation.outside.is_none()
            && !direct
            && leaf != Some(speculation.label)
        {
            speculation.outside = Some(Rc::new(Outside {
                path: self.state.path.clone(),
                recent: self.state.recent,
            }));
        }
    }

    /// A predicate is about to write to an object. To those of the functions that it calls it may;
    /// other stack objects may be temporaries of the compiler, whose old contents come back.
    /// Globals and the heap are the program's own.
    pub(super) fn before_write(&mut self, object: ObjectId) -> Step {
        let Some(speculation) = &self.state.speculation else {
            return Ok(());
        };
        let depth = speculation.target.depth;
        let mut inner = Vec::new();
        let mut frame = Some(&self.state.frame);
        while let Some(f) = frame.filter(|f| f.depth > depth) {
            if f.objects.contains(&object) {
                return Ok(());
            }
            inner.extend_from_slice(&f.objects);
            frame = f.parent.as_deref();
        }
        let region = self.state.memory.object(object).map(|o| o.info.region);
        if region != Some(Region::Stack) {
            return self.unsupported("a label's predicate writes to memory of the program");
        }
        if speculation.memory.is_none() {
            let mut memory = self.state.memory.clone();
            for object in inner {
                memory.set(object, Entry::Gone);
            }
            if let Some(speculation) = &mut self.state.speculation {
                speculation.memory = Some(memory);
            }
        }
        Ok(())
    }

    /// An assertion that fails in a predicate is a fault like any other, without its message.
    pub(super) fn check_predicate_call(&mut self, callee: FuncId) -> Step {
        if self.state.speculation.is_some()
            && self.program.module.functions[callee.index()].name == "__assert_fail"
        {
            return Err(self.fault(FaultKind::Assertion));
        }
        Ok(())
    }

    /// A fault in the label's predicate is possible on this path: what the compiled program
    /// evaluates it to there means nothing.
    pub(super) fn may_fault(&mut self, label: u32) {
        let trigger = Trigger::Label { id: label };
        for &objective in self.objectives.covered_by(trigger) {
            let objective = objective as usize;
            if !self.state.faulted.contains(objective) {
                Rc::make_mut(&mut self.state.faulted).insert(objective);
                self.faulted.insert(objective);
            }
        }
    }

    /// The predicate that is being evaluated, if any, depends on a pointer that another input may
    /// lead astray.
    pub(super) fn doubt_label(&mut self) {
        if let Some(label) = self.state.speculation.as_ref().map(|s| s.label) {
            self.may_fault(label);
        }
    }

    /// The label may hold somewhere where nobody looked.
    pub(crate) fn unproved(&mut self, label: u32, why: Unproved) {
        if let Some(speculation) = &self.state.speculation {
            self.pairs.passes.leave_open(speculation.asked);
        }
        self.unproved.entry(label).or_insert(why);
    }

    /// What happens inside a label's predicate concerns only that label.
    pub(super) fn label_gap(&mut self, why: Unproved) -> bool {
        let label = self.state.speculation.as_ref().map(|s| s.label);
        if let Some(label) = label {
            self.unproved(label, why);
        }
        label.is_some()
    }

    #[inline]
    pub(super) fn is_direct(&self) -> bool {
        self.config.instrumentation == Instrumentation::Direct
    }

    /// Looks again which labels are open, after objectives have been covered.
    pub(crate) fn close_labels(&mut self, covered: &[usize]) {
        if self.config.instrumentation != Instrumentation::TightIdl2 {
            return;
        }
        for objective in covered {
            if let Some(label) = self.objectives.label_of(*objective) {
                let trigger = Trigger::Label { id: label };
                let mut all = self.objectives.covered_by(trigger).iter();
                if all.all(|o| self.covered.contains(*o as usize)) {
                    self.open_labels.remove(label as usize);
                }
            }
        }
    }

    /// A leaf may have covered its label, but an assumption behind it has discarded the run. Other
    /// ways from the label on may not end like that.
    pub(crate) fn lose_leaf(&mut self) {
        let covered = self.leaf_covered.take().is_some();
        self.leaf_lost = covered && !self.insists;
    }

    /// A path was replayed that has covered a label as its leaf.
    pub(crate) fn cover_again(&mut self, label: u32) {
        self.state.insisted = Some(label);
        self.cover(Trigger::Label { id: label });
    }

    /// A leaf's path has ended well.
    pub(crate) fn close_leaf(&mut self) {
        let covered = self.leaf_covered.take();
        if let Some(label) = covered.or(self.state.insisted) {
            self.work.labels.covered += 1;
            if self.config.instrumentation == Instrumentation::TightIdl1 {
                self.open_labels.remove(label as usize);
            }
        }
    }
}

/// How often the labels of a path are looked at under another model before that seems useless, and
/// how many of them.
pub(super) const PATIENCE: u32 = 256;
const MOST_PASSED: u32 = 256;

/// How far a path is replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// Up to this fork point of the program.
    Fork(u32),
    /// Up to a fork point inside the predicate of the label that is passed as this one.
    Label { passage: u32, fork: u32 },
}
