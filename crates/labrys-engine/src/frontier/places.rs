//! What predicates are about: registers of frames, parts of objects, and the switch that has just jumped.
//! Each has one variable, whatever the place in the code. Besides these there are variables for what may be
//! any value.

use super::call_strings::{CallStringId, CallStrings};
use crate::memory::ObjectId;
use labrys_expr::{Arena, ExprId, ExprKind, ExprOp, VarId};
use labrys_ir::{FuncId, Reg};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum StatePlace {
    Register {
        frame: CallStringId,
        reg: Reg,
    },
    ObjectPart(ObjectPart),
    /// The number of the switch that has just jumped.
    PendingSwitch,
    /// Where an object lies: a number that nothing is known of, except that objects do not overlap.
    Base(ObjectId),
}

/// A part of an object that is read and written together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObjectPart {
    pub(super) object: ObjectId,
    pub(super) offset: u64,
    /// Bytes, at most 8.
    pub(super) len: u64,
}

impl ObjectPart {
    pub(super) fn width(self) -> u8 {
        (self.len * 8) as u8
    }
}

/// A local of a frame: the frame and the instruction that makes it.
pub(super) type Local = (CallStringId, u32);

/// The numbers of locals begin here: no run makes so many objects.
const FIRST_LOCAL: u32 = 6_000_000;

#[derive(Debug, Default)]
pub(super) struct StatePlaces {
    vars: FxHashMap<StatePlace, VarId>,
    /// By variable; none for any value.
    places: Vec<Option<StatePlace>>,
    locals: BTreeMap<Local, ObjectId>,
    by_number: Vec<Local>,
    /// The objects that are made by allocations, and not by instructions for locals.
    allocated: BTreeSet<ObjectId>,
    /// Variables for what is read where a pointer leads elsewhere than into the object allocated for it.
    elsewhere: BTreeSet<VarId>,
    /// Variables for values that C leaves undefined.
    undefined: BTreeSet<VarId>,
    /// The functions of the frames, and the calls that they are in.
    functions: Vec<FuncId>,
    callers: Vec<Option<(CallStringId, u32)>>,
}

impl StatePlaces {
    pub(super) fn new(contexts: &CallStrings) -> StatePlaces {
        let frames = || (0..contexts.len() as u32).map(|id| contexts.get(CallStringId(id)));
        StatePlaces {
            functions: frames().map(|context| context.function).collect(),
            callers: frames().map(|context| context.caller).collect(),
            ..StatePlaces::default()
        }
    }

    /// The frame that has called another one, and the call.
    pub(super) fn caller_of(&self, frame: CallStringId) -> Option<(CallStringId, u32)> {
        self.callers[frame.0 as usize]
    }

    /// The function that a frame belongs to.
    pub(super) fn function_of(&self, frame: CallStringId) -> FuncId {
        self.functions[frame.0 as usize]
    }

    pub(super) fn of(&mut self, arena: &mut Arena, place: StatePlace, width: u8) -> ExprId {
        if let Some(var) = self.vars.get(&place) {
            return arena.var_expr(*var);
        }
        let var = self.add(arena, Some(place), width);
        self.vars.insert(place, var);
        arena.var_expr(var)
    }

    /// A value that nothing is known of.
    pub(super) fn any(&mut self, arena: &mut Arena, width: u8) -> ExprId {
        let low = self.add(arena, None, width.min(64));
        let low = arena.var_expr(low);
        if width <= 64 {
            return low;
        }
        let high = self.add(arena, None, width - 64);
        let high = arena.var_expr(high);
        arena.concat(high, low)
    }

    /// A value that was never written. Two uses of it need not agree.
    pub(super) fn undefined(&mut self, arena: &mut Arena, width: u8) -> ExprId {
        let value = self.any(arena, width);
        let vars = arena.vars(value);
        self.undefined.extend(arena.vars_iter(vars));
        value
    }

    /// What is read where a pointer leads elsewhere: a condition on it says where the pointer leads.
    pub(super) fn elsewhere(&mut self, arena: &mut Arena, width: u8) -> ExprId {
        let value = self.any(arena, width);
        let vars = arena.vars(value);
        self.elsewhere.extend(arena.vars_iter(vars));
        value
    }

    pub(super) fn is_elsewhere(&self, var: VarId) -> bool {
        self.elsewhere.contains(&var)
    }

    pub(super) fn is_undefined(&self, var: VarId) -> bool {
        self.undefined.contains(&var)
    }

    /// The address at a distance from the start of an object.
    pub(super) fn address(&mut self, arena: &mut Arena, object: ObjectId, offset: u64) -> ExprId {
        let base = self.of(arena, StatePlace::Base(object), 64);
        let offset = arena.constant(64, offset.into());
        arena.add(base, offset)
    }

    /// The object that an expression is an address in, and the distance from its start, if that can be seen.
    pub(super) fn split(&self, arena: &mut Arena, e: ExprId) -> Option<(ObjectId, ExprId)> {
        let object = |arena: &Arena, e: ExprId| match arena.kind(e) {
            ExprKind::Var(var) => match self.place(var) {
                Some(StatePlace::Base(object)) => Some(object),
                _ => None,
            },
            _ => None,
        };
        if let Some(object) = object(arena, e) {
            return Some((object, arena.constant(64, 0)));
        }
        let ExprKind::Binary(ExprOp::Add, a, b) = arena.kind(e) else {
            return None;
        };
        let first = object(arena, a).map(|object| (object, b));
        first.or_else(|| object(arena, b).map(|object| (object, a)))
    }

    fn add(&mut self, arena: &mut Arena, place: Option<StatePlace>, width: u8) -> VarId {
        let var = arena.new_var("", width);
        self.places.resize(var.index(), None);
        self.places.push(place);
        var
    }

    pub(super) fn place(&self, var: VarId) -> Option<StatePlace> {
        self.places.get(var.index()).copied().flatten()
    }

    /// All places with their variables.
    pub(super) fn all(&self) -> impl Iterator<Item = (VarId, StatePlace)> + '_ {
        let numbered = self.places.iter().enumerate();
        numbered.filter_map(|(var, place)| Some((VarId(var as u32), (*place)?)))
    }

    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    /// The object of a local.
    pub(super) fn local(&mut self, local: Local) -> ObjectId {
        let next = ObjectId(FIRST_LOCAL + self.by_number.len() as u32);
        let id = *self.locals.entry(local).or_insert(next);
        if id == next {
            self.by_number.push(local);
        }
        id
    }

    /// The newest object of an allocation, which is named like a local.
    pub(super) fn allocated(&mut self, made: Local) -> ObjectId {
        let object = self.local(made);
        self.allocated.insert(object);
        object
    }

    pub(super) fn is_allocated(&self, object: ObjectId) -> bool {
        self.allocated.contains(&object)
    }

    /// The frame that a call of a frame leads to, if there is one.
    pub(super) fn called_by(&self, frame: CallStringId, call: u32) -> Option<CallStringId> {
        let mut callers = self.callers.iter();
        let found = callers.position(|caller| *caller == Some((frame, call)))?;
        Some(CallStringId(found as u32))
    }

    /// The object of a local, if predicates have named it.
    pub(super) fn known_local(&self, local: Local) -> Option<ObjectId> {
        self.locals.get(&local).copied()
    }

    /// The local that an object is.
    pub(super) fn local_of(&self, object: ObjectId) -> Option<Local> {
        let index = object.0.checked_sub(FIRST_LOCAL)?;
        self.by_number.get(index as usize).copied()
    }
}
