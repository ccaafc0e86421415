//! Relations between places that hold in all states of a node: guessed from the first of them, checked for
//! every state that joins, and weakened where it does not satisfy them.

use super::held::HeldValue;
use crate::exec::Machine;
use crate::memory::ReadValue;
use crate::state::State;
use crate::states::{
    ComparedTerms, KeptPlace, NodeRelation, PossibleOrders, RelationTerms, SetPlace, StateGraph,
    StateSet, TermPlace,
};
use labrys_expr::{Evaluator, ExprId, VarId, transplant};
use labrys_solver::{Answer, for_each_conjunct};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// A relation with the values of its terms in a state.
struct RelatedValues {
    guard: ExprId,
    left: ExprId,
    right: ExprId,
}

impl Machine<'_> {
    /// The relations that the first state of a node, the current one, satisfies.
    pub(super) fn first_relations(&mut self, graph: &Rc<RefCell<StateGraph>>) -> Vec<NodeRelation> {
        let (terms, compared) = {
            let graph = graph.borrow();
            (graph.terms.clone(), graph.uses.clone())
        };
        let mut known = FxHashMap::default();
        let mut relations = Vec::new();
        for terms_of in compared {
            let vars = terms.borrow().vars(&terms_of);
            let has_all = vars.iter().all(|var| {
                let place = terms.borrow().place(*var).place;
                let found = known.entry(*var).or_insert_with(|| {
                    self.place_here(graph, place)
                        .filter(|place| !matches!(self.held_at(*place), HeldValue::Undefined))
                });
                found.is_some()
            });
            if has_all {
                relations.push(NodeRelation {
                    terms: terms_of,
                    orders: PossibleOrders::default(),
                });
            }
        }
        self.take_in_relations(graph, &mut relations);
        relations.retain(|relation| relation.orders != PossibleOrders::ANY);
        relations
    }

    /// Weakens relations until the current state satisfies them with all inputs of its path. True if one
    /// has become weaker.
    pub(super) fn take_in_relations(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        relations: &mut [NodeRelation],
    ) -> bool {
        let weak = |relation: &NodeRelation| relation.orders == PossibleOrders::ANY;
        if relations.iter().all(weak) {
            return false;
        }
        let terms = graph.borrow().terms.clone();
        let values = self.values_here(graph, &terms, relations);
        let mut grown = false;
        let mut asked: Vec<(usize, RelatedValues)> = Vec::new();
        for (at, values) in values.into_iter().enumerate() {
            match values {
                Some(values) => asked.push((at, values)),
                None if weak(&relations[at]) => {}
                None => {
                    relations[at].orders = PossibleOrders::ANY;
                    grown = true;
                }
            }
        }
        // What the state holds there decides, also where no question is asked.
        for (_, values) in &asked {
            for e in [values.guard, values.left, values.right] {
                self.solver.note_goal(&self.arena, e);
            }
        }
        let model = self.current.model.clone();
        grown |= self.weaken(&model, relations, &asked);
        let known = self.conditions_in_front(graph);
        loop {
            let mut outside = self.arena.no();
            for (at, values) in &asked {
                let holds = self.relation_holds(&relations[*at], values);
                if !self.is_known(&known, holds) {
                    let not = self.arena.not(holds);
                    outside = self.arena.or(outside, not);
                }
            }
            if self.arena.as_const(outside) == Some(0) {
                return grown;
            }
            let model = self.current.model.clone();
            match (self.solver).solve(&mut self.arena, &self.state.path, outside, &model) {
                Answer::Unsat => {
                    self.claim_joined(outside);
                    return grown;
                }
                Answer::Sat(model) if self.weaken(&model, relations, &asked) => grown = true,
                Answer::Sat(_) | Answer::Unknown(_) => {
                    for (at, _) in &asked {
                        relations[*at].orders = PossibleOrders::ANY;
                    }
                    return true;
                }
            }
        }
    }

    /// Lets relations allow what they are with some inputs.
    fn weaken(
        &mut self,
        model: &labrys_expr::Model,
        relations: &mut [NodeRelation],
        asked: &[(usize, RelatedValues)],
    ) -> bool {
        let mut grown = false;
        let mut evaluator = Evaluator::new();
        for (at, values) in asked {
            let relation = &mut relations[*at];
            if evaluator.eval(&self.arena, model, values.guard) == 0 {
                continue;
            }
            let width = self.arena.width(values.left);
            let left = evaluator.eval(&self.arena, model, values.left);
            let right = evaluator.eval(&self.arena, model, values.right);
            let order = match relation.terms.is_signed {
                true => labrys_expr::signed(left, width).cmp(&labrys_expr::signed(right, width)),
                false => left.cmp(&right),
            };
            let order = PossibleOrders::from(order);
            if !relation.orders.contains(order) {
                relation.orders = relation.orders.with(order);
                grown = true;
            }
        }
        grown
    }

    fn relation_holds(&mut self, relation: &NodeRelation, values: &RelatedValues) -> ExprId {
        let sides = (values.left, values.right);
        let holds = (relation.orders).holds(&mut self.arena, sides, relation.terms.is_signed);
        let not = self.arena.not(values.guard);
        self.arena.or(not, holds)
    }

    /// What the node says from which the path began.
    fn conditions_in_front(&self, graph: &Rc<RefCell<StateGraph>>) -> FxHashSet<ExprId> {
        let graph = graph.borrow();
        let node = graph.current.map(|node| &graph.nodes[node]);
        node.map_or_else(FxHashSet::default, |node| node.image.path.iter().collect())
    }

    fn is_known(&mut self, known: &FxHashSet<ExprId>, condition: ExprId) -> bool {
        let mut all = true;
        for_each_conjunct(&mut self.arena, condition, &mut |arena, part| {
            all &= known.contains(&part) || arena.as_const(part) == Some(1);
        });
        all
    }

    /// The place of a state that a place of a term is, if the state has it.
    fn place_here(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        place: KeptPlace,
    ) -> Option<SetPlace> {
        match place {
            KeptPlace::Memory(range) => {
                let object = self.state.memory.object(range.object)?;
                (range.offset + u64::from(range.len) <= object.size())
                    .then_some(SetPlace::Memory(range))
            }
            KeptPlace::Register(function, reg) => {
                let mut below = 0;
                while self.frame_below(below)?.function != function {
                    below += 1;
                }
                let needed = self.needed_registers(graph, below)?;
                (needed.contains(&reg)).then_some(SetPlace::Register { below, reg })
            }
        }
    }

    /// The values of relations in the current state; none where a place has none.
    fn values_here(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        terms: &Rc<RefCell<RelationTerms>>,
        relations: &[NodeRelation],
    ) -> Vec<Option<RelatedValues>> {
        let mut places: FxHashMap<VarId, Option<ExprId>> = FxHashMap::default();
        let vars: Vec<Vec<VarId>> = {
            let terms = terms.borrow();
            relations
                .iter()
                .map(|relation| terms.vars(&relation.terms))
                .collect()
        };
        for var in vars.iter().flatten() {
            if places.contains_key(var) {
                continue;
            }
            let place = terms.borrow().place(*var);
            let here = self.place_here(graph, place.place);
            let value = here.and_then(|here| match self.held_at(here) {
                HeldValue::Number(value) => Some(self.number_at(here, value)),
                HeldValue::Expression(e) => Some(e),
                HeldValue::Undefined => None,
            });
            let value = value.and_then(|value| self.term_value(value, place));
            places.insert(*var, value);
        }
        self.values_of(&terms.borrow(), relations, &vars, &places)
    }

    fn number_at(&mut self, place: SetPlace, value: u64) -> ExprId {
        let width = match place {
            SetPlace::Memory(range) => (range.len * 8) as u8,
            SetPlace::Register { below, reg } => {
                let function = self.frame_below(below).map(|frame| frame.function);
                let functions = &self.program.module.functions;
                function.map_or(64, |function| functions[function.index()].width(reg))
            }
        };
        self.arena.constant(width, value.into())
    }

    /// The value of the variable for a place, if it can be that.
    fn term_value(&mut self, value: ExprId, place: TermPlace) -> Option<ExprId> {
        let width = self.arena.width(value);
        if width > place.width {
            return None;
        }
        let base = self.arena.constant(width, place.base.into());
        let value = self.arena.sub(value, base);
        Some(self.arena.zext(value, place.width))
    }

    fn values_of(
        &mut self,
        terms: &RelationTerms,
        relations: &[NodeRelation],
        vars: &[Vec<VarId>],
        places: &FxHashMap<VarId, Option<ExprId>>,
    ) -> Vec<Option<RelatedValues>> {
        let yes = terms.arena.yes();
        let mut all = Vec::with_capacity(relations.len());
        for (relation, vars) in relations.iter().zip(vars) {
            let has_all = (vars.iter()).all(|var| places.get(var).is_some_and(Option::is_some));
            if !has_all || relation.orders == PossibleOrders::ANY {
                all.push(None);
                continue;
            }
            let ComparedTerms {
                guard, left, right, ..
            } = relation.terms;
            let sides = [guard.unwrap_or(yes), left, right];
            let made = transplant(&terms.arena, &mut self.arena, &sides, &mut |arena, var| {
                let value = places.get(&var).copied().flatten();
                // All of them have one.
                value.unwrap_or_else(|| arena.uninit(64))
            });
            all.push(match made[..] {
                [guard, left, right] => Some(RelatedValues { guard, left, right }),
                _ => None,
            });
        }
        all
    }

    /// The conditions of a node's relations on the variables of its image.
    pub(super) fn relation_conditions(
        &mut self,
        terms: &RelationTerms,
        node: &StateSet,
    ) -> Vec<ExprId> {
        let relations: Vec<NodeRelation> = (node.relations.iter())
            .filter(|relation| relation.orders != PossibleOrders::ANY)
            .copied()
            .collect();
        let vars: Vec<Vec<VarId>> = (relations.iter())
            .map(|relation| terms.vars(&relation.terms))
            .collect();
        let mut places: FxHashMap<VarId, Option<ExprId>> = FxHashMap::default();
        for var in vars.iter().flatten() {
            if !places.contains_key(var) {
                let place = terms.place(*var);
                let value = self.value_in_image(&node.image, place.place);
                let value = value.and_then(|value| self.term_value(value, place));
                places.insert(*var, value);
            }
        }
        let values = self.values_of(terms, &relations, &vars, &places);
        let mut conditions = Vec::new();
        for (relation, values) in relations.iter().zip(values) {
            if let Some(values) = values {
                conditions.push(self.relation_holds(relation, &values));
            }
        }
        conditions
    }

    fn value_in_image(&mut self, image: &State, place: KeptPlace) -> Option<ExprId> {
        match place {
            KeptPlace::Memory(range) => {
                let object = image.memory.object(range.object)?;
                Some(
                    match object.read(&mut self.arena, range.offset, range.len.into()) {
                        ReadValue::Concrete(value) => {
                            self.arena.constant((range.len * 8) as u8, value.into())
                        }
                        ReadValue::Symbolic(e) => e,
                    },
                )
            }
            KeptPlace::Register(function, reg) => {
                let mut frame = &image.frame;
                while frame.function != function {
                    frame = frame.parent.as_deref()?;
                }
                let slot = frame.regs.get(reg.index())?;
                let width = self.program.module.functions[function.index()].width(reg);
                Some(match slot.expr {
                    Some(e) => e,
                    None => self.arena.constant(width, slot.bits.into()),
                })
            }
        }
    }
}
