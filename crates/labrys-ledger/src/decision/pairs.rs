//! The pairs of one decision: takes in the vectors that runs have shown, and says which
//! conditions have a pair, and whether an evaluation that has begun can still matter.
//!
//! For decisions this is `Eval` and `Cov` of the coverage structure (seed 2, definition 2).

use super::formula::Formula;
use super::vector::Vector;
use super::ways::{Halves, only_difference};
use std::collections::BTreeMap;

/// What an evaluation that has begun can still do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relevance {
    /// Nothing, now and for ever.
    Irrelevant,
    /// It can become the first half of a pair.
    May,
    /// It can complete a pair with a vector that was seen.
    Must,
}

/// What a vector has brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// Conditions that have their pair now and had none before.
    pub masking: u64,
    pub unique: u64,
    /// It is new, and of use for a condition that had no pair before.
    pub useful: bool,
}

/// What is known of a decision. Conditions are sets of bits.
#[derive(Clone, Debug)]
pub struct Pairs {
    formula: Formula,
    /// Conditions whose pair is wanted and was not seen.
    open: u64,
    open_unique: u64,
    halves: Halves,
    /// The vectors that were seen while a unique-cause pair was open, each with its halves.
    vectors: BTreeMap<Vector, Halves>,
}

impl Pairs {
    /// `masking` and `unique` are the conditions whose pairs are wanted.
    pub fn new(formula: Formula, masking: u64, unique: u64) -> Self {
        Pairs {
            formula,
            open: masking,
            open_unique: unique,
            halves: Halves::default(),
            vectors: BTreeMap::new(),
        }
    }

    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The halves that were seen, of all conditions.
    pub fn halves(&self) -> Halves {
        self.halves
    }

    /// The conditions whose pairs are wanted and were not seen, masking and unique-cause.
    pub fn open(&self) -> (u64, u64) {
        (self.open, self.open_unique)
    }

    /// Nothing more is wanted of these conditions: their pairs are known to be impossible.
    pub fn give_up(&mut self, masking: u64, unique: u64) {
        self.open &= !masking;
        self.open_unique &= !unique;
    }

    /// Takes in a whole evaluation.
    pub fn add(&mut self, vector: Vector) -> News {
        let halves = self.formula.halves(vector);
        let decided = halves.yes | halves.no;
        let fresh = halves.among(self.open).without(self.halves);
        self.halves = self.halves.or(halves);
        let masking = self.open & self.halves.yes & self.halves.no;
        let mut news = News {
            masking,
            unique: 0,
            useful: !fresh.is_empty(),
        };
        if self.open_unique != 0 && self.vectors.insert(vector, halves).is_none() {
            news.useful |= self.open_unique & decided != 0;
            let result = self.formula.result(vector);
            for other in self.vectors.keys() {
                if let Some(condition) = only_difference(vector, *other)
                    && self.formula.result(*other) != result
                {
                    news.unique |= 1 << condition;
                }
            }
            news.unique &= self.open_unique;
        }
        self.open &= !news.masking;
        self.open_unique &= !news.unique;
        news
    }

    /// What an evaluation that begins like this can do. `impossible` are halves that this
    /// evaluation is known not to have.
    pub fn relevance(&self, prefix: Vector, impossible: Halves) -> Relevance {
        if self.open | self.open_unique == 0 {
            return Relevance::Irrelevant;
        }
        let halves = self.formula.halves(prefix).without(impossible);
        let wanted = halves.among(self.open).without(self.halves);
        if wanted.yes & self.halves.no | wanted.no & self.halves.yes != 0 {
            return Relevance::Must;
        }
        let unique = halves.among(self.open_unique);
        let completes = |(other, theirs): (&Vector, &Halves)| {
            // A unique-cause pair is a masking pair: most vectors fail here.
            let opposite = unique.yes & theirs.no | unique.no & theirs.yes;
            opposite != 0 && self.formula.partners(prefix, *other) & opposite != 0
        };
        if !unique.is_empty() && self.vectors.iter().any(completes) {
            return Relevance::Must;
        }
        if !wanted.is_empty() || !unique.is_empty() && !self.all_seen(prefix) {
            return Relevance::May;
        }
        Relevance::Irrelevant
    }

    /// Was every evaluation that begins like this seen?
    fn all_seen(&self, prefix: Vector) -> bool {
        let count = self.formula.completions(prefix);
        if count > self.vectors.len() as u128 {
            return false;
        }
        let seen = self.vectors.keys().filter(|v| v.extends(prefix)).count();
        seen as u128 == count
    }
}
