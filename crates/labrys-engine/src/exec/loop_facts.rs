//! What is believed of the loops of a program while their turns are gone through: which memory a turn
//! changes, and which relations hold at every start of a turn. Beliefs that a run disproves are noted,
//! and the next round does without them (Houdini).

use super::loop_observed::LoopSample;
use super::place_names::PlaceName;
use crate::memory::{ObjectId, ObjectNumbers};
use crate::state::{LoopPlace, MemoryRange, StubAccess};
use labrys_expr::{Arena, ExprId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// More parts of one object than this are the whole object.
const MOST_PARTS: usize = 256;

/// In larger objects not everything can change.
const MOST_BYTES: u64 = 1024;

/// A place less a number: a pointer is looked at as its distance from the start of its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LoopTerm {
    pub(crate) place: LoopPlace,
    pub(crate) minus: u64,
}

/// Something that may hold whenever a turn of a loop begins.
/// Where its places are elements of arrays, it is about all elements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// A relation that holds where a place has this value.
    When {
        term: LoopTerm,
        value: u64,
        then: Rc<LoopRelation>,
    },
}

impl LoopRelation {
    /// The places that it is about.
    pub(crate) fn places(&self) -> Vec<LoopPlace> {
        match self {
            LoopRelation::AtLeast { term, .. }
            | LoopRelation::AtMost { term, .. }
            | LoopRelation::OneOf { term, .. }
            | LoopRelation::Multiple { term, .. } => vec![term.place],
            LoopRelation::NotAbove { low, high, .. } | LoopRelation::Below { low, high, .. } => {
                vec![low.place, high.place]
            }
            LoopRelation::Times { term, of, .. } => vec![term.place, of.place],
            LoopRelation::When { term, then, .. } => {
                let mut places = then.places();
                places.push(term.place);
                places
            }
        }
    }

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
            LoopRelation::When {
                term,
                value: at,
                then,
            } => {
                let e = of(arena, term)?;
                let at = fixed(arena, e, *at);
                let is_there = arena.eq(e, at);
                let elsewhere = arena.not(is_there);
                let then = then.holds(arena, value)?;
                arena.or(elsewhere, then)
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
    /// All that were ever made.
    pub(crate) made: BTreeSet<LoopRelation>,
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
    /// What programs ask of places that a turn changes.
    pub(crate) asked: BTreeMap<u32, AskedOfLoop>,
    /// Since the relations were made anew.
    pub(crate) has_new_questions: bool,
    /// It is known what a turn changes: places are compared with each other as turns ask for it.
    pub(crate) compares_places: bool,
    /// The elements that a relation about one of them is about.
    pub(crate) families: FxHashMap<LoopPlace, Rc<[LoopPlace]>>,
    /// States that runs have shown where turns begin.
    pub(crate) samples: BTreeMap<u32, Vec<LoopSample>>,
    /// The next round has the same numbers for the same objects.
    pub(crate) numbers: Option<ObjectNumbers>,
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

    /// What a turn changes is known: relations are made anew, from all that was asked. Some that were
    /// disproved may hold together with the others.
    pub(crate) fn begin_again(&mut self) {
        for belief in self.beliefs.values_mut() {
            belief.relations.clear();
            belief.made.clear();
        }
        self.disproved.clear();
        self.has_new_questions = false;
        self.compares_places = true;
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

/// What conditions and assignments of a turn have to do with the places that it changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AskedOfLoop {
    /// Places that one condition depends on. The first one is changed by a turn.
    pub(crate) pairs: BTreeSet<(LoopPlace, LoopPlace)>,
    /// The numbers that a place is compared with.
    pub(crate) constants: BTreeMap<LoopPlace, BTreeSet<u64>>,
    /// Those to which it may be equal.
    pub(crate) tested: BTreeMap<LoopPlace, BTreeSet<u64>>,
    /// The numbers that a turn assigns to it.
    pub(crate) assigned: BTreeMap<LoopPlace, BTreeSet<u64>>,
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
