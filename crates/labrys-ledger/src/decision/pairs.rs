//! The pairs of one decision: takes in the vectors that runs have shown, and says which
//! conditions have a pair, and whether an evaluation that has begun can still matter.
//!
//! For decisions this is `Eval` and `Cov` of the paper on coverage structures, definition 2.

use super::evaluations::{PairHalves, only_difference};
use super::formula::Formula;
use super::vector::OutcomeVector;
use std::collections::BTreeSet;

/// What an evaluation that has begun can still do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relevance {
    /// It cannot bring a pair any more.
    Irrelevant,
    /// It can become the first half of a pair.
    May,
    /// It can complete a pair with a vector that was seen.
    Must,
}

/// What a new vector has added to the pairs of its decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VectorGain {
    /// Conditions that have their pair now and had none before.
    pub masking: u64,
    pub unique: u64,
    /// It is new, and of use for a condition that had no pair before.
    pub useful: bool,
    /// An evaluation that has begun may have become more or less relevant.
    pub changed: bool,
}

/// An evaluation that has begun, with what was computed about it so far: when it is asked about
/// again, only the vectors that came since are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct PartialEvaluation {
    prefix: OutcomeVector,
    /// The halves that its completions have, and their number.
    halves: PairHalves,
    completions: u128,
    /// So many vectors were compared with it while these pairs were wanted of it.
    compared: usize,
    wanted: PairHalves,
    completes: bool,
    /// So many vectors were counted; so many of them are completions.
    counted: usize,
    seen: u128,
}

/// What is known of a decision. Conditions are sets of bits.
#[derive(Clone, Debug)]
pub struct DecisionPairs {
    formula: Formula,
    /// Conditions whose pair is wanted and was not seen.
    open: u64,
    open_unique: u64,
    halves: PairHalves,
    /// The vectors that were seen while a unique-cause pair was open, each with its halves, in
    /// the order in which they came.
    vectors: Vec<(OutcomeVector, PairHalves)>,
    known: BTreeSet<OutcomeVector>,
}

impl DecisionPairs {
    /// `masking` and `unique` are the conditions whose pairs are wanted.
    pub fn new(formula: Formula, masking: u64, unique: u64) -> Self {
        DecisionPairs {
            formula,
            open: masking,
            open_unique: unique,
            halves: PairHalves::default(),
            vectors: Vec::new(),
            known: BTreeSet::new(),
        }
    }

    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The halves that were seen, of all conditions.
    pub fn halves(&self) -> PairHalves {
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
    pub fn add(&mut self, vector: OutcomeVector) -> VectorGain {
        let halves = self.formula.halves(vector);
        let decided = halves.yes | halves.no;
        let fresh = halves.among(self.open).without(self.halves);
        self.halves = self.halves.or(halves);
        let masking = self.open & self.halves.yes & self.halves.no;
        let mut news = VectorGain {
            masking,
            unique: 0,
            useful: !fresh.is_empty(),
            changed: !fresh.is_empty(),
        };
        if self.open_unique != 0 && self.known.insert(vector) {
            self.vectors.push((vector, halves));
            news.changed = true;
            news.useful |= self.open_unique & decided != 0;
            let result = self.formula.result(vector);
            for (other, _) in &self.vectors {
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
    pub fn relevance(&self, prefix: OutcomeVector, impossible: PairHalves) -> Relevance {
        self.relevance_of(&mut self.start_evaluation(prefix), impossible)
    }

    /// An evaluation that begins like this, to be looked at.
    pub fn start_evaluation(&self, prefix: OutcomeVector) -> PartialEvaluation {
        PartialEvaluation {
            prefix,
            halves: self.formula.halves(prefix),
            completions: self.formula.completions(prefix),
            ..PartialEvaluation::default()
        }
    }

    /// The same as [`Self::relevance`] for an evaluation that may have been looked at before.
    pub fn relevance_of(&self, begun: &mut PartialEvaluation, impossible: PairHalves) -> Relevance {
        if self.open | self.open_unique == 0 {
            return Relevance::Irrelevant;
        }
        let halves = begun.halves.without(impossible);
        let wanted = halves.among(self.open).without(self.halves);
        if wanted.yes & self.halves.no | wanted.no & self.halves.yes != 0 {
            return Relevance::Must;
        }
        let unique = halves.among(self.open_unique);
        if !unique.is_empty() && self.completes(begun, unique) {
            return Relevance::Must;
        }
        if !wanted.is_empty() || !unique.is_empty() && !self.all_seen(begun) {
            return Relevance::May;
        }
        Relevance::Irrelevant
    }

    /// Can it complete a unique-cause pair of these?
    fn completes(&self, begun: &mut PartialEvaluation, unique: PairHalves) -> bool {
        if begun.wanted != unique {
            begun.wanted = unique;
            begun.compared = 0;
            begun.completes = false;
        }
        while let Some((other, theirs)) = self.vectors.get(begun.compared)
            && !begun.completes
        {
            // A unique-cause pair is a masking pair: most vectors fail here.
            let opposite = unique.yes & theirs.no | unique.no & theirs.yes;
            begun.completes =
                opposite != 0 && self.formula.partners(begun.prefix, *other) & opposite != 0;
            begun.compared += 1;
        }
        begun.completes
    }

    /// Was every evaluation that begins like this seen?
    fn all_seen(&self, begun: &mut PartialEvaluation) -> bool {
        if begun.completions > self.vectors.len() as u128 {
            return false;
        }
        for (vector, _) in self.vectors.iter().skip(begun.counted) {
            begun.seen += u128::from(vector.extends(begun.prefix));
        }
        begun.counted = self.vectors.len();
        begun.seen == begun.completions
    }
}
