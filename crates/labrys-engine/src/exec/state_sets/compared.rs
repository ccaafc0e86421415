//! What has to hold between places so that nothing leads to an objective: the way of a path is gone backwards
//! through the nodes until the first state of a node could not have gone on like this. The conditions of the
//! way that contradict it are what the next graph has relations about.

use crate::exec::Machine;
use crate::inputs::InputKind;
use crate::states::{
    ComparedTerms, GrowingSet, KeptPlace, RelationTerms, StateGraph, TermPlace, WayToSet,
};
use labrys_expr::{Arena, ExprId, ExprKind, ExprOp, VarId, substitute, transplant};
use labrys_ledger::Trigger;
use labrys_solver::{Answer, PathCondition, WatchedGoals, for_each_conjunct};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// In larger ranges of indexes not every element is compared.
const MOST_ELEMENTS: i64 = 32;

/// So many ways to one event are looked at.
const MOST_WAYS: usize = 16;

/// Those from one node again after so many looks at it, up to some number.
const LOOKS: u32 = 4;
const MOST_LOOKS: u32 = 12;

/// So many steps back.
const MOST_STEPS: usize = 6;

/// Relations of more conditions than this are not looked for.
const MOST_CONDITIONS: usize = 3;

/// Of what a way asks for besides one number, so many conditions are looked at.
const MOST_OTHERS: usize = 2;

/// A way with more conditions is not looked at.
const LONGEST_WAY: usize = 60;

/// One of the conditions that contradict each other, as a comparison.
struct ComparedSides {
    sides: (ExprId, ExprId),
    is_signed: bool,
}

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
            let Some(node) = graph
                .current
                .filter(|_| !graph.is_settled && !asked.is_empty())
            else {
                return;
            };
            // Places are open that were not when it was explored first.
            let looks = graph.nodes[node].looks.min(MOST_LOOKS) / LOOKS;
            let ways = graph.ways.entry(trigger).or_default();
            if ways.len() >= MOST_WAYS || !ways.insert((node, looks)) {
                return;
            }
            asked
        };
        // Whether a way is none is no question of the way itself.
        let watched = self.solver.watch_elsewhere(WatchedGoals::default());
        let found = self.note_contradiction(&graph);
        self.solver.watch_elsewhere(watched);
        if found.is_empty() {
            return;
        }
        let mut graph = graph.borrow_mut();
        for objective in wanted {
            graph.related.entry(objective).or_default().extend(&found);
        }
    }

    /// Goes the way of the current path backwards, and notes what should be related.
    fn note_contradiction(&mut self, graph: &Rc<RefCell<StateGraph>>) -> Vec<usize> {
        let Some(mut number) = graph.borrow().current else {
            return Vec::new();
        };
        let path = self.state.path.clone();
        let mut conditions = self.own_conditions(graph, number, &path);
        for step in 0..MOST_STEPS {
            if conditions.is_empty() || conditions.len() > LONGEST_WAY {
                return Vec::new();
            }
            let pulled = self.conditions_before(graph, number, &conditions, step);
            let way: WayToSet = graph.borrow().nodes[number].way.clone();
            if self.contradicts(&way, &pulled) {
                let core = self.contradicting(&way, pulled, &conditions);
                return self.note_core(graph, number, core, &conditions);
            }
            let Some(from) = way.from else {
                return Vec::new();
            };
            conditions = pulled;
            conditions.retain(|condition| self.arena.as_const(*condition).is_none());
            conditions.extend(self.own_conditions(graph, from, &way.path));
            number = from;
        }
        Vec::new()
    }

    /// The conditions of a path that the node does not say in which it began.
    fn own_conditions(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        node: usize,
        path: &PathCondition,
    ) -> Vec<ExprId> {
        let graph = graph.borrow();
        let known: FxHashSet<ExprId> = graph.nodes[node].image.path.iter().collect();
        let mut own = Vec::new();
        for condition in path.iter().filter(|condition| !known.contains(condition)) {
            for_each_conjunct(&mut self.arena, condition, &mut |_, part| own.push(part));
        }
        own
    }

    /// What conditions on the variables of a node mean for the first of its states, on the path that led to it.
    fn conditions_before(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        node: usize,
        conditions: &[ExprId],
        step: usize,
    ) -> Vec<ExprId> {
        let mut values: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for open in &graph.borrow().nodes[node].open {
            let width = self.arena.var_width(open.var);
            let value = match (open.began, open.first) {
                (Some(began), _) => self.arena.zext(began, width),
                (None, Some(number)) => self.arena.constant(width, number.into()),
                (None, None) => continue,
            };
            values.insert(open.var, value);
        }
        // Each step has inputs of its own.
        for condition in conditions {
            let vars: Vec<VarId> = self.arena.vars_iter(self.arena.vars(*condition)).collect();
            for var in vars {
                if let Entry::Vacant(unknown) = values.entry(var) {
                    let width = self.arena.var_width(var);
                    let name = format!("\0variable {} before {step}", var.0);
                    let bytes = u64::from(width.div_ceil(8));
                    let kind = InputKind::Memory;
                    let id = (self.inputs).request(&mut self.arena, 0, &name, kind, bytes, 8);
                    let (other, _) = self.inputs.get(id).pieces[0];
                    let other = self.arena.var_expr(other);
                    let other = self.arena.extract(other, 0, width);
                    unknown.insert(other);
                }
            }
        }
        substitute(&mut self.arena, conditions, &mut |arena, var| {
            values
                .get(&var)
                .copied()
                .unwrap_or_else(|| arena.var_expr(var))
        })
    }

    fn contradicts(&mut self, way: &WayToSet, conditions: &[ExprId]) -> bool {
        let mut all = self.arena.yes();
        for condition in conditions {
            all = self.arena.and(all, *condition);
        }
        let answer = (self.solver).solve(&mut self.arena, &way.path, all, &way.model);
        matches!(answer, Answer::Unsat)
    }

    /// Those of some conditions without which there is no contradiction, as they are behind the node.
    fn contradicting(
        &mut self,
        way: &WayToSet,
        mut before: Vec<ExprId>,
        behind: &[ExprId],
    ) -> Vec<ExprId> {
        let mut behind = behind.to_vec();
        // What the path knew first is left out first.
        let mut at = before.len();
        while at > 0 {
            at -= 1;
            let (left_out, other) = (before.remove(at), behind.remove(at));
            if before.is_empty() || !self.contradicts(way, &before) {
                before.insert(at, left_out);
                behind.insert(at, other);
            }
        }
        behind
    }

    /// Notes what has to be known where conditions contradict the first state of a node.
    fn note_core(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        node: usize,
        mut core: Vec<ExprId>,
        conditions: &[ExprId],
    ) -> Vec<usize> {
        let vars = |arena: &Arena, condition: ExprId| arena.vars_len(arena.vars(condition));
        match core[..] {
            [] => return Vec::new(),
            // A number of one place: what else the way asks for may hold only with other numbers.
            [only] if vars(&self.arena, only) == 1 => {
                let others = conditions.iter().rev().filter(|other| **other != only);
                let others: Vec<ExprId> = others.take(MOST_OTHERS).copied().collect();
                let found = others.into_iter();
                return found
                    .filter_map(|other| self.note_terms(graph, node, &[only], other))
                    .collect();
            }
            _ if core.len() > MOST_CONDITIONS => return Vec::new(),
            _ => {}
        }
        // The condition on the most places is what holds where the others do.
        core.sort_by_key(|condition| vars(&self.arena, *condition));
        let Some(last) = core.pop() else {
            return Vec::new();
        };
        let found = self.note_terms(graph, node, &core, last);
        found.into_iter().collect()
    }

    /// Notes that the terms of a condition are to be compared where others hold.
    fn note_terms(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        node: usize,
        guards: &[ExprId],
        condition: ExprId,
    ) -> Option<usize> {
        let ComparedSides { sides, is_signed } = self.compared_sides(condition)?;
        let mut guard = self.arena.yes();
        for condition in guards {
            guard = self.arena.and(guard, *condition);
        }
        let terms = graph.borrow().terms.clone();
        let sides = [sides.0, sides.1, guard];
        let mut vars: Vec<VarId> = Vec::new();
        for side in sides {
            vars.extend(self.arena.vars_iter(self.arena.vars(side)));
        }
        let (places, values) = {
            let graph = graph.borrow();
            let places = self.term_places(&graph, node, &mut terms.borrow_mut(), &vars)?;
            let values = known_values(&graph, node, &places);
            (places, values)
        };
        let mut terms = terms.borrow_mut();
        let made = transplant(&self.arena, &mut terms.arena, &sides, &mut |arena, var| {
            match places.get(&var) {
                Some(var) => arena.var_expr(*var),
                // All of them are places.
                None => arena.uninit(64),
            }
        });
        let [left, right, guard] = made[..] else {
            return None;
        };
        let is_guarded = terms.arena.as_const(guard).is_none();
        let compared = ComparedTerms {
            guard: is_guarded.then_some(guard),
            left,
            right,
            is_signed,
        };
        terms.add(compared, &values)
    }

    fn compared_sides(&self, condition: ExprId) -> Option<ComparedSides> {
        let inner = match self.arena.kind(condition) {
            ExprKind::Unary(ExprOp::Not, inner) => inner,
            _ => condition,
        };
        let ExprKind::Binary(op, left, right) = self.arena.kind(inner) else {
            return None;
        };
        let is_comparison = matches!(op, ExprOp::Slt | ExprOp::Ult | ExprOp::Eq);
        let width = self.arena.width(left);
        (is_comparison && width > 1 && width <= 64).then(|| ComparedSides {
            sides: (left, right),
            is_signed: op != ExprOp::Ult,
        })
    }

    /// The variables of terms for variables of a node; none if one of them is no place of it.
    fn term_places(
        &self,
        graph: &StateGraph,
        node: usize,
        terms: &mut RelationTerms,
        vars: &[VarId],
    ) -> Option<FxHashMap<VarId, VarId>> {
        let node = &graph.nodes[node];
        let mut places = FxHashMap::default();
        for var in vars {
            let open = node.open.iter().find(|open| open.var == *var)?;
            let place = *graph.places.get(var)?;
            let name = graph.names.get(&place).map_or("", String::as_str);
            let term = TermPlace {
                place,
                base: open.base,
                width: self.arena.var_width(*var),
            };
            places.insert(*var, terms.var(term, name));
        }
        Some(places)
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
            let is_whole = self.arena.var_width(var).div_ceil(8) == self.arena.width(e).div_ceil(8);
            if let Some(from) = from.filter(|from| *from != place && is_whole) {
                copies.push((place, from));
            }
        }
        if !copies.is_empty() {
            let terms = graph.borrow().terms.clone();
            terms.borrow_mut().copies.insert(copies);
        }
    }
}

/// The values of the places of a node that have few.
fn known_values(
    graph: &StateGraph,
    node: usize,
    places: &FxHashMap<VarId, VarId>,
) -> FxHashMap<VarId, Vec<u64>> {
    let mut values = FxHashMap::default();
    for open in &graph.nodes[node].open {
        let Some(var) = places.get(&open.var) else {
            continue;
        };
        let few = match &open.values {
            GrowingSet::Few(few) => few.clone(),
            GrowingSet::Between { low, high, .. }
                if high
                    .checked_sub(*low)
                    .is_some_and(|many| many < MOST_ELEMENTS) =>
            {
                (*low..=*high).map(|value| value as u64).collect()
            }
            GrowingSet::Between { .. } | GrowingSet::Any => continue,
        };
        values.insert(*var, few);
    }
    values
}
