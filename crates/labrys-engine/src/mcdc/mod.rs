//! MC/DC: the decisions whose pairs are objectives, what runs have shown of them, and the tests
//! that wait until the other half of their pair is found.

mod deferred_tests;
mod impossible_halves;
mod pairs;

pub(crate) use deferred_tests::DeferredTests;
pub(crate) use impossible_halves::{HalfQuestion, PassageId};
pub(crate) use pairs::{BegunEvaluation, NewPairs, PairDecisions, Pairs, SeenVectors};
