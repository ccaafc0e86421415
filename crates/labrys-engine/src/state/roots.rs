//! Which expressions a state still needs. States share frames and memory; what is shared is looked
//! at once.

use super::{Frame, IncidentalHits, ProgramOutput, State, Streams, Visits};
use crate::memory::Memory;
use labrys_expr::{Arena, ExprId, LiveMarks};
use labrys_solver::PathCondition;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Marks everything that states, candidates and kept paths need.
pub(crate) struct Roots<'a> {
    arena: &'a Arena,
    marks: LiveMarks,
    seen: FxHashSet<*const u8>,
}

impl<'a> Roots<'a> {
    pub(crate) fn new(arena: &'a Arena) -> Self {
        Roots {
            arena,
            marks: LiveMarks::new(arena),
            seen: FxHashSet::default(),
        }
    }

    pub(crate) fn into_marks(self) -> LiveMarks {
        self.marks
    }

    pub(crate) fn expression(&mut self, e: ExprId) {
        self.marks.mark(self.arena, e);
    }

    pub(crate) fn path(&mut self, path: &PathCondition) {
        let (arena, marks, seen) = (self.arena, &mut self.marks, &mut self.seen);
        path.for_each_new(&mut |pointer| seen.insert(pointer), &mut |e| {
            marks.mark(arena, e);
        });
    }

    pub(crate) fn snapshot(&mut self, snapshot: &Rc<State>) {
        if self.seen.insert(Rc::as_ptr(snapshot).cast()) {
            self.state(snapshot);
        }
    }

    pub(crate) fn state(&mut self, state: &State) {
        let mut frame = Some(&state.frame);
        while let Some(f) = frame {
            self.frame(f);
            frame = match &f.parent {
                Some(parent) if self.seen.insert(Rc::as_ptr(parent).cast()) => Some(parent),
                _ => None,
            };
        }
        self.memory(&state.memory);
        self.streams(&state.streams);
        self.path(&state.path);
        if let Some(asked) = state.asked_faults {
            self.marks.mark(self.arena, asked.fails);
            if let Some(is_short) = asked.is_short {
                self.marks.mark(self.arena, is_short);
            }
        }
        for e in state.recent.iter().flatten() {
            self.marks.mark(self.arena, *e);
        }
        let mut passed = state.passed.as_ref();
        while let Some(p) = passed.filter(|p| self.seen.insert(Rc::as_ptr(p).cast())) {
            self.marks.mark(self.arena, p.holds);
            passed = p.before.as_ref();
        }
        if let Some(speculation) = &state.speculation {
            if let Some(outside) = &speculation.outside {
                let recent = outside.recent.iter().flatten().copied();
                for e in outside.path.iter().chain(recent) {
                    self.marks.mark(self.arena, e);
                }
            }
            if let Some(memory) = &speculation.memory {
                self.memory(memory);
            }
        }
        self.visits(&state.visits);
        for open in state.open_loops.iter() {
            self.memory(&open.memory);
            if let Some(e) = open.is_first {
                self.marks.mark(self.arena, e);
            }
        }
        self.incidental(&state.incidental);
        self.outputs(&state.outputs);
    }

    pub(crate) fn incidental(&mut self, incidental: &IncidentalHits) {
        for e in incidental.reasons.iter().flat_map(|reason| reason.iter()) {
            self.marks.mark(self.arena, *e);
        }
    }

    pub(crate) fn outputs(&mut self, outputs: &[ProgramOutput]) {
        let bytes = outputs.iter().flat_map(|output| &output.bytes);
        for e in bytes.filter_map(|slot| slot.expr) {
            self.marks.mark(self.arena, e);
        }
    }

    pub(crate) fn streams(&mut self, streams: &Streams) {
        let (arena, marks, seen) = (self.arena, &mut self.marks, &mut self.seen);
        streams.for_each_expr(&mut |pointer| seen.insert(pointer), &mut |e| {
            marks.mark(arena, e)
        });
    }

    fn visits(&mut self, visits: &Visits) {
        for visit in visits.iter() {
            if !self.seen.contains(&Rc::as_ptr(&visit.snapshot).cast()) {
                self.snapshot(&visit.snapshot);
            }
        }
        for joined in visits.joined() {
            self.snapshot(&joined.snapshot);
        }
    }

    fn frame(&mut self, frame: &Frame) {
        for e in frame.regs.iter().filter_map(|slot| slot.expr) {
            self.marks.mark(self.arena, e);
        }
    }

    fn memory(&mut self, memory: &Memory) {
        let (arena, marks, seen) = (self.arena, &mut self.marks, &mut self.seen);
        memory.for_each_expr(&mut |pointer| seen.insert(pointer), &mut |e| {
            marks.mark(arena, e)
        });
    }
}
