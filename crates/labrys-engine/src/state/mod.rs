//! The state of a path: frames, memory, path condition and what the path did so far. Cloning one
//! is cheap: everything but the top frame is shared.

mod open_loops;
mod roots;
mod streams;
mod visits;

pub(crate) use open_loops::{LoopPlace, MemoryRange, OpenLoop};
pub(crate) use roots::Roots;
pub(crate) use streams::{ShownText, StreamChunk, Streams};
pub(crate) use visits::{JoinPlace, Visits};

use crate::bitset::BitSet;
use crate::inputs::InputId;
use crate::mcdc::{BegunEvaluation, HalfQuestion, PassageId};
use crate::memory::{AliasTable, Memory, Object, ObjectId, Slot};
use labrys_expr::{AssumedPlaces, ExprId, VarId};
use labrys_ir::{FuncId, RegList};
use labrys_ledger::TraceHash;
use labrys_solver::PathCondition;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a function without a body may do with an object that it knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StubAccess {
    /// It got a pointer to `const`.
    Reads,
    Writes,
}

/// An active call.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) function: FuncId,
    /// The next instruction.
    pub(crate) pc: u32,
    pub(crate) regs: Vec<Slot>,
    /// Where the caller wants the results.
    pub(crate) results: RegList,
    /// Stack objects made by this call, in order.
    pub(crate) objects: Vec<ObjectId>,
    pub(crate) depth: u32,
    /// Bytes of the stack of the compiled program that this call and those around it take.
    pub(crate) stack_bytes: u64,
    /// Tells calls apart that have the same depth, for `longjmp`.
    pub(crate) serial: u64,
    pub(crate) parent: Option<Rc<Frame>>,
}

impl Drop for Frame {
    /// One after the other: a recursion may be deeper than the stack of this program.
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(mut frame) = next.and_then(Rc::into_inner) {
            next = frame.parent.take();
        }
    }
}

/// Why a native run may go another way than this path.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PathDoubts {
    /// It depends on where objects lie.
    pub(crate) layout: bool,
    /// It needs much stack.
    pub(crate) deep_stack: bool,
}

/// Where a `setjmp` returns to again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpTarget {
    pub(crate) depth: u32,
    pub(crate) serial: u64,
    /// The instruction after the `setjmp`.
    pub(crate) pc: u32,
    pub(crate) results: RegList,
}

/// A `setjmp` that has returned once.
#[derive(Clone, Debug)]
pub(crate) struct SavedJump {
    pub(crate) target: JumpTarget,
    /// The stack objects of its frame, as they were.
    pub(crate) locals: Rc<[(ObjectId, Rc<Object>)]>,
}

/// Bytes given to `labrys_output`.
#[derive(Clone, Debug)]
pub(crate) struct ProgramOutput {
    pub(crate) name: String,
    pub(crate) bytes: Vec<Slot>,
}

/// Evaluation of a label's predicate, of which nothing lasts: here is what comes back after it.
#[derive(Clone, Debug)]
pub(crate) struct Speculation {
    pub(crate) label: u32,
    /// Which of the labels passed on the path it is.
    pub(crate) passage: u32,
    /// Fork points inside the predicate so far.
    pub(crate) forks: u32,
    /// Where `labrys_label_begin` returns to once more after a fault.
    pub(crate) target: JumpTarget,
    pub(crate) trace: TraceHash,
    pub(crate) pending_switch: Option<u32>,
    pub(crate) allocations: Rc<FxHashMap<u64, u32>>,
    /// The path without what the predicate has added to it; `None` while it has added nothing,
    /// and for leaves, which keep it.
    pub(crate) outside: Option<Rc<PathBeforePredicate>>,
    /// If the label asks for half a pair: which.
    pub(crate) asked: HalfQuestion,
    /// The memory, if the predicate has written to a temporary object of the program.
    pub(crate) memory: Option<Memory>,
}

/// The conditions of a path before a label's predicate.
#[derive(Debug)]
pub(crate) struct PathBeforePredicate {
    pub(crate) path: PathCondition,
    pub(crate) recent: [Option<ExprId>; 8],
}

/// A label that was passed without being covered by the path, and what would cover it there.
#[derive(Debug)]
pub(crate) struct PassedLabel {
    pub(crate) label: u32,
    pub(crate) holds: ExprId,
    /// How many there are, with this one.
    pub(crate) count: u32,
    pub(crate) before: Option<Rc<PassedLabel>>,
}

/// Labels that hold under the current model without a reason in the path: another model need not
/// satisfy them.
#[derive(Clone, Debug, Default)]
pub(crate) struct IncidentalHits {
    /// Objectives.
    pub(crate) hits: BitSet,
    /// Labels that were not looked at again because of that.
    pub(crate) skipped: BitSet,
    /// For each label the conditions under which it holds.
    pub(crate) reasons: Vec<Rc<[ExprId]>>,
}

/// A decision that is about to be evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UpcomingDecision {
    pub(crate) goal: u32,
    /// The call in which it happens.
    pub(crate) serial: u64,
    /// The number of the label with which its labels begin, among those of the path.
    pub(crate) start: u32,
    pub(crate) pass: PassageId,
}

/// The inputs that decide whether a call fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AskedFaults {
    pub(crate) fails: ExprId,
    /// Whether it reads or writes a single byte, if it can.
    pub(crate) is_short: Option<ExprId>,
}

#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) frame: Frame,
    pub(crate) memory: Memory,
    pub(crate) path: PathCondition,
    pub(crate) trace: TraceHash,
    /// Objectives covered on this path.
    pub(crate) hits: Rc<BitSet>,
    pub(crate) incidental: Rc<IncidentalHits>,
    /// Open labels on the way here, newest first.
    pub(crate) passed: Option<Rc<PassedLabel>>,
    /// Objectives whose label's predicate may fault on this path.
    pub(crate) faulted: Rc<BitSet>,
    /// Labels passed so far, open or not.
    pub(crate) passages: u32,
    /// The label that `labrys_label_open` has just let in.
    pub(crate) opened: Option<u32>,
    /// A label that this path has covered as its leaf, and from which all ways on are tried.
    pub(crate) leaf_label: Option<u32>,
    /// The evaluations of decisions with pairs on this path, by their numbers.
    pub(crate) vectors: Rc<BitSet>,
    /// Those that have begun, innermost first.
    pub(crate) evaluation: Option<Rc<BegunEvaluation>>,
    /// Decisions whose labels were passed and that have not begun yet, newest last.
    pub(crate) upcoming: Vec<UpcomingDecision>,
    pub(crate) inputs: Rc<Vec<InputId>>,
    /// The switch that has just jumped.
    pub(crate) pending_switch: Option<u32>,
    /// The label whose predicate is being evaluated.
    pub(crate) speculation: Option<Speculation>,
    /// How many instructions of the path depended on the input; names a candidate for replay.
    pub(crate) forks: u32,
    /// The current instruction has been counted.
    pub(crate) at_fork: bool,
    /// The conditions that joined the path last.
    pub(crate) recent: [Option<ExprId>; 8],
    /// How often each place has allocated.
    pub(crate) allocations: Rc<FxHashMap<u64, u32>>,
    pub(crate) jumps: Rc<Vec<SavedJump>>,
    /// The function under test, or one that sets up its state, was called before on this path: what is
    /// assumed from here on does not matter, since a proof looks at a first call in any state.
    pub(crate) extra_call: bool,
    /// It comes from a detour: candidates that waited before lead to all its paths as well.
    pub(crate) repeats: bool,
    /// A function is called, and not a program: much may have happened before.
    pub(crate) called_later: bool,
    /// What the path rests on already.
    pub(crate) rests_on: Rc<Vec<Rc<str>>>,
    /// The values that rest on an assumption.
    pub(crate) assumed: AssumedPlaces,
    /// Objects and functions that functions without a body know.
    pub(crate) known_to_stubs: Rc<BTreeMap<ObjectId, StubAccess>>,
    /// What the program has produced so far.
    pub(crate) outputs: Rc<Vec<ProgramOutput>>,
    pub(crate) streams: Streams,
    /// Where the path has come to mutants that are looked for.
    pub(crate) visits: Visits,
    /// The loops that it is in, in a proof.
    pub(crate) open_loops: Rc<Vec<OpenLoop>>,
    /// How often each function was called that may fail, where failures are inputs.
    pub(crate) fallible_calls: Rc<BTreeMap<FuncId, u32>>,
    /// How the call that is being executed may fail: the inputs that say so.
    pub(crate) asked_faults: Option<AskedFaults>,
    /// The signals of faults for which the program has handlers, one bit each.
    pub(crate) handled_faults: u64,
    /// The model that calls these handlers; it never returns.
    pub(crate) fault_handler: Option<FuncId>,
    /// What the harness has said of its objects.
    pub(crate) aliases: Rc<AliasTable>,
    /// Inputs that say which member a union holds where it was used as a pointer; and whether the path
    /// also decides by it as a number.
    pub(crate) pointer_members: Rc<Vec<(VarId, bool)>>,
    pub(crate) calls: u64,
    pub(crate) doubts: PathDoubts,
    pub(crate) steps: u64,
}
