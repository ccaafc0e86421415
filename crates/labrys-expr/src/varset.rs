//! Interned sets of variables. Every expression knows its set, so that "which constraints share
//! inputs" is a question about small numbers.

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

/// The table of sets: bit sets, each stored once.
#[derive(Debug)]
pub(crate) struct VarSets {
    sets: Vec<Box<[u64]>>,
    ids: FxHashMap<Box<[u64]>, u32>,
    unions: FxHashMap<(u32, u32), u32>,
}

impl Default for VarSets {
    fn default() -> Self {
        let empty: Box<[u64]> = Box::new([]);
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
        let mut bits = vec![0u64; var.index() / 64 + 1];
        bits[var.index() / 64] |= 1 << (var.index() % 64);
        self.intern(bits.into_boxed_slice())
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
        let (long, short) = if x.len() >= y.len() { (x, y) } else { (y, x) };
        let mut bits = long.clone();
        for (into, from) in bits.iter_mut().zip(short.iter()) {
            *into |= from;
        }
        let id = self.intern(bits);
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
        x.iter().zip(y.iter()).any(|(p, q)| p & q != 0)
    }

    pub(crate) fn iter(&self, set: VarSetId) -> impl Iterator<Item = VarId> + '_ {
        self.sets[set.0 as usize]
            .iter()
            .enumerate()
            .flat_map(|(word, &bits)| {
                std::iter::successors((bits != 0).then_some(bits), |b| {
                    let rest = b & (b - 1);
                    (rest != 0).then_some(rest)
                })
                .map(move |b| VarId(word as u32 * 64 + b.trailing_zeros()))
            })
    }

    pub(crate) fn len(&self, set: VarSetId) -> usize {
        self.sets[set.0 as usize]
            .iter()
            .map(|w| w.count_ones() as usize)
            .sum()
    }

    pub(crate) fn count(&self) -> usize {
        self.sets.len()
    }

    fn intern(&mut self, bits: Box<[u64]>) -> VarSetId {
        if let Some(&id) = self.ids.get(&bits) {
            return VarSetId(id);
        }
        let id = self.sets.len() as u32;
        self.ids.insert(bits.clone(), id);
        self.sets.push(bits);
        VarSetId(id)
    }
}
