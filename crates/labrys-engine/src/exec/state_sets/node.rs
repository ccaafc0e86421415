//! Nodes: made of the first state that comes to a join, with variables where it has expressions or where
//! later states differ from it.

use super::differences::PlaceDifference;
use super::held::HeldValue;
use super::image::blank;
use super::take_in::{PassedValue, mask};
use crate::exec::Machine;
use crate::inputs::InputKind;
use crate::memory::{Object, ReadValue};
use crate::state::{LoopPlace, MemoryRange};
use crate::states::{GrowingSet, KeptPlace, OpenPlace, SetPlace, StateGraph, StateSet, WayToSet};
use labrys_expr::{ExprId, Model, VarId};
use labrys_ir::FuncId;
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::BTreeMap;
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
        let passed = self.take_in(graph, &mut open);
        let relations = self.first_relations(graph);
        let mut shared = graph.borrow_mut();
        let order = shared.order_of(self.program.module, &self.state);
        let mut node = StateSet {
            cut: key.first().map_or(0, |cut| *cut as u32),
            image: blank(&self.state),
            model: Rc::new(Model::new()),
            open,
            relations,
            waits: false,
            order,
            is_stale: false,
            read: FxHashSet::default(),
            passed: BTreeMap::new(),
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
        note_passed(&mut shared, number, passed);
        shared.wait(number);
    }

    /// The current state joins a node.
    pub(super) fn join(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        node: usize,
        differences: Vec<PlaceDifference>,
    ) {
        let before = graph.borrow().nodes[node].open.clone();
        let mut open = before.clone();
        let has_new = !differences.is_empty();
        for difference in differences {
            let new = self.open_place(graph, &difference);
            open.push(new);
        }
        let passed = self.take_in(graph, &mut open);
        let places = before.iter().zip(&open);
        let grown = places.filter(|(before, now)| before.values != now.values);
        let grown: Vec<VarId> = grown.map(|(_, now)| now.var).collect();
        let mut relations = graph.borrow().nodes[node].relations.clone();
        let is_related = graph.borrow().nodes[node].is_related();
        let has_weaker = self.take_in_relations(graph, &mut relations);
        let mut graph = graph.borrow_mut();
        graph.nodes[node].open = open;
        graph.nodes[node].relations = relations;
        note_passed(&mut graph, node, passed);
        // What is known of several places together does not go on with one of them.
        if has_new || has_weaker || is_related && !grown.is_empty() {
            let terms = graph.terms.clone();
            let place = &mut graph.nodes[node];
            self.renew(&terms.borrow(), place);
            graph.wait(node);
        } else if !grown.is_empty() {
            graph.spread(node, grown);
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
            values: match difference.is_anything {
                true => GrowingSet::Any,
                false => GrowingSet::Few(vec![first]),
            },
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
                match held {
                    HeldValue::Undefined => self.unwritten_bytes(contents, range, &mut found),
                    _ => found.extend(self.symbolic_place(SetPlace::Memory(range), held)?),
                }
                at += u64::from(part);
            }
        }
        Some(found)
    }

    /// Parts of a range were never written, and the others may depend on inputs of the path.
    fn unwritten_bytes(
        &mut self,
        contents: &Object,
        range: MemoryRange,
        found: &mut Vec<PlaceDifference>,
    ) {
        for offset in range.offset..range.offset + u64::from(range.len) {
            let byte = MemoryRange {
                offset,
                len: 1,
                ..range
            };
            let ReadValue::Symbolic(e) = contents.read(&mut self.arena, offset, 1) else {
                continue;
            };
            // What no input decides is the same in all states of the node.
            if self.depends_on_inputs(Some(e)) {
                let value = self.current.value(&self.arena, e) as u64;
                found.push(PlaceDifference {
                    place: SetPlace::Memory(byte),
                    width: 8,
                    base: 0,
                    known: value,
                    is_number: false,
                    is_anything: self.arena.defined(e).is_none(),
                });
            }
        }
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
            is_anything: false,
        }))
    }
}

/// Places of a node have what places of the node in front had.
fn note_passed(graph: &mut StateGraph, to: usize, passed: Vec<PassedValue>) {
    if let Some(from) = graph.current {
        for value in passed {
            let places = graph.nodes[from].passed.entry(value.var).or_default();
            places.insert((to, value.to));
        }
    }
}
