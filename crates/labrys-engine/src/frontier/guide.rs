//! Which predicates a search should try to reach, and what they say about one of its states (algorithm 1 of
//! the paper asks for both together).

use super::Frontier;
use super::call_strings::CallStringId;
use super::graph::{NodeId, NodeState};
use super::places::{ObjectPart, StatePlace};
use crate::memory::{ObjectId, ReadValue, Slot};
use crate::state::{Frame, State};
use crate::structure::FirstEdge;
use labrys_expr::{Arena, ExprId, transplant};
use labrys_ir::{BlockId, FuncId, Inst};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The nodes that are nearest to each objective are tried, so many of them.
const MOST_TRIED: usize = 200;

/// The nodes that lead to something open, by the function and the block at which they are. The number tells
/// how far from an objective.
pub(crate) type WantedNodes = BTreeMap<(FuncId, BlockId), Vec<(usize, GoalNode)>>;

/// A node that a search may try to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GoalNode {
    node: NodeId,
    frame: CallStringId,
}

impl Frontier<'_> {
    /// The nodes that were not reached and lead to objectives that are open.
    pub(crate) fn wanted(&self) -> WantedNodes {
        let mut distance: BTreeMap<NodeId, usize> = BTreeMap::new();
        for target in self.targets.values() {
            let mut open: VecDeque<(NodeId, usize)> = VecDeque::new();
            let mut seen: BTreeSet<NodeId> = BTreeSet::new();
            open.extend(target.nodes.iter().map(|node| (*node, 0)));
            while let Some((id, far)) = open.pop_front() {
                if seen.len() > MOST_TRIED || !seen.insert(id) {
                    continue;
                }
                let known = distance.entry(id).or_insert(far);
                *known = far.min(*known);
                let node = self.graph.get(id);
                if node.state == NodeState::Expanded {
                    let links = node.links.iter().filter_map(|link| link.from);
                    open.extend(links.map(|from| (from, far + 1)));
                }
            }
        }
        let mut wanted = WantedNodes::new();
        for (id, far) in distance {
            let node = self.graph.get(id);
            let function = self.contexts.get(node.place.frame).function;
            let code = &self.program.module.functions[function.index()];
            let mut blocks = code.blocks.iter();
            let block = blocks.position(|block| block.start == node.place.pc);
            if let Some(block) = block.filter(|_| node.state != NodeState::Reached) {
                let goal = GoalNode {
                    node: id,
                    frame: node.place.frame,
                };
                let at = wanted.entry((function, BlockId(block as u32))).or_default();
                at.push((far, goal));
            }
        }
        wanted.values_mut().for_each(|nodes| nodes.sort_unstable());
        wanted
    }

    /// What the predicate of a node says about a state that goes over an edge to its place; none if the state
    /// is in other calls, or if nothing can be said. Some registers are written before that.
    pub(crate) fn wish(
        &self,
        arena: &mut Arena,
        state: &State,
        way: &FirstEdge,
        goal: GoalNode,
    ) -> Option<Vec<ExprId>> {
        let frames = self.frames_of(state)?;
        let (innermost, top) = frames.last()?;
        (*innermost == goal.frame).then_some(())?;
        let function = &self.program.module.functions[top.function.index()];
        let mut registers: Vec<Option<Slot>> = top.regs.iter().copied().map(Some).collect();
        for (reg, value) in &way.written {
            registers[reg.index()] = value.map(Slot::concrete);
        }
        for &(dst, src) in function.edge_copies(way.edge) {
            registers[dst.index()] = registers[src.index()];
        }
        let node = self.graph.get(goal.node);
        let mut values: BTreeMap<StatePlace, ExprId> = BTreeMap::new();
        for place in super::precondition::places_of(&self.terms, &node.predicate) {
            let value = match place {
                StatePlace::Register { frame, reg } => {
                    let (_, found) = frames.iter().find(|(id, _)| *id == frame)?;
                    let is_top = frame == goal.frame;
                    let slot = match is_top {
                        true => registers[reg.index()]?,
                        false => found.regs[reg.index()],
                    };
                    let function = &self.program.module.functions[found.function.index()];
                    slot_value(arena, slot, function.width(reg))
                }
                StatePlace::ObjectPart(cell) => self.cell_value(arena, state, &frames, cell)?,
                StatePlace::Base(object) => {
                    let object = self.real_object(&frames, object)?;
                    arena.constant(64, object.base().into())
                }
                StatePlace::PendingSwitch => {
                    let number = state.pending_switch.unwrap_or(u32::MAX);
                    arena.constant(32, number.into())
                }
            };
            (!arena.is_uninit(value) && !arena.is_assumed(value)).then_some(())?;
            values.insert(place, value);
        }
        let conjuncts = &node.predicate.conjuncts;
        let mut is_known = true;
        let made = transplant(&self.terms.arena, arena, conjuncts, &mut |arena, var| {
            let value = self
                .terms
                .places
                .place(var)
                .and_then(|place| values.get(&place));
            is_known &= value.is_some();
            value.copied().unwrap_or_else(|| arena.no())
        });
        is_known.then_some(made)
    }

    /// The frames of a state that are gone through, outermost first.
    fn frames_of<'s>(&self, state: &'s State) -> Option<Vec<(CallStringId, &'s Frame)>> {
        let frames = std::iter::successors(Some(&state.frame), |frame| frame.parent.as_deref());
        let mut frames: Vec<&Frame> = frames.collect();
        frames.reverse();
        let mut found: Vec<(CallStringId, &Frame)> = Vec::new();
        for frame in frames {
            if !self.is_followed(frame.function) {
                found.clear();
                continue;
            }
            let called = found.last().and_then(|(caller, at)| {
                let call = at.pc.saturating_sub(1);
                self.contexts.child_of(*caller, call, frame.function)
            });
            let id = match called {
                Some(id) => id,
                None => {
                    found.clear();
                    self.contexts.root_of(frame.function)?
                }
            };
            found.push((id, frame));
        }
        Some(found)
    }

    fn cell_value(
        &self,
        arena: &mut Arena,
        state: &State,
        frames: &[(CallStringId, &Frame)],
        cell: ObjectPart,
    ) -> Option<ExprId> {
        let object = self.real_object(frames, cell.object)?;
        let object = state.memory.object(object)?;
        (cell.offset + cell.len <= object.size()).then_some(())?;
        Some(match object.read(arena, cell.offset, cell.len) {
            ReadValue::Concrete(bits) => arena.constant(cell.width(), bits.into()),
            ReadValue::Symbolic(e) => e,
        })
    }

    /// The object of a state that a predicate means.
    fn real_object(&self, frames: &[(CallStringId, &Frame)], object: ObjectId) -> Option<ObjectId> {
        match self.terms.places.local_of(object) {
            Some(_) if self.terms.places.is_allocated(object) => None,
            Some((owner, pc)) => {
                let (_, frame) = frames.iter().find(|(id, _)| *id == owner)?;
                self.local_object(frame, pc)
            }
            None => Some(object),
        }
    }

    /// The object that an instruction has made in a frame.
    fn local_object(&self, frame: &Frame, pc: u32) -> Option<ObjectId> {
        let function = &self.program.module.functions[frame.function.index()];
        let code = function.code.iter().take(pc as usize);
        let number = code
            .filter(|inst| matches!(inst, Inst::Alloca { .. }))
            .count();
        frame.objects.get(number).copied()
    }
}

fn slot_value(arena: &mut Arena, slot: Slot, width: u8) -> ExprId {
    match slot.expr {
        Some(e) => e,
        None => arena.constant(width, slot.bits.into()),
    }
}
