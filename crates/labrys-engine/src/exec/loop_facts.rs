//! What is believed of the loops of a program while their turns are gone through: which memory a turn
//! changes, and which relations hold at every start of a turn. Beliefs that a run disproves are noted,
//! and the next round does without them (Houdini).

use super::place_names::PlaceName;
use crate::memory::ObjectId;
use crate::state::{LoopPlace, MemoryRange, StubAccess};
use labrys_expr::{Arena, ExprId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// More parts of one object than this are the whole object.
const MOST_PARTS: usize = 6;

/// In larger objects not everything can change.
const MOST_BYTES: u64 = 1024;

/// A place less a number: a pointer is looked at as its distance from the start of its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LoopTerm {
    pub(crate) place: LoopPlace,
    pub(crate) minus: u64,
}

/// Something that may hold whenever a turn of a loop begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LoopRelation {
    AtLeast {
        term: LoopTerm,
        bound: u64,
        signed: bool,
    },
    AtMost {
        term: LoopTerm,
        bound: u64,
        signed: bool,
    },
    OneOf {
        term: LoopTerm,
        values: Rc<[u64]>,
    },
    /// A multiple of a power of two.
    Multiple {
        term: LoopTerm,
        bits: u32,
    },
    NotAbove {
        low: LoopTerm,
        high: LoopTerm,
        signed: bool,
    },
    Below {
        low: LoopTerm,
        high: LoopTerm,
        signed: bool,
    },
    /// One is so many times the other.
    Times {
        term: LoopTerm,
        of: LoopTerm,
        factor: u64,
    },
}

impl LoopRelation {
    /// The condition for these values of places; none if there is no such place here.
    pub(crate) fn holds(
        &self,
        arena: &mut Arena,
        value: &mut impl FnMut(&mut Arena, LoopPlace) -> Option<ExprId>,
    ) -> Option<ExprId> {
        let mut of = |arena: &mut Arena, term: &LoopTerm| -> Option<ExprId> {
            let e = value(arena, term.place)?;
            let minus = arena.constant(arena.width(e), term.minus.into());
            Some(arena.sub(e, minus))
        };
        let fixed = |arena: &mut Arena, like: ExprId, value: u64| {
            let width = arena.width(like);
            arena.constant(width, value.into())
        };
        Some(match self {
            LoopRelation::AtLeast {
                term,
                bound,
                signed,
            } => {
                let e = of(arena, term)?;
                let bound = fixed(arena, e, *bound);
                not_above(arena, bound, e, *signed)
            }
            LoopRelation::AtMost {
                term,
                bound,
                signed,
            } => {
                let e = of(arena, term)?;
                let bound = fixed(arena, e, *bound);
                not_above(arena, e, bound, *signed)
            }
            LoopRelation::OneOf { term, values } => {
                let e = of(arena, term)?;
                let mut any = arena.no();
                for value in values.iter() {
                    let value = fixed(arena, e, *value);
                    let is = arena.eq(e, value);
                    any = arena.or(any, is);
                }
                any
            }
            LoopRelation::Multiple { term, bits } => {
                let e = of(arena, term)?;
                let low = arena.extract(e, 0, *bits as u8);
                let zero = fixed(arena, low, 0);
                arena.eq(low, zero)
            }
            LoopRelation::NotAbove { low, high, signed } => {
                let (low, high) = (of(arena, low)?, of(arena, high)?);
                not_above(arena, low, high, *signed)
            }
            LoopRelation::Below { low, high, signed } => {
                let (low, high) = (of(arena, low)?, of(arena, high)?);
                let above = not_above(arena, high, low, *signed);
                arena.not(above)
            }
            LoopRelation::Times {
                term,
                of: other,
                factor,
            } => {
                let (e, other) = (of(arena, term)?, of(arena, other)?);
                let width = arena.width(e).max(arena.width(other));
                let (e, other) = (arena.sext(e, width), arena.sext(other, width));
                let factor = fixed(arena, other, *factor);
                let other = arena.mul(other, factor);
                arena.eq(e, other)
            }
        })
    }
}

fn not_above(arena: &mut Arena, low: ExprId, high: ExprId, signed: bool) -> ExprId {
    match signed {
        true => arena.sle(low, high),
        false => arena.ule(low, high),
    }
}

/// What is believed of one loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopBelief {
    pub(crate) memory: BTreeSet<MemoryRange>,
    /// With those that were disproved, which are none.
    pub(crate) relations: Vec<Option<LoopRelation>>,
    /// The places for which relations were made.
    pub(crate) seeded: BTreeSet<LoopPlace>,
    /// What functions without a body know behind a turn.
    pub(crate) known_to_stubs: BTreeMap<ObjectId, StubAccess>,
    /// Why nothing can be said of it.
    pub(crate) given_up: Option<&'static str>,
}

/// Of all loops, with what runs have disproved.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopFacts {
    pub(crate) beliefs: BTreeMap<u32, LoopBelief>,
    pub(crate) disproved: BTreeSet<(u32, usize)>,
    /// With the sizes of their objects.
    pub(crate) changed: BTreeMap<(u32, MemoryRange), u64>,
    pub(crate) revealed: BTreeMap<(u32, ObjectId), StubAccess>,
    pub(crate) hopeless: BTreeMap<u32, &'static str>,
    /// What the source calls the places of each loop, and objects that pointers lead into.
    pub(crate) names: BTreeMap<(u32, LoopPlace), PlaceName>,
    pub(crate) objects: BTreeMap<ObjectId, String>,
}

impl LoopFacts {
    /// Was everything right that was believed?
    pub(crate) fn is_settled(&self) -> bool {
        self.disproved.is_empty()
            && self.changed.is_empty()
            && self.revealed.is_empty()
            && self.hopeless.is_empty()
    }

    /// Takes in what runs have disproved, for the next round.
    pub(crate) fn learn(&mut self) {
        for (number, relation) in std::mem::take(&mut self.disproved) {
            let belief = self.beliefs.entry(number).or_default();
            if let Some(relation) = belief.relations.get_mut(relation) {
                *relation = None;
            }
        }
        for ((number, range), size) in std::mem::take(&mut self.changed) {
            let belief = self.beliefs.entry(number).or_default();
            let overlaps = |known: &MemoryRange| {
                known.object == range.object
                    && known.offset < range.offset + u64::from(range.len)
                    && range.offset < known.offset + u64::from(known.len)
            };
            belief.memory.retain(|known| !overlaps(known));
            belief.memory.insert(range);
            let parts = belief.memory.iter().filter(|r| r.object == range.object);
            if parts.count() > MOST_PARTS {
                belief.memory.retain(|known| known.object != range.object);
                belief.widen(range, size);
            }
        }
        for ((number, object), access) in std::mem::take(&mut self.revealed) {
            let belief = self.beliefs.entry(number).or_default();
            let known = belief.known_to_stubs.entry(object).or_insert(access);
            *known = (*known).max(access);
        }
        for (number, why) in std::mem::take(&mut self.hopeless) {
            self.beliefs.entry(number).or_default().given_up = Some(why);
        }
    }
}

impl LoopBelief {
    /// Every part of an object may change.
    fn widen(&mut self, range: MemoryRange, size: u64) {
        if size > MOST_BYTES {
            self.given_up = Some("a loop changes too much memory");
            return;
        }
        let piece = u64::from(range.len.max(1));
        let mut offset = range.offset % piece;
        if offset > 0 {
            let len = offset as u32;
            self.memory.insert(MemoryRange {
                offset: 0,
                len,
                ..range
            });
        }
        while offset < size {
            let len = piece.min(size - offset) as u32;
            self.memory.insert(MemoryRange {
                offset,
                len,
                ..range
            });
            offset += piece;
        }
    }
}
