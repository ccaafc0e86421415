//! A persistent array: cloning shares everything, writing copies one chunk. The path condition
//! uses it as a map from variables, since it is cloned at every branch.

use std::rc::Rc;

/// Elements in a chunk: a write copies one chunk, so it is small.
const CHUNK_LEN: usize = 16;

type SharedChunk<T> = Rc<[Option<T>; CHUNK_LEN]>;

/// A sparse array from small numbers to `T`.
#[derive(Debug)]
pub(crate) struct PersistentVec<T> {
    chunks: Rc<Vec<Option<SharedChunk<T>>>>,
}

impl<T> Clone for PersistentVec<T> {
    #[inline]
    fn clone(&self) -> Self {
        PersistentVec {
            chunks: Rc::clone(&self.chunks),
        }
    }
}

impl<T> Default for PersistentVec<T> {
    fn default() -> Self {
        PersistentVec {
            chunks: Rc::new(Vec::new()),
        }
    }
}

impl<T: Clone> PersistentVec<T> {
    #[inline]
    pub(crate) fn get(&self, i: usize) -> Option<&T> {
        self.chunks.get(i / CHUNK_LEN)?.as_ref()?[i % CHUNK_LEN].as_ref()
    }

    pub(crate) fn set(&mut self, i: usize, value: Option<T>) {
        let chunks = Rc::make_mut(&mut self.chunks);
        if chunks.len() <= i / CHUNK_LEN {
            chunks.resize(i / CHUNK_LEN + 1, None);
        }
        let chunk =
            chunks[i / CHUNK_LEN].get_or_insert_with(|| Rc::new([const { None }; CHUNK_LEN]));
        Rc::make_mut(chunk)[i % CHUNK_LEN] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_do_not_see_later_writes() {
        let mut a: PersistentVec<u32> = PersistentVec::default();
        a.set(3, Some(1));
        a.set(100, Some(2));
        let b = a.clone();
        a.set(3, Some(9));
        a.set(100, None);
        assert_eq!(
            (a.get(3), a.get(100), a.get(50), a.get(1000)),
            (Some(&9), None, None, None)
        );
        assert_eq!((b.get(3), b.get(100)), (Some(&1), Some(&2)));
    }
}
