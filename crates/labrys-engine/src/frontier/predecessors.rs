//! Where control can come from. StatePlaces in the code are the starts of pieces: of blocks, and behind calls
//! that are gone through.

use super::call_strings::{CallStringId, CallStrings, Way, bodies};
use super::facts::Facts;
use labrys_ir::{BlockId, EdgeId, Function, Inst, Module, block_edges};

/// A place in the code in a call string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ProgramPoint {
    pub(super) frame: CallStringId,
    pub(super) pc: u32,
}

/// The end of a piece of code, from which control comes to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Predecessor {
    /// The start of the piece.
    pub(super) place: ProgramPoint,
    /// Its last instruction.
    pub(super) last: u32,
    pub(super) step: WayOn,
}

/// How control goes on behind a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WayOn {
    Edge(EdgeId),
    /// Its last instruction calls the function of this frame.
    Enter(CallStringId),
    /// It returns to this frame, behind this call.
    Leave {
        to: CallStringId,
        call: u32,
    },
    /// Its last instruction is a call that is not gone through.
    Over(Way),
}

/// Where control can come from, and whether it can be from outside.
#[derive(Debug, Default)]
pub(super) struct Origins {
    pub(super) predecessors: Vec<Predecessor>,
    pub(super) from_outside: bool,
}

pub(super) struct Pieces<'a> {
    pub(super) module: &'a Module,
    pub(super) facts: &'a Facts,
    pub(super) contexts: &'a CallStrings,
}

impl Pieces<'_> {
    pub(super) fn function(&self, frame: CallStringId) -> &Function {
        &self.module.functions[self.contexts.get(frame).function.index()]
    }

    /// The start of the piece that an instruction is in.
    pub(super) fn start_of(&self, frame: CallStringId, pc: u32) -> ProgramPoint {
        let function = self.function(frame);
        let block = block_of(function, pc);
        let start = function.blocks[block.index()].start;
        let cut = (start..pc).rev().find(|at| self.is_cut(function, *at));
        ProgramPoint {
            frame,
            pc: cut.map_or(start, |at| at + 1),
        }
    }

    /// Is it a call that is gone through?
    fn is_cut(&self, function: &Function, pc: u32) -> bool {
        let inst = &function.code[pc as usize];
        matches!(inst, Inst::CallPointer { .. })
            || !bodies(self.facts, self.module, inst).is_empty()
    }

    pub(super) fn origins(&self, place: ProgramPoint) -> Origins {
        let ProgramPoint { frame, pc } = place;
        let function = self.function(frame);
        let block = block_of(function, pc);
        let start = function.blocks[block.index()].start;
        if pc > start {
            return self.behind_call(frame, pc - 1);
        }
        let mut origins = Origins::default();
        for source in (0..function.blocks.len() as u32).map(BlockId) {
            let last = function.blocks[source.index()].end - 1;
            for edge in block_edges(function, source) {
                if function.edges[edge.index()].target == block {
                    origins.predecessors.push(Predecessor {
                        place: self.start_of(frame, last),
                        last,
                        step: WayOn::Edge(edge),
                    });
                }
            }
        }
        if block == BlockId(0) {
            match self.contexts.get(frame).caller {
                Some((caller, call)) => origins.predecessors.push(Predecessor {
                    place: self.start_of(caller, call),
                    last: call,
                    step: WayOn::Enter(frame),
                }),
                None => origins.from_outside = true,
            }
        }
        origins
    }

    fn behind_call(&self, frame: CallStringId, call: u32) -> Origins {
        let mut origins = Origins::default();
        for way in self.contexts.ways(self.module, self.facts, frame, call) {
            let Way::Into(callee) = way else {
                origins.predecessors.push(Predecessor {
                    place: self.start_of(frame, call),
                    last: call,
                    step: WayOn::Over(way),
                });
                continue;
            };
            let function = self.function(callee);
            for block in &function.blocks {
                let last = block.end - 1;
                if let Inst::Return { .. } = function.code[last as usize] {
                    origins.predecessors.push(Predecessor {
                        place: self.start_of(callee, last),
                        last,
                        step: WayOn::Leave { to: frame, call },
                    });
                }
            }
        }
        origins
    }
}

/// The block that an instruction is in.
pub(super) fn block_of(function: &Function, pc: u32) -> BlockId {
    let mut blocks = function.blocks.iter();
    let found = blocks.position(|block| (block.start..block.end).contains(&pc));
    BlockId(found.unwrap_or(0) as u32)
}
