//! The sets of a node take in what an arriving state can hold.

use super::held::HeldValue;
use crate::exec::Machine;
use crate::states::{GrowingSet, OpenPlace, StateGraph};
use labrys_expr::{ExprId, VarId};
use labrys_solver::Answer;
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::rc::Rc;

impl Machine<'_> {
    /// Lets the sets of open places contain what the current state can hold there, with all inputs of its
    /// path. True if one of them has grown.
    pub(super) fn take_in(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        open: &mut [OpenPlace],
    ) -> bool {
        let stops = graph.borrow().stops.clone();
        let mut grown = false;
        let mut asked: Vec<(usize, ExprId)> = Vec::new();
        for (at, place) in open.iter_mut().enumerate() {
            match self.held_at(place.place) {
                HeldValue::Number(value) => {
                    let value = value.wrapping_sub(place.base) & mask(place.width);
                    if !place.values.contains(value, place.width) {
                        place.values.grow(value, place.width, &stops);
                        grown = true;
                    }
                }
                HeldValue::Expression(e) if !self.is_kept_within(graph, e, place) => {
                    let base = self.arena.constant(place.width, place.base.into());
                    asked.push((at, self.arena.sub(e, base)));
                }
                HeldValue::Expression(_) | HeldValue::Undefined => {}
            }
        }
        if asked.is_empty() {
            return grown;
        }
        let mentioned = self.mentioned();
        for (at, e) in &asked {
            let is_free = self
                .free_variable(*e)
                .is_some_and(|var| !mentioned.contains(&var));
            if is_free {
                open[*at].values = GrowingSet::Any;
                grown = true;
            }
        }
        for (at, e) in asked {
            grown |= self.take_in_all(&mut open[at], e, &stops);
        }
        grown
    }

    /// Lets a set contain all values that an expression has with the inputs of the path. True if it has
    /// grown.
    pub(super) fn take_in_all(&mut self, place: &mut OpenPlace, e: ExprId, stops: &[i64]) -> bool {
        let mut grown = false;
        loop {
            let holds = place.values.holds(&mut self.arena, e);
            let outside = self.arena.not(holds);
            if self.arena.as_const(outside) == Some(0) {
                return grown;
            }
            let model = self.current.model.clone();
            match (self.solver).solve(&mut self.arena, &self.state.path, outside, &model) {
                Answer::Unsat => {
                    self.claim_joined(outside);
                    return grown;
                }
                Answer::Sat(model) => {
                    self.current.set(Rc::new(model));
                    let value = self.current.value(&self.arena, e) as u64;
                    match place.values.contains(value, place.width) {
                        true => place.values = GrowingSet::Any,
                        false => place.values.grow(value, place.width, stops),
                    }
                }
                Answer::Unknown(_) => place.values = GrowingSet::Any,
            }
            grown = true;
        }
    }

    /// Is this the value with which the path began in a place of its node, and does the set contain all of
    /// these?
    pub(super) fn is_kept_within(
        &self,
        graph: &RefCell<StateGraph>,
        e: ExprId,
        place: &OpenPlace,
    ) -> bool {
        if place.values == GrowingSet::Any {
            return true;
        }
        let graph = graph.borrow();
        let Some(node) = graph.current else {
            return false;
        };
        let before = graph.nodes[node].open.iter();
        let mut before = before.filter(|open| open.base == 0 && place.base == 0);
        before.any(|open| {
            self.arena.var_expr(open.var) == e && place.values.includes(&open.values, place.width)
        })
    }

    /// The variables in the conditions of the path.
    pub(super) fn mentioned(&self) -> FxHashSet<VarId> {
        let mut mentioned = FxHashSet::default();
        for condition in self.state.path.iter() {
            let vars = self.arena.vars(condition);
            mentioned.extend(self.arena.vars_iter(vars));
        }
        mentioned
    }

    /// The variable that an expression is.
    pub(super) fn free_variable(&self, e: ExprId) -> Option<VarId> {
        let vars = self.arena.vars(e);
        let mut vars = self.arena.vars_iter(vars);
        let var = vars.next().filter(|_| vars.next().is_none())?;
        (self.arena.var_expr(var) == e).then_some(var)
    }
}

pub(super) fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - u32::from(width.clamp(1, 64)))
}
