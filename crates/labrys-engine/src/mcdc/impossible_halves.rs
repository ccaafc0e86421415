//! Halves that one evaluation of a decision cannot have.
//!
//! The labels of halves stand before a decision. Each asks the solver whether the coming evaluation
//! can have its half, by leaves: one for every way through its predicate. If none of them can be,
//! no way through the decision that begins there has the half, so none needs to be walked for it.
//! Whatever is cut off or not understood on the way leaves the question open.

use crate::bitset::BitSet;
use labrys_ledger::PairHalves;
use rustc_hash::FxHashMap;

/// Names one passage of the labels of a decision on one path. 0 is none.
pub(crate) type PassageId = u32;

/// A half in a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct HalfQuestion {
    pub(crate) pass: PassageId,
    pub(crate) condition: u8,
    pub(crate) value: bool,
}

#[derive(Debug, Default)]
pub(crate) struct ImpossibleHalves {
    /// The halves that cannot be, by pass.
    impossible: Vec<PairHalves>,
    /// Leaves that wait, and one more until the predicate was evaluated where the path goes.
    waiting: FxHashMap<HalfQuestion, u32>,
    /// Passes in which a half was found impossible since that was asked last.
    changed: BitSet,
    fresh: Vec<PassageId>,
}

impl ImpossibleHalves {
    pub(crate) fn begin(&mut self) -> PassageId {
        self.impossible.push(PairHalves::default());
        self.impossible.len() as PassageId
    }

    /// The halves that evaluations of this pass cannot have.
    pub(crate) fn impossible(&self, pass: PassageId) -> PairHalves {
        let index = (pass as usize).checked_sub(1);
        let halves = index.and_then(|i| self.impossible.get(i));
        halves.copied().unwrap_or_default()
    }

    /// Another way through the predicate has to be looked at.
    pub(crate) fn wait(&mut self, asked: HalfQuestion) {
        if asked.pass > 0 {
            *self.waiting.entry(asked).or_default() += 1;
        }
    }

    /// One way through the predicate does not lead to the half.
    pub(crate) fn exclude(&mut self, asked: HalfQuestion) {
        let Some(count) = self.waiting.get_mut(&asked) else {
            return;
        };
        *count -= 1;
        if *count > 0 {
            return;
        }
        self.waiting.remove(&asked);
        let half = PairHalves::of(asked.condition as usize, asked.value);
        let halves = &mut self.impossible[asked.pass as usize - 1];
        *halves = halves.or(half);
        if !self.changed.contains(asked.pass as usize) {
            self.changed.insert(asked.pass as usize);
            self.fresh.push(asked.pass);
        }
    }

    /// The half may be there, for all that is known.
    pub(crate) fn leave_open(&mut self, asked: HalfQuestion) {
        self.waiting.remove(&asked);
    }

    /// Passes in which a half was found impossible since the last call.
    pub(crate) fn take_changed(&mut self) -> Vec<PassageId> {
        for pass in &self.fresh {
            self.changed.remove(*pass as usize);
        }
        std::mem::take(&mut self.fresh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(pass: PassageId) -> HalfQuestion {
        HalfQuestion {
            pass,
            condition: 3,
            value: true,
        }
    }

    #[test]
    fn a_half_is_impossible_when_all_ways_are_excluded() {
        let mut passes = ImpossibleHalves::default();
        let pass = passes.begin();
        passes.wait(asked(pass));
        passes.wait(asked(pass));
        passes.exclude(asked(pass));
        assert!(passes.impossible(pass).is_empty());
        passes.exclude(asked(pass));
        assert!(passes.impossible(pass).has(3, true));
        assert_eq!(passes.take_changed(), [pass]);
        assert!(passes.take_changed().is_empty());
    }

    #[test]
    fn what_was_left_open_is_never_excluded() {
        let mut passes = ImpossibleHalves::default();
        let pass = passes.begin();
        passes.wait(asked(pass));
        passes.wait(asked(pass));
        passes.leave_open(asked(pass));
        passes.exclude(asked(pass));
        passes.exclude(asked(pass));
        assert!(passes.impossible(pass).is_empty());
        // Passage 0 is none.
        passes.wait(asked(0));
        passes.exclude(asked(0));
        assert!(passes.impossible(0).is_empty());
    }
}
