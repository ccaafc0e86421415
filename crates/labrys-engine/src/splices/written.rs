//! Which known runs have written what to a word of memory, and when.

use crate::exec::{WordPlace, WordWrite};
use crate::random::Random;
use std::collections::BTreeMap;

/// So many words, values of a word, and writes of a value are known.
const MOST_WORDS: usize = 4_096;
const MOST_VALUES: usize = 64;
const MOST_WRITES: usize = 8;

/// By value: the runs, and after how many readings they had written it.
type WritesOfWord = BTreeMap<u32, Vec<(u32, u32)>>;

#[derive(Default)]
pub(super) struct WrittenWords {
    by_word: BTreeMap<WordPlace, WritesOfWord>,
    /// In the order in which they were written first.
    words: Vec<WordPlace>,
}

impl WrittenWords {
    /// What a known run has written.
    pub(super) fn add(&mut self, example: u32, writes: &[WordWrite]) {
        for write in writes {
            if !self.by_word.contains_key(&write.word) {
                if self.words.len() >= MOST_WORDS {
                    continue;
                }
                self.words.push(write.word);
            }
            let values = self.by_word.entry(write.word).or_default();
            if values.len() >= MOST_VALUES && !values.contains_key(&write.value) {
                continue;
            }
            let known = values.entry(write.value).or_default();
            if known.len() == MOST_WRITES {
                // The newest ones, and the first one.
                known.remove(1);
            }
            known.push((example, write.readings));
        }
    }

    /// Any write: each word has the same chance.
    pub(super) fn any_of_all(&self, random: &mut Random) -> Option<(u32, u32)> {
        let word = *self.words.get(random.below(self.words.len().max(1)))?;
        self.any(&[word], random)
    }

    /// Any write to one of these words: each word and each value has the same chance.
    pub(super) fn any(&self, words: &[WordPlace], random: &mut Random) -> Option<(u32, u32)> {
        let known: Vec<&WritesOfWord> = words.iter().filter_map(|w| self.by_word.get(w)).collect();
        if known.is_empty() {
            return None;
        }
        let values = known[random.below(known.len())];
        let writes = values.values().nth(random.below(values.len()))?;
        Some(writes[random.below(writes.len())])
    }
}
