//! Where a run stands whenever it reads on in its input: the calls that are active, and how far the input
//! was read. Two runs that stand at the same place with the same calls can go on with each other's input.

use super::Machine;
use super::comparisons::Comparison;
use crate::inputs::InputId;
use crate::memory::{Memory, Object, ObjectId, ReadValue, WORD, Word};
use labrys_expr::VarId;
use labrys_ledger::TraceHash;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// An input of so many pieces is a text that is read along; others are read when they are asked for.
const TEXT_PIECES: usize = 16;

/// Of a run so many readings are noted.
const MOST_READINGS: usize = 4_096;

/// So many words that it writes.
const MOST_WRITES: usize = 4_096;

/// Larger objects are no state, in bytes.
const LARGEST: u64 = 4_096;

/// So many calls are told apart, the outermost ones.
const MOST_CALLS: usize = 64;

/// A byte of the input: the number of the input among those of the run, and the byte of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct InputPosition {
    pub(crate) input: u32,
    pub(crate) byte: u32,
}

/// A place in the program from which the input is read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// A number that stands for the place and its calls.
    pub(crate) place: u64,
    /// A number that stands for the place and for what the program did from there to the next reading: two
    /// runs that do the same mostly are in the same state.
    pub(crate) turn: u64,
    /// What is read next.
    pub(crate) position: InputPosition,
    /// The fork points of the path so far.
    pub(crate) forks: u32,
    /// How many calls are around the place.
    pub(crate) depth: u32,
}

/// A word of memory: its object, and its number there.
pub(crate) type WordPlace = (ObjectId, u32);

/// A word that holds another number than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WordWrite {
    /// It was written after so many readings.
    pub(crate) readings: u32,
    pub(crate) word: WordPlace,
    pub(crate) value: u32,
}

/// A text in memory.
#[derive(Debug)]
struct TextPlace {
    object: ObjectId,
    offset: u64,
    size: u64,
    input: u32,
}

/// What is noted of a run.
#[derive(Debug, Default)]
pub(crate) struct Readings {
    pub(crate) all: Vec<Reading>,
    /// Objectives that this run is the first to cover, and the readings after which it had them.
    watched: Vec<usize>,
    pub(crate) news: Vec<u32>,
    pub(crate) comparisons: Vec<Comparison>,
    pub(crate) writes: Vec<WordWrite>,
    /// Memory at the last reading, and the words that were written so far.
    memory: Memory,
    values: FxHashMap<WordPlace, u32>,
    texts: Vec<TextPlace>,
    /// Of the bytes of texts.
    positions: FxHashMap<VarId, InputPosition>,
    /// The call that was the newest one at the last reading.
    newest_call: Option<u64>,
    last: Option<InputPosition>,
    /// The first reading whose turn has not ended.
    open: usize,
}

impl Readings {
    pub(crate) fn watching(objectives: &[usize]) -> Self {
        Readings {
            watched: objectives.to_vec(),
            ..Readings::default()
        }
    }

    /// Where the byte of a text stands.
    pub(super) fn position_of(&self, var: VarId) -> Option<InputPosition> {
        self.positions.get(&var).copied()
    }

    /// What was read last.
    pub(super) fn last(&self) -> Option<InputPosition> {
        self.last
    }
}

impl Machine<'_> {
    /// The program has asked for an input.
    pub(super) fn note_request(&mut self, input: u32) {
        self.note_reading(InputPosition { input, byte: 0 });
    }

    /// An input was put into memory.
    pub(super) fn note_text(&mut self, object: ObjectId, offset: u64, id: InputId) {
        let input = self.state.inputs.len() as u32 - 1;
        let pieces = &self.inputs.get(id).pieces;
        let size = pieces.iter().map(|(_, len)| u64::from(*len)).sum();
        if let Some(readings) = &mut self.readings
            && pieces.len() >= TEXT_PIECES
        {
            let mut byte = 0;
            for (var, len) in pieces {
                let position = InputPosition { input, byte };
                readings.positions.insert(*var, position);
                byte += len;
            }
            readings.texts.push(TextPlace {
                object,
                offset,
                size,
                input,
            });
        }
    }

    /// Something that depends on the input was read.
    #[inline]
    pub(super) fn note_load(&mut self, object: ObjectId, offset: u64) {
        if self.readings.is_some() {
            self.note_load_of_text(object, offset);
        }
    }

    fn note_load_of_text(&mut self, object: ObjectId, offset: u64) {
        let Some(readings) = &self.readings else {
            return;
        };
        let is_there = |text: &&TextPlace| {
            text.object == object && (text.offset..text.offset + text.size).contains(&offset)
        };
        if let Some(text) = readings.texts.iter().find(is_there) {
            let (input, byte) = (text.input, (offset - text.offset) as u32);
            self.note_reading(InputPosition { input, byte });
        }
    }

    fn note_reading(&mut self, position: InputPosition) {
        let Some(mut readings) = self.readings.take() else {
            return;
        };
        let mut frames = Vec::new();
        let mut frame = Some(&self.state.frame);
        while let Some(f) = frame {
            frames.push(f);
            frame = f.parent.as_deref();
        }
        frames.reverse();
        frames.truncate(MOST_CALLS);
        let forks = self.state.forks;
        let before = readings.all.len();
        let mut hasher = FxHasher::default();
        let mut depth = 0;
        for frame in frames {
            let is_new = readings
                .newest_call
                .is_none_or(|newest| frame.serial > newest);
            if is_new {
                readings.add(hasher.finish(), position, forks, depth);
            }
            depth += 1;
            (frame.function, frame.pc).hash(&mut hasher);
        }
        if readings.all.len() == before && readings.last != Some(position) {
            readings.add(hasher.finish(), position, forks, depth);
        }
        if readings.all.len() > before {
            readings.end_turns(before, self.state.trace);
            self.note_writes(&mut readings, before);
            self.state.trace = TraceHash::default();
        }
        readings.newest_call = Some(self.state.calls);
        readings.last = Some(position);
        let (news, seen) = (&mut readings.news, before as u32);
        let hits = &self.state.hits;
        readings.watched.retain(|objective| {
            let is_had = hits.contains(*objective);
            if is_had && news.last() != Some(&seen) {
                news.push(seen);
            }
            !is_had
        });
        self.readings = Some(readings);
    }

    /// Notes what memory holds after so many readings that it did not hold before.
    fn note_writes(&mut self, readings: &mut Readings, number: usize) {
        let before = std::mem::replace(&mut readings.memory, self.state.memory.clone());
        let mut written: Vec<WordPlace> = Vec::new();
        let memory = self.state.memory.clone();
        memory.for_each_changed(&before, &mut |id, object| {
            let is_state = |o: &&Object| !o.is_constant() && o.size() <= LARGEST;
            let is_text = readings.texts.iter().any(|text| text.object == id);
            let Some(object) = object.filter(is_state).filter(|_| !is_text) else {
                return;
            };
            let old: Vec<Word> = before
                .object(id)
                .map_or_else(Vec::new, |o| o.words().collect());
            for (at, word) in object.words().enumerate() {
                let was = old.get(at).copied().unwrap_or(Word::Plain(0));
                if word == Word::Symbolic || word != was && word != Word::Uninitialised {
                    written.push((id, at as u32));
                }
            }
        });
        for word in written {
            let Some(value) = self.value_of_word(word) else {
                continue;
            };
            if readings.writes.len() < MOST_WRITES
                && readings.values.insert(word, value) != Some(value)
            {
                readings.writes.push(WordWrite {
                    readings: number as u32,
                    word,
                    value,
                });
            }
        }
    }

    fn value_of_word(&mut self, (id, at): WordPlace) -> Option<u32> {
        let object = self.state.memory.object(id)?.clone();
        let e = match object.read(&mut self.arena, u64::from(at) * WORD, WORD) {
            ReadValue::Concrete(value) => return Some(value as u32),
            ReadValue::Symbolic(e) => self.arena.defined(e)?,
        };
        Some(self.current.value(&self.arena, e) as u32)
    }

    /// The readings of the run that has ended; what it covered last belongs to the last one.
    pub(crate) fn take_readings(&mut self) -> Readings {
        let mut readings = self.readings.take().map_or_else(Readings::default, |r| *r);
        let end = readings.all.len();
        readings.end_turns(end, self.state.trace);
        self.note_writes(&mut readings, end);
        let hits = &self.state.hits;
        if (readings.watched.iter()).any(|objective| hits.contains(*objective)) {
            readings.news.push(end as u32);
        }
        readings
    }
}

impl Readings {
    /// The turns of all readings up to one have ended, with what the program did.
    fn end_turns(&mut self, end: usize, done: TraceHash) {
        for reading in &mut self.all[self.open..end] {
            let mut hasher = FxHasher::default();
            (reading.place, done.0).hash(&mut hasher);
            reading.turn = hasher.finish();
        }
        self.open = end;
    }

    fn add(&mut self, place: u64, position: InputPosition, forks: u32, depth: u32) {
        if self.all.len() < MOST_READINGS {
            self.all.push(Reading {
                place,
                turn: place,
                position,
                forks,
                depth,
            });
        }
    }
}
