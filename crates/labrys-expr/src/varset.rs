//! Interned sets of variables. Every expression has the number of its set, so that finding the
//! constraints that share inputs compares small numbers.

use crate::VarId;
use rustc_hash::FxHashMap;

/// A set of variables in a [`VarSets`]. Equal sets have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarSetId(pub(crate) u32);

impl VarSetId {
    pub const EMPTY: VarSetId = VarSetId(0);

    #[inline]
    pub fn is_empty(self) -> bool {
        self == VarSetId::EMPTY
    }
}

/// A bit set without the zero words before its first and after its last element: a program may
/// have hundreds of thousands of variables, and most sets are of neighbours.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct TrimmedBitSet {
    /// The number of zero words that are left out at the front.
    skip: u32,
    words: Box<[u64]>,
}

impl TrimmedBitSet {
    fn end(&self) -> usize {
        self.skip as usize + self.words.len()
    }

    /// The words from the given one on.
    fn from(&self, word: usize) -> &[u64] {
        let at = word.saturating_sub(self.skip as usize);
        &self.words[at.min(self.words.len())..]
    }
}

/// The table of sets, each stored once.
#[derive(Debug)]
pub(crate) struct VarSets {
    sets: Vec<TrimmedBitSet>,
    ids: FxHashMap<TrimmedBitSet, u32>,
    unions: FxHashMap<(u32, u32), u32>,
}

impl Default for VarSets {
    fn default() -> Self {
        let empty = TrimmedBitSet::default();
        let mut ids = FxHashMap::default();
        ids.insert(empty.clone(), 0);
        VarSets {
            sets: vec![empty],
            ids,
            unions: FxHashMap::default(),
        }
    }
}

/// The memo of unions is dropped when it grows past this; it is only a cache.
const MAX_UNIONS: usize = 1 << 20;

impl VarSets {
    pub(crate) fn single(&mut self, var: VarId) -> VarSetId {
        self.intern(TrimmedBitSet {
            skip: (var.index() / 64) as u32,
            words: Box::new([1 << (var.index() % 64)]),
        })
    }

    pub(crate) fn union(&mut self, a: VarSetId, b: VarSetId) -> VarSetId {
        if a == b || b.is_empty() {
            return a;
        }
        if a.is_empty() {
            return b;
        }
        let key = (a.0.min(b.0), a.0.max(b.0));
        if let Some(&id) = self.unions.get(&key) {
            return VarSetId(id);
        }
        let (x, y) = (&self.sets[key.0 as usize], &self.sets[key.1 as usize]);
        let skip = x.skip.min(y.skip);
        let mut words = vec![0u64; x.end().max(y.end()) - skip as usize];
        for set in [x, y] {
            let at = (set.skip - skip) as usize;
            for (into, from) in words[at..].iter_mut().zip(set.words.iter()) {
                *into |= from;
            }
        }
        let words = words.into_boxed_slice();
        let id = self.intern(TrimmedBitSet { skip, words });
        if self.unions.len() >= MAX_UNIONS {
            self.unions.clear();
        }
        self.unions.insert(key, id.0);
        id
    }

    #[inline]
    pub(crate) fn intersects(&self, a: VarSetId, b: VarSetId) -> bool {
        if a == b {
            return !a.is_empty();
        }
        let (x, y) = (&self.sets[a.0 as usize], &self.sets[b.0 as usize]);
        let start = x.skip.max(y.skip) as usize;
        let mut both = x.from(start).iter().zip(y.from(start));
        both.any(|(p, q)| p & q != 0)
    }

    pub(crate) fn iter(&self, set: VarSetId) -> impl Iterator<Item = VarId> + '_ {
        let set = &self.sets[set.0 as usize];
        (set.skip..)
            .zip(set.words.iter())
            .flat_map(|(word, &bits)| {
                std::iter::successors((bits != 0).then_some(bits), |b| {
                    let rest = b & (b - 1);
                    (rest != 0).then_some(rest)
                })
                .map(move |b| VarId(word * 64 + b.trailing_zeros()))
            })
    }

    pub(crate) fn len(&self, set: VarSetId) -> usize {
        self.sets[set.0 as usize]
            .words
            .iter()
            .map(|w| w.count_ones() as usize)
            .sum()
    }

    pub(crate) fn count(&self) -> usize {
        self.sets.len()
    }

    fn intern(&mut self, bits: TrimmedBitSet) -> VarSetId {
        if let Some(&id) = self.ids.get(&bits) {
            return VarSetId(id);
        }
        let id = self.sets.len() as u32;
        self.ids.insert(bits.clone(), id);
        self.sets.push(bits);
        VarSetId(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_far_apart() {
        let mut sets = VarSets::default();
        let low = sets.single(VarId(3));
        let high = sets.single(VarId(1_000_000));
        assert_eq!(sets.sets[high.0 as usize].words.len(), 1);
        let both = sets.union(high, low);
        assert_eq!(sets.union(low, high), both);
        let members: Vec<_> = sets.iter(both).collect();
        assert_eq!(members, [VarId(3), VarId(1_000_000)]);
        assert_eq!(sets.len(both), 2);
        assert!(!sets.intersects(low, high));
        assert!(sets.intersects(both, high) && sets.intersects(low, both));
        let middle = sets.single(VarId(500_000));
        assert!(!sets.intersects(both, middle) && !sets.intersects(middle, VarSetId::EMPTY));
        assert_eq!(sets.union(both, low), both);
    }
}
