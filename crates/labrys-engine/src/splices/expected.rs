//! Words that programs expect: texts with which words of known inputs were compared, and that were
//! something else. They are put in the place of these words, in front of them, and with blanks around them.

use super::example::Example;
use crate::exec::{Comparison, InputPosition};
use crate::inputs::InputValue;
use crate::random::Random;
use std::collections::BTreeMap;
use std::rc::Rc;

/// So many texts at so many places are known.
const MOST_TEXTS: usize = 8_192;

/// So many words are remembered that were compared with a text at a place, the newest ones.
const MOST_WORDS: usize = 8;

/// A text is tried so often at a place.
const MOST_TRIES: u32 = 64;

/// What a program expects at a place, with its calls.
struct ExpectedText {
    text: Rc<[u8]>,
    tries: u32,
    /// Words that were compared with it: the run, where they begin, and their bytes.
    words: Vec<(u32, InputPosition, u32)>,
}

#[derive(Default)]
pub(super) struct ExpectedTexts {
    waiting: BTreeMap<u64, ExpectedText>,
    /// Those that a run has had.
    met: rustc_hash::FxHashSet<u64>,
}

impl ExpectedTexts {
    /// What a known run has compared.
    pub(super) fn add(&mut self, example: u32, comparisons: &[Comparison]) {
        for comparison in comparisons.iter().filter(|c| c.is_equal) {
            self.met.insert(comparison.key);
            self.waiting.remove(&comparison.key);
        }
        for comparison in comparisons {
            let known =
                self.waiting.len() < MOST_TEXTS || self.waiting.contains_key(&comparison.key);
            if !known || self.met.contains(&comparison.key) {
                continue;
            }
            let entry = self.waiting.entry(comparison.key);
            let expected = entry.or_insert_with(|| ExpectedText {
                text: comparison.text.clone(),
                tries: 0,
                words: Vec::new(),
            });
            if expected.words.len() == MOST_WORDS {
                expected.words.remove(0);
            }
            let word = (example, comparison.position, comparison.length);
            expected.words.push(word);
        }
    }

    /// The input of a run with a text that it lacked: the run, where it was changed, and what came of it.
    pub(super) fn propose(
        &mut self,
        examples: &[Example],
        random: &mut Random,
    ) -> Option<(u32, InputPosition, Vec<InputValue>)> {
        let waiting = self.waiting.values_mut();
        let expected = waiting
            .filter(|e| e.tries < MOST_TRIES)
            .min_by_key(|e| e.tries)?;
        expected.tries += 1;
        let (number, position, length) = expected.words[random.below(expected.words.len())];
        let example = &examples[number as usize];
        let inputs = with_text(example, &expected.text, (position, length), random)?;
        Some((number, position, inputs))
    }
}

/// The input of a run with a text in the place of a word, or in front of it.
pub(super) fn with_text(
    example: &Example,
    text: &[u8],
    (position, length): (InputPosition, u32),
    random: &mut Random,
) -> Option<Vec<InputValue>> {
    let mut inputs = example.inputs.clone();
    let bytes = &mut inputs.get_mut(position.input as usize)?.bytes;
    let size = bytes.len();
    let left_out = match random.below(4) {
        0 => text.len() as u32,
        1 => 0,
        _ => length,
    };
    let rest = bytes.get((position.byte + left_out) as usize..)?.to_vec();
    bytes.truncate(position.byte as usize);
    let blank = |random: &mut Random| (random.coin() == 1).then_some(b' ');
    bytes.extend(blank(random));
    bytes.extend_from_slice(text);
    bytes.extend(blank(random));
    bytes.extend(rest);
    bytes.resize(size, 0);
    Some(inputs)
}
