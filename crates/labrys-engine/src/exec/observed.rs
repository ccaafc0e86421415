//! States of a run as plain values: which functions are active, what their registers and the smaller
//! objects hold whenever a block begins, for analyses that need to know what runs look like.

use super::Machine;
use crate::memory::{ObjectId, ReadValue};
use crate::state::Frame;
use labrys_ir::{BlockId, FuncId, GlobalId, Reg};
use rustc_hash::FxHashMap;

/// Objects of more bytes are not noted.
const LARGEST: u64 = 256;

/// Of a block, the first so many visits of a run are noted, then one after twice as many, and so on.
const FIRST_VISITS: u32 = 6;

/// At most so many states of a run.
const MOST_STATES: usize = 4_000;

/// What is to be noted, and what was.
#[derive(Debug, Default)]
pub(crate) struct Observations {
    /// The variables to look at.
    globals: Vec<GlobalId>,
    pub(crate) states: Vec<ObservedState>,
    visits: FxHashMap<(FuncId, BlockId), u32>,
}

impl Observations {
    pub(crate) fn of(globals: Vec<GlobalId>) -> Self {
        Observations {
            globals,
            ..Observations::default()
        }
    }
}

#[derive(Debug)]
pub(crate) struct ObservedState {
    pub(crate) block: BlockId,
    /// The outermost first.
    pub(crate) frames: Vec<ObservedFrame>,
    pub(crate) globals: Vec<(GlobalId, Vec<u8>)>,
}

#[derive(Debug)]
pub(crate) struct ObservedFrame {
    pub(crate) function: FuncId,
    /// The next instruction.
    pub(crate) pc: u32,
    pub(crate) registers: Vec<u64>,
    /// The locals in the order in which they were made.
    pub(crate) locals: Vec<(ObjectId, Vec<u8>)>,
}

impl Machine<'_> {
    /// `labrys_block(number)`
    pub(super) fn observe_block(&mut self, number: Reg) {
        let block = BlockId(self.value(number) as u32);
        let function = self.state.frame.function;
        let Some(mut observations) = self.observations.take() else {
            return;
        };
        let visits = observations.visits.entry((function, block)).or_default();
        *visits += 1;
        let is_noted = *visits <= FIRST_VISITS || visits.is_power_of_two();
        if is_noted && observations.states.len() < MOST_STATES {
            let state = self.observed_state(block, &observations.globals);
            observations.states.push(state);
        }
        self.observations = Some(observations);
    }

    fn observed_state(&mut self, block: BlockId, globals: &[GlobalId]) -> ObservedState {
        let mut frames = vec![self.state.frame.clone()];
        let mut parent = self.state.frame.parent.clone();
        while let Some(frame) = parent {
            frames.push((*frame).clone());
            parent = frame.parent.clone();
        }
        let frames = frames.iter().rev().map(|f| self.observed_frame(f));
        ObservedState {
            block,
            frames: frames.collect(),
            globals: globals
                .iter()
                .filter_map(|id| {
                    let object = self.program.global_object(*id);
                    Some((*id, self.observed_bytes(object)?))
                })
                .collect(),
        }
    }

    fn observed_frame(&mut self, frame: &Frame) -> ObservedFrame {
        let registers = frame.regs.iter().map(|slot| match slot.expr {
            Some(e) => self.current.value(&self.arena, e) as u64,
            None => slot.bits,
        });
        ObservedFrame {
            function: frame.function,
            pc: frame.pc,
            registers: registers.collect(),
            locals: frame
                .objects
                .iter()
                .map(|id| (*id, self.observed_bytes(*id).unwrap_or_default()))
                .collect(),
        }
    }

    fn observed_bytes(&mut self, id: ObjectId) -> Option<Vec<u8>> {
        let object = self.state.memory.object(id)?.clone();
        (object.size() <= LARGEST).then_some(())?;
        let bytes = (0..object.size()).map(|at| match object.read(&mut self.arena, at, 1) {
            ReadValue::Concrete(bits) => bits as u8,
            ReadValue::Symbolic(e) => self.current.value(&self.arena, e) as u8,
        });
        Some(bytes.collect())
    }
}
