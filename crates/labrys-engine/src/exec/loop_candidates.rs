//! Relations that may hold whenever a turn of a loop begins, made from what its places hold when it is entered
//! and from what a turn asks of them. Which of them do hold is found out by trying.

use super::Machine;
use super::loop_cut::{EnteredPlace, LoopProof};
use super::loop_facts::{AskedOfLoop, LoopBelief, LoopRelation, LoopTerm};
use crate::state::LoopPlace;
use labrys_ir::{Const, Function};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Of the constants of its function, a place is compared with so many on each side of its value.
const NEAREST_CONSTANTS: usize = 3;

/// A place is compared with at most so many others.
const MOST_COMPARED: usize = 12;

/// A variable that has at most so many values may be the state of an automaton.
const MOST_VALUES: usize = 64;

/// A variable that is assigned so many numbers may be what others depend on.
const MOST_STATES: usize = 12;

/// What others hold then is compared with at most so many numbers.
const MOST_BOUNDS: usize = 10;

/// Of one loop, so many relations are believed at a time: each of them is a part of all questions.
const MOST_RELATIONS: usize = 800;

/// Of a member of more elements, only what conditions have asked for is tried.
const MOST_ELEMENTS_OF_ALL: usize = 4;

/// What a place holds when a loop is entered.
#[derive(Clone, Copy)]
struct FirstValue {
    term: LoopTerm,
    width: u8,
    value: u64,
    /// The size of the object that it leads into.
    size: Option<u64>,
}

impl Machine<'_> {
    /// Makes relations from what the places hold now; those that were made before are not made again.
    pub(super) fn seed_relations(
        &mut self,
        proof: &LoopProof,
        number: u32,
        places: &[EnteredPlace],
    ) {
        let marked = &proof.loops[number as usize];
        let function = &self.program.module.functions[marked.function.index()];
        let mut compared: Vec<FirstValue> = Vec::new();
        for reg in &marked.compared {
            let place = LoopPlace::Register(*reg);
            compared.extend(self.first_of_register(place, function.width(*reg)));
        }
        let mut firsts: BTreeMap<LoopPlace, Vec<FirstValue>> = BTreeMap::new();
        for entered in places {
            let representative = self.representative(proof, entered.place);
            let mut first = self.as_first_value(entered.place, entered.width, entered.value);
            first.term.place = representative;
            let known = firsts.entry(representative).or_default();
            if known.iter().all(|known| known.value != first.value)
                && known.len() < NEAREST_CONSTANTS
            {
                known.push(first);
            }
        }
        let asked = proof.facts.borrow().asked.get(&number).cloned();
        let asked = asked.unwrap_or_default();
        let compares_places = proof.facts.borrow().compares_places;
        let sizes: BTreeMap<LoopPlace, usize> = (proof.facts.borrow().families.iter())
            .map(|(place, family)| (*place, family.len()))
            .collect();
        let family_size = |place: LoopPlace| sizes.get(&place).copied().unwrap_or(1);
        let mut made: Vec<LoopRelation> = Vec::new();
        let mut known: Vec<FirstValue> = Vec::new();
        let are_few = firsts.len() <= MOST_COMPARED;
        for (place, values) in &firsts {
            let constants = asked.constants.get(place);
            let is_large = family_size(*place) > MOST_ELEMENTS_OF_ALL;
            for first in values {
                made.extend(match is_large {
                    true => of_many(*first, constants),
                    false => alone(*first, function, constants),
                });
            }
            made.extend(assigned(values, &asked));
            made.extend(excluded(values, &asked));
            let [first] = values.as_slice() else { continue };
            let is_register = matches!(place, LoopPlace::Register(_));
            let others = known.iter().rev().filter(|_| are_few || is_register);
            for other in compared.iter().chain(others).take(MOST_COMPARED) {
                made.extend(together(*first, *other));
            }
            known.push(*first);
        }
        if compares_places {
            // Members of arrays have their first elements' values here, which may be of any size.
            let changed: BTreeSet<LoopPlace> = places.iter().map(|entered| entered.place).collect();
            let registers = (firsts.values().flatten().chain(&compared))
                .filter(|first| matches!(first.term.place, LoopPlace::Register(_)))
                .filter(|first| first.width > 1 && first.size.is_none());
            let small: Vec<(LoopPlace, u64)> = registers
                .map(|first| (first.term.place, first.value))
                .collect();
            made.extend(self.counts(&proof.facts.borrow(), number, &changed, &small));
        }
        let asked_pairs = asked.pairs.iter().map(|pair| (pair, true));
        let guarded = asked
            .guarded
            .difference(&asked.pairs)
            .map(|pair| (pair, false));
        for ((a, b), is_compared) in asked_pairs.chain(guarded).filter(|_| compares_places) {
            let first = |this: &mut Self, place: &LoopPlace| match firsts.get(place) {
                Some(values) => values.first().copied(),
                None => this.first_of_memory(*place),
            };
            let (Some(a), Some(b)) = (first(self, a), first(self, b)) else {
                continue;
            };
            if is_compared {
                made.extend(together(a, b));
            }
            // A member of an element may depend on others of the same element.
            if family_size(a.term.place) == family_size(b.term.place) {
                made.extend(conditional(a, b, &asked));
                made.extend(conditional(b, a, &asked));
            }
        }
        self.believe(proof, number, made);
    }

    /// Believes those of the relations that are new and that no known state contradicts.
    fn believe(&self, proof: &LoopProof, number: u32, mut made: Vec<LoopRelation>) {
        let marked = &proof.loops[number as usize];
        let function = &self.program.module.functions[marked.function.index()];
        let mut facts = proof.facts.borrow_mut();
        let old = facts.beliefs.get(&number);
        let is_new = |relation: &LoopRelation| old.is_none_or(|old| !old.made.contains(relation));
        made.retain(|relation| is_new(relation) && !facts.is_contradicted(number, relation));
        let belief: &mut LoopBelief = facts.beliefs.entry(number).or_default();
        let width = |place: LoopPlace| match place {
            LoopPlace::Register(reg) => function.width(reg),
            LoopPlace::Memory(range) => (range.len * 8) as u8,
        };
        let alive = belief.relations.iter().flatten().count();
        for relation in made.into_iter().take(MOST_RELATIONS.saturating_sub(alive)) {
            belief.believe(relation, &width);
        }
    }

    fn first_of_register(&mut self, place: LoopPlace, width: u8) -> Option<FirstValue> {
        let LoopPlace::Register(reg) = place else {
            return None;
        };
        let value = self.state.frame.regs[reg.index()];
        let value = match value.expr {
            Some(e) => {
                let e = self.arena.defined(e)?;
                self.current.value(&self.arena, e) as u64
            }
            None => value.bits,
        };
        Some(self.as_first_value(place, width, value))
    }

    /// Of a place that no turn changes.
    fn first_of_memory(&mut self, place: LoopPlace) -> Option<FirstValue> {
        let LoopPlace::Memory(range) = place else {
            return None;
        };
        let value = self.place_value(place).ok()??;
        let value = self.arena.defined(value)?;
        let value = self.current.value(&self.arena, value) as u64;
        Some(self.as_first_value(place, (range.len * 8) as u8, value))
    }

    fn as_first_value(&self, place: LoopPlace, width: u8, value: u64) -> FirstValue {
        let object = self.object_of_pointer(width, value);
        let minus = object.map_or(0, |(base, _)| base);
        FirstValue {
            term: LoopTerm { place, minus },
            width,
            value: value.wrapping_sub(minus),
            size: object.map(|(_, size)| size),
        }
    }
}

fn sign_extended(width: u8, value: u64) -> i64 {
    let shift = 64 - u32::from(width.clamp(1, 64));
    ((value << shift) as i64) >> shift
}

/// What may hold of a member of all elements of an array: bounds that conditions have asked for, and that it
/// stays as it is on one side.
fn of_many(first: FirstValue, asked: Option<&BTreeSet<u64>>) -> Vec<LoopRelation> {
    let (term, width) = (first.term, first.width);
    if width == 1 {
        return Vec::new();
    }
    let mut bounds: BTreeSet<u64> = asked.into_iter().flatten().copied().collect();
    bounds.extend([0, 1, first.value]);
    let mut made = Vec::new();
    // Narrow numbers without a sign are larger than all that have one.
    for signed in [true, false] {
        if !signed && width >= 32 {
            continue;
        }
        let rank = |bound: u64| match signed {
            true => i128::from(sign_extended(width, bound)),
            false => i128::from(bound),
        };
        let value = rank(first.value);
        for bound in bounds.iter().copied() {
            if rank(bound) <= value {
                made.push(LoopRelation::AtLeast {
                    term,
                    bound,
                    signed,
                });
            }
            if rank(bound) >= value {
                made.push(LoopRelation::AtMost {
                    term,
                    bound,
                    signed,
                });
            }
        }
    }
    made
}

/// What may hold of one place.
fn alone(
    first: FirstValue,
    function: &Function,
    asked: Option<&BTreeSet<u64>>,
) -> Vec<LoopRelation> {
    let FirstValue {
        term,
        width,
        value,
        size,
    } = first;
    let mut made = Vec::new();
    if width == 1 {
        return made;
    }
    let mask = u64::MAX >> (64 - u32::from(width));
    let constants = function
        .constants
        .iter()
        .filter_map(|(reg, value)| match value {
            Const::Int(value) if function.width(*reg) == width => Some(*value as u64 & mask),
            _ => None,
        });
    let mut constants: BTreeSet<u64> = constants.collect();
    constants.extend(size);
    if constants.len() <= MOST_VALUES && constants.contains(&value) && size.is_none() {
        let values: Vec<u64> = constants.iter().copied().collect();
        let values = values.into();
        made.push(LoopRelation::OneOf { term, values });
    }
    constants.extend([0, 1, value]);
    for signed in [false, true] {
        // Numbers in the order that is asked for.
        let rank = |bound: u64| match signed {
            true => i128::from(sign_extended(width, bound)),
            false => i128::from(bound),
        };
        let mut bounds: Vec<u64> = constants.iter().copied().collect();
        bounds.sort_by_key(|bound| rank(*bound));
        let asked = || asked.into_iter().flatten();
        let below = bounds.iter().rev().filter(|b| rank(**b) <= rank(value));
        let below = below.take(NEAREST_CONSTANTS);
        let below: BTreeSet<u64> = (below.chain(asked().filter(|b| rank(**b) <= rank(value))))
            .copied()
            .collect();
        for bound in below {
            made.push(LoopRelation::AtLeast {
                term,
                bound,
                signed,
            });
        }
        let above = bounds.iter().filter(|b| rank(**b) >= rank(value));
        let above = above.take(NEAREST_CONSTANTS);
        let above: BTreeSet<u64> = (above.chain(asked().filter(|b| rank(**b) >= rank(value))))
            .copied()
            .collect();
        for bound in above {
            made.push(LoopRelation::AtMost {
                term,
                bound,
                signed,
            });
        }
    }
    for bits in 1..=3.min(u32::from(width) - 1) {
        let from_start = LoopTerm {
            minus: term.minus.wrapping_add(value & ((1 << bits) - 1)),
            ..term
        };
        made.push(LoopRelation::Multiple {
            term: from_start,
            bits,
        });
    }
    made
}

/// What may hold of two places.
fn together(a: FirstValue, b: FirstValue) -> Vec<LoopRelation> {
    let (a_width, a_value, b_width, b_value) = (a.width, a.value, b.width, b.value);
    let (a, b) = (a.term, b.term);
    let mut made = Vec::new();
    if a_width == b_width {
        for signed in [false, true] {
            let order = match signed {
                true => sign_extended(a_width, a_value).cmp(&sign_extended(b_width, b_value)),
                false => a_value.cmp(&b_value),
            };
            let (low, high) = if order.is_le() { (a, b) } else { (b, a) };
            made.push(LoopRelation::NotAbove { low, high, signed });
            if order.is_eq() {
                let (low, high) = (high, low);
                made.push(LoopRelation::NotAbove { low, high, signed });
            } else {
                made.push(LoopRelation::Below { low, high, signed });
            }
        }
    }
    let (a_value, b_value) = (
        sign_extended(a_width, a_value),
        sign_extended(b_width, b_value),
    );
    for factor in [1, 2, 4, 8] {
        if a_value == b_value.wrapping_mul(factor as i64) {
            made.push(LoopRelation::Times {
                term: a,
                of: b,
                factor,
            });
        }
        if factor > 1 && b_value == a_value.wrapping_mul(factor as i64) {
            made.push(LoopRelation::Times {
                term: b,
                of: a,
                factor,
            });
        }
    }
    made
}

/// That a place only ever holds what it is assigned.
fn assigned(values: &[FirstValue], asked: &AskedOfLoop) -> Option<LoopRelation> {
    let term = values.first()?.term;
    let assigned = asked.assigned.get(&term.place)?;
    let mut all = assigned.clone();
    all.extend(values.iter().map(|first| first.value));
    (all.len() <= MOST_STATES).then(|| LoopRelation::OneOf {
        term,
        values: all.into_iter().collect::<Vec<u64>>().into(),
    })
}

/// That a place never has a value that it is tested for.
fn excluded(values: &[FirstValue], asked: &AskedOfLoop) -> Vec<LoopRelation> {
    let Some(term) = values.first().map(|first| first.term) else {
        return Vec::new();
    };
    let tested = asked.tested.get(&term.place).into_iter().flatten();
    let never = tested.filter(|value| values.iter().all(|first| first.value != **value));
    never
        .map(|value| LoopRelation::IsNot {
            term,
            value: *value,
        })
        .collect()
}

/// What may hold of one place where another one has one of a few values.
fn conditional(state: FirstValue, of: FirstValue, asked: &AskedOfLoop) -> Vec<LoopRelation> {
    let numbers = |map: &BTreeMap<LoopPlace, BTreeSet<u64>>, first: FirstValue| {
        let mut numbers = map.get(&first.term.place).cloned().unwrap_or_default();
        numbers.insert(first.value);
        numbers
    };
    let mut states = numbers(&asked.assigned, state);
    states.extend(asked.tested.get(&state.term.place).into_iter().flatten());
    if states.len() < 2 || states.len() > MOST_STATES || of.width == 1 {
        return Vec::new();
    }
    let mut bounds = numbers(&asked.constants, of);
    bounds.extend(asked.assigned.get(&of.term.place).into_iter().flatten());
    let mut made = Vec::new();
    for value in states {
        for bound in bounds.iter().take(MOST_BOUNDS) {
            for is_low in [false, true] {
                let (term, bound, signed) = (of.term, *bound, true);
                let then = match is_low {
                    true => LoopRelation::AtLeast {
                        term,
                        bound,
                        signed,
                    },
                    false => LoopRelation::AtMost {
                        term,
                        bound,
                        signed,
                    },
                };
                made.push(LoopRelation::When {
                    term: state.term,
                    value,
                    then: Rc::new(then),
                });
            }
        }
    }
    made
}
