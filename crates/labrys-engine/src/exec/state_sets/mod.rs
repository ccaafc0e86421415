//! Joins in a proof over sets of states: a path that comes to one ends there, and its state joins the node
//! of the graph that stands for states like it. A node that has grown is explored again.

mod compared;
mod confluence;
mod differences;
mod held;
mod image;
mod node;
mod obstacles;
mod reads;
mod relations;
mod split;
mod take_in;

pub(crate) use confluence::Confluence;

use super::{Machine, Step};
use crate::end::PathEnd;
use crate::state::MemoryRange;
use crate::states::{KeptPlace, StateGraph};
use held::HeldValue;
use labrys_ir::Reg;
use std::cell::RefCell;
use std::rc::Rc;

/// Kept places that have more values than this at a join are kept no longer.
const MOST_KEPT_VALUES: usize = 40;

/// Marks in the key of a node, for values that are not numbers.
const OPEN: u64 = 1;
const UNDEFINED: u64 = 2;
const NUMBER: u64 = 3;
const POINTER: u64 = 4;

impl Machine<'_> {
    /// `labrys cut(number)`
    pub(in crate::exec) fn reach_cut(&mut self, number: Reg) -> Step {
        let Some(graph) = self.states.clone() else {
            return Ok(());
        };
        if self.is_under_way() {
            return Ok(());
        }
        // A path that was run for a label: its other inputs go on without it.
        if self.state.leaf_label.is_some() || !self.mode.forks() {
            return Err(PathEnd::LoopClosed);
        }
        self.split_kept(&graph)?;
        let number = self.value(number) as u32;
        graph.borrow_mut().locs.insert(number, self.location());
        let Some(key) = self.node_key(&graph, number) else {
            return Ok(());
        };
        self.note_copies(&graph);
        let known = graph.borrow().index.get(&key).cloned().unwrap_or_default();
        for node in known {
            if let Some(differences) = self.differences(&graph, node) {
                self.join(&graph, node, differences);
                return Err(PathEnd::LoopClosed);
            }
        }
        let Some(differences) = self.symbolic_places(&graph) else {
            return Ok(());
        };
        self.add_node(&graph, key, &differences);
        Err(PathEnd::LoopClosed)
    }

    /// Is something under way that no node can express?
    fn is_under_way(&self) -> bool {
        let state = &self.state;
        state.speculation.is_some()
            || state.evaluation.is_some()
            || !state.upcoming.is_empty()
            || state.pending_switch.is_some()
            || state.opened.is_some()
            || state.asked_faults.is_some()
            || !state.jumps.is_empty()
            || !state.fallible_calls.is_empty()
            || self.mode.until().is_some()
    }

    /// Which states can share a node with this one: those with the same calls, with the same kinds of
    /// values in their registers, and with the same numbers in the places that are kept.
    fn node_key(&mut self, graph: &Rc<RefCell<StateGraph>>, cut: u32) -> Option<Vec<u64>> {
        let mut key = vec![u64::from(cut)];
        self.add_results_to_key(graph, &mut key);
        let mut below = 0;
        loop {
            let frame = self.frame_below(below)?;
            let (function, pc, results) = (frame.function, frame.pc, frame.results);
            key.push(u64::from(function.0) << 32 | u64::from(pc));
            key.push(u64::from(results.start));
            key.extend(frame.objects.iter().map(|object| u64::from(object.0)));
            let is_last = frame.parent.is_none();
            for reg in self.needed_registers(graph, below)?.iter() {
                let held = self.held_in_register(below, *reg);
                let place = KeptPlace::Register(function, *reg);
                self.add_to_key(graph, (cut, place), held, &mut key);
            }
            if is_last {
                break;
            }
            below += 1;
        }
        let kept: Vec<MemoryRange> = (graph.borrow().kept.iter())
            .filter_map(|place| match place {
                KeptPlace::Memory(range) => Some(*range),
                KeptPlace::Register(..) => None,
            })
            .collect();
        for range in kept {
            let held = match self.state.memory.object(range.object).cloned() {
                Some(object) => self.held_in_memory(&object, range),
                None => HeldValue::Undefined,
            };
            self.add_to_key(graph, (cut, KeptPlace::Memory(range)), held, &mut key);
        }
        Some(key)
    }

    /// What a function is about to give back.
    fn add_results_to_key(&mut self, graph: &Rc<RefCell<StateGraph>>, key: &mut Vec<u64>) {
        let (function, pc) = (self.state.frame.function, self.state.frame.pc);
        let module = self.program.module;
        let returned = graph.borrow_mut().returned.at(module, function, pc);
        for reg in returned.iter() {
            let HeldValue::Number(value) = self.held_in_register(0, *reg) else {
                key.push(OPEN);
                continue;
            };
            let place = (function, pc, *reg);
            let is_pointer = self.pointed_object(value).is_some();
            match !is_pointer && graph.borrow_mut().returned.tells_apart(place, value) {
                true => key.extend([NUMBER, value]),
                false => key.push(OPEN),
            }
        }
    }

    fn add_to_key(
        &mut self,
        graph: &Rc<RefCell<StateGraph>>,
        (cut, place): (u32, KeptPlace),
        held: HeldValue,
        key: &mut Vec<u64>,
    ) {
        match held {
            HeldValue::Number(value) => match self.pointed_object(value) {
                Some(object) => key.extend([POINTER, object]),
                None => {
                    let mut graph = graph.borrow_mut();
                    if !graph.kept.contains(&place) {
                        return key.push(OPEN);
                    }
                    key.extend([NUMBER, value]);
                    let seen = graph.seen.entry((cut, place)).or_default();
                    seen.insert(value);
                    if seen.len() > MOST_KEPT_VALUES {
                        graph.too_many.insert(place);
                    }
                }
            },
            HeldValue::Expression(e) => {
                let value = self.current.value(&self.arena, e) as u64;
                match self
                    .pointed_object(value)
                    .filter(|_| self.arena.width(e) == 64)
                {
                    Some(object) => key.extend([POINTER, object]),
                    None => key.push(OPEN),
                }
            }
            HeldValue::Undefined => key.push(UNDEFINED),
        }
    }
}
