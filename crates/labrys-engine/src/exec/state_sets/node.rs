//! Nodes: made of the first state that comes to a join, with variables where it has expressions or where
//! later states differ from it.

use super::differences::PlaceDifference;
use super::held::HeldValue;
use super::take_in::mask;
use crate::exec::Machine;
use crate::inputs::InputKind;
use crate::memory::Slot;
use crate::state::{Frame, LoopPlace, MemoryRange, State};
use crate::states::{
    GrowingSet, KeptPlace, OpenPlace, RelationTerms, SetPlace, StateGraph, StateSet, WayToSet,
};
use labrys_expr::{Evaluator, ExprId, Model};
use labrys_ir::FuncId;
use labrys_solver::PathCondition;
use std::cell::RefCell;
use std::rc::Rc;

impl Machine<'_> {
    /// A node for states like the current one.
    pub(super) fn add_node(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        key: Vec<u64>,
        differences: &[PlaceDifference],
    ) {
        let number = graph.borrow().nodes.len();
        let mut open: Vec<OpenPlace> = Vec::new();
        for difference in differences {
            let mut place = self.open_place(graph, difference);
            place.first = self.first_value(graph, &place);
            if let HeldValue::Expression(e) = self.held_at(place.place) {
                let base = self.arena.constant(place.width, place.base.into());
                place.began = Some(self.arena.sub(e, base));
            }
            open.push(place);
        }
        self.take_in(graph, &mut open);
        let relations = self.first_relations(graph);
        let mut shared = graph.borrow_mut();
        let mut node = StateSet {
            cut: key.first().map_or(0, |cut| *cut as u32),
            image: blank(&self.state),
            model: Rc::new(Model::new()),
            open,
            relations,
            waits: false,
            looks: 0,
            way: WayToSet {
                from: shared.current,
                path: self.state.path.clone(),
                model: self.current.model.clone(),
            },
            obstacles: None,
        };
        let terms = shared.terms.clone();
        self.renew(&terms.borrow(), &mut node);
        shared.nodes.push(node);
        shared.index.entry(key).or_default().push(number);
        shared.wait(number);
    }

    /// The current state joins a node.
    pub(super) fn join(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        node: usize,
        differences: Vec<PlaceDifference>,
    ) {
        let mut open = graph.borrow().nodes[node].open.clone();
        let mut grown = !differences.is_empty();
        for difference in differences {
            let new = self.open_place(graph, &difference);
            open.push(new);
        }
        grown |= self.take_in(graph, &mut open);
        let mut relations = graph.borrow().nodes[node].relations.clone();
        grown |= self.take_in_relations(graph, &mut relations);
        let mut graph = graph.borrow_mut();
        graph.nodes[node].open = open;
        graph.nodes[node].relations = relations;
        let terms = graph.terms.clone();
        if grown {
            let place = &mut graph.nodes[node];
            self.renew(&terms.borrow(), place);
            graph.wait(node);
        }
    }

    pub(super) fn open_place(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        difference: &PlaceDifference,
    ) -> OpenPlace {
        let bytes = u64::from(difference.width.div_ceil(8));
        let (kept, name) = match difference.place {
            SetPlace::Register { below, reg } => {
                let function = self.frame_below(below).map_or(FuncId(0), |f| f.function);
                let name = format!("\0register {} of {} at {below}", reg.0, function.0);
                (KeptPlace::Register(function, reg), name)
            }
            SetPlace::Memory(range) => {
                let name = format!("\0byte {} of {}", range.offset, range.object.0);
                (KeptPlace::Memory(range), name)
            }
        };
        // All nodes have the same variable in one place: states of two nodes are never mixed. No input has
        // such a name.
        let kind = InputKind::Memory;
        let id = (self.inputs).request(&mut self.arena, 0, &name, kind, bytes, 8);
        let (var, _) = self.inputs.get(id).pieces[0];
        let is_known = graph.borrow().names.contains_key(&kept);
        if !is_known {
            let words = self.name_of(kept);
            graph.borrow_mut().names.insert(kept, words);
        }
        let array = {
            let mut graph = graph.borrow_mut();
            graph.places.insert(var, kept);
            graph.array_of(kept)
        };
        let first = difference.known.wrapping_sub(difference.base) & mask(difference.width);
        OpenPlace {
            place: difference.place,
            width: difference.width,
            base: difference.base,
            values: GrowingSet::Few(vec![first]),
            var,
            array,
            first: difference.is_number.then_some(first),
            began: None,
        }
    }

    /// What the source calls a place.
    fn name_of(&self, place: KeptPlace) -> String {
        match place {
            KeptPlace::Register(function, reg) => {
                let module = self.program.module;
                let function = &module.functions[function.index()];
                match function.names.get(&reg) {
                    Some(name) => module.text(name.text).to_owned(),
                    None => format!("a value of {}", function.name),
                }
            }
            KeptPlace::Memory(range) => self.place_name(LoopPlace::Memory(range)).text,
        }
    }

    /// What a place holds if the path began with the first state of its node, where inputs do not matter.
    pub(super) fn first_value(
        &mut self,
        graph: &RefCell<StateGraph>,
        place: &OpenPlace,
    ) -> Option<u64> {
        let HeldValue::Expression(e) = self.held_at(place.place) else {
            return None;
        };
        let mut model = Model::new();
        {
            let graph = graph.borrow();
            let from = &graph.nodes[graph.current?].open;
            let vars = self.arena.vars(e);
            for var in self.arena.vars_iter(vars) {
                let known = from.iter().find(|open| open.var == var)?;
                model.set(var, known.first?);
            }
        }
        let current = self.current.model.clone();
        self.current.set(Rc::new(model));
        let value = self.current.value(&self.arena, e) as u64;
        self.current.set(current);
        Some(value.wrapping_sub(place.base) & mask(place.width))
    }

    /// The places of the current state whose values are expressions; none if one of them cannot be left
    /// open.
    pub(super) fn symbolic_places(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
    ) -> Option<Vec<PlaceDifference>> {
        let mut found = Vec::new();
        let mut below = 0;
        while self.frame_below(below).is_some() {
            for reg in self.needed_registers(graph, below)?.iter() {
                let place = SetPlace::Register { below, reg: *reg };
                let held = self.held_in_register(below, *reg);
                let slot = self.frame_below(below)?.regs[reg.index()];
                if matches!(held, HeldValue::Undefined) && self.depends_on_inputs(slot.expr) {
                    return None;
                }
                found.extend(self.symbolic_place(place, held)?);
            }
            below += 1;
        }
        let memory = self.state.memory.clone();
        let mut ranges = Vec::new();
        memory.for_each_symbolic(&mut |object, offset, len| {
            ranges.push((object, offset, len));
        });
        for (object, offset, len) in ranges {
            let contents = memory.object(object)?;
            let mut at = offset;
            while at < offset + u64::from(len) {
                let part = (offset + u64::from(len) - at).min(8) as u32;
                let range = MemoryRange {
                    object,
                    offset: at,
                    len: part,
                };
                let held = self.held_in_memory(contents, range);
                // Parts of it were never written, and the others may depend on inputs of the path.
                if matches!(held, HeldValue::Undefined) {
                    return None;
                }
                found.extend(self.symbolic_place(SetPlace::Memory(range), held)?);
                at += u64::from(part);
            }
        }
        Some(found)
    }

    fn depends_on_inputs(&self, e: Option<ExprId>) -> bool {
        e.is_some_and(|e| self.arena.vars_len(self.arena.vars(e)) > 0)
    }

    pub(super) fn symbolic_place(
        &mut self,
        place: SetPlace,
        held: HeldValue,
    ) -> Option<Option<PlaceDifference>> {
        let HeldValue::Expression(e) = held else {
            return Some(None);
        };
        let width = self.arena.width(e);
        let value = self.current.value(&self.arena, e) as u64;
        let base = self.pointed_object(value).filter(|_| width == 64);
        (width <= 64).then_some(Some(PlaceDifference {
            place,
            width,
            base: base.unwrap_or(0),
            known: value,
            is_number: false,
        }))
    }

    /// Puts the variables of a node into its image, with the conditions of their sets.
    pub(super) fn renew(&mut self, terms: &RelationTerms, node: &mut StateSet) {
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
