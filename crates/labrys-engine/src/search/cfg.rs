//! CFG-directed search, as CREST has it (Burnim and Sen, ASE 2008): among the candidates of the
//! last run that covered something, those first that are nearest to something uncovered. A run
//! that covers nothing is followed for a few steps towards its aim; a run that covers something
//! begins anew, and when all fails, a candidate is chosen by chance.

use super::guide::DistanceGuide;
use crate::candidates::{SearchView, SpotId, Strategy, Ticket};
use crate::random::Random;
use rustc_hash::FxHashMap;

/// How many runs deep a failed run is followed, and how many runs a round may take: the first one,
/// and those inside it. These are CREST's numbers.
const DEPTH: usize = 5;
const FIRST_ROUND: u32 = 250;
const INNER_ROUND: u32 = 5;

/// The candidates of one run that are tried, the best last.
struct Round {
    candidates: Vec<(u32, Ticket)>,
    left: u32,
    /// The score of the candidate that was taken last.
    score: u32,
}

pub(super) struct CfgDirected<'m> {
    guide: DistanceGuide<'m>,
    /// The innermost last.
    rounds: Vec<Round>,
    /// All candidates, and some that wait no longer.
    all: Vec<Ticket>,
    random: Random,
}

impl<'m> CfgDirected<'m> {
    pub(super) fn new(seed: u64, guide: DistanceGuide<'m>) -> Self {
        CfgDirected {
            guide,
            rounds: Vec::new(),
            all: Vec::new(),
            random: Random::new(seed),
        }
    }

    /// The candidates of a run with their scores: the distance, and one more for every time that
    /// the same branch came before on the path.
    fn round(
        &mut self,
        tickets: &[Ticket],
        below: u32,
        left: u32,
        view: &SearchView<'_, '_>,
    ) -> Round {
        let mut seen: FxHashMap<SpotId, u32> = FxHashMap::default();
        let mut candidates: Vec<(u32, u32, Ticket)> = Vec::new();
        for ticket in tickets {
            let distance = view.pool.get(*ticket).and_then(|c| self.guide.distance(c));
            if let Some(distance) = distance {
                let times = seen.entry(view.pool.spot(*ticket)).or_default();
                let score = distance.saturating_add(*times);
                *times += 1;
                if score < below {
                    candidates.push((score, self.random.bits(), *ticket));
                }
            }
        }
        candidates.sort_unstable_by(|a, b| b.cmp(a));
        let candidates = candidates.into_iter().map(|(score, _, t)| (score, t));
        Round {
            candidates: candidates.collect(),
            left,
            score: 0,
        }
    }
}

impl Strategy for CfgDirected<'_> {
    fn add(&mut self, tickets: &[Ticket], view: &mut SearchView<'_, '_>) {
        if self.all.len() > 2 * view.pool.len() {
            self.all.retain(|t| view.pool.contains(*t));
        }
        self.all.extend_from_slice(tickets);
        if view.fruitful {
            self.guide.update(view.covered);
            self.rounds.clear();
        }
        let depth = self.rounds.len();
        let round = match self.rounds.last_mut() {
            None => self.round(tickets, u32::MAX, FIRST_ROUND, view),
            Some(round) => {
                round.left = round.left.saturating_sub(1);
                if depth >= DEPTH {
                    return;
                }
                let score = round.score;
                self.round(tickets, score, INNER_ROUND, view)
            }
        };
        self.rounds.push(round);
    }

    fn next(&mut self, view: &mut SearchView<'_, '_>) -> Option<Ticket> {
        while let Some(round) = self.rounds.last_mut() {
            if round.left == 0 {
                self.rounds.pop();
                continue;
            }
            match round.candidates.pop() {
                Some((score, ticket)) if view.pool.contains(ticket) => {
                    round.score = score;
                    return Some(ticket);
                }
                Some(_) => {}
                None => {
                    self.rounds.pop();
                }
            }
        }
        while !self.all.is_empty() {
            let at = self.random.below(self.all.len());
            let ticket = self.all.swap_remove(at);
            if view.pool.contains(ticket) {
                return Some(ticket);
            }
        }
        None
    }
}
