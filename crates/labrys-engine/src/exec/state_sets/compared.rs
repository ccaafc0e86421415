//! Which places the program compares with each other, on ways to what nothing should lead to: these are the
//! places whose relations are looked at in the next graph.

use crate::exec::Machine;
use crate::states::{ComparedTerms, KeptPlace, RelationTerms, StateGraph, TermPlace};
use labrys_expr::{ExprId, ExprKind, ExprOp, VarId, transplant};
use labrys_ledger::Trigger;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// So many ways to one objective are looked at.
const MOST_WAYS: u32 = 64;

impl Machine<'_> {
    /// An event of the current path.
    pub(in crate::exec) fn note_event(&mut self, trigger: Trigger) {
        let Some(graph) = self.states.clone() else {
            return;
        };
        graph.borrow_mut().note_event(trigger);
        let wanted = {
            let mut graph = graph.borrow_mut();
            let objectives = self.objectives.covered_by(trigger).iter();
            let asked: Vec<usize> = (objectives.map(|objective| *objective as usize))
                .filter(|objective| graph.asked.contains(objective))
                .collect();
            let ways = graph.ways.entry(trigger).or_default();
            *ways += 1;
            let is_enough = *ways > MOST_WAYS;
            match graph.is_settled || is_enough {
                true => Vec::new(),
                false => asked,
            }
        };
        if !wanted.is_empty() && self.note_compared(&graph) {
            graph.borrow_mut().related.extend(wanted);
        }
    }

    /// Notes what is compared on the current path, since the node in front. Is there anything?
    fn note_compared(&mut self, graph: &Rc<RefCell<StateGraph>>) -> bool {
        let known: FxHashSet<ExprId> = {
            let graph = graph.borrow();
            let Some(node) = graph.current else {
                return false;
            };
            graph.nodes[node].image.path.iter().collect()
        };
        let conditions: Vec<ExprId> = (self.state.path.iter())
            .filter(|condition| !known.contains(condition))
            .collect();
        let mut found = false;
        for condition in conditions {
            let mut parts = vec![condition];
            while let Some(part) = parts.pop() {
                match self.arena.kind(part) {
                    ExprKind::Binary(op, a, b) if self.arena.width(a) > 1 => {
                        if matches!(op, ExprOp::Slt | ExprOp::Ult | ExprOp::Eq) {
                            found |= self.note_comparison(graph, (a, b), op != ExprOp::Ult);
                        }
                    }
                    _ if self.arena.width(part) == 1 => {
                        let arena = &self.arena;
                        arena.for_each_operand(part, |operand| {
                            if arena.width(operand) == 1 {
                                parts.push(operand);
                            }
                        });
                    }
                    _ => {}
                }
            }
        }
        found
    }

    fn note_comparison(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        (left, right): (ExprId, ExprId),
        is_signed: bool,
    ) -> bool {
        let vars = |e: ExprId| -> Vec<VarId> {
            let set = self.arena.vars(e);
            self.arena.vars_iter(set).collect()
        };
        let mut all = vars(left);
        all.extend(vars(right));
        all.sort_unstable();
        all.dedup();
        let terms = graph.borrow().terms.clone();
        let Some(places) = term_places(&graph.borrow(), &mut terms.borrow_mut(), &all) else {
            return false;
        };
        if all.len() < 2 {
            return false;
        }
        let mut terms = terms.borrow_mut();
        let made = transplant(&self.arena, &mut terms.arena, &[left, right], &mut |arena, var| {
            match places.get(&var) {
                Some(var) => arena.var_expr(*var),
                None => arena.constant(64, 0),
            }
        });
        if let [left, right] = made[..] {
            terms.add(ComparedTerms {
                guard: None,
                left,
                right,
                is_signed,
            });
        }
        true
    }

    /// Notes which registers of the innermost call are copies of other places since the node in front.
    pub(super) fn note_copies(&mut self, graph: &Rc<RefCell<StateGraph>>) {
        if graph.borrow().is_settled || graph.borrow().current.is_none() {
            return;
        }
        let Some(needed) = self.needed_registers(graph, 0) else {
            return;
        };
        let function = self.state.frame.function;
        let mut copies = Vec::new();
        for reg in needed.iter() {
            let Some(e) = self.state.frame.regs[reg.index()].expr else {
                continue;
            };
            let var = match self.arena.kind(e) {
                ExprKind::Var(var) => var,
                ExprKind::Extract(inner, 0) => match self.arena.kind(inner) {
                    ExprKind::Var(var) => var,
                    _ => continue,
                },
                _ => continue,
            };
            let place = KeptPlace::Register(function, *reg);
            let from = graph.borrow().places.get(&var).copied();
            if let Some(from) = from.filter(|from| *from != place) {
                copies.push((place, from));
            }
        }
        if !copies.is_empty() {
            let terms = graph.borrow().terms.clone();
            terms.borrow_mut().copies.insert(copies);
        }
    }
}

/// The variables of terms for variables of a node; none if one of them is no place of it.
fn term_places(
    graph: &StateGraph,
    terms: &mut RelationTerms,
    vars: &[VarId],
) -> Option<FxHashMap<VarId, VarId>> {
    let node = &graph.nodes[graph.current?];
    let mut places = FxHashMap::default();
    for var in vars {
        let open = node.open.iter().find(|open| open.var == *var)?;
        let place = *graph.places.get(var)?;
        let name = graph.names.get(&place).map_or("", String::as_str);
        let base = open.base;
        places.insert(*var, terms.var(TermPlace { place, base }, name));
    }
    Some(places)
}
