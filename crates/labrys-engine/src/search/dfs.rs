//! Depth first: the newest candidate.

use super::{Strategy, can_move};
use crate::candidate::Candidate;
use crate::state::BitSet;

#[derive(Default)]
pub(super) struct Dfs {
    stack: Vec<Candidate>,
}

impl Strategy for Dfs {
    fn add(&mut self, candidates: &mut Vec<Candidate>) {
        self.stack.append(candidates);
    }

    fn take(&mut self, _covered: &BitSet) -> Option<Candidate> {
        self.stack.pop()
    }

    fn len(&self) -> usize {
        self.stack.len()
    }

    fn give(&mut self) -> Option<Candidate> {
        let at = self.stack.iter().position(can_move)?;
        Some(self.stack.remove(at))
    }

    fn waiting(&mut self) -> Box<dyn Iterator<Item = &mut Candidate> + '_> {
        Box::new(self.stack.iter_mut())
    }
}
