//! How far it is from a state to the next output, over the control flow and the calls of the program:
//! everything that a test observes is one.

use crate::state::State;
use labrys_ir::{CallGraph, CodePosition, Distances, FuncId, Inst, Module};

/// What writes what a test observes: streams, recorded values, the status at the end.
const OUTPUTS: [&str; 4] = [
    "labrys_write",
    "labrys_write_text",
    "labrys_output",
    "labrys_exit",
];

pub(super) struct OutputDistances(Distances);

impl OutputDistances {
    pub(super) fn new(module: &Module) -> Self {
        let outputs: Vec<FuncId> = OUTPUTS.iter().filter_map(|n| module.function(n)).collect();
        let mut places = Vec::new();
        for (number, function) in module.functions.iter().enumerate() {
            for (place, inst) in function.code.iter().enumerate() {
                if matches!(inst, Inst::Call { callee, .. } if outputs.contains(callee)) {
                    places.push(CodePosition {
                        function: FuncId(number as u32),
                        place: place as u32,
                    });
                }
            }
        }
        OutputDistances(Distances::to(module, &CallGraph::of(module), &places))
    }

    /// Farther than anything if no way leads to an output.
    pub(super) fn of(&self, state: &State) -> u32 {
        let frames = std::iter::successors(Some(&state.frame), |frame| frame.parent.as_deref());
        let mut stack: Vec<CodePosition> = frames
            .map(|frame| CodePosition {
                function: frame.function,
                place: frame.pc,
            })
            .collect();
        stack.reverse();
        self.0.from_stack(&stack).unwrap_or(u32::MAX)
    }
}
