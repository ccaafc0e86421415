//! The words of memory that differ between two states: what a search compares states by.

use super::chunk::CHUNK;
use super::{Memory, Object, ObjectId, PAGE};
use labrys_expr::ExprId;
use std::rc::Rc;

/// Bytes of a word.
pub(crate) const WORD: u64 = 4;

/// What a word holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Word {
    Plain(u32),
    /// All or part of it depends on the input.
    Symbolic,
    Uninitialised,
}

impl Memory {
    /// Calls `visit` with every object that is not the same as in another memory; with none where it
    /// lives no longer.
    pub(crate) fn for_each_changed(
        &self,
        before: &Memory,
        visit: &mut impl FnMut(ObjectId, Option<&Object>),
    ) {
        for number in 0..self.pages.len().max(before.pages.len()) {
            let (now, old) = (self.pages.get(number), before.pages.get(number));
            if let (Some(now), Some(old)) = (now, old)
                && Rc::ptr_eq(now, old)
            {
                continue;
            }
            for place in 0..PAGE {
                let [now, old] =
                    [now, old].map(|page| page.and_then(|p| p.objects[place].as_ref()));
                let is_same = match (now, old) {
                    (Some(now), Some(old)) => Rc::ptr_eq(now, old),
                    (None, None) => true,
                    _ => false,
                };
                if !is_same {
                    visit(ObjectId((number * PAGE + place) as u32), now.map(|o| &**o));
                }
            }
        }
    }
}

impl Object {
    /// Its words in order; bytes behind the last whole word are left out.
    pub(crate) fn words(&self) -> impl Iterator<Item = Word> + '_ {
        let whole = self.size() / WORD;
        (0..whole).map(|word| {
            let at = word * WORD;
            self.chunk(at).word(at as usize % CHUNK)
        })
    }

    /// The expressions in a word.
    pub(crate) fn exprs_in_word(&self, word: usize) -> Vec<ExprId> {
        let at = word * WORD as usize;
        let start = at % CHUNK;
        let mut found = Vec::new();
        let chunk = self.chunk(at as u64);
        chunk.exprs_between(start, start + WORD as usize, &mut |e| found.push(e));
        found
    }
}
