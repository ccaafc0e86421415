//! What a piece of code has written, oldest first, and what is read behind it. A write through a pointer
//! changes a part of an object if the pointer leads there: whether it does stays in the expression, so no
//! alias is forgotten.

use super::call_strings::CallStringId;
use super::facts::Facts;
use super::heap::Allocation;
use super::places::{ObjectPart, StatePlace, StatePlaces};
use super::pointers::PointerOrigin;
use crate::memory::ObjectId;
use crate::program::Program;
use labrys_expr::{Arena, ExprId};
use labrys_ir::{GlobalId, Inst, Reg, SymbolRef};
use rustc_hash::FxHashMap;

/// Where something is written or read.
#[derive(Clone, Copy, Debug)]
pub(super) enum AccessTarget {
    /// A known object, at a known or unknown distance from its start.
    Object { object: ObjectId, offset: ExprId },
    /// Through a pointer in a register of a frame.
    Pointer {
        address: ExprId,
        frame: CallStringId,
        reg: Reg,
    },
}

#[derive(Clone, Debug)]
pub(super) enum Effect {
    Write {
        target: AccessTarget,
        value: ExprId,
        /// The allocated object that it probably hits, and where.
        probably: Option<(ObjectId, u64)>,
    },
    /// So many bytes from there on, or an unknown number, may hold anything.
    Forget {
        target: AccessTarget,
        len: Option<u64>,
    },
    /// A local begins, and nothing was written to it yet.
    Begin(ObjectId),
    /// The same of an object that is allocated, and lies there. The library may write its own variables.
    Allocate {
        object: ObjectId,
        base: ExprId,
        zeroed: bool,
    },
    /// Code that is not gone through has run.
    Outside(Outside),
}

/// What code that is not gone through may write besides what was given away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outside {
    /// What functions of the program write that it calls back.
    Callbacks,
    /// And what other units may write.
    Changeable,
    /// Every variable.
    Everything,
}

pub(super) struct MemoryEffects<'a> {
    pub(super) program: &'a Program<'a>,
    pub(super) facts: &'a Facts,
    effects: Vec<Effect>,
    /// What was forgotten has one value from then on.
    forgotten: FxHashMap<(usize, ObjectPart), ExprId>,
}

/// How large an object is, and in which parts it is read and written.
#[derive(Clone, Copy)]
pub(super) struct ObjectShape {
    pub(super) size: u64,
    element: u64,
}

impl<'a> MemoryEffects<'a> {
    pub(super) fn new(program: &'a Program<'a>, facts: &'a Facts) -> Self {
        MemoryEffects {
            program,
            facts,
            effects: Vec::new(),
            forgotten: FxHashMap::default(),
        }
    }

    pub(super) fn add(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(super) fn global_of(&self, object: ObjectId) -> Option<GlobalId> {
        let first = self.program.global_object(GlobalId(0));
        let index = object.0.checked_sub(first.0)?;
        ((index as usize) < self.program.module.globals.len()).then_some(GlobalId(index))
    }

    pub(super) fn shape(&self, places: &StatePlaces, object: ObjectId) -> Option<ObjectShape> {
        if let Some(global) = self.global_of(object) {
            let global = &self.program.module.globals[global.index()];
            return Some(ObjectShape {
                size: global.size,
                element: global.element.into(),
            });
        }
        let (frame, pc) = places.local_of(object)?;
        let function = &self.program.module.functions[places.function_of(frame).index()];
        match function.code.get(pc as usize)? {
            Inst::Alloca { size, element, .. } => Some(ObjectShape {
                size: (*size).into(),
                element: (*element).into(),
            }),
            inst => {
                Allocation::of(self.program, self.facts, function, inst).map(|made| ObjectShape {
                    size: made.size,
                    element: 0,
                })
            }
        }
    }

    /// What a part of an object holds behind all effects.
    pub(super) fn cell(
        &mut self,
        arena: &mut Arena,
        places: &mut StatePlaces,
        cell: ObjectPart,
    ) -> ExprId {
        let mut value = match self.constant(arena, places, cell) {
            Some(value) => return value,
            None => places.of(arena, StatePlace::ObjectPart(cell), cell.width()),
        };
        // Where the object lies, if it was made meanwhile.
        let mut base: Option<ExprId> = None;
        for index in 0..self.effects.len() {
            value = match self.effects[index].clone() {
                Effect::Write {
                    target: AccessTarget::Pointer { address, .. },
                    value: written,
                    probably: Some((object, offset)),
                } if object == cell.object => {
                    // Elsewhere it may hit an older object, or this one: then it holds anything.
                    let base = base.unwrap_or_else(|| places.address(arena, object, 0));
                    let distance = arena.constant(64, offset.into());
                    let here = arena.add(base, distance);
                    let same = arena.eq(address, here);
                    let distance = offset.wrapping_sub(cell.offset) as i64;
                    let hit = known_write(arena, distance, cell.len, written, value);
                    let other = self.elsewhere_from(arena, places, (index, cell));
                    arena.ite(same, hit, other)
                }
                Effect::Write {
                    target,
                    value: written,
                    ..
                } => match self.may_hit(places, target, cell.object) {
                    true => {
                        let key = (index, cell);
                        self.written(arena, places, key, (target, base), written, value)
                    }
                    false => value,
                },
                Effect::Forget { target, len } => {
                    match self.may_hit(places, target, cell.object)
                        && overlaps(arena, target, len, cell)
                    {
                        true => self.any_from(arena, places, (index, cell)),
                        false => value,
                    }
                }
                Effect::Begin(object) => match object == cell.object {
                    true => self.undefined_from(arena, places, (index, cell)),
                    false => value,
                },
                Effect::Allocate {
                    object,
                    base: lies,
                    zeroed,
                } => {
                    if object == cell.object {
                        base = Some(lies);
                        match zeroed {
                            true => arena.constant(cell.width(), 0),
                            false => self.undefined_from(arena, places, (index, cell)),
                        }
                    } else if !places.is_allocated(cell.object)
                        && self.is_open_to(places, Outside::Callbacks, cell.object)
                    {
                        self.any_from(arena, places, (index, cell))
                    } else {
                        value
                    }
                }
                Effect::Outside(outside) => match self.is_open_to(places, outside, cell.object) {
                    true => self.any_from(arena, places, (index, cell)),
                    false => value,
                },
            };
        }
        value
    }

    /// The bytes of a constant variable.
    fn constant(
        &self,
        arena: &mut Arena,
        places: &mut StatePlaces,
        cell: ObjectPart,
    ) -> Option<ExprId> {
        let id = self.global_of(cell.object)?;
        self.program.module.globals[id.index()]
            .constant
            .then_some(())?;
        self.initial(arena, places, cell)
    }

    /// What a variable is initialised with.
    pub(super) fn initial(
        &self,
        arena: &mut Arena,
        places: &mut StatePlaces,
        cell: ObjectPart,
    ) -> Option<ExprId> {
        let id = self.global_of(cell.object)?;
        let global = &self.program.module.globals[id.index()];
        (!global.external).then_some(())?;
        let end = cell.offset + cell.len;
        let mut bits = 0u128;
        for at in (cell.offset..end).rev() {
            let byte = global.init.get(at as usize).copied().unwrap_or(0);
            bits = bits << 8 | u128::from(byte);
        }
        let mut relocs = global.relocs.iter();
        if let Some(reloc) = relocs.find(|r| r.offset < end && cell.offset < r.offset + 8) {
            (reloc.offset == cell.offset && cell.len == 8).then_some(())?;
            return match reloc.target {
                SymbolRef::Global { global, addend } => {
                    let object = self.program.global_object(global);
                    Some(places.address(arena, object, addend as u64))
                }
                SymbolRef::Function(id) => {
                    Some(places.address(arena, Program::function_object(id), 0))
                }
                SymbolRef::Block { .. } => None,
            };
        }
        Some(arena.constant(cell.width(), bits))
    }

    fn undefined_from(
        &mut self,
        arena: &mut Arena,
        places: &mut StatePlaces,
        key: (usize, ObjectPart),
    ) -> ExprId {
        if let Some(known) = self.forgotten.get(&key) {
            return *known;
        }
        let value = places.undefined(arena, key.1.width());
        self.forgotten.insert(key, value);
        value
    }

    fn elsewhere_from(
        &mut self,
        arena: &mut Arena,
        places: &mut StatePlaces,
        key: (usize, ObjectPart),
    ) -> ExprId {
        if let Some(known) = self.forgotten.get(&key) {
            return *known;
        }
        let value = places.elsewhere(arena, key.1.width());
        self.forgotten.insert(key, value);
        value
    }

    fn any_from(
        &mut self,
        arena: &mut Arena,
        places: &mut StatePlaces,
        key: (usize, ObjectPart),
    ) -> ExprId {
        if let Some(known) = self.forgotten.get(&key) {
            return *known;
        }
        let any = places.any(arena, key.1.width());
        self.forgotten.insert(key, any);
        any
    }

    /// May the target lie in the object?
    fn may_hit(&self, places: &StatePlaces, target: AccessTarget, object: ObjectId) -> bool {
        match target {
            AccessTarget::Object { object: hit, .. } => hit == object,
            AccessTarget::Pointer { frame, reg, .. } => {
                self.is_given_away(places, object) || self.names(places, frame, reg, object)
            }
        }
    }

    /// May a register of a frame point into an object by what its function names, or by what it was called
    /// with?
    fn names(&self, places: &StatePlaces, frame: CallStringId, reg: Reg, object: ObjectId) -> bool {
        let module = self.program.module;
        let Some(pointers) = self.facts.pointers(places.function_of(frame)) else {
            return true;
        };
        let mut origins = pointers.of_register(reg).iter();
        origins.any(|origin| match *origin {
            PointerOrigin::Global(global) => self.global_of(object) == Some(global),
            PointerOrigin::Local(pc) => places.local_of(object) == Some((frame, pc)),
            PointerOrigin::Parameter(number) => {
                places.caller_of(frame).is_some_and(|(caller, call)| {
                    let function = &module.functions[places.function_of(caller).index()];
                    match function.code[call as usize] {
                        Inst::Call { args, .. } => {
                            let arg = function.list(args).get(number as usize);
                            arg.is_some_and(|arg| self.names(places, caller, *arg, object))
                        }
                        // What goes through a pointer to a function is given away.
                        _ => false,
                    }
                })
            }
        })
    }

    /// May code elsewhere have a pointer into the object?
    fn is_given_away(&self, places: &StatePlaces, object: ObjectId) -> bool {
        if let Some(global) = self.global_of(object) {
            return self.facts.is_given_away(global);
        }
        let Some((frame, pc)) = places
            .local_of(object)
            .filter(|_| !places.is_allocated(object))
        else {
            return true;
        };
        let pointers = self.facts.pointers(places.function_of(frame));
        pointers.is_none_or(|pointers| pointers.given_away.contains(&PointerOrigin::Local(pc)))
    }

    fn is_open_to(&self, places: &StatePlaces, outside: Outside, object: ObjectId) -> bool {
        if self.is_given_away(places, object) {
            return true;
        }
        let Some(global) = self.global_of(object) else {
            return false;
        };
        self.facts.changed_by_callbacks[global.index()]
            || match outside {
                Outside::Callbacks => false,
                Outside::Changeable => self.program.module.globals[global.index()].changeable,
                Outside::Everything => true,
            }
    }

    /// A part of an object behind a write that may hit it.
    fn written(
        &mut self,
        arena: &mut Arena,
        places: &mut StatePlaces,
        key: (usize, ObjectPart),
        (target, base): (AccessTarget, Option<ExprId>),
        written: ExprId,
        old: ExprId,
    ) -> ExprId {
        let cell = key.1;
        let len = u64::from(arena.width(written)) / 8;
        let (start, here) = match target {
            AccessTarget::Object { offset, .. } => (offset, arena.constant(64, cell.offset.into())),
            AccessTarget::Pointer { address, .. } => {
                let base = base.unwrap_or_else(|| places.address(arena, cell.object, 0));
                let offset = arena.constant(64, cell.offset.into());
                (address, arena.add(base, offset))
            }
        };
        let distance = arena.sub(start, here);
        if let Some(distance) = arena.as_const(distance) {
            return known_write(arena, distance as u64 as i64, cell.len, written, old);
        }
        // start + len > at and start < at + cell.len
        let room = arena.constant(64, (len - 1).into());
        let moved = arena.add(distance, room);
        let both = arena.constant(64, (len + cell.len - 1).into());
        let touches = arena.ult(moved, both);
        let other = match len == cell.len {
            true => {
                let same = arena.eq(start, here);
                let bits = len.trailing_zeros() as u8;
                let low = match bits {
                    0 => Some(0),
                    bits => {
                        let low = arena.extract(distance, 0, bits);
                        arena.as_const(low)
                    }
                };
                if len.is_power_of_two() && low == Some(0) {
                    return arena.ite(same, written, old);
                }
                let any = self.any_from(arena, places, key);
                arena.ite(same, written, any)
            }
            false => self.any_from(arena, places, key),
        };
        arena.ite(touches, other, old)
    }
}

/// A part of an object behind a write that begins at a known distance from its start.
fn known_write(
    arena: &mut Arena,
    distance: i64,
    cell_len: u64,
    written: ExprId,
    old: ExprId,
) -> ExprId {
    let (start, len) = (i128::from(distance), i128::from(arena.width(written) / 8));
    let end = i128::from(cell_len);
    let (from, to) = (start.max(0), (start + len).min(end));
    if from >= to {
        return old;
    }
    let part = |low: i128, len: i128| ((low * 8) as u32, (len * 8) as u8);
    let (low, width) = part(from - start, to - from);
    let mut value = arena.extract(written, low, width);
    if from > 0 {
        let (low, width) = part(0, from);
        let before = arena.extract(old, low, width);
        value = arena.concat(value, before);
    }
    if to < end {
        let (low, width) = part(to, end - to);
        let behind = arena.extract(old, low, width);
        value = arena.concat(behind, value);
    }
    value
}

/// Can a part of an object lie in what is forgotten?
fn overlaps(arena: &Arena, target: AccessTarget, len: Option<u64>, cell: ObjectPart) -> bool {
    let AccessTarget::Object { offset, .. } = target else {
        return true;
    };
    let (Some(start), Some(len)) = (arena.as_const(offset), len) else {
        return true;
    };
    let start = start as u64;
    start < cell.offset + cell.len && cell.offset < start.saturating_add(len)
}

impl ObjectShape {
    /// The parts that `len` bytes from `offset` on lie in.
    pub(super) fn cells(self, object: ObjectId, offset: u64, len: u64) -> Vec<ObjectPart> {
        let unit = match self.element {
            2 | 4 | 8 if self.size.is_multiple_of(self.element) => self.element,
            // Structures consist of words mostly.
            0 if self.size.is_multiple_of(4) => 4,
            _ => 1,
        };
        let first = offset / unit;
        let last = (offset + len - 1) / unit;
        (first..=last)
            .map(|number| ObjectPart {
                object,
                offset: number * unit,
                len: unit,
            })
            .collect()
    }
}
