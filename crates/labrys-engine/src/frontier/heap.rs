//! Objects that the program allocates and never gives back. An allocation in a call string has one name, which
//! means the newest object that was made there; it may also fail. Before it is made, its address is a number
//! that is only known to be apart from other objects, and its contents are unwritten or zero. Where something
//! is given back, another object may lie in its place, and nothing is followed.

use super::call_strings::CallStringId;
use super::facts::Facts;
use super::memory_effects::Effect;
use super::places::{StatePlace, StatePlaces};
use super::pointers::PointerStart;
use super::segment::Segment;
use crate::memory::ObjectId;
use crate::program::{Program, Target};
use labrys_expr::ExprId;
use labrys_ir::{Const, FuncId, Function, Inst, Reg, RegList, SymbolRef};

/// Larger objects are not followed.
const LARGEST_OBJECT: u64 = 1 << 16;

/// A pointer is followed through so many calls back to its allocation.
const MOST_CALLS: usize = 8;

/// What an allocation makes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allocation {
    pub(super) size: u64,
    /// All bytes are zero.
    zeroed: bool,
}

/// An object that a piece has made: where it lies, and its size.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewObject {
    base: ExprId,
    size: u64,
}

impl Allocation {
    /// What an instruction of a function allocates; none if it is no allocation of a known size.
    pub(super) fn of(
        program: &Program<'_>,
        facts: &Facts,
        function: &Function,
        inst: &Inst,
    ) -> Option<Allocation> {
        let Inst::Call {
            callee,
            args,
            results,
        } = inst
        else {
            return None;
        };
        (!facts.gives_back).then_some(())?;
        let is_model =
            program.targets[callee.index()] == Target::Body && !program.is_users_function(*callee);
        (is_model && results.len == 1).then_some(())?;
        let sizes: Option<Vec<u64>> = (function.list(*args).iter())
            .map(|reg| constant(function, *reg))
            .collect();
        let (size, zeroed) = match (name(program, *callee), &sizes?[..]) {
            ("malloc", [size]) => (*size, false),
            ("calloc", [count, size]) => (count.checked_mul(*size)?, true),
            _ => return None,
        };
        (1..=LARGEST_OBJECT)
            .contains(&size)
            .then_some(Allocation { size, zeroed })
    }
}

fn name<'p>(program: &Program<'p>, id: FuncId) -> &'p str {
    &program.module.functions[id.index()].name
}

fn constant(function: &Function, reg: Reg) -> Option<u64> {
    let mut constants = function.constants.iter();
    constants.find_map(|(known, value)| match value {
        Const::Int(bits) if *known == reg => u64::try_from(*bits).ok(),
        _ => None,
    })
}

impl Segment<'_> {
    /// Executes an allocation; false if the instruction is none.
    pub(super) fn allocate(&mut self, pc: u32, results: RegList) -> bool {
        let function = self.function();
        let inst = &function.code[pc as usize];
        let Some(made) = Allocation::of(self.program, self.facts, function, inst) else {
            return false;
        };
        let Some(dst) = function.list(results).first().copied() else {
            return false;
        };
        let object = self.terms.places.allocated((self.frame, pc));
        let base = self.any(64);
        self.memory.add(Effect::Allocate {
            object,
            base,
            zeroed: made.zeroed,
        });
        self.bases.insert(object, base);
        let size = made.size;
        self.allocated.push(NewObject { base, size });
        let succeeds = self.any(1);
        let arena = &mut self.terms.arena;
        let null = arena.constant(64, 0);
        let address = arena.ite(succeeds, base, null);
        self.set(dst, address);
        true
    }

    /// Where an object lies now.
    pub(super) fn base(&mut self, object: ObjectId) -> ExprId {
        match self.bases.get(&object) {
            Some(base) => *base,
            None => (self.terms.places).of(&mut self.terms.arena, StatePlace::Base(object), 64),
        }
    }

    /// The object that a register probably points into, and the distance from its start: on one of several
    /// ways to its value, if that is enough; else only if the object is allocated. Nothing may go by it
    /// without asking whether it is so.
    pub(super) fn guess(&mut self, reg: Reg, is_one_enough: bool) -> Option<(ObjectId, u64)> {
        let facts = self.facts;
        let module = self.program.module;
        let (mut frame, mut reg, mut distance) = (self.frame, reg, 0u64);
        for _ in 0..MOST_CALLS {
            let id = self.terms.places.function_of(frame);
            let function = &module.functions[id.index()];
            if is_one_enough && let Some((object, at)) = self.named_object(frame, reg) {
                return Some((object, distance.wrapping_add(at)));
            }
            let (start, more) = facts.pointers(id)?.start_of(reg, is_one_enough)?;
            distance = distance.wrapping_add(more);
            match start {
                PointerStart::Parameter(number) => {
                    let (caller, call) = self.terms.places.caller_of(frame)?;
                    let function = self.terms.places.function_of(caller);
                    let function = &module.functions[function.index()];
                    let Inst::Call { args, .. } = function.code[call as usize] else {
                        return None;
                    };
                    reg = *function.list(args).get(number as usize)?;
                    frame = caller;
                }
                PointerStart::Result(pc) => {
                    let inst = &function.code[pc as usize];
                    if Allocation::of(self.program, self.facts, function, inst).is_some() {
                        let object = self.terms.places.allocated((frame, pc));
                        return Some((object, distance));
                    }
                    frame = self.terms.places.called_by(frame, pc)?;
                    reg = self.returned(frame, is_one_enough)?;
                }
            }
        }
        None
    }

    /// The local or variable whose address is all that a register of a frame ever is.
    fn named_object(&mut self, frame: CallStringId, reg: Reg) -> Option<(ObjectId, u64)> {
        let id = self.terms.places.function_of(frame);
        if let Some((pc, at)) = self.facts.pointers(id)?.local_address(reg) {
            return Some((self.terms.places.local((frame, pc)), at));
        }
        let function = &self.program.module.functions[id.index()];
        let mut constants = function.constants.iter();
        constants.find_map(|(known, value)| match value {
            Const::Symbol(SymbolRef::Global { global, addend }) if *known == reg => {
                Some((self.program.global_object(*global), *addend as u64))
            }
            _ => None,
        })
    }

    /// A register that the function of a frame returns and whose start is known.
    fn returned(&self, frame: CallStringId, is_one_enough: bool) -> Option<Reg> {
        let id = self.terms.places.function_of(frame);
        let function = &self.program.module.functions[id.index()];
        let pointers = self.facts.pointers(id)?;
        function.code.iter().find_map(|inst| match inst {
            Inst::Return { values } => {
                let first = function.list(*values).first().copied()?;
                let start = pointers.start_of(first, is_one_enough);
                start.is_some().then_some(first)
            }
            _ => None,
        })
    }

    /// What holds of the objects that the piece has made: none is at null, and none shares bytes with another
    /// object in these conditions.
    pub(super) fn new_objects_lie_apart(&mut self, about: &[ExprId]) -> Vec<ExprId> {
        let mut facts = Vec::new();
        if self.allocated.is_empty() {
            return facts;
        }
        let mut others: Vec<(ExprId, u64)> = Vec::new();
        for object in objects_in(self, about) {
            let shape = self.memory.shape(&self.terms.places, object);
            // Of the same allocation, it is an older one.
            let base = (self.terms.places).of(&mut self.terms.arena, StatePlace::Base(object), 64);
            others.push((base, shape.map_or(1, |shape| shape.size.max(1))));
        }
        for NewObject { base, size: made } in self.allocated.clone() {
            let arena = &mut self.terms.arena;
            let zero = arena.constant(64, 0);
            facts.push(arena.ne(base, zero));
            let size = arena.constant(64, made.into());
            let end = arena.add(base, size);
            facts.push(arena.ule(base, end));
            for (other, size) in &others {
                let size = arena.constant(64, u128::from(*size));
                let other_end = arena.add(*other, size);
                let below = arena.ule(end, *other);
                let above = arena.ule(other_end, base);
                facts.push(arena.or(below, above));
            }
            others.push((base, made));
        }
        facts
    }
}

/// The objects whose addresses are in some conditions.
fn objects_in(segment: &Segment<'_>, about: &[ExprId]) -> std::collections::BTreeSet<ObjectId> {
    let arena = &segment.terms.arena;
    let places: &StatePlaces = &segment.terms.places;
    let vars = about
        .iter()
        .flat_map(|condition| arena.vars_iter(arena.vars(*condition)));
    vars.filter_map(|var| match places.place(var) {
        Some(StatePlace::Base(object)) => Some(object),
        _ => None,
    })
    .collect()
}
