//! Where paths of one turn of a loop come together, in a proof over all turns: they go on as one, whose
//! values depend on which of them it was. Nothing is lost by that, so what the joined path does not cover,
//! none of them covers.

use super::differences::has_same_surroundings;
use super::held::HeldValue;
use super::image::{blank, frame_mut};
use crate::end::PathEnd;
use crate::exec::{Machine, Step};
use crate::inputs::InputKind;
use crate::memory::{ObjectChange, ObjectId, Slot};
use crate::state::{Frame, MemoryRange, OpenLoop, State};
use crate::states::{FlowOrder, LiveRegisters, SetPlace};
use labrys_expr::{ExprId, Model};
use labrys_solver::PathCondition;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Paths that wait where others may come to.
#[derive(Debug, Default)]
pub(crate) struct Confluence {
    flow: FlowOrder,
    live: LiveRegisters,
    /// By their places in the flow: whoever is first cannot be reached by the others any more.
    waiting: BTreeMap<Rc<[u32]>, Vec<WaitingPath>>,
}

/// A path that has come to a join.
#[derive(Clone, Debug)]
pub(crate) struct WaitingPath {
    pub(crate) state: State,
    pub(crate) model: Rc<Model>,
}

/// What a place holds on two paths.
struct PlaceOfBoth {
    place: SetPlace,
    width: u8,
    ours: HeldValue,
    theirs: HeldValue,
}

impl Machine<'_> {
    /// A path that comes to a join waits there for others.
    pub(in crate::exec) fn reach_confluence(&mut self) -> Step {
        if self.confluence.is_none() || self.is_under_way() {
            return Ok(());
        }
        // A path that was run for a label: its other inputs go on without it.
        if self.state.leaf_label.is_some() || !self.mode.forks() {
            return Err(PathEnd::LoopClosed);
        }
        self.forget_left_loops();
        let mut state = blank(&self.state);
        state.inputs = self.state.inputs.clone();
        let waiting = WaitingPath {
            state,
            model: self.current.model.clone(),
        };
        let module = self.program.module;
        if let Some(confluence) = &mut self.confluence {
            let place = confluence.flow.place_of(module, &self.state);
            confluence.waiting.entry(place).or_default().push(waiting);
        }
        Err(PathEnd::LoopClosed)
    }

    /// Loops that a path has left are not in the way of joining others that have left them, too.
    fn forget_left_loops(&mut self) {
        let Some(proof) = &self.loop_proof else {
            return;
        };
        let is_in = |open: &OpenLoop| {
            let mut frame = Some(&self.state.frame);
            while let Some(known) = frame {
                if known.serial == open.serial {
                    return proof.loops[open.number as usize].contains(known.pc);
                }
                frame = known.parent.as_deref();
            }
            false
        };
        if !self.state.open_loops.iter().all(is_in) {
            let still_in: Vec<OpenLoop> = (self.state.open_loops.iter())
                .filter(|open| is_in(open))
                .cloned()
                .collect();
            self.state.open_loops = Rc::new(still_in);
        }
    }

    /// The paths that wait at the first join, as few as they can be.
    pub(crate) fn next_joined(&mut self) -> Option<WaitingPath> {
        let confluence = self.confluence.as_mut()?;
        let (place, mut waiting) = confluence.waiting.pop_first()?;
        let first = waiting.remove(0);
        self.state = first.state;
        let mut model = first.model;
        let mut others = Vec::new();
        for other in waiting {
            if let Some(other) = self.join_paths(other, &mut model) {
                others.push(other);
            }
        }
        let state = self.state.clone();
        if !others.is_empty()
            && let Some(confluence) = &mut self.confluence
        {
            confluence.waiting.insert(place, others);
        }
        Some(WaitingPath { state, model })
    }

    /// Another path joins the current one; it comes back if it cannot.
    fn join_paths(&mut self, mut other: WaitingPath, model: &mut Rc<Model>) -> Option<WaitingPath> {
        if !can_join(&self.state, &other.state) {
            return Some(other);
        }
        self.current.set(model.clone());
        let places = self.places_of_both(&mut other);
        self.current.set(model.clone());
        let Some(places) = places else {
            return Some(other);
        };
        let theirs = self.join_conditions(&other.state);
        self.join_rest(other.state);
        for place in places {
            self.put_both(&place, theirs);
        }
        None
    }

    /// The places where two paths differ; none if they cannot go on as one.
    fn places_of_both(&mut self, other: &mut WaitingPath) -> Option<Vec<PlaceOfBoth>> {
        let mut places: Vec<(SetPlace, u8)> = Vec::new();
        let mut below = 0;
        while let Some(theirs) = frame_of(&other.state, below) {
            let function = &self.program.module.functions[theirs.function.index()];
            let mut live = std::mem::take(&mut self.confluence.as_mut()?.live);
            let needed = self.registers_needed(&mut live, below);
            self.confluence.as_mut()?.live = live;
            let ours = self.frame_below(below)?;
            for reg in needed?.iter() {
                let (a, b) = (ours.regs[reg.index()], theirs.regs[reg.index()]);
                if a.expr != b.expr || a.expr.is_none() && a.bits != b.bits {
                    let place = SetPlace::Register { below, reg: *reg };
                    places.push((place, function.width(*reg)));
                }
            }
            below += 1;
        }
        for change in self.state.memory.changes(&other.state.memory) {
            let ObjectChange::Contents(id) = change else {
                return None;
            };
            self.changed_places(id, &other.state, &mut places)?;
        }
        let ours: Vec<HeldValue> = places
            .iter()
            .map(|(place, _)| self.held_at(*place))
            .collect();
        let our_objects = self.pointed_objects(&places, &ours);
        let our_model = self.current.model.clone();
        std::mem::swap(&mut self.state, &mut other.state);
        self.current.set(other.model.clone());
        let theirs: Vec<HeldValue> = places
            .iter()
            .map(|(place, _)| self.held_at(*place))
            .collect();
        let their_objects = self.pointed_objects(&places, &theirs);
        std::mem::swap(&mut self.state, &mut other.state);
        self.current.set(our_model);
        if our_objects != their_objects {
            return None;
        }
        let values = places.into_iter().zip(ours.into_iter().zip(theirs));
        let both = values.map(|((place, width), (ours, theirs))| PlaceOfBoth {
            place,
            width,
            ours,
            theirs,
        });
        Some(both.collect())
    }

    /// Which objects the values lead into, if they are pointers.
    fn pointed_objects(
        &mut self,
        places: &[(SetPlace, u8)],
        held: &[HeldValue],
    ) -> Vec<Option<u64>> {
        let mut objects = Vec::new();
        for ((_, width), held) in places.iter().zip(held) {
            let value = match held {
                HeldValue::Number(value) => Some(*value),
                HeldValue::Expression(e) if *width == 64 => {
                    Some(self.current.value(&self.arena, *e) as u64)
                }
                HeldValue::Expression(_) | HeldValue::Undefined => None,
            };
            let value = value.filter(|_| *width == 64);
            objects.push(value.and_then(|value| self.pointed_object(value)));
        }
        objects
    }

    /// The parts of an object in which two states differ.
    fn changed_places(
        &mut self,
        id: ObjectId,
        other: &State,
        places: &mut Vec<(SetPlace, u8)>,
    ) -> Option<()> {
        let ours = self.state.memory.object(id)?.clone();
        let theirs = other.memory.object(id)?.clone();
        if !ours.is_of_the_same_kind(&theirs) {
            return None;
        }
        let mut taken = 0;
        for (start, end) in ours.different_bytes(&theirs, &mut self.arena) {
            let mut at = start.max(taken);
            while at < end {
                let free = |at: u64| at < taken;
                let mut range = self.scalar_around(id, &theirs, at, end, &free);
                if !self.is_written(&ours, range) || !self.is_written(&theirs, range) {
                    range = MemoryRange {
                        object: id,
                        offset: at,
                        len: 1,
                    };
                }
                places.push((SetPlace::Memory(range), (range.len * 8) as u8));
                at = range.offset + u64::from(range.len);
                taken = at;
            }
        }
        Some(())
    }

    /// The conditions of one of two paths take the place of those of the first; what tells the other one
    /// from it.
    fn join_conditions(&mut self, other: &State) -> ExprId {
        let (ours, theirs) = (self.state.path.to_vec(), other.path.to_vec());
        let pairs = ours.iter().zip(&theirs);
        let common = pairs.take_while(|(a, b)| a == b).count();
        let ours = self.all_of(&ours[common..]);
        let is_other = self.all_of(&theirs[common..]);
        let mut path = PathCondition::new();
        for condition in &theirs[..common] {
            path.push(&mut self.arena, *condition);
        }
        let one_of_both = self.arena.or(ours, is_other);
        path.push(&mut self.arena, one_of_both);
        self.state.path = path;
        is_other
    }

    fn all_of(&mut self, conditions: &[ExprId]) -> ExprId {
        let mut all = self.arena.yes();
        for condition in conditions {
            let condition = self.rest_on_assumptions(*condition);
            all = self.arena.and(all, condition);
        }
        all
    }

    /// What belongs to the paths apart from their values.
    fn join_rest(&mut self, other: State) {
        let state = &mut self.state;
        // Inputs are told apart by their number on the path.
        if state.inputs.len() < other.inputs.len() {
            state.inputs = other.inputs;
        }
        state.calls = state.calls.max(other.calls);
        state.steps = state.steps.max(other.steps);
        state.assumed = state.assumed.of_both(other.assumed);
        state.doubts.layout |= other.doubts.layout;
        state.doubts.deep_stack |= other.doubts.deep_stack;
        if state.allocations != other.allocations {
            let counts = Rc::make_mut(&mut state.allocations);
            let mut theirs: Vec<(u64, u32)> = Vec::new();
            theirs.extend(
                other
                    .allocations
                    .iter()
                    .map(|(place, count)| (*place, *count)),
            );
            theirs.sort_unstable();
            for (place, count) in theirs {
                let known = counts.entry(place).or_insert(0);
                *known = (*known).max(count);
            }
        }
        if state.rests_on != other.rests_on {
            let all = Rc::make_mut(&mut state.rests_on);
            for text in other.rests_on.iter() {
                if !all.contains(text) {
                    all.push(text.clone());
                }
            }
        }
        // The others were left.
        let is_in_both = |open: &OpenLoop| other.open_loops.iter().any(|o| o.entry == open.entry);
        if !state.open_loops.iter().all(is_in_both) {
            Rc::make_mut(&mut state.open_loops).retain(is_in_both);
        }
    }

    fn put_both(&mut self, both: &PlaceOfBoth, is_other: ExprId) {
        let expression = |this: &mut Self, held: HeldValue| match held {
            HeldValue::Number(value) => Some(this.arena.constant(both.width, value.into())),
            HeldValue::Expression(e) => Some(e),
            HeldValue::Undefined => None,
        };
        let ours = expression(self, both.ours);
        let theirs = expression(self, both.theirs);
        let value = match (ours, theirs) {
            (Some(ours), Some(theirs)) => self.arena.ite(is_other, theirs, ours),
            // A program that reads what was never written gets anything.
            _ => self.any_value(both.width),
        };
        match both.place {
            SetPlace::Register { below, reg } => {
                if let Some(frame) = frame_mut(&mut self.state, below) {
                    frame.regs[reg.index()] = match self.arena.as_const(value) {
                        Some(value) if both.width <= 64 => Slot::concrete(value as u64),
                        _ => Slot::symbolic(value),
                    };
                }
            }
            SetPlace::Memory(range) => {
                if let Some(object) = self.state.memory.object_mut(range.object) {
                    object.put_possible(&mut self.arena, range.offset, value);
                }
            }
        }
    }

    fn any_value(&mut self, width: u8) -> ExprId {
        let bytes = u64::from(width).div_ceil(8);
        let id = self.request("never written", InputKind::Memory, bytes, 8);
        let (var, _) = self.inputs.get(id).pieces[0];
        let value = self.arena.var_expr(var);
        self.arena.extract(value, 0, width)
    }
}

fn frame_of(state: &State, below: u32) -> Option<&Frame> {
    let mut frame = &state.frame;
    for _ in 0..below {
        frame = frame.parent.as_deref()?;
    }
    Some(frame)
}

/// Can two paths go on as one, as far as it is not a question of values?
fn can_join(a: &State, b: &State) -> bool {
    let mut frames = (Some(&a.frame), Some(&b.frame));
    while let (Some(ours), Some(theirs)) = frames {
        let is_same = ours.function == theirs.function
            && ours.pc == theirs.pc
            && ours.serial == theirs.serial
            && ours.results == theirs.results
            && ours.objects == theirs.objects;
        if !is_same {
            return false;
        }
        frames = (ours.parent.as_deref(), theirs.parent.as_deref());
    }
    // A loop that both are in, entered twice, or another turn of it.
    let is_other_entry = |ours: &OpenLoop, theirs: &OpenLoop| {
        ours.number == theirs.number
            && ours.serial == theirs.serial
            && (ours.entry != theirs.entry || ours.turns != theirs.turns)
    };
    let mut pairs = (a.open_loops.iter())
        .flat_map(|ours| b.open_loops.iter().map(move |theirs| (ours, theirs)));
    frames.0.is_none()
        && frames.1.is_none()
        && !pairs.any(|(ours, theirs)| is_other_entry(ours, theirs))
        && has_same_surroundings(a, b)
        && a.pointer_members == b.pointer_members
}
