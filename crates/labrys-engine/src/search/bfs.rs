//! Breadth first: the oldest candidate.

use super::{Strategy, can_move};
use crate::candidate::Candidate;
use crate::state::BitSet;
use std::collections::VecDeque;

#[derive(Default)]
pub(super) struct Bfs {
    queue: VecDeque<Candidate>,
}

impl Strategy for Bfs {
    fn add(&mut self, candidates: &mut Vec<Candidate>) {
        self.queue.extend(candidates.drain(..));
    }

    fn take(&mut self, _covered: &BitSet) -> Option<Candidate> {
        self.queue.pop_front()
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn give(&mut self) -> Option<Candidate> {
        let at = self.queue.iter().rposition(can_move)?;
        self.queue.remove(at)
    }

    fn waiting(&mut self) -> Box<dyn Iterator<Item = &mut Candidate> + '_> {
        Box::new(self.queue.iter_mut().rev())
    }
}
