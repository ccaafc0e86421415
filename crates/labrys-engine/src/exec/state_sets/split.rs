//! Kept places that hold an expression which can only be a few numbers: the path goes on with one of them,
//! and a candidate with the others, so that each number has a node of its own.

use super::held::HeldValue;
use super::image::frame_mut;
use crate::exec::{Machine, Step};
use crate::memory::Slot;
use crate::state::MemoryRange;
use crate::states::{KeptPlace, SetPlace, StateGraph};
use labrys_expr::{Evaluator, ExprId, ExprKind};
use labrys_solver::Answer;
use std::cell::RefCell;
use std::rc::Rc;

/// With more values than this a kept place is not split.
const MOST_VALUES: usize = 16;

/// Choices of numbers are looked through to this depth before the solver is asked.
const MOST_CHOICES: u32 = 8;

impl Machine<'_> {
    /// Gives every kept place one number, where it can only be a few.
    pub(super) fn split_kept(&mut self, graph: &Rc<RefCell<StateGraph>>) -> Step {
        if graph.borrow().kept.is_empty() {
            return Ok(());
        }
        for place in self.kept_places(graph) {
            let HeldValue::Expression(e) = self.held_at(place) else {
                continue;
            };
            let width = self.arena.width(e);
            let value = self.current.value(&self.arena, e) as u64;
            let is_pointer = width == 64 && self.pointed_object(value).is_some();
            if width > 64 || is_pointer || !self.has_few_values(e) {
                continue;
            }
            let value = self.pin(e)?;
            self.put_number(place, width, value);
        }
        Ok(())
    }

    /// The kept places that the current state has.
    fn kept_places(&mut self, graph: &Rc<RefCell<StateGraph>>) -> Vec<SetPlace> {
        let mut places = Vec::new();
        let mut below = 0;
        while let Some(frame) = self.frame_below(below) {
            let function = frame.function;
            let Some(needed) = self.needed_registers(graph, below) else {
                break;
            };
            let kept = &graph.borrow().kept;
            let needed = needed.iter().copied();
            let needed = needed.filter(|reg| kept.contains(&KeptPlace::Register(function, *reg)));
            places.extend(needed.map(|reg| SetPlace::Register { below, reg }));
            below += 1;
        }
        let graph = graph.borrow();
        places.extend(graph.kept.iter().filter_map(|place| match place {
            KeptPlace::Memory(range) => Some(SetPlace::Memory(*range)),
            KeptPlace::Register(..) => None,
        }));
        places
    }

    /// Has an expression at most `MOST_VALUES` values with the inputs of the path?
    fn has_few_values(&mut self, e: ExprId) -> bool {
        let mut leaves = MOST_VALUES;
        if self.is_choice_of_numbers(e, MOST_CHOICES, &mut leaves) {
            return true;
        }
        if let ExprKind::Var(var) = self.arena.kind(e) {
            let conditions = self.state.path.iter();
            let mut others = conditions.map(|condition| self.arena.vars(condition));
            if !others.any(|vars| self.arena.vars_iter(vars).any(|other| other == var)) {
                return false;
            }
        }
        let mut others = self.arena.yes();
        let mut model = self.current.model.clone();
        for _ in 0..MOST_VALUES {
            let value = Evaluator::new().eval(&self.arena, &model, e);
            let number = self.arena.constant(self.arena.width(e), value);
            let same = self.arena.eq(e, number);
            let other = self.arena.not(same);
            others = self.arena.and(others, other);
            match (self.solver).solve(&mut self.arena, &self.state.path, others, &model) {
                Answer::Unsat => return true,
                Answer::Sat(next) => model = Rc::new(next),
                Answer::Unknown(_) => return false,
            }
        }
        false
    }

    fn is_choice_of_numbers(&self, e: ExprId, depth: u32, leaves: &mut usize) -> bool {
        match self.arena.kind(e) {
            ExprKind::Const(_) => {
                *leaves = leaves.saturating_sub(1);
                *leaves > 0
            }
            ExprKind::Ite(_, a, b) if depth > 0 => {
                self.is_choice_of_numbers(a, depth - 1, leaves)
                    && self.is_choice_of_numbers(b, depth - 1, leaves)
            }
            _ => false,
        }
    }

    /// The path has fixed what a place holds.
    fn put_number(&mut self, place: SetPlace, width: u8, value: u64) {
        match place {
            SetPlace::Register { below, reg } => {
                if let Some(frame) = frame_mut(&mut self.state, below) {
                    frame.regs[reg.index()] = Slot::concrete(value);
                }
            }
            SetPlace::Memory(MemoryRange { object, offset, .. }) => {
                let number = self.arena.constant(width, value.into());
                if let Some(object) = self.state.memory.object_mut(object) {
                    object.put_possible(&mut self.arena, offset, number);
                }
            }
        }
    }
}
