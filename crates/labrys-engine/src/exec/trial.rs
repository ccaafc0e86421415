//! Runs of inputs that were put together of parts of others. All values are plain numbers, so such a run
//! costs little more than its instructions; what it shows is run once more for the sake of its path.

use super::{Machine, RunMode};
use crate::inputs::{InputId, InputValue};
use labrys_expr::{ExprId, VarId};
use std::rc::Rc;

/// An input that is not the next one of a trial is looked for among so many that follow.
const LOOK_AHEAD: usize = 8;

/// And if it is not there, among so many that have gone before.
const LOOK_BACK: usize = 64;

/// What a run is given.
#[derive(Debug, Default)]
pub(crate) struct Trial {
    given: Vec<InputValue>,
    /// The one to give next.
    next: usize,
    /// The program sees plain values.
    is_plain: bool,
}

impl Trial {
    pub(crate) fn new(given: Vec<InputValue>, is_plain: bool) -> Self {
        Trial {
            given,
            next: 0,
            is_plain,
        }
    }

    pub(super) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// The bytes for an input with this name and size: those of the next one that fits, else what an input
    /// like it had last, so that a run that goes on longer repeats itself. An input that nothing fits is 0.
    fn take(&mut self, name: &str, size: usize) -> Option<&[u8]> {
        let end = self.given.len().min(self.next + LOOK_AHEAD);
        let fits = |at: &usize| self.given[*at].name == name && self.given[*at].bytes.len() == size;
        if let Some(at) = (self.next..end).find(fits) {
            self.next = at + 1;
            return Some(&self.given[at].bytes);
        }
        let start = self.next.saturating_sub(LOOK_BACK);
        let at = (start..self.next).rev().find(fits)?;
        Some(&self.given[at].bytes)
    }
}

impl Machine<'_> {
    /// The variable of an input, or its value in a trial.
    pub(super) fn input_expr(&mut self, var: VarId) -> ExprId {
        let e = self.arena.var_expr(var);
        if !self.mode.has_plain_values() {
            return e;
        }
        let value = self.current.model.get(var);
        self.arena.constant(self.arena.width(e), value.into())
    }

    /// The program asks for an input: a trial gives it a value.
    pub(super) fn give_tried_input(&mut self, id: InputId) {
        let RunMode::Trial(trial) = &mut self.mode else {
            return;
        };
        let input = self.inputs.get(id);
        let size = input.pieces.iter().map(|(_, len)| *len as usize).sum();
        let Some(mut rest) = trial.take(&input.name, size) else {
            return;
        };
        let mut model = (*self.current.model).clone();
        for (var, len) in &input.pieces {
            let (piece, after) = rest.split_at(*len as usize);
            let mut bytes = [0; 8];
            bytes[..piece.len()].copy_from_slice(piece);
            model.set(*var, u64::from_le_bytes(bytes));
            rest = after;
        }
        self.current.set(Rc::new(model));
    }
}
