//! What runs of known inputs show of loops: which memory their turns change, and which states turns begin with.
//! Relations that such a state contradicts are not even tried.

use super::Machine;
use super::loop_cut::{HeldElement, LoopProof};
use super::loop_facts::{LoopFacts, LoopRelation, LoopTerm};
use crate::state::{LoopPlace, OpenLoop};
use labrys_expr::{Arena, ExprId, signed};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Of one loop, so many states are kept.
const MOST_SAMPLES: usize = 96;

/// What places hold where a turn begins, with their widths.
pub(crate) type LoopSample = BTreeMap<LoopPlace, (u8, u64)>;

/// How often a followed run has come to the loops.
#[derive(Debug, Default)]
pub(crate) struct ObservedTurns {
    times: BTreeMap<u32, u32>,
}

impl Machine<'_> {
    /// A followed run comes to the start of a turn, from outside of the loop or again.
    pub(super) fn observe_turn(&mut self, proof: &LoopProof, number: u32) {
        self.expect_changes(proof, number);
        let serial = self.state.frame.serial;
        let open_loops = Rc::make_mut(&mut self.state.open_loops);
        let known = open_loops
            .iter()
            .position(|open| open.serial == serial && open.number == number);
        open_loops.retain(|open| open.serial <= serial);
        let before = known.map(|at| open_loops[at].clone());
        if let Some(before) = &before {
            self.look_at_changes(proof, before);
        }
        let now = OpenLoop {
            number,
            serial,
            entry: 0,
            memory: self.state.memory.clone(),
            any: Vec::new(),
            relations: Vec::new(),
            turns: 0,
            is_first: None,
            jumps: self.state.jumps.len(),
            handled_faults: self.state.handled_faults,
            known_to_stubs: self.state.known_to_stubs.clone(),
        };
        let open_loops = Rc::make_mut(&mut self.state.open_loops);
        match known {
            Some(at) => open_loops[at] = now,
            None => open_loops.push(now),
        }
        self.take_sample(proof, number);
    }

    fn take_sample(&mut self, proof: &LoopProof, number: u32) {
        let Some(turns) = &mut self.loop_variables.observed else {
            return;
        };
        let times = turns.times.entry(number).or_default();
        *times += 1;
        if !times.is_power_of_two() {
            return;
        }
        let marked = &proof.loops[number as usize];
        let registers = marked.changed.iter().chain(&marked.compared);
        let mut places: Vec<LoopPlace> = registers.map(|r| LoopPlace::Register(*r)).collect();
        let facts = proof.facts.borrow();
        let Some(belief) = facts.beliefs.get(&number) else {
            return;
        };
        places.extend(belief.memory.iter().map(|range| LoopPlace::Memory(*range)));
        drop(facts);
        let mut sample = LoopSample::new();
        for place in places {
            let Ok(Some(value)) = self.place_value(place) else {
                continue;
            };
            let width = self.arena.width(value);
            if let Some(value) = self.arena.defined(value)
                && width <= 64
            {
                let value = self.current.value(&self.arena, value) as u64;
                sample.insert(place, (width, value));
            }
        }
        let mut facts = proof.facts.borrow_mut();
        let samples = facts.samples.entry(number).or_default();
        if samples.len() < MOST_SAMPLES && !samples.contains(&sample) {
            samples.push(sample);
        }
    }
}

impl LoopFacts {
    /// Does a state that a run has shown contradict the relation?
    pub(super) fn is_contradicted(&self, number: u32, relation: &LoopRelation) -> bool {
        let Some(samples) = self.samples.get(&number) else {
            return false;
        };
        let places = relation.places();
        let size = |place: &LoopPlace| self.families.get(place).map_or(1, |family| family.len());
        let most = places.iter().map(size).max().unwrap_or(1);
        if relation.counted().is_some() {
            let holds = |sample| self.count_holds(relation, sample, most);
            return !samples.iter().all(holds);
        }
        let holds = |sample: &LoopSample, element: usize| {
            let value = |place: LoopPlace| {
                let place = match self.families.get(&place) {
                    Some(family) => *family.get(element / (most / family.len()).max(1))?,
                    None => place,
                };
                sample.get(&place).copied()
            };
            relation.holds_of(&value).unwrap_or(true)
        };
        (samples.iter()).any(|sample| (0..most).any(|element| !holds(sample, element)))
    }
}

impl LoopFacts {
    /// The same for a relation about how many elements are not 0.
    fn count_holds(&self, relation: &LoopRelation, sample: &LoopSample, most: usize) -> bool {
        let mut arena = Arena::new();
        let values: Vec<(LoopPlace, ExprId)> = (sample.iter())
            .map(|(place, (width, value))| (*place, arena.constant(*width, (*value).into())))
            .collect();
        (0..most).all(|element| {
            let held = HeldElement {
                facts: self,
                values: &values,
                element,
                most,
            };
            let holds = relation.holds(&mut arena, &held);
            holds.is_none_or(|holds| arena.as_const(holds) != Some(0))
        })
    }
}

impl LoopRelation {
    /// Whether it holds of these values; none if one of them is not known.
    fn holds_of(&self, held: &dyn Fn(LoopPlace) -> Option<(u8, u64)>) -> Option<bool> {
        let of = |term: &LoopTerm| {
            let (width, value) = held(term.place)?;
            Some((width, value.wrapping_sub(term.minus) & mask(width)))
        };
        let rank = |(width, value): (u8, u64), is_signed: bool| match is_signed {
            true => signed(value.into(), width),
            false => i128::from(value),
        };
        Some(match self {
            LoopRelation::AtLeast {
                term,
                bound,
                signed,
            } => {
                let (width, value) = of(term)?;
                rank((width, bound & mask(width)), *signed) <= rank((width, value), *signed)
            }
            LoopRelation::AtMost {
                term,
                bound,
                signed,
            } => {
                let (width, value) = of(term)?;
                rank((width, value), *signed) <= rank((width, bound & mask(width)), *signed)
            }
            LoopRelation::OneOf { term, values } => {
                let (width, value) = of(term)?;
                values.iter().any(|known| known & mask(width) == value)
            }
            LoopRelation::IsNot { term, value } => {
                let (width, now) = of(term)?;
                now != value & mask(width)
            }
            LoopRelation::Multiple { term, bits } => of(term)?.1 & ((1 << bits) - 1) == 0,
            LoopRelation::NotAbove { low, high, signed } => {
                rank(of(low)?, *signed) <= rank(of(high)?, *signed)
            }
            LoopRelation::Below { low, high, signed } => {
                rank(of(low)?, *signed) < rank(of(high)?, *signed)
            }
            LoopRelation::Times {
                term,
                of: other,
                factor,
            } => {
                let (a, b) = (of(term)?, of(other)?);
                let width = a.0.max(b.0);
                let (a, b) = (rank(a, true) as u64, rank(b, true) as u64);
                a & mask(width) == b.wrapping_mul(*factor) & mask(width)
            }
            // These are asked for as expressions.
            LoopRelation::Count { .. } | LoopRelation::ZeroFrom { .. } => return None,
            LoopRelation::When { term, value, then } => {
                let (width, now) = of(term)?;
                now != value & mask(width) || then.holds_of(held)?
            }
        })
    }
}

fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - u32::from(width.clamp(1, 64)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::loop_facts::HeldPlaces;
    use labrys_ir::Reg;

    fn term(reg: u32, minus: u64) -> LoopTerm {
        LoopTerm {
            place: LoopPlace::Register(Reg(reg)),
            minus,
        }
    }

    fn relations() -> Vec<LoopRelation> {
        let mut all = vec![
            LoopRelation::OneOf {
                term: term(0, 0),
                values: vec![1, 0xfe].into(),
            },
            LoopRelation::Multiple {
                term: term(0, 1),
                bits: 2,
            },
            LoopRelation::IsNot {
                term: term(0, 1),
                value: 0x7e,
            },
        ];
        for signed in [false, true] {
            let (term, low, high) = (term(0, 3), term(0, 0), term(1, 0));
            all.extend([
                LoopRelation::AtLeast {
                    term,
                    bound: 0xf0,
                    signed,
                },
                LoopRelation::AtMost {
                    term,
                    bound: 0x0f,
                    signed,
                },
                LoopRelation::NotAbove { low, high, signed },
                LoopRelation::Below { low, high, signed },
            ]);
        }
        all.extend([1, 4].map(|factor| LoopRelation::Times {
            term: term(0, 0),
            of: term(1, 0),
            factor,
        }));
        let then = Rc::new(all[2].clone());
        all.push(LoopRelation::When {
            term: term(1, 0),
            value: 2,
            then,
        });
        all
    }

    /// What follows from a stronger relation of the same chain is believed without a question.
    #[test]
    fn stronger_relations_of_a_chain_imply_weaker_ones() {
        let numbers = [0, 1, 0x7f, 0x80, 0xfe, 0xff];
        let mut all = relations();
        for (bound, signed) in numbers.iter().flat_map(|n| [(*n, false), (*n, true)]) {
            let term = term(0, 3);
            let (low, high) = (
                LoopRelation::AtLeast {
                    term,
                    bound,
                    signed,
                },
                LoopRelation::AtMost {
                    term,
                    bound,
                    signed,
                },
            );
            for then in [&low, &high] {
                all.push(LoopRelation::When {
                    term: term_of_state(),
                    value: 2,
                    then: Rc::new(then.clone()),
                });
            }
            all.extend([low, high]);
        }
        let width = |_: LoopPlace| 8;
        let mut compared = 0;
        for (strong, weak) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            let (Some(a), Some(b)) = (strong.chain(&width), weak.chain(&width)) else {
                continue;
            };
            if a.0 != b.0 || a.1 < b.1 {
                continue;
            }
            compared += 1;
            for (x, y) in numbers.iter().flat_map(|x| numbers.map(|y| (*x, y))) {
                let of = |place: LoopPlace| match place {
                    LoopPlace::Register(Reg(0)) => Some((8, x)),
                    LoopPlace::Register(Reg(1)) => Some((8, y)),
                    _ => None,
                };
                let implies =
                    strong.holds_of(&of) != Some(true) || weak.holds_of(&of) == Some(true);
                assert!(implies, "{strong:?} and not {weak:?} of {x} and {y}");
            }
        }
        assert!(compared > all.len());
    }

    fn term_of_state() -> LoopTerm {
        term(1, 0)
    }

    struct Held([ExprId; 2]);

    impl HeldPlaces for Held {
        fn value(&self, place: LoopPlace) -> Option<ExprId> {
            match place {
                LoopPlace::Register(reg) => self.0.get(reg.index()).copied(),
                LoopPlace::Memory(_) => None,
            }
        }

        fn exact(&self, place: LoopPlace) -> Option<ExprId> {
            self.value(place)
        }

        fn element(&self) -> (usize, usize) {
            (0, 1)
        }
    }

    /// What is said of a state that a run has shown is what a proof asks of all states.
    #[test]
    fn relations_of_numbers_are_those_of_expressions() {
        let numbers = [0, 1, 2, 3, 8, 0x7f, 0x80, 0xf0, 0xfe, 0xff];
        for relation in relations() {
            let mut times = [0, 0];
            for (a, b) in numbers.iter().flat_map(|a| numbers.map(|b| (*a, b))) {
                let of = |place: LoopPlace| match place {
                    LoopPlace::Register(Reg(0)) => Some((8, a)),
                    LoopPlace::Register(Reg(1)) => Some((8, b)),
                    _ => None,
                };
                let mut arena = Arena::new();
                let held = [a, b].map(|value| arena.constant(8, value.into()));
                let asked = relation.holds(&mut arena, &Held(held)).unwrap();
                let shown = relation.holds_of(&of);
                assert_eq!(
                    shown,
                    arena.as_const(asked).map(|truth| truth != 0),
                    "{relation:?} of {a} and {b}"
                );
                times[usize::from(shown == Some(true))] += 1;
            }
            assert!(times.iter().all(|times| *times > 0), "{relation:?}");
        }
    }
}
