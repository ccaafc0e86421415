//! The compact program form that the engine runs: a register machine over flat instructions.
//!
//! Every value is a bit-vector of 1 to 128 bits in a register; pointers are 64 bits, floats are
//! their IEEE-754 bits. Aggregates and vectors have been expanded to scalars, phis turned into
//! copies on edges, and constants are registers that a frame starts with. Nothing here knows
//! of LLVM or C.

mod call_graph;
mod cfg;
mod distance;
mod inst;
mod known_facts;
mod liveness;
mod module;
mod operands;
mod part;
mod scalar_kinds;
mod separate_registers;
mod share_registers;
mod text;
mod verify;

pub use call_graph::CallGraph;
pub use cfg::{Cfg, Dominators, Loop, back_edges, block_edges, loops};
pub use distance::{CodePosition, Distances};

pub use inst::{BinOp, CastOp, CmpOp, FBinOp, FCmpOp, FUnOp, Inst, IntrinsicOp};
pub use known_facts::{FactPlace, FactTerm, KnownFact, KnownFacts, NumberSet};
pub use liveness::Liveness;
pub use module::{
    Block, BlockId, Const, Edge, EdgeId, FuncId, Function, Global, GlobalId, GlobalPart, Module,
    Reg, RegList, Reloc, SourceLoc, SwitchTable, SwitchTableId, SymbolRef, TextId, VariableName,
};
pub use part::{FunctionReferences, SetAside};
pub use scalar_kinds::ScalarKinds;
pub use separate_registers::separate_registers;
pub use share_registers::share_registers;
pub use text::{ParseError, parse};
pub use verify::{VerifyError, verify};
