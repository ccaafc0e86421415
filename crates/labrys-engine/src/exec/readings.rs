//! Where a run stands whenever it reads on in its input: the calls that are active, and how far the input
//! was read. Two runs that stand at the same place with the same calls can go on with each other's input.

use super::Machine;
use super::comparisons::Comparison;
use crate::inputs::InputId;
use crate::memory::{Memory, Object, ObjectId, Word};
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
    /// Memory at the last reading.
    memory: Memory,
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
        for frame in frames {
            let is_new = readings
                .newest_call
                .is_none_or(|newest| frame.serial > newest);
            if is_new {
                readings.add(hasher.finish(), position, forks);
            }
            (frame.function, frame.pc).hash(&mut hasher);
        }
        if readings.all.len() == before && readings.last != Some(position) {
            readings.add(hasher.finish(), position, forks);
        }
        if readings.all.len() > before {
            readings.end_turns(before, self.state.trace);
            readings.note_writes(before, &self.state.memory);
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

    /// The readings of the run that has ended; what it covered last belongs to the last one.
    pub(crate) fn take_readings(&mut self) -> Readings {
        let mut readings = self.readings.take().map_or_else(Readings::default, |r| *r);
        let end = readings.all.len();
        readings.end_turns(end, self.state.trace);
        readings.note_writes(end, &self.state.memory);
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

    /// What memory holds after so many readings.
    fn note_writes(&mut self, readings: usize, memory: &Memory) {
        let before = std::mem::replace(&mut self.memory, memory.clone());
        let writes = &mut self.writes;
        memory.for_each_changed(&before, &mut |id, object| {
            let is_state = |o: &&Object| !o.is_constant() && o.size() <= LARGEST;
            let Some(object) = object.filter(is_state) else {
                return;
            };
            let old: Vec<Word> = before
                .object(id)
                .map_or_else(Vec::new, |o| o.words().collect());
            for (number, word) in object.words().enumerate() {
                let was = old.get(number).copied().unwrap_or(Word::Plain(0));
                if let Word::Plain(value) = word
                    && word != was
                    && writes.len() < MOST_WRITES
                {
                    writes.push(WordWrite {
                        readings: readings as u32,
                        word: (id, number as u32),
                        value,
                    });
                }
            }
        });
    }

    fn add(&mut self, place: u64, position: InputPosition, forks: u32) {
        if self.all.len() < MOST_READINGS {
            self.all.push(Reading {
                place,
                turn: place,
                position,
                forks,
            });
        }
    }
}
