//! Depth first: the newest candidate.

use super::Strategy;
use crate::candidate::Candidate;

#[derive(Default)]
pub(super) struct Dfs {
    stack: Vec<Candidate>,
}

impl Strategy for Dfs {
    fn add(&mut self, candidates: &mut Vec<Candidate>) {
        self.stack.append(candidates);
    }

    fn take(&mut self) -> Option<Candidate> {
        self.stack.pop()
    }

    fn len(&self) -> usize {
        self.stack.len()
    }

    fn waiting(&mut self) -> Box<dyn Iterator<Item = &mut Candidate> + '_> {
        Box::new(self.stack.iter_mut())
    }
}
