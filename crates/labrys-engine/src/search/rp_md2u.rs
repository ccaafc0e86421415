//! Random path and minimal distance to what is uncovered, by turns, as KLEE's default search has
//! it. Candidates whose first step covers something new have turns of their own.

use super::Strategy;
use super::guide::Guide;
use super::random_path::{RandomPath, Ticket};
use crate::candidate::Candidate;
use crate::state::BitSet;
use std::collections::VecDeque;

/// Whose turn it is.
#[derive(Clone, Copy)]
enum Turn {
    Promising,
    Random,
    Near,
}

const TURNS: [Turn; 4] = [Turn::Promising, Turn::Random, Turn::Promising, Turn::Near];

pub(super) struct RpMd2u<'m> {
    tree: RandomPath,
    guide: Guide<'m>,
    turn: usize,
    /// Candidates that promise an objective, oldest first.
    promising: VecDeque<(Ticket, u32)>,
    /// Candidates by the logarithm of their distance.
    near: [Vec<Ticket>; 33],
}

impl<'m> RpMd2u<'m> {
    pub(super) fn new(seed: u64, guide: Guide<'m>) -> Self {
        RpMd2u {
            tree: RandomPath::new(seed),
            guide,
            turn: 0,
            promising: VecDeque::new(),
            near: [const { Vec::new() }; 33],
        }
    }

    fn take_promising(&mut self, covered: &BitSet) -> Option<Candidate> {
        while let Some((ticket, objective)) = self.promising.pop_front() {
            if !covered.contains(objective as usize)
                && let Some(candidate) = self.tree.redeem(ticket)
            {
                return Some(candidate);
            }
        }
        None
    }

    /// A candidate of a low distance: the lowest class with probability one half, the next with
    /// one quarter, and so on.
    fn take_near(&mut self) -> Option<Candidate> {
        loop {
            let skip = self.tree.random().trailing_zeros();
            let mut classes = (0..self.near.len()).filter(|c| !self.near[*c].is_empty());
            let first = classes.next()?;
            let class = classes.take(skip as usize).last().unwrap_or(first);
            let size = self.near[class].len();
            let at = ((u64::from(self.tree.random()) * size as u64) >> 32) as usize;
            let ticket = self.near[class].swap_remove(at);
            if let Some(candidate) = self.tree.redeem(ticket) {
                return Some(candidate);
            }
        }
    }
}

/// Sorts a candidate by its distance.
fn classify(guide: &Guide<'_>, near: &mut [Vec<Ticket>; 33], ticket: Ticket, c: &Candidate) {
    if let Some(distance) = guide.distance(c) {
        near[(u32::BITS - distance.leading_zeros()) as usize].push(ticket);
    }
}

impl Strategy for RpMd2u<'_> {
    fn add(&mut self, candidates: &mut Vec<Candidate>) {
        let (guide, near, promising) = (&self.guide, &mut self.near, &mut self.promising);
        self.tree.insert(candidates, |ticket, candidate| {
            classify(guide, near, ticket, candidate);
            promising.extend(guide.promise(candidate).map(|o| (ticket, o)));
        });
    }

    fn take(&mut self, covered: &BitSet) -> Option<Candidate> {
        if self.guide.refresh(covered) {
            self.near.iter_mut().for_each(Vec::clear);
            for (ticket, candidate) in self.tree.tickets() {
                classify(&self.guide, &mut self.near, ticket, candidate);
            }
        }
        self.turn = (self.turn + 1) % TURNS.len();
        let chosen = match TURNS[self.turn] {
            Turn::Promising => self.take_promising(covered),
            Turn::Near => self.take_near(),
            Turn::Random => None,
        };
        chosen.or_else(|| self.tree.take(covered))
    }

    fn len(&self) -> usize {
        self.tree.len()
    }

    fn give(&mut self) -> Option<Candidate> {
        self.tree.give()
    }

    fn waiting(&mut self) -> Box<dyn Iterator<Item = &mut Candidate> + '_> {
        self.tree.waiting()
    }
}
