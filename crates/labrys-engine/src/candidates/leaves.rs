//! Leaves that wait: candidates that are there only to cover a label.
//!
//! They are tried before other candidates, so that a label is deleted as soon as possible. Leaves
//! of leaves take turns with the others: a predicate may have any number of ways through it.

use super::candidate::{Candidate, Leaf};
use crate::bitset::BitSet;
use std::collections::VecDeque;

#[derive(Default)]
pub(crate) struct Leaves {
    first: VecDeque<Candidate>,
    chained: VecDeque<Candidate>,
    /// A chained one is next.
    turn: bool,
}

impl Leaves {
    pub(crate) fn add(&mut self, leaves: &mut Vec<Candidate>) {
        for leaf in leaves.drain(..) {
            if leaf.leaf.is_some_and(|l| l.chained) {
                self.chained.push_back(leaf);
            } else {
                self.first.push_back(leaf);
            }
        }
    }

    /// The next leaf of a label that is still open; counts the others. `idle` says that there are
    /// no other candidates.
    pub(crate) fn take(
        &mut self,
        open: &BitSet,
        idle: bool,
        dropped: &mut u64,
    ) -> Option<(Candidate, Leaf)> {
        self.turn = !self.turn;
        loop {
            let next = match self.first.pop_front() {
                Some(leaf) => leaf,
                None if self.turn || idle => self.chained.pop_front()?,
                None => return None,
            };
            match next.leaf {
                Some(leaf) if open.contains(leaf.label as usize) => return Some((next, leaf)),
                _ => *dropped += 1,
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.first.len() + self.chained.len()
    }

    /// All leaves, those first that will wait longest.
    pub(crate) fn waiting(&mut self) -> impl Iterator<Item = &mut Candidate> {
        let chained = self.chained.iter_mut().rev();
        chained.chain(self.first.iter_mut().rev())
    }
}
