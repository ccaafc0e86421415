//! Splices: inputs that are put together of parts of known ones.
//!
//! A branch behind a long correct input (the last check of a plan, a state behind a handshake) asks for
//! something that another run has read, in a plan that was wrong somewhere else. Two runs that read on in
//! their inputs at the same place with the same calls expect the same kind of thing there. So a part of one
//! input is put into another one between two such places, is repeated there, or is left out.

mod cut;
mod example;
mod expected;
mod number;
#[cfg(test)]
mod tests;
mod written;

pub(crate) use example::Example;

use crate::exec::WordPlace;
use crate::inputs::InputValue;
use crate::random::Random;
use cut::{Cut, joined};
use expected::ExpectedTexts;
use labrys_ledger::Trigger;
use rustc_hash::{FxHashSet, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use written::WrittenWords;

/// At most so many runs are known: about as many as a large program has tests.
const MOST_EXAMPLES: usize = 1_024;

/// So many of them are next to an open outcome.
const MOST_NEAREST: usize = 4;

/// So many words are known that decide an outcome.
const MOST_WORDS: usize = 64;

/// So many choices are made for one that fits.
const ATTEMPTS: usize = 32;

/// So many inputs are remembered, so that none is tried twice.
const MOST_REMEMBERED: usize = 1 << 16;

/// One of so many splices repeats a part, one leaves a part out, one has a word that was expected, one has
/// another number.
const KINDS: usize = 8;

/// One of so many choices is not made for what is open.
const OTHERWISE: usize = 4;

/// Of the others, one of so many has another number besides: what comes into a list needs a number of its own.
const WITH_NUMBER: usize = 4;

/// An input to try.
pub(crate) struct Proposal {
    pub(crate) inputs: Vec<InputValue>,
    /// Up to this fork point its path is that of a known run.
    pub(crate) forks: u32,
}

/// How a run has missed an open outcome.
pub(crate) struct Miss {
    pub(crate) outcome: Trigger,
    pub(crate) distance: u64,
    /// The words of memory that have decided.
    pub(crate) words: Vec<WordPlace>,
}

/// The known runs that have come to an open outcome and not had it.
#[derive(Default)]
struct NearestExamples {
    tries: u32,
    /// Each with its distance.
    all: Vec<(u64, u32)>,
    /// The words of memory that have decided against it.
    words: Vec<WordPlace>,
}

pub(crate) struct Splices {
    examples: Vec<Example>,
    expected: ExpectedTexts,
    written: WrittenWords,
    near: BTreeMap<Trigger, NearestExamples>,
    tried: FxHashSet<u64>,
    random: Random,
}

impl Splices {
    pub(crate) fn new(seed: u64) -> Self {
        Splices {
            examples: Vec::new(),
            expected: ExpectedTexts::default(),
            written: WrittenWords::default(),
            near: BTreeMap::new(),
            tried: FxHashSet::default(),
            random: Random::new(seed),
        }
    }

    /// Is there room for one more run?
    pub(crate) fn has_room(&self) -> bool {
        self.examples.len() < MOST_EXAMPLES
    }

    /// A run, and how it has missed open outcomes.
    pub(crate) fn add(&mut self, example: Example, misses: Vec<Miss>) {
        let number = self.examples.len() as u32;
        for miss in misses {
            let nearest = self.near.entry(miss.outcome).or_default();
            let distance = miss.distance;
            nearest.words.extend(miss.words);
            nearest.words.sort_unstable();
            nearest.words.dedup();
            nearest.words.truncate(MOST_WORDS);
            nearest.all.push((distance, number));
            // The nearest, and of those that are equally near the newest.
            nearest
                .all
                .sort_by_key(|(distance, number)| (*distance, std::cmp::Reverse(*number)));
            nearest.all.truncate(MOST_NEAREST);
        }
        self.expected.add(number, &example.comparisons);
        self.written.add(number, &example.writes);
        self.examples.push(example);
    }

    /// Is a run nearer to an outcome than all that are known?
    pub(crate) fn is_nearer(&self, outcome: Trigger, distance: u64) -> bool {
        let nearest = self
            .near
            .get(&outcome)
            .and_then(|nearest| nearest.all.first());
        nearest.is_none_or(|(known, _)| distance < *known)
    }

    /// The next input to try.
    pub(crate) fn propose(&mut self, is_open: &dyn Fn(Trigger) -> bool) -> Option<Proposal> {
        if self.examples.is_empty() {
            return None;
        }
        for _ in 0..ATTEMPTS {
            let proposal = match self.random.coin() {
                0 => self.expected_text(),
                _ => None,
            };
            let Some(proposal) = proposal.or_else(|| self.splice(is_open)) else {
                continue;
            };
            if self.tried.len() >= MOST_REMEMBERED {
                self.tried.clear();
            }
            if self.tried.insert(hash_of(&proposal.inputs)) {
                return Some(proposal);
            }
        }
        None
    }

    /// Whose input is changed: mostly that of a run that has come to the open outcome with the fewest
    /// tries.
    fn recipient(&mut self, is_open: &dyn Fn(Trigger) -> bool) -> (usize, Option<Trigger>) {
        let any = self.random.below(self.examples.len());
        if self.random.below(OTHERWISE) == 0 {
            return (any, None);
        }
        self.near.retain(|outcome, _| is_open(*outcome));
        let all = self.near.iter_mut();
        let Some((outcome, nearest)) = all.min_by_key(|(_, nearest)| nearest.tries) else {
            return (any, None);
        };
        nearest.tries += 1;
        let (_, chosen) = nearest.all[self.random.below(nearest.all.len())];
        (chosen as usize, Some(*outcome))
    }

    /// An input with a word that the program expects somewhere.
    fn expected_text(&mut self) -> Option<Proposal> {
        let (number, position, inputs) = self.expected.propose(&self.examples, &mut self.random)?;
        Some(Proposal {
            inputs,
            forks: self.examples[number as usize].forks_before(position),
        })
    }

    /// A run that has written one of the words that decide an outcome, and when. If they are not known it may
    /// be any word, every second time.
    fn writer(&mut self, outcome: Trigger) -> Option<(u32, u32)> {
        let words = &self.near.get(&outcome)?.words;
        match words.is_empty() {
            false => self.written.any(words, &mut self.random),
            true if self.random.coin() == 0 => self.written.any_of_all(&mut self.random),
            true => None,
        }
    }

    fn splice(&mut self, is_open: &dyn Fn(Trigger) -> bool) -> Option<Proposal> {
        let (to, outcome) = self.recipient(is_open);
        let mut from = self.random.below(self.examples.len());
        let (mut new, mut kind) = (None, self.random.below(KINDS));
        if let Some(outcome) = outcome
            && self.random.below(OTHERWISE) > 0
            && let Some((example, readings)) = self.writer(outcome)
        {
            (from, new, kind) = (example as usize, Some(readings), KINDS);
        }
        let random = &mut self.random;
        let (recipient, donor) = (&self.examples[to], &self.examples[from]);
        let (cut, donor) = match kind {
            0 => (Cut::repeating(recipient, random)?, recipient),
            1 => (Cut::leaving_out(recipient, random)?, recipient),
            2 => return with_another_word(recipient, random),
            3 => return with_another_number(recipient, donor, random),
            _ => {
                let new = new.or_else(|| donor.any_news(random))?;
                let cut = match random.coin() {
                    0 => Cut::inserting(recipient, donor, new, random)?,
                    _ => Cut::replacing_call(recipient, donor, new, random)?,
                };
                (cut, donor)
            }
        };
        let mut inputs = joined(recipient, donor, &cut)?;
        let mut forks = recipient.forks_before(cut.from);
        if random.below(WITH_NUMBER) == 0
            && let Some(changed) = number::change(&mut inputs, donor, random)
        {
            forks = forks.min(recipient.forks_before(changed));
        }
        Some(Proposal { inputs, forks })
    }
}

/// A word of the input becomes one with which it was compared.
fn with_another_word(recipient: &Example, random: &mut Random) -> Option<Proposal> {
    let all = &recipient.comparisons;
    if all.is_empty() {
        return None;
    }
    let comparison = &all[random.below(all.len())];
    let word = (comparison.position, comparison.length);
    Some(Proposal {
        inputs: expected::with_text(recipient, &comparison.text, word, random)?,
        forks: recipient.forks_before(comparison.position),
    })
}

fn with_another_number(
    recipient: &Example,
    donor: &Example,
    random: &mut Random,
) -> Option<Proposal> {
    let mut inputs = recipient.inputs.clone();
    let changed = number::change(&mut inputs, donor, random)?;
    Some(Proposal {
        inputs,
        forks: recipient.forks_before(changed),
    })
}

fn hash_of(inputs: &[InputValue]) -> u64 {
    let mut hasher = FxHasher::default();
    for input in inputs {
        input.bytes.hash(&mut hasher);
    }
    hasher.finish()
}
