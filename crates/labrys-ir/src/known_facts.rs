//! What an analysis knows of all runs at places of the code, as plain data: one crate finds it, another one
//! takes it for granted, and neither knows the other.

use crate::{CmpOp, FuncId, GlobalId, Reg};
use std::collections::BTreeMap;

/// Something that holds a number while a function runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactPlace {
    Register(Reg),
    /// Bits of a variable from a byte on.
    Global {
        global: GlobalId,
        offset: u64,
        width: u8,
    },
    /// The same of a local of the function, by the instruction that makes it.
    Local {
        made_by: u32,
        offset: u64,
        width: u8,
    },
}

/// The numbers that a place may hold: all of these hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberSet {
    pub width: u8,
    pub umin: u64,
    pub umax: u64,
    pub smin: i64,
    pub smax: i64,
    /// Bits that are 0 in every number.
    pub zeros: u64,
    /// Bits that are 1 in every number.
    pub ones: u64,
    /// The numbers one by one, if they are few; else none.
    pub members: Vec<u64>,
}

/// A number or its negative, read with a sign or without, as a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactTerm {
    pub place: FactPlace,
    pub signed: bool,
    pub negative: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KnownFact {
    /// The place holds one of these numbers.
    In(FactPlace, NumberSet),
    /// `first + second <= bound`, as whole numbers; without a second one it is 0.
    AtMost {
        first: FactTerm,
        second: Option<FactTerm>,
        bound: i64,
    },
    /// The number with its sign is `rest` and some multiple of `step`; with step 0 it is `rest`.
    Stride {
        place: FactPlace,
        step: u64,
        rest: i64,
    },
    /// A comparison of two registers that holds.
    Compared { op: CmpOp, a: Reg, b: Reg },
}

/// What is known of a program.
#[derive(Clone, Debug, Default)]
pub struct KnownFacts {
    /// The rule that has found it.
    pub rule: &'static str,
    /// What registers hold whenever they hold something, by function.
    pub registers: Vec<BTreeMap<Reg, NumberSet>>,
    /// What variables hold at any time.
    pub globals: Vec<(FactPlace, NumberSet)>,
    /// By the start of a block or the instruction behind a call; none where no run comes. Of what is not here
    /// nothing is known.
    pub at: BTreeMap<(FuncId, u32), Option<Vec<KnownFact>>>,
}

impl KnownFact {
    /// The places that it is about.
    pub fn places(&self) -> [Option<FactPlace>; 2] {
        match self {
            KnownFact::In(place, _) | KnownFact::Stride { place, .. } => [Some(*place), None],
            KnownFact::AtMost { first, second, .. } => {
                [Some(first.place), second.map(|second| second.place)]
            }
            KnownFact::Compared { a, b, .. } => [*a, *b].map(|reg| Some(FactPlace::Register(reg))),
        }
    }
}
