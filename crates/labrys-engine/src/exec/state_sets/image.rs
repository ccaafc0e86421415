//! The image of a node: one state that stands for all of them, with variables where they differ and with
//! conditions on what is known of these.

use super::held::HeldValue;
use super::take_in::mask;
use crate::exec::Machine;
use crate::memory::Slot;
use crate::state::{Frame, State};
use crate::states::{GrowingSet, OpenPlace, RelationTerms, SetPlace, StateSet};
use labrys_expr::{Evaluator, Model};
use labrys_solver::PathCondition;
use std::rc::Rc;

impl Machine<'_> {
    /// Puts the variables of a node into its image, with the conditions of their sets.
    pub(crate) fn renew(&mut self, terms: &RelationTerms, node: &mut StateSet) {
        node.is_stale = false;
        let mut model = Model::new();
        node.image.path = PathCondition::new();
        for open in &node.open {
            let value = self.arena.var_expr(open.var);
            let value = self.arena.extract(value, 0, open.width);
            let holds = open.values.holds(&mut self.arena, value);
            if self.arena.as_const(holds).is_none() {
                node.image.path.push(&mut self.arena, holds);
            }
            model.set(open.var, first_of(&open.values, open.width));
            let base = self.arena.constant(open.width, open.base.into());
            let value = self.arena.add(base, value);
            match open.place {
                SetPlace::Register { below, reg } => {
                    if let Some(frame) = frame_mut(&mut node.image, below) {
                        frame.regs[reg.index()] = Slot::symbolic(value);
                    }
                }
                SetPlace::Memory(range) => {
                    if let Some(object) = node.image.memory.object_mut(range.object) {
                        object.put_possible(&mut self.arena, range.offset, value);
                    }
                }
            }
        }
        let conditions = self.relation_conditions(terms, node);
        let mut evaluator = Evaluator::new();
        let mut satisfies = true;
        for condition in conditions {
            satisfies &= evaluator.eval(&self.arena, &model, condition) != 0;
            node.image.path.push(&mut self.arena, condition);
        }
        node.model = match satisfies {
            true => Rc::new(model),
            false => self.model_here(&node.open),
        };
    }

    /// The values of open places in the current state, with the inputs at hand.
    fn model_here(&mut self, open: &[OpenPlace]) -> Rc<Model> {
        let mut model = Model::new();
        for open in open {
            let value = match self.held_at(open.place) {
                HeldValue::Number(value) => value,
                HeldValue::Expression(e) => self.current.value(&self.arena, e) as u64,
                HeldValue::Undefined => 0,
            };
            model.set(open.var, value.wrapping_sub(open.base) & mask(open.width));
        }
        Rc::new(model)
    }
}

/// A value of a set.
pub(super) fn first_of(values: &GrowingSet, width: u8) -> u64 {
    match values {
        GrowingSet::Few(values) => values.first().copied().unwrap_or(0),
        GrowingSet::Between { low, .. } => *low as u64 & mask(width),
        GrowingSet::Any => 0,
    }
}

pub(super) fn frame_mut(state: &mut State, below: u32) -> Option<&mut Frame> {
    let mut frame = &mut state.frame;
    for _ in 0..below {
        frame = Rc::make_mut(frame.parent.as_mut()?);
    }
    Some(frame)
}

/// The state without what only belongs to its path, behind the join.
pub(super) fn blank(state: &State) -> State {
    let mut blank = state.clone();
    blank.frame.pc += 1;
    blank.hits = Rc::default();
    blank.passed = None;
    blank.faulted = Rc::default();
    blank.vectors = Rc::default();
    blank.inputs = Rc::default();
    blank.recent = [None; 8];
    blank.outputs = Rc::default();
    blank.steps = 0;
    blank.forks = 0;
    blank
}
