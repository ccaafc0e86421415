//! What tests of a run share: constraints that speak of a single variable come up in very many
//! tests. In comes such a set of constraints, out come the values that satisfy it, as far as they
//! were tried before, and what was read off it.

use labrys_expr::ExprId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// At most this many sets are kept.
const MOST_SETS: usize = 1 << 16;

/// Values below this have a bit of their own.
const SMALL: u64 = 256;

/// Constraints on one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SetId(u32);

/// The constants to which a set compares its variable.
#[derive(Debug, Default)]
pub(crate) struct NumberBounds {
    /// It is only ever compared with zero.
    pub(crate) flag: bool,
    pub(crate) near: Vec<i128>,
    pub(crate) far: Vec<i128>,
}

/// The character that satisfies a set best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum KnownLetter {
    #[default]
    Untried,
    /// Nothing that can be printed does.
    Nothing,
    Byte(u8),
}

/// What is known of one set.
#[derive(Default)]
pub(crate) struct KnownSet {
    tried: [u64; 4],
    holds: [u64; 4],
    large: FxHashMap<u64, bool>,
    pub(crate) numbers: Option<Rc<NumberBounds>>,
    /// Numbers that satisfy it, best first, by the number of values that are used already.
    pub(crate) allowed: Vec<Option<Rc<Vec<u64>>>>,
    pub(crate) bytes: Option<Rc<Vec<u8>>>,
    /// The character that was chosen, by the number of letters before it.
    pub(crate) letters: [KnownLetter; 26],
}

impl KnownSet {
    /// Does this value satisfy the set? `None` if it was not tried.
    pub(crate) fn verdict(&self, value: u64) -> Option<bool> {
        if value >= SMALL {
            return self.large.get(&value).copied();
        }
        let (word, bit) = (value as usize / 64, 1 << (value % 64));
        (self.tried[word] & bit != 0).then_some(self.holds[word] & bit != 0)
    }

    pub(crate) fn learn(&mut self, value: u64, holds: bool) {
        if value >= SMALL {
            self.large.insert(value, holds);
            return;
        }
        let (word, bit) = (value as usize / 64, 1 << (value % 64));
        self.tried[word] |= bit;
        if holds {
            self.holds[word] |= bit;
        }
    }
}

/// All sets of a run.
#[derive(Default)]
pub(crate) struct Verdicts {
    ids: FxHashMap<Rc<[ExprId]>, SetId>,
    sets: Vec<KnownSet>,
}

impl Verdicts {
    /// Another test begins: nobody holds a set.
    pub(crate) fn begin(&mut self) {
        if self.sets.len() >= MOST_SETS {
            self.forget();
        }
    }

    /// Expressions were renumbered.
    pub(crate) fn forget(&mut self) {
        self.ids.clear();
        self.sets.clear();
    }

    pub(crate) fn intern(&mut self, constraints: &[ExprId]) -> SetId {
        if let Some(id) = self.ids.get(constraints) {
            return *id;
        }
        let id = SetId(self.sets.len() as u32);
        self.sets.push(KnownSet::default());
        self.ids.insert(constraints.into(), id);
        id
    }

    pub(crate) fn get(&self, id: SetId) -> &KnownSet {
        &self.sets[id.0 as usize]
    }

    pub(crate) fn get_mut(&mut self, id: SetId) -> &mut KnownSet {
        &mut self.sets[id.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use labrys_expr::Arena;

    #[test]
    fn the_same_constraints_are_the_same_set() {
        let mut arena = Arena::new();
        let x = arena.new_var("x", 32);
        let x = arena.var_expr(x);
        let [five, nine] = [5, 9].map(|c| arena.constant(32, c));
        let (below, above) = (arena.ult(x, nine), arena.ult(five, x));
        let mut verdicts = Verdicts::default();
        let both = verdicts.intern(&[below, above]);
        assert_eq!(verdicts.intern(&[below, above]), both);
        let one = verdicts.intern(&[below]);
        assert_ne!(one, both);
        for (value, holds) in [(7, true), (3, false), (300, false), (u64::MAX, true)] {
            assert_eq!(verdicts.get(both).verdict(value), None);
            verdicts.get_mut(both).learn(value, holds);
            assert_eq!(verdicts.get(both).verdict(value), Some(holds));
            assert_eq!(verdicts.get(one).verdict(value), None);
        }
        verdicts.forget();
        let again = verdicts.intern(&[below, above]);
        assert_eq!(verdicts.get(again).verdict(7), None);
    }
}
