//! What is told apart: states that differ in the class of a kept place, or of a kept register, are not
//! joined.

use super::state::{CaseState, CaseValue};
use crate::places::{Base, MemoryPlace};
use crate::value_set::{ValueSet, signed};
use labrys_ir::{FuncId, Reg};
use std::collections::{BTreeMap, BTreeSet};

/// A kept place whose value is one of up to so many numbers is split into each of them.
const MAX_POINTS: u64 = 64;
/// A kept register tells apart the numbers from -1 to this.
const MAX_KEPT_NUMBER: u64 = 16;
/// So many numbers a place is thought to hold of which nothing is known yet.
const FEW_NUMBERS: u64 = 6;
/// The class of values that are not told apart.
const WIDE: u32 = u32::MAX;

/// Which values of a kept place are told apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum KeptClasses {
    /// Each number, where they are few.
    Numbers,
    /// What is below, at and above each of these, as numbers with a sign, ascending.
    Cuts(Vec<i64>),
}

impl KeptClasses {
    /// The parts of a set of values, each with its class.
    pub(super) fn parts(&self, value: &ValueSet) -> Vec<(u32, ValueSet)> {
        match self {
            KeptClasses::Numbers => numbers(value),
            KeptClasses::Cuts(cuts) => {
                let pieces = pieces(cuts).into_iter().zip(0..);
                let pieces = pieces.filter_map(|((low, high), class)| {
                    let piece = ValueSet::signed(value.width, low, high)?;
                    Some((class, value.meet(&piece)?))
                });
                pieces.collect()
            }
        }
    }

    pub(super) fn class(&self, value: Option<&ValueSet>) -> u32 {
        let Some(value) = value else {
            return WIDE;
        };
        match self {
            KeptClasses::Numbers => value.as_constant().map_or(WIDE, |n| n as u32),
            KeptClasses::Cuts(_) => match self.parts(value)[..] {
                [(class, _)] => class,
                _ => WIDE,
            },
        }
    }
}

/// `..c`, `c`, `c..` for all cuts.
fn pieces(cuts: &[i64]) -> Vec<(i64, i64)> {
    let mut pieces = Vec::with_capacity(cuts.len() * 2 + 1);
    let mut from = i64::MIN;
    for cut in cuts {
        if from < *cut {
            pieces.push((from, *cut - 1));
        }
        pieces.push((*cut, *cut));
        from = cut.saturating_add(1);
    }
    pieces.push((from, i64::MAX));
    pieces
}

fn numbers(value: &ValueSet) -> Vec<(u32, ValueSet)> {
    let one = |bits: u64| (bits as u32, ValueSet::constant(value.width, bits));
    if let Some(all) = value.members.get() {
        return all.iter().map(|bits| one(*bits)).collect();
    }
    if value.umax - value.umin < MAX_POINTS {
        let all = (value.umin..=value.umax).filter(|bits| value.contains(*bits));
        return all.map(one).collect();
    }
    vec![(WIDE, *value)]
}

/// Which elements of an array addresses are split into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SplitElements {
    Each,
    /// The one with these bytes, and all others.
    One(i64, i64),
}

/// Everything that tells states apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CaseKeys {
    pub(super) places: BTreeMap<MemoryPlace, KeptClasses>,
    pub(super) registers: BTreeSet<(FuncId, Reg)>,
    /// Objects with arrays, whose elements are told apart.
    pub(super) split: BTreeMap<Base, SplitElements>,
    /// Registers that are needed to the end of their function.
    pub(super) pinned: BTreeSet<(FuncId, Reg)>,
}

impl CaseKeys {
    /// In how many cases a place of the program may be looked at, roughly.
    pub(super) fn cases(&self) -> u64 {
        let of_place = |classes: &KeptClasses| match classes {
            KeptClasses::Numbers => FEW_NUMBERS,
            KeptClasses::Cuts(cuts) => 1 + cuts.len() as u64,
        };
        let places = self.places.values().map(of_place);
        let registers = self.registers.iter().map(|_| 2);
        places.chain(registers).fold(1, u64::saturating_mul)
    }

    /// The class of the places of a state.
    pub(super) fn of_places(
        &self,
        state: &CaseState,
        looked_at: impl Fn(MemoryPlace) -> bool,
    ) -> Vec<u32> {
        let places = self.places.iter().filter(|(place, _)| looked_at(**place));
        let class = |(place, classes): (&MemoryPlace, &KeptClasses)| {
            classes.class(state.cell(*place).map(|value| &**value))
        };
        places.map(class).collect()
    }

    /// The class of the registers of a state of a function.
    pub(super) fn of_registers(
        &self,
        state: &CaseState,
        function: FuncId,
        truths: &BTreeSet<Reg>,
    ) -> Vec<u32> {
        let mut classes = Vec::new();
        for (reg, value) in state.registers() {
            let class = match value {
                CaseValue::Number(value)
                    if truths.contains(reg) || self.registers.contains(&(function, *reg)) =>
                {
                    value.as_constant().and_then(|bits| {
                        let number = signed(value.width, bits);
                        let few = (-1..=MAX_KEPT_NUMBER as i64).contains(&number);
                        few.then_some((number + 1) as u32)
                    })
                }
                CaseValue::Number(_) => None,
                CaseValue::Address(base, offsets) => self.element(*base, offsets),
            };
            if let Some(class) = class {
                classes.extend([reg.0, class]);
            }
        }
        classes
    }

    /// Which element an address leads to.
    fn element(&self, base: Base, offsets: &[i64]) -> Option<u32> {
        match self.split.get(&base)? {
            SplitElements::Each => match offsets {
                [offset] => Some(*offset as u32),
                _ => None,
            },
            SplitElements::One(from, to) => {
                let inside = offsets
                    .iter()
                    .filter(|at| (*from..*to).contains(*at))
                    .count();
                match inside {
                    0 => Some(0),
                    n if n == offsets.len() => Some(1),
                    _ => None,
                }
            }
        }
    }
}
