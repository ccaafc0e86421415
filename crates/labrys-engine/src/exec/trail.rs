//! The trail of a run that only follows its input: its conditions, the labels it passed and the
//! points of mutants it came to. Nothing is left behind, but everything can be asked about later.

use super::{Machine, RunMode};
use crate::bitset::BitSet;
use crate::inputs::InputValue;
use labrys_expr::ExprId;
use labrys_ir::FuncId;
use labrys_solver::PathCondition;
use std::rc::Rc;

/// A mutant of a program that holds all its mutants: at this point, this alternative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative {
    pub point: u32,
    pub alternative: u32,
}

/// Where in the program something was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CodePlace {
    pub(crate) function: FuncId,
    pub(crate) pc: u32,
}

/// A condition that joined the path.
#[derive(Clone, Debug)]
pub(crate) struct TrailCondition {
    pub(crate) holds: ExprId,
    pub(crate) place: CodePlace,
    /// The path before it.
    pub(crate) before: PathCondition,
}

/// A label that was passed.
#[derive(Clone, Debug)]
pub(crate) struct Passage {
    pub(crate) label: u32,
    pub(crate) holds: ExprId,
    /// What the predicate has added to the path, and its value.
    pub(crate) reason: Rc<[ExprId]>,
    /// The path up to here, with what the predicate has added to it.
    pub(crate) path: PathCondition,
}

#[derive(Debug, Default)]
pub(crate) struct Trail {
    /// The inputs that the run is given, in order.
    pub(crate) given: Vec<InputValue>,
    /// The changes that are active; none in the original.
    pub(crate) active: Rc<[Alternative]>,
    pub(crate) conditions: Vec<TrailCondition>,
    pub(crate) passages: Vec<Passage>,
    pub(crate) points: BitSet,
}

impl Machine<'_> {
    /// Notes a condition that is about to join the path.
    #[inline]
    pub(super) fn note_condition(&mut self, holds: ExprId) {
        let Some(trail) = self.mode.trail_mut() else {
            return;
        };
        if self.state.speculation.is_none() {
            let place = CodePlace {
                function: self.state.frame.function,
                pc: self.state.frame.pc,
            };
            trail.conditions.push(TrailCondition {
                holds,
                place,
                before: self.state.path.clone(),
            });
        }
    }

    /// Notes a label whose predicate was evaluated.
    pub(super) fn note_passage(&mut self, label: u32, holds: ExprId) {
        let (reason, path) = (self.reason(holds), self.state.path.clone());
        if let Some(trail) = self.mode.trail_mut() {
            trail.passages.push(Passage {
                label,
                holds,
                reason,
                path,
            });
        }
    }

    /// The alternative that is active at a point, 0 for the original.
    pub(super) fn active_at(&mut self, point: u32) -> u32 {
        if let RunMode::Pair(run) = &self.mode {
            return run.alternative(point);
        }
        let Some(trail) = self.mode.trail_mut() else {
            return 0;
        };
        trail.points.insert(point as usize);
        let mut active = trail.active.iter();
        let here = active.find(|active| active.point == point);
        here.map_or(0, |active| active.alternative)
    }

    /// The program asks for an input: gives it the value that was set for it, if it is the same
    /// request.
    pub(super) fn give_input(&mut self, position: usize, id: crate::inputs::InputId) {
        let trail = self.mode.trail();
        let given = trail.and_then(|trail| trail.given.get(position));
        let (Some(given), input) = (given, self.inputs.get(id)) else {
            return;
        };
        let size: u32 = input.pieces.iter().map(|(_, len)| len).sum();
        if given.name != input.name || given.bytes.len() != size as usize {
            return;
        }
        let mut model = (*self.current.model).clone();
        let mut rest = &given.bytes[..];
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
