//! What is believed of the loops of a program while their turns are gone through: which memory a turn
//! changes, and which relations hold at every start of a turn. Beliefs that a run disproves are noted,
//! and the next round does without them (Houdini).

use super::loop_counts::CountedElements;
use super::loop_observed::LoopSample;
use super::place_names::PlaceName;
use crate::memory::{ObjectId, ObjectNumbers};
use crate::program::ExpectedWrite;
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

/// A relation that needs more turns in a row than these is not found.
const MOST_TURNS: u32 = 3;

/// So often relations are made anew because conditions have asked for more, before more turns are looked at.
const MOST_ANEW: u32 = 3;

/// Of one loop, so many relations are looked at over several turns.
const MOST_DELAYED: usize = 48;

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
    /// It never has a value that it is compared with.
    IsNot {
        term: LoopTerm,
        value: u64,
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
    /// So many elements are not 0, of the first ones as another place says if one is named.
    Count {
        term: LoopTerm,
        of: Rc<CountedElements>,
        below: Option<LoopPlace>,
    },
    /// From the one on that a place says, all elements are 0.
    ZeroFrom {
        of: Rc<CountedElements>,
        from: LoopPlace,
    },
    /// A relation that holds where a place has this value.
    When {
        term: LoopTerm,
        value: u64,
        then: Rc<LoopRelation>,
    },
}

/// What places hold where a relation is looked at.
pub(crate) trait HeldPlaces {
    /// A place, or the element of its array that is looked at.
    fn value(&self, place: LoopPlace) -> Option<ExprId>;
    /// This very place.
    fn exact(&self, place: LoopPlace) -> Option<ExprId>;
    /// Which element is looked at, of how many.
    fn element(&self) -> (usize, usize);
}

impl LoopRelation {
    /// The places that it is about.
    pub(crate) fn places(&self) -> Vec<LoopPlace> {
        match self {
            LoopRelation::AtLeast { term, .. }
            | LoopRelation::AtMost { term, .. }
            | LoopRelation::OneOf { term, .. }
            | LoopRelation::IsNot { term, .. }
            | LoopRelation::Multiple { term, .. } => vec![term.place],
            LoopRelation::NotAbove { low, high, .. } | LoopRelation::Below { low, high, .. } => {
                vec![low.place, high.place]
            }
            LoopRelation::Times { term, of, .. } => vec![term.place, of.place],
            LoopRelation::Count { term, of, below } => {
                let places = [Some(term.place), of.row, *below];
                places.into_iter().flatten().collect()
            }
            LoopRelation::ZeroFrom { from, .. } => vec![*from],
            LoopRelation::When { term, then, .. } => {
                let mut places = then.places();
                places.push(term.place);
                places
            }
        }
    }

    /// The weakest relation of its kind, and how strong this one is: it follows from all stronger ones.
    pub(super) fn chain(&self, width: &dyn Fn(LoopPlace) -> u8) -> Option<(LoopRelation, i128)> {
        let rank = |term: &LoopTerm, bound: u64, is_signed: bool| {
            let width = width(term.place).clamp(1, 64);
            let bound = u128::from(bound) & labrys_expr::mask(width);
            match is_signed {
                true => labrys_expr::signed(bound, width),
                false => bound as i128,
            }
        };
        match self {
            LoopRelation::AtLeast {
                term,
                bound,
                signed,
            } => {
                let weakest = LoopRelation::AtLeast {
                    term: *term,
                    bound: 0,
                    signed: *signed,
                };
                Some((weakest, rank(term, *bound, *signed)))
            }
            LoopRelation::AtMost {
                term,
                bound,
                signed,
            } => {
                let weakest = LoopRelation::AtMost {
                    term: *term,
                    bound: 0,
                    signed: *signed,
                };
                Some((weakest, -rank(term, *bound, *signed)))
            }
            LoopRelation::Below { low, high, signed } => {
                let (low, high, signed) = (*low, *high, *signed);
                Some((LoopRelation::NotAbove { low, high, signed }, 1))
            }
            LoopRelation::NotAbove { .. } => Some((self.clone(), 0)),
            LoopRelation::When { term, value, then } => {
                let (then, strength) = then.chain(width)?;
                let weakest = LoopRelation::When {
                    term: *term,
                    value: *value,
                    then: Rc::new(then),
                };
                Some((weakest, strength))
            }
            _ => None,
        }
    }

    /// The elements that are counted.
    pub(crate) fn counted(&self) -> Option<&CountedElements> {
        match self {
            LoopRelation::Count { of, .. } | LoopRelation::ZeroFrom { of, .. } => Some(of),
            _ => None,
        }
    }

    /// The condition for these values of places; none if there is no such place here.
    pub(crate) fn holds(&self, arena: &mut Arena, held: &dyn HeldPlaces) -> Option<ExprId> {
        let of = |arena: &mut Arena, term: &LoopTerm| -> Option<ExprId> {
            let e = held.value(term.place)?;
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
            LoopRelation::IsNot { term, value: other } => {
                let e = of(arena, term)?;
                let other = fixed(arena, e, *other);
                let is = arena.eq(e, other);
                arena.not(is)
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
            LoopRelation::Count {
                term,
                of: counted,
                below,
            } => {
                let e = of(arena, term)?;
                let count = counted.count(arena, arena.width(e), *below, held)?;
                arena.eq(e, count)
            }
            LoopRelation::ZeroFrom { of, from } => of.zero_from(arena, *from, held)?,
            LoopRelation::When {
                term,
                value: at,
                then,
            } => {
                let e = of(arena, term)?;
                let at = fixed(arena, e, *at);
                let is_there = arena.eq(e, at);
                let elsewhere = arena.not(is_there);
                let then = then.holds(arena, held)?;
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
    /// What was already taken into account of what the code writes, with where it begins.
    pub(crate) expected: BTreeSet<(ObjectId, i64, ExpectedWrite)>,
    /// With those that were disproved, which are none.
    pub(crate) relations: Vec<Option<LoopRelation>>,
    /// All that were ever made.
    pub(crate) made: BTreeSet<LoopRelation>,
    /// Which of the relations follow from others: those of one chain from the stronger ones.
    pub(crate) chains: Vec<Option<(u32, i128)>>,
    chain_numbers: BTreeMap<LoopRelation, u32>,
    /// Those that did not hold again behind a turn.
    pub(crate) failed: Vec<LoopRelation>,
    /// Those of the relations that need several turns in a row.
    pub(crate) delayed: BTreeSet<usize>,
    /// How many; 0 is one as well.
    pub(crate) turns: u32,
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
    /// Those of them that do not even hold where a loop is entered, or in the first turns.
    pub(crate) disproved_at_entry: BTreeSet<(u32, usize)>,
    /// With the sizes of their objects.
    pub(crate) changed: BTreeMap<(u32, MemoryRange), u64>,
    pub(crate) revealed: BTreeMap<(u32, ObjectId), StubAccess>,
    pub(crate) hopeless: BTreeMap<u32, &'static str>,
    /// There was no time left for an answer.
    pub(crate) is_cut_short: bool,
    /// What programs ask of places that a turn changes.
    pub(crate) asked: BTreeMap<u32, AskedOfLoop>,
    /// Since the relations were made anew.
    pub(crate) has_new_questions: bool,
    /// Registers to which a turn of a loop adds 1.
    pub(crate) counters: BTreeSet<(u32, LoopPlace)>,
    /// It is known what a turn changes: places are compared with each other as turns ask for it.
    pub(crate) compares_places: bool,
    /// Over so many turns in a row relations are looked at.
    pub(crate) turns: u32,
    /// So often everything held and relations were made anew.
    anew: u32,
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
        !self.is_cut_short
            && self.disproved.is_empty()
            && self.changed.is_empty()
            && self.revealed.is_empty()
            && self.hopeless.is_empty()
    }

    /// What a turn changes is known: relations are made anew, from all that was asked. Some that were
    /// disproved may hold together with the others.
    pub(crate) fn begin_again(&mut self) {
        for belief in self.beliefs.values_mut() {
            belief.relations.clear();
            belief.chains.clear();
            belief.made.clear();
            belief.failed.clear();
            belief.delayed.clear();
            belief.turns = 0;
        }
        self.disproved.clear();
        self.has_new_questions = false;
        self.compares_places = true;
        self.turns = 1;
    }

    /// Everything that is believed holds: is there more to try? Relations that were asked for since they
    /// were made, and then those that do not hold again behind one turn, over several of them.
    pub(crate) fn begin_next_stage(&mut self) -> bool {
        let asks_more = self.has_new_questions && self.turns <= 1 && self.anew < MOST_ANEW;
        if asks_more || !self.compares_places {
            self.anew += 1;
            self.begin_again();
            return true;
        }
        self.turns = self.turns.max(1) + 1;
        self.turns <= MOST_TURNS && self.look_at_more_turns()
    }

    /// Relations that conditions have asked for and that did not hold again behind fewer turns are
    /// believed once more; false if there are none.
    fn look_at_more_turns(&mut self) -> bool {
        let mut is_any = false;
        for (number, belief) in &mut self.beliefs {
            let asked = self.asked.get(number);
            let failed = std::mem::take(&mut belief.failed).into_iter();
            let asked_for = failed.filter(|r| asked.is_some_and(|asked| asked.is_about(r)));
            for relation in asked_for.take(MOST_DELAYED) {
                belief.delayed.insert(belief.relations.len());
                belief.chains.push(None);
                belief.relations.push(Some(relation));
            }
            if !belief.delayed.is_empty() {
                belief.turns = self.turns;
                is_any = true;
            }
        }
        is_any
    }

    /// Takes in what runs have disproved, for the next round.
    pub(crate) fn learn(&mut self) {
        self.is_cut_short = false;
        let at_entry = std::mem::take(&mut self.disproved_at_entry);
        for (number, relation) in std::mem::take(&mut self.disproved) {
            let belief = self.beliefs.entry(number).or_default();
            let known = belief.relations.get_mut(relation);
            if let Some(disproved) = known.and_then(Option::take)
                && !at_entry.contains(&(number, relation))
            {
                belief.failed.push(disproved);
            }
            if belief.delayed.remove(&relation) && belief.delayed.is_empty() {
                belief.turns = 0;
            }
        }
        for ((number, range), size) in std::mem::take(&mut self.changed) {
            let belief = self.beliefs.entry(number).or_default();
            belief.memory.retain(|known| !known.overlaps(&range));
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
    /// Places one of which a condition is about while another condition of the path is about the other one.
    pub(crate) guarded: BTreeSet<(LoopPlace, LoopPlace)>,
    /// The numbers that a place is compared with.
    pub(crate) constants: BTreeMap<LoopPlace, BTreeSet<u64>>,
    /// Those to which it may be equal.
    pub(crate) tested: BTreeMap<LoopPlace, BTreeSet<u64>>,
    /// The numbers that a turn assigns to it.
    pub(crate) assigned: BTreeMap<LoopPlace, BTreeSet<u64>>,
}

impl AskedOfLoop {
    /// Has a condition asked for such a relation?
    fn is_about(&self, relation: &LoopRelation) -> bool {
        let knows = |place: &LoopPlace, number: &u64| {
            let numbers = self.constants.get(place);
            numbers.is_some_and(|numbers| numbers.contains(number))
        };
        match relation {
            LoopRelation::AtLeast { term, bound, .. }
            | LoopRelation::AtMost { term, bound, .. } => knows(&term.place, bound),
            LoopRelation::OneOf { term, .. } | LoopRelation::IsNot { term, .. } => {
                self.tested.contains_key(&term.place)
            }
            LoopRelation::Multiple { .. } => false,
            LoopRelation::NotAbove {
                low: a, high: b, ..
            }
            | LoopRelation::Below {
                low: a, high: b, ..
            }
            | LoopRelation::Times { term: a, of: b, .. } => {
                let pair = (a.place.min(b.place), a.place.max(b.place));
                self.pairs.contains(&pair) || self.pairs.contains(&(pair.1, pair.0))
            }
            LoopRelation::Count { .. } | LoopRelation::ZeroFrom { .. } => false,
            LoopRelation::When { then, .. } => self.is_about(then),
        }
    }
}

impl LoopBelief {
    /// Believes one more relation; `width` is that of a place.
    pub(crate) fn believe(&mut self, relation: LoopRelation, width: &dyn Fn(LoopPlace) -> u8) {
        if !self.made.insert(relation.clone()) {
            return;
        }
        let chain = relation.chain(width).map(|(chain, strength)| {
            let next = self.chain_numbers.len() as u32;
            (*self.chain_numbers.entry(chain).or_insert(next), strength)
        });
        self.chains.push(chain);
        self.relations.push(Some(relation));
    }

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
