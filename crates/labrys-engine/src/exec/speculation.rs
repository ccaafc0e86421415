//! The evaluation of a label's predicate, which the program never notices: what comes back after it,
//! and what it may not do.

use super::{Machine, Step};
use crate::end::{FaultKind, PathEnd};
use crate::mcdc::HalfQuestion;
use crate::memory::{ObjectEntry, ObjectId, Region, Slot};
use crate::report::Unproved;
use crate::state::{JumpTarget, PathBeforePredicate, Speculation};
use labrys_expr::ExprId;
use labrys_ir::{FuncId, RegList};
use std::rc::Rc;

impl Machine<'_> {
    pub(super) fn speculate(&mut self, label: u32, results: RegList) {
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
            asked: HalfQuestion::default(),
            memory: None,
        });
        let asked = self.ask(label);
        if let Some(speculation) = &mut self.state.speculation {
            speculation.asked = asked;
        }
        self.chunk_cache.lock(true);
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
            | PathEnd::Rested
            | PathEnd::LabelCovered
            | PathEnd::LabelMissed
            | PathEnd::LoopClosed => return Err(end),
            PathEnd::Fault(FaultKind::UninitialisedRead) => self.reads_uninitialised(label),
            PathEnd::Fault(_) => {}
            PathEnd::HarnessLimit { flag } => self.unproved(label, Unproved::Assumes(flag)),
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
        if self.mode.wanted_label() == Some(label) {
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
    pub(super) fn end_speculation(&mut self) {
        let Some(speculation) = self.state.speculation.take() else {
            return;
        };
        self.chunk_cache.lock(false);
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
    pub(super) fn is_unconstrained(&self) -> bool {
        let speculation = self.state.speculation.as_ref();
        speculation.is_none_or(|s| s.outside.is_none())
    }

    /// Keeps the path as it was before the predicate, once it is about to change.
    pub(super) fn keep_path(&mut self) {
        let (direct, leaf) = (self.is_direct(), self.mode.wanted_label());
        if let Some(speculation) = &mut self.state.speculation
            && speculation.outside.is_none()
            && !direct
            && leaf != Some(speculation.label)
        {
            speculation.outside = Some(Rc::new(PathBeforePredicate {
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
                memory.set(object, ObjectEntry::Gone);
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
}
