//! A model: values of the variables. A search keeps one for every candidate, and most differ from
//! another one in a single value, so what they have in common is shared.

use crate::VarId;
use std::sync::Arc;

/// Values in a chunk: so many are copied when one of them changes.
const CHUNK: usize = 32;

/// Values of the variables; those not set are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    chunks: Vec<Arc<[u64; CHUNK]>>,
}

impl Model {
    pub fn new() -> Self {
        Model::default()
    }

    #[inline]
    pub fn get(&self, var: VarId) -> u64 {
        let chunk = self.chunks.get(var.index() / CHUNK);
        chunk.map_or(0, |chunk| chunk[var.index() % CHUNK])
    }

    pub fn set(&mut self, var: VarId, value: u64) {
        let number = var.index() / CHUNK;
        if number >= self.chunks.len() {
            if value == 0 {
                return;
            }
            self.chunks.resize(number + 1, Arc::new([0; CHUNK]));
        }
        if self.chunks[number][var.index() % CHUNK] != value {
            Arc::make_mut(&mut self.chunks[number])[var.index() % CHUNK] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arena;

    #[test]
    fn a_changed_copy_leaves_the_first_as_it_was() {
        let mut arena = Arena::new();
        let vars: Vec<VarId> = (0..100)
            .map(|n| arena.new_var(&format!("v{n}"), 8))
            .collect();
        let mut first = Model::new();
        first.set(vars[70], 7);
        let mut second = first.clone();
        second.set(vars[71], 1);
        assert_eq!(first.get(vars[70]), 7);
        assert_eq!(first.get(vars[71]), 0);
        assert_eq!(second.get(vars[70]), 7);
        assert_eq!(second.get(vars[71]), 1);
        assert_eq!(second.get(vars[99]), 0);
    }
}
