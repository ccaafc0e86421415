//! Takes in the states of runs (the S-states of the paper): gives them the names that predicates use, and
//! notes which nodes they reach.

use super::Frontier;
use super::call_strings::CallStringId;
use super::callees::Callee;
use super::graph::NodeState;
use super::predecessors::ProgramPoint;
use super::samples::Sample;
use crate::exec::{ObservedFrame, ObservedState};
use crate::memory::{ObjectId, split};
use labrys_ir::{FuncId, GlobalId, Inst};
use std::collections::BTreeMap;

impl Frontier<'_> {
    /// Is it looked at how runs pass the blocks of this function?
    pub(crate) fn is_followed(&self, function: FuncId) -> bool {
        self.facts.callees.get(function.index()) == Some(&Callee::Body)
    }

    /// The variables whose values are of interest.
    pub(crate) fn globals(&self) -> Vec<GlobalId> {
        let globals = self.program.module.globals.iter().enumerate();
        globals
            .filter(|(_, global)| !global.constant && global.changeable)
            .map(|(id, _)| GlobalId(id as u32))
            .collect()
    }

    /// Takes in the states of a run, and looks again at what could not go on without.
    pub(crate) fn learn(&mut self, states: &[ObservedState]) {
        for state in states {
            self.learn_state(state);
        }
        let points: Vec<ProgramPoint> = self.graph.places().collect();
        for point in points {
            for id in self.graph.at(point).to_vec() {
                if self.graph.get(id).state != NodeState::Reached && self.is_seen(id) {
                    self.graph.get_mut(id).state = NodeState::Reached;
                }
            }
        }
        for target in self.targets.values_mut() {
            target.is_stuck = false;
        }
    }

    fn learn_state(&mut self, state: &ObservedState) {
        let mut frame: Option<(CallStringId, u32)> = None;
        let mut active: Vec<(CallStringId, &ObservedFrame)> = Vec::new();
        for observed in &state.frames {
            if !self.is_followed(observed.function) {
                (frame, active) = (None, Vec::new());
                continue;
            }
            let called = frame
                .and_then(|(caller, call)| self.contexts.child_of(caller, call, observed.function));
            if called.is_none() {
                active.clear();
            }
            let Some(id) = called.or_else(|| self.contexts.root_of(observed.function)) else {
                return;
            };
            active.push((id, observed));
            frame = Some((id, observed.pc.saturating_sub(1)));
        }
        let Some((id, innermost)) = active.last() else {
            return;
        };
        let function = &self.program.module.functions[innermost.function.index()];
        let Some(block) = function.blocks.get(state.block.index()) else {
            return;
        };
        let point = ProgramPoint {
            frame: *id,
            pc: block.start,
        };
        let sample = self.sample(&active, state);
        self.samples.add(point, sample);
    }

    fn sample(
        &mut self,
        active: &[(CallStringId, &ObservedFrame)],
        state: &ObservedState,
    ) -> Sample {
        let mut renamed: BTreeMap<ObjectId, ObjectId> = BTreeMap::new();
        let mut sample = Sample::default();
        for (id, frame) in active {
            let function = &self.program.module.functions[frame.function.index()];
            let code = function.code.iter().enumerate();
            let made: Vec<u32> = code
                .filter(|(_, inst)| matches!(inst, Inst::Alloca { .. }))
                .map(|(pc, _)| pc as u32)
                .collect();
            if made.len() != frame.locals.len() {
                continue;
            }
            for (pc, (object, bytes)) in made.into_iter().zip(&frame.locals) {
                let local = self.terms.places.local((*id, pc));
                renamed.insert(*object, local);
                sample.memory.insert(local, bytes.clone());
            }
        }
        // The program with marks has one function more.
        let functions = self.program.module.functions.len() as u32;
        let rename = |value: u64| {
            let (object, offset) = split(value);
            let known = match renamed.get(&object) {
                Some(local) => *local,
                None if object.0 > functions + 1 => ObjectId(object.0 - 1),
                None => return value,
            };
            known.base().wrapping_add(offset)
        };
        for (id, frame) in active {
            let function = &self.program.module.functions[frame.function.index()];
            let values = frame.registers.iter().enumerate();
            let values = values.map(|(reg, value)| match function.widths.get(reg) {
                Some(64) => rename(*value),
                _ => *value,
            });
            sample.registers.insert(*id, values.collect());
        }
        for (global, bytes) in &state.globals {
            let object = self.program.global_object(*global);
            sample.memory.insert(object, bytes.clone());
        }
        sample
    }
}
