//! MC/DC: the decisions whose pairs are objectives, what runs have shown of them, and the tests
//! that wait until the other half of their pair is found.

mod aside;
mod pairs;
mod passes;

pub(crate) use aside::Aside;
pub(crate) use pairs::{Flight, Goals, Paired, Pairs, Vectors};
pub(crate) use passes::{Asked, PassId};
