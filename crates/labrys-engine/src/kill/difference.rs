//! How two runs differ, as a condition on their common input: what is seen of them at their ends, or
//! their whole states at one place of the program.

use crate::augment::is_visible;
use crate::end::PathEnd;
use crate::exec::Machine;
use crate::memory::{ObjectChange, Slot};
use crate::state::{Frame, ProgramOutput, ShownText, State, StreamChunk};
use labrys_expr::{Arena, ExprId, Model};
use labrys_ir::{FuncId, Liveness};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Bytes that are compared at once.
const PIECE: usize = 8;

/// A run that has come to its end.
#[derive(Clone)]
pub(super) struct EndedRun {
    pub(super) end: PathEnd,
    pub(super) state: Rc<State>,
    /// The input with which it was run.
    pub(super) model: Rc<Model>,
}

impl EndedRun {
    /// Has it made text of values, which is that of its input only?
    pub(super) fn shows_values(&self) -> bool {
        let streams = [0, 1].map(|stream| self.state.streams.chunks(stream));
        let mut chunks = streams.iter().flat_map(|chunks| chunks.iter());
        chunks.any(|chunk| matches!(**chunk, StreamChunk::Shown(_)))
    }
}

/// What tells two runs apart.
#[derive(Clone, Debug)]
pub(super) struct Difference {
    /// They differ for every input.
    pub(super) certain: bool,
    /// They differ for inputs for which this holds.
    pub(super) when: ExprId,
    /// There is a difference that cannot be asked about, such as one of indeterminate bytes.
    pub(super) unclear: bool,
    /// Something is the same only because of these assumptions.
    pub(super) assumes: BTreeSet<String>,
}

impl Difference {
    pub(super) fn none(arena: &mut Arena) -> Self {
        Difference {
            certain: false,
            when: arena.no(),
            unclear: false,
            assumes: BTreeSet::new(),
        }
    }

    /// Is it shown that there is none?
    pub(super) fn is_none(&self, arena: &Arena) -> bool {
        !self.certain && !self.unclear && arena.as_const(self.when) == Some(0)
    }

    fn values(&mut self, arena: &mut Arena, a: ExprId, b: ExprId) {
        if a == b {
            return;
        }
        if arena.width(a) != arena.width(b) {
            self.unclear = true;
            return;
        }
        let differ = arena.ne(a, b);
        let (plain, ids) = arena.without_assumptions(differ);
        let texts = ids.iter().map(|id| arena.text_of_assumption(*id));
        let texts: Vec<String> = texts.map(|text| text.to_string()).collect();
        match arena.as_const(plain) {
            Some(0) => self.assumes.extend(texts),
            Some(_) => self.certain = true,
            None => match arena.defined(plain) {
                Some(plain) => {
                    self.assumes.extend(texts);
                    self.when = arena.or(self.when, plain);
                }
                None => self.unclear = true,
            },
        }
    }

    fn slots(&mut self, arena: &mut Arena, a: &[Slot], b: &[Slot]) {
        for (a, b) in a.chunks(PIECE).zip(b.chunks(PIECE)) {
            let (a, b) = (number(arena, a), number(arena, b));
            self.values(arena, a, b);
        }
    }
}

/// Bytes as one number.
fn number(arena: &mut Arena, bytes: &[Slot]) -> ExprId {
    let mut joined: Option<ExprId> = None;
    for slot in bytes {
        let byte = match slot.expr {
            Some(e) => e,
            None => arena.constant(8, slot.bits.into()),
        };
        joined = Some(match joined {
            Some(low) => arena.concat(byte, low),
            None => byte,
        });
    }
    joined.unwrap_or_else(|| arena.no())
}

/// What two ends say without a look at outputs.
pub(super) enum Ends {
    /// The outputs decide.
    Alike,
    Different,
    /// Both end in the same kind of fault: nothing else is compared.
    SameFault,
    /// Only a native run can tell.
    Unclear,
    /// The run of the mutant says nothing.
    Nothing,
}

pub(super) fn ends(original: &PathEnd, mutant: &PathEnd) -> Ends {
    use PathEnd::{Exited, Fault, Returned, StepLimit, Suspended};
    match (original, mutant) {
        (Returned | Exited { .. }, Suspended | StepLimit) => Ends::Different,
        (Returned, Returned) | (Exited { .. }, Exited { .. }) => Ends::Alike,
        (Returned | Exited { .. }, Returned | Exited { .. }) => Ends::Different,
        (Fault(a), Fault(b)) if is_visible(*a) && is_visible(*b) => match a == b {
            true => Ends::SameFault,
            false => Ends::Unclear,
        },
        (Fault(kind), Returned | Exited { .. }) | (Returned | Exited { .. }, Fault(kind))
            if is_visible(*kind) =>
        {
            Ends::Different
        }
        (Fault(_) | Returned | Exited { .. }, Fault(_) | Returned | Exited { .. }) => Ends::Unclear,
        _ => Ends::Nothing,
    }
}

/// Compares states; knows which registers are of no use any more.
#[derive(Default)]
pub(super) struct StateComparer {
    liveness: BTreeMap<FuncId, Liveness>,
}

impl StateComparer {
    /// How a mutant differs from the original at the same place.
    pub(super) fn states(
        &mut self,
        m: &mut Machine<'_>,
        original: &State,
        mutant: &State,
    ) -> Difference {
        let mut found = Difference::none(&mut m.arena);
        self.frames(m, &original.frame, &mutant.frame, &mut found);
        if found.certain {
            return found;
        }
        memories(m, original, mutant, &mut found);
        found.unclear |= !Rc::ptr_eq(&original.allocations, &mutant.allocations)
            && original.allocations != mutant.allocations
            || original.jumps.len() != mutant.jumps.len()
            || original.handled_faults != mutant.handled_faults
            || original.fault_handler != mutant.fault_handler
            || original.pending_switch != mutant.pending_switch
            || original.inputs != mutant.inputs;
        outputs(m, original, mutant, &mut found);
        streams(m, (original, mutant), true, &mut found);
        found
    }

    fn frames(
        &mut self,
        m: &mut Machine<'_>,
        original: &Frame,
        mutant: &Frame,
        found: &mut Difference,
    ) {
        let (mut a, mut b) = (original, mutant);
        loop {
            if (a.function, a.pc, a.serial) != (b.function, b.pc, b.serial) {
                found.certain = true;
                return;
            }
            self.registers(m, a, b, found);
            match (&a.parent, &b.parent) {
                (Some(up), Some(other)) if !Rc::ptr_eq(up, other) => (a, b) = (up, other),
                _ => return,
            }
        }
    }

    fn registers(&mut self, m: &mut Machine<'_>, a: &Frame, b: &Frame, found: &mut Difference) {
        let function = &m.program.module.functions[a.function.index()];
        let known = self.liveness.entry(a.function);
        let liveness = known.or_insert_with(|| Liveness::of(function));
        let live = liveness.at(function, a.pc);
        let registers = a.regs.iter().zip(&b.regs).enumerate();
        for (number, (a, b)) in registers.filter(|(number, _)| live[*number]) {
            if a.expr == b.expr && a.bits == b.bits {
                continue;
            }
            let width = function.widths[number];
            let mut value = |slot: &Slot| match slot.expr {
                Some(e) => e,
                None => m.arena.constant(width, slot.bits.into()),
            };
            let (a, b) = (value(a), value(b));
            found.values(&mut m.arena, a, b);
        }
    }
}

/// How the memories differ that two calls of a function have left, seen or not.
pub(super) fn left_in_memory(m: &mut Machine<'_>, original: &State, mutant: &State) -> Difference {
    let mut found = Difference::none(&mut m.arena);
    memories(m, original, mutant, &mut found);
    found
}

fn memories(m: &mut Machine<'_>, original: &State, mutant: &State, found: &mut Difference) {
    for change in original.memory.changes(&mutant.memory) {
        let ObjectChange::Contents(id) = change else {
            found.unclear = true;
            continue;
        };
        let objects = (original.memory.object(id), mutant.memory.object(id));
        let (Some(a), Some(b)) = objects else {
            continue;
        };
        if a.size() != b.size() {
            found.unclear = true;
            continue;
        }
        a.differences(b, &mut m.arena, &mut |arena, a, b| {
            found.values(arena, a, b);
        });
    }
}

/// How what is seen of two runs differs, both with the outputs that they have at their ends.
pub(super) fn observed(m: &mut Machine<'_>, original: &EndedRun, mutant: &EndedRun) -> Difference {
    let mut found = Difference::none(&mut m.arena);
    let inputs = (&original.state.inputs, &mutant.state.inputs);
    let common = inputs.0.iter().zip(inputs.1.iter());
    let others = common.into_iter().any(|(a, b)| a != b);
    found.certain |= inputs.0.len() < inputs.1.len() || others;
    outputs(m, &original.state, &mutant.state, &mut found);
    let same_model = Rc::ptr_eq(&original.model, &mutant.model);
    let states = (&*original.state, &*mutant.state);
    streams(m, states, same_model, &mut found);
    found
}

fn outputs(m: &mut Machine<'_>, original: &State, mutant: &State, found: &mut Difference) {
    if Rc::ptr_eq(&original.outputs, &mutant.outputs) {
        return;
    }
    let (a, b) = (&original.outputs, &mutant.outputs);
    let alike = |(a, b): (&ProgramOutput, &ProgramOutput)| {
        a.name == b.name && a.bytes.len() == b.bytes.len()
    };
    if a.len() != b.len() || !a.iter().zip(b.iter()).all(alike) {
        found.certain = true;
        return;
    }
    for (a, b) in a.iter().zip(b.iter()) {
        found.slots(&mut m.arena, &a.bytes, &b.bytes);
    }
}

/// The streams, chunk by chunk. `same_model` says that values were made into text under one model.
fn streams(
    m: &mut Machine<'_>,
    (original, mutant): (&State, &State),
    same_model: bool,
    found: &mut Difference,
) {
    for stream in 0..2 {
        let (a, b) = (
            original.streams.chunks(stream),
            mutant.streams.chunks(stream),
        );
        if Rc::ptr_eq(&a, &b) {
            continue;
        }
        let (a, b) = (merged(&a), merged(&b));
        let alike = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.is_like(b));
        if alike {
            for (a, b) in a.iter().zip(&b) {
                text(&mut m.arena, (a, b), same_model, found);
            }
            continue;
        }
        // Of different form: what the current model shows decides for this input only.
        let (a, b) = (shown(m, original, stream), shown(m, mutant, stream));
        match (a, b) {
            (Some(a), Some(b)) if a != b && same_model => found.certain = true,
            _ => found.unclear = true,
        }
    }
}

/// Part of a stream, as long as it is of one kind.
enum StreamPiece {
    Bytes(Vec<Slot>),
    Text(Vec<Slot>),
    Shown(ShownText),
}

impl StreamPiece {
    fn is_like(&self, other: &StreamPiece) -> bool {
        match (self, other) {
            (StreamPiece::Bytes(a), StreamPiece::Bytes(b))
            | (StreamPiece::Text(a), StreamPiece::Text(b)) => a.len() == b.len(),
            (StreamPiece::Shown(a), StreamPiece::Shown(b)) => a.values.len() == b.values.len(),
            _ => false,
        }
    }
}

fn merged(chunks: &[Rc<StreamChunk>]) -> Vec<StreamPiece> {
    let mut pieces: Vec<StreamPiece> = Vec::new();
    for chunk in chunks {
        match (&**chunk, pieces.last_mut()) {
            (StreamChunk::Bytes(more), Some(StreamPiece::Bytes(bytes))) => bytes.extend(more),
            (StreamChunk::Bytes(bytes), _) => pieces.push(StreamPiece::Bytes(bytes.clone())),
            (StreamChunk::Text(bytes), _) => pieces.push(StreamPiece::Text(bytes.clone())),
            (StreamChunk::Shown(text), _) => pieces.push(StreamPiece::Shown(text.clone())),
        }
    }
    pieces
}

fn text(
    arena: &mut Arena,
    pieces: (&StreamPiece, &StreamPiece),
    same_model: bool,
    found: &mut Difference,
) {
    match pieces {
        (StreamPiece::Bytes(a), StreamPiece::Bytes(b)) => found.slots(arena, a, b),
        // Behind the end of a text nothing is seen; a difference there is none.
        (StreamPiece::Text(a), StreamPiece::Text(b)) => {
            let zero = arena.constant(8, 0);
            let mut going_on = arena.yes();
            for (a, b) in a.iter().zip(b) {
                let (a, b) = (number(arena, &[*a]), number(arena, &[*b]));
                let mut here = Difference::none(arena);
                here.values(arena, a, b);
                let certain = match here.certain {
                    true => arena.yes(),
                    false => here.when,
                };
                let seen = arena.and(going_on, certain);
                found.when = arena.or(found.when, seen);
                found.unclear |= here.unclear;
                found.assumes.extend(here.assumes);
                let more = arena.ne(a, zero);
                going_on = arena.and(going_on, more);
            }
        }
        (StreamPiece::Shown(a), StreamPiece::Shown(b)) => {
            for (a, b) in a.values.iter().zip(&b.values) {
                found.values(arena, *a, *b);
            }
            found.unclear |= a.cut || b.cut || !same_model;
            if same_model {
                match a.bytes.len() == b.bytes.len() {
                    true => found.slots(arena, &a.bytes, &b.bytes),
                    false => found.certain = true,
                }
            }
        }
        _ => found.unclear = true,
    }
}

/// What a stream holds under the current model, if that is known.
fn shown(m: &mut Machine<'_>, state: &State, stream: usize) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    for chunk in state.streams.chunks(stream).iter() {
        let (slots, is_text) = match &**chunk {
            StreamChunk::Bytes(slots) => (slots, false),
            StreamChunk::Text(slots) => (slots, true),
            StreamChunk::Shown(text) if text.cut => return None,
            StreamChunk::Shown(text) => (&text.bytes, false),
        };
        for slot in slots {
            let byte = match slot.expr {
                None => slot.bits as u8,
                Some(e) if m.arena.is_uninit(e) => return None,
                Some(e) => m.current.value(&m.arena, e) as u8,
            };
            if is_text && byte == 0 {
                break;
            }
            all.push(byte);
        }
    }
    Some(all)
}
