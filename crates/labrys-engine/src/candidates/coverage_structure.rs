//! What the candidates want to know of the program under test: whether one can still cover
//! anything, and how much lies ahead of it. `structure` answers.

use super::candidate::Candidate;
use super::pool::Ticket;
use crate::mcdc::{Pairs, PassageId};
use labrys_ledger::Relevance;

/// What candidates with the same future share. 0 is for those that are always worth running.
pub(crate) type SpotId = u32;
pub(crate) const ALWAYS: SpotId = 0;

/// What a strategy wants to know of a candidate; greater is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    /// Irrelevant: no way from it leads to anything open. Must: its first steps cover something,
    /// or the decision that it takes can complete a pair.
    pub(crate) relevance: Relevance,
    pub(crate) potential: u32,
}

/// The objectives that are still open, as seen from the places where candidates wait.
pub(crate) trait CoverageStructure {
    /// A run has left candidates, which are looked at next.
    fn begin(&mut self);

    /// Where a candidate waits.
    fn spot_of(&mut self, candidate: &Candidate, pairs: &Pairs) -> SpotId;

    /// Can the candidates of a spot cover anything?
    fn is_live(&self, spot: SpotId) -> bool;

    /// A candidate of this spot waits.
    fn wait(&mut self, spot: SpotId, ticket: Ticket);

    /// A candidate of this spot waits no longer. `waits` says which do.
    fn leave(&mut self, spot: SpotId, waits: &dyn Fn(Ticket) -> bool);

    /// An objective needs no test any more; `dropped` gets the candidates that can cover nothing
    /// any more, and perhaps some that are gone already.
    fn cover(&mut self, objective: usize, dropped: &mut Vec<Ticket>);

    /// Decisions with pairs, these or all, were evaluated in a way that is new.
    fn decide(&mut self, pair_decisions: Option<&[u32]>, pairs: &Pairs, dropped: &mut Vec<Ticket>);

    /// Evaluations of decisions in these passes cannot have some halves of pairs.
    fn exclude(&mut self, passes: &[PassageId], pairs: &Pairs, dropped: &mut Vec<Ticket>);

    /// How good the candidates of a spot are now.
    fn rank(&mut self, spot: SpotId) -> Rank;

    /// The spots that may have become better since this was asked last.
    fn take_risen(&mut self) -> Vec<SpotId>;

    /// The place and outcome at which the candidates of a spot start, whoever has called it.
    fn branch(&self, spot: SpotId) -> u32;

    /// Sizes of its tables.
    fn sizes(&self) -> [(&'static str, usize); 3];
}
